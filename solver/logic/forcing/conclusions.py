"""Derive the candidates that must be true or false from the closure of the implications.

There are two kinds of derivation. A contradiction follows from assuming a candidate true or false.
In a verity, the same conclusion follows from each of several candidates, one of which is true.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import helper, kernel
from solver.logic.board import Ints, Words
from solver.logic.closure import add_candidate, follows_in, row_of
from solver.logic.deduction_buffer import PLACE, REMOVE, begin, note
from solver.logic.sets import allowed_places, first_of

CONTRADICTION_CODE, VERITY_CODE = 1301, 1302
_MOST_CHAINS = 64


class Ways(NamedTuple):
    """The chains of one derivation, as pairs of literals (start, end)."""

    ends: Ints  # (·, 2): start and end of each chain
    many: Ints  # (1,): number of chains


class _Units(NamedTuple):
    """The open cells, then the open (house, value) pairs. One of the candidates of each is true."""

    sets: Words  # (·, words): candidates of each unit, like the first half of a row of `Reached`
    whole: NDArray[np.uint8]  # (·,): 0 if eliminations, not only placed values, have removed places
    first: Ints  # (·,): index of the first nonzero word
    many: Ints  # (3,): number of units, number of cells among them, smallest number of candidates


class Verdicts(NamedTuple):
    """The candidates that must be true, and those that must be false: the two halves of `row`."""

    row: Words
    units: _Units
    ways: Ways  # the latest derivation of one of them


@helper
def verdicts(board: Any, grid: Any, reached: Any, every: int) -> Any:
    """Return all candidates that must be true or false.

    Unless `every` is set, the search may stop early, but the first conclusion is always included.
    The first is the one that `take_next` returns: a true candidate if there is one, in the first
    cell.
    """
    certain = Verdicts(
        np.zeros(2 * reached.half, np.int64),
        _units(board, grid, reached),
        Ways(np.empty((_MOST_CHAINS, 2), np.int32), np.zeros(1, np.int32)),
    )
    _agree(reached, certain, np.empty(2 * reached.half, np.int64))
    for true in range(2):
        if _contradict(reached, certain, true, every) and not every:
            break
    return certain


@helper
def _units(board: Any, grid: Any, reached: Any) -> Any:
    """Return the units of the grid."""
    most = board.cell_count + board.house_count * board.value_count
    units = _Units(
        np.zeros((most, reached.half), np.int64),
        np.ones(most, np.uint8),
        np.zeros(most, np.int32),
        np.zeros(3, np.int32),
    )
    count = 0
    for cell in range(board.cell_count):
        rest = grid.cells[cell]
        if rest:
            while rest:
                add_candidate(reached, units.sets[count], cell, ctz(rest) + 1)
                rest &= rest - 1
            count += 1
    units.many[1] = count
    allowed = np.zeros((board.value_count + 1, 2), np.int64)
    allowed_places(board, grid, allowed)
    for house in range(board.house_count):
        for value in range(1, board.value_count + 1):
            if not (board.complete[house] and grid.free[house, value]):
                continue
            low = board.house_sets[house, 0] & grid.places[value, 0]
            high = board.house_sets[house, 1] & grid.places[value, 1]
            # As in HoDoKu, a house without places is a contradiction only if placed values alone
            # have removed its other places so far.
            lost = board.house_sets[house, 0] & allowed[value, 0] & ~low
            lost |= board.house_sets[house, 1] & allowed[value, 1] & ~high
            units.whole[count] = lost == 0
            while low | high:
                add_candidate(reached, units.sets[count], first_of(low, high), value)
                low, high = (low & (low - 1), high) if low else (0, high & (high - 1))
            count += 1
    units.many[0] = count
    units.many[2] = board.value_count
    for unit in range(count):
        candidates = 0
        for word in range(reached.half):
            candidates += popcount(units.sets[unit, word])
        units.many[2] = min(units.many[2], candidates)
        while units.sets[unit, units.first[unit]] == 0:
            units.first[unit] += 1
    return units


@kernel
def _agree(reached: Any, certain: Any, both: Any) -> None:
    """Add the verities: the literals that follow from every candidate of a unit.

    Also adds the literals that follow from a candidate whether it is true or false.
    """
    row, units, half = certain.row, certain.units, reached.half
    for unit in range(units.many[0]):
        is_cell = unit < units.many[1]
        for word in range(2 * half):
            both[word] = -1
        for word in range(half):
            rest = units.sets[unit, word]
            while rest:
                number = 64 * word + ctz(rest)
                rest &= rest - 1
                no, yes = reached.rows[2 * number], reached.rows[2 * number + 1]
                for index in range(2 * half):
                    both[index] &= yes[index]
                if is_cell:
                    for index in range(half):
                        elsewhere = ~units.sets[unit, index]
                        row[index] |= yes[index] & no[index] & elsewhere
                        row[half + index] |= yes[half + index] & no[half + index] & elsewhere
        for word in range(2 * half):
            row[word] |= both[word]


@kernel
def _contradict(reached: Any, certain: Any, true: int, every: int) -> bool:
    """Add the candidates that lead to a contradiction if assumed `true` (1) or false (0).

    Unless `every` is set, stops at the first conclusion and returns True, even if it was known
    before.
    """
    row, start = certain.row, reached.half * true
    for number in range(len(reached.nodes)):
        word, bit = start + (number >> 6), 1 << (number & 63)
        if row[word] & bit:
            if not every:
                return True
        elif _contradicts(reached, certain, 2 * reached.nodes[number] + true):
            row[word] |= bit
            if not every:
                return True
    return False


@kernel
def take_next(reached: Any, certain: Any) -> Any:
    """Remove the first conclusion, true candidates first.

    Returns its literal, or −1 if none is left.
    """
    row = certain.row
    for word in range(len(row)):
        if row[word]:
            bit = ctz(row[word])
            row[word] &= row[word] - 1
            if word < reached.half:
                return 2 * reached.nodes[64 * word + bit] + 1
            return 2 * reached.nodes[64 * (word - reached.half) + bit]
    return -1


@kernel
def derive(reached: Any, certain: Any, target: int, turn: int) -> Any:
    """Write the chains of derivation number `turn` (from 0) of a literal.

    Returns the technique code, or 0 if there is no such derivation.
    """
    ways = certain.ways
    if _contradicts(reached, certain, target ^ 1):
        if turn == 0:
            return CONTRADICTION_CODE
        turn -= 1
    for unit in range(certain.units.many[0]):
        ways.many[0] = 0
        _add_starts(reached, ways, certain.units.sets[unit])
        if _lead_to(reached, ways, target):
            if turn == 0:
                return VERITY_CODE
            turn -= 1
    for node in reached.nodes:
        if node // reached.size == (target >> 1) // reached.size:
            continue
        ways.many[0] = 0
        _way(ways, 2 * node + 1, 0)
        _way(ways, 2 * node, 0)
        if _lead_to(reached, ways, target):
            if turn == 0:
                return VERITY_CODE
            turn -= 1
    return 0


@kernel
def _contradicts(reached: Any, certain: Any, start: int) -> bool:
    """Return whether a literal leads to a contradiction, and write the chains to it.

    A cell with two values, or a house with the same value twice, shows up as a candidate that is
    both true and false.
    """
    units, ways, half = certain.units, certain.ways, reached.half
    row = reached.rows[row_of(reached, start)]
    ways.many[0] = 0
    clash = 0
    for word in range(half):
        clash |= row[word] & row[half + word]
    if clash:
        _ways_to_clash(reached, ways, row, start)
        return True
    falses = 0
    for word in range(half):
        falses += popcount(row[half + word])
    if falses < units.many[2]:
        return False
    # Houses are checked before cells.
    cells, count = units.many[1], units.many[0]
    for turn in range(count):
        unit = turn + cells if turn + cells < count else turn + cells - count
        if not units.whole[unit]:
            continue
        word = units.first[unit]
        while word < half and units.sets[unit, word] & ~row[half + word] == 0:
            word += 1
        if word == half:
            _add_starts(reached, ways, units.sets[unit])
            for number in range(ways.many[0]):
                ways.ends[number, 1] = ways.ends[number, 0] ^ 1
                ways.ends[number, 0] = start
            return True
    return False


@kernel
def _ways_to_clash(reached: Any, ways: Any, row: Any, start: int) -> None:
    """Write the chains to a candidate that is both true and false, preferably the start itself."""
    half, size = reached.half, reached.size
    if follows_in(reached, row, start ^ 1):
        _way(ways, start, start ^ 1)
        return
    least = end = -1
    for word in range(half):
        clash = row[word] & row[half + word]
        while clash:
            node = reached.nodes[64 * word + ctz(clash)]
            clash &= clash - 1
            value = node % size
            if least < 0 or value < least:
                least, end = value, 2 * node
    _way(ways, start, end)
    _way(ways, start, end + 1)


@kernel
def _lead_to(reached: Any, ways: Any, target: int) -> Any:
    """Set the end of every chain to `target`. Return whether it follows from all their starts."""
    for number in range(ways.many[0]):
        row = reached.rows[row_of(reached, ways.ends[number, 0])]
        if not follows_in(reached, row, target):
            return False
        ways.ends[number, 1] = target
    return ways.many[0] > 0


@kernel
def _add_starts(reached: Any, ways: Any, unit: Any) -> None:
    """Begin a chain at each candidate of a unit."""
    for word in range(len(unit)):
        rest = unit[word]
        while rest:
            _way(ways, 2 * reached.nodes[64 * word + ctz(rest)] + 1, 0)
            rest &= rest - 1


@kernel
def _way(ways: Any, start: int, end: int) -> None:
    count = ways.many[0]
    if count < _MOST_CHAINS:
        ways.ends[count, 0], ways.ends[count, 1] = start, end
        ways.many[0] = count + 1


@kernel
def open_verdict(board: Any, buffer: Any, code: int, target: int) -> None:
    """Begin a deduction that places the candidate of a literal or removes it."""
    begin(buffer, code)
    cell, value = (target >> 1) // board.value_count, (target >> 1) % board.value_count + 1
    note(buffer, PLACE if target & 1 else REMOVE, cell, value)
