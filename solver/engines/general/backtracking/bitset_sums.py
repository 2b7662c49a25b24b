"""Sets of numbers from 0 to 63 as the bits of a word, such as the sums reachable so far."""

import numpy as np

from solver.compiling.bitops import ONE, ZERO, ctz, lowest_bit, msb, reverse_bits
from solver.compiling.jit import always_inline, kernel

FAR = 64  # the number of bits in a word
_UP, _DOWN = True, False


@kernel
def steps_of(word, factor, rising):  # type: ignore[no-untyped-def]
    """Return the distances of a cell's values from its least value, times `factor`, as bits.

    If not `rising`, these are the distances from its greatest value. `word` is the set of the
    cell's values, which isn't empty. The factor is positive. Distances above 63 are left out.
    """
    if not rising:
        word = reverse_bits(word)
    word >>= np.uint64(ctz(word))
    if factor == 1:
        return word
    steps = ZERO
    while word != ZERO:
        step = factor * ctz(word)
        word &= word - ONE
        if step < FAR:
            steps |= ONE << np.uint64(step)
    return steps


@kernel
def values_with(word, good, factor, rising):  # type: ignore[no-untyped-def]
    """Return the values in `word` whose distance is in the set `good`.

    Distances are those of `steps_of` for the same arguments. All sets are bit masks.
    """
    zero = ctz(word) if rising else msb(word)
    kept = ZERO
    while word != ZERO:
        bit = lowest_bit(word)
        word ^= bit
        step = factor * abs(ctz(bit) - zero)
        if step < FAR and (good >> np.uint64(step)) & ONE != ZERO:
            kept |= bit
    return kept


@kernel
def raised(word, steps):  # type: ignore[no-untyped-def]
    """Return all sums a + b up to 63 of a number in `word` and a number in `steps`, as bits."""
    return _moved(word, steps, _UP)


@kernel
def lowered(word, steps):  # type: ignore[no-untyped-def]
    """Return all differences a − b ≥ 0 of a number in `word` and a number in `steps`, as bits."""
    return _moved(word, steps, _DOWN)


@always_inline
def _moved(word, steps, up):  # type: ignore[no-untyped-def]
    """Return the union of `word` shifted by each number in the set `steps`.

    The shift is to the left if `up`, otherwise to the right. Bits that leave the word are dropped.
    """
    # Handling the steps in groups of eight without testing which of them are present is faster than
    # looking for the ones that are.
    total = ZERO
    while steps != ZERO:
        for k in range(8):
            by = np.uint64(k)
            total |= _shifted(word, by, up) & (ZERO - ((steps >> by) & ONE))
        steps >>= np.uint64(8)
        word = _shifted(word, np.uint64(8), up)
    return total


@always_inline
def _shifted(word, by, up):  # type: ignore[no-untyped-def]
    """Return a word shifted by some bits: to the left if `up`, otherwise to the right."""
    return word << by if up else word >> by
