"""2-String Kite: a row and a column with two places of a value each, two of them in one box."""

from typing import Any

import numpy as np

from solver.compiling.jit import bare, compiled, inlined
from solver.logic.board import BOX, COLUMN, ROW
from solver.logic.record import BASE, CELL, FIN, REMOVE, VALUE, begin, note
from solver.logic.techniques.skyscraper import strong_pairs
from solver.logic.technique import Search, boxed_board

CODE, DUAL_CODE = 401, 404


@compiled
def find_kite(board: Any, grid: Any, buffer: Any, every: int, dual: int) -> None:
    """Look for a kite; or, if `dual`, for two kites with the same places in the box."""
    size = board.size
    pairs = np.empty((len(board.kinds), 3), np.int64)
    kites = np.empty((size * size, 5), np.int64)
    for value in range(1, size + 1):
        rows = strong_pairs(board, grid, value, ROW, pairs, 0)
        end = strong_pairs(board, grid, value, COLUMN, pairs, rows)
        count = 0
        for row in range(rows):
            for column in range(rows, end):
                if not _join(board, pairs[row], pairs[column]):
                    continue
                cell = board.lines[ROW, pairs[column, 1]] * size
                cell += board.lines[COLUMN, pairs[row, 1]] - size
                if not grid.cells[cell] >> (value - 1) & 1:
                    continue
                kites[count, 0] = pairs[row, 1]
                kites[count, 1] = pairs[column, 1]
                kites[count, 2] = pairs[row, 0]
                kites[count, 3] = pairs[column, 0]
                kites[count, 4] = cell
                count += 1
                if dual:
                    continue
                begin(buffer, CODE)
                _write(board, buffer, value, kites[count - 1])
                if not every:
                    return
        for one in range(count if dual else 0):
            for other in range(one + 1, count):
                same = min(kites[one, 2], kites[one, 3]) == min(kites[other, 2], kites[other, 3])
                same &= max(kites[one, 2], kites[one, 3]) == max(kites[other, 2], kites[other, 3])
                if same and kites[one, 4] != kites[other, 4]:
                    begin(buffer, DUAL_CODE)
                    _write(board, buffer, value, kites[one])
                    _write(board, buffer, value, kites[other])
                    if not every:
                        return


@inlined
def _join(board: Any, row: Any, column: Any) -> bool:
    """Put the places that share a box first; return whether there are four places so."""
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


@bare
def _write(board: Any, buffer: Any, value: int, kite: Any) -> None:
    note(buffer, VALUE, value, 0)
    for number in range(4):
        note(buffer, CELL, kite[number], 0)
    note(buffer, BASE, board.lines[ROW, kite[0]], 0)
    note(buffer, BASE, board.lines[COLUMN, kite[1]], 0)
    note(buffer, FIN, kite[2], value)
    note(buffer, FIN, kite[3], value)
    note(buffer, REMOVE, kite[4], value)


KITE = Search(("0401",), find_kite, (0,), boxed_board)
DUAL_KITE = Search(("0404",), find_kite, (1,), boxed_board)
