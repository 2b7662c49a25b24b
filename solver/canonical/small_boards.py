"""Find the canonical form of puzzles on small boards with boxes, such as 4×4, 6×6, and 8×8."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

_KEPT = 1 << 12  # More than the 3,568 minimal puzzles of 4×4, apart from their values.


def least_variant(puzzle: bytes, box: tuple[int, int]) -> bytes:
    """Return the least of all puzzles that are equivalent to a puzzle.

    A puzzle has one byte per cell, with 0 for an empty cell. `box` is the number of rows and
    columns of a box. Puzzles are equivalent if permutations of the bands, the stacks, the rows in a
    band, the columns in a stack, and the values, and with square boxes a transposition, transform
    them into each other. Puzzles are compared as bytes.
    """
    return _least_variant(_renumbered(puzzle), box)


def _renumbered(puzzle: bytes) -> bytes:
    """Return a puzzle with its values renamed 1, 2, and so on, in the order in which they occur."""
    table = bytearray(256)
    for number, value in enumerate(filter(None, dict.fromkeys(puzzle)), 1):
        table[value] = number
    return puzzle.translate(table)


@lru_cache(maxsize=_KEPT)
def _least_variant(puzzle: bytes, box: tuple[int, int]) -> bytes:
    rows, columns = box
    size = rows * columns
    grid = np.frombuffer(puzzle, np.uint8).reshape(size, size)
    grids = np.stack([grid, grid.T] if rows == columns else [grid])
    open_ = _Transformations.all(grids, _line_orders(size, columns))
    found = []
    for row in range(size):
        open_, least = open_.with_least_row(grids, row, rows)
        found.append(least)
    return np.concatenate(found).tobytes()


@dataclass(frozen=True, slots=True)
class _Transformations:
    """Partial transformations (n) of a puzzle: how the first rows of the result arise.

    All of them give the same first rows.

    grids    (n,): the index of the grid, which can be the transposed one
    columns  (n, size): the column of the grid that each column of the result comes from
    used     (n, size): whether a row of the grid has been placed
    bands    (n,): the band of the grid that the last row was placed from
    values   (n, size + 1): the new value of each value, 0 if it hasn't occurred yet
    """

    grids: NDArray[np.int64]
    columns: NDArray[np.int64]
    used: NDArray[np.bool_]
    bands: NDArray[np.int64]
    values: NDArray[np.uint8]

    @classmethod
    def all(cls, grids: NDArray[np.uint8], orders: NDArray[np.int64]) -> "_Transformations":
        """Return a transformation for each grid and order of columns, before any row is placed."""
        count, size = len(grids) * len(orders), grids.shape[1]
        return cls(
            np.repeat(np.arange(len(grids)), len(orders)),
            np.tile(orders, (len(grids), 1)),
            np.zeros((count, size), np.bool_),
            np.zeros(count, np.int64),
            np.zeros((count, size + 1), np.uint8),
        )

    def with_least_row(
        self, grids: NDArray[np.uint8], row: int, band: int
    ) -> tuple["_Transformations", NDArray[np.uint8]]:
        """Return the transformations whose next row is least, and that row.

        `grids` (k, size, size) are the grids to which the indices in `self.grids` refer. `row` is
        the index of the next row, from 0, and `band` is the number of rows in a band.
        """
        size = grids.shape[1]
        can_follow = ~self.used
        if row % band:  # The band must be completed.
            can_follow &= np.arange(size) // band == self.bands[:, None]
        which, next_row = np.nonzero(can_follow)
        cells = grids[self.grids[which][:, None], next_row[:, None], self.columns[which]]
        values = self.values[which]
        every = np.arange(len(which))
        highest = values.max(axis=1)
        result = np.zeros_like(cells)
        for column in range(size):
            value = cells[:, column]
            is_first = (value > 0) & (values[every, value] == 0)
            highest = highest + is_first
            values[every[is_first], value[is_first]] = highest[is_first]
            result[:, column] = values[every, value]
        place_values = (size + 1) ** np.arange(size - 1, -1, -1)
        ranks = result @ place_values
        best = np.flatnonzero(ranks == ranks.min())
        used = self.used[which[best]]
        used[np.arange(len(best)), next_row[best]] = True
        return _Transformations(
            self.grids[which[best]], self.columns[which[best]], used, next_row[best] // band,
            values[best],
        ), result[best[0]]  # fmt: skip


@lru_cache(maxsize=8)
def _line_orders(size: int, stack: int) -> NDArray[np.int64]:
    """Return all orders (n, size) of columns that keep the `stack` columns of a stack together."""
    return np.array([*_orders(size, stack)], np.int64)


def _orders(size: int, stack: int) -> Iterator[list[int]]:
    for stacks in permutations(range(0, size, stack)):
        for inner in product(permutations(range(stack)), repeat=len(stacks)):
            ordered = zip(stacks, inner, strict=True)
            yield [first + column for first, order in ordered for column in order]
