"""Puzzles of digits, one a line, in half a byte a cell: much faster than by Zstandard.

    text   5 3 . . 7 ⏎     cells  5 3 0 0 7
           . 6 . . . ⏎            0 6 0 0 0

Cells are packed two a byte, the first in its higher half, without a gap between one line and the
next. That is twice the room that Zstandard takes for puzzles in no order, and less than their
answers take. Lines may end in LF, in CR and LF, or some in either; that is not kept.
"""

import msgspec
import numpy as np
from numpy.typing import NDArray

from solver.board.text_lines import copy_rows
from solver.formats.format import Block, DigitBlock
from worker.store.digits import pack_halves, read_digits, unpack_halves


class PackedLines(msgspec.Struct, frozen=True, array_like=True):
    """n lines of so many characters, the first of which has the number `line`."""

    count: int
    width: int
    blank: int  # the code of what stands for a blank cell
    cells: bytes  # ⌈n × width ÷ 2⌉
    line: int


def pack_lines(block: Block) -> PackedLines | None:
    """Return a block packed; None where it has others than lines of digits and one kind of blank.

    Each of its lines is a record, and all are of one length.
    """
    if block.fault is not None:
        return None
    codes = _codes(block.data, block.records)
    if codes is None and b"\r\n" in block.data:  # as files have them that were put together
        codes = _codes(block.data.replace(b"\r\n", b"\n"), block.records)
    read = None if codes is None else read_digits(codes)
    if read is None:
        return None
    count, width = read.grid.shape
    return PackedLines(count, width, read.blank, pack_halves(read.grid.reshape(-1)), block.line)


def _codes(text: bytes, count: int) -> NDArray[np.uint8] | None:
    """Return so many lines as codes (count, width), if all are as long as the first and end so."""
    length = text.find(b"\n") + 1
    line_break = b"\r\n" if text[:length].endswith(b"\r\n") else b"\n"
    width = length - len(line_break)
    if width < 1 or len(text) + len(line_break) != count * length:
        return None
    lines = np.frombuffer(text + line_break, np.uint8).reshape(count, length)
    if (lines[:, width:] != np.frombuffer(line_break, np.uint8)).any():
        return None
    codes = np.empty((count, width), np.uint8)
    copy_rows(lines[:, :width], codes)
    return codes


def unpack_lines(packed: PackedLines) -> DigitBlock:
    """Return the block as numbers."""
    count, width = packed.count, packed.width
    cells = unpack_halves(packed.cells, count * width)
    return DigitBlock(cells.reshape(count, width), packed.blank, packed.line)
