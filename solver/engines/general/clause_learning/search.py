"""The search with clause learning: guess, propagate, learn from conflicts, jump back.

Conflict-driven clause learning with one-way guesses: a guess makes a candidate true, never false.
After J. Marques-Silva and K. Sakallah, GRASP, 1999 (learning); M. Moskewicz et al., Chaff, 2001
(watched literals, activity); N. Eén and N. Sörensson, MiniSat, 2003; G. Audemard and L. Simon,
Glucose, 2009 (LBD, restarts), and "Refining restarts strategies for SAT and UNSAT", 2012 (postponed
restarts); A. Biere and A. Fröhlich, "Evaluating CDCL restart schemes", 2015 (exponential moving
averages); G. Gange, P. Stuckey, and R. Szymanek, "MDD propagators with explanation", 2011
(automata).
"""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.compiling.array_loops import copy
from solver.compiling.bitops import ZERO, ctz, lowest_bit
from solver.compiling.jit import compiled, helper, kernel
from solver.compiling.records import record_dtype
from solver.engines.engine import ABANDON
from solver.engines.general.clause_learning.analysis import analyze
from solver.engines.general.clause_learning.clauses import (
    add_clause,
    forget,
    has_room,
    room_to_forget,
    with_room,
)
from solver.engines.general.clause_learning.propagation import propagate
from solver.engines.general.clause_learning.state import (
    CLAUSE,
    NO_REASON,
    Counters,
    Problem,
    State,
    assign,
    backjump,
    new_scratch,
    new_state,
)
from solver.engines.general.clause_learning.variable_order import Order, new_order, pop_open, push
from solver.engines.general.solutions import is_full, keep_solution, with_one_more
from solver.engines.search_outcome import EXHAUSTED, LIMIT_REACHED, STEP_LIMIT_REACHED, STOPPED

# Mostly the constants of Glucose. Other values were measured in thousands of guesses by clause
# learning alone, on 241 boards of 16×16 (122) and 30 random ones of 25×25 (45). The former hardly
# depend on any of them; the latter are too few to decide. Learned clauses before half of them are
# dropped, and the increase each time. Seconds for 50 variants that learn, and for 200 random boards
# of 25×25: 15.7, 2.7; 2000 and 300: 19.2, 2.7; 1000 and 100: 16.2, 2.7; 1000 and 150: 17.5, 2.4;
# 1400 and 100: 16.2, 3.0; 700 and 100: 15.7, 3.0.
_LEARNED_AT_FIRST, _MORE_LEARNED = 800, 100
_RESTART_AFTER = 50  # conflicts between restarts, at least. 25: 123, 49; 100: 123, 50
# restart if the recent LBD times this exceeds the long-term one. 0.6: 121, 34; 1: 128, 24
_RESTART_RATIO = 0.8
_RECENT = 32  # conflicts over which the recent LBD is averaged. 16: 122, 34; 64: 120, 34
_USUAL = 8192  # conflicts over which the long-term LBD and trail are averaged; not tuned
# A restart is postponed if the trail is this many times as long as usual, because a solution may be
# near. Geometric means of seconds, with at most 2 and 3 each, for 12 boards with few givens and 19
# with about as many as are hardest: 1.05: 0.06, 0.10; 1.1: 0.06, 0.11; 1.2: 0.09, 0.28; never
# postponed: 0.60, 0.58.
_LONG_TRAIL = 1.1
# Boards of at most this many values never postpone a restart. Geometric means of guesses on 9×9
# cells, always postponing and never: 50 variants 3,450, 3,424; 54 unsolvable jigsaws 1,546, 1,500.
_SMALL = 10
_DECAY = 0.99  # decay of activities per conflict. 0.98: 120, 37; 0.995: 129, 43
_GREATEST = 1e100  # activity at which all are scaled down, far from the end of a float's range
_CLAUSES_AT_FIRST = 1024  # initial size of the clause array in words; it grows by doubling
_NO_ROOM = 255  # internal search outcome: continue after the arrays were enlarged
_FEW_FIRST = 1e-6  # initial activity, by the number of places left: less than any conflict gives


class Progress(Protocol):
    """The progress of a search, which is kept when the search is suspended.

    has_begun        1 after the search has started, otherwise 0
    solutions        the number of solutions found so far
    steps            the number of guesses so far
    conflicts        the number of conflicts so far
    since_restart    the number of conflicts since the last restart
    learned_clauses  the number of learned clauses that are stored
    most_learned     the number of learned clauses above which half of them are dropped
    increment        by how much a conflict raises the activity of its candidates
    recent_lbd       moving average of the LBD of learned clauses, over a few conflicts
    usual_lbd        the same over many conflicts
    usual_trail      moving average of the trail's length at a conflict, without level 0
    """

    has_begun: int
    solutions: int
    steps: int
    conflicts: int
    since_restart: int
    learned_clauses: int
    most_learned: int
    increment: float
    recent_lbd: float
    usual_lbd: float
    usual_trail: float


