"""The search: propagate, guess, go back; on a dead end, sooner guess what was in it.

When nothing is left to deduce, one cell gets one of its candidates; the complement (the same
grid without that candidate) waits on the stack. Which cell: the one that was in most dead ends
for each candidate that it has (F. Boussemart et al., "Boosting systematic search by weighting
constraints", 2004).
"""

import numpy as np

from solver.compiling.bits import count, first_bit, is_single
from solver.compiling.jit import bare, compiled, inner
from solver.engines.engine import ABANDON, FINISH
from solver.engines.general.plain.propagation import propagate
from solver.engines.general.plain.state import forget_work, new_state, reduce, touch, wake
from solver.engines.general.solutions import no_solutions, with_solution
from solver.engines.verdict import EXHAUSTED, LIMIT_REACHED, STEP_LIMIT_REACHED, STOPPED, TOO_HARD

_STACK_AT_FIRST = 16  # complements; it grows by doubling
_GROWTH = 1.0005  # of the weight of a dead end, from each one to the next; not varied
_GREATEST = 1e100  # weight, before all are scaled down: far from the end of a float's range


@compiled
def search_many(  # type: ignore[no-untyped-def]
    domains, tables, limit, step_limit, patience, kept, stop, verdicts, solutions, counts, steps
):
    """Search puzzles one by one, given the values left to each cell (n, cells) as bits.

    What comes of each goes into the four arrays; where there are more dead ends than `patience`
    without another solution, the puzzle is given up as too hard. Returns how many puzzles were
    done, and the first `kept` solutions (kept, cells) uint8 of the last one.
    """
    state = new_state(tables)
    listed = np.zeros((0, domains.shape[1]), np.uint8)
    for i in range(domains.shape[0]):
        if i > 0 and stop[0] == FINISH:
            return i, listed
        verdict, number, step, listed = _search(
            domains[i], limit, step_limit, patience, kept, stop, tables, state
        )
        if verdict == STOPPED:
            return i, listed
        verdicts[i] = verdict
        counts[i] = number
        steps[i] = step
        if number > 0:
            solutions[i] = listed[0]
    return domains.shape[0], listed


@inner
def _search(domains, limit, step_limit, patience, kept, stop, tables, state):  # type: ignore[no-untyped-def]
    """Search one puzzle; return (verdict, number of solutions, guesses, the first `kept` ones)."""
    cells = domains.shape[0]
    work, scores, dependents = state.work, state.scores, tables.dependents
    grid = work.grid
    listed = no_solutions(kept, cells)
    stack = np.empty((_STACK_AT_FIRST, cells), np.uint64)
    branches = np.empty(_STACK_AT_FIRST, np.int64)
    depth, number, steps, fruitless = 0, 0, 0, 0
    weight = 0.2
    if not _enter(domains, tables, state):
        return EXHAUSTED, 0, 0, listed
    while True:
        if propagate(weight, tables, state):
            cell = _choose(grid, scores)
            if cell >= 0:
                if steps == step_limit:
                    return STEP_LIMIT_REACHED, number, steps, listed
                if stop[0] == ABANDON:
                    return STOPPED, number, steps, listed
                steps += 1
                if depth == stack.shape[0]:
                    higher = np.empty((2 * depth, cells), np.uint64)
                    higher[:depth] = stack
                    stack = higher
                    more_branches = np.empty(2 * depth, np.int64)
                    more_branches[:depth] = branches
                    branches = more_branches
                guess = first_bit(grid[cell])
                stack[depth] = grid
                stack[depth, cell] ^= guess
                branches[depth] = cell
                depth += 1
                reduce(cell, guess, dependents, work)
                continue
            listed = with_solution(listed, number, kept, grid)
            number += 1
            fruitless = 0
            if number == limit:
                return LIMIT_REACHED, number, steps, listed
        else:
            fruitless += 1
            weight *= _GROWTH
            if weight > _GREATEST:
                scores /= weight
                weight = 1.0
        if depth == 0:
            return EXHAUSTED, number, steps, listed
        if fruitless > patience:
            return TOO_HARD, number, steps, listed
        depth -= 1
        cell = branches[depth]
        grid[:] = stack[depth]
        reduce(cell, grid[cell], dependents, work)


@inner
def _enter(domains, tables, state):  # type: ignore[no-untyped-def]
    """Begin with what is left to each cell; False if that is nothing somewhere."""
    work = state.work
    forget_work(work)
    work.grid[:] = domains
    state.scores[:] = tables.scores
    for i in range(tables.present.shape[0]):
        cell = tables.present[i]
        if not reduce(cell, domains[cell], tables.dependents, work):
            forget_work(work)
            return False
    for house in range(work.is_dirty.shape[0]):
        touch(house, work)
    for reader in range(work.is_waiting.shape[0]):
        wake(reader, work)
    return True


@bare
def _choose(grid, scores):  # type: ignore[no-untyped-def]
    """Return the cell to guess, −1 if none is open."""
    best = np.int64(-1)
    most = -1.0
    for cell in range(grid.shape[0]):
        word = grid[cell]
        if not is_single(word):
            score = scores[cell] / count(word)
            if score > most:
                most = score
                best = np.int64(cell)
    return best
