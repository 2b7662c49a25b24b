"""Is a constraint kept? Rules by their names, judged apart from what engines are told of them."""

from collections.abc import Sequence

from solver.board.layout import Kept, Layout
from solver.checks.rules.chaos import CHAOS_CHECKS
from solver.checks.rules.counting import COUNTING_CHECKS
from solver.checks.rules.filled import Check, Filled
from solver.checks.rules.lines import LINE_CHECKS
from solver.checks.rules.neighbours import NEIGHBOUR_CHECKS
from solver.checks.rules.outside import OUTSIDE_CHECKS
from solver.checks.rules.pairs import PAIR_CHECKS
from solver.checks.rules.sets import SET_CHECKS
from solver.checks.rules.sums import SUM_CHECKS
from solver.checks.rules.whole import WHOLE_CHECKS

CHECKS: dict[str, Check] = {
    **PAIR_CHECKS,
    **LINE_CHECKS,
    **SUM_CHECKS,
    **OUTSIDE_CHECKS,
    **COUNTING_CHECKS,
    **NEIGHBOUR_CHECKS,
    **SET_CHECKS,
    **WHOLE_CHECKS,
    **CHAOS_CHECKS,
}


def is_kept(constraint: Kept, grid: Sequence[int], layout: Layout) -> bool:
    """Return whether a full grid (cells,) of values 1…N keeps a constraint.

    The values of variables, if the constraint is about some, stand behind those of the grid.
    """
    if constraint.options:
        return any(
            all(is_kept(each, grid, layout) for each in option) for option in constraint.options
        )
    shift = layout.lowest - 1
    numbers = [grid[cell] + shift for cell in constraint.cells]
    every = [value + shift for value in grid]
    filled = Filled(numbers, constraint.cells, constraint.value, layout, every)
    return CHECKS[constraint.name](filled)
