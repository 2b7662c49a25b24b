"""The buffer that compiled techniques write deductions to, as rows (see `deduction_rows`).

buffer[END]         index for the next row
buffer[DEDUCTIONS]  number of deductions
buffer[OVERFLOW]    1 if the buffer was too small
buffer[ROWS:]       tag, a, b,  tag, a, b, …
"""

import numpy as np

from solver.compiling.bitops import ctz
from solver.compiling.jit import kernel
from solver.logic.board import Ints, Words
from solver.logic.deduction_rows import TECHNIQUE

END, DEDUCTIONS, OVERFLOW = range(3)
ROWS = 3  # index of the first row
FIRST_CODE = ROWS + 1  # index of the first deduction's technique code


def new_buffer(rows: int = 4096) -> Ints:
    """Return an empty buffer with room for `rows` rows."""
    buffer = np.zeros(ROWS + 3 * rows, np.int32)
    buffer[END] = ROWS
    return buffer


def written(buffer: Ints) -> Ints:
    """Return the rows in the buffer, as a flat array of three numbers per row."""
    return buffer[ROWS : buffer[END]]


@kernel
def reset(buffer: Ints) -> None:
    """Clear the buffer."""
    buffer[END] = ROWS
    buffer[DEDUCTIONS] = 0
    buffer[OVERFLOW] = 0


@kernel
def begin(buffer: Ints, code: int) -> None:
    """Begin a deduction: append its first row, with the code of its technique.

    The number of deductions in the buffer grows by one.
    """
    buffer[DEDUCTIONS] += 1
    note(buffer, TECHNIQUE, code, 0)


@kernel
def note(buffer: Ints, tag: int, a: int, b: int) -> None:
    """Append the row (tag, a, b) to the current deduction.

    If the buffer is full, sets the overflow flag instead.
    """
    end = buffer[END]
    if end + 3 > len(buffer):
        buffer[OVERFLOW] = 1
        return
    buffer[end] = tag
    buffer[end + 1] = a
    buffer[end + 2] = b
    buffer[END] = end + 3


@kernel
def note_cells(buffer: Ints, tag: int, low: int, high: int, value: int) -> None:
    """Append a row (tag, cell, value) for each cell of a two-word set, in ascending order."""
    while low:
        note(buffer, tag, ctz(low), value)
        low &= low - 1
    while high:
        note(buffer, tag, 64 + ctz(high), value)
        high &= high - 1


@kernel
def note_set(buffer: Ints, tag: int, cells: Words, value: int) -> None:
    """Append a row (tag, cell, value) for each cell of a set of any size, in ascending order.

    The set is an array of 64-bit words.
    """
    for word in range(len(cells)):
        rest = cells[word]
        while rest:
            note(buffer, tag, 64 * word + ctz(rest), value)
            rest &= rest - 1


@kernel
def note_values(buffer: Ints, tag: int, cell: int, values: int) -> None:
    """Append a row (tag, cell, value) for each of the `values` (bits), in ascending order."""
    while values:
        note(buffer, tag, cell, ctz(values) + 1)
        values &= values - 1


@kernel
def note_mask(buffer: Ints, tag: int, values: int) -> None:
    """Append a row (tag, value, 0) for each of the `values` (bits), in ascending order."""
    while values:
        note(buffer, tag, ctz(values) + 1, 0)
        values &= values - 1


@kernel
def undo(buffer: Ints, end: int, deductions: int) -> None:
    """Discard all rows after an earlier state of the buffer.

    `end` and `deductions` are the buffer's END and DEDUCTIONS in that state. The overflow flag
    isn't changed.
    """
    buffer[END] = end
    buffer[DEDUCTIONS] = deductions
