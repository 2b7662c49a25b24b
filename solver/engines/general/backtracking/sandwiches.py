"""Propagation of sandwich sums: the two crusts of a line, and the cells between them."""

import numpy as np

from solver.compiling.bitops import ALL_ONES, ONE, ZERO, at_most_one_bit, ctz, popcount
from solver.compiling.jit import always_inline
from solver.engines.general.backtracking.domains import restrict_domain
from solver.engines.general.backtracking.value_sets import apply_pointing_each


@always_inline
def propagate_sandwich(index, sandwiches, memory, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Restrict the cells of a line to the values that they have in some possible sandwich.

    A possible sandwich has its crusts in two cells of the line, and one of the fillings of
    constraint `index` between them. If the line is too short to contain all values, the values that
    all possible sandwiches need are also removed from the cells outside the line that see all of
    their places in it. Returns False on a conflict.
    """
    # Positions are unsigned, so that compiled code doesn't test for negative indices.
    start = np.uint64(sandwiches.ranges[index])
    length = np.uint64(sandwiches.ranges[index + 1]) - start
    cells, first_fillings = sandwiches.cells[start:], sandwiches.first_fillings[start:]
    words, before, kept = memory.words, memory.before, memory.kept
    crusts = sandwiches.crusts[index]
    # the union of the domains so far; the positions of possible crusts, as bits
    union, enders = ZERO, ZERO
    for k in range(length):
        word = work.grid[cells[k]]
        words[k], before[k], kept[k] = word, union, ZERO
        union |= word
        enders |= ONE << k if word & crusts != ZERO else ZERO
    needed = sandwiches.unchecked[index]
    while enders != ZERO:
        i = np.uint64(ctz(enders))
        enders &= enders - ONE
        between, inner = ZERO, i + ONE
        left = enders
        while left != ZERO:
            j = np.uint64(ctz(left))
            left &= left - ONE
            while inner < j:
                between |= words[inner]
                inner += ONE
            begin, after = first_fillings[j - i - ONE], first_fillings[j - i]
            if begin < after:
                needed &= _fill(i, j, length, begin, after, between, sandwiches, memory)
    for k in range(length):
        word = words[k] & kept[k]
        if word != words[k] and not restrict_domain(cells[k], word, dependents, work):
            return False
        if at_most_one_bit(word):
            needed &= ~word
    end = start + length
    return apply_pointing_each(start, end, needed, sandwiches.cells, peer_words, dependents, work)


@always_inline
def _fill(i, j, length, begin, after, between, sandwiches, memory):  # type: ignore[no-untyped-def]
    """Add each cell's values in possible sandwiches with crusts at positions i and j.

    They are added to `memory.kept`. The line has `length` cells. The fillings between these
    positions have the numbers `begin` to `after` − 1. `between` is the union of the domains between
    the crusts. Returns the values that all possible fillings need somewhere in the line, or all
    values if no filling is possible.
    """
    words, kept = memory.words, memory.kept
    elsewhere = memory.before[i]
    for k in range(j + ONE, length):
        elsewhere |= words[k]
    needed = ALL_ONES
    one, other, inside, outside = ZERO, ZERO, ZERO, ZERO
    for filling in range(begin, after):
        own = sandwiches.inside[filling]
        low, high = sandwiches.lows[filling], sandwiches.highs[filling]
        rises = words[i] & low != ZERO and words[j] & high != ZERO
        falls = words[i] & high != ZERO and words[j] & low != ZERO
        if own & ~between != ZERO or not (rises or falls):
            continue
        rest = sandwiches.outside[filling] & elsewhere
        spare = popcount(rest) + np.int64(j - i) + 1 - np.int64(length)
        if spare < 0 or not _fits(i, j, length, own, rest, words):
            continue
        one |= (low if rises else ZERO) | (high if falls else ZERO)
        other |= (high if rises else ZERO) | (low if falls else ZERO)
        inside |= own
        outside |= rest
        needed &= low | high | own | (rest if spare == 0 else ZERO)
    if one != ZERO:
        for k in range(length):
            kept[k] |= inside if i < k < j else outside if k < i or k > j else ZERO
        kept[i] |= one
        kept[j] |= other
    return needed


@always_inline
def _fits(i, j, length, inside, outside, words):  # type: ignore[no-untyped-def]
    """Return whether the cells inside and outside a sandwich can have the values of two sets.

    The cells between the positions i and j of the line take values from `inside`, and the cells
    outside take values from `outside`. The crusts at i and j aren't tested. `words` are the domains
    of the line's `length` cells, and all sets are bit masks. The test is partial: it only finds
    cells without a value, and two cells with the same single value.
    """
    taken = ZERO
    for k in range(length):
        own = words[k] & (inside if i < k < j else outside)
        is_end = k in (i, j)
        if not is_end and (own == ZERO or (own & taken != ZERO and at_most_one_bit(own))):
            return False
        taken |= own if at_most_one_bit(own) and not is_end else ZERO
    return True
