"""Auxiliary cells (variables and others) as cells of the grid, in extra rows below it.

grid           a b c d        variables A B C, one more auxiliary cell, on a grid of four columns:
               e f g h        the cells of the grid keep their numbers
below          A B C .

This way, the searches needn't distinguish them from other cells.
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
    """Return the layout with extra rows below the grid that hold its auxiliary cells.

    Auxiliary cells are all variables of the layout, named or not. They become cells of the grid,
    and unused cells of the last row become holes. Returns the layout itself if it has no auxiliary
    cells.
    """
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
    """Return puzzles (n, cells) extended to the cells of `board`.

    `board` is the result of `with_cells_below`. The cells below the grid get the value `blank`.
    """
    wide = np.full((len(cells), board.cells), blank, cells.dtype)
    wide[:, : cells.shape[1]] = cells
    return wide


def narrowed(batch: Batch, solution_size: int) -> Batch:
    """Return the batch with each solution cut to its first `solution_size` cells."""
    listed = batch.listed
    return replace(
        batch,
        solutions=batch.solutions[:, :solution_size],
        listed=None if listed is None else tuple(each[:, :solution_size] for each in listed),
    )
