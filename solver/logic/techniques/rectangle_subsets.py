"""Type 3 of unique rectangles: the extra candidates of two corners are part of a naked subset."""

from typing import Any

import numpy as np

from solver.compiling.bitops import popcount
from solver.compiling.jit import helper, kernel
from solver.logic.board import BOX, COLUMN, ROW, Board, Ints
from solver.logic.deduction_buffer import DEDUCTIONS, END, note, note_values
from solver.logic.deduction_rows import BASE, FIN, REMOVE
from solver.logic.grid import Grid
from solver.logic.rectangle import TYPE_3_CODE, Rectangle, keep_lowest, open_rectangle
from solver.logic.sets import first_of, has, high_bit, low_bit


@helper
def check_subset(
    board: Board, grid: Grid, buffer: Ints, all_steps: int, rectangle: Rectangle, kind: int
) -> None:
    """Write type 3 of a unique rectangle: extra candidates form a naked subset with other cells.

    Two corners have extra candidates (other than the rectangle's two values). They and the other
    cells share a house of this `kind`. The other cells have neither of the rectangle's values. The
    subset's values are removed from the rest of the house. If the house is a line and the subset's
    cells also share a box, the values are removed from the rest of the box, too. In a box, subsets
    that also share a line are skipped. Without `all_steps`, the buffer keeps a single deduction
    (see `keep_lowest`).
    """
    pair = 1 << (rectangle.one - 1) | 1 << (rectangle.two - 1)
    wide = rectangle.wide
    extra = (grid.cells[wide[0]] | grid.cells[wide[1]]) & ~pair
    house = board.lines[kind, wide[0]]
    others = np.empty(board.value_count, np.int64)
    count = 0
    for number in range(board.value_count):
        cell = board.house_cells[house, number]
        corner = False
        for index in range(4):
            corner |= rectangle.corners[index] == cell
        if not corner and grid.cells[cell] and grid.cells[cell] & pair == 0:
            others[count] = cell
            count += 1
    chosen = np.empty(board.value_count + 1, np.int64)
    union = np.empty(board.value_count + 1, np.int64)
    low = np.zeros(board.value_count + 1, np.int64)
    high = np.zeros(board.value_count + 1, np.int64)
    union[0] = extra
    for number in range(2):
        low[0] |= low_bit(wide[number])
        high[0] |= high_bit(wide[number])
    level = 1
    chosen[1] = -1
    while level:
        chosen[level] += 1
        if chosen[level] >= count:
            level -= 1
            continue
        cell = others[chosen[level]]
        union[level] = union[level - 1] | grid.cells[cell]
        low[level] = low[level - 1] | low_bit(cell)
        high[level] = high[level - 1] | high_bit(cell)
        # A subset that lies in one line of a box is found when the line is searched.
        lined = kind == BOX and (
            _in_one(board, ROW, low[level], high[level])
            or _in_one(board, COLUMN, low[level], high[level])
        )
        if not lined and popcount(union[level]) == level + 1:
            before, found = buffer[END], buffer[DEDUCTIONS]
            open_rectangle(buffer, TYPE_3_CODE, rectangle)
            note(buffer, BASE, house, 0)
            removed = _remove_seen(
                board, grid, buffer, house, union[level], low[level], high[level]
            )
            if removed:
                if kind != BOX and _in_one(board, BOX, low[level], high[level]):
                    box = board.lines[BOX, wide[0]]
                    _remove_seen(board, grid, buffer, box, union[level], low[level], high[level])
                rest_low, rest_high = low[level], high[level]
                while rest_low | rest_high:
                    member = first_of(rest_low, rest_high)
                    note_values(buffer, FIN, member, grid.cells[member] & union[level])
                    if rest_low:
                        rest_low &= rest_low - 1
                    else:
                        rest_high &= rest_high - 1
            keep_lowest(buffer, all_steps, before, found, removed)
        level += 1
        chosen[level] = chosen[level - 1]


@kernel
def _in_one(board: Board, kind: int, low: int, high: int) -> Any:
    """Return whether all cells of a set (two words) are in the same house of a kind (ROW, …)."""
    house = board.lines[kind, first_of(low, high)]
    return (low & ~board.house_sets[house, 0]) | (high & ~board.house_sets[house, 1]) == 0


@kernel
def _remove_seen(
    board: Board, grid: Grid, buffer: Ints, house: int, values: int, low: int, high: int
) -> Any:
    """Write the elimination of the values (bits) from a house, except from the cells of a set.

    The set is two words, `low` and `high`. Returns 1 if there are any eliminations, else 0.
    """
    removed = 0
    for number in range(board.value_count):
        cell = board.house_cells[house, number]
        if grid.cells[cell] & values and not has(low, high, cell):
            note_values(buffer, REMOVE, cell, grid.cells[cell] & values)
            removed = 1
    return removed
