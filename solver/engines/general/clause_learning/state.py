"""The tables and the state of a search: the assigned literals and their reasons.

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
    """How a candidate was assigned.

    level   the decision level at which that happened
    place   the position of its literal in the trail
    reason  NO_REASON, CLAUSE, PAIR, or AUTOMATON
    cause   the offset of the clause, the other candidate, or the index of the automaton
    """

    level: Int32
    place: Int32
    reason: Int32
    cause: Int32


class Counters(Protocol):
    """The lengths of the trail and of other lists, and the decision level.

    trail        the length of the trail
    propagated   the number of literals of the trail that have been propagated
    level        the decision level, which is the number of guesses in force
    queue_start  the start of the ring buffer of automata, a number that only ever grows
    queue_end    the end of this buffer, another such number. Indices are taken modulo its length.
    heap         the length of the heap of open candidates, see `variable_order`
    clauses      the number of words in use in the array of clauses
    stamp        the last stamp, a number that marks the levels seen while an LBD is computed
    """

    trail: int
    propagated: int
    level: int
    queue_start: int
    queue_end: int
    heap: int
    clauses: int
    stamp: int


FACT, COUNTERS = record_dtype(Fact), record_dtype(Counters)


class Consequences(NamedTuple):
    """What follows directly from an assigned candidate, and the automata that read its cell.

    A true candidate excludes the other values of its cell, the same value in the cell's peers, and
    further candidates, its bars. Cells include auxiliary variables.

    size           the number of values
    peers          (cells, most): the peers of each cell, padded with −1
    bars           candidate k excludes bars[bar_ranges[k]:bar_ranges[k + 1]] in addition
    readers        readers[reader_ranges[c]:reader_ranges[c + 1]] are the automata that read cell c
    commons        parallel to `readers`: the values (bits) that the automaton doesn't distinguish
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

    Initial clause n has the literals needs[need_ranges[n]:need_ranges[n + 1]], at least one of
    which must be true. `hidden` are the domains of the auxiliary variables for value sets, as bits.
    These variables follow the cells of the layout.

    The tables are split so that each function receives only those that it uses. Passing all of them
    would copy a hundred words per call.
    """

    consequences: Consequences
    automata: AutomatonTables
    needs: NDArray[np.uint32]
    need_ranges: NDArray[np.int32]
    hidden: NDArray[np.uint64]


class State(NamedTuple):
    """The assignment so far, its reasons, the domains, and the queue of automata.

    truths        per literal: 1 if it is true, −1 if it is false, 0 if it is open
    grid          per cell: its domain, bit 0 for the first value
    facts         per candidate: how it was assigned, each of the type FACT
    trail         the true literals in the order of assignment
    level_starts  level n, from 1 on, begins at position level_starts[n − 1] of the trail
    watchers      per literal: the offset of the first clause that watches it, or −1
    in_queue      per automaton: whether it is queued
    queue         the ring buffer of queued automata
    counters      (1,): of the type COUNTERS
    """

    truths: NDArray[np.int8]
    grid: NDArray[np.uint64]
    facts: NDArray[np.void]
    trail: NDArray[np.int32]
    level_starts: NDArray[np.int32]
    watchers: NDArray[np.int32]
    in_queue: NDArray[np.bool_]
    queue: NDArray[np.int32]
    counters: NDArray[np.void]


class Scratch(NamedTuple):
    """Working memory of conflict analysis and propagation. Marks are cleared after use.

    seen         marks per candidate: whether the conflict analysis has seen it
    taken        marks per candidate: whether it is part of the explanation
    supports     working memory for automata
    stamps       per level: the stamp of the last clause that has a literal of this level
    explanation  the literals of an explanation
    learned      the literals of the learned clause
    """

    seen: NDArray[np.bool_]
    taken: NDArray[np.bool_]
    supports: Supports
    stamps: NDArray[np.int64]
    explanation: NDArray[np.int32]
    learned: NDArray[np.int32]


def new_state(cells: int, problem: Problem) -> State:
    """Return the state of a search that hasn't started: nothing is assigned or queued.

    `cells` is the number of cells, including auxiliary variables. Each of them can still have every
    value.
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

    `cells` is the number of cells, including auxiliary variables.
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

    `reason` and `cause` are fields of `Fact`. If the literal is negated, its value is removed from
    the domain of its cell. The automata that read the cell are queued, except those that don't
    distinguish the value from another one which is still in the domain.
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

    The candidates concerned are open again and return to the heap. `size` is the number of values
    of the board.
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
