"""The search: a puzzle in each lane, until it is finished.

Every sweep looks at all lanes. A lane whose board is dead goes on with the newest complement on
its puzzle's stack; one in which no cell became single guesses, and puts the complement on the
stack. A board of single cells waits until as many do as there are lanes, for all of them are
looked at together (see `solved`); its lane, as one whose puzzle is finished, goes on with a puzzle
that has waited, or else with the next one. So all lanes always have work, and what happens to a
puzzle depends on the puzzle alone.

Once it has guessed, a puzzle is loose until a guess turns out wrong: it may well have several
solutions. Then most guesses to come are right, too, and it guesses where a few cells became single.
"""

import numpy as np
from numpy.typing import NDArray

from solver.board.result import Outcome
from solver.compiling.copying import copy
from solver.compiling.jit import bare, compiled, inlined, inner
from solver.compiling.packed import PACKED, pack_grids
from solver.compiling.vector import align_stack, lane_count, load_lane, lowest_bit, vectors
from solver.compiling.words import ones
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

# Complements that can wait: a guess fixes a cell, or the arrangement of a value in a region.
_DEEPEST = 81 + 54

_FEWEST_UNIQUE = 17  # givens that a puzzle with one solution has at least

# Guesses about values before a puzzle is begun anew by cells (or goes on by them, where it has a
# solution already). The hardest known puzzles with one solution need up to 602 of them. Among
# puzzles with many, some need more than 250,000 where cells need 21,000 at most (20,000 grids of
# 17 to 30 random givens, limit 2).
_PATIENCE = 700

ONE = np.uint32(1)


# The vectors that a search works on lie in one array, which takes less time to hand over:
#
#   0       30       57         66      72        73      103      133      154
#   board   hidden   minirows   cells   choices   fresh   solved   packed   digits
#
# board     the board of each lane
# hidden, minirows, cells  of the sweep
# choices   what guesses will be about
# fresh     boards of the puzzles that come next
# solved, digits  boards of single cells that wait (see `solved`)
# packed    see `grids`
_HIDDEN = ROWS
_MINIROWS = _HIDDEN + SINGLES
_CELLS = _MINIROWS + 9
_CHOICES = _CELLS + 6
_FRESH = _CHOICES + 1
_SOLVED = _FRESH + ROWS
_PACKED = _SOLVED + ROWS
_DIGITS = _PACKED + PACKED
_VECTORS = _DIGITS + DIGITS

_STEP_LIMIT = int(Outcome.STEP_LIMIT)


# The working memory of a search; a plain tuple, since named ones take a microsecond to hand over.
# A puzzle that was begun has one of twice as many slots as there are lanes, until it is finished:
#
# vectors  see above
# stacks   (slots, depth, ROWS), vectors of one word: complements of the puzzle in each slot
# numbers  (10, slots):
#   0  how many complements are on the slot's stack
#   1  whether its puzzle has few givens (see `choice`)
#   2  whether it was loose before it waited
#   3  the number of its puzzle
#   4  the slot of the puzzle in each lane
#   5  the slots of the boards that wait
#   6  the slots of puzzles that have waited, and go on
#   7  the slots without a puzzle
#   8, 9  numbers, and words with a bit for each lane, for `_search_on` to go on with
Memory = tuple[NDArray[np.void], NDArray[np.void], NDArray[np.uint32]]


def make_memory(lanes: int) -> Memory:
    """Return working memory for one search at a time, of so many puzzles side by side."""
    slots = 2 * lanes
    stacks = vectors(slots * _DEEPEST * ROWS, 1)
    return vectors(_VECTORS, lanes), stacks, np.zeros((10, slots), np.uint32)


@bare
def _read_puzzles(givens, first, count, packed, fresh):  # type: ignore[no-untyped-def]
    """Make the boards of the next puzzles, or of those that are left."""
    pack_grids(packed, givens, first, count)
    boards_from_grids(packed, fresh)


@inlined
def _count_givens(fresh, lane):  # type: ignore[no-untyped-def]
    """Return the number of single cells of a fresh board."""
    count = 0
    for i in range(3):
        count += ones(load_lane(fresh, SINGLES + i, lane))
    return count


@inlined
def _place(slot, depth):  # type: ignore[no-untyped-def]
    """Return where on the stacks a board of a slot begins."""
    return (slot * _DEEPEST + depth) * ROWS


@inner
def _grown(array):  # type: ignore[no-untyped-def]
    larger = np.empty(2 * len(array), array.dtype)
    copy(array, larger)
    return larger


@bare
def _search_on(  # type: ignore[no-untyped-def]
    givens, count, limit, step_limit, stop, every, stacks, numbers, outcomes, counts, steps,
    solutions, owners
):  # fmt: skip
    """Search until the end; or return False where there is no room for more solutions.

    Bare, for what makes arrays counts references to them, which took a tenth of the time.
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
    new = np.uint32(words[3])  # lanes whose puzzle has had no guess
    loose = np.uint32(words[4])
    free = np.uint32(~live & ((1 << lanes) - 1))
    crowded = False
    while True:
        abandoned = stop[0] == ABANDON
        while solved != 0 and waiting < lanes:
            lane = lowest_bit(solved)
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
            lane = lowest_bit(free)
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
            lane = lowest_bit(stuck)
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
            lane = lowest_bit(dead)
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

    givens     flat uint8, 81 bytes a puzzle, 0 = blank, no value above 9
    outcomes   (count,) uint8: codes of `Outcome`, or UNFINISHED
    counts     (count,) int64, zeros: solutions found
    steps      (count,) int64, zeros: guesses
    solutions  flat uint8, 81 bytes a row: the first solution of puzzle i in row i, if owners
               is empty; else all solutions, each puzzle's in the order they were found
    owners     int64: the puzzle that each row of solutions belongs to, or empty

    Returns (solutions, owners, rows of them, puzzles started): the first two may have grown.
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
