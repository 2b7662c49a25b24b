"""How cells see each other: their houses and peers, and the rules that link them, in words."""

from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import product

from solver.board.layout import Layout
from solver.board.primitive_constraints import Links
from solver.logic.sentences.places import groups_of_pairs, house_name

_MOST_LAYOUTS = 16  # whose tables are kept


@lru_cache(maxsize=_MOST_LAYOUTS)
def houses_of_cells(layout: Layout) -> tuple[tuple[int, ...], ...]:
    """Return, by cell, the houses that contain it, as indices into the layout's houses."""
    houses: list[list[int]] = [[] for _ in range(layout.cells)]
    for number, house in enumerate(layout.houses):
        for cell in house.cells:
            houses[cell].append(number)
    return tuple(map(tuple, houses))


@lru_cache(maxsize=_MOST_LAYOUTS)
def _rules_of_pairs(layout: Layout) -> dict[frozenset[int], str]:
    """Return {pair of cells: the rule that makes them differ}, such as "a knight's move apart".

    It has all not-equal pairs, but no pairs that differ only because of a house.
    """
    groups = groups_of_pairs(layout)
    return {
        frozenset(pair): groups.get((links.kind, frozenset(pair)), links.place)
        for links in reversed(layout.links)
        for pair in links.pairs_in_grid(layout.cells)
    }


@lru_cache(maxsize=_MOST_LAYOUTS)
def peers_of_cells(layout: Layout) -> tuple[frozenset[int], ...]:
    """Return, by cell, the cells that it sees through houses and not-equal pairs."""
    peers: list[set[int]] = [set() for _ in range(layout.cells)]
    for house in layout.houses:
        for cell in house.cells:
            peers[cell].update(house.cells)
    for pair in _rules_of_pairs(layout):
        for cell in pair:
            peers[cell].update(pair)
    return tuple(frozenset(seen - {cell}) for cell, seen in enumerate(peers))


@lru_cache(maxsize=_MOST_LAYOUTS)
def links_without_constraint(layout: Layout) -> tuple[Links, ...]:
    """Return a layout's not-equal pairs that come from no constraint, such as knight's moves."""
    made = [constraint.parts(layout) for constraint in layout.constraints]
    covered = {part for own in made if not isinstance(own, str) for part in own}
    return tuple(links for links in layout.links if links not in covered)


def common_houses(layout: Layout, cells: Iterable[int]) -> list[int]:
    """Return the houses that contain all of the cells, as indices into the layout's houses."""
    first, *rest = cells
    return [
        house
        for house in houses_of_cells(layout)[first]
        if all(cell in layout.houses[house].cells for cell in rest)
    ]


def seen_through(layout: Layout, cells: Collection[int], others: Collection[int]) -> str | None:
    """Return the houses or rules through which each of the cells sees each of the others.

    For example, "row 1", "a knight's move apart", or "row 1 and a knight's move apart". A single
    house is preferred, and rules come last. Returns None if one of the cells doesn't see one of the
    others.
    """
    shared = common_houses(layout, (*cells, *others))
    if shared:
        return house_name(layout, layout.houses[shared[0]])
    houses: list[str] = []
    rules: list[str] = []
    for pair in product(cells, others):
        if common := common_houses(layout, pair):
            houses.append(house_name(layout, layout.houses[common[0]]))
        elif rule := _rules_of_pairs(layout).get(frozenset(pair)):
            rules.append(rule)
        else:
            return None
    return " and ".join(dict.fromkeys((*houses, *rules)))


def see_each_other(layout: Layout, cells: Collection[int], others: Collection[int]) -> bool:
    """Return whether each of `cells` sees each of `others`. A cell doesn't see itself."""
    peers = peers_of_cells(layout)
    return all(peers[cell].issuperset(others) for cell in cells)
