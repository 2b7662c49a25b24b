"""The body of a request as a stream: counted, bounded, and without its Content-Encoding."""

from collections.abc import Iterable, Iterator
from typing import IO

from flask import Request

from web.errors import Problem
from web.uploads.unpack import CODINGS

_PIECE = 1 << 17


def read_body(request: Request, *, most: int) -> Iterator[bytes]:
    """Yield the body piece by piece; raises Problem when it breaks off.

    No more than `most` bytes are read from the connection, and no more are unpacked.
    """
    expected = request.content_length
    if expected is not None and expected > most:
        raise Problem(413, f"the body has {expected:,} bytes; at most {most:,} are read")
    coding = request.headers.get("Content-Encoding", "").strip().lower()
    sent = _bounded(_as_sent(request.stream, expected), most)
    if coding in ("", "identity"):
        return sent
    if coding not in CODINGS:
        known = ", ".join(CODINGS)
        raise Problem(415, f"the Content-Encoding {coding[:50]!r} is not read; known are {known}")
    return _bounded(CODINGS[coding](sent), most)


def read_whole(pieces: Iterable[bytes], *, most: int) -> bytes:
    """Return a body that is needed as a whole; raises Problem beyond `most` bytes."""
    return b"".join(_bounded(pieces, most))


def _bounded(pieces: Iterable[bytes], most: int) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > most:
            raise Problem(413, f"this is more than {most:,} bytes, the most that is read of it")
        yield piece


def _as_sent(stream: IO[bytes], expected: int | None) -> Iterator[bytes]:
    received = 0
    while piece := stream.read(_PIECE):
        received += len(piece)
        yield piece
    # The server hands over what came before a connection broke as if that were all.
    if expected is not None and received < expected:
        raise Problem(400, f"the upload broke off after {received:,} of {expected:,} bytes")
