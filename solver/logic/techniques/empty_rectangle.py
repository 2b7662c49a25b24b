"""Empty rectangle: a value's places in a box form an L or a cross that a strong link completes."""

from typing import Any

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import always_inline, compiled, kernel
from solver.logic.board import BOX, COLUMN, ROW, Board, Ints
from solver.logic.deduction_buffer import begin, note
from solver.logic.deduction_rows import BASE, CELL, FIN, REMOVE, VALUE
from solver.logic.grid import Grid, is_value_unchanged
from solver.logic.sets import places_in
from solver.logic.technique import Search, boxed_board

CODE = 402


@compiled
def find_empty_rectangle(
    board: Board, grid: Grid, buffer: Ints, all_steps: int, least: int
) -> None:
    """Search for empty rectangles, value by value and box by box.

    The places of the value in a box form an L or a cross, whose arms are a row and a column. The
    line of one arm leads to a strong link outside the box. The line through the link's far end
    crosses the line of the other arm in a cell that loses the value.

    `least` is the minimum number of places in the longer arm, usually 2. With 1, two places alone
    count as well, which are just a turbot fish. Writes the first deduction, or all of them if
    `all_steps` is set.
    """
    size = board.value_count
    for value in range(1, size + 1):
        if is_value_unchanged(grid, value):
            continue
        for box in range(2 * size, 3 * size):
            places = places_in(board, grid, box, value)
            first, last = board.house_cells[box, 0], board.house_cells[box, size - 1]
            wide = board.lines[COLUMN, last] - board.lines[COLUMN, first] + 1
            number_of_places = popcount(places)
            if not 2 <= number_of_places <= size // wide + wide - 1:
                continue
            # Try all crossings of the arms, from the last cell of the box backwards.
            for corner in range(size - 1, -1, -1):
                in_row = places & ((1 << wide) - 1) << (corner - corner % wide)
                in_column = places & _every_nth_bit(wide, size) << corner % wide
                if in_row | in_column != places or in_row == places or in_column == places:
                    continue  # neither L nor cross, or all places in one line
                if max(popcount(in_row), popcount(in_column)) < least:
                    continue
                row = board.lines[ROW, board.house_cells[box, corner]]
                column = board.lines[COLUMN, board.house_cells[box, corner]]
                for kind in (ROW, COLUMN):
                    line = row if kind == ROW else column
                    other = column if kind == ROW else row
                    for number in range(size):
                        near = board.house_cells[line, number]
                        if board.lines[BOX, near] == box:
                            continue
                        if not grid.cells[near] >> (value - 1) & 1:
                            continue
                        cell = _target(board, grid, value, kind, box, near, other)
                        if cell < 0:
                            continue
                        far = _far(board, grid, value, kind, near)
                        begin(buffer, CODE)
                        _write(board, buffer, value, box, places, near, far, cell)
                        if not all_steps:
                            return


@kernel
def _far(board: Board, grid: Grid, value: int, kind: int, near: int) -> Any:
    """Return the cell at the other end of a value's strong link from the cell `near`, or −1.

    The link must lie in the cell's column if `kind` is ROW, else in its row. It exists if that line
    has exactly two places for the value.
    """
    link = board.lines[COLUMN if kind == ROW else ROW, near]
    if grid.free[link, value] != 2:
        return -1
    places = places_in(board, grid, link, value)
    far = board.house_cells[link, ctz(places)]
    return far if far != near else board.house_cells[link, ctz(places & (places - 1))]


@always_inline
def _every_nth_bit(step: int, size: int) -> Any:
    """Return a number in which bits 0, `step`, 2 × `step`, … below `size` are set."""
    bits = 0
    for position in range(0, size, step):
        bits |= 1 << position
    return bits


@kernel
def _target(
    board: Board, grid: Grid, value: int, kind: int, box: int, near: int, other: int
) -> Any:
    """Return the cell that an empty rectangle removes the value from, or −1 if there is none.

    `near` is in the line of one arm, which has the kind `kind`, outside the box. `other` is the
    line of the other arm. The cell is where line `other` crosses the line through the far end of
    the strong link from `near` (see `_far`). It must have the candidate and be outside the box.
    """
    far = _far(board, grid, value, kind, near)
    if far < 0:
        return -1
    row = board.lines[ROW, far] if kind == ROW else other
    column = other if kind == ROW else board.lines[COLUMN, far]
    cell = row * board.value_count + column - board.value_count
    if board.lines[BOX, cell] == box or not grid.cells[cell] >> (value - 1) & 1:
        return -1
    return cell


@kernel
def _write(
    board: Board, buffer: Ints, value: int, box: int, places: int, near: int, far: int, cell: int
) -> None:
    """Write the rows of an empty rectangle, except for its first one, to the buffer.

    `places` are the value's places in the house `box`, as bits. `near` and `far` are the ends of
    the strong link, and `cell` is the cell that loses the value.
    """
    note(buffer, VALUE, value, 0)
    note(buffer, BASE, box, 0)
    note(buffer, CELL, near, 0)
    note(buffer, CELL, far, 0)
    while places:
        note(buffer, FIN, board.house_cells[box, ctz(places)], value)
        places &= places - 1
    note(buffer, REMOVE, cell, value)


EMPTY_RECTANGLE = Search(("0402",), find_empty_rectangle, (2,), boxed_board)
SMALL_EMPTY_RECTANGLE = Search(("0402",), find_empty_rectangle, (1,), boxed_board)
