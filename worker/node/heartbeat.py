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


class Heartbeat:
    """Renews a lease while the block of a `with` runs, and raises the engine's stop flag.

    FINISH after `budget` seconds; ABANDON when `renew` says that the lease is lost, which is
    also how a cancelled job stops. Redis being away for a moment loses no lease.
    """

    def __init__(self, renew: Callable[[], bool], *, budget: float, interval: float) -> None:
        self.flag: StopFlag = np.full(1, GO_ON, np.uint8)
        self._renew = renew
        self._budget = budget
        self._interval = interval
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    @property
    def lost(self) -> bool:
        """Whether the lease is lost."""
        return bool(self.flag[0] == ABANDON)

    def __enter__(self) -> "Heartbeat":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        began = time.monotonic()
        next_renewal = began + self._interval
        while True:
            now = time.monotonic()
            if self.flag[0] == GO_ON and now >= began + self._budget:
                self.flag[0] = FINISH
            if now >= next_renewal:
                next_renewal = now + self._interval
                if not self._keep():
                    self.flag[0] = ABANDON
                    return
            wake = next_renewal
            if self.flag[0] == GO_ON:
                wake = min(wake, began + self._budget)
            if self._over.wait(max(wake - now, 0.001)):
                return

    def _keep(self) -> bool:
        try:
            return self._renew()
        except RedisError as error:
            logger.warning("a lease could not be renewed: %s", error)
            return True
