"""The body of a request as a stream: counted, limited, and without its Content-Encoding."""

from collections.abc import Iterable, Iterator
from typing import IO

from flask import Request

from worker.ingest.cpu_budget import CpuBudget
from worker.ingest.decompress import CODINGS
from worker.ingest.encoding import to_utf8
from worker.rejection import Rejected, Rejection, RejectionKind

_PIECE = 1 << 18
# For these types, the charset applies to the text itself. It is ignored for other types.
_TEXTS = ("text/", "application/json", "application/x-ndjson")


def read_body(request: Request, *, most: int, cpu_budget: CpuBudget) -> Iterator[bytes] | Rejection:
    """Return the body as an iterator of pieces, which raises Rejected if the upload is interrupted.

    Text in a charset that the request names is converted to UTF-8. At most `most` bytes are read
    from the connection, and at most as many are decompressed. `cpu_budget` is the CPU budget of the
    request.
    """
    expected = request.content_length
    if expected is not None and expected > most:
        detail = f"the body has {expected:,} bytes; at most {most:,} are read"
        return Rejection(RejectionKind.TOO_LARGE, detail)
    coding = request.headers.get("Content-Encoding", "").strip().lower()
    sent = cpu_budget.sent(_bounded(_as_sent(request.stream, expected), most))
    if coding in ("", "identity"):
        return _in_utf8(request, cpu_budget.bounded(sent))
    if coding not in CODINGS:
        detail = f"the Content-Encoding {coding[:50]!r} is not read; known are {', '.join(CODINGS)}"
        return Rejection(RejectionKind.UNKNOWN_TYPE, detail)
    return _in_utf8(request, cpu_budget.bounded(_bounded(CODINGS[coding](sent), most)))


def _in_utf8(request: Request, pieces: Iterator[bytes]) -> Iterator[bytes]:
    charset = request.mimetype_params.get("charset")
    is_other = charset and request.mimetype.startswith(_TEXTS)
    return to_utf8(pieces, charset=charset or "") if is_other else pieces


def read_whole(
    pieces: Iterable[bytes] | Rejection, *, most: int, too_large: str = ""
) -> bytes | Rejection:
    """Return the whole body, or a rejection if it is longer than `most` bytes.

    `too_large` is the message for a longer one. The default only states the limit.
    """
    if isinstance(pieces, Rejection):
        return pieces
    try:
        return b"".join(_bounded(pieces, most, too_large=too_large))
    except Rejected as rejected:
        return rejected.rejection


def _bounded(pieces: Iterable[bytes], most: int, *, too_large: str = "") -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > most:
            detail = f"this is more than {most:,} bytes, the most that is read of it"
            raise Rejected(RejectionKind.TOO_LARGE, too_large or detail)
        yield piece


def _as_sent(stream: IO[bytes], expected: int | None) -> Iterator[bytes]:
    received = 0
    while piece := stream.read(_PIECE):
        received += len(piece)
        yield piece
    # If the connection breaks, the server returns the bytes so far as if they were all.
    if expected is not None and received < expected:
        detail = f"the upload broke off after {received:,} of {expected:,} bytes"
        raise Rejected(RejectionKind.UNREADABLE, detail)
