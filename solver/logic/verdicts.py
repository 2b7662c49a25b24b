"""What is impossible, and what is certain, by all that follows from each candidate.

Either something impossible follows from a candidate, true or false (contradiction), or the same
follows from each of some candidates of which one is true (verity).
"""

from typing import Any, NamedTuple

import numpy as np

from solver.compiling.jit import bare, inner
from solver.compiling.words import lowest, ones
from solver.logic.board import Ints, Words
from solver.logic.implications import literal
from solver.logic.record import PLACE, REMOVE, begin, note

CONTRADICTION_CODE, VERITY_CODE = 1301, 1302
_MOST_CHAINS = 64


class Ways(NamedTuple):
    """The chains of one derivation, each from a literal to another one."""

    ends: Ints  # (·, 2)
    many: Ints  # (1,): how many there are


class Verdicts(NamedTuple):
    """Candidates that have to be true and that have to be false, as sets of cells by value."""

    true: Words  # (size + 1, 2)
    false: Words
    ways: Ways  # the derivation of one of them


@inner
def verdicts(board: Any, grid: Any, reached: Any) -> Any:
    """Return all candidates that have to be true, and all that have to be false."""
    ways = Ways(np.empty((_MOST_CHAINS, 2), np.int32), np.zeros(1, np.int32))
    true = np.zeros((board.value_count + 1, 2), np.int64)
    false = np.zeros((board.value_count + 1, 2), np.int64)
    _conclude(board, grid, reached, ways, true, false)
    return Verdicts(true, false, ways)


@bare
def _conclude(board: Any, grid: Any, reached: Any, ways: Any, true: Any, false: Any) -> None:
    """Find all candidates that have to be true, and all that have to be false."""
    for cell in range(board.cell_count):
        rest = grid.cells[cell]
        word, bit = cell >> 6, 1 << (cell & 63)
        while rest:
            value = lowest(rest) + 1
            rest &= rest - 1
            on = literal(board, cell, value, 1)
            if _contradicts(board, grid, reached, on, ways):
                false[value, word] |= bit
            if _contradicts(board, grid, reached, on - 1, ways):
                true[value, word] |= bit
            for other in range(1, board.value_count + 1):
                for index in range(2):
                    but = ~bit if index == word else -1
                    a, b = reached.true[on, other, index], reached.true[on - 1, other, index]
                    true[other, index] |= a & b & but
                    a, b = reached.false[on, other, index], reached.false[on - 1, other, index]
                    false[other, index] |= a & b & but
        if grid.cells[cell]:
            _starts_of_cell(board, grid, ways, cell)
            _agree(board, reached, ways, true, false)
    for house in range(board.house_count):
        for value in range(1, board.value_count + 1):
            if board.complete[house] and grid.free[house, value]:
                _starts_of_house(board, grid, ways, house, value)
                _agree(board, reached, ways, true, false)


@bare
def take_next(board: Any, all_verdicts: Any) -> Any:
    """Take the first verdict out, those that are true first; return its literal, −1 if none."""
    for turn in range(2):
        sets = all_verdicts.false if turn else all_verdicts.true
        for cell in range(board.cell_count):
            for value in range(1, board.value_count + 1):
                if sets[value, cell >> 6] >> (cell & 63) & 1:
                    sets[value, cell >> 6] &= ~(1 << (cell & 63))
                    return literal(board, cell, value, 1 - turn)
    return -1


@bare
def derive(board: Any, grid: Any, reached: Any, ways: Any, target: int, turn: int) -> Any:
    """Write the chains of the next derivation of a literal; return its code, 0 if there is none.

    Derivations are counted from 0: `turn`.
    """
    node = target >> 1
    if _contradicts(board, grid, reached, target ^ 1, ways):
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
def _contradicts(board: Any, grid: Any, reached: Any, start: int, ways: Any) -> bool:
    """Return whether something impossible follows from a literal, and which chains lead to it."""
    ways.many[0] = 0
    size = board.value_count
    true, false = reached.true[start], reached.false[start]
    opposite = start ^ 1
    cell, value = (start >> 1) // size, (start >> 1) % size + 1
    own = false if start & 1 else true
    if own[value, cell >> 6] >> (cell & 63) & 1:
        _way(ways, start, opposite)
        return True
    for one in range(1, size + 1):
        low, high = true[one, 0] & false[one, 0], true[one, 1] & false[one, 1]
        if low | high:
            end = literal(board, lowest(low) if low else 64 + lowest(high), one, 0)
            _way(ways, start, end)
            _way(ways, start, end + 1)
            return True
    for one in range(1, size + 1):
        for other in range(one + 1, size + 1):
            low, high = true[one, 0] & true[other, 0], true[one, 1] & true[other, 1]
            if low | high:
                cell = lowest(low) if low else 64 + lowest(high)
                _way(ways, start, literal(board, cell, one, 1))
                _way(ways, start, literal(board, cell, other, 1))
                return True
    for house in range(board.house_count):
        for one in range(1, size + 1):
            low = true[one, 0] & board.house_sets[house, 0]
            high = true[one, 1] & board.house_sets[house, 1]
            if ones(low) + ones(high) > 1:
                _ways_to(board, ways, start, low, high, one, 1)
                return True
            if not board.complete[house]:
                continue
            # As for HoDoKu, a house counts if no more than placed values took from it.
            low = reached.allowed[one, 0] & board.house_sets[house, 0]
            high = reached.allowed[one, 1] & board.house_sets[house, 1]
            gone = (low & ~false[one, 0]) | (high & ~false[one, 1]) == 0
            if low | high and gone:
                _ways_to(board, ways, start, low, high, one, 0)
                return True
    for cell in range(board.cell_count):
        rest = grid.cells[cell]
        if rest == 0:
            continue
        word, bit = cell >> 6, cell & 63
        while rest and false[lowest(rest) + 1, word] >> bit & 1:
            rest &= rest - 1
        if rest == 0:
            rest = grid.cells[cell]
            while rest:
                _way(ways, start, literal(board, cell, lowest(rest) + 1, 0))
                rest &= rest - 1
            return True
    return False


@bare
def _agree(board: Any, reached: Any, ways: Any, true: Any, false: Any) -> None:
    """Add to two sets what follows from the start of every chain."""
    for value in range(1, board.value_count + 1):
        for word in range(2):
            both_true, both_false = -1, -1
            for number in range(ways.many[0]):
                start = ways.ends[number, 0]
                both_true &= reached.true[start, value, word]
                both_false &= reached.false[start, value, word]
            true[value, word] |= both_true
            false[value, word] |= both_false


@bare
def _lead_to(board: Any, reached: Any, ways: Any, target: int) -> Any:
    """Return whether a literal follows from the start of every chain; they end there then."""
    cell, value = (target >> 1) // board.value_count, (target >> 1) % board.value_count + 1
    for number in range(ways.many[0]):
        start = ways.ends[number, 0]
        sets = reached.true[start] if target & 1 else reached.false[start]
        if not sets[value, cell >> 6] >> (cell & 63) & 1:
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
