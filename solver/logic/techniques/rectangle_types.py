"""Types 2, 4, 5, and 6 of unique rectangles, and hidden rectangles.

Extra candidates are candidates of the corners other than the rectangle's two values. Each function
passes its deduction to `keep_lowest`. So without `all_steps`, the buffer keeps only one deduction:
the new one replaces an earlier one if its type is lower.
"""

from typing import Any

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import kernel
from solver.logic.board import COLUMN, ROW, Board, Ints, Words
from solver.logic.deduction_buffer import DEDUCTIONS, END, note, note_cells
from solver.logic.deduction_rows import BASE, FIN, REMOVE
from solver.logic.grid import Grid
from solver.logic.rectangle import (
    HIDDEN_CODE,
    TYPE_2_CODE,
    TYPE_4_CODE,
    TYPE_5_CODE,
    TYPE_6_CODE,
    Rectangle,
    keep_lowest,
    open_rectangle,
)
from solver.logic.sets import high_bit, low_bit


@kernel
def check_one_extra(
    board: Board, grid: Grid, buffer: Ints, all_steps: int, rectangle: Rectangle
) -> None:
    """Write types 2 and 5: all extra candidates of the rectangle's corners have the same value.

    One of them must be true, so cells that see all of them lose the value. It is type 2 if two
    corners in a line have extra candidates, otherwise type 5.
    """
    pair = 1 << (rectangle.one - 1) | 1 << (rectangle.two - 1)
    wide, wide_count = rectangle.wide, rectangle.wide_count
    extra = 0
    low, high = -1, -1
    for number in range(wide_count):
        extra |= grid.cells[wide[number]] & ~pair
        low &= board.peer_sets[wide[number], 0]
        high &= board.peer_sets[wide[number], 1]
    if popcount(extra) != 1:
        return
    value = ctz(extra) + 1
    low &= grid.places[value, 0]
    high &= grid.places[value, 1]
    apart = board.lines[ROW, wide[0]] != board.lines[ROW, wide[1]]
    apart &= board.lines[COLUMN, wide[0]] != board.lines[COLUMN, wide[1]]
    before, found = buffer[END], buffer[DEDUCTIONS]
    open_rectangle(buffer, TYPE_5_CODE if wide_count == 3 or apart else TYPE_2_CODE, rectangle)
    for number in range(wide_count):
        note(buffer, FIN, wide[number], value)
    note_cells(buffer, REMOVE, low, high, value)
    keep_lowest(buffer, all_steps, before, found, low | high)


@kernel
def check_strong_side(
    board: Board, grid: Grid, buffer: Ints, all_steps: int, rectangle: Rectangle
) -> None:
    """Write type 4: a value of the rectangle is locked in the two corners with extra candidates.

    These corners share a line. The value is locked there if no cell that sees both corners has it
    as a candidate. One of the corners must have it, so both lose the other value.
    """
    one, two, wide = rectangle.one, rectangle.two, rectangle.wide
    low = board.peer_sets[wide[0], 0] & board.peer_sets[wide[1], 0]
    high = board.peer_sets[wide[0], 1] & board.peer_sets[wide[1], 1]
    gone = 0
    if (low & grid.places[one, 0]) | (high & grid.places[one, 1]) == 0:
        gone = two
    elif (low & grid.places[two, 0]) | (high & grid.places[two, 1]) == 0:
        gone = one
    if gone:
        before, found = buffer[END], buffer[DEDUCTIONS]
        open_rectangle(buffer, TYPE_4_CODE, rectangle)
        keep_lowest(buffer, all_steps, before, found, _remove_from(grid, buffer, wide, gone))


@kernel
def check_diagonal(
    board: Board, grid: Grid, buffer: Ints, all_steps: int, rectangle: Rectangle
) -> None:
    """Write type 6: one of the values has no other place in the rectangle's rows and columns.

    Two diagonally opposite corners have extra candidates. Both lose the value.
    """
    one, two, wide = rectangle.one, rectangle.two, rectangle.wide
    low, high = 0, 0
    for number in range(2):
        for kind in (ROW, COLUMN):
            low |= board.house_sets[board.lines[kind, wide[number]], 0]
            high |= board.house_sets[board.lines[kind, wide[number]], 1]
    for number in range(4):
        low &= ~low_bit(rectangle.corners[number])
        high &= ~high_bit(rectangle.corners[number])
    gone = 0
    if (low & grid.places[one, 0]) | (high & grid.places[one, 1]) == 0:
        gone = one
    elif (low & grid.places[two, 0]) | (high & grid.places[two, 1]) == 0:
        gone = two
    if gone:
        before, found = buffer[END], buffer[DEDUCTIONS]
        open_rectangle(buffer, TYPE_6_CODE, rectangle)
        keep_lowest(buffer, all_steps, before, found, _remove_from(grid, buffer, wide, gone))


@kernel
def _remove_from(grid: Grid, buffer: Ints, wide: Words, value: int) -> Any:
    """Write the elimination of a value from the first two corners in `wide`.

    Returns how many of them have it as a candidate.
    """
    removed = 0
    for number in range(2):
        if grid.cells[wide[number]] >> (value - 1) & 1:
            note(buffer, REMOVE, wide[number], value)
            removed += 1
    return removed


@kernel
def check_hidden(
    board: Board, grid: Grid, buffer: Ints, all_steps: int, rectangle: Rectangle, bare_corner: int
) -> None:
    """Write the hidden rectangles for a corner without extra candidates (`bare_corner`).

    If one of the two values has no place in the row and the column of the opposite corner except in
    the rectangle, the opposite corner loses the other value.
    """
    one, two, wide = rectangle.one, rectangle.two, rectangle.wide
    row = board.lines[ROW, wide[0]]
    if row == board.lines[ROW, bare_corner]:
        row = board.lines[ROW, wide[1]]
    column = board.lines[COLUMN, wide[0]]
    if column == board.lines[COLUMN, bare_corner]:
        column = board.lines[COLUMN, wide[1]]
    low = board.house_sets[row, 0] | board.house_sets[column, 0]
    high = board.house_sets[row, 1] | board.house_sets[column, 1]
    for number in range(4):
        low &= ~low_bit(rectangle.corners[number])
        high &= ~high_bit(rectangle.corners[number])
    cell = row * board.value_count + column - board.value_count
    for turn in range(2):
        value, other = (two, one) if turn else (one, two)
        if (low & grid.places[value, 0]) | (high & grid.places[value, 1]):
            continue
        if grid.cells[cell] >> (other - 1) & 1:
            before, found = buffer[END], buffer[DEDUCTIONS]
            open_rectangle(buffer, HIDDEN_CODE, rectangle)
            note(buffer, BASE, row, 0)
            note(buffer, BASE, column, 0)
            note(buffer, REMOVE, cell, other)
            keep_lowest(buffer, all_steps, before, found, 1)
