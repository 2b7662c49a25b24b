"""The threads of one lane, and who has them."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

_Done = TypeVar("_Done")


class Threads:
    """So many threads, of which no address has more than its share at a time.

    Only the main loop calls it; `run` never waits, so it is for whom there is room.
    """

    def __init__(self, count: int, *, share: int | None = None) -> None:
        self.pool = ThreadPoolExecutor(count)
        self._count = count
        self._share = count if share is None else share
        self._busy: Counter[str] = Counter()

    def has_room(self, address: str) -> bool:
        """Return whether a request from an address can begin at once."""
        return self._busy[address] < self._share and self._busy.total() < self._count

    def run(self, address: str, do: Callable[[], _Done]) -> "Future[_Done]":
        """Begin with a request; `leave` has to be called when it is done."""
        self._busy[address] += 1
        return self.pool.submit(do)

    def leave(self, address: str) -> None:
        """Give a thread back."""
        self._busy[address] -= 1
        if not self._busy[address]:
            del self._busy[address]
