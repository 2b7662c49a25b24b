"""Unique rectangles: four cells in two boxes that must not end up with two values alone.

Where two values could be swapped, the puzzle had two solutions. Types 1 to 6 and the hidden
rectangle differ in what keeps the rectangle from being deadly.
"""

from typing import Any

import numpy as np

from solver.compiling.jit import bare, compiled, inlined, inner
from solver.compiling.words import lowest, ones
from solver.logic.board import BOX, COLUMN, ROW
from solver.logic.record import (
    BASE,
    CELL,
    FIN,
    REMOVE,
    ROWS,
    VALUE,
    begin,
    note,
    note_cells,
    note_values,
    undo,
)
from solver.logic.sets import allowed_places, first_of, has
from solver.logic.technique import Search, plain_board

TYPE_1_CODE = 600
TYPE_2_CODE, TYPE_3_CODE, TYPE_4_CODE, TYPE_5_CODE, TYPE_6_CODE, HIDDEN_CODE = range(601, 607)
_MOST_RECTANGLES = 400


@compiled
def find_rectangle(board: Any, grid: Any, buffer: Any, every: int, missing: int) -> None:
    """Look for rectangles, from cells with two candidates in reading order.

    `missing` lets corners lack one of the values, as long as no given is in the way.
    """
    size = board.value_count
    allowed = np.zeros((size + 1, 2), np.int64)
    allowed_places(board, grid, allowed)
    seen = np.empty(_MOST_RECTANGLES, np.int64)
    count = 0
    corners = np.empty(4, np.int64)
    for start in range(board.cell_count):
        pair = grid.cells[start]
        if ones(pair) != 2:
            continue
        one, two = lowest(pair) + 1, lowest(pair & (pair - 1)) + 1
        low = allowed[one, 0] & allowed[two, 0]
        high = allowed[one, 1] & allowed[two, 1]
        box = board.lines[BOX, start]
        for number in range(size):
            side = board.house_cells[box, number]
            in_row = board.lines[ROW, side] == board.lines[ROW, start]
            in_column = board.lines[COLUMN, side] == board.lines[COLUMN, start]
            if side == start or not (in_row or in_column):
                continue
            if not _fits(grid, side, pair, low, high, missing):
                continue
            across = COLUMN if in_row else ROW
            for place_of in range(size):
                third = board.house_cells[board.lines[across, start], place_of]
                fourth = board.house_cells[board.lines[across, side], place_of]
                if board.lines[BOX, third] == box:
                    continue
                if not _fits(grid, third, pair, low, high, missing):
                    continue
                if not _fits(grid, fourth, pair, low, high, missing):
                    continue
                corners[0], corners[1] = start, side
                corners[2], corners[3] = third, fourth
                name = rectangle_name(corners)
                known = False
                for index in range(count):
                    known |= seen[index] == name
                if known:
                    continue
                if count < _MOST_RECTANGLES:
                    seen[count] = name
                    count += 1
                _check(board, grid, buffer, every, corners, one, two)


@inlined
def _fits(grid: Any, cell: int, pair: int, low: int, high: int, missing: int) -> Any:
    """Return whether a cell may be a corner."""
    if missing:
        return has(low, high, cell)
    return grid.cells[cell] & pair == pair


@bare
def rectangle_name(corners: Any) -> Any:
    """Return a number for four cells in any order."""
    a, b = min(corners[0], corners[1]), max(corners[0], corners[1])
    c, d = min(corners[2], corners[3]), max(corners[2], corners[3])
    first, last = min(a, c), max(b, d)
    left, right = max(a, c), min(b, d)
    second, third = min(left, right), max(left, right)
    return ((first * 10 + second) * 10 + third) * 10 + last


@bare
def _open(buffer: Any, code: int, corners: Any, one: int, two: int) -> None:
    begin(buffer, code)
    note(buffer, VALUE, one, 0)
    note(buffer, VALUE, two, 0)
    for number in range(4):
        note(buffer, CELL, corners[number], 0)


