"""Simple and multi colouring: places of a value joined by strong links, in two colours."""

from typing import Any

import numpy as np

from solver.compiling.jit import bare, compiled
from solver.logic.record import COLOUR, REMOVE, VALUE, begin, note, note_cells
from solver.logic.sets import first_of, has
from solver.logic.technique import Search, small_board

TRAP_CODE, WRAP_CODE = 500, 501
MULTI_1_CODE, MULTI_2_CODE = 502, 503


@bare
def colour(board: Any, grid: Any, value: int, colours: Any, stack: Any) -> Any:
    """Colour the places of a value; return how many clusters there are.

    `colours` is (clusters, 4): both words of one colour, both words of the other one.
    """
    low, high = 0, 0
    for house in range(board.house_count):
        if board.complete[house] and grid.free[house, value] == 2:
            low |= board.house_sets[house, 0] & grid.places[value, 0]
            high |= board.house_sets[house, 1] & grid.places[value, 1]
    count = 0
    while low | high:
        colours[count] = 0
        # In depth first: where a cell can get both colours, the first way to it decides.
        top = 1
        stack[0, 0] = first_of(low, high)
        stack[0, 1] = 0
        while top:
            top -= 1
            cell, side = stack[top, 0], stack[top, 1]
            if not has(low, high, cell):
                continue
            if cell < 64:
                low &= ~(1 << cell)
                colours[count, 2 * side] |= 1 << cell
            else:
                high &= ~(1 << (cell & 63))
                colours[count, 2 * side + 1] |= 1 << (cell & 63)
            number = 0
            while board.cell_houses[cell, number] >= 0:
                number += 1
            while number:
                number -= 1
                house = board.cell_houses[cell, number]
                if board.complete[house] and grid.free[house, value] == 2:
                    pair_low = board.house_sets[house, 0] & grid.places[value, 0]
                    pair_high = board.house_sets[house, 1] & grid.places[value, 1]
                    if cell < 64:
                        pair_low &= ~(1 << cell)
                    else:
                        pair_high &= ~(1 << (cell & 63))
                    stack[top, 0] = first_of(pair_low, pair_high)
                    stack[top, 1] = 1 - side
                    top += 1
        if colours[count, 0] | colours[count, 1] and colours[count, 2] | colours[count, 3]:
            count += 1
    return count


@bare
def _seen(board: Any, low: int, high: int) -> Any:
    """Return the cells that see any cell of a set, as two words."""
    seen_low, seen_high = 0, 0
    while low | high:
        cell = first_of(low, high)
        seen_low |= board.peer_sets[cell, 0]
        seen_high |= board.peer_sets[cell, 1]
        if low:
            low &= low - 1
        else:
            high &= high - 1
    return seen_low, seen_high


@bare
def _sees(board: Any, one: Any, other: Any, side: int, other_side: int) -> Any:
    """Return whether a cell of a colour sees a cell of another colour."""
    low, high = _seen(board, one[2 * side], one[2 * side + 1])
    return (low & other[2 * other_side]) | (high & other[2 * other_side + 1]) != 0


@bare
def _sees_both(board: Any, cluster: Any, side: int, other: Any) -> Any:
    """Return whether a colour is impossible: it sees both colours of another cluster."""
    low, high = _seen(board, cluster[2 * side], cluster[2 * side + 1])
    first = (low & other[0]) | (high & other[1])
    second = (low & other[2]) | (high & other[3])
    return first != 0 and second != 0


@bare
def _open(buffer: Any, code: int, value: int, cluster: Any, first: int) -> None:
    if first == 0:
        begin(buffer, code)
        note(buffer, VALUE, value, 0)
    for side in range(2):
        note_cells(
            buffer, COLOUR, cluster[2 * side], cluster[2 * side + 1], value + 64 * (first + side)
        )


@compiled
def find_simple_colours(board: Any, grid: Any, buffer: Any, every: int) -> None:
    """Look for a colour that sees itself, then for cells that see both colours."""
    colours = np.zeros((board.cell_count, 4), np.int64)
    stack = np.empty((8 * board.cell_count, 2), np.int64)
    for value in range(1, board.value_count + 1):
        count = colour(board, grid, value, colours, stack)
        for number in range(count):
            cluster = colours[number]
            first, second = (
                _sees(board, cluster, cluster, 0, 0),
                _sees(board, cluster, cluster, 1, 1),
            )
            if first or second:
                _open(buffer, WRAP_CODE, value, cluster, 0)
                if first:
                    note_cells(buffer, REMOVE, cluster[0], cluster[1], value)
                if second:
                    note_cells(buffer, REMOVE, cluster[2], cluster[3], value)
                if not every:
                    return
            low, high = _seen(board, cluster[0], cluster[1])
            other_low, other_high = _seen(board, cluster[2], cluster[3])
            low &= other_low & grid.places[value, 0]
            high &= other_high & grid.places[value, 1]
            if low | high:
                _open(buffer, TRAP_CODE, value, cluster, 0)
                note_cells(buffer, REMOVE, low, high, value)
                if not every:
                    return


@compiled
def find_multi_colours(board: Any, grid: Any, buffer: Any, every: int) -> None:
    """Look for two clusters: a colour that sees both of the other, or two that see each other."""
    colours = np.zeros((board.cell_count, 4), np.int64)
    stack = np.empty((8 * board.cell_count, 2), np.int64)
    for value in range(1, board.value_count + 1):
        count = colour(board, grid, value, colours, stack)
        for one in range(count):
            for other in range(count):
                if one == other:
                    continue
                a, b = colours[one], colours[other]
                first, second = _sees_both(board, a, 0, b), _sees_both(board, a, 1, b)
                if first or second:
                    _open(buffer, MULTI_2_CODE, value, a, 0)
                    _open(buffer, MULTI_2_CODE, value, b, 2)
                    if first:
                        note_cells(buffer, REMOVE, a[0], a[1], value)
                    if second:
                        note_cells(buffer, REMOVE, a[2], a[3], value)
                    if not every:
                        return
                low, high = 0, 0
                for side in range(2):
                    for other_side in range(2):
                        if not _sees(board, a, b, side, other_side):
                            continue
                        # One of the opposite colours is true.
                        x, y = 2 - 2 * side, 2 - 2 * other_side
                        x_low, x_high = _seen(board, a[x], a[x + 1])
                        y_low, y_high = _seen(board, b[y], b[y + 1])
                        low |= x_low & y_low & grid.places[value, 0]
                        high |= x_high & y_high & grid.places[value, 1]
                if low | high:
                    _open(buffer, MULTI_1_CODE, value, a, 0)
                    _open(buffer, MULTI_1_CODE, value, b, 2)
                    note_cells(buffer, REMOVE, low, high, value)
                    if not every:
                        return


SIMPLE_COLOURS = Search(("0500", "0501"), find_simple_colours, (), small_board)
MULTI_COLOURS = Search(("0502", "0503"), find_multi_colours, (), small_board)
