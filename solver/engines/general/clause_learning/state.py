"""The state of a search: the assigned literals and their reasons.

The variables are the candidates: "cell c has value v" (v from 0) is number c × size + v. A literal
states a candidate or its negation:

    bit      31 … 1      0
    literal  candidate │ 1 if negated

The trail lists the true literals in the order of assignment. The decision level of a literal is the
number of guesses up to it, its own included. Literals that hold without any guess have level 0:

    trail     given … │ guess 1, what it implies … │ guess 2, what it implies …
    level     0       │ 1                          │ 2

The terms are those of MiniSat (N. Eén and N. Sörensson, "An extensible SAT-solver", 2003), except
that its decisions are called guesses here.
"""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.compiling.array_loops import zeros
from solver.compiling.bitops import ONE, ZERO
from solver.compiling.jit import always_inline, helper, kernel
from solver.compiling.records import Int32, record_dtype
from solver.engines.general.automaton_tables import AutomatonTables
from solver.engines.general.clause_learning.variable_order import push
from solver.engines.general.mdd_propagation import Supports, new_supports

# Reasons for a literal. None: it was guessed, or holds at level 0. A clause: all of its other
# literals are false. A pair: another true candidate excludes it. An automaton: it accepts no word
# with the value.
NO_REASON, CLAUSE, PAIR, AUTOMATON = 0, 1, 2, 3


class Fact(Protocol):
    """How a candidate was assigned: its level, position in the trail, and reason."""

    level: Int32  # its decision level
    place: Int32  # its position in the trail
    reason: Int32  # one of the reasons above
    cause: Int32  # the clause, the other candidate, or the automaton


class Counters(Protocol):
    """The lengths of the trail and of other lists, and the decision level."""

    trail: int  # its length
    propagated: int  # how much of the trail was propagated
    level: int  # the decision level, which is the number of guesses in force
    # both ends of the ring buffer of automata, as ever-increasing numbers
    queue_start: int
    queue_end: int
    heap: int  # its length, see `variable_order`
    clauses: int  # the used length of their array
    stamp: int  # the last stamp that was given to a level


FACT, COUNTERS = record_dtype(Fact), record_dtype(Counters)


class Consequences(NamedTuple):
    """The direct consequences of an assigned candidate, and the automata that it affects.

    The rows of `peers` (cells, most) end with −1. bars[bar_ranges[k]:bar_ranges[k + 1]] are the
    candidates that candidate k excludes in addition. The automata that read a cell are stored the
    same way, with the values that each of them doesn't distinguish.
    """

    size: int
    peers: NDArray[np.int32]
    bars: NDArray[np.int32]
    bar_ranges: NDArray[np.int32]
    readers: NDArray[np.uint32]
    reader_ranges: NDArray[np.int32]
    commons: NDArray[np.uint64]


class Problem(NamedTuple):
    """The tables of a layout for clause learning.

    `needs` are the literals of the initial clauses. At least one literal of each must be true. The
    tables are split so that each function receives only those that it uses. Passing all of them
    would copy a hundred words per call.
    """

    consequences: Consequences
    automata: AutomatonTables
    needs: NDArray[np.uint32]
    need_ranges: NDArray[np.int32]
    hidden: NDArray[np.uint64]  # the domains of auxiliary variables, as bits


class State(NamedTuple):
    """The assignment so far, its reasons, the domains, and the queue of automata."""

    truths: NDArray[np.int8]  # per literal: 1 true, −1 false, 0 open
    grid: NDArray[np.uint64]  # per cell: its domain, bit 0 for the first value
    facts: NDArray[np.void]  # per candidate, FACT each
    trail: NDArray[np.int32]  # true literals in the order of assignment
    level_starts: NDArray[np.int32]  # where each level from 1 on begins in the trail
    watchers: NDArray[np.int32]  # per literal: the first clause that watches it, or −1
    in_queue: NDArray[np.bool_]  # per automaton: whether it is queued
    queue: NDArray[np.int32]
    counters: NDArray[np.void]  # (1,), COUNTERS