PROGRESS = record_dtype(Progress)


class SearchState(NamedTuple):
    """The state of a search between two guesses: everything that is needed to resume it.

    `clauses` is the clause database, see the module of this name. `listed` (rows, cells) are the
    solutions found so far, as values from 1. `progress` (1,) is of the type PROGRESS.
    """

    state: State
    order: Order
    clauses: NDArray[np.int32]
    listed: NDArray[np.uint8]
    progress: NDArray[np.void]


def initial_state(problem: Problem, cells: int) -> SearchState:
    """Return the state of a search that hasn't started.

    `cells` is the number of the layout's cells, without the auxiliary variables in
    `problem.hidden`.
    """
    candidates = (cells + len(problem.hidden)) * problem.consequences.size
    progress = np.zeros(1, PROGRESS)
    progress["most_learned"] = _LEARNED_AT_FIRST
    progress["increment"] = 1.0
    return SearchState(
        new_state(cells + len(problem.hidden), problem),
        new_order(candidates),
        np.zeros(_CLAUSES_AT_FIRST, np.int32),
        np.zeros((0, cells), np.uint8),
        progress,
    )


@compiled
def search(search_state, domains, problem, limits, stop):  # type: ignore[no-untyped-def]
    """Search one puzzle, or resume its search. `domains` (cells,) has its domains as bit masks.

    The cells don't include the auxiliary variables in `problem.hidden`. Returns (search outcome,
    clauses, solutions). The two arrays replace those of `search_state`, which is otherwise changed
    in place. The search can be resumed only if the outcome is STOPPED.
    """
    cells = domains.shape[0]
    state, order, clauses, solutions, progress = search_state
    now: Progress = progress[0]
    counters: Counters = state.counters[0]
    scratch = new_scratch(state.grid.shape[0], problem)
    if now.has_begun == 0:
        now.has_begun = 1
        all_domains = np.empty(cells + problem.hidden.shape[0], np.uint64)
        copy(domains, all_domains)
        copy(problem.hidden, all_domains[cells:])
        possible, clauses = _enter(all_domains, problem, state, order, scratch, clauses)
        if not possible:
            return EXHAUSTED, clauses, solutions
    search_outcome = _NO_ROOM
    while search_outcome == _NO_ROOM:
        clauses = with_room(clauses, counters.clauses, scratch.learned.shape[0])
        solutions = with_one_more(solutions, now.solutions, limits.kept)
        search_state = SearchState(state, order, clauses, solutions, progress)
        ranks = room_to_forget(clauses)
        search_outcome = _search_on(cells, problem, limits, stop, search_state, scratch, ranks)
    return search_outcome, clauses, solutions


# Without reference counting: creating array views here took a sixth of the run time.
@kernel
def _search_on(cells, problem, limits, stop, search_state, scratch, ranks):  # type: ignore[no-untyped-def]
    """Search until the puzzle is finished, the search is stopped, or an array has no room left.

    Returns the search outcome, which is _NO_ROOM if the array of clauses or of solutions is full.
    The state stays in `search_state`, so that a later call can continue. `cells` is the number of
    cells without the auxiliary variables in `problem.hidden`. `ranks` is working memory for
    `forget`.
    """
    state, order, clauses = search_state.state, search_state.order, search_state.clauses
    solutions, learned = search_state.listed, scratch.learned
    consequences = problem.consequences
    size = consequences.size
    activity = order.activity
    level_starts = state.level_starts
    grid = state.grid[:cells]
    trail = state.trail
    counters: Counters = state.counters[0]
    now: Progress = search_state.progress[0]
    count = now.solutions
    steps = now.steps
    conflicts = now.conflicts
    since_restart = now.since_restart
    learned_clauses = now.learned_clauses
    most_learned = now.most_learned
    increment = now.increment
    recent_lbd = now.recent_lbd
    usual_lbd = now.usual_lbd
    usual_trail = now.usual_trail
    search_outcome = EXHAUSTED
    while True:
        if not has_room(clauses, counters.clauses, learned.shape[0]) or is_full(
            solutions, count, limits.kept
        ):
            search_outcome = _NO_ROOM
            break
        conflict = propagate(consequences, problem.automata, state, scratch.supports, clauses)
        if conflict.reason != NO_REASON:
            if counters.level == 0:
                break
            conflicts += 1
            since_restart += 1
            length, lbd, backward = analyze(
                conflict, increment, problem, state, order, scratch, clauses
            )
            recent_lbd += (lbd - recent_lbd) / _RECENT
            usual_lbd += (lbd - usual_lbd) / min(conflicts, _USUAL)
            guessed = counters.trail - level_starts[0]  # and everything that followed from guesses
            usual_trail += (guessed - usual_trail) / min(conflicts, _USUAL)
            if size > _SMALL and guessed > _LONG_TRAIL * usual_trail:
                since_restart, recent_lbd = 0, usual_lbd
            backjump(backward, size, state, order)
            _add(learned[:length], lbd, consequences, state, clauses)
            learned_clauses += length > 1
            increment /= _DECAY
            if increment > _GREATEST:
                for candidate in range(activity.shape[0]):
                    activity[candidate] *= 1 / _GREATEST
                increment *= 1 / _GREATEST
            continue
        if learned_clauses > most_learned:
            learned_clauses -= forget(state, clauses, ranks)
            most_learned += _MORE_LEARNED
        if since_restart > _RESTART_AFTER and recent_lbd * _RESTART_RATIO > usual_lbd:
            since_restart = 0
            recent_lbd = usual_lbd
            backjump(0, size, state, order)
            continue
        if stop[0] == ABANDON:
            search_outcome = STOPPED
            break
        best = pop_open(state, order)
        if best >= 0:
            if steps == limits.steps:
                search_outcome = STEP_LIMIT_REACHED
                break
            steps += 1
            level_starts[counters.level] = counters.trail
            counters.level += 1
            assign(2 * best, NO_REASON, 0, consequences, state)
            continue
        keep_solution(grid, solutions, count)
        count += 1
        if count == limits.solutions:
            search_outcome = LIMIT_REACHED
            break
        level = counters.level
        if level == 0:
            break
        # Exclude this combination of guesses, which would lead to the same solution.
        for i in range(level):
            learned[i] = trail[level_starts[level - 1 - i]] ^ 1
        backjump(level - 1, size, state, order)
        _add(learned[:level], 0, consequences, state, clauses)
    now.solutions = count
    now.steps = steps
    now.conflicts = conflicts
    now.since_restart = since_restart
    now.learned_clauses = learned_clauses
    now.most_learned = most_learned
    now.increment = increment
    now.recent_lbd = recent_lbd
    now.usual_lbd = usual_lbd
    now.usual_trail = usual_trail
    return search_outcome


