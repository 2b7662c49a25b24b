"""Limits the bytes and the CPU time that one upload can use in the web server."""

import math
import time
from collections.abc import Callable, Iterable, Iterator

from worker.rejection import Rejected, RejectionKind

_MIB = 1 << 20
# A client that only shut down its sending side also looks disconnected, so even then an upload can
# use this much CPU time.
_SECONDS_IF_DISCONNECTED = 0.2


class UploadBudget:
    """The budget of one upload, from the first byte of its request to its last chunk.

    Create it in the request's thread when the request arrives. It consists of `seconds` of CPU time
    plus one second per received MiB, because a few compressed bytes can expand to a lot of data.
    Decompressing, decoding, and splitting use up CPU time, but waiting for the client doesn't.
    After the client has disconnected, the upload is rejected soon. Without arguments, CPU time is
    unlimited.
    """

    def __init__(
        self, *, seconds: float = math.inf, is_disconnected: Callable[[], bool] = lambda: False
    ) -> None:
        self._seconds = seconds
        self._is_disconnected = is_disconnected
        self._received_bytes = 0
        self._started = time.thread_time()

    def add_received(self, size: int) -> None:
        """Count bytes that arrived from the connection, which add to the CPU time."""
        self._received_bytes += size

    def limit(
        self, pieces: Iterable[bytes], *, max_bytes: int, too_large: str = ""
    ) -> Iterator[bytes]:
        """Yield the pieces, and check the size and the CPU time after each of them.

        Raises Rejected after more than `max_bytes` or too much CPU time. `too_large` is the message
        about too many bytes, if given.
        """
        size = 0
        for piece in pieces:
            size += len(piece)
            if size > max_bytes:
                detail = f"the upload has more than {max_bytes:,} bytes, the limit; split it"
                raise Rejected(RejectionKind.TOO_LARGE, too_large or detail)
            yield piece
            self.check()

    def check(self) -> None:
        """Raise Rejected if the upload has used up its CPU time."""
        spent = time.thread_time() - self._started
        allowed = self._seconds + self._received_bytes / _MIB
        if spent > allowed:
            detail = (
                f"Reading the upload took {spent:.1f} s of CPU time. The limit is "
                f"{allowed:.1f} s for the {self._received_bytes:,} bytes received so far. Split "
                "it into smaller uploads."
            )
            raise Rejected(RejectionKind.TOO_LARGE, detail)
        if spent > _SECONDS_IF_DISCONNECTED and self._is_disconnected():
            raise Rejected(RejectionKind.UNREADABLE, "the client has disconnected")
