"""Bivalue Universal Grave + 1: every open cell except one has exactly two candidates."""

from solver.compiling.bitops import popcount
from solver.compiling.jit import compiled
from solver.logic.board import BOX, Board, Ints
from solver.logic.deduction_buffer import begin, note, note_values
from solver.logic.deduction_rows import CELL, REMOVE, VALUE
from solver.logic.grid import Grid
from solver.logic.technique import Search, plain_board

CODE = 610


@compiled
def find_bug(board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:  # noqa: ARG001
    """Search for a BUG+1: only one cell has three candidates, and all other open cells have two.

    One of the three candidates must have three places in each house of the cell. It is the cell's
    value, so the other two are removed. There is at most one such deduction, so `all_steps` is
    unused.
    """
    wide = -1
    for cell in range(board.cell_count):
        candidates = popcount(grid.cells[cell])
        if candidates == 1 or candidates > 3 or (candidates == 3 and wide >= 0):
            return
        if candidates == 3:
            wide = cell
    if wide < 0:
        return
    value = 0
    for house in range(board.house_count):
        for other in range(1, board.value_count + 1):
            places = grid.free[house, other]
            if places == 1 or places > 3 or (places == 3 and value not in (0, other)):
                return
            if places == 3:
                if board.lines[board.kinds[house], wide] != house:
                    return
                value = other
    if value == 0 or not grid.cells[wide] >> (value - 1) & 1:
        return
    for kind in range(BOX + 1):
        if grid.free[board.lines[kind, wide], value] != 3:
            return
    begin(buffer, CODE)
    note(buffer, CELL, wide, 0)
    note(buffer, VALUE, value, 0)
    note_values(buffer, REMOVE, wide, grid.cells[wide] & ~(1 << (value - 1)))


BUG = Search(("0610",), find_bug, (), plain_board)
