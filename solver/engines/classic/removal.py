"""Removal of givens from classic puzzles, with one puzzle in each lane until it's finished.

A puzzle has an order in which groups of givens, its orbits, are removed. An orbit stays removed if
the solution is still unique. Each test of one or several orbits is a backtracking search for a
solution that differs from the known one in a removed cell. If a test takes too many guesses, its
orbits stay.

- If a single given is removed, its value is removed from the cell's candidates. So the search never
  finds the known solution.
- Several orbits are removed together if they can probably all go. If not, the solution found shows
  which of them can't be removed together: the orbits in which it differs. So the first orbits, up
  to before the last one of these, are tested next. If all of them can be removed, the last one
  can't, without a further test.

The searches work as in `search`, where a puzzle that may well have several solutions is "loose".
The only difference is that it stays loose after wrong guesses, up to the end of the test.
"""

import numpy as np
from numpy.typing import NDArray

from solver.compiling.bitops import msb
from solver.compiling.jit import always_inline, compiled, kernel
from solver.compiling.packed_grids import GRID_BYTES, GRID_WORDS, pack_grids
from solver.compiling.vector import align_stack, ctz32, lane_count, load_lane, store_lane, vectors
from solver.engines.classic.board import CELLS, FIRST, GUARDS, ROWS, SINGLES, sweep
from solver.engines.classic.choice import choose_values, guess
from solver.engines.classic.grids import boards_from_grids, copy_board
from solver.engines.engine import ABANDON

ONE = np.uint32(1)

# Pending branches of a test. Each guess solves a cell, or fixes a value's arrangement in a band.
_DEEPEST = 81 + 54
_BOARDS = 1 + _DEEPEST  # per lane on the stacks. The first one has the givens, before propagation.

_FEWEST_UNIQUE = 17  # the fewest givens that a puzzle with a unique solution can have
_VALUE_GUESS_LIMIT = 700  # guesses of a test after which they are about cells only
_STEP_LIMIT = 100_000  # guesses of a test after which the orbits stay
MOST_IN_BLOCK = 60  # orbits in a test, because sets of them are bits of a word

# The state of each lane, as rows of an array (_ROW_COUNT, lanes):
#
# PUZZLES  the index of the puzzle
# PLACES   the number of orbits that are decided, which is the place of the next one in the order
# BLOCKS   the number of orbits in the current test
# SINGLE   whether a single given is removed in this test
# DEPTHS   the number of pending branches
# STEPS    the number of guesses in this test
# COUNTS   the number of givens of the puzzle
# DIFFERS  a set of undecided orbits, the next one first (bit 0), or 0 if none is known. Without the
#          givens of all of them, the puzzle has another solution. So not all of them can go.
(
    _PUZZLES, _PLACES, _BLOCKS, _SINGLE, _DEPTHS, _STEPS, _COUNTS, _DIFFERS
) = range(8)  # fmt: skip
_ROW_COUNT = 8

# The vectors of a search, see `search`.
_HIDDEN = ROWS
_MINIROWS = _HIDDEN + SINGLES
_CELLS = _MINIROWS + 9
_CHOICES = _CELLS + 6
_FRESH = _CHOICES + 1
_PACKED = _FRESH + ROWS
_VECTORS = _PACKED + GRID_WORDS

Memory = tuple[NDArray[np.void], NDArray[np.void], NDArray[np.int64]]


def make_memory(lanes: int) -> Memory:
    """Allocate working memory for `lanes` puzzles side by side.

    Concurrent calls need separate memory.
    """
    stacks = vectors(lanes * _BOARDS * ROWS, 1)
    return vectors(_VECTORS, lanes), stacks, np.zeros((_ROW_COUNT, lanes), np.int64)


@always_inline
def _start(lane, depth):  # type: ignore[no-untyped-def]
    """Return the index on the stacks at which a board of a lane starts.

    Depth 0 is the puzzle, and depth n the lane's n-th pending branch.
    """
    return (lane * _BOARDS + depth) * ROWS