@kernel
def _add(literals, lbd, consequences, state, clauses):  # type: ignore[no-untyped-def]
    """Add a clause whose other literals are false, and make its first literal true.

    The first literal must be open. The clause was learned from a conflict, or it excludes a
    solution. `lbd` is its LBD, 0 for a clause that is never dropped. A clause of one literal isn't
    stored. For a longer one, there must be room in `clauses`. `consequences` is the constant table
    that `assign` needs. The caller propagates later.
    """
    if literals.shape[0] == 1:
        assign(literals[0], NO_REASON, 0, consequences, state)
    else:
        clause = state.counters[0].clauses
        add_clause(literals, lbd, state, clauses)
        assign(literals[0], CLAUSE, clause, consequences, state)


@helper
def _enter(domains, problem, state, order, scratch, clauses):  # type: ignore[no-untyped-def]
    """Start a search: assign the givens, propagate, and add the clauses that are still open.

    `domains` include those of auxiliary variables. Also fills the heap with the open candidates, of
    which those in short clauses are the most active. Returns whether there was no conflict, and the
    array of clauses, which may have been replaced by a larger one.
    """
    consequences = problem.consequences
    size = consequences.size
    counters: Counters = state.counters[0]
    need_ranges = problem.need_ranges
    needs = problem.needs
    grid = state.grid
    truths = state.truths
    activity = order.activity
    facts = state.facts
    state.in_queue[:] = True
    for automaton in range(state.in_queue.shape[0]):
        state.queue[automaton] = automaton
    counters.queue_end = state.in_queue.shape[0]
    for cell in range(domains.shape[0]):
        gone = grid[cell] & ~domains[cell]
        while gone != ZERO:
            bit = lowest_bit(gone)
            gone ^= bit
            assign(2 * (cell * size + ctz(bit)) + 1, NO_REASON, 0, consequences, state)
    changed = True
    while changed:
        conflict = propagate(consequences, problem.automata, state, scratch.supports, clauses)
        if conflict.reason != NO_REASON:
            return False, clauses
        changed = False
        for need in range(need_ranges.shape[0] - 1):
            left, met, last = _look_at(need, problem, state)
            if met:
                continue
            if left == 0:
                return False, clauses
            if left == 1:
                assign(last, NO_REASON, 0, consequences, state)
                changed = True
                conflict = propagate(
                    consequences, problem.automata, state, scratch.supports, clauses
                )
                if conflict.reason != NO_REASON:
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
                activity[literal >> 1] += _FEW_FIRST / left
        clauses = with_room(clauses, counters.clauses, count)
        add_clause(literals[:count], 0, state, clauses)
    for candidate in range(facts.shape[0]):
        if truths[2 * candidate] == 0:
            push(candidate, order.heap, order.heap_places, activity, counters)
    return True, clauses


@kernel
def _look_at(need, problem, state):  # type: ignore[no-untyped-def]
    """Return how much of an initial clause is left, as (open literals, is true, last open literal).

    `need` is the index of the clause in `problem.needs`. The number of open literals is 0 if one of
    its literals is true. The last open literal is −1 if none was found.
    """
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
