"""Reify disjunctions for clause learning.

To reify a constraint means to add an auxiliary variable that states whether the constraint holds.
"""

from functools import lru_cache

from solver.board.budget import OverBudget, charge, spending
from solver.board.layout import Layout
from solver.board.primitive_constraints import Part, by_field
from solver.engines.auxiliary_cells import with_cells_below

# To reify all disjunctions of a puzzle, see `solver.board.budget`. Public puzzles need 20,000.
_MOST_WORK = 2_000_000
_WORK_OF_A_PART = 5


@lru_cache(maxsize=8)
def with_reified_disjunctions(layout: Layout) -> Layout | None:
    """Return a layout in which all disjunctions are reified.

    The new layout has the same solutions in the cells of `layout`. The auxiliary variables follow
    these cells, as rows below the grid. Returns the layout itself if it has no disjunctions, or
    None if the result would be too large.
    """
    if not layout.disjunctions:
        return layout
    parts: list[Part] = []
    cells = layout.cells
    try:
        with spending(_MOST_WORK):
            for disjunction in layout.disjunctions:
                reified = disjunction.reify(cells)
                if reified is None:
                    return None
                more_parts, more_cells = reified
                parts += more_parts
                cells += more_cells
                charge(_WORK_OF_A_PART * len(more_parts))
    except OverBudget:
        return None
    fields = {name: (*getattr(layout, name), *more) for name, more in by_field(parts).items()}
    changes = {"disjunctions": (), "auxiliary_count": cells - layout.cells}
    return with_cells_below(layout.changed(**fields | changes))
