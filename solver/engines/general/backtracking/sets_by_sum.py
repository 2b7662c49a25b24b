"""All sets of values of a board, indexed by their size and sum."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.compiling.array_loops import offsets_from, zeros
from solver.compiling.bitops import ctz
from solver.compiling.jit import helper


class SetsByTotal(NamedTuple):
    """All sets of values (from 0), as bit masks, sorted by size and then by sum.

    `totals` is the number of different sums. The sets of n values with the sum t are
    words[ranges[k]:ranges[k + 1]] with k = n · totals + t.
    """

    words: NDArray[np.uint64]
    ranges: NDArray[np.int32]
    totals: np.int64


@helper
def sets_of(size):  # type: ignore[no-untyped-def]
    """Return all sets of the values 0 … `size` − 1, sorted by their size and sum."""
    totals = size * (size - 1) // 2 + 1
    many = 1 << size
    kinds = np.empty(many, np.int32)
    lengths = zeros((size + 1) * totals, np.int32)
    kinds[0] = 0
    for word in range(1, many):
        bits = np.uint64(word)
        kinds[word] = kinds[word & (word - 1)] + totals + ctz(bits)
    for word in range(many):
        lengths[kinds[word]] += 1
    ranges = offsets_from(lengths)
    words = np.empty(many, np.uint64)
    for word in range(many - 1, -1, -1):
        kind = kinds[word]
        lengths[kind] -= 1
        words[ranges[kind] + lengths[kind]] = np.uint64(word)
    return SetsByTotal(words, ranges, np.int64(totals))
