"""Backtracking search: propagate, guess, undo, and prefer the cells that took part in conflicts.

When propagation is done, one cell gets one of its candidates, and the complement (the same grid
without that candidate) is pushed on the stack as a pending branch. The cell is the one with the
highest conflict weight per candidate (dom/wdeg: F. Boussemart et al., "Boosting systematic search
by weighting constraints", 2004).

Two other kinds of guesses are made if they have a higher score. The first one is about the cell
where a line starts that is compared with the line of a full-rank clue. Once the cell is known, the
whole line is known to be lower or higher, so the number of possible cells doesn't matter. The
second one is about a value with two places in a house. It is considered only if the cell has more
than two candidates.
"""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.compiling.array_loops import copy, copy_rows
from solver.compiling.bitops import ALL_ONES, ZERO, at_most_one_bit, lowest_bit, popcount
from solver.compiling.jit import compiled, helper, kernel
from solver.compiling.records import record_dtype
from solver.engines.engine import ABANDON, FINISH
from solver.engines.general.backtracking.disjunctions import propagate_all
from solver.engines.general.backtracking.domains import (
    clear_work,
    list_places,
    mark_dirty,
    restrict_domain,
    schedule,
)
from solver.engines.general.backtracking.full_rank import choose_place
from solver.engines.general.backtracking.state import new_state
from solver.engines.general.solutions import is_full, keep_solution, with_one_more
from solver.engines.search_outcome import (
    EXHAUSTED,
    LIMIT_REACHED,
    STEP_LIMIT_REACHED,
    STOPPED,
    TOO_HARD,
)

_STACK_AT_FIRST = 16  # pending branches; the stack grows by doubling
_WEIGHT_AT_FIRST = 0.2
# factor by which the weight of a conflict grows from one conflict to the next; not tuned
_GROWTH = 1.0005
# The share of a conflict's weight that goes to the cell guessed last. Guesses relative to none, on
# 146 variants (geometric mean, and puzzles that need half as many guesses more): 0.5: 0.875, 2; 1:
# 0.87, 6; 3: 0.95, 18.
_GUESSED = 0.5
# weight at which all weights are scaled down, far from the end of a float's range
_GREATEST = 1e100
_NO_ROOM = 255  # internal search outcome: continue after the arrays were enlarged


class Progress(Protocol):
    """The progress of a search, which is kept when the search is suspended.

    has_begun  1 after the search of the puzzle has started, otherwise 0
    depth      the number of pending branches on the stack
    solutions  the number of solutions found so far
    steps      the number of guesses so far
    conflicts  the number of conflicts since the last solution
    weight     by how much the next conflict raises conflict weights
    """

    has_begun: int
    depth: int
    solutions: int
    steps: int
    conflicts: int
    weight: float


PROGRESS = record_dtype(Progress)


class SearchState(NamedTuple):
    """The state of a search between two guesses: everything that is needed to resume it.

    grid              per cell: its domain
    conflict_weights  per cell
    stack             (rows, cells): the grids of the pending branches
    branches          per row of the stack: the cell that was guessed there
    listed            (rows, cells): the solutions found so far, as values from 1
    progress          (1,): of the type PROGRESS, with the number of rows in use
    """

    grid: NDArray[np.uint64]
    conflict_weights: NDArray[np.float64]
    stack: NDArray[np.uint64]
    branches: NDArray[np.int64]
    listed: NDArray[np.uint8]
    progress: NDArray[np.void]


def initial_state(cells: int) -> SearchState:
    """Return the state of a search that hasn't started, for a layout with this many cells."""
    return SearchState(
        np.zeros(cells, np.uint64),
        np.zeros(cells, np.float64),
        np.zeros((_STACK_AT_FIRST, cells), np.uint64),
        np.zeros(_STACK_AT_FIRST, np.int64),
        np.zeros((0, cells), np.uint8),
        np.zeros(1, PROGRESS),
    )


