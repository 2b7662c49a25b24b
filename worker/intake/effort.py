"""How much of the web's processor one upload may take."""

import time
from collections.abc import Callable, Iterable, Iterator

from worker.refused import Refusal, RefusalKind

_MIB = 1 << 20
# A client that has only said that it sends no more looks gone as well.
_SECONDS_FOR_ANYBODY = 0.2


class Effort:
    """Counts what an upload brings and what it costs.

    It may take `seconds` of processor time, and another second for each MiB that is sent: few
    bytes stand for very many when they are packed. Waiting for the client costs nothing, and
    for a client that is `gone` hardly anything is done.
    """

    def __init__(self, *, seconds: float, gone: Callable[[], bool] = lambda: False) -> None:
        self._seconds = seconds
        self._gone = gone
        self._received = 0
        self._started = time.thread_time()

    def sent(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Pass on what comes from the client."""
        for piece in pieces:
            self._received += len(piece)
            yield piece

    def bounded(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Pass on what was made of it; raises Refusal when that was too much.

        What the consumer does with a piece counts as well.
        """
        for piece in pieces:
            yield piece
            spent = time.thread_time() - self._started
            if spent > self._seconds + self._received / _MIB:
                detail = f"the upload took {spent:.1f} s to cut up, more than its size allows"
                raise Refusal(RefusalKind.TOO_LARGE, detail)
            if spent > _SECONDS_FOR_ANYBODY and self._gone():
                raise Refusal(RefusalKind.UNREADABLE, "the client is gone")
