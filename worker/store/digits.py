"""Matrices of digits as they lie in Redis, and how they are read from text."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.text_lines import digits_of


@dataclass(frozen=True, slots=True, eq=False)
class Digits:
    """Lines of digits, 0 where they have their one blank, which has the code `blank`.

    `grid` is (n, width).
    """

    grid: NDArray[np.uint8]
    blank: int


def read_digits(codes: NDArray[np.uint8]) -> Digits | None:
    """Return lines of text (n, width); None where there are others than digits and one blank."""
    grid, is_digit = digits_of(codes)
    blank = int(codes.flat[is_digit.argmin()])
    if not (is_digit | (codes == blank)).all():
        return None
    return Digits(grid, blank)


def pack_bits(grid: NDArray[np.uint8]) -> bytes:
    """Return a bit for each cell, whether it has a digit: eight a byte, from the highest on."""
    return np.packbits(grid).tobytes()


def unpack_bits(bits: bytes, count: int) -> NDArray[np.uint8]:
    """Return so many numbers, 1 for each bit and 0 for none."""
    return np.unpackbits(np.frombuffer(bits, np.uint8), count=count)


def pack_halves(cells: NDArray[np.uint8]) -> bytes:
    """Return cells two a byte, the first in its higher half."""
    if len(cells) % 2:
        cells = np.append(cells, np.uint8(0))
    pairs = cells.view("<u2")  # the first of each pair in the lower byte
    halves = pairs << 4
    halves |= pairs >> 8
    return halves.astype(np.uint8).tobytes()


def unpack_halves(halves: bytes, count: int) -> NDArray[np.uint8]:
    """Return so many cells."""
    both = np.frombuffer(halves, np.uint8).astype("<u2")
    pairs = both << 8
    pairs |= both >> 4
    pairs &= 0x0F0F
    return pairs.view(np.uint8)[:count]
