"""Empty rectangle: a value whose places in a box form an L or a cross, and a strong link to it."""

from typing import Any

import numpy as np

from solver.compiling.jit import bare, compiled
from solver.compiling.words import lowest
from solver.logic.board import BOX, COLUMN, ROW
from solver.logic.record import BASE, CELL, FIN, REMOVE, VALUE, begin, note, note_cells
from solver.logic.sets import size_of
from solver.logic.technique import Search, boxed_board

CODE, DUAL_CODE = 402, 405


@compiled
def find_empty_rectangle(
    board: Any, grid: Any, buffer: Any, every: int, least: int, dual: int
) -> None:
    """Look for an empty rectangle, value by value, box by box.

    `least` is how many places the longer arm needs: 2 usually; 1 counts two places alone, which
    are no more than a turbot fish. If `dual`, look for two of the same box instead.
    """
    size = board.value_count
    written = np.empty((4 * size, 3), np.int64)  # link near, link far, removed from
    for value in range(1, size + 1):
        for box in range(2 * size, 3 * size):
            low = board.house_sets[box, 0] & grid.places[value, 0]
            high = board.house_sets[box, 1] & grid.places[value, 1]
            count = 0
            first_row = board.lines[ROW, board.house_cells[box, 0]]
            first_column = board.lines[COLUMN, board.house_cells[box, 0]]
            high_rows = board.lines[ROW, board.house_cells[box, size - 1]] - first_row + 1
            wide_columns = board.lines[COLUMN, board.house_cells[box, size - 1]] - first_column + 1
            places = size_of(low, high)
            if not 2 <= places <= high_rows + wide_columns - 1:
                continue
            # Arms from the last row and column backwards: the corner cell is the last one first.
            for corner in range(size - 1, -1, -1):
                row = first_row + corner // wide_columns
                column = first_column + corner % wide_columns
                row_low = low & board.house_sets[row, 0]
                row_high = high & board.house_sets[row, 1]
                column_low = low & board.house_sets[column, 0]
                column_high = high & board.house_sets[column, 1]
                if (row_low | column_low) != low or (row_high | column_high) != high:
                    continue
                in_row, in_column = size_of(row_low, row_high), size_of(column_low, column_high)
                if in_row == places or in_column == places:
                    continue  # all in one line
                if max(in_row, in_column) < least:
                    continue
                for kind in (ROW, COLUMN):
                    line = row if kind == ROW else column
                    other = column if kind == ROW else row
                    for number in range(size):
                        near = board.house_cells[line, number]
                        if board.lines[BOX, near] == box:
                            continue
                        if not grid.cells[near] >> (value - 1) & 1:
                            continue
                        cell = _target(board, grid, value, kind, box, near, other)
                        if cell < 0:
                            continue
                        far = _far(board, grid, value, kind, near)
                        if dual:
                            written[count, 0] = near
                            written[count, 1] = far
                            written[count, 2] = cell
                            count += 1
                            continue
                        begin(buffer, CODE)
                        _write(buffer, value, box, low, high, near, far, cell)
                        if not every:
                            return
            for one in range(count if dual else 0):
                for another in range(one + 1, count):
                    if written[one, 2] != written[another, 2]:
                        begin(buffer, DUAL_CODE)
                        for number in (one, another):
                            near, far = written[number, 0], written[number, 1]
                            cell = written[number, 2]
                            _write(buffer, value, box, low, high, near, far, cell)
                        if not every:
                            return


@bare
def _far(board: Any, grid: Any, value: int, kind: int, near: int) -> Any:
    """Return the only other place of a value in the line across, or −1."""
    link = board.lines[COLUMN if kind == ROW else ROW, near]
    if grid.free[link, value] != 2:
        return -1
    low = board.house_sets[link, 0] & grid.places[value, 0]
    high = board.house_sets[link, 1] & grid.places[value, 1]
    if near < 64:
        low &= ~(1 << near)
    else:
        high &= ~(1 << (near & 63))
    return lowest(low) if low else 64 + lowest(high)


@bare
def _target(board: Any, grid: Any, value: int, kind: int, box: int, near: int, other: int) -> Any:
    """Return the cell that sees the far end of the link and the other arm, if it can go; or −1."""
    far = _far(board, grid, value, kind, near)
    if far < 0:
        return -1
    row = board.lines[ROW, far] if kind == ROW else other
    column = other if kind == ROW else board.lines[COLUMN, far]
    cell = row * board.value_count + column - board.value_count
    if board.lines[BOX, cell] == box or not grid.cells[cell] >> (value - 1) & 1:
        return -1
    return cell


@bare
def _write(
    buffer: Any, value: int, box: int, low: int, high: int, near: int, far: int, cell: int
) -> None:
    note(buffer, VALUE, value, 0)
    note(buffer, BASE, box, 0)
    note(buffer, CELL, near, 0)
    note(buffer, CELL, far, 0)
    note_cells(buffer, FIN, low, high, value)
    note(buffer, REMOVE, cell, value)


EMPTY_RECTANGLE = Search(("0402",), find_empty_rectangle, (2, 0), boxed_board)
SMALL_EMPTY_RECTANGLE = Search(("0402",), find_empty_rectangle, (1, 0), boxed_board)
DUAL_EMPTY_RECTANGLE = Search(("0405",), find_empty_rectangle, (1, 1), boxed_board)
