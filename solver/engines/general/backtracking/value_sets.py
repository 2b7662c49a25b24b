"""Combinations in plain search: which sets of values some cells can still hold, and how."""

import numpy as np

from solver.compiling.bits import ALL, ONE, ZERO, count, first, first_bit, is_single
from solver.compiling.jit import bare, inlined
from solver.engines.general.backtracking.state import leave, reduce
from solver.engines.general.graph import plane_of


@inlined
def combine(number, combinations, room, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Leave to each cell what it has in some set that is still possible; False if none is."""
    start, end = combinations.ranges[number], combinations.ranges[number + 1]
    length = end - start
    words, own, kept = room.words, room.own, room.kept
    union, taken = ZERO, ZERO
    for k in range(length):
        word = work.grid[combinations.cells[start + k]]
        words[k], kept[k] = word, ZERO
        union |= word
        taken |= word if is_single(word) else ZERO
    needed = ALL
    for i in range(combinations.set_ranges[number], combinations.set_ranges[number + 1]):
        values = combinations.sets[i]
        is_possible = values & ~union == ZERO and taken & ~values == ZERO
        if is_possible and _fill(values, length, words, own):
            needed &= values
            for k in range(length):
                kept[k] |= own[k]
    if kept[0] == ZERO:
        return False
    for k in range(length):
        cell = combinations.cells[start + k]
        if not leave(cell, kept[k], dependents, work):
            return False
    return point_each(start, end, needed, combinations.cells, peer_words, dependents, work)


@inlined
def _fill(values, length, words, own):  # type: ignore[no-untyped-def]
    """Write what of a set cells can hold, who need all of it; False if they cannot.

    A value with one place goes there; in as many cells as there are values no value is twice.
    """
    for k in range(length):
        own[k] = words[k] & values
        if own[k] == ZERO:
            return False
    do_differ = count(values) == length
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
            if not is_single(own[k]) and own[k] & alone != ZERO:
                own[k] &= alone
                if not is_single(own[k]):
                    return False
            if is_single(own[k]):
                if do_differ and singles & own[k] != ZERO:
                    return False
                singles |= own[k]
        if singles == placed:
            return True
        placed = singles
        for k in range(length if do_differ else 0):
            if not is_single(own[k]):
                own[k] &= ~placed
                if own[k] == ZERO:
                    return False


@inlined
def leave_run(start, end, kept, needed, cells, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Leave to the open cells of a run what is kept, and set what is needed in one place."""
    once, twice = ZERO, ZERO
    for k in range(start, end):
        word = work.grid[cells[k]] & kept
        twice |= once & word
        once |= word
    if needed & ~once != ZERO:
        return False
    alone = needed & ~twice
    several = needed & twice
    if not point_each(start, end, several, cells, peer_words, dependents, work):
        return False
    for k in range(start, end):
        cell = cells[k]
        word = work.grid[cell]
        if is_single(word):
            continue
        left = word & kept
        if left & alone != ZERO:
            left &= alone
            if not is_single(left):
                return False
        if not leave(cell, left, dependents, work):
            return False
    return True


@inlined
def point_each(start, end, needed, cells, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Remove each value that cells need, as `point` does; False at a dead end."""
    while needed != ZERO:
        bit = first_bit(needed)
        needed ^= bit
        if not point(start, end, bit, cells, peer_words, dependents, work):
            return False
    return True


@bare
def point(start, end, bit, cells, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Remove a value that cells need from all that see each of its places there.

    False at a dead end, which it is, too, where what was removed before took its last place.
    """
    value = np.uint64(first(bit))
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
            cell = 64 * w + first(common)
            common &= common - ONE
            if not reduce(cell, work.grid[cell] ^ bit, dependents, work):
                return False
    return True
