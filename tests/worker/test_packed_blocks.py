"""Blocks are stored with the places of their records, unless these are faster to find again."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from solver.formats import cut_block, read_block
from solver.formats.format import Block, DigitBlock, ReadOptions, Records, Segments
from worker.ingest.stream import Stream, open_stream
from worker.job import JobOptions
from worker.settings import Settings
from worker.store.narrow_ints import AscendingInts
from worker.store.serialization import pack, unpack_block

UPLOADS = sorted((Path(__file__).parents[1] / "data" / "uploads").iterdir())
GRID = "1 2 3 4\n3 4 1 .\n2 1 4 3\n4 3 2 1\n"


def split(data: bytes) -> tuple[Stream, list[Block]]:
    stream = open_stream((data,), options=JobOptions(), settings=Settings())
    assert isinstance(stream, Stream)
    return stream, list(stream.blocks())


def values(segments: Segments) -> list[list[int]]:
    return [each.tolist() for each in (segments.starts, segments.ends, segments.lines)]


@pytest.mark.parametrize("path", UPLOADS, ids=[path.name for path in UPLOADS])
def test_the_splitter_finds_the_same_records_as_the_format_does_in_a_block(path: Path) -> None:
    stream, blocks = split(path.read_bytes() * 3)
    recognized = stream.recognized
    for block in blocks:
        again = recognized.format.segment(
            block.data, line=block.line, final=True, context=recognized.context
        )
        assert block.segments is not None
        assert values(block.segments) == values(again)


@pytest.mark.parametrize("path", UPLOADS, ids=[path.name for path in UPLOADS])
def test_parts_of_a_block_have_the_records_at_their_places(path: Path) -> None:
    stream, blocks = split(path.read_bytes() * 3)
    form: dict[str, Any] = {
        "format": stream.recognized.format.name, "context": stream.recognized.context,
    }  # fmt: skip
    block = blocks[0]
    whole = read_block(block, **form, options=ReadOptions())
    size = max(block.records // 3, 1)
    spans = [(first, min(first + size, block.records)) for first in range(0, block.records, size)]
    for (first, stop), part in zip(spans, cut_block(block, spans, **form), strict=True):
        stored = unpack_block(pack(part))
        assert isinstance(stored, Block | DigitBlock)
        read = read_block(stored, **form, options=ReadOptions())
        expected = whole.at(np.arange(first, stop))
        assert part.records == len(read) == stop - first
        for one, other in ((read.lines, expected.lines), *grids(read, expected)):
            assert np.array_equal(one, other)
        for name in ("invalid", "notes", "names", "own", "own_names"):
            assert getattr(read, name) == getattr(expected, name)


def grids(one: Records, other: Records) -> list[tuple[Any, Any]]:
    return [
        (getattr(group, name), getattr(same, name))
        for group, same in zip(one.groups, other.groups, strict=True)
        for name in ("rows", "givens", "candidates", "expected")
        if getattr(group, name) is not None
    ]


@given(st.sets(st.integers(0, 10**12), min_size=1))
def test_ascending_numbers_are_stored_as_they_are(numbers: set[int]) -> None:
    array = np.array(sorted(numbers))
    assert np.array_equal(AscendingInts.of(array).unpack(), array)


def test_stored_grids_are_read_without_finding_their_records_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream, blocks = split(("# comment\n\n" + f"{GRID}\n\n" * 50).encode())
    stored = [unpack_block(pack(block)) for block in blocks]
    monkeypatch.setattr(stream.recognized.format, "segment", None)
    for block, expected in zip(stored, blocks, strict=True):
        assert isinstance(block, Block)
        assert expected.segments is not None
        assert block.segments is not None
        assert values(block.segments) == values(expected.segments)
        records = read_block(
            block,
            format=stream.recognized.format.name,
            context=stream.recognized.context,
            options=ReadOptions(),
        )
        assert len(records) == block.records
        assert not records.invalid


def test_the_places_of_lines_are_not_stored() -> None:
    _, blocks = split(b"id,puzzle\n" + b"a,12.4...2....4..1\n" * 20)
    for block in blocks:
        stored = unpack_block(pack(block))
        assert isinstance(stored, Block)
        assert stored.segments is None


def test_older_versions_read_blocks_with_places_and_the_other_way_round() -> None:
    class OldBlock(msgspec.Struct):
        data: bytes
        records: int
        line: int
        fault: str | None = None
        charset: str | None = None

    _, (block,) = split(f"{GRID}\n\n".encode() * 5)
    blob = zstandard.ZstdDecompressor().decompress(pack(block))
    old = msgspec.msgpack.decode(blob, type=OldBlock)
    assert (old.data, old.records, old.line) == (block.data, block.records, block.line)
    stored = zstandard.compress(msgspec.msgpack.encode(OldBlock(b"1\n", 1, 7)))
    assert unpack_block(stored) == Block(b"1\n", 1, 7)
