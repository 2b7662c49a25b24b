"""The body of a request as a stream: counted, limited, and without its Content-Encoding."""

from collections.abc import Iterable, Iterator
from typing import IO

from flask import Request

from worker.intake.effort import Effort
from worker.intake.encoding import to_utf8
from worker.intake.unpack import CODINGS
from worker.refused import Refusal, RefusalKind, Refused

_PIECE = 1 << 18
# For these types, the charset applies to the text itself. It is ignored for other types.
_TEXTS = ("text/", "application/json", "application/x-ndjson")


def read_body(request: Request, *, most: int, effort: Effort) -> Iterator[bytes] | Refused:
    """Return the body as an iterator of pieces, which raises Refusal if the upload is interrupted.

    Text in a charset that the request names is converted to UTF-8. At most `most` bytes are read
    from the connection, and at most as many are decompressed. `effort` is the CPU budget of the
    request.
    """
    expected = request.content_length
    if expected is not None and expected > most:
        detail = f"the body has {expected:,} bytes; at most {most:,} are read"
        return Refused(RefusalKind.TOO_LARGE, detail)
    coding = request.headers.get("Content-Encoding", "").strip().lower()
    sent = effort.sent(_bounded(_as_sent(request.stream, expected), most))
    if coding in ("", "identity"):
        return _in_utf8(request, effort.bounded(sent))
    if coding not in CODINGS:
        detail = f"the Content-Encoding {coding[:50]!r} is not read; known are {', '.join(CODINGS)}"
        return Refused(RefusalKind.UNKNOWN_TYPE, detail)
    return _in_utf8(request, effort.bounded(_bounded(CODINGS[coding](sent), most)))


def _in_utf8(request: Request, pieces: Iterator[bytes]) -> Iterator[bytes]:
    charset = request.mimetype_params.get("charset")
    is_other = charset and request.mimetype.startswith(_TEXTS)
    return to_utf8(pieces, charset=charset or "") if is_other else pieces


def read_whole(
    pieces: Iterable[bytes] | Refused, *, most: int, too_large: str = ""
) -> bytes | Refused:
    """Return the whole body, or a rejection if it is longer than `most` bytes.

    `too_large` is the message for a longer one. The default only states the limit.
    """
    if isinstance(pieces, Refused):
        return pieces
    try:
        return b"".join(_bounded(pieces, most, too_large=too_large))
    except Refusal as refusal:
        return refusal.refused


def _bounded(pieces: Iterable[bytes], most: int, *, too_large: str = "") -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > most:
            detail = f"this is more than {most:,} bytes, the most that is read of it"
            raise Refusal(RefusalKind.TOO_LARGE, too_large or detail)
        yield piece


def _as_sent(stream: IO[bytes], expected: int | None) -> Iterator[bytes]:
    received = 0
    while piece := stream.read(_PIECE):
        received += len(piece)
        yield piece
    # If the connection breaks, the server returns the bytes so far as if they were all.
    if expected is not None and received < expected:
        detail = f"the upload broke off after {received:,} of {expected:,} bytes"
        raise Refusal(RefusalKind.UNREADABLE, detail)
