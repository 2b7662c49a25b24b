"""Propagation of value sets: the values of some cells must form one of the given sets.

Repeated values count once, so there may be more cells than values in a set.
"""

import numpy as np

from solver.compiling.bitops import ALL_ONES, ONE, ZERO, at_most_one_bit, ctz, lowest_bit, popcount
from solver.compiling.jit import always_inline, kernel
from solver.engines.general.backtracking.domains import restrict_domain, set_domain
from solver.engines.general.graph import plane_of


@always_inline
def propagate_value_sets(index, value_sets, memory, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Restrict the cells of a constraint to values from the sets that they can form.

    `index` is the number of the value-set constraint. A value in all of these sets is also removed
    from the cells outside the constraint that see all of its cells which can have it. Returns False
    on a conflict.
    """
    start, end = value_sets.ranges[index], value_sets.ranges[index + 1]
    length = end - start
    words, own, kept = memory.words, memory.own, memory.kept
    union, taken = ZERO, ZERO
    for k in range(length):
        word = work.grid[value_sets.cells[start + k]]
        words[k], kept[k] = word, ZERO
        union |= word
        taken |= word if at_most_one_bit(word) else ZERO
    needed = ALL_ONES
    for i in range(value_sets.set_ranges[index], value_sets.set_ranges[index + 1]):
        values = value_sets.sets[i]
        is_possible = values & ~union == ZERO and taken & ~values == ZERO
        if is_possible and _fill(values, length, words, own):
            needed &= values
            for k in range(length):
                kept[k] |= own[k]
    if kept[0] == ZERO:
        return False
    for k in range(length):
        cell = value_sets.cells[start + k]
        if not set_domain(cell, kept[k], dependents, work):
            return False
    return apply_pointing_each(start, end, needed, value_sets.cells, peer_words, dependents, work)


@always_inline
def _fill(values, length, words, own):  # type: ignore[no-untyped-def]
    """Write to `own` which values of a set each cell can have if the cells form the set.

    `values` is the set, and `words` are the domains of the `length` cells, as bit masks. A value
    that only one cell can have is placed there. If there are as many cells as values, a value that
    is placed in one cell is removed from the others. Returns False if the cells can't form the set.
    """
    for k in range(length):
        own[k] = words[k] & values
        if own[k] == ZERO:
            return False
    do_differ = popcount(values) == length
    placed = ZERO
    while True:
        once, twice = ZERO, ZERO
        for k in range(length):
            twice |= once & own[k]
            once |= own[k]
        if once != values:
            return False
        alone, singles = once & ~twice, ZERO
        for k in range(length):
            if not at_most_one_bit(own[k]) and own[k] & alone != ZERO:
                own[k] &= alone
                if not at_most_one_bit(own[k]):
                    return False
            if at_most_one_bit(own[k]):
                if do_differ and singles & own[k] != ZERO:
                    return False
                singles |= own[k]
        if singles == placed:
            return True
        placed = singles
        for k in range(length if do_differ else 0):
            if not at_most_one_bit(own[k]):
                own[k] &= ~placed
                if own[k] == ZERO:
                    return False


@always_inline
def restrict_run(start, end, kept, needed, cells, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Restrict the open cells of a run, cells[start:end], to the values in `kept`.

    Each value in `needed` must occur in the run. If only one cell of the run can have it, it is
    placed there. If several can, it is removed from all cells that see all of these. `kept` and
    `needed` are bit masks. Returns False on a conflict.
    """
    once, twice = ZERO, ZERO
    for k in range(start, end):
        word = work.grid[cells[k]] & kept
        twice |= once & word
        once |= word
    if needed & ~once != ZERO:
        return False
    alone = needed & ~twice
    several = needed & twice
    if not apply_pointing_each(start, end, several, cells, peer_words, dependents, work):
        return False
    for k in range(start, end):
        cell = cells[k]
        word = work.grid[cell]
        if at_most_one_bit(word):
            continue
        left = word & kept
        if left & alone != ZERO:
            left &= alone
            if not at_most_one_bit(left):
                return False
        if not set_domain(cell, left, dependents, work):
            return False
    return True


@always_inline
def apply_pointing_each(start, end, needed, cells, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Apply `apply_pointing` to each value of the set `needed` (a bit mask).

    The given cells, cells[start:end], need these values. Each value is removed from the cells that
    see all of its places among the given cells. Returns False on a conflict.
    """
    while needed != ZERO:
        bit = lowest_bit(needed)
        needed ^= bit
        if not apply_pointing(start, end, bit, cells, peer_words, dependents, work):
            return False
    return True


@kernel
def apply_pointing(start, end, bit, cells, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Remove a value from the cells that see all places of the value among the given cells.

    The given cells are cells[start:end], one of which must have the value. `bit` is the value as a
    bit. Returns False on a conflict. It is also a conflict if none of the given cells can have the
    value anymore.
    """
    value = np.uint64(ctz(bit))
    plane = plane_of(value, peer_words)
    for w in range(peer_words.shape[2]):
        common = work.places[value, w]
        places = 0
        for k in range(start, end):
            if work.grid[cells[k]] & bit != ZERO:
                places += 1
                common &= peer_words[plane, cells[k], w]
                if common == ZERO:
                    break
        if places == 0:
            return False
        while common != ZERO:
            cell = 64 * w + ctz(common)
            common &= common - ONE
            if not restrict_domain(cell, work.grid[cell] ^ bit, dependents, work):
                return False
    return True
