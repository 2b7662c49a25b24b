"""A request body that calls a function with each piece that is read."""

import io
from collections.abc import Callable
from typing import IO, cast

from flask import Request


def watch_body(request: Request, seen: Callable[[bytes], None]) -> None:
    """Make a request call `seen` with every piece of its body that is read from now on.

    At the end of the body, `seen` is called with b"".
    """
    request.stream = cast("IO[bytes]", _Watched(request.stream, seen))


class _Watched(io.RawIOBase):
    def __init__(self, stream: IO[bytes], seen: Callable[[bytes], None]) -> None:
        self._stream = stream
        self._seen = seen

    def read(self, size: int = -1) -> bytes:
        piece = self._stream.read(size)
        self._seen(piece)
        return piece