@bare
def _keep(buffer: Any, every: int, before: int, found: int, removed: int) -> None:
    """Forget a deduction that removes nothing, or that is no better than the one before it.

    The types are looked for one after the other: the first of the lowest type is kept.
    """
    if removed == 0:
        undo(buffer, before, found)
    elif not every and found:
        if buffer[before + 1] < buffer[ROWS + 1]:
            length = buffer[0] - before
            for index in range(length):
                buffer[ROWS + index] = buffer[before + index]
            undo(buffer, ROWS + length, 1)
        else:
            undo(buffer, before, found)


@inner
def _check(
    board: Any, grid: Any, buffer: Any, every: int, corners: Any, one: int, two: int
) -> None:
    """Look for each type in one rectangle."""
    pair = 1 << (one - 1) | 1 << (two - 1)
    wide = np.empty(4, np.int64)  # corners with more candidates, then those without
    wide_count = 0
    narrow_count = 0
    for order in range(4):
        # Sets of cells are read in ascending order.
        cell = _in_order(corners, order)
        if grid.cells[cell] & ~pair:
            wide[wide_count] = cell
            wide_count += 1
    for order in range(4):
        cell = _in_order(corners, order)
        if grid.cells[cell] & ~pair == 0:
            wide[wide_count + narrow_count] = cell
            narrow_count += 1

    if narrow_count == 3:
        before, found = buffer[0], buffer[1]
        _open(buffer, TYPE_1_CODE, corners, one, two)
        gone = grid.cells[wide[0]] & pair
        note_values(buffer, REMOVE, wide[0], gone)
        _keep(buffer, every, before, found, gone)
    if narrow_count in (1, 2):
        _check_one_extra(board, grid, buffer, every, corners, one, two, wide, wide_count)
    if narrow_count == 2:
        extra = (grid.cells[wide[0]] | grid.cells[wide[1]]) & ~pair
        for kind in (ROW, COLUMN, BOX):
            if board.lines[kind, wide[0]] == board.lines[kind, wide[1]]:
                _check_subset(board, grid, buffer, every, corners, one, two, wide, kind, extra)
        in_row = board.lines[ROW, wide[0]] == board.lines[ROW, wide[1]]
        in_column = board.lines[COLUMN, wide[0]] == board.lines[COLUMN, wide[1]]
        if in_row or in_column:
            _check_strong_side(board, grid, buffer, every, corners, one, two, wide)
        else:
            _check_diagonal(board, grid, buffer, every, corners, one, two, wide)
    if narrow_count == 1:
        _check_hidden(board, grid, buffer, every, corners, one, two, wide, wide[3])
    elif narrow_count == 2:
        in_row = board.lines[ROW, wide[2]] == board.lines[ROW, wide[3]]
        in_column = board.lines[COLUMN, wide[2]] == board.lines[COLUMN, wide[3]]
        if not in_row and not in_column:
            _check_hidden(board, grid, buffer, every, corners, one, two, wide, wide[2])
            _check_hidden(board, grid, buffer, every, corners, one, two, wide, wide[3])


@bare
def _in_order(corners: Any, order: int) -> Any:
    """Return the corner that so many others are lower than."""
    for number in range(4):
        lower = 0
        for other in range(4):
            lower += corners[other] < corners[number]
        if lower == order:
            return corners[number]
    return -1


@bare
def _check_one_extra(
    board: Any,
    grid: Any,
    buffer: Any,
    every: int,
    corners: Any,
    one: int,
    two: int,
    wide: Any,
    wide_count: int,
) -> None:
    """Types 2 and 5: all corners with more candidates have the same one more."""
    pair = 1 << (one - 1) | 1 << (two - 1)
    extra = 0
    low, high = -1, -1
    for number in range(wide_count):
        extra |= grid.cells[wide[number]] & ~pair
        low &= board.peer_sets[wide[number], 0]
        high &= board.peer_sets[wide[number], 1]
    if ones(extra) != 1:
        return
    value = lowest(extra) + 1
    low &= grid.places[value, 0]
    high &= grid.places[value, 1]
    apart = board.lines[ROW, wide[0]] != board.lines[ROW, wide[1]]
    apart &= board.lines[COLUMN, wide[0]] != board.lines[COLUMN, wide[1]]
    before, found = buffer[0], buffer[1]
    _open(buffer, TYPE_5_CODE if wide_count == 3 or apart else TYPE_2_CODE, corners, one, two)
    for number in range(wide_count):
        note(buffer, FIN, wide[number], value)
    note_cells(buffer, REMOVE, low, high, value)
    _keep(buffer, every, before, found, low | high)


