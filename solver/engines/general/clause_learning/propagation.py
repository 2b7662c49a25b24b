"""Unit propagation of clauses and exclusive pairs, and propagation of automata."""

from typing import NamedTuple

import numpy as np

from solver.compiling.bitops import ONE, ZERO, ctz, lowest_bit
from solver.compiling.jit import always_inline, kernel
from solver.engines.general.clause_learning.clauses import LITERALS, NEXT
from solver.engines.general.clause_learning.state import (
    AUTOMATON,
    CLAUSE,
    NO_REASON,
    PAIR,
    Counters,
    assign,
)
from solver.engines.general.mdd_propagation import propagate_mdd

_NO_PLACE = np.uint32(0xFFFFFFFF)  # −1 as an unsigned number


class Conflict(NamedTuple):
    """A conflict: why the assignment is contradictory. NO_CONFLICT has the reason NO_REASON.

    `reason` is the kind of constraint:

    CLAUSE     all literals of the clause `cause` are false
    AUTOMATON  the automaton `cause` accepts no word
    PAIR       the candidates `cause` and `other` are both true, but exclude each other
    """

    reason: int
    cause: int | np.int64
    other: int | np.int64


NO_CONFLICT = Conflict(NO_REASON, -1, -1)


@kernel
def propagate(consequences, automata, state, supports, clauses):  # type: ignore[no-untyped-def]
    """Propagate clauses, exclusive pairs, and automata until nothing changes, or until a conflict.

    Assigns the implied literals. Returns the conflict, or NO_CONFLICT.
    """
    counters: Counters = state.counters[0]
    while True:
        while counters.propagated < counters.trail:
            literal = state.trail[counters.propagated]
            counters.propagated += 1
            if literal & 1 == 0:
                other = _rule_out(literal >> 1, consequences, state)
                if other >= 0:
                    return Conflict(PAIR, np.int64(literal >> 1), other)
            clause = _visit_watchers(literal ^ 1, consequences, state, clauses)
            if clause >= 0:
                return Conflict(CLAUSE, clause, -1)
        if counters.queue_start == counters.queue_end:
            return NO_CONFLICT
        automaton = np.int64(state.queue[counters.queue_start % state.queue.shape[0]])
        counters.queue_start += 1
        state.in_queue[automaton] = False
        if not _read(automaton, consequences, automata, state, supports):
            return Conflict(AUTOMATON, automaton, -1)


@always_inline
def _rule_out(candidate, consequences, state):  # type: ignore[no-untyped-def]
    """Make all candidates false that a true candidate excludes.

    These are the other values of its cell, the same value in the cell's peers, and the candidates
    with which it forms an exclusive pair. Returns one of them that is true already, which is a
    conflict, or −1.
    """
    size = consequences.size
    cell = candidate // size
    value = candidate - cell * size
    word = state.grid[cell] & ~(ONE << np.uint64(value))
    while word != ZERO:
        bit = lowest_bit(word)
        word ^= bit
        other = cell * size + ctz(bit)
        if not _bar(other, candidate, consequences, state):
            return other
    for i in range(consequences.peers.shape[1]):
        peer = consequences.peers[cell, i]
        if peer < 0:
            break
        other = peer * size + value
        if not _bar(other, candidate, consequences, state):
            return other
    for i in range(consequences.bar_ranges[candidate], consequences.bar_ranges[candidate + 1]):
        other = np.int64(consequences.bars[i])
        if not _bar(other, candidate, consequences, state):
            return other
    return np.int64(-1)


@always_inline
def _bar(other, candidate, consequences, state):  # type: ignore[no-untyped-def]
    """Make the candidate `other` false because `candidate` is true.

    Returns False if `other` is true already.
    """
    truth = state.truths[2 * other]
    if truth == 0:
        assign(2 * other + 1, PAIR, candidate, consequences, state)
    return truth <= 0


@always_inline
def _visit_watchers(false, consequences, state, clauses):  # type: ignore[no-untyped-def]
    """Visit the clauses that watch a literal which has become false (`false`).

    Each clause watches another literal instead, or the one literal left in it is made true. Returns
    the first clause found whose literals are all false, which is a conflict, or −1.
    """
    # Positions are unsigned, so that compiled code doesn't test for negative indices.
    truths = state.truths
    link = _NO_PLACE  # the place that holds the number of the current clause
    clause = np.uint32(state.watchers[false])
    while clause != _NO_PLACE:
        first = clause + np.uint32(LITERALS)
        slot = np.uint32(clauses[first] != false)
        next_link = clause + np.uint32(NEXT) + slot
        after = np.uint32(clauses[next_link])
        last = clauses[first + np.uint32(1) - slot]
        moved = False
        if truths[np.uint32(last)] <= 0:
            end = first + np.uint32(clauses[clause])
            k = first + np.uint32(2)
            while k < end:
                literal = clauses[k]
                if truths[np.uint32(literal)] >= 0:
                    clauses[first + slot] = literal
                    clauses[k] = false
                    clauses[next_link] = state.watchers[literal]
                    state.watchers[literal] = clause
                    if link == _NO_PLACE:
                        state.watchers[false] = after
                    else:
                        clauses[link] = after
                    moved = True
                    break
                k += np.uint32(1)
            if not moved and truths[np.uint32(last)] < 0:
                return np.int64(clause)
            if not moved:
                assign(last, CLAUSE, clause, consequences, state)
        if not moved:
            link = next_link
        clause = after
    return np.int64(-1)


@always_inline
def _read(automaton, consequences, automata, state, supports):  # type: ignore[no-untyped-def]
    """Make the candidates false that no word accepted by an automaton contains.

    `automaton` is its index. Returns False if it accepts no word with the current domains.
    """
    if not propagate_mdd(automaton, automata, state.grid, supports):
        return False
    start = automata.ranges[automaton]
    for j in range(automata.ranges[automaton + 1] - start - 1, -1, -1):
        cell = automata.cells[start + j]
        gone = state.grid[cell] & ~supports.kept[j]
        while gone != ZERO:
            bit = lowest_bit(gone)
            gone ^= bit
            candidate = cell * consequences.size + ctz(bit)
            assign(2 * candidate + 1, AUTOMATON, automaton, consequences, state)
    return True
