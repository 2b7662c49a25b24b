"""Convert rows of unequal length to arrays."""

from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray


def padded(rows: Sequence[Collection[int]], *, width: int | None = None) -> NDArray[np.int32]:
    """Return the rows as a two-dimensional array, each padded with −1 at its end."""
    width = max([1, *map(len, rows)]) if width is None else width
    array = np.full((len(rows), width), -1, np.int32)
    for row, items in enumerate(rows):
        array[row, : len(items)] = tuple(items)
    return array


def joined(rows: Sequence[Collection[int]]) -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
    """Return rows in CSR form: the concatenated items, and the start of each row.

    The starts have one more entry, the end of the last row. The items are unsigned, so that
    compiled code that uses them as indices doesn't check for negative ones.

        rows     [7, 3] [] [5]
        items     7  3      5
        starts    0     2  2     3
    """
    return np.fromiter(chain.from_iterable(rows), np.uint32), starts(map(len, rows))


def inverted(rows: Iterable[Iterable[int]], count: int) -> list[list[int]]:
    """Return, for each of `count` items, the numbers of the rows that contain it."""
    holders: list[list[int]] = [[] for _ in range(count)]
    for number, row in enumerate(rows):
        for item in dict.fromkeys(row):
            holders[item].append(number)
    return holders


def holders(
    rows: Sequence[Collection[int]], count: int
) -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
    """Return the rows that contain each of `count` items, in the CSR form of `joined`."""
    if not rows:
        return np.zeros(0, np.uint32), np.zeros(count + 1, np.int32)
    items = np.fromiter(chain.from_iterable(rows), np.int64)
    numbers = np.arange(len(rows), dtype=np.uint32).repeat([*map(len, rows)])
    order = items.argsort(kind="stable")
    items, numbers = items[order], numbers[order]
    again = (items[1:] == items[:-1]) & (numbers[1:] == numbers[:-1])
    if np.count_nonzero(again):
        once = np.concatenate(([True], ~again))
        items, numbers = items[once], numbers[once]
    return numbers, starts(np.bincount(items, minlength=count))


def starts(lengths: Iterable[int] | NDArray[np.int64]) -> NDArray[np.int32]:
    """Return where pieces of these lengths start, and where the last one ends."""
    if not isinstance(lengths, np.ndarray):
        return np.array([0, *accumulate(lengths)], np.int32)
    bounds = np.zeros(len(lengths) + 1, np.int32)
    lengths.cumsum(out=bounds[1:])
    return bounds
