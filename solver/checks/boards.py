"""The checks of `solver.checks.grids` for boards of any kind, compiled: houses and links.

They look at nothing but the values of the cells, and share with the searches no more than the way
that functions are compiled.
"""

from functools import lru_cache
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import House, Layout
from solver.checks.grids import linked_cells, present_cells
from solver.compiling.jit import bare, compiled

_MOST_VALUES = 256  # of a byte
_NO_CELLS = np.zeros(0, np.int64)


class _Board(NamedTuple):
    """What the checks want of a layout."""

    houses: NDArray[np.int32]  # the cells of all houses, one house after the other
    ends: NDArray[np.int32]  # of houses
    first: NDArray[np.int64]  # of linked cells
    second: NDArray[np.int64]
    present: NDArray[np.bool_]  # of cells: are no holes


@lru_cache(maxsize=32)
def _board(layout: Layout) -> _Board:
    first, second = linked_cells(layout) if layout.links else (_NO_CELLS, _NO_CELLS)
    return _Board(*_house_cells(layout.houses), first, second, present_cells(layout))


@lru_cache(maxsize=32)
def _house_cells(houses: tuple[House, ...]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the cells of houses, one after the other, and where each house ends."""
    own = [house.cells for house in houses]
    cells = np.fromiter(chain.from_iterable(own), np.int32)
    return cells, np.array([*accumulate(map(len, own))], np.int32)


def have_conflicts(layout: Layout, givens: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which of the puzzles (n, cells) hold a value twice in a house, or one too large."""
    if not np.count_nonzero(givens):
        return np.zeros(len(givens), np.bool_)
    return _judged(layout, givens, givens)[0]


def are_filled(
    layout: Layout, givens: NDArray[np.uint8], grids: NDArray[np.uint8]
) -> NDArray[np.bool_]:
    """Return which of the grids (n, cells) fill the puzzles (n, cells) as houses and links ask."""
    return _judged(layout, givens, grids)[1]


def _judged(
    layout: Layout, givens: NDArray[np.uint8], grids: NDArray[np.uint8]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which of the grids have a conflict, and which fill the puzzles."""
    conflicting, filled = np.empty(len(grids), np.bool_), np.empty(len(grids), np.bool_)
    arrays = _copied(givens), _copied(grids)
    _judge(*arrays, layout.size, *_board(layout), conflicting, filled)
    return conflicting, filled


def _copied(grids: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return grids as an array of the one kind that the functions below are compiled for."""
    return np.array(grids, np.uint8, order="C")


@compiled
def _judge(givens, grids, size, houses, ends, first, second, present, conflicting, filled):  # type: ignore[no-untyped-def]
    """Set conflicting[i] where grid i holds a value twice in a house, or one above the size.

    And filled[i] where it does not, has the givens of puzzle i, and all cells but holes.
    """
    seen_in = np.empty(_MOST_VALUES, np.int32)
    for i in range(grids.shape[0]):
        given, grid = givens[i], grids[i]
        conflict = _has_conflict(grid, size, houses, ends, first, second, seen_in)
        fits = not conflict
        for cell in range(grid.shape[0]):
            fits &= given[cell] == 0 or given[cell] == grid[cell]
            fits &= (grid[cell] > 0) == present[cell]
        conflicting[i] = conflict
        filled[i] = fits


@bare
def _has_conflict(grid, size, houses, ends, first, second, seen_in):  # type: ignore[no-untyped-def]
    """Return whether one grid does; `seen_in` is room for the last house that had each value."""
    for cell in range(grid.shape[0]):
        if grid[cell] > size:
            return True
    for value in range(size + 1):
        seen_in[value] = -1
    k = 0
    for house in range(ends.shape[0]):
        while k < ends[house]:
            value = grid[houses[k]]
            if value > 0 and seen_in[value] == house:
                return True
            seen_in[value] = house
            k += 1
    for k in range(first.shape[0]):
        value = grid[first[k]]
        if value > 0 and value == grid[second[k]]:
            return True
    return False
