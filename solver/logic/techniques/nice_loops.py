"""Nice loops and alternating inference chains (AICs), with or without groups and ALSs.

ALSs are almost locked sets. A breadth-first search from each candidate, true or false, finds
everything that follows. A loop returns to the cell where it began. A chain from a false candidate
to a true one shows that at least one of the two is true.
"""

from typing import Any

import numpy as np

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import always_inline, compiled, kernel
from solver.logic.almost_locked_sets.nodes import add_sets
from solver.logic.almost_locked_sets.search import find_sets
from solver.logic.board import Board, Ints, Words
from solver.logic.closure import Closure, add_candidate, follows_in, row_of, transitive_closure
from solver.logic.continuous_loops import eliminate_by_sets, eliminate_round
from solver.logic.forcing.implication_paths import note_option_path, reach, trace
from solver.logic.grid import Grid
from solver.logic.hodoku_order import (
    FIRST_KEY,
    Options,
    add,
    best,
    drop,
    eliminate,
    eliminate_one,
    eliminations,
    new_options,
    same_as,
    write_options,
)
from solver.logic.implications import (
    CANDIDATE_COUNT,
    GROUP_COUNT,
    GROUPS,
    SETS,
    STEP,
    Implications,
    cell_of,
    find_implications,
    is_group,
    value_of,
)
from solver.logic.sets import first_of, size_of
from solver.logic.technique import Search, small_board

CONTINUOUS_CODE, DISCONTINUOUS_CODE, AIC_CODE = 706, 707, 708
_GROUPED = 3  # offset to the codes of grouped loops and chains
_MOST_OPTIONS = 2048
_SINGLE, _BOTH, _GROUPED_ONLY, _WITH_SETS = range(4)


@compiled
def find_nice_loop(board: Board, grid: Grid, buffer: Ints, all_steps: int, scope: int) -> None:
    """Search for nice loops and chains that remove candidates, and write them.

        scope  _SINGLE (single candidates only), _BOTH (groups as well), _GROUPED_ONLY (only loops
               and chains that contain a group), or _WITH_SETS (only those with a group or an almost
               locked set)

    Loops from true candidates come first, then loops from false ones, then chains from false ones.
    Writes the deduction that HoDoKu would choose, or all of them if `all_steps` is set.
    """
    extra_nodes = SETS if scope == _WITH_SETS else GROUPS
    implications = find_implications(board, grid, extra_nodes if scope != _SINGLE else 0)
    nodes = np.zeros(1, np.int32)
    if scope == _WITH_SETS:
        nodes = add_sets(board, grid, implications, grid.sets)
    closure = transitive_closure(board, grid, implications)
    ends = np.empty(closure.half, np.int64)
    literals = len(implications.counts)
    order = np.empty(literals, np.int32)
    parent = np.empty(literals, np.int32)
    far = np.empty(literals, np.int32)
    seen = np.zeros(literals, np.int32)
    path = np.empty(literals, np.int32)
    options = new_options(_MOST_OPTIONS)
    stamp = 0
    for true in (1, 0, 2):
        for node in range(implications.sizes[CANDIDATE_COUNT]):
            cell, value = node // board.value_count, node % board.value_count + 1
            if not grid.cells[cell] >> (value - 1) & 1:
                continue
            start = 2 * node + (true & 1)
            if true == 2:
                if not _joins_chain(board, grid, closure, cell, value, ends):
                    continue
            elif not _comes_back(grid, closure, cell, value, true):
                continue
            stamp += 1
            count = reach(implications, start, order, parent, far, seen, stamp)
            for at in range(1, count):
                end = order[at]
                if is_group(implications, end):
                    continue
                end_cell = (end >> 1) // board.value_count
                if true == 2:
                    if end & 1 and far[end] > STEP and end_cell != cell:
                        _check_chain(
                            board, grid, implications, options, start, end, parent, path, scope
                        )
                elif end_cell == cell and far[end] > STEP:
                    _check_loop(
                        board, grid, implications, nodes, options, start, end, parent, path, scope
                    )
    write_options(buffer, options, best(options), all_steps)


