"""What becomes of boards of single cells: as many are looked at together as there are lanes.

Such a board may hold a value twice in a house. A solution counts, and is written where it is
wanted; then its puzzle is finished, or goes on with the newest complement on its stack. Where two
solutions are enough, many a puzzle is finished with the first: see `swaps`. (Where more are asked
for, the search would come upon such a second solution again, and count it twice.)
"""

import numpy as np

from solver.board.result import Outcome
from solver.compiling.jit import bare, inlined
from solver.compiling.packed import GRID, PACKED, ROW, copy_grid, unpack_grids
from solver.engines.classic.board import find_complete
from solver.engines.classic.grids import DIGITS, digits_from_boards, grids_from_digits
from solver.engines.classic.swaps import find_swaps

_BY_COUNT = (int(Outcome.UNSOLVABLE), int(Outcome.SOLVED), int(Outcome.MULTIPLE))


@inlined
def outcome_of(count):  # type: ignore[no-untyped-def]
    """Return what a finished puzzle with so many solutions is."""
    return _BY_COUNT[min(count, 2)]


@bare
def settle(  # type: ignore[no-untyped-def]
    waiting, limit, solved, digits, hidden, packed, depths, puzzles, queue, ready,
    resumed, spare, spares, outcomes, counts, solutions, owners, rows
):  # fmt: skip
    """Look at the first `waiting` boards of `solved`, of the puzzles in the slots of `queue`.

    The vectors of single cells of `solved` hold those of the oldest complement on the puzzle's
    stack, if there is one: all givens, and hardly a cell that could have another value. `digits`,
    `hidden` and `packed` are working memory, all else as in `search`. Returns how many slots
    `ready` and `spare` hold now, and how many rows the solutions.
    """
    complete = find_complete(solved)
    digits_from_boards(solved, digits)
    grids_from_digits(digits, packed)
    swaps = np.uint32(0)
    guessed = 0
    for place in range(waiting):
        guessed |= depths[queue[place]]
    if limit == 2 and guessed != 0:
        swaps = find_swaps(solved, digits, hidden[:DIGITS], hidden[DIGITS:])
    grids = hidden[:PACKED]
    unpack_grids(packed, grids)
    keep_all = len(owners) > 0
    for place in range(waiting):
        slot = queue[place]
        puzzle = puzzles[slot]
        if complete >> place & 1 != 0:
            counts[puzzle] += 1
            if keep_all:
                owners[rows] = puzzle
                copy_grid(grids, place * ROW, solutions, rows * GRID)
                rows += 1
            elif counts[puzzle] == 1:
                copy_grid(grids, place * ROW, solutions, puzzle * GRID)
                if depths[slot] > 0 and swaps >> place & 1 != 0:
                    counts[puzzle] = 2
        if depths[slot] == 0 or counts[puzzle] == limit:
            outcomes[puzzle] = outcome_of(counts[puzzle])
            spare[spares] = slot
            spares += 1
        else:
            ready[resumed] = slot
            resumed += 1
    return resumed, spares, rows
