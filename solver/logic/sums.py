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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.primitive_constraints import House, Sum

SUM_CODE, INNIES_CODE, OUTIES_CODE, BOTH_CODE = range(3000, 3004)
MOST_SUMS = 512
MOST_TERMS = 32
MOST_HOUSES = 16
_MOST_DERIVED_TERMS = 9
_GROUPS_IN_BATCH = 256  # groups of houses, so that arrays for large boards fit into memory

Matrix = NDArray[np.float32]  # (groups, members), 1 where a group has the member; else 0


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
    """Return the usable sums of a layout, followed by sums derived from its houses and cages.

    Derived sums have at most nine cells. They are sorted by their number of cells, then of houses.
    At most MOST_SUMS sums are returned, and none if the layout has no usable sum (see `is_usable`).
    """
    sums = usable_sums(layout)
    if not sums:
        return []
    given = [
        Equation(SUM_CODE, tuple(zip(part.cells, part.factors, strict=True)), part.target)
        for part in sums
    ]
    known = {frozenset(equation.terms) for equation in given}
    derived: list[Equation] = []
    for equation in _innies_and_outies(layout):
        name = frozenset(equation.terms)
        if name not in known:
            known.add(name)
            derived.append(equation)
    derived.sort(key=lambda equation: (len(equation.terms), len(equation.houses)))
    return [*given, *derived][:MOST_SUMS]


def is_usable(part: Sum, layout: Layout) -> bool:
    """Return whether the techniques for sums support a sum.

    It has at most MOST_TERMS cells, and none of them is a variable.
    """
    return len(part.cells) <= MOST_TERMS and 0 <= min(part.cells) <= max(part.cells) < layout.cells


def usable_sums(layout: Layout) -> list[Sum]:
    """Return the sums of a layout for which `is_usable` holds."""
    return [part for part in layout.sums if is_usable(part, layout)]


def _disjoint_cages(layout: Layout) -> list[Sum]:
    """Return usable sums whose factors are all 1, without those that overlap an earlier one.

    These are mostly cages. `is_usable` decides which sums of the layout are usable.
    """
    taken: set[int] = set()
    cages = []
    for part in usable_sums(layout):
        if set(part.factors) == {1} and taken.isdisjoint(part.cells):
            taken.update(part.cells)
            cages.append(part)
    return cages


@lru_cache(maxsize=16)
def _house_groups(houses: tuple[tuple[int, House], ...]) -> tuple[tuple[int, ...], ...]:
    """Return groups of houses that give sums, as tuples of house indices.

    `houses` are the houses that contain every value, with their indices. The houses of a group have
    the same kind, such as "row", and share no cell. A group has one house, any two houses, or 3 to
    MOST_HOUSES consecutive houses of its kind. If a kind has three or more houses, no group
    contains all of them.
    """
    by_kind: dict[str, list[int]] = {}
    for number, house in houses:
        by_kind.setdefault(house.kind, []).append(number)
    cells = {number: house.cells for number, house in houses}
    found: list[tuple[int, ...]] = []
    for members in by_kind.values():
        most = min(len(members) - 1, MOST_HOUSES)
        groups: list[tuple[int, ...]] = [(house,) for house in members]
        groups += combinations(members, 2)
        groups += [
            tuple(members[start : start + length])
            for length in range(3, most + 1)
            for start in range(len(members) - length + 1)
        ]
        for group in groups:
            own = [cell for number in group for cell in cells[number]]
            if len(own) == len({*own}):
                found.append(group)
    return tuple(found)


def covering_cages(
    layout: Layout, houses: tuple[int, ...], terms: tuple[tuple[int, int], ...]
) -> list[Sum]:
    """Return the cages that were subtracted from houses to derive a sum.

    Cages inside the houses come first. `houses` are house numbers, and `terms` are the terms of the
    sum, as pairs (cell, factor). Returns an empty list if no choice of cages leads to this sum.
    """
    wanted = dict(terms)
    cages = _disjoint_cages(layout)
    inside = {cell for number in houses for cell in layout.houses[number].cells}
    choices = _cage_choices(
        _matrix([[*inside]], layout.cells),
        _matrix([cage.cells for cage in cages], layout.cells),
    )
    for chosen, innies, outies in zip(*(each[0] for each in choices), strict=True):
        left = dict.fromkeys(np.flatnonzero(innies).tolist(), 1)
        left |= dict.fromkeys(np.flatnonzero(outies).tolist(), -1)
        if wanted in (left, {cell: -factor for cell, factor in left.items()}):
            own = [cages[number] for number in np.flatnonzero(chosen)]
            return sorted(own, key=lambda cage: not inside.issuperset(cage.cells))
    return []


