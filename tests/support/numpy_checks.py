"""The oracle for the compiled checks: NumPy checks of houses, not-equal pairs, and constraints.

They share no code with the compiled checks and the engines, apart from `Layout` and the checks of
constraints.
"""

from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from solver import Layout
from solver.board.primitive_constraints import House
from solver.checks.constraints import keeping_constraints

_WORD = 64
_BITS = np.array(
    [[(1 << value >> first) % (1 << _WORD) for value in range(256)] for first in (1, 1 + _WORD)],
    np.uint64,
)  # per value, in both words of `_as_bits`


def is_solution(layout: Layout, givens: NDArray[np.uint8], grid: NDArray[np.uint8]) -> bool:
    """Return whether a grid (cells,) solves the puzzle with these givens (cells,), 0 = empty."""
    return bool(are_solutions(layout, givens[None, :], grid[None, :])[0])


def are_solutions(
    layout: Layout, givens: NDArray[np.uint8], grids: NDArray[np.uint8]
) -> NDArray[np.bool_]:
    """Return which of the grids (n, cells) solve the puzzles (n, cells), 0 = empty.

    Houses, not-equal pairs, and constraints are checked. The values of variables can follow the
    cells. Without them, constraints on variables aren't checked.
    """
    return keeping_constraints(layout, grids, are_filled(layout, givens, grids[:, : layout.cells]))


def are_filled(
    layout: Layout, givens: NDArray[np.uint8], grids: NDArray[np.uint8]
) -> NDArray[np.bool_]:
    """Return which grids (n, cells) complete their puzzle and satisfy all houses and pairs.

    Constraints aren't checked.
    """
    fits = ((givens == 0) | (givens == grids)).all(axis=1)
    present = ~np.isin(np.arange(layout.cells), [*layout.holes])
    fits &= (grids <= layout.size).all(axis=1) & ((grids >= 1) == present).all(axis=1)
    words = _as_bits(grids.T, layout.size)
    for houses in _house_cells(layout.houses):
        seen = sum(_count_different(bits[houses]) for bits in words)
        fits &= (seen == houses.shape[1]).all(axis=0)
    first, second = _pairs(layout)
    return np.asarray(fits & (grids[:, first] != grids[:, second]).all(axis=1))


def have_conflicts(layout: Layout, givens: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which puzzles (n, cells) have a conflict, as a Boolean array (n,).

    A puzzle has a conflict if it repeats a value in a house or a not-equal pair, or if one of its
    values is too large.
    """
    broken = np.any(givens > layout.size, axis=1)
    cells = np.minimum(givens.T, layout.size)
    words = _as_bits(cells, layout.size)
    for houses in _house_cells(layout.houses):
        seen = sum(_count_different(bits[houses]) for bits in words)
        broken |= (seen < np.count_nonzero(cells[houses], axis=1)).any(axis=0)
    first, second = _pairs(layout)
    equal = (cells[first] == cells[second]) & (cells[first] > 0)
    return np.asarray(broken | equal.any(axis=0))


def _as_bits(values: NDArray[np.uint8], size: int) -> list[NDArray[np.uint64]]:
    """Return arrays in which each value is one bit, one array for each 64 possible values.

    word   0            1
    bit    0 1 …  63    0  1  …
    value  1 2 …  64    65 66 …

    Value 0 has no bit.
    """
    return [bits.take(values) for bits in _BITS[: -(-size // _WORD)]]


def _count_different(bits: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Return the number of different values in each house.

    `bits` contains the values of the houses' cells (houses, cells, …) as returned by `_as_bits`.
    """
    return np.asarray(np.bitwise_count(np.bitwise_or.reduce(bits, axis=1)))


@lru_cache(maxsize=32)
def _house_cells(houses: tuple[House, ...]) -> tuple[NDArray[np.int64], ...]:
    """Return the cells of all houses as arrays (houses, cells), one array per house size."""
    by_length: dict[int, list[tuple[int, ...]]] = {}
    for house in houses:
        by_length.setdefault(len(house.cells), []).append(house.cells)
    return tuple(
        np.fromiter(chain.from_iterable(cells), np.int64).reshape(-1, length)
        for length, cells in by_length.items()
    )


def _pairs(layout: Layout) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first and the second cells of all not-equal pairs of the grid."""
    pairs = [pair for links in layout.links for pair in links.pairs_in_grid(layout.cells)]
    first, second = np.array(pairs, np.int64).reshape(-1, 2).T
    return first, second
