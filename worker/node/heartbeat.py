"""What goes on beside a running engine: the lease is kept, the time budget is watched."""

import logging
import threading
import time
from collections.abc import Callable
from types import TracebackType

import numpy as np
from redis.exceptions import RedisError

from solver.engines.engine import ABANDON, FINISH, GO_ON, StopFlag

logger = logging.getLogger(__name__)

# So often somebody looks whether the job was cancelled.
_LOOK_SECONDS = 0.2
# A puzzle that takes so much longer than its chunk may is a long one.
LONG_SECONDS = 2.0


class Heartbeat:
    """Renews a lease while the block of a `with` runs, and raises the engine's stop flag.

    FINISH when the time given by `allow` is over. ABANDON when `renew` says that the lease is
    lost, which is also how a cancelled job stops; when Redis has not answered for `lease`
    seconds, for somebody else may have the chunk then; when `must_end` says so; and when a puzzle
    goes on for LONG_SECONDS after FINISH and `may_last` does not allow it more.
    """

    def __init__(
        self,
        renew: Callable[[], bool],
        *,
        lease: float,
        must_end: Callable[[], bool] = lambda: False,
        may_last: Callable[[], bool] = lambda: True,
        long_seconds: float = LONG_SECONDS,
    ) -> None:
        self.flag: StopFlag = np.full(1, GO_ON, np.uint8)
        self._renew = renew
        self._lease = lease
        self._must_end = must_end
        self._may_last = may_last
        self._long_seconds = long_seconds
        self.has_to_wait = False
        self._finish_at = float("inf")
        self._over = False
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    @property
    def abandoned(self) -> bool:
        """Whether what is found must not be stored any more."""
        return bool(self.flag[0] == ABANDON)

    def allow(self, seconds: float) -> None:
        """Let the engine begin puzzles for so long from now on."""
        self._finish_at = time.monotonic() + seconds
        self._wake.set()

    def __enter__(self) -> "Heartbeat":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over = True
        self._wake.set()
        self._thread.join()

    def _run(self) -> None:
        interval = min(self._lease / 3, _LOOK_SECONDS)
        renewed = time.monotonic()
        next_look = renewed + interval
        while not self._over:
            now = time.monotonic()
            if self.flag[0] == GO_ON and now >= self._finish_at:
                self.flag[0] = FINISH
            if now >= next_look:
                next_look = now + interval
                try:
                    if not self._renew():
                        self.flag[0] = ABANDON
                    renewed = now
                except RedisError as error:
                    logger.warning("a lease could not be renewed: %s", error)
            if self._must_end() or time.monotonic() - renewed > self._lease:
                self.flag[0] = ABANDON
            if now >= self._finish_at + self._long_seconds and not self._may_last():
                self.has_to_wait = True
                self.flag[0] = ABANDON
            if self.abandoned:
                return
            wake = min(next_look, self._finish_at) if self.flag[0] == GO_ON else next_look
            self._wake.wait(max(wake - time.monotonic(), 0.001))
            self._wake.clear()
