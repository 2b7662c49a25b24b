"""Pack puzzles of digits, one per line, in half a byte per cell. Much faster than Zstandard.

    text   5 3 . . 7 ⏎     cells  5 3 0 0 7
           . 6 . . . ⏎            0 6 0 0 0

Cells are packed two per byte, the first in the higher half, without gaps between lines. This takes
twice the space that Zstandard needs for unordered puzzles, but less than their results take. Lines
can end in LF, in CR LF, or in a mixture. The line endings aren't stored.
"""

import msgspec
import numpy as np
from numpy.typing import NDArray

from solver.board.text_lines import copy_rows
from solver.formats.format import Block, DigitBlock
from worker.store.digits import pack_halves, read_digits, unpack_halves


class PackedLines(msgspec.Struct, frozen=True, array_like=True):
    """A packed block of `count` lines, which all have `width` characters.

    `blank` is the ASCII code of the character for empty cells. `cells` contains the digits of all
    lines, and is ⌈count × width ÷ 2⌉ bytes long. `line` is the number of the first line in the
    upload.
    """

    count: int
    width: int
    blank: int
    cells: bytes
    line: int


def pack_lines(block: Block) -> PackedLines | None:
    """Pack a block of digit puzzles, or return None if its text isn't suitable.

    The text is suitable if each line is a record, all lines have the same length, and at most one
    character other than 1 to 9 occurs, which stands for empty cells. All of this is checked here.
    Lines may end in LF, in CR LF, or in a mixture. A block with a fault isn't suitable.
    """
    if block.fault is not None:
        return None
    codes = _codes(block.data, block.records)
    # files that were concatenated have mixed line endings
    if codes is None and b"\r\n" in block.data:
        codes = _codes(block.data.replace(b"\r\n", b"\n"), block.records)
    read = None if codes is None else read_digits(codes)
    if read is None:
        return None
    count, width = read.grid.shape
    return PackedLines(count, width, read.blank, pack_halves(read.grid.reshape(-1)), block.line)


def _codes(text: bytes, count: int) -> NDArray[np.uint8] | None:
    """Return the lines of a text as a matrix of ASCII codes (count, width), without line endings.

    The last line has no line ending. Returns None if the text doesn't have exactly `count` lines,
    if the lines are empty or differ in length, or if their line endings differ.
    """
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


def pack_digits(block: DigitBlock) -> PackedLines:
    """Pack a block of digits, as `pack_lines` does with its text."""
    count, width = block.grid.shape
    cells = pack_halves(np.ascontiguousarray(block.grid).reshape(-1))
    return PackedLines(count, width, block.blank, cells, block.line)


def unpack_lines(packed: PackedLines) -> DigitBlock:
    """Return the block that `pack_lines` or `pack_digits` packed, as digits without the text."""
    count, width = packed.count, packed.width
    cells = unpack_halves(packed.cells, count * width)
    return DigitBlock(cells.reshape(count, width), packed.blank, packed.line)