@kernel
def _comes_back(grid: Grid, closure: Closure, cell: int, value: int, true: int) -> bool:
    """Return whether a loop from this candidate could remove anything.

    `true` is 1 if the candidate is assumed true, else 0. A true candidate must imply that it is
    false. A false candidate must imply that it is true, or that another candidate of its cell is
    false. Only the closure is checked, so True doesn't guarantee that there is a usable loop.
    """
    first = 2 * cell * closure.size
    literal = first + 2 * (value - 1)
    row = closure.rows[row_of(closure, literal + true)]
    if follows_in(closure, row, literal + 1 - true):
        return True
    rest = 0 if true else grid.cells[cell] & ~(1 << (value - 1))
    while rest:
        if follows_in(closure, row, first + 2 * ctz(rest)):
            return True
        rest &= rest - 1
    return False


@kernel
def _joins_chain(
    board: Board, grid: Grid, closure: Closure, cell: int, value: int, ends: Words
) -> bool:
    """Return whether a chain that begins with this candidate being false could remove anything.

    Only the closure is checked. The false candidate must imply that another candidate is true, and
    a chain between the two must be able to remove candidates. So True doesn't guarantee that there
    is a usable chain. `ends` is scratch space for a set of candidates.
    """
    row = closure.rows[row_of(closure, 2 * (cell * closure.size + value - 1))]
    some = 0
    for word in range(closure.half):
        some |= row[word]
        ends[word] = 0
    if some == 0:
        return False
    low, high = grid.places[value, 0], grid.places[value, 1]
    while low | high:
        end = first_of(low, high)
        low, high = (low & (low - 1), high) if low else (0, high & (high - 1))
        a, b = _seen_by_both(board, grid, cell, end, value)
        if end != cell and size_of(a, b) > 1:
            add_candidate(closure, ends, end, value)
    rest = grid.cells[cell] & ~(1 << (value - 1))
    while rest:
        other = ctz(rest) + 1
        rest &= rest - 1
        low = board.peer_sets[cell, 0] & grid.places[value, 0] & grid.places[other, 0]
        high = board.peer_sets[cell, 1] & grid.places[value, 1] & grid.places[other, 1]
        while low | high:
            add_candidate(closure, ends, first_of(low, high), other)
            low, high = (low & (low - 1), high) if low else (0, high & (high - 1))
    some = 0
    for word in range(closure.half):
        some |= row[word] & ends[word]
    return some != 0


@always_inline
def _seen_by_both(board: Board, grid: Grid, cell: int, other: int, value: int) -> Any:
    """Return the places of a value that both cells see, as two 64-bit words."""
    low = board.peer_sets[cell, 0] & board.peer_sets[other, 0] & grid.places[value, 0]
    high = board.peer_sets[cell, 1] & board.peer_sets[other, 1] & grid.places[value, 1]
    return low, high


@kernel
def _check_loop(
    board: Board,
    grid: Grid,
    implications: Implications,
    nodes: Ints,
    options: Options,
    start: int,
    end: int,
    parent: Ints,
    path: Ints,
    scope: int,
) -> None:
    """Add the loop from `start` to `end` as a deduction, if it removes anything.

    Both are literals of the same cell. `parent` contains the path from the start to the end, as
    found by `reach`, and `path` is scratch space. `nodes` is the array that `add_sets` returned.
    `scope` states which nodes the loop must contain: with _GROUPED_ONLY or _WITH_SETS, a group or
    an almost locked set. A path that visits a cell twice (see `trace`) is ignored. The
    deduction is added to `options`.
    """
    length = trace(board, implications, start, end, parent, path, 1)
    if length == 0:
        return
    cell = cell_of(board, implications, start)
    if cell_of(board, implications, path[1]) == cell:
        return
    strong_first, strong_last = start & 1 == 0, end & 1 == 1
    one, other = value_of(board, implications, start), value_of(board, implications, end)
    code = DISCONTINUOUS_CODE
    if one == other and strong_first == strong_last:
        if strong_first:
            rest = grid.cells[cell] & ~(1 << (one - 1))
            while rest:
                eliminate_one(options, cell, ctz(rest) + 1)
                rest &= rest - 1
        else:
            eliminate_one(options, cell, one)
    elif one != other and strong_first != strong_last:
        eliminate_one(options, cell, other if strong_first else one)
    elif strong_first or strong_last or popcount(grid.cells[cell]) == 2:
        code = CONTINUOUS_CODE
        eliminate_round(board, grid, implications, nodes, options, path, length)
        eliminate_by_sets(board, grid, implications, nodes, options, path, length)
    else:
        return
    _keep(board, implications, options, code, path, length, scope)


