"""Common parts of all uniqueness tests: four cells in two boxes whose values could be swapped."""

from typing import Any, NamedTuple

from solver.compiling.jit import kernel
from solver.logic.board import Ints, Words
from solver.logic.deduction_buffer import END, FIRST_CODE, ROWS, begin, note, undo
from solver.logic.deduction_rows import CELL, VALUE

TYPE_1_CODE = 600
TYPE_2_CODE, TYPE_3_CODE, TYPE_4_CODE, TYPE_5_CODE, TYPE_6_CODE, HIDDEN_CODE = range(601, 607)


class Rectangle(NamedTuple):
    """A possible unique rectangle: four corner cells and two values, `one` and `two`.

    `corners` are two cells in the same box, then the two opposite ones. `wide` lists the corners in
    another order: first the `wide_count` corners that have candidates other than the two values, in
    ascending order, then the others.
    """

    corners: Words
    one: int
    two: int
    wide: Words
    wide_count: int


@kernel
def rectangle_name(corners: Words) -> Any:
    """Return a key for four cells that doesn't depend on their order. It needn't be unique."""
    a, b = min(corners[0], corners[1]), max(corners[0], corners[1])
    c, d = min(corners[2], corners[3]), max(corners[2], corners[3])
    first, last = min(a, c), max(b, d)
    left, right = max(a, c), min(b, d)
    second, third = min(left, right), max(left, right)
    return ((first * 10 + second) * 10 + third) * 10 + last


@kernel
def open_rectangle(buffer: Ints, code: int, rectangle: Rectangle) -> None:
    """Begin a deduction in the buffer with the technique `code`, and describe the rectangle.

    The description consists of its two values and its four corners.
    """
    begin(buffer, code)
    note(buffer, VALUE, rectangle.one, 0)
    note(buffer, VALUE, rectangle.two, 0)
    for number in range(4):
        note(buffer, CELL, rectangle.corners[number], 0)


@kernel
def keep_lowest(buffer: Ints, all_steps: int, before: int, found: int, removed: int) -> None:
    """Drop the latest deduction in the buffer, or let it replace the earlier one.

    before   the buffer's END before the latest deduction was written
    found    the buffer's DEDUCTIONS before the latest deduction was written
    removed  0 if the latest deduction removes nothing

    A deduction that removes nothing is dropped. If `all_steps` is 0, the buffer keeps a single
    deduction, the first one of the lowest type (technique code). The latest one then replaces an
    earlier one of a higher type, and is dropped if the earlier one's type is equal or lower. In all
    other cases, it is kept.
    """
    if removed == 0:
        undo(buffer, before, found)
    elif not all_steps and found:
        if buffer[before + 1] < buffer[FIRST_CODE]:
            length = buffer[END] - before
            for index in range(length):
                buffer[ROWS + index] = buffer[before + index]
            undo(buffer, ROWS + length, 1)
        else:
            undo(buffer, before, found)
