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
_PATIENCE = 700

ONE = np.uint32(1)


# A single array contains all vectors that a search works on, because passing one array is faster:
#
#   0       30       57         66      72        73      103      133      154
#   board   hidden   minirows   cells   choices   fresh   solved   packed   digits
#
# board     the board of each lane
# hidden, minirows, cells  see `sweep`
# choices   what to guess, see `choose_values`
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
# microsecond longer. Each started puzzle occupies a slot until it's finished. There are twice as
# many slots as lanes:
#
# vectors  see above
# stacks   (slots, depth, ROWS), vectors of one word: pending branches of the puzzle in each slot
# numbers  (10, slots):
#   0  number of pending branches on the slot's stack
#   1  whether its puzzle has few givens (see `choice`)
#   2  whether its puzzle was loose before it waited
#   3  the index of its puzzle
#   4  the slot of the puzzle in each lane
#   5  the slots of the boards that wait
#   6  the slots of puzzles that have waited and can continue
#   7  the free slots
#   8, 9  counters and lane bit masks, with which `_search_on` resumes
Memory = tuple[NDArray[np.void], NDArray[np.void], NDArray[np.uint32]]


def make_memory(lanes: int) -> Memory:
    """Allocate working memory for a search of `lanes` puzzles side by side.

    Concurrent searches need separate memory.
    """
    slots = 2 * lanes
    stacks = vectors(slots * _DEEPEST * ROWS, 1)
    return vectors(_VECTORS, lanes), stacks, np.zeros((10, slots), np.uint32)


@kernel
def _read_puzzles(givens, first, count, packed, fresh):  # type: ignore[no-untyped-def]
    """Make fresh boards from the puzzles that start at index `first`, up to one per lane."""
    pack_grids(packed, givens, first, count)
    boards_from_grids(packed, fresh)


@always_inline
def _count_givens(fresh, lane):  # type: ignore[no-untyped-def]
    """Return the number of solved cells of a fresh board."""
    count = 0
    for i in range(3):
        count += popcount(load_lane(fresh, SINGLES + i, lane))
    return count


@always_inline
def _place(slot, depth):  # type: ignore[no-untyped-def]
    """Return the index on the stacks at which a slot's board starts."""
    return (slot * _DEEPEST + depth) * ROWS


@helper
def _grown(array):  # type: ignore[no-untyped-def]
    larger = np.empty(2 * len(array), array.dtype)
    copy(array, larger)
    return larger


