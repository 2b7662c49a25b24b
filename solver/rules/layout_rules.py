"""Find out which variants a layout has, given its houses, not-equal pairs, and constraints."""

from solver.board.layout import Layout
from solver.board.primitive_constraints import House, Links
from solver.rules.neighbors import EVERYWHERE_RULES

_BY_HOUSE = {
    "diagonal": "diagonal",
    "window": "windoku",
    "group": "disjointgroups",
    "asterisk": "asterisk",
    "centre dot": "centerdot",
    "girandola": "girandola",
}
_BY_LINKS = {"a knight's move": "antiknight", "a king's move": "antiking"}
_MOVES = {"antiknight": [1, 2], "antiking": [1, 1]}  # distances in rows and columns, sorted
_EVERYWHERE = frozenset(rule.name for rule in EVERYWHERE_RULES)


def plain_kind(house: House) -> str:
    """Return the kind of a house without the name of its grid: "box" for "grid 2, box"."""
    return house.kind.rpartition(", ")[2]


def variants_of(layout: Layout) -> list[str]:
    """Return the names of a layout's variants, without repeats.

    Variants are recognized by their houses, not-equal pairs, and constraints, in this order.
    """
    houses = sorted(layout.houses, key=plain_kind)
    names: list[str | None] = [_variant_of_house(house, layout) for house in houses]
    names += [_variant_of_links(links, layout) for links in layout.links]
    names += [each.name for each in layout.constraints if each.name in _EVERYWHERE]
    return [*dict.fromkeys(name for name in names if name)]


def _variant_of_house(house: House, layout: Layout) -> str | None:
    """Return the name of the variant that a house belongs to, or None.

    Diagonals other than the main ones belong to argyle.
    """
    name = _BY_HOUSE.get(plain_kind(house))
    places = [divmod(cell, layout.columns) for cell in house.cells]
    falls = all(row == column for row, column in places)
    rises = all(row + column == layout.columns - 1 for row, column in places)
    return "argyle" if name == "diagonal" and not (falls or rises) else name


def _variant_of_links(links: Links, layout: Layout) -> str | None:
    """Return the name of the variant to which not-equal pairs of this kind belong, or None.

    The variants are antiknight and antiking. If a pair wraps around the edge of the grid, it is the
    toroidal form of the variant.
    """
    name = _BY_LINKS.get(links.kind)
    if name is None:
        return None
    for pair in links.pairs:
        (row, column), (down, right) = (divmod(cell, layout.columns) for cell in pair)
        if sorted((abs(row - down), abs(column - right))) != _MOVES[name]:
            return f"toroidal{name}"
    return name
