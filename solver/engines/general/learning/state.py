"""The state of a search: what is decided, why, and what to guess next.

The variables are the candidates: cell c having value v, from 0, is number c × size + v. A
literal says that a candidate is the cell's value, or that it is not:

    bit      31 … 1      0
    literal  candidate │ 1 if it is not the value

A literal follows from another one (`PAIR`: a value rules out the others of its cell, the same
in all peers, and what relations bar), from a clause whose other literals are all false, or
from an automaton that has no word with a value.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.compiling.bits import ONE, ZERO
from solver.compiling.jit import bare, inlined, inner
from solver.engines.general.automaton_tables import Automata
from solver.engines.general.walk import Ways, new_ways

# Why a literal is there.
GUESS, CLAUSE, PAIR, AUTOMATON = 0, 1, 2, 3

# What State.facts says of a decided candidate: after how many guesses it was, where in the
# trail it is, why it was, and by which clause, candidate or automaton.
DECIDED_AT, PLACE, REASON, CAUSE = 0, 1, 2, 3

# What the numbers in State.at are: the length of the trail, how much of it was looked at, the
# number of guesses, both ends of the queue, the length of the heap and of the clauses, the
# last stamp; and of a conflict: its kind, and the clause, automaton or two candidates.
TRAIL, HEAD, LEVEL, QUEUE_FROM, QUEUE_TO, HEAP, CLAUSES, STAMP, WHAT, WHICH, OTHER = range(11)


class Board(NamedTuple):
    """What the candidates of a layout say of each other.

    `peers` (cells, most) are closed by −1; `bars[bar_ranges[k]:bar_ranges[k + 1]]` are the
    candidates that candidate k rules out besides; the automata that read a cell lie the same way.
    """

    size: int
    peers: NDArray[np.int32]
    bars: NDArray[np.int32]
    bar_ranges: NDArray[np.int32]
    readers: NDArray[np.uint32]
    reader_ranges: NDArray[np.int32]


class Problem(NamedTuple):
    """A layout as the search wants it; of the literals of each need, one must be true.

    In parts, for each function is handed no more than it uses: all of it would be a hundred
    words to copy for each call.
    """

    board: Board
    automata: Automata
    needs: NDArray[np.uint32]
    need_ranges: NDArray[np.int32]
    hidden: NDArray[np.uint64]  # the values of hidden cells, as bits


class State(NamedTuple):
    """What is decided so far, and why. `facts` has four numbers for each candidate, see above."""

    truths: NDArray[np.int8]  # of literals: 1 true, −1 false, 0 open
    grid: NDArray[np.uint64]  # of cells: what is not ruled out, bit 0 for the first value
    facts: NDArray[np.int32]  # of candidates (candidates, 4)
    trail: NDArray[np.int32]  # true literals in their order
    guesses: NDArray[np.int32]  # where in the trail each level begins
    watchers: NDArray[np.int32]  # of literals: the first clause that watches it, or −1
    waiting: NDArray[np.bool_]  # of automata: are in the queue
    queue: NDArray[np.int32]
    at: NDArray[np.int64]  # single numbers, see above


class Order(NamedTuple):
    """In which order to guess: a heap of the candidates, the most active one at the top."""

    activity: NDArray[np.float64]
    heap: NDArray[np.int32]
    heap_places: NDArray[np.int32]  # of candidates, −1 if not in the heap


class Scratch(NamedTuple):
    """Room for marks that are taken back after use."""

    seen: NDArray[np.bool_]  # of candidates: in the analysis of a conflict
    taken: NDArray[np.bool_]  # of candidates: in an explanation
    ways: Ways
    stamps: NDArray[np.int64]  # of levels


@inner
def begin(domains, problem):  # type: ignore[no-untyped-def]
    """Return the state, the order and the scratch of a search that has not begun."""
    cells = domains.shape[0]
    count = cells * problem.board.size
    count_automata = problem.automata.first_states.shape[0]
    state = State(
        np.zeros(2 * count, np.int8),
        np.full(cells, ~ZERO >> np.uint64(64 - problem.board.size), np.uint64),
        np.zeros((count, 4), np.int32),
        np.empty(count, np.int32),
        np.zeros(count + 1, np.int32),
        np.full(2 * count, -1, np.int32),
        np.zeros(count_automata, np.bool_),
        np.empty(max(1, count_automata), np.int32),
        np.zeros(11, np.int64),
    )
    order = Order(
        np.zeros(count, np.float64), np.empty(count, np.int32), np.full(count, -1, np.int32)
    )
    scratch = Scratch(
        np.zeros(count, np.bool_),
        np.zeros(count, np.bool_),
        new_ways(problem.automata),
        np.zeros(count + 1, np.int64),
    )
    return state, order, scratch


@inlined
def assign(literal, what, which, board, state):  # type: ignore[no-untyped-def]
    """Make a literal true, and put the automata that read its cell into the queue."""
    at = state.at
    candidate = literal >> 1
    state.truths[literal] = 1
    state.truths[literal ^ 1] = -1
    state.facts[candidate, DECIDED_AT] = at[LEVEL]
    state.facts[candidate, PLACE] = at[TRAIL]
    state.facts[candidate, REASON] = what
    state.facts[candidate, CAUSE] = which
    state.trail[at[TRAIL]] = literal
    at[TRAIL] += 1
    if literal & 1:
        cell = candidate // board.size
        state.grid[cell] &= ~(ONE << np.uint64(candidate - cell * board.size))
        for i in range(board.reader_ranges[cell], board.reader_ranges[cell + 1]):
            automaton = board.readers[i]
            if not state.waiting[automaton]:
                state.waiting[automaton] = True
                state.queue[at[QUEUE_TO] % state.queue.shape[0]] = automaton
                at[QUEUE_TO] += 1


@bare
def go_back(level, size, state, order):  # type: ignore[no-untyped-def]
    """Take back all that was decided after a level."""
    guesses = state.guesses
    trail = state.trail
    truths = state.truths
    grid = state.grid
    waiting = state.waiting
    queue = state.queue
    heap = order.heap
    heap_places = order.heap_places
    activity = order.activity
    at = state.at
    if at[LEVEL] > level:
        start = guesses[level]
        for i in range(at[TRAIL] - 1, start - 1, -1):
            literal = trail[i]
            candidate = literal >> 1
            truths[literal] = 0
            truths[literal ^ 1] = 0
            if literal & 1:
                cell = candidate // size
                grid[cell] |= ONE << np.uint64(candidate - cell * size)
            put(candidate, heap, heap_places, activity, at)
        at[TRAIL] = start
        at[HEAD] = start
        at[LEVEL] = level
    while at[QUEUE_FROM] < at[QUEUE_TO]:
        waiting[queue[at[QUEUE_FROM] % queue.shape[0]]] = False
        at[QUEUE_FROM] += 1


@inlined
def rise(candidate, heap, heap_places, activity):  # type: ignore[no-untyped-def]
    """Move a candidate of the heap to its place, up."""
    i = heap_places[candidate]
    active = activity[candidate]
    while i > 0:
        up = (i - 1) >> 1
        if activity[heap[up]] >= active:
            break
        heap[i] = heap[up]
        heap_places[heap[i]] = i
        i = up
    heap[i] = candidate
    heap_places[candidate] = i


@inlined
def put(candidate, heap, heap_places, activity, at):  # type: ignore[no-untyped-def]
    """Put a candidate into the heap."""
    if heap_places[candidate] < 0:
        heap[at[HEAP]] = candidate
        heap_places[candidate] = at[HEAP]
        at[HEAP] += 1
        rise(candidate, heap, heap_places, activity)


@bare
def take(state, order):  # type: ignore[no-untyped-def]
    """Take the most active open candidate from the heap; −1 if all are decided."""
    at = state.at
    heap_places = order.heap_places
    activity = order.activity
    truths = state.truths
    heap = order.heap
    while at[HEAP] > 0:
        top = heap[0]
        heap_places[top] = -1
        at[HEAP] -= 1
        size = at[HEAP]
        if size > 0:
            last = heap[size]
            active = activity[last]
            i = 0
            while True:
                child = 2 * i + 1
                if child >= size:
                    break
                if child + 1 < size and (activity[heap[child + 1]] > activity[heap[child]]):
                    child += 1
                if activity[heap[child]] <= active:
                    break
                heap[i] = heap[child]
                heap_places[heap[i]] = i
                i = child
            heap[i] = last
            heap_places[last] = i
        if truths[2 * top] == 0:
            return np.int64(top)
    return np.int64(-1)
