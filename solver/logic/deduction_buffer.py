"""The buffer that compiled techniques write deductions to, as rows (see `solver.logic.rows`).

buffer[0]: index for the next row   buffer[1]: number of deductions   buffer[2]: 1 if it overflowed
buffer[ROWS:]: tag, a, b,  tag, a, b, …
"""

from typing import Any

import numpy as np

from solver.compiling.bitops import ctz
from solver.compiling.jit import always_inline, kernel
from solver.logic.board import Ints
from solver.logic.rows import (
    BASE,
    CELL,
    CHAIN,
    COLOUR,
    CONTRADICTION,
    COVER,
    ENDO_FIN,
    FIN,
    FIRST,
    MORE,
    PLACE,
    REMOVE,
    RESTRICTED,
    SET,
    SET_CELL,
    SET_VALUE,
    STRONG,
    TECHNIQUE,
    TERM,
    TOTAL,
    VALUE,
    WEAK,
)

__all__ = [
    "BASE",
    "CELL",
    "CHAIN",
    "COLOUR",
    "CONTRADICTION",
    "COVER",
    "ENDO_FIN",
    "FIN",
    "FIRST",
    "MORE",
    "PLACE",
    "REMOVE",
    "RESTRICTED",
    "ROWS",
    "SET",
    "SET_CELL",
    "SET_VALUE",
    "STRONG",
    "TECHNIQUE",
    "TERM",
    "TOTAL",
    "VALUE",
    "WEAK",
    "begin",
    "mark",
    "new_buffer",
    "note",
    "note_cells",
    "note_mask",
    "note_set",
    "note_values",
    "reset",
    "undo",
    "write_choice",
    "write_choices",
    "written",
]

ROWS = 3  # index of the first row


def new_buffer(rows: int = 4096) -> Ints:
    """Return an empty buffer with room for `rows` rows."""
    buffer = np.zeros(ROWS + 3 * rows, np.int32)
    buffer[0] = ROWS
    return buffer


def written(buffer: Ints) -> Ints:
    """Return the rows in the buffer."""
    return buffer[ROWS : buffer[0]]


@kernel
def reset(buffer: Any) -> None:
    """Clear the buffer."""
    buffer[0] = ROWS
    buffer[1] = 0
    buffer[2] = 0


@kernel
def begin(buffer: Any, code: int) -> None:
    """Begin a deduction by the technique with the given code."""
    buffer[1] += 1
    note(buffer, TECHNIQUE, code, 0)


@kernel
def note(buffer: Any, tag: int, a: int, b: int) -> None:
    """Append a row, or set the overflow flag if the buffer is full."""
    end = buffer[0]
    if end + 3 > len(buffer):
        buffer[2] = 1
        return
    buffer[end] = tag
    buffer[end + 1] = a
    buffer[end + 2] = b
    buffer[0] = end + 3


@kernel
def note_cells(buffer: Any, tag: int, low: int, high: int, value: int) -> None:
    """Append a row for each cell of a two-word set, in ascending order."""
    while low:
        note(buffer, tag, ctz(low), value)
        low &= low - 1
    while high:
        note(buffer, tag, 64 + ctz(high), value)
        high &= high - 1


@kernel
def note_set(buffer: Any, tag: int, cells: Any, value: int) -> None:
    """Append a row for each cell of a set of any number of words, in ascending order."""
    for word in range(len(cells)):
        rest = cells[word]
        while rest:
            note(buffer, tag, 64 * word + ctz(rest), value)
            rest &= rest - 1


@kernel
def note_values(buffer: Any, tag: int, cell: int, values: int) -> None:
    """Append a row for each of the values (bits) in a cell, in ascending order."""
    while values:
        note(buffer, tag, cell, ctz(values) + 1)
        values &= values - 1


@kernel
def note_mask(buffer: Any, tag: int, values: int) -> None:
    """Append a row for each of the values (bits), in ascending order."""
    while values:
        note(buffer, tag, ctz(values) + 1, 0)
        values &= values - 1


@always_inline
def mark(buffer: Any) -> Any:
    """Return the current end of the buffer, for `undo`."""
    return buffer[0]


@kernel
def undo(buffer: Any, end: int, deductions: int) -> None:
    """Discard everything that was written after a mark."""
    buffer[0] = end
    buffer[1] = deductions


@kernel
def write_choice(buffer: Any, choice: Any, option: int) -> None:
    """Write one option of a choice to the buffer (see `solver.logic.hodoku_order`)."""
    row = choice.options[option]
    begin(buffer, row[0])
    for index in range(row[5], row[5] + row[1]):
        note(buffer, REMOVE, choice.gone[index] & 1023, choice.gone[index] >> 10)
    for index in range(row[6], row[7], 3):
        note(buffer, choice.notes[index], choice.notes[index + 1], choice.notes[index + 2])


@kernel
def write_choices(buffer: Any, choice: Any, option: int, every: int) -> None:
    """Write the given option of a choice (−1 for none), or all options if `every` is set."""
    if every:
        for number in range(choice.ends[0]):
            write_choice(buffer, choice, number)
        if choice.ends[3]:
            buffer[2] = 1
    elif option >= 0:
        write_choice(buffer, choice, option)
