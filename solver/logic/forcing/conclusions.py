"""Derive the candidates that must be true or false from the closure of the implications.

There are two kinds of derivation. A contradiction follows from assuming a candidate true or false.
In a verity, the same conclusion follows from each of several candidates, one of which is true.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import helper, kernel
from solver.logic.board import Board, Ints, Words
from solver.logic.closure import Closure, add_candidate, follows_in, row_of
from solver.logic.deduction_buffer import begin, note
from solver.logic.deduction_rows import PLACE, REMOVE
from solver.logic.grid import Grid
from solver.logic.sets import allowed_places, first_of

CONTRADICTION_CODE, VERITY_CODE = 1301, 1302
_MOST_CHAINS = 64
_UNITS, _CELLS, _SMALLEST = range(3)  # indices into `_Units.counts`


class Derivation(NamedTuple):
    """The chains that prove one conclusion.

    The first counts[0] rows of `ends` (·, 2) are the chains' first and last literals.
    """

    ends: Ints
    counts: Ints


class _Units(NamedTuple):
    """The sets of candidates of which at least one must be true, called units.

    A unit contains the candidates of an open cell, or the places of a value in a house. Cells come
    first.

        sets    (·, words): the candidates of each unit, like the first half of a row of `Closure`
        whole   (·,): 0 if the house has lost places of the value to eliminations, not only to
                placed values, else 1
        first   (·,): the index of the first nonzero word in the unit's row of `sets`
        counts  (3,): the number of units, the number of cells among them, and the smallest number
                of candidates in a unit
    """

    sets: Words
    whole: NDArray[np.uint8]
    first: Ints
    counts: Ints


class Conclusions(NamedTuple):
    """The candidates that must be true or false, and the data to prove each of them.

    row         the conclusions that are left, as a bit set like a row of `Closure`: candidates that
                must be true in the first half, candidates that must be false in the second half
    units       the sets of candidates of which at least one must be true
    derivation  the chains that prove one conclusion. `derive` overwrites them.
    """

    row: Words
    units: _Units
    derivation: Derivation


@helper
def find_conclusions(board: Board, grid: Grid, closure: Closure, all_steps: int) -> Any:
    """Return all candidates that must be true or false according to the closure.

    Unless `all_steps` is set, the search may stop early, but always includes the first conclusion.
    The first is the one that `take_next` returns: candidates that must be true come before those
    that must be false, and lower cells before higher ones.
    """
    conclusions = Conclusions(
        np.zeros(2 * closure.half, np.int64),
        _units(board, grid, closure),
        Derivation(np.empty((_MOST_CHAINS, 2), np.int32), np.zeros(1, np.int32)),
    )
    _add_verities(closure, conclusions, np.empty(2 * closure.half, np.int64))
    for true in range(2):
        if _add_contradictions(closure, conclusions, true, all_steps) and not all_steps:
            break
    return conclusions


@helper
def _units(board: Board, grid: Grid, closure: Closure) -> Any:
    """Return the units of the grid: the candidates of a cell, and a value's places in a house.

    Only open cells and houses that must contain every value count.
    """
    most = board.cell_count + board.house_count * board.value_count
    units = _Units(
        np.zeros((most, closure.half), np.int64),
        np.ones(most, np.uint8),
        np.zeros(most, np.int32),
        np.zeros(3, np.int32),
    )
    count = 0
    for cell in range(board.cell_count):
        rest = grid.cells[cell]
        if rest:
            while rest:
                add_candidate(closure, units.sets[count], cell, ctz(rest) + 1)
                rest &= rest - 1
            count += 1
    units.counts[_CELLS] = count
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
                add_candidate(closure, units.sets[count], first_of(low, high), value)
                low, high = (low & (low - 1), high) if low else (0, high & (high - 1))
            count += 1
    units.counts[_UNITS] = count
    units.counts[_SMALLEST] = board.value_count
    for unit in range(count):
        candidates = 0
        for word in range(closure.half):
            candidates += popcount(units.sets[unit, word])
        units.counts[_SMALLEST] = min(units.counts[_SMALLEST], candidates)
        while units.sets[unit, units.first[unit]] == 0:
            units.first[unit] += 1
    return units


@kernel
def _add_verities(closure: Closure, conclusions: Conclusions, both: Words) -> None:
    """Set the bits of the verities in `conclusions.row`.

    A verity is a literal that follows from every candidate of a unit, or from a candidate both if
    it is true and if it is false. In the second case, literals about the candidate's own cell don't
    count. `both` is scratch space for a set of literals.
    """
    row, units, half = conclusions.row, conclusions.units, closure.half
    for unit in range(units.counts[_UNITS]):
        is_cell = unit < units.counts[_CELLS]
        for word in range(2 * half):
            both[word] = -1
        for word in range(half):
            rest = units.sets[unit, word]
            while rest:
                number = 64 * word + ctz(rest)
                rest &= rest - 1
                no, yes = closure.rows[2 * number], closure.rows[2 * number + 1]
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
def _add_contradictions(
    closure: Closure, conclusions: Conclusions, true: int, all_steps: int
) -> bool:
    """Conclude the opposite of each assumption that leads to a contradiction.

    `true` is 1 to assume each candidate true, and 0 to assume it false. The conclusions are added
    to `conclusions.row`. Unless `all_steps` is set, stops at the first conclusion and returns True,
    even if it was known before. Otherwise returns False.
    """
    row, start = conclusions.row, closure.half * true
    for number in range(len(closure.nodes)):
        word, bit = start + (number >> 6), 1 << (number & 63)
        if row[word] & bit:
            if not all_steps:
                return True
        elif _contradicts(closure, conclusions, 2 * closure.nodes[number] + true):
            row[word] |= bit
            if not all_steps:
                return True
    return False


@kernel
def take_next(closure: Closure, conclusions: Conclusions) -> Any:
    """Remove the first conclusion from `conclusions.row` and return its literal, or −1.

    Candidates that must be true come first. A literal is 2 × node + 1 for them, and 2 × node for
    those that must be false. The result is −1 if no conclusion is left.
    """
    row = conclusions.row
    for word in range(len(row)):
        if row[word]:
            bit = ctz(row[word])
            row[word] &= row[word] - 1
            if word < closure.half:
                return 2 * closure.nodes[64 * word + bit] + 1
            return 2 * closure.nodes[64 * (word - closure.half) + bit]
    return -1


@kernel
def derive(closure: Closure, conclusions: Conclusions, target: int, turn: int) -> Any:
    """Write the chains of one derivation of a literal to `conclusions.derivation`.

    The literal `target` can have several derivations: first a contradiction, then verities. `turn`
    (from 0) selects one of them. Returns its technique code, or 0 if there are no more derivations.
    """
    derivation = conclusions.derivation
    if _contradicts(closure, conclusions, target ^ 1):
        if turn == 0:
            return CONTRADICTION_CODE
        turn -= 1
    for unit in range(conclusions.units.counts[_UNITS]):
        derivation.counts[0] = 0
        _add_starts(closure, derivation, conclusions.units.sets[unit])
        if _lead_to(closure, derivation, target):
            if turn == 0:
                return VERITY_CODE
            turn -= 1
    for node in closure.nodes:
        if node // closure.size == (target >> 1) // closure.size:
            continue
        derivation.counts[0] = 0
        _add_chain(derivation, 2 * node + 1, 0)
        _add_chain(derivation, 2 * node, 0)
        if _lead_to(closure, derivation, target):
            if turn == 0:
                return VERITY_CODE
            turn -= 1
    return 0


@kernel
def _contradicts(closure: Closure, conclusions: Conclusions, start: int) -> bool:
    """Return whether a literal leads to a contradiction, and write the chains that lead to it.

    A contradiction is a candidate that becomes both true and false, or a unit whose candidates all
    become false. Houses that have lost places to eliminations don't count as such units. The chains
    are written to `conclusions.derivation`, which is empty if there is no contradiction.
    """
    units, derivation, half = conclusions.units, conclusions.derivation, closure.half
    row = closure.rows[row_of(closure, start)]
    derivation.counts[0] = 0
    clash = 0
    for word in range(half):
        clash |= row[word] & row[half + word]
    if clash:
        _derive_clash(closure, derivation, row, start)
        return True
    falses = 0
    for word in range(half):
        falses += popcount(row[half + word])
    if falses < units.counts[_SMALLEST]:
        return False
    # Houses are checked before cells.
    cells, count = units.counts[_CELLS], units.counts[_UNITS]
    for turn in range(count):
        unit = turn + cells if turn + cells < count else turn + cells - count
        if not units.whole[unit]:
            continue
        word = units.first[unit]
        while word < half and units.sets[unit, word] & ~row[half + word] == 0:
            word += 1
        if word == half:
            _add_starts(closure, derivation, units.sets[unit])
            for number in range(derivation.counts[0]):
                derivation.ends[number, 1] = derivation.ends[number, 0] ^ 1
                derivation.ends[number, 0] = start
            return True
    return False


@kernel
def _derive_clash(closure: Closure, derivation: Derivation, row: Words, start: int) -> None:
    """Write to `derivation` how `start` leads to a candidate that is both true and false.

    If `start` leads to its own opposite, this is one chain. Otherwise, it is two chains, to a
    clashing candidate with the lowest value. `row` is the start's row of the closure, and must
    contain a clash.
    """
    half, size = closure.half, closure.size
    if follows_in(closure, row, start ^ 1):
        _add_chain(derivation, start, start ^ 1)
        return
    least = end = -1
    for word in range(half):
        clash = row[word] & row[half + word]
        while clash:
            node = closure.nodes[64 * word + ctz(clash)]
            clash &= clash - 1
            value = node % size
            if least < 0 or value < least:
                least, end = value, 2 * node
    _add_chain(derivation, start, end)
    _add_chain(derivation, start, end + 1)


@kernel
def _lead_to(closure: Closure, derivation: Derivation, target: int) -> Any:
    """Return whether the literal `target` follows from the start of every chain.

    Sets the end of each chain to `target`, up to the first chain for which it doesn't follow.
    Returns False as well if there are no chains.
    """
    for number in range(derivation.counts[0]):
        row = closure.rows[row_of(closure, derivation.ends[number, 0])]
        if not follows_in(closure, row, target):
            return False
        derivation.ends[number, 1] = target
    return derivation.counts[0] > 0


@kernel
def _add_starts(closure: Closure, derivation: Derivation, unit: Words) -> None:
    """Add a chain for each candidate of a unit. Its first literal is that the candidate is true."""
    for word in range(len(unit)):
        rest = unit[word]
        while rest:
            _add_chain(derivation, 2 * closure.nodes[64 * word + ctz(rest)] + 1, 0)
            rest &= rest - 1


@kernel
def _add_chain(derivation: Derivation, start: int, end: int) -> None:
    """Add a chain with its first and its last literal, unless there are too many chains."""
    count = derivation.counts[0]
    if count < _MOST_CHAINS:
        derivation.ends[count, 0], derivation.ends[count, 1] = start, end
        derivation.counts[0] = count + 1


@kernel
def begin_conclusion(board: Board, buffer: Ints, code: int, target: int) -> None:
    """Begin a deduction that places a candidate or removes it.

    `target` is a literal: the candidate is true (placed) or false (removed).
    """
    begin(buffer, code)
    cell, value = (target >> 1) // board.value_count, (target >> 1) % board.value_count + 1
    note(buffer, PLACE if target & 1 else REMOVE, cell, value)
