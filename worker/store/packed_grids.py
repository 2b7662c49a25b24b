"""Puzzles with their solutions in half a byte a cell: faster to make and read than Zstandard.

A cell that a puzzle gives has the value of the solution, so that one bit says enough of it:

    puzzle    5 3 . . 7      given  1 1 0 0 1
    solution  5 3 4 6 7      grid   5 3 4 6 7   (the puzzle's values, where there is no solution)

Bits are packed eight a byte, cells two a byte, both beginning with the highest bits, without a gap
between one grid and the next.
"""

import msgspec
import numpy as np
from numpy.typing import NDArray

from solver.board.text_lines import Lines

_ZERO = ord("0")
_MOST_VALUE = 9


class PackedGrids(msgspec.Struct, frozen=True, array_like=True):
    """The texts of puzzles and of solutions, n lines each of so many cells."""

    width: int
    blank: int  # the code of what the puzzles have for a blank cell
    given: bytes  # ⌈n × width ÷ 8⌉
    grids: bytes  # ⌈n × width ÷ 2⌉


def pack_grids(puzzles: Lines, solutions: Lines, solved: NDArray[np.bool_]) -> PackedGrids | None:
    """Return puzzles and solutions packed; `solved` (n,) tells who has a line in the second.

    None where there are others than digits from 1 on and one kind of blank, lines differ in
    length, or a solution in what is given.
    """
    puzzle = puzzles.codes(np.ones(len(solved), np.bool_))
    if puzzle is None:
        return None
    grid = puzzle - np.uint8(_ZERO)
    given = grid - np.uint8(1) < _MOST_VALUE  # unsigned: what is below wraps around
    givens = np.count_nonzero(given)
    blank = int(puzzle.flat[given.argmin()])
    if givens < given.size and givens + np.count_nonzero(puzzle == blank) < given.size:
        return None
    if not solved.any():
        grid *= given
        return _packed(blank, given, grid)
    answer = solutions.codes(solved)
    if answer is None or answer.shape[1] != grid.shape[1]:
        return None
    answer = answer - np.uint8(_ZERO)
    if (answer - np.uint8(1)).max() >= _MOST_VALUE:
        return None
    if solved.all():
        # What is equal to a solution is a value, and so given.
        agree = np.count_nonzero(grid == answer)
        return _packed(blank, given, answer) if agree == givens else None
    if ((answer != grid[solved]) & given[solved]).any():
        return None
    grid *= given
    grid[solved] = answer
    return _packed(blank, given, grid)


def _packed(blank: int, given: NDArray[np.bool_], grid: NDArray[np.uint8]) -> PackedGrids:
    return PackedGrids(grid.shape[1], blank, np.packbits(given).tobytes(), _halves(grid))


def _halves(grid: NDArray[np.uint8]) -> bytes:
    """Return the cells, two a byte."""
    cells = np.zeros(grid.size + grid.size % 2, np.uint8)
    cells[: grid.size] = grid.reshape(-1)
    pairs = cells.view("<u2")  # the first of each pair in the lower byte
    return (pairs << 4 | pairs >> 8).astype(np.uint8).tobytes()


def unpack_grids(packed: PackedGrids, solved: NDArray[np.bool_]) -> tuple[Lines, Lines]:
    """Return puzzles and solutions."""
    count, width = len(solved), packed.width
    halves = np.frombuffer(packed.grids, np.uint8)
    cells = np.empty(2 * len(halves), np.uint8)
    cells[0::2] = halves >> 4
    cells[1::2] = halves & 15
    grid = cells[: count * width].reshape(count, width) + np.uint8(_ZERO)
    bits = np.frombuffer(packed.given, np.uint8)
    given = np.unpackbits(bits, count=count * width).reshape(count, width)
    blank = np.uint8(packed.blank)
    puzzles = blank + given * (grid - blank)
    everyone = solved.all()
    return Lines.of_codes(puzzles), Lines.of_codes(grid if everyone else grid[solved], solved)
