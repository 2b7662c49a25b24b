"""Enumerate selections of n sets whose union has at most n members, for subsets and fish."""

from typing import Any, NamedTuple

import numpy as np

from solver.compiling.bitops import popcount
from solver.compiling.jit import helper, kernel
from solver.logic.board import Ints, Words


class Union(NamedTuple):
    """A selection of sets from a list, as `next_union` enumerates them.

    chosen  [n]: the list index of the nth selected set, from n = 1. `chosen[0]` isn't an index. It
            is 0 if the next call starts from the beginning, and 1 during an enumeration.
    bits    [n]: the union of the first n selected sets, as bits. `bits[0]` is always 0.
    """

    chosen: Ints
    bits: Words


@helper
def new_union(size: int) -> Any:
    """Return an empty selection with room for `size` sets."""
    return Union(np.zeros(size + 1, np.int32), np.zeros(size + 1, np.int64))


@kernel
def next_union(sets: Words, count: int, size: int, union: Union) -> bool:
    """Advance to the next selection of `size` sets whose union has at most `size` members.

    The first `count` entries of `sets` can be selected. Each is a set whose members are bits.
    Selections come in lexicographic order. Returns False after the last one. The next call then
    starts again from the beginning.
    """
    chosen, bits = union.chosen, union.bits
    level = size
    if chosen[0] == 0:
        chosen[0] = level = 1
        chosen[1] = -1
    while level:
        chosen[level] += 1
        if chosen[level] > count - 1 - size + level:
            level -= 1
            continue
        bits[level] = bits[level - 1] | sets[chosen[level]]
        if popcount(bits[level]) > size:
            continue
        if level == size:
            return True
        level += 1
        chosen[level] = chosen[level - 1]
    chosen[0] = 0
    return False
