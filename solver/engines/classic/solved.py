"""Check solved boards, as many at once as there are lanes.

A board whose cells are all solved may still have a value twice in a house. If it's a solution, it's
counted, and written if the caller wants it. Its puzzle is then finished, or continues with the
newest pending branch on its stack. With a limit of two, the first solution often proves that there
is a second one: see `swaps`. (With a higher limit, the search would find that second solution again
and count it twice.)
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.board.result import Outcome
from solver.compiling.jit import always_inline, kernel
from solver.compiling.packed_grids import (
    GRID_BYTES,
    GRID_WORDS,
    PACKED_BYTES,
    copy_grid,
    unpack_grids,
)
from solver.engines.classic.board import find_complete
from solver.engines.classic.grids import DIGITS, digits_from_boards, grids_from_digits
from solver.engines.classic.swaps import find_swaps

_BY_COUNT = (int(Outcome.UNSOLVABLE), int(Outcome.SOLVED), int(Outcome.MULTIPLE))


@always_inline
def outcome_of(count):  # type: ignore[no-untyped-def]
    """Return the outcome code of a puzzle that was searched completely or up to the limit.

    `count` is the number of solutions found.
    """
    return _BY_COUNT[min(count, 2)]


class Slots(NamedTuple):
    """The state of the puzzles that have started and aren't finished, one slot per puzzle.

    Some arrays have one item per slot, one has the slot of each lane, and three are lists of slots.
    """

    depths: NDArray[np.uint32]  # number of pending branches on the slot's stack
    few: NDArray[np.uint32]  # whether its puzzle has few givens (see `choice`)
    was_loose: NDArray[np.uint32]  # whether its puzzle was loose before it waited
    puzzles: NDArray[np.uint32]  # the index of its puzzle
    of_lanes: NDArray[np.uint32]  # the slot of the puzzle in each lane
    queue: NDArray[np.uint32]  # the slots of the boards that wait
    ready: NDArray[np.uint32]  # the slots of puzzles that have waited and can continue
    spare: NDArray[np.uint32]  # the free slots


class Results(NamedTuple):
    """The results of puzzles: outcomes, solution counts, guesses, and solutions.

    Row i of the solutions is the first solution of puzzle i if `owners` is empty. Otherwise the
    rows are all solutions of all puzzles as they were found, and `owners` has the puzzle of each.
    """

    outcomes: NDArray[np.uint8]  # codes of `Outcome`, or UNFINISHED
    counts: NDArray[np.int64]  # solutions found
    steps: NDArray[np.int64]
    solutions: NDArray[np.uint8]  # flat, 81 bytes per row
    owners: NDArray[np.int64]  # the puzzle to which each row of solutions belongs, or empty


@kernel
def settle(limit, solved, digits, hidden, packed, slots, now, results):  # type: ignore[no-untyped-def]
    """Check all waiting boards in `solved`, and empty the queue of their slots.

    Solutions are counted, and written to the results if they are wanted. A puzzle without pending
    branches, or with `limit` solutions, gets its outcome, and its slot becomes free. All others
    become ready to continue.

    The vectors of solved cells in `solved` come from the oldest pending branch of the puzzle, if
    there is one. They hold all givens, and hardly any cell that could have another value. `digits`,
    `hidden`, and `packed` are working memory. `now` is a record of the type PROGRESS.
    """
    depths, queue, counts = slots.depths, slots.queue, results.counts
    complete = find_complete(solved)
    digits_from_boards(solved, digits)
    grids_from_digits(digits, packed)
    swaps = np.uint32(0)
    guessed = 0
    for place in range(now.waiting):
        guessed |= depths[queue[place]]
    if limit == 2 and guessed != 0:
        swaps = find_swaps(solved, digits, hidden[:DIGITS], hidden[DIGITS:])
    grids = hidden[:GRID_WORDS]
    unpack_grids(packed, grids)
    keep_all = len(results.owners) > 0
    for place in range(now.waiting):
        slot = queue[place]
        puzzle = slots.puzzles[slot]
        if complete >> place & 1 != 0:
            counts[puzzle] += 1
            if keep_all:
                results.owners[now.rows] = puzzle
                copy_grid(grids, place * PACKED_BYTES, results.solutions, now.rows * GRID_BYTES)
                now.rows += 1
            elif counts[puzzle] == 1:
                copy_grid(grids, place * PACKED_BYTES, results.solutions, puzzle * GRID_BYTES)
                if depths[slot] > 0 and swaps >> place & 1 != 0:
                    counts[puzzle] = 2
        if depths[slot] == 0 or counts[puzzle] == limit:
            results.outcomes[puzzle] = outcome_of(counts[puzzle])
            slots.spare[now.spares] = slot
            now.spares += 1
        else:
            slots.ready[now.resumed] = slot
            now.resumed += 1
    now.waiting = 0
