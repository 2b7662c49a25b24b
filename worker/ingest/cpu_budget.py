"""Limits the CPU time that an upload can use in the web server."""

import time
from collections.abc import Callable, Iterable, Iterator

from worker.rejection import Rejected, RejectionKind

_MIB = 1 << 20
# A client that only shut down its sending side also looks disconnected, so even then an upload can
# use this much.
_SECONDS_FOR_ANYBODY = 0.2


class CpuBudget:
    """The CPU budget of one upload, from the first byte of its request to its last chunk.

    Each request has a budget. It is created when the request arrives, and is used in the request's
    thread. It consists of `seconds` of CPU time plus one second per MiB that the client sends,
    because a few compressed bytes can expand to a lot of data. Decompression, decoding, and
    splitting use it up. Waiting for the client is free. The budget ends early if the client is
    `gone`.
    """

    def __init__(self, *, seconds: float, gone: Callable[[], bool] = lambda: False) -> None:
        self._seconds = seconds
        self._gone = gone
        self._received = 0
        self._started = time.thread_time()

    def sent(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Count the bytes that the client sends, as they arrive from the connection."""
        for piece in pieces:
            self._received += len(piece)
            yield piece

    def bounded(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Pass pieces on, and check the budget after the consumer has processed each."""
        for piece in pieces:
            yield piece
            self.check()

    def check(self) -> None:
        """Raise Rejected if the upload has used up its CPU time."""
        spent = time.thread_time() - self._started
        allowed = self._seconds + self._received / _MIB
        if spent > allowed:
            detail = (
                f"reading the upload took {spent:.1f} s of CPU time; the limit is {allowed:.1f} s "
                f"for the {self._received:,} bytes that were sent. Split it into smaller uploads"
            )
            raise Rejected(RejectionKind.TOO_LARGE, detail)
        if spent > _SECONDS_FOR_ANYBODY and self._gone():
            raise Rejected(RejectionKind.UNREADABLE, "the client has disconnected")
