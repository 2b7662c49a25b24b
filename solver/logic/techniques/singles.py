"""Full houses, naked singles, and hidden singles.

Singles are found in the order in which they arose (see the queues of `solver.logic.grid.Grid`).
"""

from typing import Any

from solver.compiling.jit import always_inline, compiled
from solver.logic.board import Board, Ints
from solver.logic.deduction_buffer import begin, note
from solver.logic.deduction_rows import BASE, PLACE
from solver.logic.grid import (
    HIDDEN_FROM,
    HIDDEN_TO,
    NAKED_FROM,
    NAKED_TO,
    QUEUED_CELL,
    QUEUED_VALUE,
    Grid,
)
from solver.logic.technique import Search

FULL_HOUSE_CODE, HIDDEN_CODE, NAKED_CODE = 0, 2, 3


@compiled
def find_full_house(board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:
    """Search for a naked single in a house whose other cells are all filled, and write it.

    Writes the first one in the queue of naked singles, or all if `all_steps` is set. The queue
    doesn't change.
    """
    for position in range(grid.counts[NAKED_FROM], grid.counts[NAKED_TO]):
        cell, value = grid.naked[QUEUED_CELL, position], grid.naked[QUEUED_VALUE, position]
        if grid.values[cell]:
            continue
        number = 0
        while board.cell_houses[cell, number] >= 0:
            house = board.cell_houses[cell, number]
            number += 1
            if not board.complete[house]:
                continue
            alone = True
            for other in range(1, board.value_count + 1):
                if other != value and grid.free[house, other]:
                    alone = False
                    break
            if alone:
                begin(buffer, FULL_HOUSE_CODE)
                note(buffer, PLACE, cell, value)
                note(buffer, BASE, house, 0)
                if not all_steps:
                    return
                break


@compiled
def find_naked_single(board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:  # noqa: ARG001
    """Search for a cell with a single candidate, and write its placement.

    Writes the first one in the queue of naked singles, and removes it from the queue. If
    `all_steps` is set, writes all and leaves the queue as it is. `board` is unused.
    """
    position, end = grid.counts[NAKED_FROM], grid.counts[NAKED_TO]
    while position < end:
        cell, value = grid.naked[QUEUED_CELL, position], grid.naked[QUEUED_VALUE, position]
        position += 1
        if grid.values[cell] == 0:
            begin(buffer, NAKED_CODE)
            note(buffer, PLACE, cell, value)
            if not all_steps:
                break
    if not all_steps:
        _taken(grid, NAKED_FROM, NAKED_TO, position)


@compiled
def find_hidden_single(board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:
    """Search for a value with a single place in a house, and write its placement.

    Writes the first one in the queue of hidden singles whose cell is open, and removes it from the
    queue. If the value has several places or none by now, nothing is written. If `all_steps` is
    set, writes all and leaves the queue as it is.
    """
    position, end = grid.counts[HIDDEN_FROM], grid.counts[HIDDEN_TO]
    while position < end:
        cell, value = grid.hidden[QUEUED_CELL, position], grid.hidden[QUEUED_VALUE, position]
        position += 1
        if grid.values[cell]:
            continue
        number = 0
        while board.cell_houses[cell, number] >= 0:
            house = board.cell_houses[cell, number]
            if board.complete[house] and grid.free[house, value] == 1:
                begin(buffer, HIDDEN_CODE)
                note(buffer, PLACE, cell, value)
                note(buffer, BASE, house, 0)
                break
            number += 1
        if not all_steps:
            break
    if not all_steps:
        _taken(grid, HIDDEN_FROM, HIDDEN_TO, position)


@always_inline
def _taken(grid: Grid, begins: int, ends: int, position: Any) -> None:
    """Remove the singles before `position` from a queue, and reset the queue if it is empty.

    `begins` and `ends` are the indices in `grid.counts` of the queue's begin and end.
    """
    if position >= grid.counts[ends]:
        grid.counts[begins] = 0
        grid.counts[ends] = 0
    else:
        grid.counts[begins] = position


FULL_HOUSE = Search(("0000",), find_full_house)
NAKED_SINGLE = Search(("0003",), find_naked_single)
HIDDEN_SINGLE = Search(("0002",), find_hidden_single)
