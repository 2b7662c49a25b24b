"""2-String Kite: a row and a column with two places of a value each, two of them in one box."""

from typing import Any

import numpy as np

from solver.compiling.jit import always_inline, compiled
from solver.logic.board import BOX, COLUMN, ROW, Board, Ints, Words
from solver.logic.deduction_buffer import begin, note
from solver.logic.deduction_rows import BASE, CELL, FIN, REMOVE, VALUE
from solver.logic.grid import Grid, is_value_unchanged
from solver.logic.technique import Search, boxed_board
from solver.logic.techniques.skyscraper import strong_pairs

CODE = 401


@compiled
def find_kite(board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:
    """Search for 2-String Kites, value by value and row by row.

    A row and a column have two places of the value each, and one place of each is in the same box.
    The cell that sees the two other places loses the value. Writes the first deduction, or all of
    them if `all_steps` is set.
    """
    size = board.value_count
    pairs = np.empty((board.house_count, 3), np.int64)
    for value in range(1, size + 1):
        if is_value_unchanged(grid, value):
            continue
        rows = strong_pairs(board, grid, value, ROW, pairs, 0)
        end = strong_pairs(board, grid, value, COLUMN, pairs, rows)
        for row in range(rows):
            for column in range(rows, end):
                if not _join(board, pairs[row], pairs[column]):
                    continue
                cell = board.lines[ROW, pairs[column, 1]] * size
                cell += board.lines[COLUMN, pairs[row, 1]] - size
                if not grid.cells[cell] >> (value - 1) & 1:
                    continue
                begin(buffer, CODE)
                note(buffer, VALUE, value, 0)
                for place in (pairs[row, 1], pairs[column, 1], pairs[row, 0], pairs[column, 0]):
                    note(buffer, CELL, place, 0)
                note(buffer, BASE, pairs[row, 2], 0)
                note(buffer, BASE, pairs[column, 2], 0)
                note(buffer, FIN, pairs[row, 0], value)
                note(buffer, FIN, pairs[column, 0], value)
                note(buffer, REMOVE, cell, value)
                if not all_steps:
                    return


@always_inline
def _join(board: Board, row: Words, column: Any) -> bool:
    """Swap the two places in `row` and in `column`, so that those in the same box come first.

    Both are entries (place, place, house) from `strong_pairs`. Returns False if no place in the row
    shares a box with one in the column, or if the four places are not distinct.
    """
    for number in range(4):
        one, other = row[number >> 1], column[number & 1]
        if board.lines[BOX, one] == board.lines[BOX, other]:
            if number >> 1:
                row[0], row[1] = row[1], row[0]
            if number & 1:
                column[0], column[1] = column[1], column[0]
            return not (
                row[0] == column[0]
                or row[0] == column[1]
                or row[1] == column[0]
                or row[1] == column[1]
            )
    return False


KITE = Search(("0401",), find_kite, (), boxed_board)
