"""Pack puzzles and their solutions in half a byte per cell. This is faster than Zstandard.

A given has the same value in the solution, so one bit per cell is enough for the puzzle:

    puzzle    5 3 . . 7      given  1 1 0 0 1
    solution  5 3 4 6 7      grid   5 3 4 6 7   (the puzzle's values if there is no solution)

Bits are packed eight per byte and cells two per byte, both starting with the highest bits, without
gaps between grids.
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
    """Packed puzzles and solutions, n each, which all have `width` cells.

    `blank` is the ASCII code of the puzzles' character for empty cells. `given` has a bit per cell,
    which is set if the cell is a given, and is ⌈n × width ÷ 8⌉ bytes long. `grids` has half a byte
    per cell and is ⌈n × width ÷ 2⌉ bytes long. It contains the digits of each record's solution, or
    of its puzzle (0 for empty cells) if it has none.
    """

    width: int
    blank: int
    given: bytes
    grids: bytes


def pack_grids(puzzles: Lines, solutions: Lines, solved: NDArray[np.bool_]) -> PackedGrids | None:
    """Pack n puzzles and their solutions, or return None if they aren't suitable.

    `solved` (n,) is True for the records that have a solution. Puzzles and solutions aren't
    suitable if they differ in length, if the puzzles contain two or more different characters other
    than 1 to 9, if a solution contains any such character, or if a solution contradicts a given.
    """
    puzzle = digits_of_lines(puzzles, len(solved))
    if puzzle is None:
        return None
    grid = puzzle.grid
    if solved.any():
        solution = _read(solutions, solved)
        if solution is None or solution.grid.shape[1] != grid.shape[1]:
            return None
        theirs = grid if solved.all() else grid[solved]
        # A solution has a digit in each cell, which agrees with the puzzle's given if there is one.
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


def digits_of_lines(lines: Lines, count: int) -> Digits | None:
    """Return `count` lines as digits with the shape (count, width).

    Returns None if they differ in length, or if they contain two or more different characters other
    than 1 to 9.
    """
    return _read(lines, np.ones(count, np.bool_))


def _read(lines: Lines, there: NDArray[np.bool_]) -> Digits | None:
    """Return the lines for which `there` (n,) is True as digits with the shape (m, width).

    The other lines must be empty. Returns None if there is no such line, if the lines differ in
    length, or if they contain two or more different characters other than 1 to 9.
    """
    made_of = lines.grids()
    if made_of is not None and len(made_of[0]) and DIGITS.startswith(made_of[1][1:]):
        return Digits(made_of[0], made_of[1][0])
    codes = lines.codes(there)
    return None if codes is None else read_digits(codes)


def unpack_grids(packed: PackedGrids, solved: NDArray[np.bool_]) -> tuple[Lines, Lines]:
    """Return the puzzles and solutions that `pack_grids` packed with the same `solved` (n,).

    Records without a solution get an empty line in the solutions.
    """
    count, width = len(solved), packed.width
    grid = unpack_halves(packed.grids, count * width).reshape(count, width)
    given = unpack_bits(packed.given, count * width).reshape(count, width)
    table = bytes([packed.blank]) + DIGITS
    solutions = grid if solved.all() else grid[solved]
    return Lines.of_grids(given * grid, table), Lines.of_grids(solutions, table, solved)