@compiled
def search_many(domains, tables, search_state, limits, stop, results):  # type: ignore[no-untyped-def]
    """Search puzzles one by one, given the domains of their cells (n, cells) as bit masks.

    If the search in `search_state` has begun, it is the search of the first puzzle and is resumed.
    The outcome, number of solutions, number of guesses, and first solution of each finished puzzle
    are written to `results`.

    Searching ends early in three cases. If a puzzle has too many conflicts since its last solution,
    its outcome is TOO_HARD, and it counts as finished. If the stop flag is FINISH, no other puzzle
    is started. If it is ABANDON, the puzzle being searched is left unfinished.

    Returns the number of finished puzzles and a state. After ABANDON, that is the state to resume.
    Otherwise, it contains the solutions of the last finished puzzle.
    """
    state = new_state(tables)
    for i in range(domains.shape[0]):
        if i > 0:
            search_state.progress[0].has_begun = 0
            if stop[0] == FINISH:
                return i, search_state
        search_outcome = _NO_ROOM if _start(domains[i], search_state, tables, state) else EXHAUSTED
        while search_outcome == _NO_ROOM:
            search_state = _with_room(search_state, limits)
            search_outcome = _search_on(search_state, limits, stop, tables, state)
        if search_outcome == STOPPED:
            return i, search_state
        now: Progress = search_state.progress[0]
        results.search_outcomes[i] = search_outcome
        results.counts[i] = now.solutions
        results.steps[i] = now.steps
        if now.solutions > 0:
            copy(search_state.listed[0], results.solutions[i])
        if search_outcome == TOO_HARD:
            now.has_begun = 0
            return i + 1, search_state
    return domains.shape[0], search_state


@kernel
def _start(domains, search_state, tables, state):  # type: ignore[no-untyped-def]
    """Start the search of a puzzle, or restore its state if it has begun before.

    `search_state` is the stored state, and `state` the one that the compiled search works on.
    Returns False if a domain is empty, so that the puzzle has no solution.
    """
    now: Progress = search_state.progress[0]
    if now.has_begun != 0:
        copy(search_state.grid, state.work.grid)
        list_places(state.work.grid, state.work.places)
        copy(search_state.conflict_weights, state.conflict_weights)
        return True
    now.depth, now.solutions, now.steps, now.conflicts = 0, 0, 0, 0
    now.weight = _WEIGHT_AT_FIRST
    if _enter(domains, tables, state):
        now.has_begun = 1
    return now.has_begun != 0


@helper
def _with_room(search_state, limits):  # type: ignore[no-untyped-def]
    """Return the state with room for one more pending branch and one more solution.

    Full arrays are replaced by larger copies. There is no room for solutions beyond `limits.kept`.
    """
    grid, conflict_weights, stack, branches, listed, progress = search_state
    depth = progress[0].depth
    if depth == stack.shape[0]:
        higher = np.empty((2 * depth, stack.shape[1]), np.uint64)
        copy_rows(stack, higher)
        stack = higher
        more_branches = np.empty(2 * depth, np.int64)
        copy(branches, more_branches)
        branches = more_branches
    listed = with_one_more(listed, progress[0].solutions, limits.kept)
    return SearchState(grid, conflict_weights, stack, branches, listed, progress)


