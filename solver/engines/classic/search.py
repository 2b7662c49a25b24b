"""The search: a puzzle in each lane, until it is finished.

Every sweep looks at all lanes. A lane whose board is dead or solved goes on with the newest
complement on its own stack; one in which no cell became single (or few did, where most guesses
are right) guesses, and puts the complement on its stack; one whose stack is empty takes the next
puzzle. So all lanes always have work, and what happens to a puzzle depends on the puzzle alone.
"""

import numpy as np
from numpy.typing import NDArray

from solver.board.result import Outcome
from solver.compiling.copying import copy
from solver.compiling.jit import bare, compiled, inlined, inner
from solver.compiling.packed import GRID, PACKED, pack_grid, unpack_grid
from solver.compiling.vector import align_stack, lane_count, load_lane, lowest_bit, vectors
from solver.compiling.words import ones
from solver.engines.classic.board import ROWS, SINGLES, find_complete, sweep
from solver.engines.classic.choice import choose_values, guess
from solver.engines.classic.grids import (
    boards_from_grids,
    copy_board,
    grids_from_boards,
)
from solver.engines.engine import ABANDON, FINISH
from solver.engines.verdict import UNFINISHED

# Complements that can wait: a guess fixes a cell, or the arrangement of a value in a region.
_DEEPEST = 81 + 54

_FEWEST_UNIQUE = 17  # givens that a puzzle with one solution has at least

# Guesses about values before a puzzle is begun anew by cells (or goes on by them, where it has a
# solution already). The hardest known puzzles with one solution need up to 602 of them. Among
# puzzles with many, some need more than 250,000 where cells need 21,000 at most (20,000 grids of
# 17 to 30 random givens, limit 2).
_PATIENCE = 700

# Guesses after which a puzzle has probably several solutions if none has been wrong. Then most of
# those to come are right, too, and need not wait for the last few cells to become single.
_LOOSE = 2

ONE = np.uint32(1)


# The vectors that a search works on lie in one array, which takes less time to hand over:
#
#   0       30       57         66      72        73      103      133
#   board   hidden   minirows   cells   choices   fresh   solved   packed
#
# board     the board of each lane
# hidden, minirows, cells  of the sweep
# choices   what guesses will be about
# fresh     boards of the puzzles that come next
# solved    solved boards that wait until every lane is taken
# packed    see `grids`
_HIDDEN = ROWS
_MINIROWS = _HIDDEN + SINGLES
_CELLS = _MINIROWS + 9
_CHOICES = _CELLS + 6
_FRESH = _CHOICES + 1
_SOLVED = _FRESH + ROWS
_PACKED = _SOLVED + ROWS
_VECTORS = _PACKED + PACKED

_STEP_LIMIT = int(Outcome.STEP_LIMIT)
_BY_COUNT = (int(Outcome.UNSOLVABLE), int(Outcome.SOLVED), int(Outcome.MULTIPLE))


# The working memory of a search; a plain tuple, since named ones take a microsecond to hand over:
#
# vectors  see above
# stacks   (depth, lanes, ROWS), vectors of one word: complements of each lane
# per_lane (4, lanes): how many complements are on its stack, whether its puzzle has
#          few givens (see `choice`), the number of its puzzle, the row that its solved board will
#          be written to
Memory = tuple[NDArray[np.void], NDArray[np.void], NDArray[np.int64]]


def make_memory(lanes: int) -> Memory:
    """Return working memory for one search at a time, of so many puzzles side by side."""
    stacks = vectors(_DEEPEST * lanes * ROWS, 1)
    return vectors(_VECTORS, lanes), stacks, np.zeros((4, lanes), np.int64)


@bare
def _read_puzzles(givens, first, count, packed, fresh):  # type: ignore[no-untyped-def]
    """Make the boards of the next puzzles, or of those that are left."""
    for lane in range(min(lane_count(packed), count - first)):
        pack_grid(packed, lane, givens, (first + lane) * GRID)
    boards_from_grids(packed, fresh)


@bare
def _write_solutions(waiting, solutions, targets, solved, packed):  # type: ignore[no-untyped-def]
    """Write the solved boards that wait to their rows."""
    grids_from_boards(solved, packed)
    for lane in range(waiting):
        unpack_grid(packed, lane, solutions, targets[lane] * GRID)


@inlined
def _count_givens(fresh, lane):  # type: ignore[no-untyped-def]
    """Return the number of single cells of a fresh board."""
    count = 0
    for i in range(3):
        count += ones(load_lane(fresh, SINGLES + i, lane))
    return count


@inlined
def _place(lanes, depth, lane):  # type: ignore[no-untyped-def]
    """Return where on the stacks a board of a lane begins."""
    return (depth * lanes + lane) * ROWS


