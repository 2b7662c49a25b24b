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
    """The CPU time that may be spent on one upload.

    Create it in the request's thread when the request arrives. It covers everything up to the
    upload's last chunk. It consists of `seconds` plus one second per received MiB, because a few
    compressed bytes can expand to a lot of data. Decompressing, decoding, and splitting use up CPU
    time, but waiting for the client doesn't. `is_disconnected` returns whether the client has
    disconnected. In this case the upload is rejected after 0.2 seconds of CPU time. Without
    arguments, CPU time is unlimited.
    """

    def __init__(
        self, *, seconds: float = math.inf, is_disconnected: Callable[[], bool] = lambda: False
    ) -> None:
        self._seconds = seconds
        self._is_disconnected = is_disconnected
        self._received_bytes = 0
        self._started = time.thread_time()

    def add_received(self, size: int) -> None:
        """Count bytes that arrived from the connection.

        They increase the CPU time that may be spent.
        """
        self._received_bytes += size

    def limit(
        self, pieces: Iterable[bytes], *, max_bytes: int, too_large: str = ""
    ) -> Iterator[bytes]:
        """Yield the pieces unchanged, and check their total size and the CPU time.

        Raises Rejected after more than `max_bytes` bytes or too much CPU time. `too_large` is the
        message for too many bytes, or "" for the default message.
        """
        size = 0
        for piece in pieces:
            size += len(piece)
            if size > max_bytes:
                detail = f"the upload exceeds the limit of {max_bytes:,} bytes; split it"
                raise Rejected(RejectionKind.TOO_LARGE, too_large or detail)
            yield piece
            self.check()

    def check(self) -> None:
        """Raise Rejected if the upload has used up its CPU time.

        Also raises it if the client has disconnected and 0.2 seconds of CPU time are used up.
        """
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
