"""The backtracking search, with one puzzle in each lane until the puzzle is finished.

Every sweep propagates all lanes. If a board has a conflict, its lane continues with the newest
pending branch on the puzzle's stack. If no cell became solved, the lane guesses and pushes the
complement on the stack. A board whose cells are all solved waits until there are as many of them as
lanes, because they're checked together (see `solved`). Its lane, like that of a finished puzzle,
continues with a puzzle that has waited, or else with the next puzzle. This way all lanes always
have work, and the search of each puzzle is independent of the other ones.

After its first guess, a puzzle is "loose" until a guess turns out to be wrong: it may well have
several solutions. In that case most of its guesses are right, so a loose puzzle guesses even if a
few cells became solved.
"""

import numpy as np
from numpy.typing import NDArray

from solver.board.result import Outcome
from solver.compiling.array_loops import copy
from solver.compiling.bitops import popcount
from solver.compiling.jit import always_inline, compiled, helper, kernel
from solver.compiling.packed_grids import GRID_WORDS, pack_grids
from solver.compiling.vector import align_stack, ctz32, lane_count, load_lane, vectors
from solver.engines.classic import slots
from solver.engines.classic.board import ROWS, SINGLES, sweep
from solver.engines.classic.choice import choose_values, guess
from solver.engines.classic.grids import (
    DIGITS,
    boards_from_grids,
    copy_board,
    copy_singles,
    copy_values,
)
from solver.engines.classic.solved import outcome_of, settle
from solver.engines.engine import ABANDON, FINISH
from solver.engines.search_outcome import UNFINISHED

# Most pending branches of a puzzle. Each guess solves a cell, or fixes a value's arrangement in a
# band.
_DEEPEST = 81 + 54

_FEWEST_UNIQUE = 17  # the fewest givens that a puzzle with a unique solution can have

# Guesses about values after which a puzzle restarts and guesses about cells only. If it has a
# solution by then, it continues with guesses about cells instead. The hardest known puzzles with a
# unique solution need up to 602 guesses. Some puzzles with many solutions need more than 250,000
# guesses about values, but at most 21,000 about cells (20,000 grids of 17 to 30 random givens,
# limit 2).
_VALUE_GUESS_LIMIT = 700

ONE = np.uint32(1)


# A single array contains all vectors that a search works on, because passing one array is faster:
#
#   0       30       57         66      72        73      103      133      154
#   board   hidden   minirows   cells   choices   fresh   solved   packed   digits
#
# board     the board of each lane
# hidden, minirows, cells  see `sweep`
# choices   the next guesses, see `choose_values`
# fresh     boards of the next puzzles
# solved, digits  solved boards that wait to be checked (see `solved`)
# packed    packed grids, see `grids`
_HIDDEN = ROWS
_MINIROWS = _HIDDEN + SINGLES
_CELLS = _MINIROWS + 9
_CHOICES = _CELLS + 6
_FRESH = _CHOICES + 1
_SOLVED = _FRESH + ROWS
_PACKED = _SOLVED + ROWS
_DIGITS = _PACKED + GRID_WORDS
_VECTORS = _DIGITS + DIGITS

_STEP_LIMIT = int(Outcome.STEP_LIMIT)


# The working memory of a search. It's a plain tuple, because passing a named one takes a
# microsecond longer:
#
# vectors  see above
# stacks   (slots, depth, ROWS), vectors of one word: pending branches of the puzzle in each slot
# state    (ROW_COUNT, slots), see `slots`
Memory = tuple[NDArray[np.void], NDArray[np.void], NDArray[np.uint32]]


def make_memory(lanes: int) -> Memory:
    """Allocate working memory for searches of `lanes` puzzles side by side.

    Concurrent searches need separate memory.
    """
    slot_count = 2 * lanes
    stacks = vectors(slot_count * _DEEPEST * ROWS, 1)
    return vectors(_VECTORS, lanes), stacks, np.zeros((slots.ROW_COUNT, slot_count), np.uint32)


@kernel
def _read_puzzles(givens, first, count, packed, fresh):  # type: ignore[no-untyped-def]
    """Make boards of one puzzle per lane, from the puzzle with index `first` on, in `fresh`.

    `givens` has `count` puzzles, 81 bytes each. If there are fewer than lanes left, the other lanes
    are meaningless. `packed` is working memory.
    """
    pack_grids(packed, givens, first, count)
    boards_from_grids(packed, fresh)


@always_inline
def _count_givens(fresh, lane):  # type: ignore[no-untyped-def]
    """Return the number of solved cells of the board in a lane of `fresh`, which are its givens."""
    count = 0
    for i in range(3):
        count += popcount(load_lane(fresh, SINGLES + i, lane))
    return count


