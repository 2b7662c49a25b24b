"""Sums that follow from cages and houses ("innies and outies")."""

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_

from solver.layout import Layout, Sum

# Sums of more cells hardly ever rule anything out, and cost time all the same.
_MOST_CELLS = 6
_MOST_HOUSES = 4  # rows or columns side by side, taken as one region


def implied_sums(layout: Layout) -> tuple[Sum, ...]:
    """Return what cages say about the few cells of a region that they leave, or that stick out.

    The values of a house have a known total. Without the cages that lie in a region of whole
    houses, the cells left must make up the rest of it; and where cages cover a region, what
    sticks out of it must make up what they are too much.
    """
    cages = [(_bits(cage.cells), cage.target) for cage in _disjoint(layout.sums)]
    if not cages:
        return ()
    total = sum(layout.numbers)
    found: dict[int, int] = {}  # sums by their cells as bits
    for houses, region in _regions(layout):
        touching = [(cells, target) for cells, target in cages if cells & region]
        left, inner = region, total * houses
        covered, outer = 0, -inner
        for cells, target in touching:
            covered |= cells
            outer += target
            if cells & ~region == 0:
                left &= ~cells
                inner -= target
        cases = [(left, inner)] if left != region else []
        if covered & region == region:
            cases.append((covered & ~region, outer))
        for rest, target in cases:
            if 0 < rest.bit_count() <= _MOST_CELLS:
                found.setdefault(rest, target)
    sums = [(_places(rest), target) for rest, target in found.items()]
    return tuple(Sum(cells, (1,) * len(cells), target) for cells, target in sums)


def _bits(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def _places(bits: int) -> tuple[int, ...]:
    return tuple(cell for cell in range(bits.bit_length()) if bits >> cell & 1)


def _disjoint(sums: tuple[Sum, ...]) -> list[Sum]:
    """Return sums of which no two share a cell, all factors 1."""
    taken: set[int] = set()
    chosen = []
    for one in sums:
        if set(one.factors) == {1} and taken.isdisjoint(one.cells):
            taken.update(one.cells)
            chosen.append(one)
    return chosen


def _regions(layout: Layout) -> Iterator[tuple[int, int]]:
    """Return the number of houses and the cells as bits: single houses, and neighbouring lines."""
    for kind in dict.fromkeys(house.kind for house in layout.houses):
        houses = [
            _bits(house.cells)
            for house in layout.houses
            if house.kind == kind and len(house.cells) == layout.size
        ]
        longest = _MOST_HOUSES if kind in ("row", "column") else 1
        for number in range(1, min(longest, len(houses)) + 1):
            for first in range(len(houses) - number + 1):
                yield number, reduce(or_, houses[first : first + number])
