"""Convert lines of text to matrices of digits, and pack them for storage."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.text_lines import digits_of


@dataclass(frozen=True, slots=True, eq=False)
class Digits:
    """Lines of digits 1 to 9 as a matrix `grid` (n, width), with 0 for empty cells.

    `blank` is the ASCII code of the character that stands for empty cells in the text. It has no
    meaning if no cell is empty.
    """

    grid: NDArray[np.uint8]
    blank: int


def read_digits(codes: NDArray[np.uint8]) -> Digits | None:
    """Convert lines of text, given as a matrix of ASCII codes (n, width), to digits.

    The matrix must not be empty. Any one character other than 1 to 9 can stand for empty cells.
    Returns None if two or more such characters occur.
    """
    grid, is_digit = digits_of(codes)
    blank = int(codes.flat[is_digit.argmin()])
    if not (is_digit | (codes == blank)).all():
        return None
    return Digits(grid, blank)


def pack_bits(grid: NDArray[np.uint8]) -> bytes:
    """Pack one bit per cell: 1 if the cell has a digit, and 0 if it is empty.

    Eight bits are packed per byte, starting with the highest bit, without gaps between lines.
    """
    return np.packbits(grid).tobytes()


def unpack_bits(bits: bytes, count: int) -> NDArray[np.uint8]:
    """Return the first `count` bits that `pack_bits` packed, as an array of zeros and ones."""
    return np.unpackbits(np.frombuffer(bits, np.uint8), count=count)


def pack_halves(cells: NDArray[np.uint8]) -> bytes:
    """Pack cells with values from 0 to 15 in half a byte each. `cells` has one dimension.

    The first of two cells is in the higher half of their byte. An odd number of cells is padded
    with 0.
    """
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
