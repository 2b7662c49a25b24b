"""Sums of cells: those of cages, arrows, and the like, and those derived from houses.

The values of a complete house have a known sum (45 on a usual board), and so do several houses
together. Subtracting the cages inside them leaves the sum of the other cells, the innies. Cages
that extend beyond the houses give the sum of the cells outside, the outies:

    row 1   a a b b c c c d e      a, b, c, and d are cages. Without a, b, and c, which are inside
                          d        row 1, its cells d and e have the rest of 45: they are innies.
                                   With d subtracted as well, e − (d below) is known: an innie
                                   and an outie.

The rule of 45 has been known since the first killer puzzles were published.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from solver.board.layout import Layout
from solver.board.parts import House, Sum

SUM_CODE, INNIES_CODE, OUTIES_CODE, BOTH_CODE = range(3000, 3004)
MOST_SUMS = 512
MOST_TERMS = 32
MOST_HOUSES = 16
_MOST_DERIVED_TERMS = 9


@dataclass(frozen=True, slots=True)
class Equation:
    """A weighted sum of cells with its required total, and the houses that it was derived from.

    `code` is the code of the technique that uses it. `terms` are pairs (cell, factor). `houses` are
    house numbers, empty for a sum of the puzzle itself.
    """

    code: int
    terms: tuple[tuple[int, int], ...]
    total: int
    houses: tuple[int, ...] = ()


def equations(layout: Layout) -> list[Equation]:
    """Return the sums of a layout, followed by sums derived from its houses and cages.

    Derived sums have at most nine cells. They are sorted by their number of cells, then of houses.
    At most MOST_SUMS sums are returned.
    """
    if not layout.sums:
        return []
    given = [
        Equation(SUM_CODE, tuple(zip(part.cells, part.factors, strict=True)), part.target)
        for part in layout.sums
    ]
    known = {frozenset(equation.terms) for equation in given}
    derived: list[Equation] = []
    cages = _disjoint_cages(layout)
    for houses in _house_groups(layout):
        for equation in _innies_and_outies(layout, houses, cages):
            name = frozenset(equation.terms)
            if len(name) <= _MOST_DERIVED_TERMS and name not in known:
                known.add(name)
                derived.append(equation)
    derived.sort(key=lambda equation: (len(equation.terms), len(equation.houses)))
    return [*given, *derived][:MOST_SUMS]


def _disjoint_cages(layout: Layout) -> list[Sum]:
    """Return the layout's sums whose factors are all 1, without those that overlap an earlier one.

    These are mostly cages.
    """
    taken: set[int] = set()
    cages = []
    for part in layout.sums:
        if set(part.factors) == {1} and taken.isdisjoint(part.cells):
            taken.update(part.cells)
            cages.append(part)
    return cages


def _house_groups(layout: Layout) -> Iterator[tuple[int, ...]]:
    """Yield groups of houses that give sums, as tuples of house indices.

    The houses of a group have the same kind, such as "row". They share no cell, and each of them
    contains every value. A group has one house, any two houses, or 3 to MOST_HOUSES consecutive
    houses of its kind. If a kind has three or more houses, no group contains all of them.
    """
    by_kind: dict[str, list[int]] = {}
    for number, house in enumerate(layout.houses):
        if len(house.cells) == layout.size:
            by_kind.setdefault(house.kind, []).append(number)
    for members in by_kind.values():
        most = min(len(members) - 1, MOST_HOUSES)
        groups: list[tuple[int, ...]] = [(house,) for house in members]
        groups += combinations(members, 2)
        groups += [
            tuple(members[start : start + length])
            for length in range(3, most + 1)
            for start in range(len(members) - length + 1)
        ]
        for houses in groups:
            if len(_cells(layout.houses, houses)) == len(houses) * layout.size:
                yield houses


def _cells(houses: tuple[House, ...], numbers: tuple[int, ...]) -> set[int]:
    return {cell for number in numbers for cell in houses[number].cells}


def covering_cages(
    layout: Layout, houses: tuple[int, ...], terms: tuple[tuple[int, int], ...]
) -> list[Sum]:
    """Return the cages that were subtracted from the total of some houses to derive a sum.

    `terms` are the terms of the sum, as in `Equation`. Returns an empty list if no choice of cages
    leads to it.
    """
    wanted = dict(terms)
    for chosen, innies, outies in _cage_choices(layout, houses, _disjoint_cages(layout)):
        left = dict.fromkeys(innies, 1) | dict.fromkeys(outies, -1)
        if wanted in (left, {cell: -factor for cell, factor in left.items()}):
            return chosen
    return []


def _cage_choices(
    layout: Layout, houses: tuple[int, ...], cages: list[Sum]
) -> Iterator[tuple[list[Sum], list[int], list[int]]]:
    """Yield cages to subtract from the total of some houses, with the innies and outies then left.

    There are three choices of cages: only those inside the houses, all that overlap the houses, and
    those with more than half of their cells inside. Each result is a triple: the cages, the innies
    (cells of the houses in none of these cages), and the outies (cells of these cages outside the
    houses). `cages` are cages that don't overlap.
    """
    inside = _cells(layout.houses, houses)
    crossing = [cage for cage in cages if not inside.isdisjoint(cage.cells)]
    within = [cage for cage in crossing if inside.issuperset(cage.cells)]
    crossing = [cage for cage in crossing if not inside.issuperset(cage.cells)]
    mostly = [
        cage for cage in crossing if 2 * len(inside.intersection(cage.cells)) > len(cage.cells)
    ]
    for chosen in (within, [*within, *crossing], [*within, *mostly]):
        covered = {cell for cage in chosen for cell in cage.cells}
        yield chosen, sorted(inside - covered), sorted(covered - inside)


def _innies_and_outies(
    layout: Layout, houses: tuple[int, ...], cages: list[Sum]
) -> Iterator[Equation]:
    """Yield the sums of cells that follow from the total of some houses and the cages in them.

    An equation contains innies, outies, or both.
    """
    total = len(houses) * sum(layout.numbers)
    for chosen, innies, outies in _cage_choices(layout, houses, cages):
        left = total - sum(cage.target for cage in chosen)
        if innies and outies:
            terms = [*((cell, 1) for cell in innies), *((cell, -1) for cell in outies)]
            yield Equation(BOTH_CODE, tuple(terms), left, houses)
        elif innies:
            yield Equation(INNIES_CODE, tuple((cell, 1) for cell in innies), left, houses)
        elif outies:
            yield Equation(OUTIES_CODE, tuple((cell, 1) for cell in outies), -left, houses)
