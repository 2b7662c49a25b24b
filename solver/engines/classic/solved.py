"""Check solved boards, as many together as there are lanes.

A board whose cells are all solved may still have a value twice in a house. If it's a solution, it's
counted, and written if the caller needs it. Its puzzle is then finished, or continues with the
newest pending branch on its stack. With a limit of two, the first solution often proves that there
is a second one: see `swaps`. (With a higher limit, the search would find that second solution again
and count it twice.)
"""

import numpy as np

from solver.board.result import Outcome
from solver.compiling.jit import always_inline, kernel
from solver.compiling.packed_grids import (
    GRID_BYTES,
    GRID_WORDS,
    PACKED_BYTES,
    copy_grid,
    unpack_grids,
)
from solver.engines.classic import slots
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


@kernel
def settle(  # type: ignore[no-untyped-def]
    waiting, limit, solved, digits, hidden, packed, state, counters, results
):
    """Check the first `waiting` boards in `solved`, and update the puzzles that they belong to.

    Board k belongs to the puzzle whose slot is item k of the queue in `state`. Solutions are
    counted, and written to the results if they are needed. With a limit of 2, a solution that was
    found after a guess counts as two if swapping two values leads to another one (see
    `find_swaps`). A puzzle without pending branches, or with `limit` solutions, gets its outcome,
    and its slot becomes free. All other puzzles become ready to continue.

    Lane k of `solved` has the values of board k. Its vectors of solved cells are those of the
    puzzle's oldest pending branch, if there is one. They hold all givens, and hardly any cell that
    could have another value. `digits`, `hidden`, and `packed` are working memory. `state` is
    described in `slots`, and `results` in `search`. `counters` are the lengths of READY and SPARE,
    and the number of rows of solutions. Returns their new values.
    """
    depths, puzzles, queue = state[slots.DEPTHS], state[slots.PUZZLES], state[slots.QUEUE]
    ready, spare = state[slots.READY], state[slots.SPARE]
    resumed, spares, rows = counters
    outcomes, counts, _, solutions, owners = results
    complete = find_complete(solved)
    digits_from_boards(solved, digits)
    grids_from_digits(digits, packed)
    swaps = np.uint32(0)
    guessed = 0
    for place in range(waiting):
        guessed |= depths[queue[place]]
    if limit == 2 and guessed != 0:
        swaps = find_swaps(solved, digits, hidden[:DIGITS], hidden[DIGITS:])
    grids = hidden[:GRID_WORDS]
    unpack_grids(packed, grids)
    keep_all = len(owners) > 0
    for place in range(waiting):
        slot = queue[place]
        puzzle = puzzles[slot]
        if complete >> place & 1 != 0:
            counts[puzzle] += 1
            if keep_all:
                owners[rows] = puzzle
                copy_grid(grids, place * PACKED_BYTES, solutions, rows * GRID_BYTES)
                rows += 1
            elif counts[puzzle] == 1:
                copy_grid(grids, place * PACKED_BYTES, solutions, puzzle * GRID_BYTES)
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
