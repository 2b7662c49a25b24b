"""What follows from what is decided: from values, clauses and automata."""

import numpy as np

from solver.bits import ONE, ZERO, first, first_bit
from solver.compiled import bare, inlined
from solver.learning.clauses import LITERALS, NEXT
from solver.learning.state import (
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
from solver.walk import walk


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
    """Look at the clauses that watch a false literal; False if all of one is false."""
    truths = state.truths
    before = -1
    before_slot = 0
    clause = state.watchers[false]
    while clause >= 0:
        first = clause + LITERALS
        slot = 0 if clauses[first] == false else 1
        after = clauses[clause + NEXT + slot]
        last = clauses[first + 1 - slot]
        moved = False
        if truths[last] <= 0:
            for k in range(first + 2, first + clauses[clause]):
                literal = clauses[k]
                if truths[literal] >= 0:
                    clauses[first + slot] = literal
                    clauses[k] = false
                    clauses[clause + NEXT + slot] = state.watchers[literal]
                    state.watchers[literal] = clause
                    if before < 0:
                        state.watchers[false] = after
                    else:
                        clauses[before + NEXT + before_slot] = after
                    moved = True
                    break
            if not moved and truths[last] < 0:
                state.at[WHAT], state.at[WHICH] = CLAUSE, clause
                return False
            if not moved:
                assign(last, CLAUSE, clause, board, state)
        if not moved:
            before = clause
            before_slot = slot
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
