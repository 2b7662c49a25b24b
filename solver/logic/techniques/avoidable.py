"""Avoidable rectangles: unique rectangles whose values are partly placed, but not given."""

from typing import Any

import numpy as np

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import compiled, kernel
from solver.logic.board import BOX, COLUMN, ROW, Board, Ints
from solver.logic.deduction_buffer import DEDUCTIONS, END, FIRST_CODE, note, note_cells
from solver.logic.deduction_rows import ENDO_FIN, REMOVE
from solver.logic.grid import Grid
from solver.logic.rectangle import Rectangle, keep_lowest, open_rectangle
from solver.logic.technique import Search, plain_board

TYPE_1_CODE, TYPE_2_CODE = 607, 608


@compiled
def find_avoidable_rectangle(board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:
    """Search for avoidable rectangles of type 1 and type 2.

    Two cells of a box have placed values that aren't givens. Two opposite cells in another box must
    not get the same two values, crosswise, because they could then be swapped. In type 1, one of
    the opposite cells has such a value already. The other one, which has two candidates, loses the
    second value. In type 2, both opposite cells have one extra candidate with the same value, and
    cells that see both lose it. Without `all_steps`, the buffer gets the first rectangle of type 1,
    or the first one of type 2 if there is none of type 1.
    """
    size = board.value_count
    corners = np.empty(4, np.int64)
    for start in range(board.cell_count):
        one = grid.values[start]
        if one == 0 or grid.given[start]:
            continue
        box = board.lines[BOX, start]
        for number in range(size):
            side = board.house_cells[box, number]
            two = grid.values[side]
            in_row = board.lines[ROW, side] == board.lines[ROW, start]
            in_column = board.lines[COLUMN, side] == board.lines[COLUMN, start]
            if side == start or two == 0 or grid.given[side] or not (in_row or in_column):
                continue
            across = COLUMN if in_row else ROW
            for position in range(size):
                third = board.house_cells[board.lines[across, start], position]
                fourth = board.house_cells[board.lines[across, side], position]
                if board.lines[BOX, third] == box:
                    continue
                third_open = _could_be(grid, third, two)
                fourth_open = _could_be(grid, fourth, one)
                third_filled = grid.values[third] == two and not grid.given[third]
                fourth_filled = grid.values[fourth] == one and not grid.given[fourth]
                before, found = buffer[END], buffer[DEDUCTIONS]
                corners[0], corners[1], corners[2], corners[3] = start, side, third, fourth
                rectangle = Rectangle(corners, one, two, corners, 4)
                if third_filled and fourth_open:
                    open_rectangle(buffer, TYPE_1_CODE, rectangle)
                    note(buffer, REMOVE, fourth, one)
                elif third_open and fourth_filled:
                    open_rectangle(buffer, TYPE_1_CODE, rectangle)
                    note(buffer, REMOVE, third, two)
                elif third_open and fourth_open:
                    extra = grid.cells[third] & ~(1 << (two - 1))
                    if grid.cells[fourth] & extra == 0:
                        continue
                    value = ctz(extra) + 1
                    low = board.peer_sets[third, 0] & board.peer_sets[fourth, 0]
                    low &= grid.places[value, 0]
                    high = board.peer_sets[third, 1] & board.peer_sets[fourth, 1]
                    high &= grid.places[value, 1]
                    if (low | high) == 0:
                        continue
                    open_rectangle(buffer, TYPE_2_CODE, rectangle)
                    note(buffer, ENDO_FIN, third, value)
                    note(buffer, ENDO_FIN, fourth, value)
                    note_cells(buffer, REMOVE, low, high, value)
                else:
                    continue
                keep_lowest(buffer, all_steps, before, found, 1)
                if not all_steps and buffer[FIRST_CODE] == TYPE_1_CODE:
                    return


@kernel
def _could_be(grid: Grid, cell: int, value: int) -> Any:
    """Return whether a cell has exactly two candidates, one of which is the value."""
    return popcount(grid.cells[cell]) == 2 and grid.cells[cell] >> (value - 1) & 1 == 1


AVOIDABLE_RECTANGLE = Search(("0607", "0608"), find_avoidable_rectangle, (), plain_board)
