"""Nice loops and alternating inference chains, with single candidates or with groups.

From each candidate, true or false, all that follows is found, nearest first. A loop leads back to
the cell where it began; a chain from a false candidate to a true one says that one of both is true.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from solver.compiling.jit import bare, compiled
from solver.compiling.words import lowest, ones
from solver.logic.almost import almost_locked_sets, no_sets
from solver.logic.board import Board
from solver.logic.choice import (
    FIRST_KEY,
    add,
    best,
    drop,
    eliminate,
    eliminate_one,
    eliminations,
    new_choice,
    same_as,
)
from solver.logic.grid import Grid
from solver.logic.implications import (
    SETS,
    STEP,
    cell_of,
    grouped,
    implications,
    is_group,
    value_of,
)
from solver.logic.loops import eliminate_by_sets, eliminate_round
from solver.logic.paths import jot_path, reach, trace
from solver.logic.record import write_choices
from solver.logic.set_nodes import add_sets
from solver.logic.technique import Search, small_board

CONTINUOUS_CODE, DISCONTINUOUS_CODE, AIC_CODE = 706, 707, 708
_GROUPED = 3  # how much higher the codes of the grouped ones are
_ROOM = 2048
_SINGLE, _BOTH, _GROUPED_ONLY, _WITH_SETS = range(4)


@compiled
def find_nice_loop(
    board: Any,
    grid: Any,
    found: Any,
    sets: Any,
    nodes: Any,
    buffer: Any,
    every: int,
    scope: int,
) -> None:
    """Look for loops from true candidates, from false ones, then for chains from false ones."""
    literals = len(found.counts)
    order = np.empty(literals, np.int32)
    parent = np.empty(literals, np.int32)
    far = np.empty(literals, np.int32)
    seen = np.zeros(literals, np.int32)
    path = np.empty(literals, np.int32)
    choice = new_choice(_ROOM)
    chained = np.zeros(found.sizes[0], np.uint8)
    stamp = 0
    for true in (1, 0, 2):
        for node in range(found.sizes[0]):
            cell, value = node // board.value_count, node % board.value_count + 1
            if not grid.cells[cell] >> (value - 1) & 1 or (true == 2 and not chained[node]):
                continue
            start = 2 * node + (true & 1)
            stamp += 1
            count = reach(found, start, order, parent, far, seen, stamp)
            for at in range(1, count):
                end = order[at]
                if is_group(found, end):
                    continue
                end_cell = (end >> 1) // board.value_count
                if true == 2:
                    if end & 1 and far[end] > STEP and end_cell != cell:
                        _check_chain(board, grid, found, choice, start, end, parent, path, scope)
                elif end_cell == cell:
                    if far[end] > STEP:
                        _check_loop(
                            board, grid, found, sets, nodes, choice, start, end, parent, path, scope
                        )
                elif true == 0 and end & 1:
                    chained[node] = 1
    write_choices(buffer, choice, best(choice), every)


@bare
def _check_loop(
    board: Any,
    grid: Any,
    found: Any,
    sets: Any,
    nodes: Any,
    choice: Any,
    start: int,
    end: int,
    parent: Any,
    path: Any,
    scope: int,
) -> None:
    """Keep what a way back to the first cell removes."""
    length = trace(board, found, start, end, parent, path, 1)
    if length == 0:
        return
    cell = cell_of(board, found, start)
    if cell_of(board, found, path[1]) == cell:
        return
    strong_first, strong_last = start & 1 == 0, end & 1 == 1
    one, other = value_of(board, found, start), value_of(board, found, end)
    code = DISCONTINUOUS_CODE
    if one == other and strong_first == strong_last:
        if strong_first:
            rest = grid.cells[cell] & ~(1 << (one - 1))
            while rest:
                eliminate_one(choice, cell, lowest(rest) + 1)
                rest &= rest - 1
        else:
            eliminate_one(choice, cell, one)
    elif one != other and strong_first != strong_last:
        eliminate_one(choice, cell, other if strong_first else one)
    elif strong_first or strong_last or ones(grid.cells[cell]) == 2:
        code = CONTINUOUS_CODE
        eliminate_round(board, grid, found, sets, nodes, choice, path, length)
        eliminate_by_sets(board, grid, found, sets, nodes, choice, path, length)
    else:
        return
    _keep(board, found, choice, code, path, length, scope)


@bare
def _check_chain(
    board: Any,
    grid: Any,
    found: Any,
    choice: Any,
    start: int,
    end: int,
    parent: Any,
    path: Any,
    scope: int,
) -> None:
    """Keep what neither end of a chain allows, if it is more than a loop would remove."""
    cell, other_cell = cell_of(board, found, start), cell_of(board, found, end)
    value, other = value_of(board, found, start), value_of(board, found, end)
    if value == other:
        low = board.peer_sets[cell, 0] & board.peer_sets[other_cell, 0] & grid.places[value, 0]
        high = board.peer_sets[cell, 1] & board.peer_sets[other_cell, 1] & grid.places[value, 1]
        if ones(low) + ones(high) < 2:
            return
    elif not (
        board.sees[cell, other_cell]
        and grid.cells[other_cell] >> (value - 1) & 1
        and grid.cells[cell] >> (other - 1) & 1
    ):
        return
    length = trace(board, found, start, end, parent, path, 0)
    if length == 0:
        return
    if value == other:
        eliminate(choice, low, high, value)
    else:
        eliminate_one(choice, cell, other)
        eliminate_one(choice, other_cell, value)
    _keep(board, found, choice, AIC_CODE, path, length, scope)


@bare
def _keep(
    board: Any, found: Any, choice: Any, code: int, path: Any, length: int, scope: int
) -> None:
    """Keep a loop or chain if it is shorter than others that remove the same."""
    grouped = False
    for at in range(length):
        grouped |= is_group(found, path[at])
    if eliminations(choice) == 0 or (scope >= _GROUPED_ONLY and not grouped):
        drop(choice)
        return
    known = same_as(choice)
    if known >= 0 and choice.options[known, FIRST_KEY] <= length:
        drop(choice)
        return
    if not add(choice, code + (_GROUPED if grouped else 0), length, 0):
        return
    jot_path(board, found, choice, path, length)


def _candidates(board: Board, grid: Grid) -> tuple[Any, ...]:
    return board, grid, implications(board, grid, _SINGLE), no_sets(), _NO_NODES


def _groups(board: Board, grid: Grid) -> tuple[Any, ...]:
    return board, grid, *grouped(board, grid), no_sets(), _NO_NODES


def _sets(board: Board, grid: Grid) -> tuple[Any, ...]:
    found = implications(board, grid, SETS)
    sets = almost_locked_sets(board, grid)
    return board, grid, found, sets, add_sets(board, grid, found, sets)


def _loops(codes: tuple[str, ...], scope: int, reads: Callable[..., tuple[Any, ...]]) -> Search:
    return Search(codes, find_nice_loop, (scope,), small_board, reads)


_NO_NODES = np.zeros(1, np.int32)
_GROUPED_CODES = ("0709", "0710", "0711")
NICE_LOOP = _loops(("0706", "0707", "0708"), _SINGLE, _candidates)
GROUPED_NICE_LOOP = _loops(_GROUPED_CODES, _BOTH, _groups)
ONLY_GROUPED = _loops(_GROUPED_CODES, _GROUPED_ONLY, _groups)
WITH_SETS = _loops(_GROUPED_CODES, _WITH_SETS, _sets)
