"""Solve and rate puzzles in Sudoku Explainer's order: apply the first technique that succeeds."""

from typing import Annotated, Any, Protocol

from solver.compiling.bitops import ctz
from solver.compiling.jit import compiled, kernel
from solver.compiling.records import record_dtype
from solver.engines.engine import ABANDON, GO_ON, StopFlag
from solver.logic.board import Bytes, Ints, Words
from solver.logic.deduction_buffer import END, ROWS, reset
from solver.logic.deduction_rows import PLACE, REMOVE
from solver.logic.sudoku_explainer.bug import find_bug
from solver.logic.sudoku_explainer.exclusion import find_aligned_pair, find_aligned_triplet
from solver.logic.sudoku_explainer.fish import find_fish
from solver.logic.sudoku_explainer.forcing_chains import find_forcing_chain
from solver.logic.sudoku_explainer.forcing_x_xy import find_forcing_x_xy
from solver.logic.sudoku_explainer.links import link
from solver.logic.sudoku_explainer.locked_candidates import (
    find_direct_locked,
    find_locked_candidates,
)
from solver.logic.sudoku_explainer.nonconsecutive import find_nonconsecutive
from solver.logic.sudoku_explainer.search import NISHIO, STATIC, Search
from solver.logic.sudoku_explainer.singles import find_hidden_single, find_naked_single
from solver.logic.sudoku_explainer.state import Rated, State, fill, place, remove
from solver.logic.sudoku_explainer.subsets import (
    find_direct_hidden_set,
    find_hidden_set,
    find_naked_set,
)
from solver.logic.sudoku_explainer.unique_loops import Loop, find_unique_loop
from solver.logic.sudoku_explainer.wings import find_wing


class Memory(Protocol):
    """Working memory for solving one puzzle.

    loop       the state of the search for unique loops
    cells      scratch space: a list of cells
    extra      scratch space: values (bits) by cell
    excluders  scratch space: by cell, a set of cells
    barren     by cell: its candidates when a search last found no aligned triplet exclusion
    outer      the search for forcing chains. Its `state` is the puzzle's.
    inner      the search for nested chains
    rated      the ratings so far of a puzzle that was abandoned
    is_begun   1 if `rate` resumes the first puzzle from `outer.state` and `rated`
    """

    loop: Loop
    cells: Annotated[Words, 81]
    extra: Annotated[Words, 81]
    excluders: Annotated[Words, 81, 2]
    barren: Annotated[Words, 81]
    outer: Search
    inner: Search
    rated: Rated
    is_begun: int


MEMORY = record_dtype(Memory)


@kernel
def _easy(memory: Memory, buffer: Ints) -> Any:
    """Search for a deduction by the techniques that come before chains, and write it.

    Returns its rating, or 0.0 if there is none.
    """
    state = memory.outer.state
    return (
        find_hidden_single(state, buffer)
        or find_direct_locked(state, buffer)
        or find_direct_hidden_set(state, buffer, 2)
        or find_naked_single(state, buffer)
        or find_nonconsecutive(state, buffer)
        or find_direct_hidden_set(state, buffer, 3)
        or find_locked_candidates(state, buffer)
        or find_naked_set(state, buffer, 2)
        or find_fish(state, buffer, 2)
        or find_hidden_set(state, buffer, 2)
        or find_naked_set(state, buffer, 3)
        or find_fish(state, buffer, 3)
        or find_hidden_set(state, buffer, 3)
        or find_wing(state, buffer, 2)
        or find_wing(state, buffer, 3)
        or find_unique_loop(state, memory.loop, buffer)
        or find_naked_set(state, buffer, 4)
        or find_fish(state, buffer, 4)
        or find_hidden_set(state, buffer, 4)
        or find_bug(state, memory.extra, memory.cells, buffer)
        or find_aligned_pair(state, memory.cells, memory.excluders, buffer)
    )