@kernel
def _check_chain(
    board: Board,
    grid: Grid,
    implications: Implications,
    options: Options,
    start: int,
    end: int,
    parent: Ints,
    path: Ints,
    scope: int,
) -> None:
    """Add the chain from `start` to `end` as a deduction, if it removes enough.

    It must remove more than a loop through its ends would. A path that visits a cell twice (see
    `trace`) is ignored. Both ends are literals, of different cells. `parent` contains the path from
    the start to the end, as found by `reach`, and `path` is scratch space. `scope` states which
    nodes the chain must contain: with _GROUPED_ONLY or _WITH_SETS, a group or an almost locked set.
    The deduction is added to `options`.
    """
    cell, other_cell = cell_of(board, implications, start), cell_of(board, implications, end)
    value, other = value_of(board, implications, start), value_of(board, implications, end)
    if value == other:
        low, high = _seen_by_both(board, grid, cell, other_cell, value)
        if size_of(low, high) < 2:
            return
    elif not (
        board.sees[cell, other_cell]
        and grid.cells[other_cell] >> (value - 1) & 1
        and grid.cells[cell] >> (other - 1) & 1
    ):
        return
    length = trace(board, implications, start, end, parent, path, 0)
    if length == 0:
        return
    if value == other:
        eliminate(options, low, high, value)
    else:
        eliminate_one(options, cell, other)
        eliminate_one(options, other_cell, value)
    _keep(board, implications, options, AIC_CODE, path, length, scope)


@kernel
def _keep(
    board: Board,
    implications: Implications,
    options: Options,
    code: int,
    path: Ints,
    length: int,
    scope: int,
) -> None:
    """Complete a loop or chain as a deduction, or discard it if it isn't wanted.

    Its eliminations have been collected in `options` before. It is discarded if it has none, if an
    earlier deduction with the same eliminations isn't longer, or if `scope` requires groups or sets
    and it contains neither. It isn't wanted either if an almost locked set loses a value and
    another node then takes this value, because the text would describe the set as a group.
    `path[:length]` are its literals.
    """
    grouped = unclear = False
    first_set = 2 * (implications.sizes[CANDIDATE_COUNT] + implications.sizes[GROUP_COUNT])
    for at in range(length):
        grouped |= is_group(implications, path[at])
        if path[at] >= first_set and at + 1 < length:
            value = value_of(board, implications, path[at])
            unclear |= value == value_of(board, implications, path[at + 1])
    if eliminations(options) == 0 or unclear or (scope >= _GROUPED_ONLY and not grouped):
        drop(options)
        return
    known = same_as(options)
    if known >= 0 and options.entries[known, FIRST_KEY] <= length:
        drop(options)
        return
    if not add(options, code + (_GROUPED if grouped else 0), length, 0):
        return
    note_option_path(board, implications, options, path, length)


_GROUPED_CODES = ("0709", "0710", "0711")
NICE_LOOP = Search(("0706", "0707", "0708"), find_nice_loop, (_SINGLE,), small_board)
GROUPED_NICE_LOOP = Search(_GROUPED_CODES, find_nice_loop, (_BOTH,), small_board)
ONLY_GROUPED = Search(_GROUPED_CODES, find_nice_loop, (_GROUPED_ONLY,), small_board)
WITH_SETS = Search(_GROUPED_CODES, find_nice_loop, (_WITH_SETS,), small_board, (find_sets,))
