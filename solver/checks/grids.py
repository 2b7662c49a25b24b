"""Checks of grids against the rules, in NumPy. They share no code with any engine."""

from functools import lru_cache
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from solver.board.arrays import linked_pairs
from solver.board.layout import Layout
from solver.board.parts import House, Links
from solver.board.symbols import Symbols
from solver.checks.constraints import are_kept

_WORD = 64
_BITS = np.array(
    [[(1 << value >> first) % (1 << _WORD) for value in range(256)] for first in (1, 1 + _WORD)],
    np.uint64,
)  # per value, in both words of `_as_bits`
_BATCH_CELLS = 1 << 20  # cells that are checked at once, to bound memory


def is_solution(layout: Layout, givens: NDArray[np.uint8], grid: NDArray[np.uint8]) -> bool:
    """Return whether a grid (cells,) solves the puzzle with these givens (cells,), 0 = empty."""
    return bool(are_solutions(layout, givens[None, :], grid[None, :])[0])


def are_solutions(
    layout: Layout, givens: NDArray[np.uint8], grids: NDArray[np.uint8]
) -> NDArray[np.bool_]:
    """Return which of the grids (n, cells) solve the puzzles (n, cells), 0 = empty.

    The values of variables can follow the cells. Without them, constraints on variables aren't
    checked.
    """
    return keeping_constraints(layout, grids, are_filled(layout, givens, grids[:, : layout.cells]))


def are_filled(
    layout: Layout, givens: NDArray[np.uint8], grids: NDArray[np.uint8]
) -> NDArray[np.bool_]:
    """Return which grids (n, cells) complete their puzzle and satisfy all houses and pairs."""
    filled = np.empty(len(grids), np.bool_)
    present = present_cells(layout)
    first, second = linked_cells(layout)
    step = max(_BATCH_CELLS // layout.cells, 1)
    for start in range(0, len(grids), step):
        given, grid = givens[start : start + step], grids[start : start + step]
        fits = ((given == 0) | (given == grid)).all(axis=1)
        fits &= (grid <= layout.size).all(axis=1) & ((grid >= 1) == present).all(axis=1)
        words = _as_bits(grid.T, layout.size)
        for houses in _house_cells(layout.houses):
            seen = sum(_count_different(bits[houses]) for bits in words)
            fits &= (seen == houses.shape[1]).all(axis=0)
        fits &= (grid[:, first] != grid[:, second]).all(axis=1)
        filled[start : start + step] = fits
    return filled


def keeping_constraints(
    layout: Layout, grids: NDArray[np.uint8], filled: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return which of the `filled` grids (n, cells and variables) also satisfy all constraints."""
    right = filled.copy()
    if grids.shape[1] > layout.cells:
        beside = grids[:, layout.cells :]
        right &= np.all((beside >= 1) & (beside <= layout.size), axis=1)
    judged = layout.constraints
    if grids.shape[1] < layout.told:
        judged = tuple(each for each in judged if max(each.cells, default=0) < grids.shape[1])
    for row in right.nonzero()[0].tolist() if judged else ():
        right[row] = are_kept(judged, grids[row].tolist(), layout)
    return right


def have_conflicts(layout: Layout, givens: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which of the puzzles (n, cells) repeat a value in a house, or have one too large."""
    broken: NDArray[np.bool_] = np.any(givens > layout.size, axis=1)
    step = max(_BATCH_CELLS // layout.cells, 1)
    for start in range(0, len(givens), step):
        given = np.minimum(givens[start : start + step].T, layout.size)
        words = _as_bits(given, layout.size)
        for houses in _house_cells(layout.houses):
            there = np.count_nonzero(given[houses], axis=1)
            seen = sum(_count_different(bits[houses]) for bits in words)
            broken[start : start + step] |= (seen < there).any(axis=0)
        first, second = linked_cells(layout)
        equal = (given[first] == given[second]) & (given[first] > 0)
        broken[start : start + step] |= equal.any(axis=0)
    return broken


def find_conflict(layout: Layout, givens: NDArray[np.uint8], symbols: Symbols) -> str | None:
    """Describe the first conflict among givens (cells,), such as "5 twice in column 2: r1c2, r7c2".

    Returns None if there is none.
    """
    held = givens.tolist()
    for house in layout.houses:
        values = sorted(filter(None, map(held.__getitem__, house.cells)))
        for value in sorted({one for one, other in pairwise(values) if one == other}):
            cells = [cell for cell in house.cells if held[cell] == value]
            if len(cells) > 1:
                times = "twice" if len(cells) == 2 else f"{len(cells)} times"
                places = ", ".join(layout.cell_name(cell) for cell in cells)
                return f"{symbols.values[value - 1]} {times} in {house.name}: {places}"
    for links in layout.links:
        for first, second in _pairs_in_grid(links, layout):
            if held[first] and held[first] == held[second]:
                symbol = symbols.values[held[first] - 1]
                pair = f"{layout.cell_name(first)}, {layout.cell_name(second)}"
                return f"{symbol} twice, {links.kind} apart: {pair}"
    return None


def candidates(layout: Layout, givens: NDArray[np.uint8]) -> tuple[tuple[int, ...], ...]:
    """Return the values of each cell that no given excludes, () for givens."""
    seen: list[set[int]] = [set() for _ in range(layout.cells)]
    for house in layout.houses:
        values = {int(givens[cell]) for cell in house.cells}
        for cell in house.cells:
            seen[cell] |= values
    for links in layout.links:
        for first, second in _pairs_in_grid(links, layout):
            seen[first].add(int(givens[second]))
            seen[second].add(int(givens[first]))
    return tuple(
        ()
        if givens[cell] or cell in layout.absent
        else tuple(value for value in range(1, layout.size + 1) if value not in seen[cell])
        for cell in range(layout.cells)
    )


def _as_bits(values: NDArray[np.uint8], size: int) -> list[NDArray[np.uint64]]:
    """Return values as bits, one word for each 64 values. Value 0 has no bit.

    word   0            1
    bit    0 1 …  63    0  1  …
    value  1 2 …  64    65 66 …
    """
    return [bits.take(values) for bits in _BITS[: -(-size // _WORD)]]


def _count_different(bits: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Return the number of different values in each house (houses, cells, …) of one word."""
    return np.asarray(np.bitwise_count(np.bitwise_or.reduce(bits, axis=1)))


@lru_cache(maxsize=32)
def _house_cells(houses: tuple[House, ...]) -> tuple[NDArray[np.int64], ...]:
    """Return the cells of houses (houses, cells), one array per house size."""
    by_length: dict[int, list[tuple[int, ...]]] = {}
    for house in houses:
        by_length.setdefault(len(house.cells), []).append(house.cells)
    return tuple(
        np.fromiter(chain.from_iterable(cells), np.int64).reshape(-1, length)
        for length, cells in by_length.items()
    )


@lru_cache(maxsize=32)
def present_cells(layout: Layout) -> NDArray[np.bool_]:
    """Return which cells (cells,) aren't holes."""
    present = np.ones(layout.cells, np.bool_)
    if layout.absent:
        present[list(layout.absent)] = False
    return present


def linked_cells(layout: Layout) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the first and the second cells of all not-equal pairs of the grid."""
    both = linked_pairs(layout)
    first, second = both[(both < layout.cells).all(axis=1)].T
    return first, second


def _pairs_in_grid(links: Links, layout: Layout) -> list[tuple[int, int]]:
    """Return the not-equal pairs within the grid, without variables and auxiliary cells."""
    return [pair for pair in links.pairs if max(pair) < layout.cells]
