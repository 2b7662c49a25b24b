"""Sums that follow from cages and houses ("innies and outies")."""

from collections.abc import Iterator

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
    cages = _disjoint(layout.sums)
    if not cages:
        return ()
    total = sum(layout.numbers)
    found: dict[tuple[int, ...], Sum] = {}
    for houses, region in _regions(layout):
        inside = [cage for cage in cages if region.issuperset(cage.cells)]
        left = region.difference(*(cage.cells for cage in inside))
        touching = [cage for cage in cages if not region.isdisjoint(cage.cells)]
        covered = {cell for cage in touching for cell in cage.cells}
        out = covered - region
        inner = total * houses - sum(cage.target for cage in inside)
        outer = sum(cage.target for cage in touching) - total * houses
        cases = [(left, inner)] if inside else []
        if covered >= region:
            cases.append((out, outer))
        for cells, target in cases:
            key = tuple(sorted(cells))
            if 0 < len(key) <= _MOST_CELLS and key not in found:
                found[key] = Sum(key, (1,) * len(key), target)
    return tuple(found.values())


def _disjoint(sums: tuple[Sum, ...]) -> list[Sum]:
    """Return sums of which no two share a cell, all factors 1."""
    taken: set[int] = set()
    chosen = []
    for one in sums:
        if set(one.factors) == {1} and taken.isdisjoint(one.cells):
            taken.update(one.cells)
            chosen.append(one)
    return chosen


def _regions(layout: Layout) -> Iterator[tuple[int, set[int]]]:
    """Return the number of houses and the cells: single houses, and neighbouring lines."""
    for kind in dict.fromkeys(house.kind for house in layout.houses):
        houses = [
            house
            for house in layout.houses
            if house.kind == kind and len(house.cells) == layout.size
        ]
        longest = _MOST_HOUSES if kind in ("row", "column") else 1
        for number in range(1, min(longest, len(houses)) + 1):
            for first in range(len(houses) - number + 1):
                together = houses[first : first + number]
                yield number, {cell for house in together for cell in house.cells}
