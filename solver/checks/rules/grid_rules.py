"""Checks of whole grids, and of the rank of a line among all lines."""

from collections import Counter
from collections.abc import Sequence

from solver.board.layout import Layout
from solver.checks.rules.filled import Check, Filled, all_differ


def _lines(layout: Layout) -> list[list[int]]:
    """Return the rows and columns as lists of cells, each in both directions."""
    columns = layout.columns
    rows = [list(range(row * columns, (row + 1) * columns)) for row in range(layout.rows)]
    lines = [*rows, *(list(cells) for cells in zip(*rows, strict=True))]
    return [*lines, *(line[::-1] for line in lines)]


def _words(layout: Layout, grid: Sequence[int]) -> list[list[int]]:
    return [[grid[cell] for cell in line] for line in _lines(layout)]


def _ranks(filled: Filled) -> range:
    """Return the ranks of the constraint's line among all rows and columns.

    Each row and column is read in both directions. The lowest line has rank 1. If n lines are
    equal, all of them have the same n successive ranks.
    """
    word, words = list(filled.numbers), _words(filled.layout, filled.grid)
    less = sum(other < word for other in words)
    return range(less + 1, less + 1 + words.count(word))


def _no_ties(filled: Filled) -> bool:
    return max(Counter(map(tuple, _words(filled.layout, filled.grid))).values()) == 1


def _dutch_flatmates(filled: Filled) -> bool:
    columns, grid, board = filled.layout.columns, filled.grid, filled.layout.numbers
    middle = board[(len(board) + 1) // 2 - 1]
    for cell, number in enumerate(grid[: filled.layout.cells]):
        above = grid[cell - columns] if cell >= columns else None
        below = grid[cell + columns] if cell + columns < filled.layout.cells else None
        if number == middle and above != board[0] and below != board[-1]:
            return False
    return True


def _region_same_values(filled: Filled) -> bool:
    houses = [house.cells for house in filled.layout.houses]
    longest = max(map(len, houses), default=0)
    held = [sorted(filled.grid[c] for c in cells) for cells in houses if len(cells) == longest]
    return all(values == held[0] for values in held)


def _doppelganger(filled: Filled) -> bool:
    board, missing = set(filled.layout.numbers), {}
    kinds = ("row", "column", "box", "region")
    for house in filled.layout.houses:
        if house.kind not in kinds:
            continue  # belongs to another rule
        absent = board - {filled.grid[cell] for cell in house.cells}
        if len(absent) != 1 or 0 in absent:
            return False
        missing[house] = absent.pop()
    for kind in kinds:
        if not all_differ([number for house, number in missing.items() if house.kind == kind]):
            return False
    return all(
        all_differ([number for house, number in missing.items() if cell in house.cells])
        for cell in range(filled.layout.cells)
        if filled.grid[cell] == 0
    )


GRID_CHECKS: dict[str, Check] = {
    "fullrank": lambda filled: list(_ranks(filled)) == [filled.number],
    "fullranktied": lambda filled: filled.number == _ranks(filled)[0],
    "noties": _no_ties,
    "dutchflatmates": _dutch_flatmates,
    "regionsamevalues": _region_same_values,
    "doppelganger": _doppelganger,
}