# Without reference counting: creating array views here took a good part of the run time.
@kernel
def _search_on(search_state, limits, stop, tables, state):  # type: ignore[no-untyped-def]
    """Search until the puzzle is finished, the search is stopped, or an array has no room left.

    Returns the search outcome, which is _NO_ROOM if the stack or the array of solutions is full.
    The grid, the weights, and the progress are stored in `search_state`, so that a later call can
    continue.
    """
    work, conflict_weights, dependents = state.work, state.conflict_weights, tables.dependents
    grid = work.grid
    stack, branches, listed = search_state.stack, search_state.branches, search_state.listed
    now: Progress = search_state.progress[0]
    depth, number, steps = now.depth, now.solutions, now.steps
    conflicts, weight = now.conflicts, now.weight
    search_outcome = EXHAUSTED
    cell = np.int64(0)  # the cell that was guessed last, or lost its guess
    while True:
        if propagate_all(weight, tables, state):
            if depth == stack.shape[0] or is_full(listed, number, limits.kept):
                search_outcome = _NO_ROOM
                break
            cell, guess = _choose(grid, conflict_weights, tables.houses.cells, tables.full_ranks)
            if cell >= 0:
                if steps == limits.steps:
                    search_outcome = STEP_LIMIT_REACHED
                    break
                if stop[0] == ABANDON:
                    search_outcome = STOPPED
                    break
                steps += 1
                copy(grid, stack[depth])
                stack[depth, cell] ^= guess
                branches[depth] = cell
                depth += 1
                restrict_domain(cell, guess, dependents, work)
                continue
            keep_solution(grid, listed, number)
            number += 1
            conflicts = 0
            if number == limits.solutions:
                search_outcome = LIMIT_REACHED
                break
        else:
            conflicts += 1
            conflict_weights[cell] += _GUESSED * weight
            weight *= _GROWTH
            if weight > _GREATEST:
                for place in range(conflict_weights.shape[0]):
                    conflict_weights[place] /= weight
                weight = 1.0
        if depth == 0:
            break
        if conflicts > limits.conflicts:
            search_outcome = TOO_HARD
            break
        depth -= 1
        cell = branches[depth]
        copy(stack[depth], grid)
        list_places(grid, work.places)
        restrict_domain(cell, grid[cell], dependents, work)
    now.depth, now.solutions, now.steps = depth, number, steps
    now.conflicts, now.weight = conflicts, weight
    copy(grid, search_state.grid)
    copy(conflict_weights, search_state.conflict_weights)
    return search_outcome


@kernel
def _enter(domains, tables, state):  # type: ignore[no-untyped-def]
    """Start a search from the given domains, with all houses and propagators queued.

    Also resets the conflict weights to their initial values. Returns False if the domain of a cell
    that isn't a hole is empty.
    """
    work = state.work
    clear_work(work)
    copy(domains, work.grid)
    list_places(work.grid, work.places)
    copy(tables.conflict_weights, state.conflict_weights)
    for i in range(tables.present.shape[0]):
        cell = tables.present[i]
        if not restrict_domain(cell, domains[cell], tables.dependents, work):
            clear_work(work)
            return False
    for house in range(work.lost.shape[0]):
        mark_dirty(house, ALL_ONES, work)
    for propagator in range(work.in_queue.shape[0]):
        schedule(propagator, work)
    return True


@kernel
def _choose(grid, conflict_weights, houses, full_ranks):  # type: ignore[no-untyped-def]
    """Return the cell to guess and the guessed value as a bit, or −1 and 0 if no cell is open.

    By default, the cell is the open one with the highest conflict weight per candidate. The start
    of a line that a full-rank clue compares takes precedence if its score is higher, see
    `choose_place`. Otherwise, if the cell has more than two candidates, cells with a value that has
    only two places in a house are considered, too. Their score is half of their conflict weight.
    """
    best = np.int64(-1)
    most = -1.0
    for cell in range(grid.shape[0]):
        word = grid[cell]
        if not at_most_one_bit(word):
            score = conflict_weights[cell] / popcount(word)
            if score > most:
                most = score
                best = np.int64(cell)
    if best < 0:
        return best, ZERO
    begin, guess = choose_place(full_ranks, most, conflict_weights, grid)
    if begin >= 0:
        return begin, guess
    guess = lowest_bit(grid[best])
    if at_most_one_bit(grid[best] ^ guess):
        return best, guess
    for house in range(houses.shape[0]):
        once, twice, often = ZERO, ZERO, ZERO
        for i in range(houses.shape[1]):
            word = grid[houses[house, i]]
            often |= twice & word
            twice |= once & word
            once |= word
        pairs = twice & ~often
        if pairs == ZERO:
            continue
        for i in range(houses.shape[1]):
            cell = houses[house, i]
            if grid[cell] & pairs != ZERO and conflict_weights[cell] / 2 > most:
                most = conflict_weights[cell] / 2
                best = np.int64(cell)
                guess = lowest_bit(grid[cell] & pairs)
    return best, guess
