"""Explain in one sentence why a puzzle has several solutions."""

from collections.abc import Sequence
from math import isqrt

import numpy as np

from solver.logic.sentences.wording import listed
from worker.records.boards import StoredBoard

# Maximum number of cells that are compared, over all pairs of solutions
_MAX_COMPARED = 4_000_000
_MAX_NAMED = 12  # cells
_SWAPPED = 2  # values


def reason_for_several(grids: Sequence[Sequence[int]], board: StoredBoard) -> str:
    """Describe how the two most similar solutions of a puzzle differ.

    `grids` contains two or more solutions, with the values of their cells from 1. Only the first
    ones of many are compared. If the two have the same two values in other cells, these can be
    swapped, and the cells form a deadly pattern. Returns "" if the solutions differ only in their
    regions.
    """
    cells = board.layout.cells
    solutions = np.array(grids[: max(2, isqrt(_MAX_COMPARED // cells))])
    distances = (solutions[:, None] != solutions[None]).sum(axis=2)
    np.fill_diagonal(distances, cells + 1)
    one, other = solutions[list(divmod(int(distances.argmin()), len(solutions)))]
    differing = np.flatnonzero(one != other).tolist()
    if not differing:
        return ""
    values = sorted({*one[differing].tolist(), *other[differing].tolist()})
    places = listed([board.layout.cell_name(cell) for cell in differing])
    symbols = listed([board.symbols.values[value - 1] for value in values])
    if len(differing) > _MAX_NAMED:
        pair = "The two" if len(grids) == 2 else "Even the two most similar"
        return (
            f"{pair} solutions differ in {len(differing):,} cells, and no given or rule decides "
            "between them."
        )
    beginning = "For example, " if len(grids) > 2 else ""
    if len(values) == _SWAPPED:
        way = f"{symbols} can be swapped in {places} without breaking a rule (a deadly pattern)."
    else:
        way = f"{places} can be filled with {symbols} in two ways that fit all givens and rules."
    return beginning + way
