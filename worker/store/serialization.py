"""Pack chunks, results, and checkpoints for storage, and unpack them.

They are stored as MessagePack, compressed with Zstandard at its fastest level. Puzzles and
solutions that consist of digits are packed separately, without Zstandard. A 9×9 record takes 41
bytes before and 55 bytes after it is solved, instead of 82 and 190.
"""

import msgspec
import numpy as np
import zstandard
from msgspec.structs import replace
from numpy.typing import NDArray

from solver.board.checkpoint import Checkpoint
from solver.board.text_lines import Lines
from solver.formats.format import Block, DigitBlock
from worker.records.chunk_result import ChunkResult
from worker.records.generation_block import GenerationBlock
from worker.records.selected_block import SelectedBlock, StoredBlock, UnselectedBlock
from worker.store import packed_blocks
from worker.store.narrow_ints import AscendingInts, Kinds, narrow, widen
from worker.store.packed_grids import PackedGrids, pack_grids, unpack_grids
from worker.store.packed_lines import PackedLines, pack_digits, pack_lines, unpack_lines

_LEVEL = 1
_FRAME = b"\x28\xb5\x2f\xfd"  # magic number of Zstandard frames
# The beginnings of a `SelectedBlock` and a `GenerationBlock`. No other stored block begins with 0.
_SELECTED, _NUMBERS = b"\x00selected", b"\x00numbers"


class _Apart(msgspec.Struct, frozen=True, array_like=True):
    """A stored result whose puzzles and solutions are packed separately from its other columns.

    `rest` contains the other columns, compressed. `kinds` records the integer types of the columns
    that were narrowed. It is None in results of older versions, whose columns weren't narrowed.
    `source_numbers` contains that column if the records come from another job.
    """

    grids: PackedGrids
    rest: bytes
    kinds: Kinds | None = None  # None for results of older versions, whose columns are wide
    source_numbers: AscendingInts | None = None


class _PackedSelection(msgspec.Struct, frozen=True, array_like=True):
    """The stored form of a `SelectedBlock`, whose members have the same meaning."""

    block: bytes
    source: str
    numbers: AscendingInts
    places: AscendingInts | None
    lines: AscendingInts | None


# Errors raised when unpacking data that `pack` didn't create, or that an incompatible version did.
UNREADABLE = (msgspec.DecodeError, zstandard.ZstdError)
_block_decoder = msgspec.msgpack.Decoder(packed_blocks.PackedBlock)
_result_decoder = msgspec.msgpack.Decoder(ChunkResult, dec_hook=lambda _, text: Lines(text))
_lines_decoder = msgspec.msgpack.Decoder(PackedLines)
_apart_decoder = msgspec.msgpack.Decoder(_Apart)
_numbers_decoder = msgspec.msgpack.Decoder(tuple[int, int])
_selection_decoder = msgspec.msgpack.Decoder(_PackedSelection)
_encoder = msgspec.msgpack.Encoder(enc_hook=lambda lines: lines.text)
_NO_LINES = Lines("")


def pack(content: StoredBlock | ChunkResult) -> bytes:
    """Convert a block of records or the results of a chunk to compact bytes for storage.

    Digits take half a byte each, if all records have the same number of cells. Other text is
    compressed with Zstandard.
    """
    if isinstance(content, SelectedBlock):
        return _pack_selected(content)
    if isinstance(content, GenerationBlock):
        return _NUMBERS + _encoder.encode((content.first, content.records))
    if isinstance(content, DigitBlock):
        return _encoder.encode(pack_digits(content))
    if isinstance(content, Block):
        lines = pack_lines(content)
        if lines is not None:
            return _encoder.encode(lines)
        return _compress(packed_blocks.pack_block(content))
    if isinstance(content, ChunkResult):
        grids = pack_grids(content.puzzles, content.solutions, content.solved())
        if grids is not None:
            numbers = (
                ChunkResult.integers(content.source_numbers) if content.source_numbers else None
            )
            rest, kinds = narrow(
                replace(content, puzzles=_NO_LINES, solutions=_NO_LINES, source_numbers=b"")
            )
            return _encoder.encode(_Apart(grids, _compress(rest), kinds, _ascending(numbers)))
    return _compress(content)


def _pack_selected(selected: SelectedBlock) -> bytes:
    packed = _PackedSelection(
        pack(selected.block),
        selected.source,
        AscendingInts.of(selected.numbers),
        _ascending(selected.places),
        _ascending(selected.lines),
    )
    return _SELECTED + _encoder.encode(packed)


def _ascending(numbers: NDArray[np.int64] | None) -> AscendingInts | None:
    return None if numbers is None else AscendingInts.of(numbers)


def unpack_block(blob: bytes) -> StoredBlock:
    """Return the block that `pack` converted.

    A block of text is returned as a `DigitBlock` if `pack` stored it in the format of
    `packed_lines`. Raises one of `UNREADABLE` if `pack` didn't create the bytes.
    """
    if blob.startswith(_SELECTED):
        return _unpack_selected(blob)
    return _unpack_unselected(blob)


def _unpack_selected(blob: bytes) -> SelectedBlock:
    packed = _selection_decoder.decode(memoryview(blob)[len(_SELECTED) :])
    places, lines = (
        None if each is None else each.unpack() for each in (packed.places, packed.lines)
    )
    return SelectedBlock(
        _unpack_unselected(packed.block), packed.source, packed.numbers.unpack(), places, lines
    )


def _unpack_unselected(blob: bytes) -> UnselectedBlock:
    if blob.startswith(_NUMBERS):
        first, records = _numbers_decoder.decode(memoryview(blob)[len(_NUMBERS) :])
        return GenerationBlock(first, records)
    if not blob.startswith(_FRAME):
        return unpack_lines(_lines_decoder.decode(blob))
    packed = _block_decoder.decode(zstandard.ZstdDecompressor().decompress(blob))
    return packed_blocks.unpack_block(packed)


def unpack_result(blob: bytes) -> ChunkResult:
    """Return the results that `pack` converted.

    Raises one of `UNREADABLE` if `pack` didn't create the bytes.
    """
    if blob.startswith(_FRAME):
        return _result_decoder.decode(zstandard.ZstdDecompressor().decompress(blob))
    apart = _apart_decoder.decode(blob)
    rest = _result_decoder.decode(zstandard.ZstdDecompressor().decompress(apart.rest))
    rest = rest if apart.kinds is None else widen(rest, apart.kinds)
    puzzles, solutions = unpack_grids(apart.grids, rest.solved())
    numbers = b""
    if apart.source_numbers is not None:
        numbers = apart.source_numbers.unpack().astype("<i8").tobytes()
    return replace(rest, puzzles=puzzles, solutions=solutions, source_numbers=numbers)


def _compress(thing: packed_blocks.PackedBlock | ChunkResult) -> bytes:
    return zstandard.ZstdCompressor(level=_LEVEL).compress(_encoder.encode(thing))


def pack_checkpoint(checkpoint: Checkpoint) -> bytes:
    """Convert a checkpoint to compressed bytes."""
    return zstandard.ZstdCompressor(level=_LEVEL).compress(checkpoint.pack())


def unpack_checkpoint(blob: bytes) -> Checkpoint | None:
    """Return the checkpoint that `pack_checkpoint` compressed.

    Returns None if the decompressed bytes aren't a checkpoint. A checkpoint from another program
    version is returned, too; `Checkpoint.arrays_of` returns None for it. Raises zstandard.ZstdError
    if the bytes can't be decompressed.
    """
    return Checkpoint.unpack(zstandard.ZstdDecompressor().decompress(blob))
