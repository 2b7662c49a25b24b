"""Merge disjoint sums into sums that are tighter than each on its own.

Cells of one house differ, so a sum with more of them has less freedom. For example, four little
killers of 49 on neighboring diagonals are 23, 20, 20, and 12 away from a bound, if the boxes that
they cross are considered. The ranges of their sums are 52 to 58 wide. Their union is 2 away from a
bound, in a range of 76.
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import chain
from operator import or_

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.compiling.ragged import offsets_of

# Cells of a long sum, at least. Guesses and instructions of the search on 87 puzzles with sums,
# geometric means relative to no merged sums: 6: 0.98 and 0.99; 5: 0.87 and 0.91; 3: 0.83 and 0.89,
# but twice as long to build.
FEWEST_CELLS = 5
# Pairs of sums times houses, as arrays of 8 bytes have them: 270 sums on 9×9. Of more, too few are
# ever taken together to be worth it.
_MOST_COMPARED = 2_000_000
_Numbers = NDArray[np.int64]


def merge_sums(
    sums: Sequence[tuple[int, int]], kinds: Iterable[Sequence[int]], layout: Layout, near: float
) -> dict[int, int]:
    """Merge disjoint sums while that makes them tighter. Return the useful unions.

    `sums` are pairs of a set of cells and a target. `kinds` has the full houses of each kind. All
    sets are integers with one bit per cell. Two sums are merged if their union has less relative
    freedom (see `_freedom`) than either of them, the best pair first. A union is useful if its
    range is at least `near` times as wide as its freedom. Returns {set of cells: target}, or {} if
    there are too many sums.
    """
    long = [*sums]
    kinds = [*kinds]
    if len(long) ** 2 * sum(map(len, kinds)) > _MOST_COMPARED:
        return {}
    apart = np.array([[not own & other for other, _ in long] for own, _ in long])
    separate = [kind for kind in kinds if sum(kind) == reduce(or_, kind)]
    if not apart.any() or not separate:
        return {}
    houses = [*chain.from_iterable(separate)]
    first = offsets_of(map(len, separate))[:-1]
    inside = np.array([[(own & house).bit_count() for house in houses] for own, _ in long])
    lengths = np.array([own.bit_count() for own, _ in long])
    targets = np.array([target for _, target in long]) - lengths * layout.lowest
    freedom = _freedom(inside, lengths, targets, first, layout.size)
    free = _freedom(
        inside[:, None] + inside,
        lengths[:, None] + lengths,
        targets[:, None] + targets,
        first,
        layout.size,
    )
    free[~apart | (free >= np.minimum(freedom[:, None], freedom))] = np.inf
    unions: set[int] = set()  # numbers of the sums that are unions
    while (least := free.min()) < np.inf:
        a, b = divmod(int(free.argmin()), len(long))
        long[a] = (long[a][0] | long[b][0], long[a][1] + long[b][1])
        unions = (unions | {a}) - {b}
        for each in (inside, lengths, targets):
            each[a] += each[b]
        freedom[a], freedom[b] = least, -np.inf
        apart[a] &= apart[b]
        apart[:, a] = apart[a]
        row = _freedom(
            inside[a] + inside, lengths[a] + lengths, targets[a] + targets, first, layout.size
        )
        row[~apart[a] | (row >= np.minimum(least, freedom))] = np.inf
        free[b], free[:, b] = np.inf, np.inf
        free[a], free[:, a] = row, row
    return dict([long[number] for number in unions if near * freedom[number] <= 1])


def _freedom(
    inside: _Numbers, lengths: _Numbers, targets: _Numbers, first: NDArray[np.int32], size: int
) -> NDArray[np.float64]:
    """Return how far targets are from the nearer bound of the sum, relative to its range.

    For the bounds, cells in a house have different values. The kind of house that leaves the least
    freedom decides. The result is 0 if a target is at a bound or beyond it.

    inside   (…, houses): the number of the sum's cells in each house
    lengths  (…): the number of its cells
    targets  (…): its target, with values counted from 0
    first    the index of the first house of each kind
    size     the number of values
    """
    squares = np.add.reduceat(inside * inside, first, axis=-1)
    covered = np.add.reduceat(inside, first, axis=-1)
    low = (squares - covered) // 2
    span = covered - squares + lengths[..., None] * (size - 1)
    above = targets[..., None] - low
    slack = np.maximum(np.minimum(above, span - above), 0)
    free: NDArray[np.float64] = (slack / np.maximum(span, 1)).min(axis=-1)
    return free
