"""Is a constraint kept? Rules by their names, judged apart from what engines are told of them."""

from collections.abc import Sequence

from solver.board.layout import Kept, Layout
from solver.checks.rules.counting import COUNTING_CHECKS
from solver.checks.rules.filled import Check, Filled
from solver.checks.rules.lines import LINE_CHECKS
from solver.checks.rules.neighbours import NEIGHBOUR_CHECKS
from solver.checks.rules.outside import OUTSIDE_CHECKS
from solver.checks.rules.pairs import PAIR_CHECKS
from solver.checks.rules.sums import SUM_CHECKS

CHECKS: dict[str, Check] = {
    **PAIR_CHECKS,
    **LINE_CHECKS,
    **SUM_CHECKS,
    **OUTSIDE_CHECKS,
    **COUNTING_CHECKS,
    **NEIGHBOUR_CHECKS,
}


def is_kept(constraint: Kept, grid: Sequence[int], layout: Layout) -> bool:
    """Return whether a full grid (cells,) of values 1…N keeps a constraint."""
    shift = layout.lowest - 1
    numbers = [grid[cell] + shift for cell in constraint.cells]
    return CHECKS[constraint.name](Filled(numbers, constraint.cells, constraint.value, layout))
