"""The variants of classic 9×9 boards that Sudoku Explainer's techniques support.

SukakuExplainer extends Sudoku Explainer by options for these rules. A board has any of them:

    windoku, disjoint groups, diagonals   more houses
    anti-king, anti-knight                pairs of cells that can't be equal
    nonconsecutive                        adjacent cells can't have consecutive values
"""

from functools import lru_cache

from solver.board.layout import Layout
from solver.rules.layout_rules import variants_of
from solver.rules.variants import with_variants

# The order is that in which SukakuExplainer lists the cells that a cell sees.
WITH_HOUSES = ("windoku", "disjointgroups", "diagonal")
LEAP_RULES = ("antiking", "antiknight")
NONCONSECUTIVE = "nonconsecutive"
RULES = (*WITH_HOUSES, *LEAP_RULES, NONCONSECUTIVE)
CLASSIC: frozenset[str] = frozenset()

_OTHER_FIELDS = (
    "size", "box", "shape", "holes", "lowest", "variables", "auxiliary_count", "domains",
)  # fmt: skip


@lru_cache(maxsize=256)
def variant_of(layout: Layout) -> frozenset[str] | None:
    """Return the names of a layout's rules, or None if its board or any rule isn't supported.

    Only 9×9 boards with boxes and rules in `RULES` are supported. The result is empty for classic
    boards.
    """
    names = tuple(name for name in variants_of(layout) if name in RULES)
    expected = with_variants(Layout.boxed(3, 3), names)
    if isinstance(expected, str) or _contents(layout) != _contents(expected):
        return None
    return frozenset(names)


def _contents(layout: Layout) -> tuple[object, ...]:
    """Return a value that is equal for two 9×9 layouts if they differ only in the order of parts.

    Houses and not-equal pairs are compared without their names.
    """
    others = [getattr(layout, field) for field in _OTHER_FIELDS]
    return (
        {frozenset(house.cells) for house in layout.houses},
        {frozenset(pair) for links in layout.links for pair in links.pairs},
        {(each.name, frozenset(each.cells), each.value) for each in layout.constraints},
        others,
    )
