"""2-String Kite.

A row and a column with two places of a value each, two of them in the same box.
"""

from typing import Any

import numpy as np

from solver.compiling.jit import bare, compiled, inlined
from solver.logic.board import BOX, COLUMN, ROW
from solver.logic.grid import same_places
from solver.logic.record import BASE, CELL, FIN, REMOVE, VALUE, begin, note
from solver.logic.technique import Search, boxed_board
from solver.logic.techniques.skyscraper import strong_pairs

CODE, DUAL_CODE = 401, 404
_MOST_KITES = 512


@compiled
def find_kite(board: Any, grid: Any, buffer: Any, every: int, dual: int) -> None:
    """Search for kites or, with `dual`, for two kites with the same places in the box.

    The two kites may have different values. Each then removes its own value.
    """
    size = board.value_count
    pairs = np.empty((board.house_count, 3), np.int64)
    kites = np.empty((_MOST_KITES, 6), np.int64)
    count = 0
    for value in range(1, size + 1):
        if same_places(grid, value):
            continue
        rows = strong_pairs(board, grid, value, ROW, pairs, 0)
        end = strong_pairs(board, grid, value, COLUMN, pairs, rows)
        for row in range(rows):
            for column in range(rows, end):
                if not _join(board, pairs[row], pairs[column]) or count == _MOST_KITES:
                    continue
                cell = board.lines[ROW, pairs[column, 1]] * size
                cell += board.lines[COLUMN, pairs[row, 1]] - size
                if not grid.cells[cell] >> (value - 1) & 1:
                    continue
                kite = kites[count]
                kite[0], kite[1] = pairs[row, 1], pairs[column, 1]
                kite[2], kite[3] = pairs[row, 0], pairs[column, 0]
                kite[4], kite[5] = cell, value
                count += 1
                if dual:
                    continue
                begin(buffer, CODE)
                note(buffer, VALUE, value, 0)
                _write(board, buffer, kite)
                if not every:
                    return
    for one in range(count if dual else 0):
        for other in range(one + 1, count):
            a, b = kites[one], kites[other]
            same = min(a[2], a[3]) == min(b[2], b[3]) and max(a[2], a[3]) == max(b[2], b[3])
            if same and (a[4] != b[4] or a[5] != b[5]):
                begin(buffer, DUAL_CODE)
                note(buffer, VALUE, a[5], 0)
                _write(board, buffer, a)
                _write(board, buffer, b)
                if not every:
                    return


@inlined
def _join(board: Any, row: Any, column: Any) -> bool:
    """Swap the places so that those in the same box come first.

    Returns False if no two places share a box or if the four places are not distinct.
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


@bare
def _write(board: Any, buffer: Any, kite: Any) -> None:
    for number in range(4):
        note(buffer, CELL, kite[number], 0)
    note(buffer, BASE, board.lines[ROW, kite[0]], 0)
    note(buffer, BASE, board.lines[COLUMN, kite[1]], 0)
    note(buffer, FIN, kite[2], kite[5])
    note(buffer, FIN, kite[3], kite[5])
    note(buffer, REMOVE, kite[4], kite[5])


KITE = Search(("0401",), find_kite, (0,), boxed_board)
DUAL_KITE = Search(("0404",), find_kite, (1,), boxed_board)
