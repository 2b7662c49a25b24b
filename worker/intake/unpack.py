"""Unpacks gzip, Zstandard and zip while they stream in, a step at a time.

A bomb is found when it crosses a bound, and not when memory is full.
"""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

import zstandard
from stream_unzip import PasswordError, UnzipError, stream_unzip

from worker.intake.effort import Effort
from worker.refused import Refusal, RefusalKind

_GZIP, _ZSTD, _ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"
_PIECE = 1 << 17
_GZIP_STEP = 1 << 16
_ZIP_STEP = 1 << 16
# Four bytes may stand for 128 KiB, hence steps so small: at most 8 MiB come out of one.
_ZSTD_STEP = 256
# The first files of those archives that are documents: of Excel and Word, of LibreOffice.
_OF_OFFICE = frozenset({b"[Content_Types].xml", b"mimetype"})
# What macOS and Windows put into archives beside the files.
_BESIDE = re.compile(rb"(.*/)?(__MACOSX/.*|\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini)")
_MOST_BESIDE = 1 << 26
# What RFC 8878 asks of everybody, and what zstd writes unless it is told --long or --ultra.
# Each upload under way may have one.
_LARGEST_ZSTD_WINDOW = 1 << 23


def unpack(pieces: Iterable[bytes], *, most: int, effort: Effort | None) -> Iterator[bytes]:
    """Yield an upload in pieces of 128 KiB or more, decompressed if its first bytes ask for it.

    Raises Refusal for damaged data, beyond `most` bytes, and beyond the CPU budget if there is one.
    """
    unpacked = gathered(_bounded(_unpacked(pieces), most=most))
    return unpacked if effort is None else effort.bounded(unpacked)


def _unpacked(pieces: Iterable[bytes]) -> Iterator[bytes]:
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
        pieces = _unzip(pieces)
    yield from pieces


def _bounded(pieces: Iterable[bytes], *, most: int) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > most:
            detail = f"the upload has more than {most:,} bytes, the most that is read"
            raise Refusal(RefusalKind.TOO_LARGE, detail)
        yield piece


def gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Join short pieces to pieces of 128 KiB or more, because each piece costs its consumers."""
    together = bytearray()
    for piece in pieces:
        if len(piece) >= _PIECE and not together:
            yield piece
            continue
        together += piece
        if len(together) >= _PIECE:
            yield bytes(together)
            together.clear()
    if together:
        yield bytes(together)


def _gunzip(pieces: Iterable[bytes]) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(wbits=31)
    try:
        for piece in pieces:
            rest = piece
            while rest:
                if unpacker.eof:  # several members may follow each other, and zeros may fill up
                    rest = rest.lstrip(b"\0")
                    if not rest:
                        break
                    unpacker = zlib.decompressobj(wbits=31)
                yield unpacker.decompress(rest, _GZIP_STEP)
                rest = unpacker.unconsumed_tail or unpacker.unused_data
        while not unpacker.eof:
            more = unpacker.decompress(b"", _GZIP_STEP)
            if not more:
                raise Refusal(RefusalKind.UNREADABLE, "the gzip data end too early")
            yield more
    except zlib.error as error:
        raise Refusal(RefusalKind.UNREADABLE, f"the gzip data are damaged: {error}") from None


def _unzstd(pieces: Iterable[bytes]) -> Iterator[bytes]:
    decompressor = zstandard.ZstdDecompressor(max_window_size=_LARGEST_ZSTD_WINDOW)
    unpacker = decompressor.decompressobj()
    try:
        for piece in pieces:
            for start in range(0, len(piece), _ZSTD_STEP):
                rest = piece[start : start + _ZSTD_STEP]
                while rest:
                    if unpacker.eof:  # several frames may follow each other
                        unpacker = decompressor.decompressobj()
                    yield unpacker.decompress(rest)
                    rest = unpacker.unused_data if unpacker.eof else b""
    except zstandard.ZstdError as error:
        raise Refusal(RefusalKind.UNREADABLE, f"the zstd data are damaged: {error}") from None
    if not unpacker.eof:
        raise Refusal(RefusalKind.UNREADABLE, "the zstd data end too early")


def _unzip(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the files of an archive one after another, a line break between them."""
    beside = 0
    try:
        for name, _, file in stream_unzip(_shortened(pieces), chunk_size=_ZIP_STEP):
            if name in _OF_OFFICE:
                detail = "this is an office document; save it as CSV or text, one sheet at a time"
                raise Refusal(RefusalKind.UNREADABLE, detail)
            if _BESIDE.fullmatch(name):
                for piece in file:
                    beside += len(piece)
                    if beside > _MOST_BESIDE:
                        detail = f"more than {_MOST_BESIDE:,} bytes of the archive are no puzzles"
                        raise Refusal(RefusalKind.TOO_LARGE, detail)
                continue
            yield from file
            yield b"\n"
    except PasswordError:
        raise Refusal(RefusalKind.UNREADABLE, "the zip archive is encrypted") from None
    except UnzipError as error:
        reason = type(error).__name__
        detail = f"the zip archive is damaged or not supported: {reason}"
        raise Refusal(RefusalKind.UNREADABLE, detail) from None


def _shortened(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the pieces cut small, so that a bomb cannot go off within one."""
    for piece in pieces:
        for start in range(0, len(piece), _ZIP_STEP):
            yield piece[start : start + _ZIP_STEP]


CODINGS: dict[str, Callable[[Iterable[bytes]], Iterator[bytes]]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "zstd": _unzstd,
}
