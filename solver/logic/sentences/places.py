"""Names of houses in sentences, and the reasons why cells see each other."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise

from solver.board.layout import Layout
from solver.board.primitive_constraints import House

# Everybody sees these houses in the grid, so they need no explanation.
_USUAL_KINDS = ("row", "column", "box", "region")

# The constraints whose cells must differ, with the kind of their pairs and their name.
_GROUPS = {
    "killer": ("in a cage", "cage"), "multisum": ("in a cage", "cage"),
    "equality": ("in a cage", "equality cage"), "rellik": ("in a cage", "rellik cage"),
    "different": ("in a group", "extra region"), "lunchbox": ("in a lunchbox", "lunchbox"),
    "renban": ("in a renban", "renban line"),
}  # fmt: skip

_MOVES = {"a knight's move": "a knight's move apart", "a king's move": "a king's move apart"}


def house_name(layout: Layout, house: House) -> str:
    """Return the name of a house, such as "row 4" or "the window at r2c2"."""
    first = layout.cell_name(min(house.cells))
    kind = house.kind.split(" at ", 1)[0]
    match kind:
        case "diagonal":
            return f"the diagonal from {first}"
        case "group" if house.number:
            return f"disjoint group {house.number}"
        case "group" if _is_diagonal(layout, house.cells):
            return f"the diagonal from {first}"
        case "group" | "house":
            return f"the extra region at {first}"
        case "window" | "cage" | "lunchbox" | "renban":
            return f"the {kind} at {first}"
        case "asterisk" | "girandola":
            return f"the {kind}"
        case "centre dot":
            return "the center dots"
    grid, _, line = kind.partition(", ")
    return f"{line} {house.number} of {grid}" if line else house.name


def located(house: str) -> str:
    """Return where the cells of a house are: "in row 4", or "on the diagonal from r1c9"."""
    return f"{'on' if house.startswith('the diagonal') else 'in'} {house}"


def last_place(house: str, cells: Sequence[int]) -> str:
    """Return the reason why a value is in some cells: "last place in row 1" or "last places …".

    `house` is the name of the house.
    """
    return f"last place{'' if len(cells) == 1 else 's'} {located(house)}"


def _is_diagonal(layout: Layout, cells: tuple[int, ...]) -> bool:
    """Return whether the cells are consecutive cells of one diagonal line.

    Any diagonal line counts, not only the two main diagonals. The order of the cells doesn't
    matter. Returns False for fewer than two cells.
    """
    places = [divmod(cell, layout.columns) for cell in sorted(cells)]
    moves = {(row - above, column - before) for (above, before), (row, column) in pairwise(places)}
    return moves in ({(1, 1)}, {(1, -1)})


def groups_of_pairs(layout: Layout) -> dict[tuple[str, frozenset[int]], str]:
    """Return the name of the cage, line, or other group that makes two cells differ.

    The key is the kind of a not-equal pair and the pair. Names are such as "the cage at r1c1" or
    "the renban line r1c1–r1c4".
    """
    groups: dict[tuple[str, frozenset[int]], str] = {}
    for constraint in reversed(layout.constraints):
        if constraint.name not in _GROUPS or not constraint.cells:
            continue
        kind, noun = _GROUPS[constraint.name]
        first, last, least = (
            layout.cell_name(cell)
            for cell in (constraint.cells[0], constraint.cells[-1], min(constraint.cells))
        )
        place = f"{first}–{last}" if constraint.name == "renban" else f"at {least}"
        for pair in combinations(constraint.cells, 2):
            groups[kind, frozenset(pair)] = f"the {noun} {place}"
    return groups


def reason_to_differ(layout: Layout, one: int, other: int) -> str | None:
    """Return why two cells must differ, such as "a knight's move apart" or "in the cage at r1c1".

    The reason completes the sentence "r1c3 and r3c4 are …". The result is None if the cells share a
    row, a column, a box, or a region, which needs no explanation, or if they can be equal.
    """
    return _reasons(layout).get(frozenset((one, other)))


def distance_of(layout: Layout, one: int, other: int) -> int:
    """Return the number of orthogonal steps from one cell to another."""
    places = zip(divmod(one, layout.columns), divmod(other, layout.columns), strict=True)
    return sum(abs(here - there) for here, there in places)


def must_differ(layout: Layout, one: int, other: int) -> bool:
    """Return whether two cells must differ, because of a house or of a not-equal pair."""
    return frozenset((one, other)) in _differing(layout)


@lru_cache(maxsize=32)
def _differing(layout: Layout) -> frozenset[frozenset[int]]:
    pairs = {frozenset(pair) for links in layout.links for pair in links.pairs}
    for house in layout.houses:
        pairs.update(map(frozenset, combinations(house.cells, 2)))
    return frozenset(pairs)


@lru_cache(maxsize=32)
def _reasons(layout: Layout) -> dict[frozenset[int], str]:
    """Return {pair of cells: why they must differ}, such as "in the cage at r1c1".

    Pairs that share a row, column, box, or region aren't included.
    """
    reasons: dict[frozenset[int], str] = {}
    usual: set[frozenset[int]] = set()
    for house in layout.houses:
        pairs = map(frozenset, combinations(house.cells, 2))
        if house.kind.endswith(_USUAL_KINDS):
            usual.update(pairs)
        else:
            name = house_name(layout, house)
            place = located(name)
            reasons.update(dict.fromkeys(pairs, place))
    groups = groups_of_pairs(layout)
    for links in layout.links:
        for pair in map(frozenset, links.pairs):
            group = groups.get((links.kind, pair))
            if group is None:
                reasons[pair] = _MOVES.get(links.kind, links.kind)
            else:
                reasons[pair] = f"{'on' if 'line' in group else 'in'} {group}"
    return {pair: reason for pair, reason in reasons.items() if pair not in usual}
