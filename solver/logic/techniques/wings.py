"""XY-Wing and XYZ-Wing: a hinge with two or three candidates, and two pincers that it sees."""

import numpy as np

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import compiled
from solver.logic.board import Board, Ints
from solver.logic.deduction_buffer import begin, note, note_mask, note_set
from solver.logic.deduction_rows import CELL, FIN, REMOVE, VALUE
from solver.logic.grid import Grid
from solver.logic.sets import common_places, narrow_to_peers, no_cells
from solver.logic.technique import Search

CODE = 798  # plus the number of candidates of the hinge


@compiled
def find_wing(board: Board, grid: Grid, buffer: Ints, all_steps: int, hinge_size: int) -> None:
    """Search for XY-Wings (`hinge_size` 2) or XYZ-Wings (3), by their cells in reading order.

    The three cells have three candidates together. The hinge sees the two pincers, which have two
    candidates each. The candidate that the pincers have in common is removed from cells that see
    both (for XYZ-Wings, also the hinge). Writes the first deduction, or all of them if `all_steps`
    is set.
    """
    pairs = np.empty(board.cell_count, np.int64)
    hinges = np.empty(board.cell_count, np.int64)
    gone = no_cells(board)
    count = 0
    hinge_count = 0
    for cell in range(board.cell_count):
        candidates = popcount(grid.cells[cell])
        if candidates == 2:
            pairs[count] = cell
            count += 1
        if candidates == hinge_size:
            hinges[hinge_count] = cell
            hinge_count += 1
    wide = hinge_size == 3
    for one in range(hinge_count):
        for two in range(0 if wide else one + 1, count):
            union = grid.cells[hinges[one]] | grid.cells[pairs[two]]
            if popcount(union) != 3:
                continue
            for three in range(two + 1, count):
                a = grid.cells[hinges[one]]
                b, c = grid.cells[pairs[two]], grid.cells[pairs[three]]
                if union | c != union or a == b or b == c or c == a:
                    continue
                for turn in range(1 if wide else 3):
                    hinge, left, right = hinges[one], pairs[two], pairs[three]
                    if turn == 1:
                        hinge, left = left, hinge
                    elif turn == 2:
                        hinge, right = right, hinge
                    if not board.sees[hinge, left] or not board.sees[hinge, right]:
                        continue
                    common = grid.cells[left] & grid.cells[right]
                    if popcount(common) != 1:
                        continue
                    value = ctz(common) + 1
                    if not common_places(board, grid, value, left, right, gone):
                        continue
                    if wide and not narrow_to_peers(board, hinge, gone):
                        continue
                    begin(buffer, CODE + hinge_size)
                    note_mask(buffer, VALUE, union)
                    note(buffer, CELL, hinge, 0)
                    note(buffer, CELL, left, 0)
                    note(buffer, CELL, right, 0)
                    if wide:
                        note(buffer, FIN, hinge, value)
                    note(buffer, FIN, left, value)
                    note(buffer, FIN, right, value)
                    note_set(buffer, REMOVE, gone, value)
                    if not all_steps:
                        return


XY_WING = Search(("0800",), find_wing, (2,))
XYZ_WING = Search(("0801",), find_wing, (3,))
