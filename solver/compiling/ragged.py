"""Convert ragged rows, whose lengths differ, to arrays: padded, or in CSR form.

The CSR form (compressed sparse rows) consists of all values, one row after the other, and of the
offsets at which the rows start. There is one more offset, the end of the last row:

    rows       [7, 3] [] [5]
    values      7  3      5
    offsets     0     2  2     3
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray


def padded(rows: Sequence[Collection[int]], *, width: int | None = None) -> NDArray[np.int32]:
    """Return rows of different lengths as a two-dimensional array, padded with −1 at the end.

    The array has `width` columns. By default, it has as many as the longest row has items, but at
    least one. Raises ValueError if a row has more than `width` items.
    """
    width = max([1, *map(len, rows)]) if width is None else width
    array = np.full((len(rows), width), -1, np.int32)
    for row, items in enumerate(rows):
        array[row, : len(items)] = tuple(items)
    return array


def csr(rows: Sequence[Collection[int]]) -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
    """Return the values and the offsets of rows in CSR form. No value may be negative."""
    # Compiled code doesn't check unsigned indices for negative values.
    return np.fromiter(chain.from_iterable(rows), np.uint32), offsets_of(map(len, rows))


def transposed(rows: Iterable[Iterable[int]], count: int) -> list[list[int]]:
    """Return, for each value 0 … `count` − 1, the indices of the rows that contain it."""
    holders: list[list[int]] = [[] for _ in range(count)]
    for number, row in enumerate(rows):
        for value in dict.fromkeys(row):
            holders[value].append(number)
    return holders


def transposed_csr(
    rows: Sequence[Collection[int]], count: int
) -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
    """Return, for each value 0 … `count` − 1, the indices of the rows that contain it, in CSR form.

    This is the result of `transposed` as two arrays: all indices, and the offset for each value.
    """
    if not rows:
        return np.zeros(0, np.uint32), np.zeros(count + 1, np.int32)
    values = np.fromiter(chain.from_iterable(rows), np.int64)
    numbers = np.arange(len(rows), dtype=np.uint32).repeat([*map(len, rows)])
    order = values.argsort(kind="stable")
    values, numbers = values[order], numbers[order]
    repeated = (values[1:] == values[:-1]) & (numbers[1:] == numbers[:-1])
    if np.count_nonzero(repeated):
        distinct = np.concatenate(([True], ~repeated))
        values, numbers = values[distinct], numbers[distinct]
    return numbers, offsets_of(np.bincount(values, minlength=count))


def offsets_of(lengths: Iterable[int] | NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the CSR offsets of rows with these lengths, from 0 to the sum of the lengths."""
    if not isinstance(lengths, np.ndarray):
        return np.array([0, *accumulate(lengths)], np.int32)
    offsets = np.zeros(len(lengths) + 1, np.int32)
    lengths.cumsum(out=offsets[1:])
    return offsets
