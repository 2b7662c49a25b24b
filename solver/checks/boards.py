"""The checks of `solver.checks.grids` for boards of any kind, compiled: houses and links.

They look at nothing but the values of the cells, and share with the searches no more than the way
that functions are compiled.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.board.arrays import cells_of_houses, linked_pairs
from solver.board.layout import Layout
from solver.compiling.jit import bare, compiled

_MOST_VALUES = 256  # of a byte
_NO_HOLES = np.zeros(0, np.int32)


class _Board(NamedTuple):
    """What the checks want of a layout."""

    houses: NDArray[np.int32]  # the cells of all houses, one house after the other
    ranges: NDArray[np.int32]  # of houses
    links: NDArray[np.int32]  # (links, 2): cells, some of them perhaps beside the grid
    holes: NDArray[np.int32]


@lru_cache(maxsize=32)
def _board(layout: Layout) -> _Board:
    holes = np.array([*layout.absent], np.int32) if layout.absent else _NO_HOLES
    return _Board(*cells_of_houses(layout.houses), linked_pairs(layout), holes)


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
def _judge(givens, grids, size, houses, ranges, links, holes, conflicting, filled):  # type: ignore[no-untyped-def]
    """Set conflicting[i] where grid i holds a value twice in a house, or one above the size.

    And filled[i] where it does not, has the givens of puzzle i, and all cells but holes.
    """
    seen_in = np.empty(_MOST_VALUES, np.int32)
    for i in range(grids.shape[0]):
        given, grid = givens[i], grids[i]
        conflict = _has_conflict(grid, size, houses, ranges, links, seen_in)
        fits = not conflict
        blank = 0
        for cell in range(grid.shape[0]):
            fits &= given[cell] == 0 or given[cell] == grid[cell]
            blank += grid[cell] == 0
        for k in range(holes.shape[0]):
            fits &= grid[holes[k]] == 0
        conflicting[i] = conflict
        filled[i] = fits and blank == holes.shape[0]


@bare
def _has_conflict(grid, size, houses, ranges, links, seen_in):  # type: ignore[no-untyped-def]
    """Return whether one grid does; `seen_in` is room for the last house that had each value."""
    for cell in range(grid.shape[0]):
        if grid[cell] > size:
            return True
    for value in range(size + 1):
        seen_in[value] = -1
    for house in range(ranges.shape[0] - 1):
        for k in range(ranges[house], ranges[house + 1]):
            value = grid[houses[k]]
            if value > 0 and seen_in[value] == house:
                return True
            seen_in[value] = house
    for k in range(links.shape[0]):
        first, second = links[k, 0], links[k, 1]
        if max(first, second) < grid.shape[0] and grid[first] > 0 and grid[first] == grid[second]:
            return True
    return False
