"""Send downloads: the complete content, or a byte range of content that never changes."""

import errno
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from itertools import chain
from typing import cast

from flask import Response, request, stream_with_context
from redis.exceptions import RedisError
from werkzeug.datastructures import ContentRange, Range
from werkzeug.exceptions import RequestedRangeNotSatisfiable

from web.http.connection import reset_if_interrupted
from web.http.errors import Problem
from web.results.writers import Incomplete
from web.results.xlsx import TooManyRows

logger = logging.getLogger(__name__)

# Responses to HTTP/1.0 up to this many bytes are buffered, to send their Content-Length.
_MAX_BUFFERED = 1 << 20
_MADE_FIRST = 1 << 18  # bytes; Zstandard buffers at most half of them
# The last 0 bytes: a range that is never satisfiable, but that Werkzeug treats as malformed.
_NO_BYTES = re.compile(r"\s*bytes\s*=\s*-0+\s*", re.IGNORECASE)


def download(write: Callable[[], Iterator[bytes]], *, tag: str | None) -> Response:
    """Return a response whose body is the output of `write`.

    `tag` is the response's ETag. It must be None unless every call of `write` returns the same
    bytes. With a tag, clients may request a byte range, which counts uncompressed bytes. The length
    is known only after everything has been written, so a range takes twice the time of a whole
    download.

    Raises RequestedRangeNotSatisfiable for a range beyond the end. Raises Problem if the job is
    deleted before the first bytes are sent. If it is deleted later, the connection is aborted.
    """
    try:
        if request.environ["SERVER_PROTOCOL"] == "HTTP/1.0":
            response = _for_http_1_0(write())
        elif tag is not None and _asks_for_range(tag):
            response = _range_of(write)
        else:
            response = Response(_streamed(produce_ahead(begin_now(write()))))
    except Incomplete as error:
        raise Problem(404, str(error), kind="job-not-found") from None
    response.headers["Accept-Ranges"] = "none" if tag is None else "bytes"
    if tag is not None:
        response.set_etag(tag)
    return response


def begin_now(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Produce the first 256 KiB now, and return an iterator over all pieces.

    If an error occurs in them, it is raised here, before the response begins, so it can become an
    error response. Later errors can only interrupt the download. If all pieces together are
    shorter, all of them are produced now. This size is large enough that a compressor has output to
    send.
    """
    first, size = [], 0
    for piece in pieces:
        first.append(piece)
        size += len(piece)
        if size >= _MADE_FIRST:
            break
    return chain(first, pieces)


def _streamed(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Pass on pieces. On an expected error, abort the connection in a way that the server supports.

    Expected errors are `Incomplete`, `TooManyRows`, and Redis errors. The client sees that the
    response is incomplete. The log gets a line without a traceback, because the error isn't a bug.
    """

    def until_it_breaks() -> Iterator[bytes]:
        try:
            yield from pieces
        except (Incomplete, TooManyRows, RedisError) as error:
            logger.warning("download aborted: %s", error)
            raise ConnectionResetError(errno.ECONNRESET, str(error)) from None

    return stream_with_context(until_it_breaks())


def produce_ahead(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Pass on pieces. While a piece is being sent, another thread produces the next one."""
    context = copy_context()  # with Flask's current request

    def make() -> bytes | None:
        return context.run(lambda: next(pieces, None))

    with ThreadPoolExecutor(max_workers=1) as maker:
        piece = make()
        while piece is not None:
            following = maker.submit(make)
            yield piece
            piece = following.result()


def _asks_for_range(tag: str) -> bool:
    """Return whether a GET request is for a single byte range of the content with this ETag.

    Multiple and malformed ranges are ignored. A weak ETag, as a compressed download has, doesn't
    identify bytes. An empty range counts, because it must be rejected.
    """
    asked = request.range
    is_one = asked is not None and asked.units == "bytes" and len(asked.ranges) == 1
    if request.method != "GET" or not (is_one or _asks_for_no_bytes()):
        return False
    return request.headers.get("If-Range") in (None, f'"{tag}"')


def _asks_for_no_bytes() -> bool:
    return bool(_NO_BYTES.fullmatch(request.headers.get("Range", "")))


def _range_of(write: Callable[[], Iterator[bytes]]) -> Response:
    length = sum(map(len, write()))
    if _asks_for_no_bytes():
        raise RequestedRangeNotSatisfiable(length)
    ((start, stop),) = cast("Range", request.range).ranges
    if start < 0:  # the last −start bytes
        start = max(length + start, 0)
    stop = length if stop is None else min(stop, length)
    if start >= stop:
        raise RequestedRangeNotSatisfiable(length)
    response = Response(_streamed(begin_now(_cut(write(), start, stop))), 206)
    response.content_range = ContentRange("bytes", start, stop, length)
    response.content_length = stop - start
    return response


def _cut(written: Iterable[bytes], start: int, stop: int) -> Iterator[bytes]:
    """Yield the bytes from the offset `start` up to, but excluding, the offset `stop`.

    The offsets count from the beginning of all that is `written`, which is read no further than
    needed.
    """
    passed = 0
    for piece in written:
        part = piece[max(start - passed, 0) : stop - passed]
        if part:
            yield part
        passed += len(piece)
        if passed >= stop:
            return


def _for_http_1_0(pieces: Iterator[bytes]) -> Response:
    """Return a response to an HTTP/1.0 request, with its length if it has at most 1 MiB.

    HTTP/1.0 has no chunks, so a longer response ends when the connection is closed. If it is
    interrupted, the connection is reset, so that a proxy or client can tell it from a complete one.
    """
    first, size = [], 0
    for piece in pieces:
        first.append(piece)
        size += len(piece)
        if size > _MAX_BUFFERED:
            return Response(_streamed(_or_reset(produce_ahead(chain(first, pieces)))))
    return Response(b"".join(first))


def _or_reset(pieces: Iterator[bytes]) -> Iterator[bytes]:
    with reset_if_interrupted():
        yield from pieces
