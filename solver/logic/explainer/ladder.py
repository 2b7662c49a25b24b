"""Sudoku Explainer's solving order: find and apply the first technique that succeeds."""

from typing import Any

import numpy as np

from solver.compiling.bitops import ctz
from solver.compiling.jit import compiled, kernel
from solver.engines.engine import ABANDON, GO_ON
from solver.logic.explainer.bug import grave
from solver.logic.explainer.exclusion import aligned_pair, aligned_triplet
from solver.logic.explainer.fish import fish
from solver.logic.explainer.forcing_chains import hypotheses
from solver.logic.explainer.forcing_x_xy import forcing
from solver.logic.explainer.links import link
from solver.logic.explainer.locking import direct_locking, locking
from solver.logic.explainer.search import NISHIO, SEARCH, STATIC
from solver.logic.explainer.singles import hidden_single, naked_single
from solver.logic.explainer.state import fill, place, remove
from solver.logic.explainer.subsets import direct_hidden_set, hidden_set, naked_set
from solver.logic.explainer.unique_loops import LOOP, unique_loop
from solver.logic.explainer.wings import wing
from solver.logic.record import PLACE, REMOVE, ROWS, reset

# Working memory for solving one puzzle.
MEMORY = np.dtype(
    [
        ("loop", LOOP),
        ("cells", "i8", (81,)),  # scratch space: a list of cells
        ("extra", "i8", (81,)),  # scratch space: values by cell
        ("excluders", "i8", (81, 2)),
        ("searches", SEARCH, (2,)),  # outer search with the puzzle's state, and nested search
        ("rated", "f8", (3,)),  # of an abandoned puzzle so far: ER, EP, ED
        ("is_begun", "i8"),  # whether the first puzzle resumes from this state
    ],
    align=True,
)


@kernel
def _easy(memory: Any, buffer: Any) -> Any:
    """Find a deduction with a lower rating than any chain."""
    state = memory.searches[0].state
    return (
        hidden_single(state, buffer)
        or direct_locking(state, buffer)
        or direct_hidden_set(state, buffer, 2)
        or naked_single(state, buffer)
        or direct_hidden_set(state, buffer, 3)
        or locking(state, buffer)
        or naked_set(state, buffer, 2)
        or fish(state, buffer, 2)
        or hidden_set(state, buffer, 2)
        or naked_set(state, buffer, 3)
        or fish(state, buffer, 3)
        or hidden_set(state, buffer, 3)
        or wing(state, buffer, 2)
        or wing(state, buffer, 3)
        or unique_loop(state, memory.loop, buffer)
        or naked_set(state, buffer, 4)
        or fish(state, buffer, 4)
        or hidden_set(state, buffer, 4)
        or grave(state, memory.extra, memory.cells, buffer)
        or aligned_pair(state, memory.cells, memory.excluders, buffer)
    )


@kernel
def find(memory: Any, buffer: Any, stop: Any) -> Any:
    """Write the next deduction to the buffer. Return its rating, or 0.0 if there is none."""
    reset(buffer)
    rating = _easy(memory, buffer)
    if rating:
        return rating
    searches = memory.searches
    first = searches[0]
    state, links = first.state, first.links
    link(state, links)
    return (
        forcing(state, links, first.walk, first.best, buffer)
        or aligned_triplet(state, memory.cells, memory.excluders, buffer)
        or hypotheses(searches, NISHIO, buffer, stop)
        or hypotheses(searches, STATIC, buffer, stop)
        or hypotheses(searches, 0, buffer, stop)
        or hypotheses(searches, 1, buffer, stop)
        or hypotheses(searches, 2, buffer, stop)
        or hypotheses(searches, 3, buffer, stop)
        or hypotheses(searches, 4, buffer, stop)
    )


@kernel
def apply(state: Any, buffer: Any) -> bool:
    """Apply the deduction in the buffer. Return whether it places a value."""
    is_placing = False
    for row in range(ROWS, buffer[0], 3):
        if buffer[row] == REMOVE:
            remove(state, int(buffer[row + 1]), int(buffer[row + 2]) - 1)
    for row in range(ROWS, buffer[0], 3):
        if buffer[row] == PLACE:
            place(state, int(buffer[row + 1]), int(buffer[row + 2]) - 1)
            is_placing = True
    return is_placing


@kernel
def _tenths(rating: float) -> int:
    return int((rating + 0.05) * 10)


@compiled
def rate(givens: Any, memory: Any, buffer: Any, stop: Any, ratings: Any, is_walk: bool) -> int:
    """Rate puzzles (n, 81): write ER, EP, and ED in tenths to `ratings` (n, 3).

    Returns the number of rated puzzles, which is below n only if `stop` was raised. At FINISH, the
    current puzzle is still rated, and the first one always is. At ABANDON, the progress on the
    current puzzle is left in `memory`. If `memory.is_begun` is set, the first puzzle resumes from
    there.

    With `is_walk`, only one deduction is found and applied, in the puzzle passed to `start`. It is
    left in the buffer, and `ratings[0, 0]` is its rating, 0 if there is none. A single function
    serves both purposes, so that its code is compiled only once.
    """
    if is_walk:
        ratings[0, 0] = _tenths(find(memory, buffer, stop))
        apply(memory.searches[0].state, buffer)
        return 1
    state = memory.searches[0].state
    rated = memory.rated
    for number in range(len(givens)):
        if not memory.is_begun:
            fill(state, givens[number])
            rated[:] = 0.0
        memory.is_begun = 0
        hardest, pearl, diamond = rated
        open_cells = 0
        for cell in range(81):
            open_cells += state.values[cell] == 0
        while open_cells:
            if stop[0] != GO_ON and number and hardest == 0.0:
                return number
            rating = 0.0
            if stop[0] != ABANDON:
                rating = find(memory, buffer, stop)
            if stop[0] == ABANDON:
                rated[0], rated[1], rated[2] = hardest, pearl, diamond
                return number
            if rating == 0.0:
                hardest = 20.0
                break
            hardest = max(hardest, rating)
            is_placing = apply(state, buffer)
            open_cells -= is_placing
            if pearl == 0.0:
                diamond = diamond or hardest
                if is_placing:
                    pearl = hardest
        ratings[number, 0] = _tenths(hardest)
        ratings[number, 1] = _tenths(pearl)
        ratings[number, 2] = _tenths(diamond)
    return len(givens)


@compiled
def start(givens: Any, left: Any, memory: Any) -> None:
    """Set up a puzzle (81,), 0 for empty cells.

    `left` (81,) are the allowed candidates, as bits.
    """
    state = memory.searches[0].state
    fill(state, givens)
    for cell in range(81):
        gone = state.cells[cell] & ~left[cell]
        while gone:
            remove(state, cell, ctz(gone))
            gone &= gone - 1
