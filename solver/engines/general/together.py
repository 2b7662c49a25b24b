"""Sums that say more together than each alone: without a common cell, taken as one.

Cells of one house differ, so the more of them a sum has, the less freedom it leaves them. Four
little killers of 49 on neighbouring diagonals have 23, 20, 20 and 12 to spare in the boxes that
they cross, of a range of 52 to 58 each; as one they have 2 of 76.
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import chain
from operator import or_

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.compiling.arrays import starts

_FEWEST_CELLS = 6  # of each sum; shorter ones are tight by themselves, or say little
_Numbers = NDArray[np.int64]


def taken_together(
    sums: Sequence[tuple[int, int]], kinds: Iterable[Sequence[int]], layout: Layout, near: float
) -> dict[int, int]:
    """Return unions of sums and their targets, given the full houses of each kind; cells as bits.

    Two are taken as one where that leaves less of its range to the union than to either, the
    best first; it is of use if the whole range is `near` times as wide as what is left.
    """
    long = [each for each in sums if each[0].bit_count() >= _FEWEST_CELLS]
    apart = np.array([[not own & other for other, _ in long] for own, _ in long])
    separate = [kind for kind in kinds if sum(kind) == reduce(or_, kind)]
    if not apart.any() or not separate:
        return {}
    houses = [*chain.from_iterable(separate)]
    first = starts(map(len, separate))[:-1]
    inside = np.array([[(own & house).bit_count() for house in houses] for own, _ in long])
    lengths = np.array([own.bit_count() for own, _ in long])
    targets = np.array([target for _, target in long]) - lengths * layout.lowest
    freedom = _freedom(inside, lengths, targets, first, layout.size)
    unions: set[int] = set()
    while True:
        free = _freedom(
            inside[:, None] + inside,
            lengths[:, None] + lengths,
            targets[:, None] + targets,
            first,
            layout.size,
        )
        free[~apart | (free >= np.minimum(freedom[:, None], freedom))] = np.inf
        best = int(free.argmin())
        a, b = sorted(divmod(best, len(long)))
        if free.item(best) == np.inf:
            return {own: target for own, target in long if own in unions}
        freedom[a] = free.item(best)
        long[a] = (long[a][0] | long[b][0], long[a][1] + long[b][1])
        if near * freedom[a] <= 1:
            unions.add(long[a][0])
        for each in (inside, lengths, targets):
            each[a] += each[b]
        apart[a] &= apart[b]
        apart[:, a] &= apart[:, b]
        del long[b]
        rest = np.arange(len(freedom)) != b
        inside, lengths, targets, freedom = (
            each[rest] for each in (inside, lengths, targets, freedom)
        )
        apart = apart[rest][:, rest]


def _freedom(
    inside: _Numbers, lengths: _Numbers, targets: _Numbers, first: NDArray[np.int32], size: int
) -> NDArray[np.float64]:
    """Return how near targets, counted from 0, are to a bound, as part of the range of sums.

    By the kind of house that leaves least, given how many cells are in each house and the first
    house of each kind; 0 where there is no way, or only one.
    """
    squares = np.add.reduceat(inside * inside, first, axis=-1)
    covered = np.add.reduceat(inside, first, axis=-1)
    low = (squares - covered) // 2
    span = covered - squares + lengths[..., None] * (size - 1)
    above = targets[..., None] - low
    slack = np.maximum(np.minimum(above, span - above), 0)
    free: NDArray[np.float64] = (slack / np.maximum(span, 1)).min(axis=-1)
    return free
