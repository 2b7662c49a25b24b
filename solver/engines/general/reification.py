"""Disjunctions for clause learning: auxiliary variables that say which constraints hold."""

from functools import lru_cache

from solver.board.layout import Layout
from solver.board.parts import Part, by_field
from solver.engines.auxiliary_cells import with_cells_below


@lru_cache(maxsize=8)
def with_answers(layout: Layout) -> Layout | None:
    """Return a layout with reified disjunctions and the same solutions in its original cells.

    The original cells come first. Returns None if the layout would be too large.
    """
    if not layout.choices:
        return layout
    parts: list[Part] = []
    beside = 0
    for choice in layout.choices:
        asked = choice.ask(layout.cells + beside)
        if asked is None:
            return None
        parts += asked[0]
        beside += asked[1]
    fields = {name: (*getattr(layout, name), *more) for name, more in by_field(parts).items()}
    return with_cells_below(layout.changed(**fields | {"choices": (), "unseen": beside}))
