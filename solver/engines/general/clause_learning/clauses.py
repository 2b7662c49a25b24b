"""The clause database: all clauses in one array.

    offset  0        1     2  3                        4 …
            length │ LBD │ the next clauses that     │ literals, of which the
                   │     │ watch literal 0 and 1     │ first two are watched

A clause is visited only when one of its two watched literals becomes false (M. Moskewicz et al.,
Chaff, 2001). It then watches another literal that isn't false, or implies the remaining one. The
clauses that watch a literal form a linked list.

The LBD (literal block distance) of a learned clause is the number of decision levels among its
literals when it was learned. Lower is better (G. Audemard and L. Simon, "Predicting learnt clauses
quality in modern SAT solvers", 2009: Glucose). 0 marks a clause that is never dropped.
"""

import numpy as np

from solver.compiling.array_loops import copy, nth_smallest
from solver.compiling.jit import always_inline, helper, kernel
from solver.engines.general.clause_learning.state import CLAUSE, Counters, Fact

LBD, NEXT, LITERALS = 1, 2, 4

# Learned clauses up to this LBD are never dropped: they glue two levels together (Glucose).
# Measured as in `search`, thousands of guesses: 122, 45; with 1: 119, 53; with 3: 119, 41.
_GLUE = 2


@kernel
def _watch(clause, state, clauses):  # type: ignore[no-untyped-def]
    """Let a clause, given by its offset, watch its first two literals."""
    watchers = state.watchers
    for slot in range(2):
        literal = clauses[clause + LITERALS + slot]
        clauses[clause + NEXT + slot] = watchers[literal]
        watchers[literal] = clause


@always_inline
def has_room(clauses, used, length):  # type: ignore[no-untyped-def]
    """Return whether a clause of `length` literals fits into the array after its `used` words."""
    return used + LITERALS + length <= clauses.shape[0]


@helper
def with_room(clauses, used, length):  # type: ignore[no-untyped-def]
    """Return the array of clauses with room for one more clause of `length` literals.

    `used` is the number of words in use. If there is no room, the array is replaced by a larger
    copy.
    """
    if has_room(clauses, used, length):
        return clauses
    larger = np.empty(2 * (used + LITERALS + length), np.int32)
    copy(clauses[:used], larger)
    return larger


@helper
def room_to_forget(clauses):  # type: ignore[no-untyped-def]
    """Return working memory for `forget`, with an item for each clause that the array can hold."""
    return np.empty(clauses.shape[0] // LITERALS + 1, np.int64)


@kernel
def add_clause(literals, lbd, state, clauses):  # type: ignore[no-untyped-def]
    """Append a clause of at least two literals, and watch the first two of them.

    There must be room for it. `lbd` is its LBD, 0 for a clause that is never dropped.
    """
    counters: Counters = state.counters[0]
    clause = counters.clauses
    end = clause + LITERALS + literals.shape[0]
    clauses[clause] = literals.shape[0]
    clauses[clause + LBD] = lbd
    copy(literals, clauses[clause + LITERALS : end])
    counters.clauses = end
    _watch(clause, state, clauses)


@kernel
def _is_reason(clause, literal, state):  # type: ignore[no-untyped-def]
    """Return whether a clause, given by its offset, is the reason why a literal is true."""
    fact: Fact = state.facts[literal >> 1]
    return state.truths[literal] > 0 and fact.reason == CLAUSE and fact.cause == clause


@kernel
def forget(state, clauses, ranks):  # type: ignore[no-untyped-def]
    """Drop the half of the learned clauses with the higher LBD. Return how many were dropped.

    Among clauses with the same LBD, older ones are dropped first. Clauses with a low LBD (at most
    `_GLUE`) don't count as learned here. Clauses that are the reason for an assigned literal stay.
    The remaining clauses move toward the start of the array. A clause is identified by its offset
    there, so the reasons and watch lists in `state` are updated. `ranks` is working memory.
    """
    counters: Counters = state.counters[0]
    facts = state.facts
    watchers = state.watchers
    size = counters.clauses
    count = 0
    clause = 0
    while clause < size:
        if clauses[clause + LBD] > _GLUE:
            ranks[count] = (np.int64(clauses[clause + LBD]) << 40) - clause
            count += 1
        clause += LITERALS + clauses[clause]
    if count == 0:
        return 0
    worst = nth_smallest(ranks, count, count // 2)
    dropped = 0
    end = 0
    clause = 0
    while clause < size:
        length = LITERALS + clauses[clause]
        lbd = np.int64(clauses[clause + LBD])
        implied = -1
        for slot in range(2):
            literal = clauses[clause + LITERALS + slot]
            if _is_reason(clause, literal, state):
                implied = literal >> 1
        if implied < 0 and lbd > _GLUE and (lbd << 40) - clause >= worst:
            dropped += 1
        else:
            if implied >= 0:
                facts[implied].cause = end
            for i in range(length):
                clauses[end + i] = clauses[clause + i]
            end += length
        clause += length
    counters.clauses = end
    watchers[:] = -1
    clause = 0
    while clause < end:
        _watch(clause, state, clauses)
        clause += LITERALS + clauses[clause]
    return dropped