def _cage_choices(
    inside: Matrix, cages: Matrix
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """Choose cages to subtract from the totals of groups of houses.

    inside   (groups, cells), the cells of each group's houses
    cages    (cages, cells), the cells of each cage. Cages don't overlap.

    There are three choices of cages: only those inside the houses, all that overlap the houses, and
    those with more than half of their cells inside. Returns for each group and choice the chosen
    cages (groups, 3, cages), the innies (groups, 3, cells), and the outies (groups, 3, cells).
    Innies are cells of the houses in none of these cages, and outies are cells of these cages
    outside the houses.
    """
    overlap = inside @ cages.T
    sizes = cages.sum(axis=1)
    chosen = np.stack([overlap == sizes, overlap > 0, 2 * overlap > sizes], axis=1)
    covered = chosen.astype(np.float32) @ cages > 0
    is_inside = (inside > 0)[:, None]
    return chosen, is_inside & ~covered, covered & ~is_inside


def _matrix(groups: Sequence[Sequence[int]], count: int) -> Matrix:
    """Return the matrix (groups, count) with 1 for each member of a group, else 0.

    The members of the groups are numbers below `count`, which are the column indices.
    """
    matrix = np.zeros((len(groups), count), np.float32)
    for row, members in enumerate(groups):
        matrix[row, list(members)] = 1
    return matrix


def _innies_and_outies(layout: Layout) -> Iterator[Equation]:
    """Yield the sums of few cells that follow from the total of some houses and the cages in them.

    An equation contains innies, outies, or both. Houses for which no cage is chosen (see
    `_cage_choices`) give none.
    """
    complete = tuple(
        (number, house)
        for number, house in enumerate(layout.houses)
        if len(house.cells) == layout.size
    )
    cages = _disjoint_cages(layout)
    cells_of_cages = _matrix([cage.cells for cage in cages], layout.cells)
    cells_of_houses = _matrix([house.cells for house in layout.houses], layout.cells)
    targets = np.array([cage.target for cage in cages], np.int64)
    total = sum(layout.numbers)
    all_groups = _house_groups(complete)
    for start in range(0, len(all_groups), _GROUPS_IN_BATCH):
        groups = all_groups[start : start + _GROUPS_IN_BATCH]
        inside = _matrix(groups, len(layout.houses)) @ cells_of_houses
        chosen, innies, outies = _cage_choices(inside, cells_of_cages)
        count = innies.sum(axis=2) + outies.sum(axis=2)
        # Houses without a complete cage imply no more than that each digit occurs in each house.
        is_short = (count > 0) & (count <= _MOST_DERIVED_TERMS) & chosen.any(axis=2)
        lefts = (chosen.astype(np.int64) @ targets)[is_short].tolist()
        numbers = np.nonzero(is_short)[0].tolist()
        # The terms of all equations, one equation after the other. Most occur several times.
        terms = np.concatenate([innies, outies], axis=2)[is_short].nonzero()[1].tolist()
        ends = count[is_short].cumsum().tolist()
        known = set()
        for number, left, first, end in zip(numbers, lefts, [0, *ends], ends, strict=False):
            own = tuple(terms[first:end])
            if own not in known:
                known.add(own)
                houses = groups[number]
                plus = [cell for cell in own if cell < layout.cells]
                minus = [cell - layout.cells for cell in own if cell >= layout.cells]
                yield _equation(plus, minus, len(houses) * total - left, houses)


def _equation(innies: list[int], outies: list[int], left: int, houses: tuple[int, ...]) -> Equation:
    """Return the equation that the sum of the innies minus the sum of the outies is `left`.

    `houses` are the houses from which it was derived.
    """
    if innies and outies:
        terms = [*((cell, 1) for cell in innies), *((cell, -1) for cell in outies)]
        return Equation(BOTH_CODE, tuple(terms), left, houses)
    if innies:
        return Equation(INNIES_CODE, tuple((cell, 1) for cell in innies), left, houses)
    return Equation(OUTIES_CODE, tuple((cell, 1) for cell in outies), -left, houses)
