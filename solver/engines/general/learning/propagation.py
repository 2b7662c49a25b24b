"""What follows from what is decided: from values, clauses and automata."""

import numpy as np

from solver.compiling.bits import ONE, ZERO, first, first_bit
from solver.compiling.jit import bare, inlined
from solver.engines.general.learning.clauses import LITERALS, NEXT
from solver.engines.general.learning.state import (
    AUTOMATON,
    CLAUSE,
    HEAD,
    OTHER,
    PAIR,
    QUEUE_FROM,
    QUEUE_TO,
    TRAIL,
    WHAT,
    WHICH,
    assign,
)
from solver.engines.general.walk import walk

_NO_PLACE = np.uint32(0xFFFFFFFF)  # −1 as an unsigned number


@bare
def propagate(board, automata, state, ways, clauses):  # type: ignore[no-untyped-def]
    """Find all that follows; False at a conflict, with its reason in `state.at`."""
    at = state.at
    while True:
        while at[HEAD] < at[TRAIL]:
            literal = state.trail[at[HEAD]]
            at[HEAD] += 1
            if literal & 1 == 0 and not _place(literal >> 1, board, state):
                return False
            if not _visit(literal ^ 1, board, state, clauses):
                return False
        if at[QUEUE_FROM] == at[QUEUE_TO]:
            return True
        automaton = state.queue[at[QUEUE_FROM] % state.queue.shape[0]]
        at[QUEUE_FROM] += 1
        state.waiting[automaton] = False
        if not _run(automaton, board, automata, state, ways):
            at[WHAT], at[WHICH] = AUTOMATON, automaton
            return False


@inlined
def _place(candidate, board, state):  # type: ignore[no-untyped-def]
    """Rule out what a value rules out; False if something of it is there."""
    size = board.size
    cell = candidate // size
    value = candidate - cell * size
    word = state.grid[cell] & ~(ONE << np.uint64(value))
    while word != ZERO:
        bit = first_bit(word)
        word ^= bit
        if not _bar(cell * size + first(bit), candidate, board, state):
            return False
    for i in range(board.peers.shape[1]):
        peer = board.peers[cell, i]
        if peer < 0:
            break
        if not _bar(peer * size + value, candidate, board, state):
            return False
    for i in range(board.bar_ranges[candidate], board.bar_ranges[candidate + 1]):
        if not _bar(np.int64(board.bars[i]), candidate, board, state):
            return False
    return True


@inlined
def _bar(other, candidate, board, state):  # type: ignore[no-untyped-def]
    """Rule out a candidate because of another one; False if it is there."""
    truth = state.truths[2 * other]
    if truth > 0:
        at = state.at
        at[WHAT], at[WHICH], at[OTHER] = PAIR, candidate, other
        return False
    if truth == 0:
        assign(2 * other + 1, PAIR, candidate, board, state)
    return True


@inlined
def _visit(false, board, state, clauses):  # type: ignore[no-untyped-def]
    """Look at the clauses that watch a false literal; False if all of one is false.

    Places are unsigned here, as no time is spent then on whether they count from the end.
    """
    truths = state.truths
    link = _NO_PLACE  # where the number of the clause stands that is looked at
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
                state.at[WHAT], state.at[WHICH] = CLAUSE, clause
                return False
            if not moved:
                assign(last, CLAUSE, clause, board, state)
        if not moved:
            link = next_link
        clause = after
    return True


@bare
def _run(automaton, board, automata, state, ways):  # type: ignore[no-untyped-def]
    """Remove the values that no word of an automaton has; False if there is no word."""
    if not walk(automaton, automata, state.grid, ways):
        return False
    start = automata.ranges[automaton]
    for j in range(automata.ranges[automaton + 1] - start - 1, -1, -1):
        cell = automata.cells[start + j]
        gone = state.grid[cell] & ~ways.kept[j]
        while gone != ZERO:
            bit = first_bit(gone)
            gone ^= bit
            candidate = cell * board.size + first(bit)
            assign(2 * candidate + 1, AUTOMATON, automaton, board, state)
    return True
