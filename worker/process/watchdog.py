"""Ends a worker that hangs, so that the process that started it can restart it."""

import logging
import os
import threading
import time
from collections.abc import Callable

from worker.process.shutdown_flag import ShutdownFlag

logger = logging.getLogger(__name__)

_CHECK_SECONDS = 1.0
_MAX_SILENT_CHECKS = 15
# Time to shut down, in addition to the grace period of the puzzles in progress.
_ENDING_SECONDS = 10.0


class Watchdog:
    """Ends this process if it sends no heartbeat for about 15 seconds although Redis responds.

    Celery's consumer has been seen to end while its processes continued. The watchdog counts its
    checks, one per `check_seconds`, instead of seconds, so that a process that was asleep gets time
    to wake up. It starts counting at the first heartbeat. It also ends a worker that takes more
    than `grace` + 10 seconds to shut down. `redis_responds` returns whether Redis responds, and
    `end` ends the process.
    """

    def __init__(
        self,
        redis_responds: Callable[[], bool],
        *,
        shutdown: ShutdownFlag,
        grace: float,
        end: Callable[[], None] = lambda: os._exit(1),
        check_seconds: float = _CHECK_SECONDS,
    ) -> None:
        self._redis_responds = redis_responds
        self._shutdown = shutdown
        self._checks_to_stop = (grace + _ENDING_SECONDS) / check_seconds
        self._end = end
        self._check_seconds = check_seconds
        self._silent: int | None = None  # checks since the last heartbeat; None before the first

    def start(self) -> None:
        """Start watching in a thread."""
        threading.Thread(target=self._run, name="watchdog", daemon=True).start()

    def beat(self) -> None:
        """Record a heartbeat, which shows that the consumer is running."""
        self._silent = 0

    def _run(self) -> None:
        stopping = 0
        while True:
            time.sleep(self._check_seconds)
            if self._shutdown.is_set:
                stopping += 1
                if stopping > self._checks_to_stop:
                    logger.error("the worker takes too long to shut down; ending it")
                    self._end()
                    return
            elif self._silent is not None:
                self._silent = self._silent + 1 if self._redis_responds() else 0
                if self._silent > _MAX_SILENT_CHECKS:
                    logger.error("the worker doesn't respond; ending it")
                    self._end()
                    return
