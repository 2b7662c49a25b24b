"""Sums that say more together than each alone: without a common cell, taken as one.

Cells of one house differ, so the more of them a sum has, the less freedom it leaves them. Four
little killers of 49 on neighbouring diagonals have 23, 20, 20 and 12 to spare in the boxes that
they cross, of a range of 52 to 58 each; as one they have 2 of 76.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.engines.general.differing import as_bits, marks_of

_FEWEST_CELLS = 6  # of each sum; shorter ones are tight by themselves, or say little
_Floats = NDArray[np.float64]


def taken_together(
    sums: Sequence[tuple[Sequence[int], int]], layout: Layout, near: float
) -> dict[int, int]:
    """Return unions of sums, cells as bits, and their targets.

    Two are taken as one where that leaves less of its range to the union than to either, the
    best first; it is of use if the whole range is `near` times as wide as what is left.
    """
    long = [each for each in sums if len(each[0]) >= _FEWEST_CELLS]
    if len(long) < 2:
        return {}
    cells = marks_of([own for own, _ in long], layout.cells).astype(np.float64)
    targets = np.array([target - len(own) * layout.lowest for own, target in long], np.float64)
    kinds = _kinds(layout)
    unions: set[int] = set()  # numbers of sums that are several
    numbers = [*range(len(long))]
    freedom = _freedom(cells, targets, kinds, layout.size)
    while True:
        both = cells[:, None] + cells
        free = _freedom(both, targets[:, None] + targets, kinds, layout.size)
        free[(both.max(axis=2) > 1) | (free >= np.minimum(freedom[:, None], freedom))] = np.inf
        if free.min() == np.inf:
            break
        a, b = np.unravel_index(free.argmin(), free.shape)
        cells[a] += cells[b]
        targets[a] += targets[b]
        freedom[a] = free[a, b]
        cells, targets, freedom = (np.delete(each, b, axis=0) for each in (cells, targets, freedom))
        unions.add(numbers[a])
        del numbers[b]
    together = {}
    for number, own, target, free_part in zip(numbers, cells, targets, freedom, strict=True):
        if number in unions and near * free_part <= 1:
            members = own.nonzero()[0].tolist()
            together[as_bits(members)] = int(target) + len(members) * layout.lowest
    return together


def _kinds(layout: Layout) -> list[_Floats]:
    """Return the full houses of each kind (cells, houses), no two of which share a cell."""
    full: dict[str, list[Sequence[int]]] = {}
    for house in layout.houses:
        if len(house.cells) == layout.size:
            full.setdefault(house.kind, []).append(house.cells)
    marks = [marks_of(own, layout.cells).T.astype(np.float64) for own in full.values()]
    return [kind for kind in marks if kind.sum(axis=1).max() == 1]


def _freedom(cells: _Floats, targets: _Floats, kinds: list[_Floats], size: int) -> _Floats:
    """Return how near targets, counted from 0, are to a bound, as part of the range of sums.

    By the kind of house that leaves least; 0 where there is no way, or only one.
    """
    least_freedom = np.full(targets.shape, np.inf)
    for kind in kinds:
        inside = cells @ kind
        outside = cells.sum(axis=-1) - inside.sum(axis=-1)
        low = (inside * (inside - 1)).sum(axis=-1) / 2
        span = (inside * (size - inside)).sum(axis=-1) + outside * (size - 1)
        slack = np.minimum(targets - low, low + span - targets)
        part = np.maximum(slack, 0) / np.maximum(span, 1)
        least_freedom = np.minimum(least_freedom, part)
    return least_freedom
