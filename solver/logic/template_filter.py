"""Find the candidates that are in no template, the only ones that fish can ever remove.

A template is a way to place a value once in each row, column, and box. Templates are built row by
row. How a partial template can be continued depends only on the columns used so far, and on the
boxes used in the current band (row of boxes):

    state = columns as bits │ boxes of the band as bits, above them
"""

from typing import Any

import numpy as np

from solver.compiling.jit import compiled, kernel
from solver.logic.board import BOX, COLUMN, Board, Ints, Words
from solver.logic.grid import CHANGES, Grid

_MOST_SIZE = 9


@compiled
def find_eliminable(board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:  # noqa: ARG001
    """Write the candidates that are in no template of their value to `grid.eliminable`.

    A template is a way to place a value once in each row, column, and box. Only candidates outside
    all templates can be eliminated with fish. On boards with other rules than rows, columns, and
    boxes, and on boards larger than 9×9, all candidates are written, because nothing is known about
    them. Values that have lost no candidate since the last call are skipped. `buffer` and
    `all_steps` are unused.
    """
    size = board.value_count
    if not board.plain or size > _MOST_SIZE:
        for value in range(1, size + 1):
            grid.eliminable[value, 0] = grid.places[value, 0]
            grid.eliminable[value, 1] = grid.places[value, 1]
        return
    changed = 0
    for value in range(1, size + 1):
        changed |= grid.value_changes[value] > grid.eliminable_changes[value]
    if not changed:
        return
    first = board.house_cells[2 * size, 0]
    last = board.house_cells[2 * size, size - 1]
    wide = board.lines[COLUMN, last] - board.lines[COLUMN, first] + 1
    room = 1 << (size + size // wide)
    states = np.empty((size + 1, room), np.int32)
    counts = np.empty(size + 1, np.int32)
    # By state, the last value for which the state was reached (`seen`) or part of a complete
    # template (`alive`). One entry per state suffices for all rows, because its number of columns
    # is its row.
    seen = np.zeros(room, np.int32)
    alive = np.zeros(room, np.int32)
    for value in range(1, size + 1):
        if grid.value_changes[value] <= grid.eliminable_changes[value]:
            continue
        grid.eliminable_changes[value] = grid.counts[CHANGES]
        low, high = -1, -1
        if grid.places[value, 0] | grid.places[value, 1]:
            low, high = _used(board, grid, value, wide, states, counts, seen, alive)
        grid.eliminable[value, 0] = grid.places[value, 0] & ~low
        grid.eliminable[value, 1] = grid.places[value, 1] & ~high


@kernel
def _used(
    board: Board,
    grid: Grid,
    value: int,
    wide: int,
    states: Ints,
    counts: Words,
    seen: Words,
    alive: Ints,
) -> Any:
    """Return the cells that are part of some template of the value, as two words.

    A template is a way to place the value once in each row, column, and box. `wide` is the number
    of columns in a box. The other arrays are scratch space.
    """
    size = board.value_count
    columns = (1 << size) - 1
    states[0, 0] = 0
    counts[0] = 1
    for row in range(size):
        open_columns = _open_columns(board, grid, value, row)
        counts[row + 1] = 0
        for number in range(counts[row]):
            state = states[row, number]
            if _begins_band(board, row):
                state &= columns
            for column in range(size):
                box = 1 << (size + column // wide)
                if not open_columns >> column & 1 or state & (box | 1 << column):
                    continue
                then = state | box | 1 << column
                if seen[then] != value:
                    seen[then] = value
                    states[row + 1, counts[row + 1]] = then
                    counts[row + 1] += 1
    for number in range(counts[size]):
        alive[states[size, number]] = value
    low, high = 0, 0
    for row in range(size - 1, -1, -1):
        open_columns = _open_columns(board, grid, value, row)
        for number in range(counts[row]):
            state = full = states[row, number]
            if _begins_band(board, row):
                state &= columns
            for column in range(size):
                box = 1 << (size + column // wide)
                if not open_columns >> column & 1 or state & (box | 1 << column):
                    continue
                if alive[state | box | 1 << column] == value:
                    alive[full] = value
                    cell = row * size + column
                    if cell < 64:
                        low |= 1 << cell
                    else:
                        high |= 1 << (cell & 63)
    return low, high


@kernel
def _begins_band(board: Board, row: int) -> bool:
    """Return whether a band (a row of boxes) begins at this row. The first row doesn't count."""
    cell = row * board.value_count
    return row > 0 and board.lines[BOX, cell] != board.lines[BOX, cell - board.value_count]


@kernel
def _open_columns(board: Board, grid: Grid, value: int, row: int) -> Any:
    """Return the columns in which a row can have the value, as bits.

    If the value is placed in the row, this is only its column.
    """
    size = board.value_count
    found = 0
    for column in range(size):
        cell = row * size + column
        if grid.values[cell] == value:
            return 1 << column
        found |= (grid.cells[cell] >> (value - 1) & 1) << column
    return found