@always_inline
def _bit_of(cell):  # type: ignore[no-untyped-def]
    """Return the bit of a cell in the vectors 9·i … 9·i + 8, where i is its row modulo 3."""
    row = cell // 9
    return np.uint32(1 << 10 * (row // 3) + cell - 9 * row)


@always_inline
def _open(board, lane, cell):  # type: ignore[no-untyped-def]
    """Restore all candidates of a cell of a board, so that the cell isn't solved.

    `lane` is the lane of the board.
    """
    i = cell // 9 % 3
    bit = _bit_of(cell)
    for row in range(9 * i, 9 * i + 9):
        store_lane(board, row, lane, load_lane(board, row, lane) | bit)
    store_lane(board, SINGLES + i, lane, load_lane(board, SINGLES + i, lane) & ~bit)


@always_inline
def _word_of(cell, value):  # type: ignore[no-untyped-def]
    """Return the index of the vector with the candidates for a value, 1 … 9, in a cell's row."""
    return 9 * (cell // 9 % 3) + value - 1


@always_inline
def _has(board, lane, cell, value):  # type: ignore[no-untyped-def]
    """Return whether a value, 1 … 9, is a candidate of a cell."""
    return load_lane(board, _word_of(cell, value), lane) & _bit_of(cell) != 0


@always_inline
def _is_complete(board, lane):  # type: ignore[no-untyped-def]
    """Return whether a board whose cells are all solved has every value in every house."""
    rows = np.uint32(GUARDS)
    columns = np.uint32(0x1FF)
    boxes = np.uint32(FIRST)
    cells = np.uint32(CELLS)
    for d in range(9):
        a, b, c = (
            load_lane(board, d, lane),
            load_lane(board, d + 9, lane),
            load_lane(board, d + 18, lane),
        )
        rows = np.uint32(rows & (a + cells) & (b + cells) & (c + cells))
        column = np.uint32(a | b | c)
        columns = np.uint32(columns & (column | column >> 10 | column >> 20))
        boxes = np.uint32(boxes & (column | column >> 1 | column >> 2))
    return rows == GUARDS and columns == 0x1FF and boxes == FIRST


@kernel
def _begin_test(lane, board, stacks, state, puzzles, order, orbits, fewest, blocks):  # type: ignore[no-untyped-def]
    """Load the board of the next test: a lane's puzzle without the orbits to be removed.

    Orbits (groups of cells) without givens, or with too many givens to be removed, are decided and
    skipped before. Returns False if all orbits of the puzzle are decided, so that there is no other
    test.
    """
    starts, cells = orbits
    puzzle, place = state[_PUZZLES, lane], state[_PLACES, lane]
    block, differs, count = state[_BLOCKS, lane], state[_DIFFERS, lane], state[_COUNTS, lane]
    last = order.shape[1]
    first = puzzle * GRID_BYTES
    while place < last:
        if block == 0:
            block = min(blocks[place], last - place)
            if differs != 0:
                block = min(block, msb(differs))
                if block == 0:
                    differs = 0
                    place += 1
                    continue
        removed = 0
        only = 0
        for number in range(place, place + block):
            orbit = order[lane, number]
            for index in range(starts[orbit], starts[orbit + 1]):
                if puzzles[first + cells[index]] != 0:
                    removed += 1
                    only = cells[index]
        if removed == 0 or (block == 1 and count - removed < fewest[puzzle]):
            # Without givens, another solution can't differ there.
            differs = differs >> block if removed == 0 or differs & 1 == 0 else 0
            place += block
            block = 0
            continue
        if count - removed < fewest[puzzle]:
            block >>= 1
            continue
        copy_board(stacks, _start(lane, 0), board, lane)
        if removed == 1:
            _open(board, lane, only)
            value = puzzles[first + only]
            word = _word_of(only, value)
            store_lane(board, word, lane, load_lane(board, word, lane) & ~_bit_of(only))
        else:
            for number in range(place, place + block):
                orbit = order[lane, number]
                for index in range(starts[orbit], starts[orbit + 1]):
                    if puzzles[first + cells[index]] != 0:
                        _open(board, lane, cells[index])
        state[_PLACES, lane], state[_BLOCKS, lane], state[_DIFFERS, lane] = place, block, differs
        state[_SINGLE, lane] = removed == 1
        state[_DEPTHS, lane] = state[_STEPS, lane] = 0
        return True
    return False


@always_inline
def _find_differing(lane, board, state, puzzles, order, orbits):  # type: ignore[no-untyped-def]
    """Return the orbits of the current test in which a solved board differs from the puzzle.

    In the result, bit k is set if the board differs in a given of the k-th orbit (group of cells)
    of the test.
    """
    starts, cells = orbits
    first, place = state[_PUZZLES, lane] * GRID_BYTES, state[_PLACES, lane]
    differs = 0
    for offset in range(state[_BLOCKS, lane]):
        orbit = order[lane, place + offset]
        for index in range(starts[orbit], starts[orbit + 1]):
            value = puzzles[first + cells[index]]
            if value != 0 and not _has(board, lane, cells[index], value):
                differs |= 1 << offset
    return differs


@always_inline
def _remove(lane, stacks, state, puzzles, order, orbits):  # type: ignore[no-untyped-def]
    """Remove the givens of all orbits (groups of cells) in the current test for good.

    The next test of the lane begins with the orbits after them.
    """
    starts, cells = orbits
    first, place = state[_PUZZLES, lane] * GRID_BYTES, state[_PLACES, lane]
    for number in range(place, place + state[_BLOCKS, lane]):
        orbit = order[lane, number]
        for index in range(starts[orbit], starts[orbit + 1]):
            if puzzles[first + cells[index]] != 0:
                puzzles[first + cells[index]] = 0
                state[_COUNTS, lane] -= 1
                _open(stacks, _start(lane, 0), cells[index])
    state[_PLACES, lane] += state[_BLOCKS, lane]
    state[_DIFFERS, lane] >>= state[_BLOCKS, lane]
    state[_BLOCKS, lane] = 0


@always_inline
def _keep(lane, state, differs):  # type: ignore[no-untyped-def]
    """Record that the orbits (groups of cells) of the current test can't all be removed.

    `differs` has a bit for each orbit in which another solution differs, or is 0 if none was found.
    If only the first orbit differs, or if a single orbit was tested, this orbit stays for good.
    Otherwise, fewer of these orbits are tested next: at most those before the last one that
    differs, or half of them if `differs` is 0.
    """
    if differs == 1 or state[_BLOCKS, lane] == 1:
        known = state[_DIFFERS, lane]
        state[_DIFFERS, lane] = known >> 1 if known & 1 == 0 else 0
        state[_PLACES, lane] += 1
        state[_BLOCKS, lane] = 0
    elif differs != 0:
        state[_DIFFERS, lane] = differs
        state[_BLOCKS, lane] = 0
    else:
        state[_BLOCKS, lane] >>= 1


@compiled
def remove_givens(puzzles, count, ranks, orbits, fewest, blocks, stop, memory):  # type: ignore[no-untyped-def]
    """Remove the givens of whole orbits (groups of cells) while the solution stays unique.

    puzzles  flat uint8, 81 bytes per puzzle, 0 = empty, with unique solutions. They are changed.
    count    the number of puzzles
    ranks    (count, orbits): the place of each orbit in the order of removal
    orbits   (starts, cells): orbit k has the cells cells[starts[k]:starts[k + 1]]
    fewest   (count,) an orbit isn't removed if fewer givens would be left
    blocks   (orbits,) item k: how many orbits to test together after k are decided, at most
             `MOST_IN_BLOCK`
    stop     the stop flag. If it becomes ABANDON, this returns early.
    memory   see `make_memory`
    """
    order = np.zeros((memory[2].shape[1], ranks.shape[1]), np.int64)
    _remove_all(puzzles, count, ranks, order, orbits, fewest, blocks, stop, memory)


@kernel
def _remove_all(puzzles, count, ranks, order, orbits, fewest, blocks, stop, memory):  # type: ignore[no-untyped-def]
    """Remove givens from puzzles, with the arguments of `remove_givens`.

    `order` (lanes, orbits) is working memory.
    """
    align_stack()
    every, stacks, state = memory
    lanes = lane_count(every)
    board, hidden, minirows = every[:_HIDDEN], every[_HIDDEN:_MINIROWS], every[_MINIROWS:_CELLS]
    cells, choices = every[_CELLS:_CHOICES], every[_CHOICES:_FRESH]
    fresh, packed = every[_FRESH:_PACKED], every[_PACKED:]
    live = np.uint32(0)
    free = np.uint32((1 << lanes) - 1)  # lanes that need a test
    idle = np.uint32(free)  # of these, the lanes without a puzzle
    at_fixpoint = np.uint32(0)
    new = np.uint32(0)
    loose = np.uint32(0)
    started = 0
    while stop[0] != ABANDON:
        while free != 0:
            lane = ctz32(free)
            bit = np.uint32(ONE << lane)
            if idle & bit != 0:
                if started == count:
                    free = np.uint32(free ^ bit)
                    continue
                if started % lanes == 0:
                    pack_grids(packed, puzzles, started, count)
                    boards_from_grids(packed, fresh)
                copy_board(fresh, started % lanes, stacks, _start(lane, 0))
                givens = 0
                for cell in range(started * GRID_BYTES, (started + 1) * GRID_BYTES):
                    givens += puzzles[cell] != 0
                for orbit in range(ranks.shape[1]):
                    order[lane, ranks[started, orbit]] = orbit
                state[_PUZZLES, lane], state[_COUNTS, lane] = started, givens
                state[_PLACES, lane] = state[_BLOCKS, lane] = state[_DIFFERS, lane] = 0
                started += 1
                idle = np.uint32(idle ^ bit)
            if not _begin_test(lane, board, stacks, state, puzzles, order, orbits, fewest, blocks):
                idle = np.uint32(idle | bit)
                continue
            free = np.uint32(free ^ bit)
            live = np.uint32(live | bit)
            new = np.uint32(new | bit)
            loose = np.uint32(loose & ~bit)
        if live == 0:
            break
        if at_fixpoint != 0:
            choose_values(minirows, cells, choices)
            loose = np.uint32(loose | (at_fixpoint & new))
            new = np.uint32(new & ~at_fixpoint)
        while at_fixpoint != 0:
            lane = ctz32(at_fixpoint)
            bit = np.uint32(ONE << lane)
            at_fixpoint = np.uint32(at_fixpoint ^ bit)
            if state[_STEPS, lane] == _STEP_LIMIT:
                _keep(lane, state, 0)
                live = np.uint32(live ^ bit)
                free = np.uint32(free | bit)
                continue
            state[_STEPS, lane] += 1
            state[_DEPTHS, lane] += 1
            few = state[_STEPS, lane] > _VALUE_GUESS_LIMIT
            guess(
                board, lane, stacks, _start(lane, state[_DEPTHS, lane]),
                minirows, cells, choices, few,
            )  # fmt: skip
        dead, several, gained, gained_much = sweep(board, hidden, minirows, cells)
        at_fixpoint = np.uint32(live & several & ~(dead | gained & (gained_much | ~loose)))
        solved = np.uint32(live & ~(dead | several))
        dead = np.uint32(live & dead)
        while solved != 0:
            lane = ctz32(solved)
            bit = np.uint32(ONE << lane)
            solved = np.uint32(solved ^ bit)
            differs = 0
            if _is_complete(board, lane):
                differs = _find_differing(lane, board, state, puzzles, order, orbits)
            if differs == 0:
                dead = np.uint32(dead | bit)
                continue
            _keep(lane, state, differs)
            live = np.uint32(live ^ bit)
            free = np.uint32(free | bit)
        while dead != 0:
            lane = ctz32(dead)
            bit = np.uint32(ONE << lane)
            dead = np.uint32(dead ^ bit)
            if state[_DEPTHS, lane] == 0:
                _remove(lane, stacks, state, puzzles, order, orbits)
                live = np.uint32(live ^ bit)
                free = np.uint32(free | bit)
                continue
            copy_board(stacks, _start(lane, state[_DEPTHS, lane]), board, lane)
            state[_DEPTHS, lane] -= 1
