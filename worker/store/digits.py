"""Matrices of digits: reading them from text, and packing them for storage."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.text_lines import digits_of


@dataclass(frozen=True, slots=True, eq=False)
class Digits:
    """Lines of digits 1 to 9 as a matrix `grid` (n, width), with 0 for empty cells.

    `blank` is the ASCII code of the only character that stands for empty cells in the text. If no
    cell is empty, it has no meaning.
    """

    grid: NDArray[np.uint8]
    blank: int


def read_digits(codes: NDArray[np.uint8]) -> Digits | None:
    """Convert lines of text, given as a matrix of ASCII codes (n, width), to digits.

    The matrix must not be empty. Any character but 1 to 9 can stand for empty cells. Returns None
    if there are two or more such characters.
    """
    grid, is_digit = digits_of(codes)
    blank = int(codes.flat[is_digit.argmin()])
    if not (is_digit | (codes == blank)).all():
        return None
    return Digits(grid, blank)


def pack_bits(grid: NDArray[np.uint8]) -> bytes:
    """Return one bit per cell, 1 for a digit: eight per byte, starting with the highest bit."""
    return np.packbits(grid).tobytes()


def unpack_bits(bits: bytes, count: int) -> NDArray[np.uint8]:
    """Return `count` numbers, 1 for each set bit and 0 for the others."""
    return np.unpackbits(np.frombuffer(bits, np.uint8), count=count)


def pack_halves(cells: NDArray[np.uint8]) -> bytes:
    """Pack two cells per byte, the first in the higher half."""
    if len(cells) % 2:
        cells = np.append(cells, np.uint8(0))
    pairs = cells.view("<u2")  # the first cell of each pair in the lower byte
    halves = pairs << 4
    halves |= pairs >> 8
    return halves.astype(np.uint8).tobytes()


def unpack_halves(halves: bytes, count: int) -> NDArray[np.uint8]:
    """Return the first `count` cells that `pack_halves` packed."""
    both = np.frombuffer(halves, np.uint8).astype("<u2")
    pairs = both << 8
    pairs |= both >> 4
    pairs &= 0x0F0F
    return pairs.view(np.uint8)[:count]
