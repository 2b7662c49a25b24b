"""Compiled checks of houses and not-equal pairs, for boards of any kind.

They read nothing but the values of the cells. All that they share with the engines is the compiler.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.board.arrays import cells_of_houses, linked_pairs
from solver.board.layout import Layout
from solver.compiling.jit import compiled, kernel

_MOST_VALUES = 256  # number of values of a byte
_NO_HOLES = np.zeros(0, np.int32)


class _Board(NamedTuple):
    """The houses, not-equal pairs, and holes of a layout, as arrays for the checks.

    `houses` are the cells of all houses, concatenated. House i has those from ranges[i] up to
    ranges[i + 1]. `links` are the not-equal pairs (pairs, 2), whose cells can be variables.
    """

    houses: NDArray[np.int32]
    ranges: NDArray[np.int32]
    links: NDArray[np.int32]
    holes: NDArray[np.int32]


@lru_cache(maxsize=32)
def _board(layout: Layout) -> _Board:
    holes = np.array([*layout.holes], np.int32) if layout.holes else _NO_HOLES
    return _Board(*cells_of_houses(layout.houses), linked_pairs(layout), holes)


def have_conflicts(layout: Layout, givens: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which puzzles (n, cells), 0 = empty, have a conflict, as (n,) bool.

    In a conflict, a value repeats in a house or in a pair of cells that must differ, or is above
    the board's size.
    """
    if not np.count_nonzero(givens):
        return np.zeros(len(givens), np.bool_)
    return _judged(layout, givens, givens)[0]


def are_filled(
    layout: Layout, givens: NDArray[np.uint8], grids: NDArray[np.uint8]
) -> NDArray[np.bool_]:
    """Return which grids (n, cells) are complete and have no conflict, as (n,) bool.

    A complete grid keeps the givens, and has a value in all cells except holes, which are empty.
    `givens` are the puzzles (n, cells), 0 = empty. In a conflict, a value repeats in a house or in
    a pair of cells that must differ, or is above the board's size.
    """
    return _judged(layout, givens, grids)[1]


def _judged(
    layout: Layout, givens: NDArray[np.uint8], grids: NDArray[np.uint8]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which grids (n, cells) have a conflict, and which complete their puzzle without one.

    `givens` are the puzzles (n, cells), 0 = empty. A grid completes its puzzle if it contains the
    puzzle's givens and has a value in every cell except holes. Only houses and not-equal pairs are
    checked. Both results are (n,) bool.
    """
    conflicting, filled = np.empty(len(grids), np.bool_), np.empty(len(grids), np.bool_)
    arrays = _copied(givens), _copied(grids)
    _judge(*arrays, layout.size, *_board(layout), conflicting, filled)
    return conflicting, filled


def _copied(grids: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a copy of the grids as an array of the one type that the compiled checks accept."""
    return np.array(grids, np.uint8, order="C")


@compiled
def _judge(givens, grids, size, houses, ranges, links, holes, conflicting, filled):  # type: ignore[no-untyped-def]
    """Write to `conflicting` and `filled` which grids conflict, and which are complete.

    `houses`, `ranges`, `links`, and `holes` are as in `_Board`. conflicting[i] becomes whether a
    value of grid i is above `size`, or repeats in a house or a not-equal pair. filled[i] becomes
    whether grid i has no conflict, contains the givens of puzzle i, and has a value in every cell
    except the holes, which must be empty.
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


@kernel
def _has_conflict(grid, size, houses, ranges, links, seen_in):  # type: ignore[no-untyped-def]
    """Return whether a value is above the size, or repeats in a house or a not-equal pair.

    `houses`, `ranges`, and `links` are as in `_Board`. Pairs with a cell beyond the grid are
    skipped. `seen_in` is working memory with an item per value: the last house that contained it.
    """
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
