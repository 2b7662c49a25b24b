"""Run the threads of one lane, and limit how many of them one client can use."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

_Done = TypeVar("_Done")


class Threads:
    """A pool of `count` threads, with a limit on the threads that one client can use.

    Requests from one IP address can use `share` threads at the same time, by default all. Only the
    main loop may call the methods. `run` doesn't check the limits, so call it only if `has_room`
    returns True.
    """

    def __init__(self, count: int, *, share: int | None = None) -> None:
        self.pool = ThreadPoolExecutor(count)
        self._count = count
        self._share = count if share is None else share
        self._busy: Counter[str] = Counter()

    def has_room(self, address: str) -> bool:
        """Return whether a request from a client's IP address can start immediately."""
        return self._busy[address] < self._share and self._busy.total() < self._count

    def run(self, address: str, do: Callable[[], _Done]) -> "Future[_Done]":
        """Run `do` in a thread for a client's IP address, and return its future immediately.

        The caller must call `release` when the future is done.
        """
        self._busy[address] += 1
        return self.pool.submit(do)

    def release(self, address: str) -> None:
        """Count one thread fewer as being used by a client's IP address."""
        self._busy[address] -= 1
        if not self._busy[address]:
            del self._busy[address]
