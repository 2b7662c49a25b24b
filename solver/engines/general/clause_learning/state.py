"""The state of a search: what is decided, and why.

The variables are the candidates: cell c having value v, from 0, is number c × size + v. A
literal says that a candidate is the cell's value, or that it is not:

    bit      31 … 1      0
    literal  candidate │ 1 if it is not the value

The trail lists the true literals in the order in which they became so. The decision level of a
literal is how many guesses were made before it, its own one included; what is true whatever is
guessed has level 0:

    trail     given … │ guess 1, what it implies … │ guess 2, what it implies …
    level     0       │ 1                          │ 2

The words are those of MiniSat (N. Eén and N. Sörensson, "An extensible SAT-solver", 2003), whose
decisions are guesses here.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.compiling.bits import ONE, ZERO
from solver.compiling.jit import bare, inlined, inner
from solver.engines.general.automaton_tables import AutomatonTables
from solver.engines.general.clause_learning.variable_order import push
from solver.engines.general.mdd_propagation import Ways, new_ways

# Reasons for a literal: none if it is guessed, or true whatever is guessed; or else all others of
# a clause are false, another candidate that is there rules it out, or an automaton has no word
# with the value.
NO_REASON, CLAUSE, PAIR, AUTOMATON = 0, 1, 2, 3

# What is known of a decided candidate.
FACT = np.dtype(
    [
        ("level", np.int32),  # its decision level
        ("place", np.int32),  # in the trail
        ("reason", np.int32),  # one of those above
        ("cause", np.int32),  # the clause, the other candidate or the automaton of the reason
    ],
    align=True,
)

COUNTERS = np.dtype(
    [
        ("trail", np.int64),  # its length
        ("propagated", np.int64),  # how much of the trail was looked at
        ("level", np.int64),  # the decision level, or how many guesses hold
        ("queue_start", np.int64),  # both ends of the queue of automata, counted on and on
        ("queue_end", np.int64),
        ("heap", np.int64),  # its length, see `order`
        ("clauses", np.int64),  # the length of their array
        ("stamp", np.int64),  # the last one that was given to a level
    ],
    align=True,
)


class Consequences(NamedTuple):
    """What a decided candidate says of others at once, and who else must be asked.

    `peers` (cells, most) are closed by −1; `bars[bar_ranges[k]:bar_ranges[k + 1]]` are the
    candidates that candidate k rules out besides; the automata that read a cell lie the same way,
    with the values that are one to them.
    """

    size: int
    peers: NDArray[np.int32]
    bars: NDArray[np.int32]
    bar_ranges: NDArray[np.int32]
    readers: NDArray[np.uint32]
    reader_ranges: NDArray[np.int32]
    commons: NDArray[np.uint64]


class Problem(NamedTuple):
    """A layout as the search wants it; of the literals of each need, one must be true.

    In parts, for each function is handed no more than it uses: all of it would be a hundred
    words to copy for each call.
    """

    consequences: Consequences
    automata: AutomatonTables
    needs: NDArray[np.uint32]
    need_ranges: NDArray[np.int32]
    hidden: NDArray[np.uint64]  # the values of hidden cells, as bits


class State(NamedTuple):
    """What is decided so far, and why."""

    truths: NDArray[np.int8]  # of literals: 1 true, −1 false, 0 open
    grid: NDArray[np.uint64]  # of cells: what is not ruled out, bit 0 for the first value
    facts: NDArray[np.void]  # of candidates, FACT each
    trail: NDArray[np.int32]  # true literals in their order
    level_starts: NDArray[np.int32]  # where in the trail the levels from 1 begin
    watchers: NDArray[np.int32]  # of literals: the first clause that watches it, or −1
    waiting: NDArray[np.bool_]  # of automata: are in the queue
    queue: NDArray[np.int32]
    counters: NDArray[np.void]  # (1,), COUNTERS


class Scratch(NamedTuple):
    """Room for marks that are taken back after use."""

    seen: NDArray[np.bool_]  # of candidates: in the analysis of a conflict
    taken: NDArray[np.bool_]  # of candidates: in an explanation
    ways: Ways
    stamps: NDArray[np.int64]  # of levels


def new_state(cells: int, problem: Problem) -> State:
    """Return the state of a search that has not begun."""
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


@inner
def new_scratch(cells, problem):  # type: ignore[no-untyped-def]
    """Return room for a search."""
    candidates = cells * problem.consequences.size
    return Scratch(
        np.zeros(candidates, np.bool_),
        np.zeros(candidates, np.bool_),
        new_ways(problem.automata),
        np.zeros(candidates + 1, np.int64),
    )


@inlined
def assign(literal, reason, cause, consequences, state):  # type: ignore[no-untyped-def]
    """Make a literal true, and put the automata that read its cell into the queue."""
    counters = state.counters[0]
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
            if matters and not state.waiting[automaton]:
                state.waiting[automaton] = True
                state.queue[counters.queue_end % state.queue.shape[0]] = automaton
                counters.queue_end += 1


@bare
def go_back(level, size, state, order):  # type: ignore[no-untyped-def]
    """Take back all that was decided after a level, and empty the queue."""
    counters = state.counters[0]
    trail = state.trail
    truths = state.truths
    grid = state.grid
    waiting = state.waiting
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
        waiting[queue[counters.queue_start % queue.shape[0]]] = False
        counters.queue_start += 1
