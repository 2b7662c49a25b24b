"""W-Wing: two cells with the same two candidates, connected by a strong link on one of them."""

from typing import Any

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import compiled, kernel
from solver.logic.board import Board, Ints
from solver.logic.deduction_buffer import begin, note, note_set
from solver.logic.deduction_rows import BASE, CELL, FIN, REMOVE, VALUE
from solver.logic.grid import Grid
from solver.logic.sets import common_places, no_cells
from solver.logic.technique import Search

CODE = 803


@compiled
def find_w_wing(board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:
    """Search for W-Wings, by their two bivalue cells in reading order.

    The cells have the same two candidates. A strong link on one of these connects them: each cell
    sees a different end of the link. Cells that see both cells lose the other candidate. Writes the
    first deduction, or all of them if `all_steps` is set.
    """
    cells = board.cell_count
    gone = no_cells(board)
    for one in range(cells):
        pair = grid.cells[one]
        if popcount(pair) != 2:
            continue
        for other in range(one + 1, cells):
            if grid.cells[other] != pair:
                continue
            lower = ctz(pair) + 1
            upper = ctz(pair & (pair - 1)) + 1
            for turn in range(2):
                value, linked = (upper, lower) if turn else (lower, upper)
                if not common_places(board, grid, value, one, other, gone):
                    continue
                for house in range(board.house_count):
                    if not board.complete[house] or grid.free[house, linked] != 2:
                        continue
                    ends = _ends(board, grid, house, linked, one, other)
                    if ends < 0:
                        continue
                    begin(buffer, CODE)
                    note(buffer, VALUE, value, 0)
                    note(buffer, VALUE, linked, 0)
                    note(buffer, CELL, one, 0)
                    note(buffer, CELL, other, 0)
                    note(buffer, BASE, house, 0)
                    note(buffer, FIN, one, linked)
                    note(buffer, FIN, ends >> 16, linked)
                    note(buffer, FIN, ends & 0xFFFF, linked)
                    note(buffer, FIN, other, linked)
                    note_set(buffer, REMOVE, gone, value)
                    if not all_steps:
                        return


@kernel
def _ends(board: Board, grid: Grid, house: int, value: int, one: int, other: int) -> Any:
    """Return the ends of a W-Wing's strong link as 65536 × first + second, or −1.

    The caller must check that `value` has exactly two places in `house`. The first end must see the
    cell `one`, and the second end must see the cell `other`. Both must be different from these
    cells. A place that sees both cells counts only as the first end, so −1 is returned if both
    places see `one`.
    """
    first = -1
    second = -1
    number = 0
    while board.house_cells[house, number] >= 0:
        cell = board.house_cells[house, number]
        number += 1
        if cell in (one, other) or not grid.cells[cell] >> (value - 1) & 1:
            continue
        if board.sees[cell, one]:
            first = cell
        elif board.sees[cell, other]:
            second = cell
    return (first << 16) + second if first >= 0 and second >= 0 else -1


W_WING = Search(("0803",), find_w_wing)
