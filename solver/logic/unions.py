"""A few sets with no more members together than there are sets: what makes subsets and fish."""

from typing import Any, NamedTuple

import numpy as np

from solver.compiling.jit import bare, inner
from solver.compiling.words import ones
from solver.logic.board import Ints, Words


class Union(NamedTuple):
    """A choice among sets: numbers from 1 on, and what those up to each have together, as bits."""

    chosen: Ints  # (size + 1,); chosen[0] is 0 before the first choice
    bits: Words  # (size + 1,)


@inner
def new_union(size: int) -> Any:
    """Return room for choices of so many sets."""
    return Union(np.zeros(size + 1, np.int32), np.zeros(size + 1, np.int64))


@bare
def next_union(sets: Any, count: int, size: int, union: Any) -> bool:
    """Go on to the next `size` of `count` sets with no more than `size` members together.

    Choices come in lexical order. Returns False after the last one, and begins anew then.
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
        if ones(bits[level]) > size:
            continue
        if level == size:
            return True
        level += 1
        chosen[level] = chosen[level - 1]
    chosen[0] = 0
    return False
