"""What is impossible, and what is certain, by all that follows from each candidate.

Either something impossible follows from a candidate, true or false (contradiction), or the same
follows from each of some candidates of which one is true (verity).
"""

from typing import Any, NamedTuple

import numpy as np

from solver.compiling.jit import bare, inner
from solver.compiling.words import lowest
from solver.logic.board import Ints, Words
from solver.logic.closure import false_at, row_words, true_at
from solver.logic.implications import literal
from solver.logic.record import PLACE, REMOVE, begin, note
from solver.logic.sets import allowed_places

CONTRADICTION_CODE, VERITY_CODE = 1301, 1302
_MOST_CHAINS = 64


class Ways(NamedTuple):
    """The chains of one derivation, each from a literal to another one."""

    ends: Ints  # (·, 2)
    many: Ints  # (1,): how many there are


class _Houses(NamedTuple):
    """Houses that have to have a value still, and where they can."""

    values: Ints
    places: Words  # (·, 2)
    many: Ints  # (1,)
    open: Words  # (2,): all open cells


class Verdicts(NamedTuple):
    """Candidates that have to be true and that have to be false: a row as of `Reached`."""

    row: Words
    houses: _Houses
    ways: Ways  # the derivation of one of them


@inner
def verdicts(board: Any, grid: Any, reached: Any) -> Any:
    """Return all candidates that have to be true, and all that have to be false."""
    ways = Ways(np.empty((_MOST_CHAINS, 2), np.int32), np.zeros(1, np.int32))
    row = np.zeros(row_words(board), np.int64)
    both = np.empty(row_words(board), np.int64)
    houses = _houses(board, grid)
    _conclude(board, grid, reached, ways, houses, row, both)
    return Verdicts(row, houses, ways)


@inner
def _houses(board: Any, grid: Any) -> Any:
    """Return the houses that have lost no place of a value but to placed values.

    Only these count for HoDoKu where none of the places is left.
    """
    most = board.house_count * board.value_count
    houses = _Houses(
        np.empty(most, np.int32),
        np.empty((most, 2), np.int64),
        np.zeros(1, np.int32),
        np.zeros(2, np.int64),
    )
    for value in range(1, board.value_count + 1):
        houses.open[0] |= grid.places[value, 0]
        houses.open[1] |= grid.places[value, 1]
    allowed = np.zeros((board.value_count + 1, 2), np.int64)
    allowed_places(board, grid, allowed)
    for house in range(board.house_count):
        for value in range(1, board.value_count + 1):
            low = allowed[value, 0] & board.house_sets[house, 0]
            high = allowed[value, 1] & board.house_sets[house, 1]
            gone = (low & ~grid.places[value, 0]) | (high & ~grid.places[value, 1])
            if board.complete[house] and low | high and not gone:
                number = houses.many[0]
                houses.values[number] = value
                houses.places[number, 0], houses.places[number, 1] = low, high
                houses.many[0] = number + 1
    return houses


@bare
def _conclude(
    board: Any, grid: Any, reached: Any, ways: Any, houses: Any, row: Any, both: Any
) -> None:
    """Find all candidates that have to be true, and all that have to be false."""
    for cell in range(board.cell_count):
        rest = grid.cells[cell]
        word, bit = cell >> 6, 1 << (cell & 63)
        while rest:
            value = lowest(rest) + 1
            rest &= rest - 1
            off = literal(board, cell, value, 0)
            yes, no = reached.rows[off + 1], reached.rows[off]
            if _contradicts(board, grid, reached, houses, off + 1, ways):
                row[false_at(board, value) + word] |= bit
            if _contradicts(board, grid, reached, houses, off, ways):
                row[true_at(board, value) + word] |= bit
            # What both say of other cells.
            for index in range(word, len(row), 2):
                row[index] |= yes[index] & no[index] & ~bit
            for index in range(1 - word, len(row), 2):
                row[index] |= yes[index] & no[index]
        if grid.cells[cell]:
            _starts_of_cell(board, grid, ways, cell)
            _agree(reached, ways, row, both)
    for house in range(board.house_count):
        for value in range(1, board.value_count + 1):
            if board.complete[house] and grid.free[house, value]:
                _starts_of_house(board, grid, ways, house, value)
                _agree(reached, ways, row, both)


@bare
def take_next(board: Any, certain: Any) -> Any:
    """Take the first verdict out, those that are true first; return its literal, −1 if none."""
    row = certain.row
    for turn in range(2):
        for cell in range(board.cell_count):
            for value in range(1, board.value_count + 1):
                at = false_at(board, value) if turn else true_at(board, value)
                if row[at + (cell >> 6)] >> (cell & 63) & 1:
                    row[at + (cell >> 6)] &= ~(1 << (cell & 63))
                    return literal(board, cell, value, 1 - turn)
    return -1


@bare
def derive(board: Any, grid: Any, reached: Any, certain: Any, target: int, turn: int) -> Any:
    """Write the chains of the next derivation of a literal; return its code, 0 if there is none.

    Derivations are counted from 0: `turn`.
    """
    node = target >> 1
    ways = certain.ways
    if _contradicts(board, grid, reached, certain.houses, target ^ 1, ways):
        if turn == 0:
            return CONTRADICTION_CODE
        turn -= 1
    for cell in range(board.cell_count):
        if grid.cells[cell]:
            _starts_of_cell(board, grid, ways, cell)
            if _lead_to(board, reached, ways, target):
                if turn == 0:
                    return VERITY_CODE
                turn -= 1
    for house in range(board.house_count):
        for value in range(1, board.value_count + 1):
            if board.complete[house] and grid.free[house, value]:
                _starts_of_house(board, grid, ways, house, value)
                if _lead_to(board, reached, ways, target):
                    if turn == 0:
                        return VERITY_CODE
                    turn -= 1
    for cell in range(board.cell_count):
        rest = grid.cells[cell]
        while rest:
            other = cell * board.value_count + lowest(rest)
            rest &= rest - 1
            if cell == node // board.value_count:
                continue
            _starts_of_both(ways, other)
            if _lead_to(board, reached, ways, target):
                if turn == 0:
                    return VERITY_CODE
                turn -= 1
    return 0


