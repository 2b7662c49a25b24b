"""The search: propagate, guess, go back; on a dead end, sooner guess what was in it.

When nothing is left to deduce, one cell gets one of its candidates; the complement (the same
grid without that candidate) waits on the stack. Which cell: the one that was in most dead ends
for each candidate that it has (F. Boussemart et al., "Boosting systematic search by weighting
constraints", 2004). Where that one has more candidates than two, a value with two places in a house
may be better. So may be where a line begins that ranks speak of, whatever places it has, for with
it the whole line is known to be less or more than others.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.compiling.bits import ALL, ZERO, count, first_bit, is_single
from solver.compiling.copying import copy, copy_rows
from solver.compiling.jit import bare, compiled, inner
from solver.engines.engine import ABANDON, FINISH
from solver.engines.general.backtracking.disjunctions import propagate
from solver.engines.general.backtracking.full_rank import choose_place
from solver.engines.general.backtracking.state import (
    forget_work,
    list_places,
    new_state,
    reduce,
    touch,
    wake,
)
from solver.engines.general.solutions import is_full, keep_solution, with_one_more
from solver.engines.search_outcome import (
    EXHAUSTED,
    LIMIT_REACHED,
    STEP_LIMIT_REACHED,
    STOPPED,
    TOO_HARD,
)

_STACK_AT_FIRST = 16  # complements; it grows by doubling
_WEIGHT_AT_FIRST = 0.2
_GROWTH = 1.0005  # of the weight of a dead end, from each one to the next; not varied
# What the cell guessed last gets of it. Guesses on 146 variants beside none, geometric means: 0.5:
# 0.875, 2 puzzles half as many more; 1: 0.87, but 6; 3: 0.95, 18.
_GUESSED = 0.5
_GREATEST = 1e100  # weight, before all are scaled down: far from the end of a float's range
_NO_ROOM = 255  # beside the verdicts: the search is to go on when there is


PROGRESS = np.dtype(
    [
        ("has_begun", np.int64),
        ("depth", np.int64),  # complements on the stack
        ("solutions", np.int64),  # found so far
        ("steps", np.int64),
        ("fruitless", np.int64),  # dead ends since the last solution
        ("weight", np.float64),  # of the next dead end
    ],
    align=True,
)


class Standing(NamedTuple):
    """Where a search stands between two guesses: all that it takes to go on later."""

    grid: NDArray[np.uint64]
    scores: NDArray[np.float64]
    stack: NDArray[np.uint64]  # (rows, cells): complements
    branches: NDArray[np.int64]  # the cell of each
    listed: NDArray[np.uint8]  # solutions
    progress: NDArray[np.void]  # (1,), PROGRESS


def at_the_beginning(cells: int) -> Standing:
    """Return where the search of a puzzle stands before it has begun."""
    return Standing(
        np.zeros(cells, np.uint64),
        np.zeros(cells, np.float64),
        np.zeros((_STACK_AT_FIRST, cells), np.uint64),
        np.zeros(_STACK_AT_FIRST, np.int64),
        np.zeros((0, cells), np.uint8),
        np.zeros(1, PROGRESS),
    )


@compiled
def search_many(  # type: ignore[no-untyped-def]
    domains,
    tables,
    standing,
    limit,
    step_limit,
    patience,
    kept,
    stop,
    verdicts,
    solutions,
    counts,
    steps,
):
    """Search puzzles one by one, given the values left to each cell (n, cells) as bits.

    The first one is gone on with, from where it stands. What comes of each goes into the four
    arrays; where there are more dead ends than `patience` without another solution, the puzzle
    is given up as too hard, and those behind it wait. Returns how many puzzles were done, where
    the search of the last one stands, and its first `kept` solutions with it.
    """
    state = new_state(tables)
    for i in range(domains.shape[0]):
        if i > 0:
            standing.progress[0].has_begun = 0
            if stop[0] == FINISH:
                return i, standing
        verdict = _NO_ROOM if _start(domains[i], standing, tables, state) else EXHAUSTED
        while verdict == _NO_ROOM:
            standing = _with_room(standing, kept)
            verdict = _search_on(standing, limit, step_limit, patience, kept, stop, tables, state)
        if verdict == STOPPED:
            return i, standing
        verdicts[i] = verdict
        counts[i] = standing.progress[0].solutions
        steps[i] = standing.progress[0].steps
        if counts[i] > 0:
            copy(standing.listed[0], solutions[i])
        if verdict == TOO_HARD:
            standing.progress[0].has_begun = 0
            return i + 1, standing
    return domains.shape[0], standing


@bare
def _start(domains, standing, tables, state):  # type: ignore[no-untyped-def]
    """Begin with a puzzle, or go back to where it stands; False if it has no solution."""
    now = standing.progress[0]
    if now.has_begun != 0:
        copy(standing.grid, state.work.grid)
        list_places(state.work.grid, state.work.places)
        copy(standing.scores, state.scores)
        return True
    now.depth, now.solutions, now.steps, now.fruitless = 0, 0, 0, 0
    now.weight = _WEIGHT_AT_FIRST
    if _enter(domains, tables, state):
        now.has_begun = 1
    return now.has_begun != 0


@inner
def _with_room(standing, kept):  # type: ignore[no-untyped-def]
    """Return where a search stands, with room for one more complement and solution."""
    grid, scores, stack, branches, listed, progress = standing
    depth = progress[0].depth
    if depth == stack.shape[0]:
        higher = np.empty((2 * depth, stack.shape[1]), np.uint64)
        copy_rows(stack, higher)
        stack = higher
        more_branches = np.empty(2 * depth, np.int64)
        copy(branches, more_branches)
        branches = more_branches
    listed = with_one_more(listed, progress[0].solutions, kept)
    return Standing(grid, scores, stack, branches, listed, progress)


@bare
def _search_on(standing, limit, step_limit, patience, kept, stop, tables, state):  # type: ignore[no-untyped-def]
    """Go on to a verdict, or until there is no room for one more complement or solution.

    Bare, for what makes arrays counts references to them, which took a good part of the time.
    """
    work, scores, dependents = state.work, state.scores, tables.dependents
    grid = work.grid
    stack, branches, listed = standing.stack, standing.branches, standing.listed
    now = standing.progress[0]
    depth, number, steps = now.depth, now.solutions, now.steps
    fruitless, weight = now.fruitless, now.weight
    verdict = EXHAUSTED
    cell = np.int64(0)  # that was guessed last, or lost a guess
    while True:
        if propagate(weight, tables, state):
            if depth == stack.shape[0] or is_full(listed, number, kept):
                verdict = _NO_ROOM
                break
            cell, guess = _choose(grid, scores, tables.houses.cells, tables.rankings)
            if cell >= 0:
                if steps == step_limit:
                    verdict = STEP_LIMIT_REACHED
                    break
                if stop[0] == ABANDON:
                    verdict = STOPPED
                    break
                steps += 1
                copy(grid, stack[depth])
                stack[depth, cell] ^= guess
                branches[depth] = cell
                depth += 1
                reduce(cell, guess, dependents, work)
                continue
            keep_solution(grid, listed, number)
            number += 1
            fruitless = 0
            if number == limit:
                verdict = LIMIT_REACHED
                break
        else:
            fruitless += 1
            scores[cell] += _GUESSED * weight
            weight *= _GROWTH
            if weight > _GREATEST:
                for place in range(scores.shape[0]):
                    scores[place] /= weight
                weight = 1.0
        if depth == 0:
            break
        if fruitless > patience:
            verdict = TOO_HARD
            break
        depth -= 1
        cell = branches[depth]
        copy(stack[depth], grid)
        list_places(grid, work.places)
        reduce(cell, grid[cell], dependents, work)
    now.depth, now.solutions, now.steps = depth, number, steps
    now.fruitless, now.weight = fruitless, weight
    copy(grid, standing.grid)
    copy(scores, standing.scores)
    return verdict


@bare
def _enter(domains, tables, state):  # type: ignore[no-untyped-def]
    """Begin with what is left to each cell; False if that is nothing somewhere."""
    work = state.work
    forget_work(work)
    copy(domains, work.grid)
    list_places(work.grid, work.places)
    copy(tables.scores, state.scores)
    for i in range(tables.present.shape[0]):
        cell = tables.present[i]
        if not reduce(cell, domains[cell], tables.dependents, work):
            forget_work(work)
            return False
    for house in range(work.lost.shape[0]):
        touch(house, ALL, work)
    for reader in range(work.is_waiting.shape[0]):
        wake(reader, work)
    return True


@bare
def _choose(grid, scores, houses, rankings):  # type: ignore[no-untyped-def]
    """Return the cell to guess, −1 if none is open, and its value as a bit.

    It may be a value with two places in a house, where no cell with two candidates is best, or
    where a line begins that is compared with one of known rank.
    """
    best = np.int64(-1)
    most = -1.0
    for cell in range(grid.shape[0]):
        word = grid[cell]
        if not is_single(word):
            score = scores[cell] / count(word)
            if score > most:
                most = score
                best = np.int64(cell)
    if best < 0:
        return best, ZERO
    begin, guess = choose_place(rankings, most, scores, grid)
    if begin >= 0:
        return begin, guess
    guess = first_bit(grid[best])
    if is_single(grid[best] ^ guess):
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
            if grid[cell] & pairs != ZERO and scores[cell] / 2 > most:
                most = scores[cell] / 2
                best = np.int64(cell)
                guess = first_bit(grid[cell] & pairs)
    return best, guess
