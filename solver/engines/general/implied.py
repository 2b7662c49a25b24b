"""Sums that follow from others and from houses: innies, outies and what is beyond a house."""

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import compress
from operator import or_

from solver.board.layout import Layout, Sum
from solver.engines.general.differing import (
    PeerBits,
    as_bits,
    bits_of,
    cells_of,
    do_differ,
    runs_by_house,
)
from solver.engines.general.graph import graph_of
from solver.engines.general.together import taken_together

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


@lru_cache(maxsize=8)
def sums_of(layout: Layout) -> tuple[Sum, ...]:
    """Return the sums of a layout, and those that follow from what its cells add up to."""
    if not layout.sums and all(_added(allowed) is None for allowed in _tables(layout)):
        return ()
    return (*layout.sums, *implied_sums(layout, peer_bits(layout), house_bits(layout)))


@lru_cache(maxsize=8)
def house_bits(layout: Layout) -> tuple[int, ...]:
    """Return the cells of each house of a layout as bits."""
    return tuple(bits_of(graph_of(layout).own_words))


@lru_cache(maxsize=8)
def peer_bits(layout: Layout) -> tuple[int, ...]:
    """Return for each cell of a layout the cells that must differ from it as bits."""
    return tuple(bits_of(graph_of(layout).peer_words))


def implied_sums(layout: Layout, peers: PeerBits, houses: Sequence[int]) -> tuple[Sum, ...]:
    """Return what follows for few cells, or for more if that leaves them little freedom.

    Given are which cells differ, and the houses of the layout as bits.
    """
    sums = [
        (total.cells, total.target)
        for total in layout.sums
        if {*total.factors} == {1} and len({*total.cells}) == len(total.cells)
    ]
    sums += dict.fromkeys(_sums_of_pairs(layout))
    if not sums:
        return ()
    known = [(as_bits(cells), target) for cells, target in sums]
    differ = [do_differ(cells, peers) for cells, _ in sums]
    implied = _innies_and_outies(_apart([*compress(known, differ)]), houses, layout)
    for cells, target in _beyond_houses(known, houses, layout).items():
        implied.setdefault((cells, 0), target)
    kinds = _full_houses(layout, houses).values()
    for cells, target in taken_together(known, kinds, layout, _NEAR).items():
        implied.setdefault((cells, 0), target)
    return tuple(_as_sum(out, left, target) for (out, left), target in implied.items())


def _tables(layout: Layout) -> set[tuple[int, ...]]:
    """Return what relations allow, each table once."""
    return {relation.allowed for relation in layout.relations}


def _sums_of_pairs(layout: Layout) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield what pairs of cells add up to where their relation leaves one sum."""
    for relation in layout.relations:
        target = _added(relation.allowed)
        if target is not None:
            for pair in relation.pairs:
                yield tuple(sorted(pair)), target + 2 * layout.lowest


@lru_cache(maxsize=256)
def _added(allowed: tuple[int, ...]) -> int | None:
    """Return what two values that go together always add up to, counted from 0; None if nothing."""
    added = None
    for value, other in enumerate(allowed):
        if other:
            total = value + other.bit_length() - 1
            if other.bit_count() > 1 or (added is not None and total != added):
                return None
            added = total
    return added


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
        covered, difference = 0, -total * number
        for part in _by_place(cages, region):
            for cells, target in part:
                covered |= cells
                difference += target
            out, left = covered & ~region, region & ~covered
            more, less = out.bit_count(), left.bit_count()
            if min(more, less) > _MOST_ON_BOTH_SIDES or more == less == 0:
                continue
            added = difference
            if more < less:
                out, left, added = left, out, -difference
            most = layout.size if left == 0 and out & ~known else _MOST_CELLS
            if more + less <= most:
                implied.setdefault((out, left), added)
    return implied


def _by_place(cages: list[_Known], region: int) -> Iterator[list[_Known]]:
    """Yield the cages that lie in a region, those that do so mostly, by half, and hardly."""
    parts: tuple[list[_Known], ...] = ([], [], [], [])
    for cage in cages:
        if inside := cage[0] & region:
            if inside == cage[0]:
                parts[0].append(cage)
                continue
            more = 2 * inside.bit_count() - cage[0].bit_count()
            parts[1 if more > 0 else 2 if more == 0 else 3].append(cage)
    return filter(None, parts)


def _beyond_houses(sums: list[_Known], houses: Sequence[int], layout: Layout) -> dict[int, int]:
    """Return what is left of sums that cover a house if it is taken away, where that is tight.

    Full houses among the cells beyond are taken away as well.
    """
    total = sum(layout.numbers)
    full = [house for house in houses if house.bit_count() == layout.size]
    once, shared = 0, 0
    for cells, _ in sums:
        shared |= once & cells
        once |= cells
    # Sums that share few cells with others come first, for they leave room for more.
    pieces = sorted(sums, key=lambda known: (known[0] & shared).bit_count())
    pieces += [(house, total) for house in full]
    tight: dict[int, int] = {}
    for house in full:
        beyond, target = _cover(house, pieces)
        if house & ~beyond:
            continue
        beyond, target = beyond ^ house, target - total
        for other in full if beyond.bit_count() >= layout.size else ():
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
            if not house & ~covered:
                break
    return covered, target


def _is_tight(cells: int, target: int, houses: Sequence[int], numbers: range) -> bool:
    """Return whether a target is near to the least or the greatest sum that cells can have.

    Each run of n cells that differ takes n·(n − 1) / 2 off at both ends of the range. Runs are
    looked at, long ones first, as long as those that are left can take off enough.
    """
    left = cells.bit_count()
    distance = min(target - left * numbers[0], left * numbers[-1] - target)
    too_far = _NEAR * distance - left * (numbers[-1] - numbers[0])
    gain = (_NEAR - 2) / 2
    for run in runs_by_house(cells, houses):
        length = run.bit_count()
        if not 0 < too_far <= gain * left * (length - 1):
            break
        too_far -= gain * length * (length - 1)
        left -= length
    return too_far <= 0


def _as_sum(plus: int, minus: int, target: int) -> Sum:
    more, less = cells_of(plus), cells_of(minus)
    return Sum((*more, *less), (1,) * len(more) + (-1,) * len(less), target)


def _apart(sums: list[_Known]) -> list[_Known]:
    """Return sums of which no two share a cell, the first ones."""
    taken = 0
    chosen = []
    for cells, target in sums:
        if not cells & taken:
            taken |= cells
            chosen.append((cells, target))
    return chosen


def _regions(layout: Layout, houses: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Return the number of houses and the cells as bits: single houses, and neighbouring lines."""
    for kind, alike in _full_houses(layout, houses).items():
        most = _MOST_HOUSES if kind in ("row", "column") else 1
        for first in range(len(alike)):
            region = 0
            for number, own in enumerate(alike[first : first + most], 1):
                region |= own
                yield number, region


def _full_houses(layout: Layout, houses: Sequence[int]) -> dict[str, list[int]]:
    """Return the full houses of each kind as bits."""
    full: dict[str, list[int]] = {}
    for house, cells in zip(layout.houses, houses, strict=True):
        if len(house.cells) == layout.size:
            full.setdefault(house.kind, []).append(cells)
    return full
