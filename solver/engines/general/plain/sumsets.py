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

    Steps that follow one another go together: 1, 2, 3 and 4 more are one more than 0 to 3 more,
    which are 0 and 2 more than 0 and 1 more.
    """
    total = ZERO
    while steps != ZERO:
        start = np.uint64(first(steps))
        length = first(~(steps >> start))
        reached, done = word, 1
        while done < length:
            step = min(done, length - done)
            reached |= _shifted(reached, np.uint64(step), up)
            done += step
        total |= _shifted(reached, start, up)
        steps &= steps + first_bit(steps)
    return total


@inlined
def _shifted(word, by, up):  # type: ignore[no-untyped-def]
    return word << by if up else word >> by
