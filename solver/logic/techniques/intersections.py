"""Locked candidates: a value whose places in one house are all in the intersection with another.

Type 1 (pointing) starts from a box or another house that isn't a line, type 2 (claiming) from a row
or a column.
"""

from typing import Any

from solver.compiling.bitops import ctz
from solver.compiling.jit import always_inline, compiled, kernel
from solver.logic.board import BOX, COLUMN, ROW, Board, Ints
from solver.logic.deduction_buffer import begin, note
from solver.logic.deduction_rows import BASE, CELL, COVER, REMOVE, VALUE
from solver.logic.grid import Grid, is_house_unchanged, is_value_unchanged
from solver.logic.technique import Search

POINTING_CODE, CLAIMING_CODE = 100, 101


@compiled
def find_locked_candidates(
    board: Board, grid: Grid, buffer: Ints, all_steps: int, code: int
) -> None:
    """Search for a value whose places in one house are all in another house as well.

    The first house must contain every value. With POINTING_CODE, it is a box or another house that
    is not a line. With CLAIMING_CODE, it is a row or a column. The value is removed from the rest
    of the other house. Writes the first deduction, or all of them if `all_steps` is set.
    """
    for house in range(board.house_count):
        across = board.kinds[house] in (ROW, COLUMN)
        if not board.complete[house] or across != (code == CLAIMING_CODE):
            continue
        if is_house_unchanged(grid, house):
            continue
        for value in range(1, board.value_count + 1):
            if is_value_unchanged(grid, value) or grid.free[house, value] < 2:
                continue
            other = _shared_house(board, grid, house, value)
            if other >= 0:
                _write(board, grid, buffer, code, house, other, value)
                if not all_steps:
                    return


@always_inline
def _shared_house(board: Board, grid: Grid, house: int, value: int) -> Any:
    """Return the first other house that contains all places of a value in `house`, or −1.

    The other house must have more places for the value, and the two may not be a row and a column.
    `house` must have a place for the value.
    """
    first = 0
    while not grid.cells[board.house_cells[house, first]] >> (value - 1) & 1:
        first += 1
    number = 0
    cell = board.house_cells[house, first]
    while board.cell_houses[cell, number] >= 0:
        other = board.cell_houses[cell, number]
        number += 1
        # A row and a column share only one cell.
        both_across = board.kinds[house] != BOX and board.kinds[other] in (ROW, COLUMN)
        if other == house or (both_across and board.kinds[house] in (ROW, COLUMN)):
            continue
        if grid.free[other, value] <= grid.free[house, value]:
            continue
        inside = True
        for word in range(board.house_sets.shape[1]):
            places = grid.places[value, word]
            if board.house_sets[house, word] & places & ~board.house_sets[other, word]:
                inside = False
        if inside:
            return other
    return -1


@kernel
def _write(
    board: Board, grid: Grid, buffer: Ints, code: int, house: int, other: int, value: int
) -> None:
    """Write locked candidates: a value that is locked in `house` leaves the rest of `other`.

    `code` is the code of the technique.
    """
    begin(buffer, code)
    note(buffer, VALUE, value, 0)
    note(buffer, BASE, house, 0)
    note(buffer, COVER, other, 0)
    for word in range(board.house_sets.shape[1]):
        rest = board.house_sets[other, word] & grid.places[value, word]
        while rest:
            cell = 64 * word + ctz(rest)
            rest &= rest - 1
            inside = board.house_sets[house, word] >> (cell & 63) & 1
            note(buffer, CELL if inside else REMOVE, cell, 0 if inside else value)


POINTING = Search(("0100",), find_locked_candidates, (POINTING_CODE,))
CLAIMING = Search(("0101",), find_locked_candidates, (CLAIMING_CODE,))
