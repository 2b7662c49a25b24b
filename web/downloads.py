"""Downloads as answers: whole, or a range of bytes of those that never change."""

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

from web.connections import reset_if_interrupted
from web.errors import Problem
from web.results import Incomplete
from web.xlsx import TooManyRows

logger = logging.getLogger(__name__)

# A response to HTTP/1.0 up to this many bytes is collected first, to send its Content-Length.
_MOST_BUFFERED = 1 << 20
_MADE_FIRST = 1 << 18  # bytes, of which Zstandard holds back no more than half
# The last 0 bytes: a range that no content has, and that Werkzeug takes for none at all.
_NO_BYTES = re.compile(r"\s*bytes\s*=\s*-0+\s*", re.IGNORECASE)


def download(write: Callable[[], Iterator[bytes]], *, tag: str | None) -> Response:
    """Return an answer with what `write` writes, which is the same each time if it has a `tag`.

    Then a range of its bytes may be asked for, counted before they are packed. How many there
    are is known only once they are written, so a range costs twice a whole download's time.
    Raises Problem where the job goes meanwhile, RequestedRangeNotSatisfiable for a range behind
    the end.
    """
    try:
        if request.environ["SERVER_PROTOCOL"] == "HTTP/1.0":
            response = _for_http_1_0(write())
        elif tag is not None and _asks_for_range(tag):
            response = _range_of(write)
        else:
            response = Response(_streamed(ahead(begun(write()))))
    except Incomplete as error:
        raise Problem(404, str(error), kind="job-not-found") from None
    response.headers["Accept-Ranges"] = "none" if tag is None else "bytes"
    if tag is not None:
        response.set_etag(tag)
    return response


def begun(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Return the pieces, of which the first are made now: what fails in these can be answered.

    There are so many that something is sent when they are packed.
    """
    first, size = [], 0
    for piece in pieces:
        first.append(piece)
        size += len(piece)
        if size >= _MADE_FIRST:
            break
    return chain(first, pieces)


def _streamed(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Pass pieces on; where they cannot go on, break the connection off, which the server expects.

    Its client sees that they are not whole, and the log has a line of it: nothing is a bug here.
    """

    def until_it_breaks() -> Iterator[bytes]:
        try:
            yield from pieces
        except (Incomplete, TooManyRows, RedisError) as error:
            logger.warning("a download broke off: %s", error)
            raise ConnectionResetError(errno.ECONNRESET, str(error)) from None

    return stream_with_context(until_it_breaks())


def ahead(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Pass pieces on, each made by another thread while the one before it is being sent."""
    context = copy_context()  # where Flask finds the request

    def make() -> bytes | None:
        return context.run(lambda: next(pieces, None))

    with ThreadPoolExecutor(max_workers=1) as maker:
        piece = make()
        while piece is not None:
            following = maker.submit(make)
            yield piece
            piece = following.result()


def _asks_for_range(tag: str) -> bool:
    """Return whether the request is for one range, and not of bytes that are others by now.

    Several ranges, and what is none, count as not asked for. A weak tag, as a packed download
    has, does not stand for bytes.
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
    if start < 0:  # so many at the end
        start = max(length + start, 0)
    stop = length if stop is None else min(stop, length)
    if start >= stop:
        raise RequestedRangeNotSatisfiable(length)
    response = Response(_streamed(begun(_cut(write(), start, stop))), 206)
    response.content_range = ContentRange("bytes", start, stop, length)
    response.content_length = stop - start
    return response


def _cut(written: Iterable[bytes], start: int, stop: int) -> Iterator[bytes]:
    """Yield the bytes from `start` up to `stop`."""
    passed = 0
    for piece in written:
        part = piece[max(start - passed, 0) : stop - passed]
        if part:
            yield part
        passed += len(piece)
        if passed >= stop:
            return


def _for_http_1_0(pieces: Iterator[bytes]) -> Response:
    """Return a response with a length if it is small; otherwise its end is the connection's.

    HTTP/1.0 has no chunks. An interrupted response resets its connection, so that a proxy or
    client can still tell it from a complete one.
    """
    first, size = [], 0
    for piece in pieces:
        first.append(piece)
        size += len(piece)
        if size > _MOST_BUFFERED:
            return Response(_streamed(_or_reset(ahead(chain(first, pieces)))))
    return Response(b"".join(first))


def _or_reset(pieces: Iterator[bytes]) -> Iterator[bytes]:
    with reset_if_interrupted():
        yield from pieces