@inner
def _check_subset(
    board: Any,
    grid: Any,
    buffer: Any,
    every: int,
    corners: Any,
    one: int,
    two: int,
    wide: Any,
    kind: int,
    extra: int,
) -> None:
    """Type 3: what the corners have more is part of a naked subset in a house."""
    pair = 1 << (one - 1) | 1 << (two - 1)
    house = board.lines[kind, wide[0]]
    others = np.empty(board.value_count, np.int64)
    count = 0
    for number in range(board.value_count):
        cell = board.house_cells[house, number]
        corner = False
        for index in range(4):
            corner |= corners[index] == cell
        if not corner and grid.cells[cell] and grid.cells[cell] & pair == 0:
            others[count] = cell
            count += 1
    chosen = np.empty(board.value_count + 1, np.int64)
    union = np.empty(board.value_count + 1, np.int64)
    low = np.zeros(board.value_count + 1, np.int64)
    high = np.zeros(board.value_count + 1, np.int64)
    union[0] = extra
    for number in range(2):
        if wide[number] < 64:
            low[0] |= 1 << wide[number]
        else:
            high[0] |= 1 << (wide[number] & 63)
    level = 1
    chosen[1] = -1
    while level:
        chosen[level] += 1
        if chosen[level] >= count:
            level -= 1
            continue
        cell = others[chosen[level]]
        union[level] = union[level - 1] | grid.cells[cell]
        low[level], high[level] = low[level - 1], high[level - 1]
        if cell < 64:
            low[level] |= 1 << cell
        else:
            high[level] |= 1 << (cell & 63)
        # Subsets of one line in a box are found in the line.
        lined = kind == BOX and (
            _in_one(board, ROW, low[level], high[level])
            or _in_one(board, COLUMN, low[level], high[level])
        )
        if not lined and ones(union[level]) == level + 1:
            before, found = buffer[0], buffer[1]
            _open(buffer, TYPE_3_CODE, corners, one, two)
            note(buffer, BASE, house, 0)
            removed = _remove_seen(
                board, grid, buffer, house, union[level], low[level], high[level]
            )
            if removed:
                if kind != BOX and _in_one(board, BOX, low[level], high[level]):
                    box = board.lines[BOX, wide[0]]
                    _remove_seen(board, grid, buffer, box, union[level], low[level], high[level])
                rest_low, rest_high = low[level], high[level]
                while rest_low | rest_high:
                    member = first_of(rest_low, rest_high)
                    note_values(buffer, FIN, member, grid.cells[member] & union[level])
                    if rest_low:
                        rest_low &= rest_low - 1
                    else:
                        rest_high &= rest_high - 1
            _keep(buffer, every, before, found, removed)
        level += 1
        chosen[level] = chosen[level - 1]


@bare
def _in_one(board: Any, kind: int, low: int, high: int) -> Any:
    """Return whether all cells of a set are in one line of a kind."""
    house = board.lines[kind, first_of(low, high)]
    return (low & ~board.house_sets[house, 0]) | (high & ~board.house_sets[house, 1]) == 0


@bare
def _remove_seen(
    board: Any, grid: Any, buffer: Any, house: int, values: int, low: int, high: int
) -> Any:
    """Write that the rest of a house loses values; return 1 if it has any."""
    removed = 0
    for number in range(board.value_count):
        cell = board.house_cells[house, number]
        if grid.cells[cell] & values and not has(low, high, cell):
            note_values(buffer, REMOVE, cell, grid.cells[cell] & values)
            removed = 1
    return removed


