"""Clauses, in one array, one after the other.

    offset  0        1        2  3                        4 …
            length │ levels │ the next clauses that     │ literals, of which the
                   │        │ watch literal 0 and 1     │ first two are watched

`levels` says over how many levels a learned clause went, 0 that a clause stays for ever.
"""

import numpy as np

from solver.compiling.jit import bare, inner
from solver.engines.general.learning.state import CAUSE, CLAUSE, CLAUSES, REASON

LEVELS, NEXT, LITERALS = 1, 2, 4

_GOOD_LEVELS = 2  # learned clauses over so few levels stay


@bare
def _watch(clause, state, clauses):  # type: ignore[no-untyped-def]
    watchers = state.watchers
    for slot in range(2):
        literal = clauses[clause + LITERALS + slot]
        clauses[clause + NEXT + slot] = watchers[literal]
        watchers[literal] = clause


@inner
def add_clause(literals, levels, state, clauses):  # type: ignore[no-untyped-def]
    """Add a clause of two literals or more behind the others; return the array of all."""
    at = state.at
    clause = at[CLAUSES]
    end = clause + LITERALS + literals.shape[0]
    if end > clauses.shape[0]:
        larger = np.empty(2 * end, np.int32)
        larger[:clause] = clauses[:clause]
        clauses = larger
    clauses[clause] = literals.shape[0]
    clauses[clause + LEVELS] = levels
    clauses[clause + LITERALS : end] = literals
    at[CLAUSES] = end
    _watch(clause, state, clauses)
    return clauses


@bare
def _is_reason(clause, literal, state):  # type: ignore[no-untyped-def]
    truths = state.truths
    facts = state.facts
    candidate = literal >> 1
    return (
        truths[literal] > 0
        and facts[candidate, REASON] == CLAUSE
        and facts[candidate, CAUSE] == clause
    )


@inner
def forget(state, clauses):  # type: ignore[no-untyped-def]
    """Drop half of the learned clauses, those over more levels; return how many."""
    at = state.at
    facts = state.facts
    watchers = state.watchers
    size = at[CLAUSES]
    ranks = np.empty(size // LITERALS + 1, np.int64)
    count = 0
    clause = 0
    while clause < size:
        if clauses[clause + LEVELS] > _GOOD_LEVELS:
            ranks[count] = (np.int64(clauses[clause + LEVELS]) << 40) - clause
            count += 1
        clause += LITERALS + clauses[clause]
    if count == 0:
        return 0
    ranks = ranks[:count]
    ranks.sort()
    worst = ranks[count // 2]
    dropped = 0
    end = 0
    clause = 0
    while clause < size:
        length = LITERALS + clauses[clause]
        levels = np.int64(clauses[clause + LEVELS])
        reason = -1
        for slot in range(2):
            literal = clauses[clause + LITERALS + slot]
            if _is_reason(clause, literal, state):
                reason = literal >> 1
        if reason < 0 and levels > _GOOD_LEVELS and (levels << 40) - clause >= worst:
            dropped += 1
        else:
            if reason >= 0:
                facts[reason, CAUSE] = end
            for i in range(length):
                clauses[end + i] = clauses[clause + i]
            end += length
        clause += length
    at[CLAUSES] = end
    watchers[:] = -1
    clause = 0
    while clause < end:
        _watch(clause, state, clauses)
        clause += LITERALS + clauses[clause]
    return dropped
