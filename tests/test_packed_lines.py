"""Packed lines are read back as they were; what cannot be packed so is left to others."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.formats.format import Block
from worker.store.blobs import pack, unpack_block
from worker.store.packed_lines import pack_lines, unpack_lines


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Return two lines or more of digits and one kind of blank."""
    width, blank = draw(st.integers(1, 20)), draw(st.sampled_from(".0-*_xX? "))
    line = st.text(blank + "123456789", min_size=width, max_size=width)
    return draw(st.sampled_from(["\n", "\r\n"])).join(draw(st.lists(line, min_size=2, max_size=6)))


@settings(deadline=None)
@given(texts())
def test_lines_of_digits_are_read_back_as_they_were(text: str) -> None:
    packed = pack_lines(text.encode())
    assert packed is not None
    assert len(packed.cells) == (packed.count * packed.width + 1) // 2
    assert unpack_lines(packed) == text.encode()


@pytest.mark.parametrize(
    "text",
    [
        "1.3",
        "1.3\n",
        "1.3\n1.",
        "1.3\n..33",
        "1.3\n1-3",
        "1.3\r\n1.3\n1.3",
        "1.3\n1.3\r\n1.3",
        "1.A\n1.3",
        "1é3\n1é3",
        "\n\n",
        "",
    ],
)
def test_text_that_is_not_so_simple_is_packed_otherwise(text: str) -> None:
    assert pack_lines(text.encode()) is None
    block = Block(text.encode(), 2, 7)
    assert unpack_block(pack(block)) == block


@settings(deadline=None)
@given(texts(), st.integers(1, 10**9))
def test_a_block_is_read_back_as_it_was(text: str, line: int) -> None:
    for records in (text.count("\n") + 1, 1):
        block = Block(text.encode(), records, line)
        assert unpack_block(pack(block)) == block


def test_a_block_with_a_fault_keeps_it() -> None:
    block = Block(b"1.3\n1.3", 1, 4, fault="the record is longer than it may be")
    assert unpack_block(pack(block)) == block
