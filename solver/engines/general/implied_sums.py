"""Implied sums: from other sums and houses, and from relations that allow only one sum."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, pairwise

import numpy as np

from solver.board.layout import Layout
from solver.board.primitive_constraints import Sum
from solver.compiling.ragged import csr
from solver.engines.general.all_different import as_bits, bits_of, cells_of
from solver.engines.general.graph import graph_of
from solver.engines.general.innies_and_outies import NEAR, find_implied
from solver.engines.general.merged_sums import FEWEST_CELLS, merge_sums

# Adjacent rows or columns that are combined to one region. Thousands of guesses on the 84 public
# variants, at most 200 a puzzle: 203; with 2: 207; with 8: 204.
_MOST_HOUSES = 4


@lru_cache(maxsize=8)
def sums_of(layout: Layout) -> tuple[Sum, ...]:
    """Return the sums of a layout, followed by those that they imply (see `implied_sums`).

    Relations that allow only one sum count as sums, too. Without any sums, the result is ().
    """
    if not layout.sums and all(_added(allowed) is None for allowed in _tables(layout)):
        return ()
    return (*layout.sums, *implied_sums(layout))


def implied_sums(layout: Layout) -> list[Sum]:
    """Return sums that follow from the layout's sums, its relations, and the totals of houses.

    Sums of many cells are included only if their target is close to the least or the greatest
    possible sum, because only such sums exclude many combinations of values.
    """
    sums = [
        (total.cells, total.target)
        for total in layout.sums
        if total.factors.count(1) == len({*total.cells}) == len(total.cells)
    ]
    sums += dict.fromkeys(_sums_of_pairs(layout))
    if not sums:
        return []
    graph = graph_of(layout)
    full = _full_houses(layout)
    windows = [
        min(_MOST_HOUSES if kind in ("row", "column") else 1, len(alike) - first)
        for kind, alike in full.items()
        for first in range(len(alike))
    ]
    (cells, factors, ranges), targets = find_implied(
        *csr([cells for cells, _ in sums]),
        np.array([target for _, target in sums], np.int64),
        np.array([*chain.from_iterable(full.values())], np.int32),
        np.array(windows, np.int32),
        graph.own_words, graph.peer_words, layout.size, layout.lowest,
    )  # fmt: skip
    read, counted, bounds = cells.tolist(), factors.tolist(), pairwise(ranges.tolist())
    implied = [
        Sum(tuple(read[begin:end]), tuple(counted[begin:end]), target)
        for (begin, end), target in zip(bounds, targets.tolist(), strict=True)
    ]
    long = [(as_bits(cells), target) for cells, target in sums if len(cells) >= FEWEST_CELLS]
    if len(long) > 1:
        houses = bits_of(graph.own_words)
        kinds = [[houses[number] for number in alike] for alike in full.values()]
        known = {total.cells for total in implied if -1 not in total.factors}
        for bits, target in merge_sums(long, kinds, layout, NEAR).items():
            together = tuple(cells_of(bits))
            if together not in known:
                implied.append(Sum(together, (1,) * len(together), target))
    return implied


def _full_houses(layout: Layout) -> dict[str, list[int]]:
    """Return the indices of the full houses in `layout.houses`, by the kind of house."""
    full: dict[str, list[int]] = {}
    for number, house in enumerate(layout.houses):
        if len(house.cells) == layout.size:
            full.setdefault(house.kind, []).append(number)
    return full


def _tables(layout: Layout) -> set[tuple[int, ...]]:
    """Return the different tables of allowed values among the layout's relations.

    A table has the values, as bits, that the second cell can have for each value of the first.
    """
    return {relation.allowed for relation in layout.relations}


def _sums_of_pairs(layout: Layout) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield (cells, target) for each pair of cells whose relation allows only one sum.

    A pair may occur several times.
    """
    for relation in layout.relations:
        target = _added(relation.allowed)
        if target is not None:
            for pair in relation.pairs:
                yield tuple(sorted(pair)), target + 2 * layout.lowest


@lru_cache(maxsize=256)
def _added(allowed: tuple[int, ...]) -> int | None:
    """Return the sum of two related values, counted from 0, or None if it isn't always the same.

    allowed[v] are the values, as bits, that the second cell can have if the first one has v.
    Returns None as well if the relation allows nothing.
    """
    added = None
    for value, other in enumerate(allowed):
        if other:
            total = value + other.bit_length() - 1
            if other.bit_count() > 1 or (added is not None and total != added):
                return None
            added = total
    return added
