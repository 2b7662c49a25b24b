"""Basic fish: the places of a value in n rows are all in n columns, or the other way round."""

from typing import Any

import numpy as np

from solver.compiling.bitops import ctz
from solver.compiling.jit import compiled, kernel
from solver.logic.board import COLUMN, ROW, Board, Ints, Words
from solver.logic.deduction_buffer import DEDUCTIONS, END, begin, note, undo
from solver.logic.deduction_rows import BASE, CELL, COVER, REMOVE, VALUE
from solver.logic.grid import Grid, is_value_unchanged
from solver.logic.technique import Search
from solver.logic.unions import Union, new_union, next_union

CODE = 298  # plus the size


@compiled
def find_basic_fish(board: Board, grid: Grid, buffer: Ints, all_steps: int, size: int) -> None:
    """Search for basic fish with `size` base lines, and write their eliminations.

    The places of a value in the base lines are all in `size` crossing lines, which lose their other
    places. The search goes value by value, with rows as base lines first. Writes the first fish, or
    all if `all_steps` is set.
    """
    lines = np.empty(64, np.int64)
    crossing = np.empty(64, np.int64)  # by line: the crossing lines of its candidates, as bits
    union = new_union(size)
    for value in range(1, board.value_count + 1):
        if is_value_unchanged(grid, value):
            continue
        for kind in (ROW, COLUMN):
            count = 0
            for house in range(board.house_count):
                is_line = board.kinds[house] == kind and board.complete[house]
                if is_line and 2 <= grid.free[house, value] <= size:
                    lines[count] = house
                    crossing[count] = _crossing(board, grid, house, value, kind)
                    count += 1
            while next_union(crossing, count, size, union):
                if _write(board, grid, buffer, value, kind, lines, union, size) and not all_steps:
                    return


@kernel
def _crossing(board: Board, grid: Grid, house: int, value: int, kind: int) -> Any:
    """Return the lines that cross a house in a cell with the value as a candidate, as bits.

    `kind` is the kind of the house, ROW or COLUMN. Bit 0 stands for the first crossing line.
    """
    across = COLUMN if kind == ROW else ROW
    lines = 0
    for number in range(board.value_count):
        cell = board.house_cells[house, number]
        if grid.cells[cell] >> (value - 1) & 1:
            lines |= 1 << (board.lines[across, cell] - board.lines[across, 0])
    return lines


@kernel
def _write(
    board: Board,
    grid: Grid,
    buffer: Ints,
    value: int,
    kind: int,
    lines: Words,
    union: Union,
    size: int,
) -> bool:
    """Write a fish to the buffer if it removes any candidates. Return whether it does.

    kind   the kind of the base lines, ROW or COLUMN
    lines  a list of houses. The base lines are lines[n] for n in `union.chosen[1:size + 1]`.
    union  a selection of base lines. The last entry of `union.bits` contains the crossing
           lines, bit 0 for the first one.
    """
    before, found = buffer[END], buffer[DEDUCTIONS]
    begin(buffer, CODE + size)
    note(buffer, VALUE, value, 0)
    for position in range(1, size + 1):
        note(buffer, BASE, lines[union.chosen[position]], 0)
    removed = 0
    covers = union.bits[size]
    while covers:
        cover = board.lines[COLUMN if kind == ROW else ROW, 0] + ctz(covers)
        covers &= covers - 1
        note(buffer, COVER, cover, 0)
        number = 0
        while board.house_cells[cover, number] >= 0:
            cell = board.house_cells[cover, number]
            number += 1
            if not grid.cells[cell] >> (value - 1) & 1:
                continue
            based = False
            for position in range(1, size + 1):
                based |= board.lines[kind, cell] == lines[union.chosen[position]]
            note(buffer, CELL if based else REMOVE, cell, 0 if based else value)
            removed += not based
    if removed == 0:
        undo(buffer, before, found)
    return removed > 0


X_WING = Search(("0300",), find_basic_fish, (2,))
SWORDFISH = Search(("0301",), find_basic_fish, (3,))
JELLYFISH = Search(("0302",), find_basic_fish, (4,))
