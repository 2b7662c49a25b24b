"""Sums that follow from others and from houses: innies, outies and what is beyond a house."""

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from operator import or_

from solver.board.layout import Layout, Sum
from solver.engines.general.differing import PeerBits, as_bits, cells_of, do_differ, runs_by_house

# Measured with other figures, in thousands of guesses on the 84 public variants, at most 200 a
# puzzle: 203 with these.
#
# Sums of more cells hardly ever rule anything out, and cost time all the same, unless they are all
# that is known of some cell. 3: 417, in three times the time; 8: 198, in the same time.
_MOST_CELLS = 5
_MOST_HOUSES = 4  # rows or columns side by side, taken as one region. 2: 207; 8: 204
_MOST_ON_BOTH_SIDES = 2  # cells of the side that has fewer. 1: 221; 4: 203
# A target is near to a bound if the whole range is so many times as wide. 2.25: 200; 9: 277.
_NEAR = 4.5

_Known = tuple[int, int]  # cells as bits, and what they add up to


def has_sums(layout: Layout) -> bool:
    """Return whether anything may follow from what cells add up to."""
    return bool(layout.sums) or any(_added(each.allowed) is not None for each in layout.relations)


def implied_sums(layout: Layout, peer_bits: PeerBits, houses: Sequence[int]) -> tuple[Sum, ...]:
    """Return what follows for few cells, or for more if that leaves them little freedom.

    Given are the peers of each cell and the houses of the layout, as bits.
    """
    sums = [
        (as_bits(total.cells), total.target)
        for total in layout.sums
        if set(total.factors) == {1} and len({*total.cells}) == len(total.cells)
    ]
    sums += dict.fromkeys(_sums_of_pairs(layout))
    if not sums:
        return ()
    implied = _innies_and_outies(_cages(sums, peer_bits), houses, layout)
    for cells, target in _beyond_houses(sums, houses, layout).items():
        implied.setdefault((cells, 0), target)
    return tuple(_as_sum(out, left, target) for (out, left), target in implied.items())


def _sums_of_pairs(layout: Layout) -> Iterator[_Known]:
    """Yield what pairs of cells add up to where their relation leaves one sum."""
    for relation in layout.relations:
        target = _added(relation.allowed)
        if target is not None:
            for pair in relation.pairs:
                yield as_bits(pair), target + 2 * layout.lowest


@lru_cache(maxsize=256)
def _added(allowed: tuple[int, ...]) -> int | None:
    """Return what two values that go together always add up to, counted from 0; None if nothing."""
    sums = {
        value + other.bit_length() - 1 if other.bit_count() == 1 else None
        for value, other in enumerate(allowed)
        if other
    }
    return sums.pop() if len(sums) == 1 else None


def _innies_and_outies(
    cages: list[_Known], houses: Sequence[int], layout: Layout
) -> dict[tuple[int, int], int]:
    """Return what cages say about the few cells of a region that they leave, or that stick out.

    The values of a house have a known total. What the cages that lie in a region of whole houses,
    or mostly so, add up to, and what the region does, differ by the cells that stick out, less
    those that are left. Targets are given by the cells that count, and those that count as less.
    """
    known = reduce(or_, (cells for cells, _ in cages), 0)
    total = sum(layout.numbers)
    implied: dict[tuple[int, int], int] = {}
    for number, region in _regions(layout, houses):
        # Cages that lie in it, then those that do so mostly, by half, and hardly.
        parts, targets = [0] * 4, [0] * 4
        for cells, target in cages:
            if inside := cells & region:
                outside = cells ^ inside
                more = inside.bit_count() - outside.bit_count()
                part = 0 if not outside else 1 if more > 0 else 2 if more == 0 else 3
                parts[part] |= cells
                targets[part] += target
        covered, total_of_cages = 0, 0
        for cells, target in zip(parts, targets, strict=True):
            if not cells:
                continue
            covered |= cells
            total_of_cages += target
            out, left, difference = covered & ~region, region & ~covered, total_of_cages
            difference -= total * number
            if out.bit_count() < left.bit_count():
                out, left, difference = left, out, -difference
            most = layout.size if left == 0 and out & ~known else _MOST_CELLS
            few = left.bit_count() <= _MOST_ON_BOTH_SIDES
            if out and few and (out | left).bit_count() <= most:
                implied.setdefault((out, left), difference)
    return implied


def _beyond_houses(sums: list[_Known], houses: Sequence[int], layout: Layout) -> dict[int, int]:
    """Return what is left of sums that cover a house if it is taken away, where that is tight.

    Full houses among the cells beyond are taken away as well.
    """
    full = [(house, sum(layout.numbers)) for house in houses if house.bit_count() == layout.size]
    once, shared = 0, 0
    for cells, _ in sums:
        shared |= once & cells
        once |= cells
    # Sums that share few cells with others come first, for they leave room for more.
    sums = sorted(sums, key=lambda known: (known[0] & shared).bit_count())
    tight: dict[int, int] = {}
    for house, total in full:
        beyond, target = _cover(house, [*sums, *full])
        if house & ~beyond:
            continue
        for other, _ in ((house, total), *full):
            if not other & ~beyond:
                beyond ^= other
                target -= total
        if beyond and _is_tight(beyond, target, houses, layout.numbers):
            tight[beyond] = target
    return tight


def _cover(house: int, pieces: list[_Known]) -> _Known:
    """Return the cells of pieces that meet a house, the first ones, of which no two share any."""
    covered, target = 0, 0
    for cells, total in pieces:
        if cells & house and not cells & covered:
            covered |= cells
            target += total
    return covered, target


def _is_tight(cells: int, target: int, houses: Sequence[int], numbers: range) -> bool:
    """Return whether a target is near to the least or the greatest sum that cells can have."""
    lengths = [run.bit_count() for run in runs_by_house(cells, houses)]
    least = sum(sum(numbers[:length]) for length in lengths)
    most = sum(sum(numbers[-length:]) for length in lengths)
    return _NEAR * min(target - least, most - target) <= most - least


def _as_sum(plus: int, minus: int, target: int) -> Sum:
    more, less = cells_of(plus), cells_of(minus)
    return Sum((*more, *less), (1,) * len(more) + (-1,) * len(less), target)


def _cages(sums: list[_Known], peer_bits: PeerBits) -> list[_Known]:
    """Return sums of cells that all differ, of which no two share a cell."""
    taken = 0
    chosen = []
    for cells, target in sums:
        if not cells & taken and do_differ(cells_of(cells), peer_bits):
            taken |= cells
            chosen.append((cells, target))
    return chosen


def _regions(layout: Layout, houses: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Return the number of houses and the cells as bits: single houses, and neighbouring lines."""
    full: dict[str, list[int]] = {}  # by kind
    for house, cells in zip(layout.houses, houses, strict=True):
        if len(house.cells) == layout.size:
            full.setdefault(house.kind, []).append(cells)
    for kind, alike in full.items():
        most = _MOST_HOUSES if kind in ("row", "column") else 1
        for first in range(len(alike)):
            region = 0
            for number, own in enumerate(alike[first : first + most], 1):
                region |= own
                yield number, region
