"""The search: guess, propagate, learn from conflicts, go back.

After J. Marques-Silva and K. Sakallah, GRASP, 1999 (learning); M. Moskewicz et al., Chaff, 2001
(watched literals, activity); N. Eén and N. Sörensson, MiniSat, 2003; G. Audemard and L. Simon,
Glucose, 2009 (levels of clauses, restarts); G. Gange, P. Stuckey and R. Szymanek, "MDD
propagators with explanation", 2011 (automata).
"""

import numpy as np

from solver.compiling.bits import ZERO, first, first_bit
from solver.compiling.jit import bare, compiled, inner
from solver.engines.engine import ABANDON
from solver.engines.general.learning.analysis import analyse
from solver.engines.general.learning.clauses import add_clause, forget
from solver.engines.general.learning.propagation import propagate
from solver.engines.general.learning.state import (
    CLAUSE,
    CLAUSES,
    GUESS,
    LEVEL,
    QUEUE_TO,
    TRAIL,
    assign,
    begin,
    go_back,
    put,
    take,
)
from solver.engines.general.solutions import no_solutions, with_solution
from solver.engines.verdict import EXHAUSTED, LIMIT_REACHED, STEP_LIMIT_REACHED, STOPPED

_LEARNED_AT_FIRST = 2000
_MORE_LEARNED = 300
_RESTART_AFTER = 50  # conflicts
_RESTART_RATIO = 0.8
_DECAY = 0.99


@compiled
def search(domains, problem, limit, step_limit, kept, stop):  # type: ignore[no-untyped-def]
    """Search one puzzle, given the values left to each cell (cells,) as bits.

    Returns (verdict, solutions found, guesses, the first `kept` solutions (kept, cells) uint8).
    """
    board = problem.board
    size = board.size
    cells = domains.shape[0]
    domains = np.concatenate((domains, problem.hidden))
    state, order, scratch = begin(domains, problem)
    activity = order.activity
    guesses = state.guesses
    grid = state.grid[:cells]
    trail = state.trail
    at = state.at
    clauses = np.empty(1024, np.int32)
    solutions = no_solutions(kept, cells)
    possible, clauses = _enter(domains, problem, state, order, scratch, clauses)
    if not possible:
        return EXHAUSTED, 0, 0, solutions
    found = np.empty(state.facts.shape[0] + 2, np.int32)
    learned = np.empty(state.facts.shape[0] + 2, np.int32)
    count = 0
    steps = 0
    conflicts = 0
    since_restart = 0
    learned_clauses = 0
    most_learned = _LEARNED_AT_FIRST
    increment = 1.0
    # Levels of learned clauses, averaged over the last few and over all.
    recent = 0.0
    usual = 0.0
    while True:
        if not propagate(board, problem.automata, state, scratch.ways, clauses):
            if at[LEVEL] == 0:
                return EXHAUSTED, count, steps, solutions
            conflicts += 1
            since_restart += 1
            length, spread, back = analyse(
                increment, problem, state, order, scratch, clauses, found, learned
            )
            recent += (spread - recent) / 32
            usual += (spread - usual) / min(conflicts, 8192)
            go_back(back, size, state, order)
            clauses = _add(learned[:length], spread, board, state, clauses)
            learned_clauses += length > 1
            increment /= _DECAY
            if increment > 1e100:
                activity[:] *= 1e-100
                increment *= 1e-100
            continue
        if learned_clauses > most_learned:
            learned_clauses -= forget(state, clauses)
            most_learned += _MORE_LEARNED
        if since_restart > _RESTART_AFTER and recent * _RESTART_RATIO > usual:
            since_restart = 0
            recent = usual
            go_back(0, size, state, order)
            continue
        best = take(state, order)
        if best >= 0:
            if steps == step_limit:
                return STEP_LIMIT_REACHED, count, steps, solutions
            if stop[0] == ABANDON:
                return STOPPED, count, steps, solutions
            steps += 1
            guesses[at[LEVEL]] = at[TRAIL]
            at[LEVEL] += 1
            assign(2 * best, GUESS, 0, board, state)
            continue
        solutions = with_solution(solutions, count, kept, grid)
        count += 1
        if count == limit:
            return LIMIT_REACHED, count, steps, solutions
        level = at[LEVEL]
        if level == 0:
            return EXHAUSTED, count, steps, solutions
        # Not all of these guesses together again: that would be the same solution.
        for i in range(level):
            learned[i] = trail[guesses[level - 1 - i]] ^ 1
        go_back(level - 1, size, state, order)
        clauses = _add(learned[:level], 0, board, state, clauses)


