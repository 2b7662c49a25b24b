"""Auxiliary cells (variables and others) as extra rows below the grid, for the searches.

grid           a b c d        variables A B C, one more auxiliary cell, on a grid of four columns:
               e f g h        the cells of the grid keep their numbers
below          A B C .
"""

from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.result import Batch

Integers = TypeVar("Integers", bound=np.unsignedinteger[Any])


@lru_cache(maxsize=32)
def with_cells_below(layout: Layout) -> Layout:
    """Return a layout with extra rows that hold the auxiliary cells."""
    beside = len(layout.variables) + layout.auxiliary_count
    if not beside:
        return layout
    rows = -(-beside // layout.columns)
    rest = range(layout.cells + beside, layout.cells + rows * layout.columns)
    return layout.changed(
        shape=(layout.rows + rows, layout.columns),
        holes=layout.holes.union(rest),
        houses=(*layout.houses, *layout.auxiliary_houses),
        variables=(),
        auxiliary_count=0,
        auxiliary_houses=(),
    )


def widened(cells: NDArray[Integers], board: Layout, blank: int) -> NDArray[Integers]:
    """Return puzzles (n, cells) extended by the extra rows, filled with `blank`."""
    wide = np.full((len(cells), board.cells), blank, cells.dtype)
    wide[:, : cells.shape[1]] = cells
    return wide


def narrowed(batch: Batch, solution_size: int) -> Batch:
    """Return a batch whose solutions are cut to the first `solution_size` cells."""
    listed = batch.listed
    return replace(
        batch,
        solutions=batch.solutions[:, :solution_size],
        listed=None if listed is None else tuple(each[:, :solution_size] for each in listed),
    )
