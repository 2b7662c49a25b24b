"""What follows from what is decided: from values, clauses and automata."""

import numpy as np

from solver.compiled import bare
from solver.learning.clauses import LITERALS, NEXT
from solver.learning.state import (
    AUTOMATON,
    CLAUSE,
    HEAD,
    ONE,
    OTHER,
    PAIR,
    QUEUE_FROM,
    QUEUE_TO,
    TRAIL,
    WHAT,
    WHICH,
    ZERO,
    assign,
    place_of,
)


@bare
def propagate(problem, state, scratch, clauses):  # type: ignore[no-untyped-def]
    """Find all that follows; False at a conflict, with its reason in `state.at`."""
    at = state.at
    while True:
        while at[HEAD] < at[TRAIL]:
            literal = state.trail[at[HEAD]]
            at[HEAD] += 1
            if literal & 1 == 0 and not _place(literal >> 1, problem, state):
                return False
            if not _visit(literal ^ 1, problem, state, clauses):
                return False
        if at[QUEUE_FROM] == at[QUEUE_TO]:
            return True
        automaton = state.queue[at[QUEUE_FROM] % state.queue.shape[0]]
        at[QUEUE_FROM] += 1
        state.waiting[automaton] = False
        if not _run(automaton, problem, state, scratch):
            at[WHAT], at[WHICH] = AUTOMATON, automaton
            return False


@bare
def _place(candidate, problem, state):  # type: ignore[no-untyped-def]
    """Rule out what a value rules out; False if something of it is there."""
    size = problem.size
    cell = candidate // size
    value = candidate - cell * size
    word = state.grid[cell] & ~(ONE << np.uint64(value))
    while word != ZERO:
        bit = word & (~word + ONE)
        word ^= bit
        if not _bar(cell * size + place_of(bit), candidate, problem, state):
            return False
    for i in range(problem.peers.shape[1]):
        peer = problem.peers[cell, i]
        if peer < 0:
            break
        if not _bar(peer * size + value, candidate, problem, state):
            return False
    for i in range(problem.bar_ranges[candidate], problem.bar_ranges[candidate + 1]):
        if not _bar(np.int64(problem.bars[i]), candidate, problem, state):
            return False
    return True


@bare
def _bar(other, candidate, problem, state):  # type: ignore[no-untyped-def]
    """Rule out a candidate because of another one; False if it is there."""
    truth = state.truths[2 * other]
    if truth > 0:
        at = state.at
        at[WHAT], at[WHICH], at[OTHER] = PAIR, candidate, other
        return False
    if truth == 0:
        assign(2 * other + 1, PAIR, candidate, problem, state)
    return True


@bare
def _visit(false, problem, state, clauses):  # type: ignore[no-untyped-def]
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
                assign(last, CLAUSE, clause, problem, state)
        if not moved:
            before = clause
            before_slot = slot
        clause = after
    return True


@bare
def _run(automaton, problem, state, scratch):  # type: ignore[no-untyped-def]
    """Remove the values that no word of an automaton has; False if there is no word."""
    templates = problem.templates
    cell_ranges = problem.cell_ranges
    layer_ranges = problem.layer_ranges
    first_layers = problem.first_layers
    states = problem.states
    cells = problem.cells
    size = problem.size
    reached = scratch.reached
    useful = scratch.useful
    grid = state.grid
    truths = state.truths
    template = templates[automaton]
    start = cell_ranges[automaton]
    length = cell_ranges[automaton + 1] - start
    layers = layer_ranges[first_layers[template] :]
    edges = problem.edges
    last = states[template] - 1
    reached[: last + 1] = False
    useful[: last + 1] = False
    reached[0] = True
    for j in range(length):
        word = grid[cells[start + j]]
        for e in range(layers[j], layers[j + 1]):
            if reached[edges[e, 0]] and (word >> np.uint64(edges[e, 1])) & ONE:
                reached[edges[e, 2]] = True
    if not reached[last]:
        return False
    useful[last] = True
    for j in range(length - 1, -1, -1):
        cell = cells[start + j]
        word = grid[cell]
        kept = ZERO
        for e in range(layers[j], layers[j + 1]):
            if useful[edges[e, 2]] and reached[edges[e, 0]]:
                bit = ONE << np.uint64(edges[e, 1])
                if word & bit:
                    kept |= bit
                    useful[edges[e, 0]] = True
        gone = word & ~kept
        while gone != ZERO:
            bit = gone & (~gone + ONE)
            gone ^= bit
            candidate = cell * size + place_of(bit)
            if truths[2 * candidate] > 0:
                return False
            if truths[2 * candidate] == 0:
                assign(2 * candidate + 1, AUTOMATON, automaton, problem, state)
    return True