@kernel
def find_step(memory: Memory, buffer: Ints, stop: StopFlag) -> Any:
    """Search for the next deduction with all techniques in order, and write it to the buffer.

    The buffer is cleared first. Returns the rating of the deduction, or 0.0 if there is none or if
    `stop` is ABANDON before one is found. The deduction isn't applied.
    """
    reset(buffer)
    rating = _easy(memory, buffer)
    if rating:
        return rating
    outer, inner = memory.outer, memory.inner
    state, links = outer.state, outer.links
    link(state, links)
    return (
        find_forcing_x_xy(state, links, outer.bfs, outer.best, buffer)
        or find_aligned_triplet(state, memory.cells, memory.excluders, memory.barren, buffer)
        or find_forcing_chain(outer, inner, NISHIO, buffer, stop)
        or find_forcing_chain(outer, inner, STATIC, buffer, stop)
        or find_forcing_chain(outer, inner, 0, buffer, stop)
        or find_forcing_chain(outer, inner, 1, buffer, stop)
        or find_forcing_chain(outer, inner, 2, buffer, stop)
        or find_forcing_chain(outer, inner, 3, buffer, stop)
        or find_forcing_chain(outer, inner, 4, buffer, stop)
    )


@kernel
def apply_step(state: State, buffer: Ints) -> bool:
    """Apply the deduction in the buffer to the state. Return whether it places a value."""
    is_placing = False
    for row in range(ROWS, buffer[END], 3):
        if buffer[row] == REMOVE:
            remove(state, int(buffer[row + 1]), int(buffer[row + 2]) - 1)
    for row in range(ROWS, buffer[END], 3):
        if buffer[row] == PLACE:
            place(state, int(buffer[row + 1]), int(buffer[row + 2]) - 1)
            is_placing = True
    return is_placing


@kernel
def _tenths(rating: float) -> int:
    return int((rating + 0.05) * 10)


@compiled
def rate(
    givens: Bytes, memory: Memory, buffer: Ints, stop: StopFlag, ratings: Ints, is_single_step: bool
) -> int:
    """Rate puzzles (n, 81): write ER, EP, and ED in tenths to `ratings` (n, 3).

    Returns the number of rated puzzles, which is below n only if `stop` was raised. With FINISH,
    the current puzzle is still rated, so at least one puzzle is. With ABANDON, the progress on the
    current puzzle is left in `memory`. If `memory.is_begun` is set, the first puzzle resumes from
    there. A puzzle that the techniques don't solve gets the ER 200.

    With `is_single_step`, `givens` isn't used. Only one deduction is found and applied, in the
    puzzle passed to `start`. It is left in the buffer, and `ratings[0, 0]` is its rating, 0 if
    there is none. A single function serves both purposes, so that its code is compiled only once.
    """
    if is_single_step:
        ratings[0, 0] = _tenths(find_step(memory, buffer, stop))
        apply_step(memory.outer.state, buffer)
        return 1
    state = memory.outer.state
    rated = memory.rated
    for number in range(len(givens)):
        if not memory.is_begun:
            fill(state, givens[number])
            rated.er = rated.ep = rated.ed = 0.0
        memory.is_begun = 0
        er, ep, ed = rated.er, rated.ep, rated.ed
        open_cells = 0
        for cell in range(81):
            open_cells += state.values[cell] == 0
        while open_cells:
            if stop[0] != GO_ON and number and er == 0.0:
                return number
            rating = 0.0
            if stop[0] != ABANDON:
                rating = find_step(memory, buffer, stop)
            if stop[0] == ABANDON:
                rated.er, rated.ep, rated.ed = er, ep, ed
                return number
            if rating == 0.0:
                er = 20.0
                break
            er = max(er, rating)
            is_placing = apply_step(state, buffer)
            open_cells -= is_placing
            if ep == 0.0:
                ed = ed or er
                if is_placing:
                    ep = er
        ratings[number, 0] = _tenths(er)
        ratings[number, 1] = _tenths(ep)
        ratings[number, 2] = _tenths(ed)
    return len(givens)


@compiled
def start(givens: Bytes, left: Words, memory: Memory) -> None:
    """Set up a puzzle in `memory`, with its givens (81,), which are 0 for empty cells.

    `left` (81,) are the candidates that earlier deductions have left in each cell, as bits. Of
    these, the candidates that the givens allow remain.
    """
    state = memory.outer.state
    fill(state, givens)
    for cell in range(81):
        gone = state.cells[cell] & ~left[cell]
        while gone:
            remove(state, cell, ctz(gone))
            gone &= gone - 1
