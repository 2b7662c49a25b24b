"""Forcing chains and nets: a candidate that leads to a contradiction, or all ways to one end.

Chains follow links alone; nets also place the singles that come up (see `solver.logic.nets`).
Either something impossible follows from a candidate, true or false (contradiction), or the same
follows from each of some candidates of which one is true (verity).
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from solver.compiling.jit import bare, compiled, inner
from solver.compiling.words import lowest, ones
from solver.logic.board import Board, Ints, Words
from solver.logic.grid import Grid, empty_grid
from solver.logic.implications import (
    GROUPS,
    cell_of,
    cells_of,
    implications,
    is_group,
    literal,
    value_of,
)
from solver.logic.nets import net_of
from solver.logic.record import (
    CHAIN,
    FIRST,
    MORE,
    PLACE,
    REMOVE,
    ROWS,
    STRONG,
    WEAK,
    begin,
    note,
    note_cells,
)
from solver.logic.sets import allowed_places
from solver.logic.technique import small_board
from solver.logic.techniques.nice_loops import reach

CONTRADICTION_CODE, VERITY_CODE = 1301, 1302
_NET = 2  # how much higher the codes of nets are
_ROOM = 1 << 18
_MOST_CHAINS = 64


class Reached(NamedTuple):
    """The candidates that follow from each literal, as sets of cells by value."""

    true: Words  # (literals of candidates, size + 1, 2)
    false: Words
    allowed: Words  # (size + 1, 2): open cells that see no cell with a value


class Ways(NamedTuple):
    """The chains of one derivation, each from a literal to another one."""

    ends: Ints  # (·, 2)
    many: Ints  # (1,): how many there are


class Trail(NamedTuple):
    """One list of conclusions with all that follows from them, and a chain through it."""

    order: Ints  # literals
    place_of: Ints  # (literals,): 1 + place in `order`; 0 for none
    parent: Ints  # by place: the literal whose list it was found in
    direct: Ints  # by place: 1 if it is in the list of the start
    distance: Ints  # by place
    path: Ints  # the chain, from its end
    ends: Ints  # (2,): length of `order`, length of `path`


@bare
def _mark(board: Any, found: Any, reached: Any, start: int, order: Any, count: int) -> None:
    """Write the candidates among literals as sets."""
    for value in range(1, board.value_count + 1):
        for word in range(2):
            reached.true[start, value, word] = 0
            reached.false[start, value, word] = 0
    for at in range(count):
        of = order[at]
        if is_group(found, of):
            continue
        cell, value = (of >> 1) // board.value_count, (of >> 1) % board.value_count + 1
        if of & 1:
            reached.true[start, value, cell >> 6] |= 1 << (cell & 63)
        else:
            reached.false[start, value, cell >> 6] |= 1 << (cell & 63)


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
def _take_next(board: Any, true: Any, false: Any) -> Any:
    """Take the first conclusion out, those that are true first; −1 if there is none."""
    for turn in range(2):
        sets = false if turn else true
        for cell in range(board.cell_count):
            for value in range(1, board.value_count + 1):
                if sets[value, cell >> 6] >> (cell & 63) & 1:
                    sets[value, cell >> 6] &= ~(1 << (cell & 63))
                    return literal(board, cell, value, 1 - turn)
    return -1


@compiled
def find_forcing_chain(board: Any, grid: Any, found: Any, buffer: Any, every: int) -> None:
    """Look for all that chains enforce; the first placement, or else elimination, counts."""
    literals = len(found.counts)
    order = np.empty(literals, np.int32)
    parent = np.empty(literals, np.int32)
    depth = np.empty(literals, np.int32)
    seen = np.zeros(literals, np.int32)
    candidates = 2 * found.sizes[0]
    reached = Reached(
        np.empty((candidates, board.value_count + 1, 2), np.int64),
        np.empty((candidates, board.value_count + 1, 2), np.int64),
        np.zeros((board.value_count + 1, 2), np.int64),
    )
    allowed_places(board, grid, reached.allowed)
    stamp = 0
    _close(board, grid, found, reached)
    ways = Ways(np.empty((_MOST_CHAINS, 2), np.int32), np.zeros(1, np.int32))
    true = np.zeros((board.value_count + 1, 2), np.int64)
    false = np.zeros((board.value_count + 1, 2), np.int64)
    _conclude(board, grid, reached, ways, true, false)
    while True:
        target = _take_next(board, true, false)
        if target < 0:
            return
        code = _derive(board, grid, reached, ways, target, 0)
        _open(board, buffer, code, target)
        for number in range(ways.many[0]):
            start, end = ways.ends[number, 0], ways.ends[number, 1]
            stamp += 1
            reach(found, start, order, parent, depth, seen, stamp)
            length = 1
            of = end
            while of != start:
                of = parent[of]
                length += 1
            of = end
            for at in range(length - 1, -1, -1):
                order[at] = of
                of = parent[of]
            _write(board, found, buffer, order, length)
        if not every:
            return


@bare
def _derive(board: Any, grid: Any, reached: Any, ways: Any, target: int, turn: int) -> Any:
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
def _open(board: Any, buffer: Any, code: int, target: int) -> None:
    begin(buffer, code)
    cell, value = (target >> 1) // board.value_count, (target >> 1) % board.value_count + 1
    note(buffer, PLACE if target & 1 else REMOVE, cell, value)


@bare
def _write(board: Any, found: Any, buffer: Any, path: Any, length: int) -> None:
    """Write a chain of literals."""
    note(buffer, CHAIN, 0, 0)
    for at in range(length):
        of = path[at]
        link = STRONG if of & 1 else WEAK
        cell = cell_of(board, found, of)
        note(buffer, link if at else FIRST, cell, value_of(board, found, of))
        if is_group(found, of):
            low, high = cells_of(board, found, of)
            if cell < 64:
                low &= ~(1 << cell)
            else:
                high &= ~(1 << (cell & 63))
            note_cells(buffer, MORE, low, high, 0)


@compiled
def find_forcing_net(board: Any, grid: Any, net: Any, buffer: Any, every: int) -> None:
    """Look for all that nets enforce; the first placement, or else elimination, counts.

    What a chain would have shown is left out.
    """
    found = net.found
    literals = len(found.counts)
    candidates = 2 * found.sizes[0]
    reached = Reached(
        np.empty((candidates, board.value_count + 1, 2), np.int64),
        np.empty((candidates, board.value_count + 1, 2), np.int64),
        np.zeros((board.value_count + 1, 2), np.int64),
    )
    allowed_places(board, grid, reached.allowed)
    _close(board, grid, found, reached)
    ways = Ways(np.empty((_MOST_CHAINS, 2), np.int32), np.zeros(1, np.int32))
    true = np.zeros((board.value_count + 1, 2), np.int64)
    false = np.zeros((board.value_count + 1, 2), np.int64)
    _conclude(board, grid, reached, ways, true, false)
    trail = Trail(
        np.empty(literals, np.int32),
        np.zeros(literals, np.int32),
        np.empty(literals, np.int32),
        np.empty(literals, np.int32),
        np.empty(literals, np.int32),
        np.empty(literals, np.int32),
        np.zeros(2, np.int32),
    )
    while True:
        target = _take_next(board, true, false)
        if target < 0:
            return
        turn = 0
        while True:
            code = _derive(board, grid, reached, ways, target, turn)
            turn += 1
            branches = False
            for number in range(ways.many[0] if code else 0):
                _expand(net, trail, ways.ends[number, 0])
                branches |= _walk(net, trail, ways.ends[number, 1])
            if code == 0 or branches:
                break
        if code == 0:
            continue
        _open(board, buffer, code + _NET, target)
        for number in range(ways.many[0]):
            _expand(net, trail, ways.ends[number, 0])
            _walk(net, trail, ways.ends[number, 1])
            length = trail.ends[1]
            for at in range(length):
                trail.order[at] = trail.path[length - 1 - at]
            _write(board, found, buffer, trail.order, length)
        if not every:
            return


@inner
def _close(board: Any, grid: Any, found: Any, reached: Any) -> None:
    """Find all that follows from each candidate, in any order, with sets of literals."""
    size = board.value_count
    literals = 2 * (found.sizes[0] + found.sizes[1])
    words = (literals + 63) >> 6
    direct = np.zeros((literals, words), np.int64)
    for of in range(literals):
        for number in range(found.counts[of]):
            then = found.follows[of, number]
            direct[of, then >> 6] |= 1 << (then & 63)
    # What follows from a literal that was followed before is known as a whole.
    closed = np.zeros((literals, words), np.int64)
    done = np.zeros(literals, np.uint8)
    order = np.empty(literals, np.int32)
    for start in range(2 * found.sizes[0]):
        if not grid.cells[(start >> 1) // size] >> ((start >> 1) % size) & 1:
            continue
        seen = closed[start]
        seen[start >> 6] |= 1 << (start & 63)
        order[0] = start
        count = 1
        at = 0
        while at < count:
            of = order[at]
            at += 1
            for word in range(words):
                if done[of]:
                    seen[word] |= closed[of, word]
                    continue
                more = direct[of, word] & ~seen[word]
                seen[word] |= more
                while more:
                    order[count] = 64 * word + lowest(more)
                    count += 1
                    more &= more - 1
        done[start] = 1
        count = 0
        for word in range(words):
            more = seen[word]
            while more:
                order[count] = 64 * word + lowest(more)
                count += 1
                more &= more - 1
        _mark(board, found, reached, start, order, count)


@bare
def _distance(net: Any, of: int, entry: int) -> Any:
    """Return how far an entry of a list is from its literal."""
    if entry < net.lengths[of] + 1:
        return net.reasons[net.starts[of] + entry, 5]
    return 2


@bare
def _expand(net: Any, trail: Any, start: int) -> None:
    """List what follows from a literal, then what follows from that, each by the nearest way."""
    found = net.found
    for at in range(trail.ends[0]):
        trail.place_of[trail.order[at]] = 0
    trail.order[0] = start
    trail.place_of[start] = 1
    trail.direct[0] = 1
    trail.distance[0] = 1
    count = 1
    for number in range(found.counts[start]):
        then = found.follows[start, number]
        if trail.place_of[then]:
            continue
        trail.order[count] = then
        trail.place_of[then] = count + 1
        trail.direct[count] = 1
        trail.parent[count] = number + 1  # the entry in the list of the start
        trail.distance[count] = _distance(net, start, number + 1)
        count += 1
    at = 1
    while at < count:
        of = trail.order[at]
        base = trail.distance[at]
        at += 1
        for number in range(found.counts[of]):
            then = found.follows[of, number]
            far = base + _distance(net, of, number + 1)
            place_of = trail.place_of[then] - 1
            if place_of < 0:
                place_of = count
                trail.order[count] = then
                trail.place_of[then] = count + 1
                count += 1
            elif trail.direct[place_of] or trail.distance[place_of] <= far:
                continue
            trail.direct[place_of] = 0
            trail.parent[place_of] = of
            trail.distance[place_of] = far
    trail.ends[0] = count


@bare
def _walk(net: Any, trail: Any, end: int) -> bool:
    """Write the chain from the start to a literal, backwards; return whether it has branches."""
    found = net.found
    start = trail.order[0]
    trail.path[0] = end
    length = 1
    branches = False
    at = trail.place_of[end] - 1
    while at > 0 and length < len(trail.path) - 1:
        if trail.direct[at]:
            of, entry = start, trail.parent[at]
        else:
            of, entry = trail.parent[at], 0
            for number in range(found.counts[of]):
                if found.follows[of, number] == trail.order[at]:
                    entry = number + 1
        while entry and length < len(trail.path) - 1:
            reason = 0
            if entry < net.lengths[of] + 1:
                row = net.reasons[net.starts[of] + entry]
                reason = row[0]
                for number in range(1, 5):
                    branches |= row[number] != 0
            trail.path[length] = found.follows[of, reason - 1] if reason else of
            length += 1
            entry = reason
        at = trail.place_of[of] - 1
    trail.ends[1] = length
    return branches


@dataclass(frozen=True, slots=True)
class Forcing:
    """Forcing chains, or nets, which need a grid to try candidates on."""

    codes: tuple[str, ...]
    net: bool = False

    def applies(self, board: Board) -> bool:
        """Return whether a set of cells is small enough."""
        return small_board(board)

    def first(self, board: Board, grid: Grid, buffer: Ints) -> bool:
        """Write the deduction that HoDoKu would choose; return whether there is one."""
        self._search(board, grid, buffer, 0)
        return bool(buffer[1])

    def every(self, board: Board, grid: Grid, buffer: Ints) -> None:
        """Write all deductions; `buffer[2]` tells that there was no room for all."""
        self._search(board, grid, buffer, 1)

    def _search(self, board: Board, grid: Grid, buffer: Ints, every: int) -> None:
        buffer[:ROWS] = ROWS, 0, 0
        if self.net:
            net = net_of(board, grid, empty_grid(board), _ROOM)
            find_forcing_net(board, grid, net, buffer, every)
        else:
            find_forcing_chain(board, grid, implications(board, grid, GROUPS), buffer, every)


FORCING_CHAIN = Forcing(("1301", "1302"))
FORCING_NET = Forcing(("1303", "1304"), net=True)
