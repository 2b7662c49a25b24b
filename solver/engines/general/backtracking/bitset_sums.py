"""Sets of numbers from 0 to 63 as the bits of a word, such as the sums reachable so far."""

import numpy as np

from solver.compiling.bits import ONE, ZERO, first, first_bit, last, turned
from solver.compiling.jit import bare, inlined

FAR = 64  # the number of bits in a word
_UP, _DOWN = True, False


@bare
def steps_of(word, factor, rising):  # type: ignore[no-untyped-def]
    """Return the differences of a cell's values from its least, or greatest, value as bits.

    Differences above 63 are left out.
    """
    if not rising:
        word = turned(word)
    word >>= np.uint64(first(word))
    if factor == 1:
        return word
    steps = ZERO
    while word != ZERO:
        step = factor * first(word)
        word &= word - ONE
        if step < FAR:
            steps |= ONE << np.uint64(step)
    return steps


@bare
def values_with(word, good, factor, rising):  # type: ignore[no-untyped-def]
    """Return the cell's values whose difference, as in `steps_of`, is in `good`."""
    zero = first(word) if rising else last(word)
    kept = ZERO
    while word != ZERO:
        bit = first_bit(word)
        word ^= bit
        step = factor * abs(first(bit) - zero)
        if step < FAR and (good >> np.uint64(step)) & ONE != ZERO:
            kept |= bit
    return kept


@bare
def raised(word, steps):  # type: ignore[no-untyped-def]
    """Return all sums of one number from each of two sets, up to 63."""
    return _moved(word, steps, _UP)


@bare
def lowered(word, steps):  # type: ignore[no-untyped-def]
    """Return all differences of a number from the first set and one from the second, from 0 up."""
    return _moved(word, steps, _DOWN)


@inlined
def _moved(word, steps, up):  # type: ignore[no-untyped-def]
    """Return the union of `word` shifted by each number in `steps`, to the left if `up`.

    The steps are handled in groups of eight without testing which of them are present. That is
    faster than looking for the ones that are.
    """
    total = ZERO
    while steps != ZERO:
        for k in range(8):
            by = np.uint64(k)
            total |= _shifted(word, by, up) & (ZERO - ((steps >> by) & ONE))
        steps >>= np.uint64(8)
        word = _shifted(word, np.uint64(8), up)
    return total


@inlined
def _shifted(word, by, up):  # type: ignore[no-untyped-def]
    return word << by if up else word >> by
