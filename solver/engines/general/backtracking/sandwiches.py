"""Enclosures in plain search: which two cells enclose others, and what is then between them."""

import numpy as np

from solver.compiling.bits import ALL, ONE, ZERO, count, first, is_single
from solver.compiling.jit import inlined
from solver.engines.general.backtracking.state import reduce
from solver.engines.general.backtracking.value_sets import point_each


@inlined
def enclose(number, enclosures, room, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Leave what is in some way that is still possible between two of the cells; False if none is.

    Places are unsigned, or else they might count from the end.
    """
    start = np.uint64(enclosures.ranges[number])
    length = np.uint64(enclosures.ranges[number + 1]) - start
    cells, first_ways = enclosures.cells[start:], enclosures.first_ways[start:]
    words, before, kept = room.words, room.before, room.kept
    every = enclosures.every[number]
    union, enders = ZERO, ZERO  # all values so far; the places of cells that can be ends, as bits
    for k in range(length):
        word = work.grid[cells[k]]
        words[k], before[k], kept[k] = word, union, ZERO
        union |= word
        enders |= ONE << k if word & every != ZERO else ZERO
    needed = enclosures.asked[number]
    while enders != ZERO:
        i = np.uint64(first(enders))
        enders &= enders - ONE
        between, inner = ZERO, i + ONE
        left = enders
        while left != ZERO:
            j = np.uint64(first(left))
            left &= left - ONE
            while inner < j:
                between |= words[inner]
                inner += ONE
            ways = first_ways[j - i - ONE], first_ways[j - i]
            if ways[0] < ways[1]:
                needed &= _fill(i, j, length, ways, between, enclosures, room)
    for k in range(length):
        word = words[k] & kept[k]
        if word != words[k] and not reduce(cells[k], word, dependents, work):
            return False
        if is_single(word):
            needed &= ~word
    end = start + length
    return point_each(start, end, needed, enclosures.cells, peer_words, dependents, work)


@inlined
def _fill(i, j, length, ways, between, enclosures, room):  # type: ignore[no-untyped-def]
    """Keep what is in some way of those whose ends are in two cells; return what is in each."""
    words, kept = room.words, room.kept
    elsewhere = room.before[i]
    for k in range(j + ONE, length):
        elsewhere |= words[k]
    needed = ALL
    one, other, inside, outside = ZERO, ZERO, ZERO, ZERO
    for way in range(ways[0], ways[1]):
        own, low, high = enclosures.inside[way], enclosures.lows[way], enclosures.highs[way]
        rises = words[i] & low != ZERO and words[j] & high != ZERO
        falls = words[i] & high != ZERO and words[j] & low != ZERO
        if own & ~between != ZERO or not (rises or falls):
            continue
        rest = enclosures.outside[way] & elsewhere
        spare = count(rest) + np.int64(j - i) + 1 - np.int64(length)
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


@inlined
def _fits(i, j, length, inside, outside, words):  # type: ignore[no-untyped-def]
    """Return whether cells can hold some of what is between two and elsewhere, no value twice.

    Of these it is only asked whether two cells have but one value, the same.
    """
    taken = ZERO
    for k in range(length):
        own = words[k] & (inside if i < k < j else outside)
        is_end = k in (i, j)
        if not is_end and (own == ZERO or (own & taken != ZERO and is_single(own))):
            return False
        taken |= own if is_single(own) and not is_end else ZERO
    return True
