"""All 288 solved 4×4 grids, and the solutions of 4×4 puzzles, for tests of other tools' formats."""

from naive import solutions

from solver import Invalid, Puzzle, solve

Grid = list[list[int]]  # four rows


def _rows(grid: tuple[int, ...] | list[int]) -> list[list[int]]:
    return [list(grid[row : row + 4]) for row in range(0, 16, 4)]


FOURS: list[Grid] = [_rows(grid) for grid in solutions([0] * 16, (2, 2))]


def grids_of(puzzle: Puzzle | Invalid, *, limit: int = 300) -> list[Grid]:
    """Return up to `limit` solutions of a 4×4 puzzle in ascending order. Fails on invalid ones."""
    assert isinstance(puzzle, Puzzle), puzzle
    return sorted(map(_rows, solve(puzzle, limit=limit).listed))