@always_inline
def _place(slot, depth):  # type: ignore[no-untyped-def]
    """Return the index on the stacks at which a pending branch of a puzzle starts.

    `slot` is the puzzle's slot, and `depth` is the number of the branch on its stack, from 0.
    """
    return (slot * _DEEPEST + depth) * ROWS


@helper
def _grown(array):  # type: ignore[no-untyped-def]
    larger = np.empty(2 * len(array), array.dtype)
    copy(array, larger)
    return larger


# Without reference counting, which took 10% of the run time when this function created arrays.
@kernel
def _search_on(  # type: ignore[no-untyped-def]
    givens, count, limit, step_limit, stop, memory, results
):
    """Search puzzles until all are finished, the caller stops the search, or the output is full.

    The arguments are those of `search`. The results are written to `results`, and the progress to
    `memory`. Returns False if there is no room for more solutions, so that the caller must enlarge
    the arrays and call this again.
    """
    align_stack()
    every, stacks, state = memory
    outcomes, counts, steps, _, owners = results
    lanes = lane_count(every)
    board, hidden, minirows = every[:_HIDDEN], every[_HIDDEN:_MINIROWS], every[_MINIROWS:_CELLS]
    cells, choices, fresh = every[_CELLS:_CHOICES], every[_CHOICES:_FRESH], every[_FRESH:_SOLVED]
    solved_boards, packed = every[_SOLVED:_PACKED], every[_PACKED:_DIGITS]
    digits = every[_DIGITS:]
    depths, few, puzzles = state[slots.DEPTHS], state[slots.FEW], state[slots.PUZZLES]
    was_loose, slot_of_lane = state[slots.WAS_LOOSE], state[slots.SLOT_OF_LANE]
    queue, ready, spare = state[slots.QUEUE], state[slots.READY], state[slots.SPARE]
    counters, lane_sets = state[slots.COUNTERS], state[slots.LANE_SETS]
    started, rows = counters[slots.STARTED], counters[slots.ROWS_FOUND]
    waiting, resumed = counters[slots.WAITING], counters[slots.RESUMED]
    spares = counters[slots.SPARES]
    live, at_fixpoint = np.uint32(lane_sets[slots.LIVE]), np.uint32(lane_sets[slots.AT_FIXPOINT])
    solved, new = np.uint32(lane_sets[slots.SOLVED]), np.uint32(lane_sets[slots.NEW])
    loose = np.uint32(lane_sets[slots.LOOSE])
    free = np.uint32(~live & ((1 << lanes) - 1))
    output_full = False
    while True:
        abandoned = stop[0] == ABANDON
        while solved != 0 and waiting < lanes:
            lane = ctz32(solved)
            solved = np.uint32(solved & (solved - ONE))
            slot = slot_of_lane[lane]
            copy_values(board, lane, solved_boards, waiting)
            copy_singles(stacks, _place(slot, 0) + SINGLES, solved_boards[SINGLES:], waiting)
            was_loose[slot] = loose >> lane & ONE
            queue[waiting] = slot
            waiting += 1
            live = np.uint32(live ^ ONE << lane)
            free = np.uint32(free | ONE << lane)
        if waiting == lanes or (waiting > 0 and (live == 0 or abandoned)):
            output_full = 0 < len(owners) < rows + waiting
            if output_full:
                break
            resumed, spares, rows = settle(
                waiting, limit, solved_boards, digits, hidden, packed, state,
                (resumed, spares, rows), results,
            )  # fmt: skip
            waiting = 0
            continue
        if abandoned:
            break
        while free != 0:
            lane = ctz32(free)
            bit = np.uint32(ONE << lane)
            if resumed > 0:
                resumed -= 1
                slot = ready[resumed]
                depths[slot] -= 1
                copy_board(stacks, _place(slot, depths[slot]), board, lane)
                loose = np.uint32(loose & ~bit | was_loose[slot] << lane)
                new = np.uint32(new & ~bit)
            elif started < count and (started == 0 or stop[0] != FINISH):
                if started % lanes == 0:
                    _read_puzzles(givens, started, count, packed, fresh)
                spares -= 1
                slot = spare[spares]
                depths[slot] = 0
                few[slot] = _count_givens(fresh, started % lanes) < _FEWEST_UNIQUE
                puzzles[slot] = started
                copy_board(fresh, started % lanes, board, lane)
                loose = np.uint32(loose & ~bit)
                new = np.uint32(new | bit)
                started += 1
            else:
                break
            slot_of_lane[lane] = slot
            free = np.uint32(free ^ bit)
            live = np.uint32(live | bit)
        if live == 0:
            break
        if at_fixpoint != 0:
            choose_values(minirows, cells, choices)
            loose = np.uint32(loose | (at_fixpoint & new))
            new = np.uint32(new & ~at_fixpoint)
        while at_fixpoint != 0:
            lane = ctz32(at_fixpoint)
            at_fixpoint = np.uint32(at_fixpoint & (at_fixpoint - ONE))
            slot = slot_of_lane[lane]
            puzzle = puzzles[slot]
            if steps[puzzle] == step_limit:
                outcomes[puzzle] = _STEP_LIMIT
                spare[spares] = slot
                spares += 1
                live = np.uint32(live ^ ONE << lane)
                free = np.uint32(free | ONE << lane)
                continue
            if steps[puzzle] == _VALUE_GUESS_LIMIT and few[slot] == 0:
                few[slot] = 1
                if counts[puzzle] == 0:
                    depths[slot] = 0
                    _read_puzzles(givens, puzzle - puzzle % lanes, count, packed, fresh)
                    copy_board(fresh, puzzle % lanes, board, lane)
                    if started % lanes != 0:
                        _read_puzzles(givens, started - started % lanes, count, packed, fresh)
                    continue
            steps[puzzle] += 1
            start = _place(slot, depths[slot])
            depths[slot] += 1
            guess(board, lane, stacks, start, minirows, cells, choices, few[slot] != 0)
        dead, several, gained, gained_much = sweep(board, hidden, minirows, cells)
        loose = np.uint32(loose & ~dead)
        at_fixpoint = np.uint32(live & several & ~(dead | gained & (gained_much | ~loose)))
        solved = np.uint32(live & ~(dead | several))
        dead = np.uint32(live & dead)
        while dead != 0:
            lane = ctz32(dead)
            dead = np.uint32(dead & (dead - ONE))
            slot = slot_of_lane[lane]
            if depths[slot] == 0:
                puzzle = puzzles[slot]
                outcomes[puzzle] = outcome_of(counts[puzzle])
                spare[spares] = slot
                spares += 1
                live = np.uint32(live ^ ONE << lane)
                free = np.uint32(free | ONE << lane)
                continue
            depths[slot] -= 1
            copy_board(stacks, _place(slot, depths[slot]), board, lane)
    counters[slots.STARTED], counters[slots.ROWS_FOUND] = started, rows
    counters[slots.WAITING], counters[slots.RESUMED] = waiting, resumed
    counters[slots.SPARES] = spares
    lane_sets[slots.LIVE], lane_sets[slots.AT_FIXPOINT] = live, at_fixpoint
    lane_sets[slots.SOLVED], lane_sets[slots.NEW] = solved, new
    lane_sets[slots.LOOSE] = loose
    return not output_full


