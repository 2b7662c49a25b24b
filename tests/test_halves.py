"""What is kept in half a byte is read back as it was."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.formats.format import Block
from worker.store.blobs import pack, unpack_block
from worker.store.halves import halve_text, halved, whole, whole_text


@given(st.lists(st.integers(0, 15)))
def test_numbers_are_read_back(numbers: list[int]) -> None:
    halves = halved(np.array(numbers, np.uint8))
    assert len(halves) == (len(numbers) + 1) // 2
    assert whole(halves)[: len(numbers)].tolist() == numbers


@given(st.text("0123456789.\r\n"))
def test_digits_dots_and_line_breaks_are_read_back(text: str) -> None:
    halves = halve_text(text.encode())
    assert halves is not None
    assert whole_text(halves, length=len(text)) == text.encode()


@pytest.mark.parametrize("code", sorted(set(range(256)) - set(b"0123456789.\n\v\f\r\x0f")))
def test_text_with_any_other_character_is_left_to_others(code: int) -> None:
    assert halve_text(b"53..7\n" + bytes([code])) is None


@given(st.text("0123456789.\r\n#x"), st.integers(1, 9), st.integers(1, 99))
def test_blocks_are_read_back(text: str, records: int, line: int) -> None:
    block = Block(text.encode(), records, line)
    assert unpack_block(pack(block)) == block
    broken = Block(text.encode(), 1, line, fault="too long")
    assert unpack_block(pack(broken)) == broken
