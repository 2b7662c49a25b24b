"""Why a conflict came about, as a clause that forbids its cause for good."""

import numpy as np

from solver.compiling.bits import ALL, ONE, ZERO, count, first, first_bit
from solver.compiling.jit import bare, inlined
from solver.engines.general.learning.clauses import LITERALS
from solver.engines.general.learning.state import (
    CAUSE,
    CLAUSE,
    DECIDED_AT,
    LEVEL,
    OTHER,
    PAIR,
    PLACE,
    REASON,
    STAMP,
    TRAIL,
    WHAT,
    WHICH,
    rise,
)


@bare
def analyse(increment, problem, state, order, scratch, clauses, found, learned):  # type: ignore[no-untyped-def]
    """Write the clause that a conflict teaches: its first literal is true after going back.

    Returns (its length, over how many levels it goes, the level to go back to). The second
    literal is one of that level.
    """
    seen = scratch.seen
    facts = state.facts
    activity = order.activity
    heap = order.heap
    heap_places = order.heap_places
    trail = state.trail
    stamps = scratch.stamps
    at = state.at
    size = 1
    open_here = 0
    place = at[TRAIL] - 1
    what, which, other, implied = at[WHAT], at[WHICH], at[OTHER], np.int64(-1)
    before = at[TRAIL]
    while True:
        count = _explain(
            what, which, other, implied, before, problem, state, scratch, clauses, found
        )
        for i in range(count):
            candidate = found[i] >> 1
            if seen[candidate] or facts[candidate, DECIDED_AT] == 0:
                continue
            seen[candidate] = True
            activity[candidate] += increment
            if heap_places[candidate] >= 0:
                rise(candidate, heap, heap_places, activity)
            if facts[candidate, DECIDED_AT] == at[LEVEL]:
                open_here += 1
            else:
                learned[size] = found[i]
                size += 1
        while not seen[trail[place] >> 1]:
            place -= 1
        implied = np.int64(trail[place])
        candidate = implied >> 1
        open_here -= 1
        if open_here == 0:
            break
        seen[candidate] = False
        place -= 1
        what = np.int64(facts[candidate, REASON])
        which = np.int64(facts[candidate, CAUSE])
        before = np.int64(facts[candidate, PLACE])
    learned[0] = implied ^ 1
    short = 1
    for i in range(1, size):
        if not _follows(learned[i], state, scratch, clauses):
            found[short] = learned[i]
            short += 1
    for i in range(size):
        seen[learned[i] >> 1] = False
    at[STAMP] += 1
    spread = 1
    back = np.int64(0)
    for i in range(1, short):
        learned[i] = found[i]
        level = facts[learned[i] >> 1, DECIDED_AT]
        if stamps[level] != at[STAMP]:
            stamps[level] = at[STAMP]
            spread += 1
        if level > back:
            back = np.int64(level)
            learned[1], learned[i] = learned[i], learned[1]
    return short, spread, back


@inlined
def _explain(what, which, other, implied, before, problem, state, scratch, clauses, found):  # type: ignore[no-untyped-def]
    """Write the false literals behind an implied literal, or a conflict (−1); how many."""
    if what == CLAUSE:
        count = 0
        for i in range(which + LITERALS, which + LITERALS + clauses[which]):
            if clauses[i] != implied:
                found[count] = clauses[i]
                count += 1
        return count
    if what == PAIR:
        found[0] = 2 * which + 1
        found[1] = 2 * other + 1
        return 1 if implied >= 0 else 2
    removed = implied >> 1 if implied >= 0 else -1
    return _explain_automaton(
        which, removed, before, problem.board.size, problem.automata, state, scratch, found
    )


@bare
def _explain_automaton(automaton, removed, before, size, automata, state, scratch, found):  # type: ignore[no-untyped-def]
    """Write why an automaton removed a candidate, or failed (−1); return how many literals.

    They are candidates that were ruled out earlier in the trail, enough to cut every way from
    the first state to the last one (that takes the candidate).
    """
    masks, starts, nexts = automata.masks, automata.starts, automata.nexts
    reached, useful, taken = scratch.ways.reached, scratch.ways.useful, scratch.taken
    start = automata.ranges[automaton]
    length = automata.ranges[automaton + 1] - start
    layers = automata.layers[automata.first_layers[automaton] :]
    base = automata.first_states[automaton]
    last = layers[length]
    own = removed // size if removed >= 0 else -1
    only = ONE << np.uint64(removed - own * size) if removed >= 0 else ZERO
    useful[last] = True
    for j in range(length - 1, -1, -1):
        cell = automata.cells[start + j]
        word = only if cell == own else _left(cell, size, before, -1, state)
        for source in range(layers[j], layers[j + 1]):
            mask = masks[base + source]
            left = mask & word
            while left != ZERO:
                edge = starts[base + source] + count(mask & (first_bit(left) - ONE))
                left &= left - ONE
                if useful[nexts[edge]]:
                    useful[source] = True
                    break
    number = 0
    reached[0] = True
    for j in range(length):
        cell = automata.cells[start + j]
        cut = ZERO
        if cell == own:
            follow = only
        else:
            for source in range(layers[j], layers[j + 1]):
                if reached[source]:
                    mask = masks[base + source]
                    left = mask & ~cut
                    while left != ZERO:
                        bit = first_bit(left)
                        left ^= bit
                        edge = starts[base + source] + count(mask & (bit - ONE))
                        if useful[nexts[edge]]:
                            cut |= bit
            left = cut
            while left != ZERO:
                bit = first_bit(left)
                left ^= bit
                candidate = cell * size + first(bit)
                if not taken[candidate]:
                    taken[candidate] = True
                    found[number] = 2 * candidate
                    number += 1
            follow = _left(cell, size, before, 0, state) & ~cut
        for source in range(layers[j], layers[j + 1]):
            if reached[source]:
                mask = masks[base + source]
                left = mask & follow
                while left != ZERO:
                    edge = starts[base + source] + count(mask & (first_bit(left) - ONE))
                    left &= left - ONE
                    reached[nexts[edge]] = True
    for i in range(number):
        taken[found[i] >> 1] = False
    for i in range(last + 1):
        reached[i] = False
        useful[i] = False
    return number


@inlined
def _left(cell, size, before, level, state):  # type: ignore[no-untyped-def]
    """Return what was left to a cell before a place in the trail, of what went after a level."""
    word = state.grid[cell]
    gone = ~word & (ALL >> np.uint64(64 - size))
    while gone != ZERO:
        bit = first_bit(gone)
        gone ^= bit
        candidate = cell * size + first(bit)
        out = state.facts[candidate, PLACE] < before
        if not out or (level >= 0 and state.facts[candidate, DECIDED_AT] > level):
            word |= bit
    return word


@inlined
def _follows(literal, state, scratch, clauses):  # type: ignore[no-untyped-def]
    """Return whether a literal of a learned clause follows from its others, so it can go."""
    facts = state.facts
    seen = scratch.seen
    candidate = literal >> 1
    which = facts[candidate, CAUSE]
    if facts[candidate, REASON] == PAIR:
        return seen[which] or facts[which, DECIDED_AT] == 0
    if facts[candidate, REASON] != CLAUSE:
        return False
    for i in range(which + LITERALS, which + LITERALS + clauses[which]):
        other = clauses[i] >> 1
        if other != candidate and not seen[other] and facts[other, DECIDED_AT] > 0:
            return False
    return True
