"""Unique rectangles: four cells in two boxes that must not be left with only two values.

Otherwise the two values could be swapped, and the puzzle would have two solutions. Types 1 to 6 and
the hidden rectangle differ in how they prevent this deadly pattern.
"""

from typing import Any

import numpy as np

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import always_inline, compiled, helper, kernel
from solver.logic.board import BOX, COLUMN, ROW, Board, Ints, Words
from solver.logic.deduction_buffer import DEDUCTIONS, END, note_values
from solver.logic.deduction_rows import REMOVE
from solver.logic.grid import Grid
from solver.logic.rectangle import (
    TYPE_1_CODE,
    Rectangle,
    keep_lowest,
    open_rectangle,
    rectangle_name,
)
from solver.logic.sets import allowed_places, has
from solver.logic.technique import Search, plain_board
from solver.logic.techniques.rectangle_subsets import check_subset
from solver.logic.techniques.rectangle_types import (
    check_diagonal,
    check_hidden,
    check_one_extra,
    check_strong_side,
)

_MOST_RECTANGLES = 400


@compiled
def find_rectangle(board: Board, grid: Grid, buffer: Ints, all_steps: int, missing: int) -> None:
    """Search for unique rectangles of all types and for hidden rectangles.

    The first corner is a cell with two candidates, in reading order. With `missing`, the other
    corners may lack these values as candidates, unless they see a cell in which the value is
    placed. Without `all_steps`, a single deduction is written: the first one of the lowest type.
    """
    size = board.value_count
    allowed = np.zeros((size + 1, 2), np.int64)
    allowed_places(board, grid, allowed)
    seen = np.empty(_MOST_RECTANGLES, np.int64)
    count = 0
    corners = np.empty(4, np.int64)
    for start in range(board.cell_count):
        pair = grid.cells[start]
        if popcount(pair) != 2:
            continue
        one, two = ctz(pair) + 1, ctz(pair & (pair - 1)) + 1
        low = allowed[one, 0] & allowed[two, 0]
        high = allowed[one, 1] & allowed[two, 1]
        box = board.lines[BOX, start]
        for number in range(size):
            side = board.house_cells[box, number]
            in_row = board.lines[ROW, side] == board.lines[ROW, start]
            in_column = board.lines[COLUMN, side] == board.lines[COLUMN, start]
            if side == start or not (in_row or in_column):
                continue
            if not _fits(grid, side, pair, low, high, missing):
                continue
            across = COLUMN if in_row else ROW
            for position in range(size):
                third = board.house_cells[board.lines[across, start], position]
                fourth = board.house_cells[board.lines[across, side], position]
                if board.lines[BOX, third] == box:
                    continue
                if not _fits(grid, third, pair, low, high, missing):
                    continue
                if not _fits(grid, fourth, pair, low, high, missing):
                    continue
                corners[0], corners[1] = start, side
                corners[2], corners[3] = third, fourth
                name = rectangle_name(corners)
                known = False
                for index in range(count):
                    known |= seen[index] == name
                if known:
                    continue
                if count < _MOST_RECTANGLES:
                    seen[count] = name
                    count += 1
                _check(board, grid, buffer, all_steps, corners, one, two)


@always_inline
def _fits(grid: Grid, cell: int, pair: int, low: int, high: int, missing: int) -> Any:
    """Return whether a cell can be a corner of a rectangle with the values `pair` (bits).

    With `missing`, it can if it is in the set of cells `low`, `high` (two words). Otherwise, it
    must have both values as candidates.
    """
    if missing:
        return has(low, high, cell)
    return grid.cells[cell] & pair == pair


@helper
def _check(
    board: Board, grid: Grid, buffer: Ints, all_steps: int, corners: Words, one: int, two: int
) -> None:
    """Write the deductions of all types that apply to a rectangle with the values `one` and `two`.

    Without `all_steps`, the buffer keeps a single deduction (see `keep_lowest`).
    """
    pair = 1 << (one - 1) | 1 << (two - 1)
    wide = np.empty(4, np.int64)  # corners with extra candidates, then the others
    wide_count = 0
    narrow_count = 0
    for order in range(4):
        # Corners are listed in ascending order, as in a set of cells.
        cell = _in_order(corners, order)
        if grid.cells[cell] & ~pair:
            wide[wide_count] = cell
            wide_count += 1
    for order in range(4):
        cell = _in_order(corners, order)
        if grid.cells[cell] & ~pair == 0:
            wide[wide_count + narrow_count] = cell
            narrow_count += 1
    rectangle = Rectangle(corners, one, two, wide, wide_count)

    if narrow_count == 3:
        before, found = buffer[END], buffer[DEDUCTIONS]
        open_rectangle(buffer, TYPE_1_CODE, rectangle)
        gone = grid.cells[wide[0]] & pair
        note_values(buffer, REMOVE, wide[0], gone)
        keep_lowest(buffer, all_steps, before, found, gone)
    if narrow_count in (1, 2):
        check_one_extra(board, grid, buffer, all_steps, rectangle)
    if narrow_count == 2:
        for kind in (ROW, COLUMN, BOX):
            if board.lines[kind, wide[0]] == board.lines[kind, wide[1]]:
                check_subset(board, grid, buffer, all_steps, rectangle, kind)
        in_row = board.lines[ROW, wide[0]] == board.lines[ROW, wide[1]]
        in_column = board.lines[COLUMN, wide[0]] == board.lines[COLUMN, wide[1]]
        if in_row or in_column:
            check_strong_side(board, grid, buffer, all_steps, rectangle)
        else:
            check_diagonal(board, grid, buffer, all_steps, rectangle)
    if narrow_count == 1:
        check_hidden(board, grid, buffer, all_steps, rectangle, wide[3])
    elif narrow_count == 2:
        in_row = board.lines[ROW, wide[2]] == board.lines[ROW, wide[3]]
        in_column = board.lines[COLUMN, wide[2]] == board.lines[COLUMN, wide[3]]
        if not in_row and not in_column:
            check_hidden(board, grid, buffer, all_steps, rectangle, wide[2])
            check_hidden(board, grid, buffer, all_steps, rectangle, wide[3])


@kernel
def _in_order(corners: Words, order: int) -> Any:
    """Return one of four corners: the one at index `order` (0 to 3) if they are sorted."""
    for number in range(4):
        lower = 0
        for other in range(4):
            lower += corners[other] < corners[number]
        if lower == order:
            return corners[number]
    return -1


_RECTANGLES = ("0600", "0601", "0602", "0603", "0604", "0605", "0606")
RECTANGLE = Search(_RECTANGLES, find_rectangle, (1,), plain_board)
FULL_RECTANGLE = Search(_RECTANGLES, find_rectangle, (0,), plain_board)
