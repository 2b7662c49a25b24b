"""Renews a chunk's lease, and enforces its time slice, while an engine is running."""

import logging
import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from types import TracebackType

import numpy as np
from redis.exceptions import RedisError

from solver.engines.engine import ABANDON, FINISH, GO_ON, StopFlag

logger = logging.getLogger(__name__)

# how often to check whether the job was cancelled
_LOOK_SECONDS = 0.2
# A puzzle that exceeds its chunk's time slice by this much is slow.
SLOW_SECONDS = 0.1
# An engine that doesn't react to the stop flag within this time is assumed to be stuck. The first
# time is for a puzzle that is suspended, because saving a checkpoint takes a while. The second is
# for a puzzle that isn't needed anymore, whose checkpoint isn't saved.
_UNRESPONSIVE_SECONDS = 1.0
_UNWANTED_SECONDS = 0.15


class Heartbeat:
    """Renews a lease during a `with` block, until the engine's stop flag `flag` is ABANDON.

    A separate thread does this, and sets the flag, which becomes FINISH when the time granted by
    `allow` is over. The engine should then finish the current puzzle. If `is_whole`, the work can't
    end after one of several puzzles, and the flag never becomes FINISH. The flag becomes ABANDON

    - if `renew` returns False, because the lease is lost or the job was cancelled;
    - if `renew` has raised redis.RedisError for `lease` seconds, because then another worker may
      have the chunk;
    - if `must_stop` returns True; or
    - if the block continues for SLOW_SECONDS after that time, and `may_continue` returns False. The
      puzzle is slow, and must wait. Then `must_wait` is set, too.

    If the block still continues `unresponsive_seconds` after a puzzle had to wait, or 0.15 seconds
    after `renew` returned False, `on_unresponsive` is called in the other thread. It isn't called
    in the other two cases.
    """

    def __init__(
        self,
        renew: Callable[[], bool],
        *,
        lease: float,
        must_stop: Callable[[], bool] = lambda: False,
        may_continue: Callable[[], bool] = lambda: True,
        is_whole: bool = False,
        on_unresponsive: Callable[[], None] = lambda: None,
        unresponsive_seconds: float = _UNRESPONSIVE_SECONDS,
    ) -> None:
        self.flag: StopFlag = np.full(1, GO_ON, np.uint8)
        self._renew = renew
        self._lease = lease
        self._must_stop = must_stop
        self._may_continue = may_continue
        self._is_whole = is_whole
        self._on_unresponsive = on_unresponsive
        self._unresponsive_seconds = unresponsive_seconds
        self.must_wait = False
        self._finish_at = float("inf")
        self._over = False
        self._wake = threading.Event()
        # The thread gets the caller's context, so that its log messages name the same chunk.
        run = partial(copy_context().run, self._run)
        self._thread = threading.Thread(target=run, name="heartbeat", daemon=True)

    @property
    def abandoned(self) -> bool:
        """Whether the stop flag is ABANDON.

        Then results must no longer be stored, unless `must_wait` is set.
        """
        return bool(self.flag[0] == ABANDON)

    def allow(self, seconds: float) -> None:
        """Let the engine start puzzles for this many seconds from now.

        Replaces any earlier limit. If the flag is FINISH, it is reset, so that the engine can
        continue.
        """
        self._finish_at = time.monotonic() + seconds
        if self.flag[0] == FINISH:
            self.flag[0] = GO_ON
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
        is_wanted = True
        while not self._over:
            now = time.monotonic()
            finish_at = self._finish_at
            if self.flag[0] == GO_ON and now >= finish_at and not self._is_whole:
                self.flag[0] = FINISH
            if now >= next_look:
                next_look = now + interval
                try:
                    is_wanted = self._renew()
                    renewed = now
                except RedisError as error:
                    logger.warning("could not renew a lease: %s", error)
            if not is_wanted or self._must_stop() or time.monotonic() - renewed > self._lease:
                self.flag[0] = ABANDON
            elif now >= finish_at + SLOW_SECONDS and not self._may_continue():
                self.must_wait = True
                self.flag[0] = ABANDON
            if self.abandoned:
                break
            coming = (finish_at, finish_at + SLOW_SECONDS, next_look)
            wake = min(moment for moment in coming if moment > now)
            self._wake.wait(wake - now)
            self._wake.clear()
        if self.abandoned and (self.must_wait or not is_wanted):
            self._wake.wait(self._unresponsive_seconds if is_wanted else _UNWANTED_SECONDS)
            if not self._over:
                self._on_unresponsive()
