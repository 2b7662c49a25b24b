"""Checks of constraints by the names of their rules, independent of what the engines receive."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import ConstraintLike, Layout
from solver.checks.rules.chaos import CHAOS_CHECKS
from solver.checks.rules.counting import COUNTING_CHECKS
from solver.checks.rules.filled import Check, Filled
from solver.checks.rules.grid_rules import GRID_CHECKS
from solver.checks.rules.lines import LINE_CHECKS
from solver.checks.rules.neighbors import NEIGHBOR_CHECKS
from solver.checks.rules.outside import OUTSIDE_CHECKS
from solver.checks.rules.pairs import PAIR_CHECKS
from solver.checks.rules.sets import SET_CHECKS
from solver.checks.rules.sums import SUM_CHECKS

CHECKS: dict[str, Check] = {
    **PAIR_CHECKS,
    **LINE_CHECKS,
    **SUM_CHECKS,
    **OUTSIDE_CHECKS,
    **COUNTING_CHECKS,
    **NEIGHBOR_CHECKS,
    **SET_CHECKS,
    **GRID_CHECKS,
    **CHAOS_CHECKS,
}


def are_kept(constraints: Iterable[ConstraintLike], grid: Sequence[int], layout: Layout) -> bool:
    """Return whether a full grid (cells,) of values 1…N satisfies all of the constraints.

    If the layout has variables, their values follow those of the cells in `grid`.
    """
    shift = layout.lowest - 1
    numbers = [value + shift for value in grid] if shift else grid
    return all(_is_kept(constraint, numbers, layout) for constraint in constraints)


def _is_kept(constraint: ConstraintLike, grid: Sequence[int], layout: Layout) -> bool:
    """Return whether a full grid satisfies a constraint.

    `grid` has the number of each cell, and then that of each variable. The number of value 1 is
    `layout.lowest`. A disjunction is satisfied if all constraints of at least one option are.
    """
    if constraint.options:
        return any(
            all(_is_kept(each, grid, layout) for each in option) for option in constraint.options
        )
    cells = constraint.cells
    filled = Filled([grid[cell] for cell in cells], cells, constraint.value, layout, grid)
    return CHECKS[constraint.name](filled)


def keeping_constraints(
    layout: Layout, grids: NDArray[np.uint8], filled: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return a mask of the filled grids that satisfy all constraints of a layout.

    The mask has the shape (n,). `grids` has the shape (n, cells), or (n, cells + variables) with
    the values of variables at the end. `filled` (n,) is True for the grids to check. All others get
    False. A grid also gets False if a variable isn't between 1 and `layout.size`. If `grids` lacks
    the variables, constraints on them aren't checked.
    """
    right = filled.copy()
    if grids.shape[1] > layout.cells:
        variables = grids[:, layout.cells :]
        right &= np.all((variables >= 1) & (variables <= layout.size), axis=1)
    judged = layout.constraints
    if grids.shape[1] < layout.solution_size:
        judged = tuple(each for each in judged if max(each.cells, default=0) < grids.shape[1])
    for row in right.nonzero()[0].tolist() if judged else ():
        right[row] = are_kept(judged, grids[row].tolist(), layout)
    return right
