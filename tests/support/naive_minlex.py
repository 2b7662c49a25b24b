"""A brute-force computation of the canonical (minlex) form that tests compare against."""

from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

Grid = NDArray[np.int64]

LINES = np.array([
    [3 * group + line for group, order in zip(groups, orders, strict=True) for line in order]
    for groups in permutations(range(3))
    for orders in product(permutations(range(3)), repeat=3)
])  # fmt: skip


def least_form(grid: Grid) -> Grid:
    """Return the minlex form of a 9×9 puzzle or grid (81,), 0 = empty.

    It's the least of all equivalent puzzles in reading order. All symmetries are tried, row by row.
    """
    sides = np.stack([grid.reshape(9, 9), grid.reshape(9, 9).T])
    side = np.repeat([0, 1], len(LINES))
    columns = np.tile(LINES, (2, 1))
    used = np.zeros((len(side), 9), bool)
    names = np.zeros((len(side), 10), np.int64)
    rows = []
    for _ in range(9):
        in_bands = used.reshape(-1, 3, 3).sum(axis=2)
        begun = (in_bands % 3 > 0).any(axis=1)
        open_bands = np.where(begun[:, None], in_bands % 3 > 0, in_bands == 0)
        way, row = np.nonzero(np.repeat(open_bands, 3, axis=1) & ~used)
        side, columns, used, names = side[way], columns[way], used[way], names[way]
        used[np.arange(len(row)), row] = True
        values = sides[side[:, None], row[:, None], columns]
        made = np.zeros_like(values)
        for place in range(9):
            value = values[:, place]
            new = (value > 0) & (names[np.arange(len(value)), value] == 0)
            names[new, value[new]] = names[new].max(axis=1) + 1
            made[:, place] = names[np.arange(len(value)), value]
        number = made @ 10 ** np.arange(8, -1, -1)
        best = number == number.min()
        side, columns, used, names = side[best], columns[best], used[best], names[best]
        rows.append(made[best][0])
    return np.concatenate(rows)
