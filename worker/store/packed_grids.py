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

from solver.board.text_lines import DIGITS, Lines
from worker.store.digits import (
    Digits,
    pack_bits,
    pack_halves,
    read_digits,
    unpack_bits,
    unpack_halves,
)


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
    puzzle = _read(puzzles, np.ones(len(solved), np.bool_))
    if puzzle is None:
        return None
    grid = puzzle.grid
    if solved.any():
        solution = _read(solutions, solved)
        if solution is None or solution.grid.shape[1] != grid.shape[1]:
            return None
        theirs = grid if solved.all() else grid[solved]
        # A solution has a digit in each cell, the puzzle's where that has one.
        agrees = np.array_equal(theirs == solution.grid, theirs > 0)
        if solution.grid.min() == 0 or not agrees:
            return None
        grid = solution.grid
        if not solved.all():
            grid = puzzle.grid.copy()
            grid[solved] = solution.grid
    return PackedGrids(
        grid.shape[1], puzzle.blank, pack_bits(puzzle.grid), pack_halves(grid.reshape(-1))
    )


def _read(lines: Lines, there: NDArray[np.bool_]) -> Digits | None:
    """Return the lines that are there (n,) as digits, if they are."""
    made_of = lines.grids()
    if made_of is not None and len(made_of[0]) and DIGITS.startswith(made_of[1][1:]):
        return Digits(made_of[0], made_of[1][0])
    codes = lines.codes(there)
    return None if codes is None else read_digits(codes)


def unpack_grids(packed: PackedGrids, solved: NDArray[np.bool_]) -> tuple[Lines, Lines]:
    """Return puzzles and solutions."""
    count, width = len(solved), packed.width
    grid = unpack_halves(packed.grids, count * width).reshape(count, width)
    given = unpack_bits(packed.given, count * width).reshape(count, width)
    table = bytes([packed.blank]) + DIGITS
    solutions = grid if solved.all() else grid[solved]
    return Lines.of_grids(given * grid, table), Lines.of_grids(solutions, table, solved)
