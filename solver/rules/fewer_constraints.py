"""Remove constraints from a layout, and find those that can be removed."""

from collections.abc import Collection
from functools import lru_cache
from typing import cast

from solver.board.layout import Layout
from solver.board.primitive_constraints import FIELDS, House, Links
from solver.rules.registry import compile_constraints, compiled_parts
from solver.rules.rule import Constraint

_REGIONS = "chaosconstruction"  # defines the board, so it isn't removed


def removable_constraints(layout: Layout) -> tuple[int, ...]:
    """Return the indices of the constraints that can be removed.

    Rules for the whole grid and chaos constructions can't, because they define the board.
    """
    return tuple(
        number
        for number, each in enumerate(cast("tuple[Constraint, ...]", layout.constraints))
        if not each.rule.is_variant and each.name != _REGIONS
    )


def without_constraints(layout: Layout, removed: Collection[int]) -> Layout | str:
    """Return a new layout without the constraints at the indices `removed`, or an error message.

    The other constraints are compiled again, because some depend on others. For example, rules
    about adjacent cells without a dot depend on the dots.
    """
    constraints = cast("tuple[Constraint, ...]", layout.constraints)
    left = tuple(each for number, each in enumerate(constraints) if number not in removed)
    return compile_constraints(_bare(layout), left)


@lru_cache(maxsize=8)
def _bare(layout: Layout) -> Layout:
    """Return the layout without its constraints and all that they compile to.

    All other houses and not-equal pairs stay, such as those of variants.
    """
    constraints = cast("tuple[Constraint, ...]", layout.constraints)
    own = [
        part
        for _, parts in compiled_parts(constraints, layout)
        if not isinstance(parts, str)
        for part in parts
    ]
    houses = {part for part in own if isinstance(part, House)}
    # The pairs of several constraints can be joined, but variants use other kinds.
    kinds = {part.kind for part in own if isinstance(part, Links)}
    return layout.changed(
        houses=tuple(house for house in layout.houses if house not in houses),
        links=tuple(links for links in layout.links if links.kind not in kinds),
        constraints=(),
        auxiliary_count=0,
        auxiliary_houses=(),
        **dict.fromkeys(FIELDS, ()),
    )
