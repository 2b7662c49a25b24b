"""Rows of unequal length as arrays."""

from collections.abc import Collection, Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray


def padded(rows: Sequence[Collection[int]], *, width: int | None = None) -> NDArray[np.int32]:
    """Return rows as one array, closed by −1."""
    width = max([1, *map(len, rows)]) if width is None else width
    found = np.full((len(rows), width), -1, np.int32)
    for row, items in enumerate(rows):
        found[row, : len(items)] = tuple(items)
    return found


def joined(rows: Sequence[Collection[int]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return rows one after the other, and where each begins, the end of the last one besides."""
    flat = list(chain.from_iterable(rows))
    return np.array(flat, np.int32), starts(map(len, rows))


def starts(lengths: Iterable[int]) -> NDArray[np.int32]:
    """Return where pieces of these lengths begin, and where the last one ends."""
    return np.array([0, *lengths], np.int32).cumsum(dtype=np.int32)