@inner
def _add(literals, levels, board, state, clauses):  # type: ignore[no-untyped-def]
    """Add a clause whose first literal is the only open one, which follows; return the clauses."""
    if literals.shape[0] == 1:
        assign(literals[0], GUESS, 0, board, state)
        return clauses
    clause = state.at[CLAUSES]
    clauses = add_clause(literals, levels, state, clauses)
    assign(literals[0], CLAUSE, clause, board, state)
    return clauses


@inner
def _enter(domains, problem, state, order, scratch, clauses):  # type: ignore[no-untyped-def]
    """Enter what is given, and what then is left of the needs as clauses.

    Returns (False if that is impossible, the array of clauses).
    """
    board = problem.board
    size = board.size
    need_ranges = problem.need_ranges
    needs = problem.needs
    grid = state.grid
    truths = state.truths
    activity = order.activity
    facts = state.facts
    state.waiting[:] = True
    for automaton in range(state.waiting.shape[0]):
        state.queue[automaton] = automaton
    state.at[QUEUE_TO] = state.waiting.shape[0]
    for cell in range(domains.shape[0]):
        gone = grid[cell] & ~domains[cell]
        while gone != ZERO:
            bit = first_bit(gone)
            gone ^= bit
            assign(2 * (cell * size + first(bit)) + 1, GUESS, 0, board, state)
    changed = True
    while changed:
        if not propagate(board, problem.automata, state, scratch.ways, clauses):
            return False, clauses
        changed = False
        for need in range(need_ranges.shape[0] - 1):
            left, met, last = _look_at(need, problem, state)
            if met:
                continue
            if left == 0:
                return False, clauses
            if left == 1:
                assign(last, GUESS, 0, board, state)
                changed = True
                if not propagate(board, problem.automata, state, scratch.ways, clauses):
                    return False, clauses
    longest = np.int64(0)
    for need in range(need_ranges.shape[0] - 1):
        longest = max(longest, need_ranges[need + 1] - need_ranges[need])
    literals = np.empty(longest, np.int32)
    for need in range(need_ranges.shape[0] - 1):
        left, met, _ = _look_at(need, problem, state)
        if met:
            continue
        count = 0
        for i in range(need_ranges[need], need_ranges[need + 1]):
            literal = needs[i]
            if truths[literal] == 0:
                literals[count] = literal
                count += 1
                activity[literal >> 1] += 1e-6 / left  # few places first
        clauses = add_clause(literals[:count], 0, state, clauses)
    for candidate in range(facts.shape[0]):
        if truths[2 * candidate] == 0:
            put(candidate, order.heap, order.heap_places, activity, state.at)
    return True, clauses


@bare
def _look_at(need, problem, state):  # type: ignore[no-untyped-def]
    """Return (how many literals of a need are open, whether one is true, the last open)."""
    need_ranges = problem.need_ranges
    needs = problem.needs
    truths = state.truths
    left = 0
    last = np.int64(-1)
    for i in range(need_ranges[need], need_ranges[need + 1]):
        truth = truths[needs[i]]
        if truth > 0:
            return 0, True, last
        if truth == 0:
            left += 1
            last = np.int64(needs[i])
    return left, False, last