class Scratch(NamedTuple):
    """Working memory of conflict analysis and propagation. Marks are cleared after use."""

    seen: NDArray[np.bool_]  # per candidate: seen by the conflict analysis
    taken: NDArray[np.bool_]  # per candidate: part of an explanation
    supports: Supports
    stamps: NDArray[np.int64]  # per level
    explanation: NDArray[np.int32]  # literals
    learned: NDArray[np.int32]  # the literals of a clause


def new_state(cells: int, problem: Problem) -> State:
    """Return the state of a search that hasn't started: nothing is assigned or queued.

    Each of the `cells`, which include auxiliary variables, has all values.
    """
    size = problem.consequences.size
    candidates = cells * size
    automata = len(problem.automata.first_states)
    return State(
        np.zeros(2 * candidates, np.int8),
        np.full(cells, (1 << size) - 1, np.uint64),
        np.zeros(candidates, FACT),
        np.zeros(candidates, np.int32),
        np.zeros(candidates + 1, np.int32),
        np.full(2 * candidates, -1, np.int32),
        np.zeros(automata, np.bool_),
        np.zeros(max(1, automata), np.int32),
        np.zeros(1, COUNTERS),
    )


@helper
def new_scratch(cells, problem):  # type: ignore[no-untyped-def]
    """Allocate working memory for a search.

    `cells` is the number of cells and auxiliary variables.
    """
    candidates = cells * problem.consequences.size
    return Scratch(
        zeros(candidates, np.bool_),
        zeros(candidates, np.bool_),
        new_supports(problem.automata),
        zeros(candidates + 1, np.int64),
        np.empty(candidates + 2, np.int32),
        np.empty(candidates + 2, np.int32),
    )


@always_inline
def assign(literal, reason, cause, consequences, state):  # type: ignore[no-untyped-def]
    """Make an open literal true for a given reason, and append it to the trail.

    For `reason` and `cause`, see `Fact`. If that removes a value from a cell, the domain changes,
    and the automata that read the cell are queued, unless the change doesn't matter to them.
    """
    counters: Counters = state.counters[0]
    candidate = literal >> 1
    state.truths[literal] = 1
    state.truths[literal ^ 1] = -1
    state.facts[candidate].level = counters.level
    state.facts[candidate].place = counters.trail
    state.facts[candidate].reason = reason
    state.facts[candidate].cause = cause
    state.trail[counters.trail] = literal
    counters.trail += 1
    if literal & 1:
        size = np.uint64(consequences.size)
        place = np.uint64(candidate)
        cell = place // size
        bit = ONE << (place - cell * size)
        word = state.grid[cell] & ~bit
        state.grid[cell] = word
        ranges = consequences.reader_ranges
        for i in range(np.uint64(ranges[cell]), np.uint64(ranges[cell + ONE])):
            automaton = consequences.readers[i]
            common = consequences.commons[i]
            matters = bit & common == ZERO or word & common == ZERO
            if matters and not state.in_queue[automaton]:
                state.in_queue[automaton] = True
                state.queue[counters.queue_end % state.queue.shape[0]] = automaton
                counters.queue_end += 1


@kernel
def backjump(level, size, state, order):  # type: ignore[no-untyped-def]
    """Undo all assignments of decision levels above `level`, and empty the queue of automata.

    The candidates concerned are open again and return to the heap. `size` is the number of values.
    """
    counters: Counters = state.counters[0]
    trail = state.trail
    truths = state.truths
    grid = state.grid
    in_queue = state.in_queue
    queue = state.queue
    heap = order.heap
    heap_places = order.heap_places
    activity = order.activity
    if counters.level > level:
        start = state.level_starts[level]
        for i in range(counters.trail - 1, start - 1, -1):
            literal = np.uint64(trail[i])
            candidate = literal >> ONE
            truths[literal] = 0
            truths[literal ^ ONE] = 0
            if literal & ONE != ZERO:
                cell = candidate // np.uint64(size)
                grid[cell] |= ONE << (candidate - cell * np.uint64(size))
            push(candidate, heap, heap_places, activity, counters)
        counters.trail = start
        counters.propagated = start
        counters.level = level
    while counters.queue_start < counters.queue_end:
        in_queue[queue[counters.queue_start % queue.shape[0]]] = False
        counters.queue_start += 1
