"""Decompresses gzip, Zstandard, and zip in small steps while the data arrives.

A decompression bomb is detected when it exceeds a limit, before it fills the memory.
"""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

import zstandard
from stream_unzip import PasswordError, UnzipError, stream_unzip

from worker.ingest.cpu_budget import CpuBudget
from worker.rejection import Rejected, RejectionKind

_GZIP, _ZSTD, _ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"
_PIECE = 1 << 17
_GZIP_STEP = 1 << 16
_ZIP_STEP = 1 << 16
# Four bytes can expand to 128 KiB. At most 8 MiB come out of a step of this size.
_ZSTD_STEP = 256
# The first file in archives that are documents: Excel and Word, LibreOffice.
_OF_OFFICE = frozenset({b"[Content_Types].xml", b"mimetype"})
# Files that macOS and Windows add to archives.
_BESIDE = re.compile(rb"(.*/)?(__MACOSX/.*|\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini)")
_MOST_BESIDE = 1 << 26
# RFC 8878 requires every decoder to support this window, and zstd doesn't exceed it without --long
# or --ultra. Each upload in progress can have one.
_LARGEST_ZSTD_WINDOW = 1 << 23


def decompress(
    pieces: Iterable[bytes], *, most: int, cpu_budget: CpuBudget | None
) -> Iterator[bytes]:
    """Yield an upload in pieces of 128 KiB or more, decompressed if it is compressed.

    Raises Rejected if the data is damaged, is longer than `most` bytes, or exceeds the CPU budget.
    """
    decompressed = gathered(_bounded(_decompressed(pieces), most=most))
    return decompressed if cpu_budget is None else cpu_budget.bounded(decompressed)


def _decompressed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    iterator = iter(pieces)
    first = b""
    for piece in iterator:
        first += piece
        if len(first) >= 4:
            break
    pieces = chain((first,), iterator)
    if first.startswith(_GZIP):
        pieces = _decompress_gzip(pieces)
    elif first.startswith(_ZSTD):
        pieces = _decompress_zstd(pieces)
    elif first.startswith(_ZIP):
        pieces = _decompress_zip(pieces)
    yield from pieces


def _bounded(pieces: Iterable[bytes], *, most: int) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > most:
            detail = f"the upload has more than {most:,} bytes, the most that is read"
            raise Rejected(RejectionKind.TOO_LARGE, detail)
        yield piece


def gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Join short pieces to pieces of 128 KiB or more, because processing has a cost per piece."""
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


def _decompress_gzip(pieces: Iterable[bytes]) -> Iterator[bytes]:
    decompressor = zlib.decompressobj(wbits=31)
    try:
        for piece in pieces:
            rest = piece
            while rest:
                if decompressor.eof:  # there can be several members, with zeros as padding
                    rest = rest.lstrip(b"\0")
                    if not rest:
                        break
                    decompressor = zlib.decompressobj(wbits=31)
                yield decompressor.decompress(rest, _GZIP_STEP)
                rest = decompressor.unconsumed_tail or decompressor.unused_data
        while not decompressor.eof:
            more = decompressor.decompress(b"", _GZIP_STEP)
            if not more:
                raise Rejected(RejectionKind.UNREADABLE, "the gzip data end too early")
            yield more
    except zlib.error as error:
        raise Rejected(RejectionKind.UNREADABLE, f"the gzip data are damaged: {error}") from None


def _decompress_zstd(pieces: Iterable[bytes]) -> Iterator[bytes]:
    context = zstandard.ZstdDecompressor(max_window_size=_LARGEST_ZSTD_WINDOW)
    decompressor = context.decompressobj()
    try:
        for piece in pieces:
            for start in range(0, len(piece), _ZSTD_STEP):
                rest = piece[start : start + _ZSTD_STEP]
                while rest:
                    if decompressor.eof:  # there can be several frames
                        decompressor = context.decompressobj()
                    yield decompressor.decompress(rest)
                    rest = decompressor.unused_data if decompressor.eof else b""
    except zstandard.ZstdError as error:
        raise Rejected(RejectionKind.UNREADABLE, f"the zstd data are damaged: {error}") from None
    if not decompressor.eof:
        raise Rejected(RejectionKind.UNREADABLE, "the zstd data end too early")


def _decompress_zip(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the files of an archive one after another, with a line break after each."""
    beside = 0
    try:
        for name, _, file in stream_unzip(_shortened(pieces), chunk_size=_ZIP_STEP):
            if name in _OF_OFFICE:
                detail = "this is an office document; save it as CSV or text, one sheet at a time"
                raise Rejected(RejectionKind.UNREADABLE, detail)
            if _BESIDE.fullmatch(name):
                for piece in file:
                    beside += len(piece)
                    if beside > _MOST_BESIDE:
                        detail = f"more than {_MOST_BESIDE:,} bytes of the archive are no puzzles"
                        raise Rejected(RejectionKind.TOO_LARGE, detail)
                continue
            yield from file
            yield b"\n"
    except PasswordError:
        raise Rejected(RejectionKind.UNREADABLE, "the zip archive is encrypted") from None
    except UnzipError as error:
        reason = type(error).__name__
        detail = f"the zip archive is damaged or not supported: {reason}"
        raise Rejected(RejectionKind.UNREADABLE, detail) from None


def _shortened(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Split pieces into small ones, so that a bomb can't expand within a single piece."""
    for piece in pieces:
        for start in range(0, len(piece), _ZIP_STEP):
            yield piece[start : start + _ZIP_STEP]


CODINGS: dict[str, Callable[[Iterable[bytes]], Iterator[bytes]]] = {
    "gzip": _decompress_gzip,
    "x-gzip": _decompress_gzip,
    "zstd": _decompress_zstd,
}
