"""Sums that follow from cages and houses ("innies and outies")."""

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_

from solver.differing import do_differ, peers_of
from solver.layout import Layout, Sum

# Sums of more cells hardly ever rule anything out, and cost time all the same, unless they are all
# that is known of some cell.
_MOST_CELLS = 5
_MOST_HOUSES = 4  # rows or columns side by side, taken as one region
_MOST_ON_BOTH_SIDES = 2  # of the side that has fewer


def implied_sums(layout: Layout) -> tuple[Sum, ...]:
    """Return what cages say about the few cells of a region that they leave, or that stick out.

    The values of a house have a known total. What the cages that lie in a region of whole houses,
    or mostly so, add up to, and what the region does, differ by the cells that stick out, less
    those that are left.
    """
    cages = [(_bits(cage.cells), cage.target) for cage in _cages(layout)]
    if not cages:
        return ()
    known = reduce(or_, (cells for cells, _ in cages))
    total = sum(layout.numbers)
    found: dict[tuple[int, int], int] = {}  # by the cells that count, and those that count as less
    for houses, region in _regions(layout):
        touching = [
            (cells, target, 2 * (cells & region).bit_count() - cells.bit_count())
            for cells, target in cages
            if cells & region
        ]
        inside = [(cells, target) for cells, target, _ in touching if cells & ~region == 0]
        mostly = [(cells, target) for cells, target, more in touching if more > 0]
        half = [(cells, target) for cells, target, more in touching if more >= 0]
        everything = [(cells, target) for cells, target, _ in touching]
        for chosen in (inside, mostly, half, everything):
            covered = reduce(or_, (cells for cells, _ in chosen), 0)
            target = sum(target for _, target in chosen) - total * houses
            out, left = covered & ~region, region & ~covered
            if out.bit_count() < left.bit_count():
                out, left, target = left, out, -target
            most = layout.size if left == 0 and out & ~known else _MOST_CELLS
            few = left.bit_count() <= _MOST_ON_BOTH_SIDES
            if chosen and out and few and (out | left).bit_count() <= most:
                found.setdefault((out, left), target)
    return tuple(_as_sum(out, left, target) for (out, left), target in found.items())


def _as_sum(plus: int, minus: int, target: int) -> Sum:
    more, less = _places(plus), _places(minus)
    return Sum((*more, *less), (1,) * len(more) + (-1,) * len(less), target)


def _bits(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def _places(bits: int) -> tuple[int, ...]:
    return tuple(cell for cell in range(bits.bit_length()) if bits >> cell & 1)


def _cages(layout: Layout) -> list[Sum]:
    """Return sums of cells that all differ, factors 1, of which no two share a cell."""
    peers = peers_of(layout)
    taken: set[int] = set()
    chosen = []
    for one in layout.sums:
        if do_differ(one.cells, peers) and set(one.factors) == {1} and taken.isdisjoint(one.cells):
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
        most = _MOST_HOUSES if kind in ("row", "column") else 1
        longest = min(most, len(houses))
        for number in range(1, longest + 1):
            for first in range(len(houses) - number + 1):
                yield number, reduce(or_, houses[first : first + number])