@inner
def _grown(array):  # type: ignore[no-untyped-def]
    larger = np.empty(2 * len(array), array.dtype)
    copy(array, larger)
    return larger


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
    align_stack()
    every, stacks, per_lane = memory
    lanes = lane_count(every)
    board, hidden, minirows = every[:_HIDDEN], every[_HIDDEN:_MINIROWS], every[_MINIROWS:_CELLS]
    cells, choices, fresh = every[_CELLS:_CHOICES], every[_CHOICES:_FRESH], every[_FRESH:_SOLVED]
    solved_boards, packed = every[_SOLVED:_PACKED], every[_PACKED:]
    depths, few, puzzles, targets = per_lane[0], per_lane[1], per_lane[2], per_lane[3]
    for puzzle in range(count):
        outcomes[puzzle] = UNFINISHED
    keep_all = len(owners) > 0
    rows = 0
    waiting = 0
    started = 0
    live = np.uint32(0)
    loose = np.uint32(0)  # lanes whose puzzle has had `_LOOSE` guesses, and none was wrong
    free = np.uint32((1 << lanes) - 1)
    while True:
        if stop[0] == ABANDON:
            break
        while free != 0 and started < count and (started == 0 or stop[0] != FINISH):
            lane = lowest_bit(free)
            free = np.uint32(free & (free - ONE))
            live = np.uint32(live | ONE << lane)
            if started % lanes == 0:
                _read_puzzles(givens, started, count, packed, fresh)
            copy_board(fresh, started % lanes, board, lane)
            puzzles[lane] = started
            loose = np.uint32(loose & ~(ONE << lane))
            few[lane] = _count_givens(fresh, started % lanes) < _FEWEST_UNIQUE
            started += 1
        if live == 0:
            break
        dead, several, gained, gained_much = sweep(board, hidden, minirows, cells)
        loose = np.uint32(loose & ~dead)
        stuck = np.uint32(live & several & ~(dead | gained & (gained_much | ~loose)))
        solved = np.uint32(live & ~(dead | several))
        done = np.uint32(live & (dead | solved))
        if solved != 0:
            solved = np.uint32(solved & find_complete(board))
        while solved != 0:
            lane = lowest_bit(solved)
            solved = np.uint32(solved & (solved - ONE))
            puzzle = puzzles[lane]
            counts[puzzle] += 1
            if keep_all or counts[puzzle] == 1:
                row = puzzle
                if keep_all:
                    if rows == len(owners):
                        owners = _grown(owners)
                        solutions = _grown(solutions)
                    owners[rows] = puzzle
                    row = rows
                    rows += 1
                copy_board(board, lane, solved_boards, waiting)
                targets[waiting] = row
                waiting += 1
                if waiting == lanes:
                    _write_solutions(waiting, solutions, targets, solved_boards, packed)
                    waiting = 0
            if counts[puzzle] == limit:
                depths[lane] = 0
        while done != 0:
            lane = lowest_bit(done)
            done = np.uint32(done & (done - ONE))
            depth = depths[lane] - 1
            if depth < 0:
                puzzle = puzzles[lane]
                outcomes[puzzle] = _BY_COUNT[min(counts[puzzle], 2)]
                live = np.uint32(live & ~(ONE << lane))
                free = np.uint32(free | ONE << lane)
                continue
            depths[lane] = depth
            copy_board(stacks, _place(lanes, depth, lane), board, lane)
        if stuck != 0:
            choose_values(minirows, cells, choices)
        while stuck != 0:
            lane = lowest_bit(stuck)
            stuck = np.uint32(stuck & (stuck - ONE))
            puzzle = puzzles[lane]
            if steps[puzzle] == step_limit:
                outcomes[puzzle] = _STEP_LIMIT
                depths[lane] = 0
                live = np.uint32(live & ~(ONE << lane))
                free = np.uint32(free | ONE << lane)
                continue
            if steps[puzzle] == _PATIENCE and few[lane] == 0:
                few[lane] = 1
                if counts[puzzle] == 0:
                    depths[lane] = 0
                    _read_puzzles(givens, puzzle - puzzle % lanes, count, packed, fresh)
                    copy_board(fresh, puzzle % lanes, board, lane)
                    if started % lanes != 0:
                        _read_puzzles(givens, started - started % lanes, count, packed, fresh)
                    continue
            steps[puzzle] += 1
            start = _place(lanes, depths[lane], lane)
            depths[lane] += 1
            if steps[puzzle] == _LOOSE == depths[lane]:
                loose = np.uint32(loose | ONE << lane)
            guess(board, lane, stacks, start, minirows, cells, choices, few[lane] != 0)
    _write_solutions(waiting, solutions, targets, solved_boards, packed)
    depths[:] = 0
    return solutions, owners, rows, started
