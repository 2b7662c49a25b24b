"""Skyscraper: two rows with two places of a value each, two of them in one column."""

import numpy as np

from solver.compiling.bitops import ctz
from solver.compiling.jit import compiled, kernel
from solver.logic.board import COLUMN, ROW, Board, Ints, Words
from solver.logic.deduction_buffer import begin, note, note_set
from solver.logic.deduction_rows import BASE, CELL, REMOVE, VALUE
from solver.logic.grid import Grid, is_value_unchanged
from solver.logic.sets import common_places, no_cells, places_in
from solver.logic.technique import Search

CODE = 400


@kernel
def strong_pairs(board: Board, grid: Grid, value: int, kind: int, pairs: Words, start: int) -> int:
    """Write a row to `pairs` for each house of a kind that has exactly two places for the value.

    Houses that needn't contain every value are skipped. A row is (cell, cell, house). The first one
    is written at index `start`. Returns the index after the last one.
    """
    end = start
    for house in range(board.house_count):
        if board.kinds[house] == kind and board.complete[house] and grid.free[house, value] == 2:
            places = places_in(board, grid, house, value)
            pairs[end, 0] = board.house_cells[house, ctz(places)]
            pairs[end, 1] = board.house_cells[house, ctz(places & (places - 1))]
            pairs[end, 2] = house
            end += 1
    return end


@compiled
def find_skyscraper(board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:
    """Search for skyscrapers, first between rows, then between columns.

    Two rows have two places of a value each, and one place of each is in the same column. Cells
    that see the two other places lose the value. Writes the first deduction, or all of them if
    `all_steps` is set.
    """
    pairs = np.empty((board.house_count, 3), np.int64)
    gone = no_cells(board)
    for kind in (ROW, COLUMN):
        across = COLUMN if kind == ROW else ROW
        for value in range(1, board.value_count + 1):
            if is_value_unchanged(grid, value):
                continue
            count = strong_pairs(board, grid, value, kind, pairs, 0)
            for one in range(count):
                for other in range(one + 1, count):
                    side = -1
                    for number in range(2):
                        cells = pairs[one, number], pairs[other, number]
                        same = board.lines[across, cells[0]] == board.lines[across, cells[1]]
                        if same and side < 0:
                            side = number
                    if side < 0:
                        continue
                    first, second = pairs[one, 1 - side], pairs[other, 1 - side]
                    if board.lines[across, first] == board.lines[across, second]:
                        continue
                    if common_places(board, grid, value, first, second, gone):
                        begin(buffer, CODE)
                        note(buffer, VALUE, value, 0)
                        note(buffer, CELL, first, 0)
                        note(buffer, CELL, second, 0)
                        note(buffer, CELL, pairs[one, side], 0)
                        note(buffer, CELL, pairs[other, side], 0)
                        note(buffer, BASE, pairs[one, 2], 0)
                        note(buffer, BASE, pairs[other, 2], 0)
                        note_set(buffer, REMOVE, gone, value)
                        if not all_steps:
                            return


SKYSCRAPER = Search(("0400",), find_skyscraper)