@kernel
def _search_on(  # type: ignore[no-untyped-def]
    givens, count, limit, step_limit, stop, every, stacks, numbers, outcomes, counts, steps,
    solutions, owners
):  # fmt: skip
    """Search to the end and return True, or return False if there is no room for more solutions.

    Compiled without reference counting, which took 10% of the run time when this function created
    arrays.
    """
    align_stack()
    lanes = lane_count(every)
    board, hidden, minirows = every[:_HIDDEN], every[_HIDDEN:_MINIROWS], every[_MINIROWS:_CELLS]
    cells, choices, fresh = every[_CELLS:_CHOICES], every[_CHOICES:_FRESH], every[_FRESH:_SOLVED]
    solved_boards, packed = every[_SOLVED:_PACKED], every[_PACKED:_DIGITS]
    digits = every[_DIGITS:]
    depths, few, was_loose, puzzles = numbers[0], numbers[1], numbers[2], numbers[3]
    slots, queue, ready, spare = numbers[4], numbers[5], numbers[6], numbers[7]
    state, words = numbers[8], numbers[9]
    started, rows, waiting, resumed, spares = state[0], state[1], state[2], state[3], state[4]
    live, stuck, solved = np.uint32(words[0]), np.uint32(words[1]), np.uint32(words[2])
    new = np.uint32(words[3])  # lanes whose puzzle hasn't guessed yet
    loose = np.uint32(words[4])
    free = np.uint32(~live & ((1 << lanes) - 1))
    crowded = False
    while True:
        abandoned = stop[0] == ABANDON
        while solved != 0 and waiting < lanes:
            lane = ctz32(solved)
            solved = np.uint32(solved & (solved - ONE))
            slot = slots[lane]
            copy_values(board, lane, solved_boards, waiting)
            copy_singles(stacks, _place(slot, 0) + SINGLES, solved_boards[SINGLES:], waiting)
            was_loose[slot] = loose >> lane & ONE
            queue[waiting] = slot
            waiting += 1
            live = np.uint32(live ^ ONE << lane)
            free = np.uint32(free | ONE << lane)
        if waiting == lanes or (waiting > 0 and (live == 0 or abandoned)):
            crowded = 0 < len(owners) < rows + waiting
            if crowded:
                break
            resumed, spares, rows = settle(
                waiting, limit, solved_boards, digits, hidden, packed, depths, puzzles, queue,
                ready, resumed, spare, spares, outcomes, counts, solutions, owners, rows,
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
            slots[lane] = slot
            free = np.uint32(free ^ bit)
            live = np.uint32(live | bit)
        if live == 0:
            break
        if stuck != 0:
            choose_values(minirows, cells, choices)
            loose = np.uint32(loose | (stuck & new))
            new = np.uint32(new & ~stuck)
        while stuck != 0:
            lane = ctz32(stuck)
            stuck = np.uint32(stuck & (stuck - ONE))
            slot = slots[lane]
            puzzle = puzzles[slot]
            if steps[puzzle] == step_limit:
                outcomes[puzzle] = _STEP_LIMIT
                spare[spares] = slot
                spares += 1
                live = np.uint32(live ^ ONE << lane)
                free = np.uint32(free | ONE << lane)
                continue
            if steps[puzzle] == _PATIENCE and few[slot] == 0:
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
        stuck = np.uint32(live & several & ~(dead | gained & (gained_much | ~loose)))
        solved = np.uint32(live & ~(dead | several))
        dead = np.uint32(live & dead)
        while dead != 0:
            lane = ctz32(dead)
            dead = np.uint32(dead & (dead - ONE))
            slot = slots[lane]
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
    state[0], state[1], state[2], state[3], state[4] = started, rows, waiting, resumed, spares
    words[0], words[1], words[2], words[3], words[4] = live, stuck, solved, new, loose
    return not crowded


@compiled
def search(  # type: ignore[no-untyped-def]
    givens, count, limit, step_limit, stop, memory, outcomes, counts, steps, solutions, owners
):
    """Search `count` puzzles, up to `limit` solutions and `step_limit` guesses each.

    givens     flat uint8, 81 bytes per puzzle, 0 = empty, no value above 9
    outcomes   (count,) uint8: codes of `Outcome`, or UNFINISHED
    counts     (count,) int64, zeros: solutions found
    steps      (count,) int64, zeros: guesses
    solutions  flat uint8, 81 bytes per row: the first solution of puzzle i in row i if `owners`
               is empty, else all solutions, those of a puzzle in the order in which they were found
    owners     int64: the puzzle to which each row of solutions belongs, or empty

    Returns the solutions, the owners, the number of their rows, and the number of puzzles started.
    The first two may be larger arrays than those passed in.
    """
    every, stacks, numbers = memory
    for puzzle in range(count):
        outcomes[puzzle] = UNFINISHED
    spare, state, words = numbers[7], numbers[8], numbers[9]
    for slot in range(len(spare)):
        spare[slot] = slot
        state[slot] = words[slot] = 0
    state[4] = len(spare)
    while not _search_on(
        givens, count, limit, step_limit, stop, every, stacks, numbers, outcomes, counts, steps,
        solutions, owners,
    ):  # fmt: skip
        owners = _grown(owners)
        solutions = _grown(solutions)
    return solutions, owners, state[1], state[0]
