"""Ends a worker that hangs, so that its supervisor restarts it."""

import logging
import os
import threading
import time
from collections.abc import Callable

from worker.process.shutdown_flag import ShutdownFlag

logger = logging.getLogger(__name__)

_LOOK_SECONDS = 1.0
_MOST_LOOKS = 15
# time to shut down, in addition to the puzzles' grace period
_ENDING_SECONDS = 10.0


class Watchdog:
    """Ends this process if there was no heartbeat for 15 s although Redis responded.

    Celery's consumer has been seen to end while its processes continued. The watchdog counts its
    checks instead of seconds, so that a process that was asleep gets time to wake up. It also ends
    a worker that takes too long to shut down.
    """

    def __init__(
        self,
        answers: Callable[[], bool],
        *,
        shutdown: ShutdownFlag,
        grace: float,
        end: Callable[[], None] = lambda: os._exit(1),
        look_seconds: float = _LOOK_SECONDS,
    ) -> None:
        self._answers = answers
        self._shutdown = shutdown
        self._looks_to_stop = (grace + _ENDING_SECONDS) / look_seconds
        self._end = end
        self._look_seconds = look_seconds
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
            time.sleep(self._look_seconds)
            if self._shutdown.is_set:
                stopping += 1
                if stopping > self._looks_to_stop:
                    logger.error("the worker takes too long to shut down. Ending it")
                    self._end()
                    return
            elif self._silent is not None:
                self._silent = self._silent + 1 if self._answers() else 0
                if self._silent > _MOST_LOOKS:
                    logger.error("the worker hangs. Ending it")
                    self._end()
                    return
