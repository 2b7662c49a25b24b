"""Sets of numbers from 0 to 63 as the bits of a word, such as the sums that are possible so far."""

import numpy as np

from solver.compiling.bits import ONE, ZERO, first, first_bit, last, turned
from solver.compiling.jit import bare, inlined

FAR = 64  # the bits of a word
_UP, _DOWN = True, False


@bare
def steps_of(word, factor, rising):  # type: ignore[no-untyped-def]
    """Return by how much the values of a cell add more than its least, or less than its greatest.

    What is too far away for a word is left out.
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
    """Return the values whose steps are good."""
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
    """Return what a number of each of two sets add up to, as far as a word goes."""
    return _moved(word, steps, _UP)


@bare
def lowered(word, steps):  # type: ignore[no-untyped-def]
    """Return what is left if any of the steps is taken from any number of a set."""
    return _moved(word, steps, _DOWN)


@inlined
def _moved(word, steps, up):  # type: ignore[no-untyped-def]
    """Return where the bits of a word come to by any of the steps, `up` or down.

    Of each eight steps all are taken, those that are not there with nothing: that is sooner done
    than to look for those that are.
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
