"""Compress responses with zstd or gzip, if the client accepts it."""

import zlib
from collections.abc import Iterable, Iterator
from typing import Protocol

import zstandard
from flask import Flask, Response, request

_PACKED = ("text/", "application/json", "application/x-ndjson", "application/problem+json",
           "image/svg+xml", "application/javascript")  # fmt: skip
_NOT_PACKED = (204, 206, 304)  # no body, or a byte range of uncompressed content
_LEAST_BYTES = 500
# The fastest level: downloads may have gigabytes, and compression must not slow them down.
_LEVEL = 1
# The levels of small files that each visitor loads first, which become 8% smaller
_LEVELS = {"text/css": 6, "text/javascript": 6}
_GZIP = 31  # zlib's `wbits` for gzip


class _Compressor(Protocol):
    """A compressor whose output is taken piece by piece, such as those of zlib and zstandard."""

    def compress(self, data: bytes, /) -> bytes: ...

    def flush(self) -> bytes: ...


def compress_responses(app: Flask) -> None:
    """Make the app compress its responses if the client accepts zstd or gzip.

    Short responses, event streams, and media types that are compressed already stay unchanged. The
    ETag of a compressed response becomes weak.
    """
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    if not (response.mimetype or "").startswith(_PACKED) or response.status_code in _NOT_PACKED:
        return response
    if response.mimetype == "text/event-stream" or "Content-Encoding" in response.headers:
        return response
    response.vary.add("Accept-Encoding")
    coding = request.accept_encodings.best_match(("zstd", "gzip", "identity"))
    is_short = (response.content_length or _LEAST_BYTES) < _LEAST_BYTES
    if coding in (None, "identity") or request.method == "HEAD" or is_short:
        return response
    # HTTP/1.0 has no chunks, so it needs the length.
    if request.environ.get("SERVER_PROTOCOL") == "HTTP/1.0":
        return response
    level = _LEVELS.get(response.mimetype or "", _LEVEL)
    compressor: _Compressor = (
        zstandard.ZstdCompressor(level).compressobj()
        if coding == "zstd"
        else zlib.compressobj(level, wbits=_GZIP)
    )
    response.direct_passthrough = False
    if response.is_streamed:
        pieces = response.iter_encoded()
        close = getattr(response.response, "close", None)
        # Closing a generator that hasn't started doesn't close the one inside it.
        if close is not None:
            response.call_on_close(close)
        response.response = _compressed(pieces, compressor)
        response.headers.pop("Content-Length", None)
    else:
        response.set_data(b"".join(_compressed([response.get_data()], compressor)))
    response.headers["Content-Encoding"] = coding
    etag, _ = response.get_etag()
    if etag is not None:  # equivalent, but not byte for byte
        response.set_etag(etag, weak=True)
    return response


def _compressed(pieces: Iterable[bytes], compressor: _Compressor) -> Iterator[bytes]:
    for piece in pieces:
        packed = compressor.compress(piece)
        if packed:
            yield packed
    yield compressor.flush()