@bare
def _contradicts(board: Any, grid: Any, reached: Any, houses: Any, start: int, ways: Any) -> bool:
    """Return whether something impossible follows from a literal, and which chains lead to it.

    A cell with two values, or a house with a value twice, is a candidate that is true and false.
    """
    ways.many[0] = 0
    size = board.value_count
    row = reached.rows[start]
    clash = 0
    for word in range(row_words(board) >> 1):
        clash |= row[word] & row[false_at(board, 0) + word]
    if clash:
        _ways_to_clash(board, row, start, ways)
        return True
    for number in range(houses.many[0]):
        value, at = houses.values[number], false_at(board, houses.values[number])
        low, high = houses.places[number, 0], houses.places[number, 1]
        if (low & ~row[at]) | (high & ~row[at + 1]) == 0:
            _ways_to(board, ways, start, low, high, value, 0)
            return True
    low, high = 0, 0  # cells without a candidate that may be true, but for those without any
    for value in range(1, size + 1):
        at = false_at(board, value)
        low |= grid.places[value, 0] & ~row[at]
        high |= grid.places[value, 1] & ~row[at + 1]
    low, high = houses.open[0] & ~low, houses.open[1] & ~high
    if low | high == 0:
        return False
    cell = lowest(low) if low else 64 + lowest(high)
    rest = grid.cells[cell]
    while rest:
        _way(ways, start, literal(board, cell, lowest(rest) + 1, 0))
        rest &= rest - 1
    return True


@bare
def _ways_to_clash(board: Any, row: Any, start: int, ways: Any) -> None:
    """Write the chains to a candidate that is true and false, the start itself if it is one."""
    size = board.value_count
    cell, value = (start >> 1) // size, (start >> 1) % size + 1
    at = false_at(board, value) if start & 1 else true_at(board, value)
    if row[at + (cell >> 6)] >> (cell & 63) & 1:
        _way(ways, start, start ^ 1)
        return
    for other in range(1, size + 1):
        yes, no = true_at(board, other), false_at(board, other)
        low, high = row[yes] & row[no], row[yes + 1] & row[no + 1]
        if low | high:
            end = literal(board, lowest(low) if low else 64 + lowest(high), other, 0)
            _way(ways, start, end)
            _way(ways, start, end + 1)
            return


@bare
def _agree(reached: Any, ways: Any, row: Any, both: Any) -> None:
    """Add to a row what follows from the start of every chain."""
    for word in range(len(row)):
        both[word] = -1
    for number in range(ways.many[0]):
        start = ways.ends[number, 0]
        for word in range(len(row)):
            both[word] &= reached.rows[start, word]
    for word in range(len(row)):
        row[word] |= both[word]


@bare
def _lead_to(board: Any, reached: Any, ways: Any, target: int) -> Any:
    """Return whether a literal follows from the start of every chain; they end there then."""
    cell, value = (target >> 1) // board.value_count, (target >> 1) % board.value_count + 1
    for number in range(ways.many[0]):
        start = ways.ends[number, 0]
        at = true_at(board, value) if target & 1 else false_at(board, value)
        if not reached.rows[start, at + (cell >> 6)] >> (cell & 63) & 1:
            return False
        ways.ends[number, 1] = target
    return ways.many[0] > 0


@bare
def _starts_of_cell(board: Any, grid: Any, ways: Any, cell: int) -> None:
    """Begin a chain at each candidate of a cell."""
    ways.many[0] = 0
    rest = grid.cells[cell]
    while rest:
        _way(ways, literal(board, cell, lowest(rest) + 1, 1), 0)
        rest &= rest - 1


@bare
def _starts_of_house(board: Any, grid: Any, ways: Any, house: int, value: int) -> None:
    """Begin a chain at each place of a value in a house."""
    ways.many[0] = 0
    low = grid.places[value, 0] & board.house_sets[house, 0]
    high = grid.places[value, 1] & board.house_sets[house, 1]
    while low:
        _way(ways, literal(board, lowest(low), value, 1), 0)
        low &= low - 1
    while high:
        _way(ways, literal(board, 64 + lowest(high), value, 1), 0)
        high &= high - 1


@bare
def _starts_of_both(ways: Any, node: int) -> None:
    """Begin a chain at a candidate, true and false."""
    ways.many[0] = 0
    _way(ways, 2 * node + 1, 0)
    _way(ways, 2 * node, 0)


@bare
def _way(ways: Any, start: int, end: int) -> None:
    count = ways.many[0]
    if count < _MOST_CHAINS:
        ways.ends[count, 0], ways.ends[count, 1] = start, end
        ways.many[0] = count + 1


@bare
def _ways_to(board: Any, ways: Any, start: int, low: int, high: int, value: int, true: int) -> None:
    """Add a chain to each cell of a set."""
    while low:
        _way(ways, start, literal(board, lowest(low), value, true))
        low &= low - 1
    while high:
        _way(ways, start, literal(board, 64 + lowest(high), value, true))
        high &= high - 1


@bare
def open_verdict(board: Any, buffer: Any, code: int, target: int) -> None:
    """Begin a deduction that places the candidate of a literal, or removes it."""
    begin(buffer, code)
    cell, value = (target >> 1) // board.value_count, (target >> 1) % board.value_count + 1
    note(buffer, PLACE if target & 1 else REMOVE, cell, value)
