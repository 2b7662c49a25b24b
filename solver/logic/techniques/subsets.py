"""Naked and hidden subsets of two to four cells, and locked subsets.

A naked pair or triple is locked if its cells share a box and another house, and it removes
candidates from both.
"""

import numpy as np

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import compiled, kernel
from solver.logic.board import BOX, COLUMN, OTHER, ROW, Board, Ints, Words
from solver.logic.deduction_buffer import DEDUCTIONS, END, begin, note, note_mask, note_values, undo
from solver.logic.deduction_rows import BASE, CELL, REMOVE, VALUE
from solver.logic.grid import Grid, is_house_unchanged
from solver.logic.sets import places_in
from solver.logic.technique import Search
from solver.logic.unions import Union, new_union, next_union

NAKED_CODE, HIDDEN_CODE, LOCKED_CODE = 198, 208, 108  # plus the size of the subset
_ANY, _LOCKED, _NOT_LOCKED = range(3)


@compiled
def find_naked_subset(
    board: Board, grid: Grid, buffer: Ints, all_steps: int, size: int, locked: int
) -> None:
    """Search for `size` cells of a house that have `size` candidates together.

    `locked` is _LOCKED (only locked subsets), _NOT_LOCKED (only others), or _ANY. Writes the first
    subset that removes candidates, or all of them if `all_steps` is set.
    """
    cells = np.empty(board.value_count, np.int64)
    candidates = np.empty(board.value_count, np.int64)
    union = new_union(size)
    for kind in (BOX, ROW, COLUMN, OTHER):
        if locked == _LOCKED and kind in (ROW, COLUMN):
            continue
        for house in range(board.house_count):
            if board.kinds[house] != kind or is_house_unchanged(grid, house):
                continue
            number = 0
            count = 0
            while board.house_cells[house, number] >= 0:
                cell = board.house_cells[house, number]
                if grid.cells[cell] and popcount(grid.cells[cell]) <= size:
                    cells[count], candidates[count] = cell, grid.cells[cell]
                    count += 1
                number += 1
            while next_union(candidates, count, size, union):
                if (
                    popcount(union.bits[size]) == size
                    and _write_naked(board, grid, buffer, cells, union, size, locked)
                    and not all_steps
                ):
                    return


@kernel
def _write_naked(
    board: Board, grid: Grid, buffer: Ints, cells: Words, union: Union, size: int, locked: int
) -> bool:
    """Write a naked subset to the buffer if it is suitable. Return whether it is.

    It must remove candidates and be of the type that `locked` selects (see `find_naked_subset`).
    All houses that contain its cells lose its values. A locked subset of two or three cells has a
    code of its own. The subset's cells are the `size` entries of `cells` that are selected in
    `union`.
    """
    chosen, values = union.chosen, union.bits[size]
    before = buffer[END]
    found = buffer[DEDUCTIONS]
    begin(buffer, NAKED_CODE + size)
    code_row = buffer[END] - 2
    closure = 0
    removed = 0
    number = 0
    boxed = False
    first = cells[chosen[1]]
    while board.cell_houses[first, number] >= 0:
        other = board.cell_houses[first, number]
        number += 1
        for position in range(2, size + 1):
            cell = cells[chosen[position]]
            if not board.house_sets[other, cell >> 6] >> (cell & 63) & 1:
                break
        else:
            note(buffer, BASE, other, 0)
            boxed = boxed or board.kinds[other] == BOX
            outside = False
            index = 0
            while board.house_cells[other, index] >= 0:
                cell = board.house_cells[other, index]
                index += 1
                gone = grid.cells[cell] & values
                for position in range(1, size + 1):
                    if cells[chosen[position]] == cell:
                        gone = 0
                if gone:
                    note_values(buffer, REMOVE, cell, gone)
                    removed += 1
                    # Eliminations inside the box count only for the box, not for the line.
                    if (
                        board.kinds[other] == BOX
                        or board.lines[BOX, cell] != board.lines[BOX, first]
                    ):
                        outside = True
            closure += outside
    is_locked = size < 4 and boxed and closure > 1
    if removed == 0 or (locked == _LOCKED) > is_locked or (locked == _NOT_LOCKED and is_locked):
        undo(buffer, before, found)
        return False
    if is_locked:
        buffer[code_row] = LOCKED_CODE + size
    for position in range(1, size + 1):
        note(buffer, CELL, cells[chosen[position]], 0)
    note_mask(buffer, VALUE, values)
    return True


@compiled
def find_hidden_subset(board: Board, grid: Grid, buffer: Ints, all_steps: int, size: int) -> None:
    """Search for `size` values of a house that have `size` places together.

    Writes the first subset that removes candidates, or all of them if `all_steps` is set.
    """
    values = np.empty(board.value_count, np.int64)
    places = np.empty(board.value_count, np.int64)
    union = new_union(size)
    for kind in (BOX, ROW, COLUMN, OTHER):
        for house in range(board.house_count):
            if (
                board.kinds[house] != kind
                or is_house_unchanged(grid, house)
                or not board.complete[house]
            ):
                continue
            cells = 0
            for number in range(board.value_count):
                if grid.cells[board.house_cells[house, number]]:
                    cells += 1
            if cells <= size:
                continue
            count = 0
            for value in range(1, board.value_count + 1):
                if 0 < grid.free[house, value] <= size:
                    values[count] = value
                    places[count] = places_in(board, grid, house, value)
                    count += 1
            while next_union(places, count, size, union):
                if (
                    popcount(union.bits[size]) == size
                    and _write_hidden(board, grid, buffer, house, values, union, size)
                    and not all_steps
                ):
                    return


@kernel
def _write_hidden(
    board: Board, grid: Grid, buffer: Ints, house: int, values: Words, union: Union, size: int
) -> bool:
    """Write a hidden subset to the buffer if it removes any candidates. Return whether it does.

    The subset's values are the `size` entries of `values` that are selected in `union`. The union
    of the selection contains their positions in the house.
    """
    chosen, places = union.chosen, union.bits[size]
    before = buffer[END]
    found = buffer[DEDUCTIONS]
    begin(buffer, HIDDEN_CODE + size)
    own = 0
    for position in range(1, size + 1):
        own |= 1 << (values[chosen[position]] - 1)
    removed = 0
    while places:
        cell = board.house_cells[house, ctz(places)]
        places &= places - 1
        note(buffer, CELL, cell, 0)
        removed |= grid.cells[cell] & ~own
        note_values(buffer, REMOVE, cell, grid.cells[cell] & ~own)
    if removed == 0:
        undo(buffer, before, found)
        return False
    note(buffer, BASE, house, 0)
    note_mask(buffer, VALUE, own)
    return True


LOCKED_PAIR = Search(("0110",), find_naked_subset, (2, _LOCKED))
LOCKED_TRIPLE = Search(("0111",), find_naked_subset, (3, _LOCKED))
NAKED_PAIR = Search(("0200",), find_naked_subset, (2, _NOT_LOCKED))
NAKED_TRIPLE = Search(("0201",), find_naked_subset, (3, _NOT_LOCKED))
NAKED_QUADRUPLE = Search(("0202",), find_naked_subset, (4, _NOT_LOCKED))
HIDDEN_PAIR = Search(("0210",), find_hidden_subset, (2,))
HIDDEN_TRIPLE = Search(("0211",), find_hidden_subset, (3,))
HIDDEN_QUADRUPLE = Search(("0212",), find_hidden_subset, (4,))
