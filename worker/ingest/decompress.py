"""Decompresses gzip, Zstandard, and zip in small steps while the data arrives.

A decompression bomb is detected when it exceeds a limit, before it fills the memory.
"""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

import zstandard
from stream_unzip import PasswordError, UnzipError, stream_unzip

from worker.folders import FolderRecorder
from worker.ingest.upload_budget import UploadBudget
from worker.rejection import Rejected, RejectionKind

_GZIP, _ZSTD, _ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"
_PIECE_BYTES = 1 << 17
# Bytes that a decompressor receives and returns in one call.
# After each step, Python copies the rest of the input, which may contain thousands of members.
_GZIP_INPUT_BYTES = 1 << 12
_GZIP_OUTPUT_BYTES = 1 << 16
_ZIP_STEP_BYTES = 1 << 16
# Four bytes can expand to 128 KiB. At most 8 MiB come out of a step of this size.
_ZSTD_INPUT_BYTES = 256
# The first file in archives that are documents: Excel and Word, LibreOffice.
OFFICE_FILES = frozenset({b"[Content_Types].xml", b"mimetype"})
# Files that macOS and Windows add to archives. They are skipped.
SYSTEM_FILES = re.compile(rb"(.*/)?(__MACOSX/.*|\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini)")
_MAX_SYSTEM_FILE_BYTES = 1 << 26
# RFC 8878 requires every decoder to support this window, and zstd doesn't exceed it without --long
# or --ultra. Each upload in progress can have one.
_MAX_ZSTD_WINDOW_BYTES = 1 << 23


def decompress(
    pieces: Iterable[bytes], *, max_bytes: int, budget: UploadBudget, recorder: FolderRecorder
) -> Iterator[bytes]:
    """Yield the bytes of an upload, decompressed if they are gzip, Zstandard, or zip data.

    The first bytes reveal the compression. Other data is passed on unchanged. The output comes in
    pieces of at least 128 KiB, except for the last one. `recorder` gets the paths of the files in a
    zip archive. Raises Rejected if the compressed data is damaged, if there are more than
    `max_bytes` bytes after decompression, or if that takes more CPU time than `budget` allows.
    """
    return join_short(budget.limit(_detect_and_decompress(pieces, recorder), max_bytes=max_bytes))


def _detect_and_decompress(pieces: Iterable[bytes], recorder: FolderRecorder) -> Iterator[bytes]:
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
        pieces = _decompress_zip(pieces, recorder)
    yield from pieces


def join_short(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Join pieces until they have at least 128 KiB, because processing a piece has a fixed cost.

    Only the last piece can be shorter. Longer pieces aren't split.
    """
    joined = bytearray()
    for piece in pieces:
        if len(piece) >= _PIECE_BYTES and not joined:
            yield piece
            continue
        joined += piece
        if len(joined) >= _PIECE_BYTES:
            yield bytes(joined)
            joined.clear()
    if joined:
        yield bytes(joined)


def _decompress_gzip(pieces: Iterable[bytes]) -> Iterator[bytes]:
    decompressor = zlib.decompressobj(wbits=31)
    try:
        for piece in _split(pieces, _GZIP_INPUT_BYTES):
            rest = piece
            while rest:
                if decompressor.eof:  # there can be several members, with zeros as padding
                    rest = rest.lstrip(b"\0")
                    if not rest:
                        break
                    decompressor = zlib.decompressobj(wbits=31)
                yield decompressor.decompress(rest, _GZIP_OUTPUT_BYTES)
                rest = decompressor.unconsumed_tail or decompressor.unused_data
        while not decompressor.eof:
            more = decompressor.decompress(b"", _GZIP_OUTPUT_BYTES)
            if not more:
                raise Rejected(
                    RejectionKind.UNREADABLE, "the gzip data is incomplete; send the whole file"
                )
            yield more
    except zlib.error as error:
        raise Rejected(
            RejectionKind.UNREADABLE, f"the gzip data is damaged: {str(error).rpartition(': ')[2]}"
        ) from None


def _decompress_zstd(pieces: Iterable[bytes]) -> Iterator[bytes]:
    context = zstandard.ZstdDecompressor(max_window_size=_MAX_ZSTD_WINDOW_BYTES)
    decompressor = context.decompressobj()
    try:
        for piece in _split(pieces, _ZSTD_INPUT_BYTES):
            rest = piece
            while rest:
                if decompressor.eof:  # there can be several frames
                    decompressor = context.decompressobj()
                yield decompressor.decompress(rest)
                rest = decompressor.unused_data if decompressor.eof else b""
    except zstandard.ZstdError as error:
        raise Rejected(RejectionKind.UNREADABLE, f"the zstd data is damaged: {error}") from None
    if not decompressor.eof:
        raise Rejected(RejectionKind.UNREADABLE, "the zstd data is incomplete; send the whole file")


def _decompress_zip(pieces: Iterable[bytes], recorder: FolderRecorder) -> Iterator[bytes]:
    """Yield the contents of an archive's files in sequence, with a line break after each.

    `recorder` gets the path and the first line of each file.

    Files that operating systems add, such as .DS_Store, are skipped. Raises Rejected if the archive
    is damaged, encrypted, or an office document, or if the skipped files are larger than 64 MiB.
    """
    skipped, line = 0, 1
    steps = _split(pieces, _ZIP_STEP_BYTES)
    try:
        for name, _, file in stream_unzip(steps, chunk_size=_ZIP_STEP_BYTES):
            if name in OFFICE_FILES:
                detail = "this is an office document; save it as CSV or text, one sheet at a time"
                raise Rejected(RejectionKind.UNREADABLE, detail)
            if SYSTEM_FILES.fullmatch(name):
                for piece in file:
                    skipped += len(piece)
                    if skipped > _MAX_SYSTEM_FILE_BYTES:
                        detail = (
                            f"the archive has more than {_MAX_SYSTEM_FILE_BYTES:,} bytes of system "
                            "files such as .DS_Store; remove them"
                        )
                        raise Rejected(RejectionKind.TOO_LARGE, detail)
                continue
            if not name.endswith(b"/"):  # entries of folders
                recorder.begin(name, line=line)
            for piece in file:
                line += piece.count(b"\n")
                yield piece
            line += 1
            yield b"\n"
    except PasswordError:
        raise Rejected(
            RejectionKind.UNREADABLE, "the zip archive is encrypted; send it without a password"
        ) from None
    except UnzipError as error:
        reason = _words(type(error).__name__)
        detail = f"the zip archive is damaged or not supported ({reason})"
        raise Rejected(RejectionKind.UNREADABLE, detail) from None


def _words(name: str) -> str:
    """Return the name of an exception class as words, such as "bad crc 32" for BadCRC32Error."""
    found = re.findall("[A-Z]+(?![a-z])|[A-Z][a-z]+|[0-9]+", name.removesuffix("Error"))
    return " ".join(found).lower()


def _split(pieces: Iterable[bytes], size: int) -> Iterator[bytes]:
    """Cut each piece into parts of at most `size` bytes. Pieces are never joined.

    Decompressors get one part per call, so this limits how much data a call can return.
    """
    for piece in pieces:
        for start in range(0, len(piece), size):
            yield piece[start : start + size]


# Decompressors by HTTP content coding.
CODINGS: dict[str, Callable[[Iterable[bytes]], Iterator[bytes]]] = {
    "gzip": _decompress_gzip,
    "x-gzip": _decompress_gzip,
    "zstd": _decompress_zstd,
}