@bare
def _check_strong_side(
    board: Any, grid: Any, buffer: Any, every: int, corners: Any, one: int, two: int, wide: Any
) -> None:
    """Type 4: one of the values has no other place that both corners see."""
    low = board.peer_sets[wide[0], 0] & board.peer_sets[wide[1], 0]
    high = board.peer_sets[wide[0], 1] & board.peer_sets[wide[1], 1]
    gone = 0
    if (low & grid.places[one, 0]) | (high & grid.places[one, 1]) == 0:
        gone = two
    elif (low & grid.places[two, 0]) | (high & grid.places[two, 1]) == 0:
        gone = one
    if gone:
        before, found = buffer[0], buffer[1]
        _open(buffer, TYPE_4_CODE, corners, one, two)
        _keep(buffer, every, before, found, _remove_from(grid, buffer, wide, gone))


@bare
def _check_diagonal(
    board: Any, grid: Any, buffer: Any, every: int, corners: Any, one: int, two: int, wide: Any
) -> None:
    """Type 6: one of the values has no other place in the rows and columns of the rectangle."""
    low, high = 0, 0
    for number in range(2):
        for kind in (ROW, COLUMN):
            low |= board.house_sets[board.lines[kind, wide[number]], 0]
            high |= board.house_sets[board.lines[kind, wide[number]], 1]
    for number in range(4):
        if corners[number] < 64:
            low &= ~(1 << corners[number])
        else:
            high &= ~(1 << (corners[number] & 63))
    gone = 0
    if (low & grid.places[one, 0]) | (high & grid.places[one, 1]) == 0:
        gone = one
    elif (low & grid.places[two, 0]) | (high & grid.places[two, 1]) == 0:
        gone = two
    if gone:
        before, found = buffer[0], buffer[1]
        _open(buffer, TYPE_6_CODE, corners, one, two)
        _keep(buffer, every, before, found, _remove_from(grid, buffer, wide, gone))


@bare
def _remove_from(grid: Any, buffer: Any, wide: Any, value: int) -> Any:
    """Write that two corners lose a value; return how many have it."""
    removed = 0
    for number in range(2):
        if grid.cells[wide[number]] >> (value - 1) & 1:
            note(buffer, REMOVE, wide[number], value)
            removed += 1
    return removed


@bare
def _check_hidden(
    board: Any,
    grid: Any,
    buffer: Any,
    every: int,
    corners: Any,
    one: int,
    two: int,
    wide: Any,
    narrow: int,
) -> None:
    """Hidden: the lines that cross opposite a corner have no other place for one of the values."""
    row = board.lines[ROW, wide[0]]
    if row == board.lines[ROW, narrow]:
        row = board.lines[ROW, wide[1]]
    column = board.lines[COLUMN, wide[0]]
    if column == board.lines[COLUMN, narrow]:
        column = board.lines[COLUMN, wide[1]]
    low = board.house_sets[row, 0] | board.house_sets[column, 0]
    high = board.house_sets[row, 1] | board.house_sets[column, 1]
    for number in range(4):
        if corners[number] < 64:
            low &= ~(1 << corners[number])
        else:
            high &= ~(1 << (corners[number] & 63))
    cell = row * board.value_count + column - board.value_count
    for turn in range(2):
        value, other = (two, one) if turn else (one, two)
        if (low & grid.places[value, 0]) | (high & grid.places[value, 1]):
            continue
        if grid.cells[cell] >> (other - 1) & 1:
            before, found = buffer[0], buffer[1]
            _open(buffer, HIDDEN_CODE, corners, one, two)
            note(buffer, BASE, row, 0)
            note(buffer, BASE, column, 0)
            note(buffer, REMOVE, cell, other)
            _keep(buffer, every, before, found, 1)


_RECTANGLES = ("0600", "0601", "0602", "0603", "0604", "0605", "0606")
RECTANGLE = Search(_RECTANGLES, find_rectangle, (1,), plain_board)
FULL_RECTANGLE = Search(_RECTANGLES, find_rectangle, (0,), plain_board)
