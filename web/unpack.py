"""Unpacks an upload while it streams in: gzip and Zstandard, recognised by their first bytes."""

import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import IO, cast

import zstandard

from web.errors import Problem

_GZIP, _ZSTD, _ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"
_STEP = 1 << 16
_LARGEST_ZSTD_WINDOW = 1 << 27


def unpack(pieces: Iterable[bytes], *, most: int) -> Iterator[bytes]:
    """Yield the upload unpacked, if it is packed; raises Problem beyond `most` bytes.

    Nothing is unpacked more than a step at a time, so a bomb is found when it crosses the
    bound and not when memory is full.
    """
    iterator = iter(pieces)
    first = b""
    for piece in iterator:
        first += piece
        if len(first) >= 4:
            break
    pieces = chain((first,), iterator)
    if first.startswith(_GZIP):
        pieces = _gunzip(pieces)
    elif first.startswith(_ZSTD):
        pieces = _unzstd(pieces)
    elif first.startswith(_ZIP):
        raise Problem(400, "zip archives are not read yet; use gzip or zstd", 1, 1)
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > most:
            raise Problem(413, f"the upload has more than {most:,} bytes, the most that is read")
        if piece:
            yield piece


def _gunzip(pieces: Iterable[bytes]) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(wbits=31)
    try:
        for piece in pieces:
            rest = piece
            while rest:
                if unpacker.eof:  # several members may follow each other
                    unpacker = zlib.decompressobj(wbits=31)
                yield unpacker.decompress(rest, _STEP)
                rest = unpacker.unconsumed_tail or unpacker.unused_data
        while not unpacker.eof:
            more = unpacker.decompress(b"", _STEP)
            if not more:
                raise Problem(400, "the gzip data end too early")
            yield more
    except zlib.error as error:
        raise Problem(400, f"the gzip data are damaged: {error}") from None


def _unzstd(pieces: Iterable[bytes]) -> Iterator[bytes]:
    unpacker = zstandard.ZstdDecompressor(max_window_size=_LARGEST_ZSTD_WINDOW)
    source = cast("IO[bytes]", _Source(pieces))
    try:
        with unpacker.stream_reader(source, read_across_frames=True) as reader:
            while piece := reader.read(_STEP):
                yield piece
    except zstandard.ZstdError as error:
        raise Problem(400, f"the zstd data are damaged: {error}") from None


class _Source:
    """Pieces as something to read from."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)
        self._rest = b""

    def read(self, size: int = -1) -> bytes:
        if not self._rest:
            self._rest = next(self._pieces, b"")
        piece, self._rest = self._rest[:size], self._rest[size:]
        return piece
