"""The body of a request as a stream: limited, decompressed, and in UTF-8."""

from collections.abc import Iterable, Iterator
from typing import IO

from flask import Request

from solver.board.closest import unknown
from worker.ingest.decompress import CODINGS
from worker.ingest.encoding import to_utf8
from worker.ingest.upload_budget import UploadBudget
from worker.rejection import Rejected, Rejection, RejectionKind

_PIECE_BYTES = 1 << 18
# For these types, the charset applies to the text itself. It is ignored for other types.
_TEXT_TYPES = ("text/", "application/json", "application/x-ndjson")


def stream_body(
    request: Request, *, max_bytes: int, budget: UploadBudget, too_large: str = ""
) -> Iterator[bytes] | Rejection:
    """Return the body of a request as an iterator of pieces, decompressed and limited.

    Returns a rejection if the headers show that the body is too long or has an unknown
    Content-Encoding. Text in a charset that the request names is converted to UTF-8. The iterator
    raises Rejected if the upload is interrupted, damaged, or too long. At most `max_bytes` are read
    from the connection, and decompression yields at most the same number. `too_large` is the
    message for a longer body. The default message only states the limit.
    """
    expected = request.content_length
    if expected is not None and expected > max_bytes:
        detail = f"the body has {expected:,} bytes; the limit is {max_bytes:,}"
        return Rejection(RejectionKind.TOO_LARGE, too_large or detail)
    coding = request.headers.get("Content-Encoding", "").strip().lower()
    pieces = _receive(request.stream, expected=expected, budget=budget)
    pieces = budget.limit(pieces, max_bytes=max_bytes, too_large=too_large)
    if coding not in ("", "identity"):
        if coding not in CODINGS:
            detail = unknown("Content-Encoding", coding, CODINGS)
            return Rejection(RejectionKind.UNKNOWN_TYPE, detail)
        decoded = CODINGS[coding](pieces)
        pieces = budget.limit(decoded, max_bytes=max_bytes, too_large=too_large)
    charset = request.mimetype_params.get("charset")
    is_text = request.mimetype.startswith(_TEXT_TYPES)
    return to_utf8(pieces, charset=charset) if charset and is_text else pieces


def _receive(stream: IO[bytes], *, expected: int | None, budget: UploadBudget) -> Iterator[bytes]:
    """Yield the pieces of a request's body, and count their bytes in the budget.

    Raises Rejected if fewer than `expected` bytes arrive, which is the Content-Length, or None if
    it is unknown.
    """
    received = 0
    while piece := stream.read(_PIECE_BYTES):
        received += len(piece)
        budget.add_received(len(piece))
        yield piece
    # If the connection breaks, the server returns the bytes so far as if they were all.
    if expected is not None and received < expected:
        detail = f"the upload was interrupted after {received:,} of {expected:,} bytes"
        raise Rejected(RejectionKind.UNREADABLE, detail)


def join_pieces(pieces: Iterable[bytes] | Rejection) -> bytes | Rejection:
    """Return the whole body as bytes, or a rejection if reading it failed.

    If `pieces` is a rejection, it is returned.
    """
    if isinstance(pieces, Rejection):
        return pieces
    try:
        return b"".join(pieces)
    except Rejected as rejected:
        return rejected.rejection
