"""Puzzles of digits, one a line, in half a byte a cell: much faster than by Zstandard.

    text   5 3 . . 7 ⏎     cells  5 3 0 0 7
           . 6 . . . ⏎            0 6 0 0 0

Cells are packed two a byte, the first in its higher half, without a gap between one line and the
next. That is twice the room that Zstandard takes for puzzles in no order, and less than their
answers take.
"""

import msgspec
import numpy as np

from solver.board.text_lines import codes_of, copy_rows
from worker.store.digits import DIGITS, pack_halves, read_digits, unpack_halves


class PackedLines(msgspec.Struct, frozen=True, array_like=True):
    """n lines of so many characters."""

    count: int
    width: int
    line_break: bytes  # what is between two lines: LF, or CR and LF
    blank: int  # the code of what stands for a blank cell
    cells: bytes  # ⌈n × width ÷ 2⌉


def pack_lines(text: bytes) -> PackedLines | None:
    """Return lines packed; None where there are others than digits and one kind of blank."""
    length = text.find(b"\n") + 1
    line_break = b"\r\n" if text[:length].endswith(b"\r\n") else b"\n"
    width = length - len(line_break)
    if width < 1 or (len(text) + len(line_break)) % length:
        return None
    lines = np.frombuffer(text + line_break, np.uint8).reshape(-1, length)
    if (lines[:, width:] != np.frombuffer(line_break, np.uint8)).any():
        return None
    codes = np.empty((len(lines), width), np.uint8)
    copy_rows(lines[:, :width], codes)
    read = read_digits(codes)
    if read is None:
        return None
    cells = pack_halves(read.grid.reshape(-1))
    return PackedLines(len(lines), width, line_break, read.blank, cells)


def unpack_lines(packed: PackedLines) -> bytes:
    """Return the text."""
    count, width = packed.count, packed.width
    cells = unpack_halves(packed.cells, count * width)
    codes = codes_of(cells, bytes([packed.blank]) + DIGITS)
    line = bytes(width) + packed.line_break
    text = bytearray(line) * count
    lines = np.frombuffer(text, np.uint8).reshape(count, -1)
    copy_rows(codes.reshape(count, width), lines[:, :width])
    return bytes(text[: len(text) - len(packed.line_break)])