@kernel
def _reset(state):  # type: ignore[no-untyped-def]
    """Mark all slots, which hold unfinished puzzles, as free. Reset the counters and lane sets."""
    spare = state[slots.SPARE]
    for slot in range(len(spare)):
        spare[slot] = slot
        state[slots.COUNTERS, slot] = state[slots.LANE_SETS, slot] = 0
    state[slots.COUNTERS, slots.SPARES] = len(spare)


@compiled
def search(givens, count, limit, step_limit, stop, memory, results):  # type: ignore[no-untyped-def]
    """Search `count` puzzles, up to `limit` solutions and `step_limit` guesses each.

    `givens` are flat uint8, 81 bytes per puzzle, 0 = empty, no value above 9. `stop` is the stop
    flag of the request. `results` is a plain tuple of arrays, to which the results are written:

    outcomes   (count,) uint8: codes of `Outcome`, or UNFINISHED for a puzzle that isn't finished
    counts     (count,) int64, zeros: solutions found
    steps      (count,) int64, zeros: guesses
    solutions  flat uint8, 81 bytes per row: the first solution of puzzle i in row i if `owners`
               is empty, else all solutions of all puzzles in the order in which they were found
    owners     int64: the puzzle to which each row of solutions belongs, or empty

    Returns the solutions, the owners, the number of owners in use, and the number of puzzles
    started. The first two may be larger arrays than those passed in.
    """
    outcomes, counts, steps, solutions, owners = results
    _, _, state = memory
    for puzzle in range(count):
        outcomes[puzzle] = UNFINISHED
    _reset(state)
    while not _search_on(
        givens, count, limit, step_limit, stop, memory,
        (outcomes, counts, steps, solutions, owners),
    ):  # fmt: skip
        owners = _grown(owners)
        solutions = _grown(solutions)
    counters = state[slots.COUNTERS]
    return solutions, owners, counters[slots.ROWS_FOUND], counters[slots.STARTED]
