"""The compact encoding of lines is lossless and declines lines that it can't represent."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.formats import read_block
from solver.formats.format import Block, DigitBlock, ReadOptions, Records
from worker.store.packed_lines import pack_lines
from worker.store.serialization import pack, unpack_block

BLANKS = ".0-*_xX? "


@st.composite
def blocks(draw: st.DrawFn, *, width: int | None = None) -> Block:
    """Draw two or more lines of digits with one symbol for empty cells and any line breaks."""
    width, blank = width or draw(st.integers(1, 20)), draw(st.sampled_from(BLANKS))
    line = st.text(draw(st.sampled_from([blank, ""])) + "123456789", min_size=width, max_size=width)
    lines = draw(st.lists(line, min_size=2, max_size=6))
    ends = draw(st.lists(st.sampled_from(["\n", "\r\n"]), min_size=5, max_size=5))
    text = "".join(map("".join, zip(lines, ends, strict=False))) + "".join(lines[len(ends) :])
    return Block(text.rstrip("\r\n").encode(), len(lines), draw(st.integers(1, 10**9)))


@settings(deadline=None)
@given(blocks())
def test_lines_of_digits_survive_storage_unchanged(block: Block) -> None:
    packed = pack_lines(block)
    assert packed is not None
    assert len(packed.cells) == (packed.count * packed.width + 1) // 2
    unpacked = unpack_block(pack(block))
    assert isinstance(unpacked, DigitBlock)
    text = unpacked.as_text()
    assert text.data == block.data.replace(b"\r\n", b"\n")
    assert (text.records, text.line) == (unpacked.records, unpacked.line)
    assert (text.records, text.line) == (block.records, block.line)


@settings(deadline=None)
@given(
    blocks(width=81),
    st.sampled_from(
        [
            ReadOptions(),
            ReadOptions(box=(3, 3)),
            ReadOptions(box=(9, 1)),
            ReadOptions(blank="x"),
            ReadOptions(variant=("x",)),
        ]
    ),
)
def test_stored_numbers_parse_like_their_text(block: Block, options: ReadOptions) -> None:
    def read(block: Block | DigitBlock) -> Records:
        return read_block(block, format="line", context={}, options=options)

    stored = unpack_block(pack(block))
    assert isinstance(stored, Block | DigitBlock)
    numbers, text = read(stored), read(block)
    assert numbers.lines.tolist() == text.lines.tolist()
    assert (numbers.notes, numbers.names) == (text.notes, text.names)
    assert numbers.invalid == text.invalid
    for one, other in zip(numbers.groups, text.groups, strict=True):
        assert (one.layout, one.symbols) == (other.layout, other.symbols)
        assert np.array_equal(one.rows, other.rows)
        assert np.array_equal(one.givens, other.givens)


@pytest.mark.parametrize(
    "text",
    ["1.3", "1.3\n", "1.3\n1.", "1.3\n..33", "1.3\n1-3", "1.A\n1.3", "1é3\n1é3", "\n\n", ""],
)
def test_other_text_is_stored_in_the_general_form(text: str) -> None:
    block = Block(text.encode(), 2, 7)
    assert pack_lines(block) is None
    assert unpack_block(pack(block)) == block


def test_a_record_of_several_lines_is_stored_in_the_general_form() -> None:
    block = Block(b"1.3\n1.3", 1, 4)
    assert unpack_block(pack(block)) == block


def test_a_block_with_a_fault_keeps_it() -> None:
    block = Block(b"1.3\n1.3", 2, 4, fault="the record is longer than it may be")
    assert unpack_block(pack(block)) == block
