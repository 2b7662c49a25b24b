"""Nice loops and alternating inference chains, with single candidates or with groups.

From each candidate, true or false, all that follows is found, nearest first. A loop leads back to
the cell where it began; a chain from a false candidate to a true one says that one of both is true.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.compiling.jit import bare, compiled
from solver.compiling.words import lowest, ones
from solver.logic.almost import almost_locked_sets, no_sets
from solver.logic.board import Board, Ints
from solver.logic.choice import (
    FIRST_KEY,
    add,
    best,
    drop,
    eliminate,
    eliminate_one,
    eliminations,
    jot,
    new_choice,
    same_as,
)
from solver.logic.grid import Grid
from solver.logic.implications import (
    GROUPS,
    SETS,
    STEP,
    cell_of,
    cells_of,
    implications,
    is_group,
    peers_of,
    value_of,
)
from solver.logic.record import CHAIN, FIRST, MORE, ROWS, STRONG, WEAK, write_choices
from solver.logic.set_nodes import add_sets
from solver.logic.technique import small_board

CONTINUOUS_CODE, DISCONTINUOUS_CODE, AIC_CODE = 706, 707, 708
_GROUPED = 3  # how much higher the codes of the grouped ones are
_ROOM = 2048
_SINGLE, _BOTH, _GROUPED_ONLY, _WITH_SETS = range(4)


@bare
def reach(found: Any, start: int, order: Any, parent: Any, far: Any, seen: Any, stamp: int) -> Any:
    """Find all that follows from a literal, nearest first; return how many literals there are.

    `order` lists them from the start on; `parent` and `far` go by literal, where `seen` is the
    stamp. Where a link costs more than a step, a shorter way may be found later; what follows
    from the start itself stays so.
    """
    order[0] = start
    seen[start] = stamp
    far[start] = 0
    parent[start] = start
    count = 1
    at = 0
    costly = len(found.costs) > 1
    while at < count:
        of = order[at]
        at += 1
        for number in range(found.counts[of]):
            then = found.follows[of, number]
            further = far[of] + (found.costs[of, number] if costly else STEP)
            if seen[then] != stamp:
                seen[then] = stamp
                order[count] = then
                count += 1
            elif not costly or parent[then] == start or far[then] <= further:
                continue
            parent[then] = of
            far[then] = further
    return count


@compiled
def find_nice_loop(
    board: Any,
    grid: Any,
    found: Any,
    sets: Any,
    nodes: Any,
    buffer: Any,
    every: int,
    scope: int,
) -> None:
    """Look for loops from true candidates, from false ones, then for chains from false ones."""
    literals = len(found.counts)
    order = np.empty(literals, np.int32)
    parent = np.empty(literals, np.int32)
    far = np.empty(literals, np.int32)
    seen = np.zeros(literals, np.int32)
    path = np.empty(literals, np.int32)
    choice = new_choice(_ROOM)
    chained = np.zeros(found.sizes[0], np.uint8)
    stamp = 0
    for true in (1, 0, 2):
        for node in range(found.sizes[0]):
            cell, value = node // board.value_count, node % board.value_count + 1
            if not grid.cells[cell] >> (value - 1) & 1 or (true == 2 and not chained[node]):
                continue
            start = 2 * node + (true & 1)
            stamp += 1
            count = reach(found, start, order, parent, far, seen, stamp)
            for at in range(1, count):
                end = order[at]
                if is_group(found, end):
                    continue
                end_cell = (end >> 1) // board.value_count
                if true == 2:
                    if end & 1 and far[end] > STEP and end_cell != cell:
                        _check_chain(board, grid, found, choice, start, end, parent, path, scope)
                elif end_cell == cell:
                    if far[end] > STEP:
                        _check_loop(
                            board, grid, found, sets, nodes, choice, start, end, parent, path, scope
                        )
                elif true == 0 and end & 1:
                    chained[node] = 1
    write_choices(buffer, choice, best(choice), every)


@bare
def _trace(board: Any, found: Any, start: int, end: int, parent: Any, path: Any, loop: int) -> Any:
    """Write the way from one literal to another; return its length, 0 if it crosses itself."""
    length = 1
    of = end
    while of != start:
        of = parent[of]
        length += 1
    of = end
    for at in range(length - 1, -1, -1):
        path[at] = of
        of = parent[of]
    first = cell_of(board, found, start)
    if loop and cell_of(board, found, path[length - 2]) == cell_of(board, found, end):
        return 0
    low, high = 0, 0
    for at in range(length):
        cell = cell_of(board, found, path[at])
        if (low if cell < 64 else high) >> (cell & 63) & 1:
            return 0
        # Neighbours in the chain may share a cell, and a loop may come back to its first one.
        if at > 0:
            before = path[at - 1]
            if not loop or cell_of(board, found, before) != first:
                a, b = cells_of(board, found, before)
                low |= a
                high |= b
    return length


@bare
def _check_loop(
    board: Any,
    grid: Any,
    found: Any,
    sets: Any,
    nodes: Any,
    choice: Any,
    start: int,
    end: int,
    parent: Any,
    path: Any,
    scope: int,
) -> None:
    """Keep what a way back to the first cell removes."""
    length = _trace(board, found, start, end, parent, path, 1)
    if length == 0:
        return
    cell = cell_of(board, found, start)
    if cell_of(board, found, path[1]) == cell:
        return
    strong_first, strong_last = start & 1 == 0, end & 1 == 1
    one, other = value_of(board, found, start), value_of(board, found, end)
    code = DISCONTINUOUS_CODE
    if one == other and strong_first == strong_last:
        if strong_first:
            rest = grid.cells[cell] & ~(1 << (one - 1))
            while rest:
                eliminate_one(choice, cell, lowest(rest) + 1)
                rest &= rest - 1
        else:
            eliminate_one(choice, cell, one)
    elif one != other and strong_first != strong_last:
        eliminate_one(choice, cell, other if strong_first else one)
    elif strong_first or strong_last or ones(grid.cells[cell]) == 2:
        code = CONTINUOUS_CODE
        _eliminate_round(board, grid, found, sets, nodes, choice, path, length)
        _eliminate_by_sets(board, grid, found, sets, nodes, choice, path, length)
    else:
        return
    _keep(board, found, choice, code, path, length, scope)


@bare
def _peers_by(board: Any, found: Any, sets: Any, nodes: Any, of: int, value: int) -> Any:
    """Return what sees a value in the cells of a literal, as two words; a set has many values."""
    group = (of >> 1) - found.sizes[0]
    if group >= found.sizes[1]:
        number = nodes[group - found.sizes[1]]
        return sets.peers[number, value, 0], sets.peers[number, value, 1]
    return peers_of(board, found, of)


@bare
def _eliminate_round(
    board: Any,
    grid: Any,
    found: Any,
    sets: Any,
    nodes: Any,
    choice: Any,
    path: Any,
    length: int,
) -> None:
    """Remove what sees both ends of a weak link, and what two strong links leave to no one."""
    first, last = path[0], path[length - 1]
    start = cell_of(board, found, first)
    used_low, used_high = 0, 0
    for at in range(length - 1):
        low, high = cells_of(board, found, path[at])
        used_low |= low
        used_high |= high
    if start < 64:
        used_low |= 1 << start
    else:
        used_high |= 1 << (start & 63)
    if first & 1 == 0 and last & 1:
        _eliminate_rest(board, grid, found, choice, first, last)
    for at in range(1, length):
        of = path[at]
        cell = cell_of(board, found, of)
        apart = cell_of(board, found, path[at - 1]) != cell
        if of & 1 and apart and at <= length - 3:
            middle, next_one = path[at + 1], path[at + 2]
            if (
                middle & 1 == 0
                and cell_of(board, found, middle) == cell
                and next_one & 1
                and cell_of(board, found, next_one) != cell
            ):
                _eliminate_rest(board, grid, found, choice, of, next_one)
        if of & 1 == 0 and apart:
            value = value_of(board, found, of)
            a_low, a_high = _peers_by(board, found, sets, nodes, path[at - 1], value)
            b_low, b_high = peers_of(board, found, of)
            low = a_low & b_low & ~used_low & grid.places[value, 0]
            high = a_high & b_high & ~used_high & grid.places[value, 1]
            eliminate(choice, low, high, value)


@bare
def _eliminate_by_sets(
    board: Any,
    grid: Any,
    found: Any,
    sets: Any,
    nodes: Any,
    choice: Any,
    path: Any,
    length: int,
) -> None:
    """Remove what the sets of a loop hold for themselves: they lose a value in any case."""
    for at in range(1, length):
        of = path[at]
        cell = cell_of(board, found, of)
        group = (of >> 1) - found.sizes[0]
        if group < found.sizes[1] or of & 1 or cell_of(board, found, path[at - 1]) == cell:
            continue
        number = nodes[group - found.sizes[1]]
        leaving = 0
        left = 0
        next_cell = 0
        if at < length - 1:
            next_one = path[at + 1]
            next_cell = cell_of(board, found, next_one)
            left = 1 << (value_of(board, found, next_one) - 1)
            if next_one & 1:
                # The set takes all but one of the candidates of the next cell.
                leaving = left = grid.cells[next_cell] & ~left
        rest = sets.values[number] & ~left & ~(1 << (value_of(board, found, of) - 1))
        while rest:
            value = lowest(rest) + 1
            rest &= rest - 1
            low, high = sets.peers[number, value, 0], sets.peers[number, value, 1]
            eliminate(choice, low, high, value)
        while leaving:
            value = lowest(leaving) + 1
            leaving &= leaving - 1
            low = sets.peers[number, value, 0] & board.peer_sets[next_cell, 0]
            high = sets.peers[number, value, 1] & board.peer_sets[next_cell, 1]
            eliminate(choice, low, high, value)


@bare
def _eliminate_rest(board: Any, grid: Any, found: Any, choice: Any, one: int, other: int) -> None:
    """Remove all but two values from the cell of a literal."""
    cell = cell_of(board, found, one)
    rest = grid.cells[cell] & ~(1 << (value_of(board, found, one) - 1))
    rest &= ~(1 << (value_of(board, found, other) - 1))
    while rest:
        eliminate_one(choice, cell, lowest(rest) + 1)
        rest &= rest - 1


@bare
def _check_chain(
    board: Any,
    grid: Any,
    found: Any,
    choice: Any,
    start: int,
    end: int,
    parent: Any,
    path: Any,
    scope: int,
) -> None:
    """Keep what neither end of a chain allows, if it is more than a loop would remove."""
    cell, other_cell = cell_of(board, found, start), cell_of(board, found, end)
    value, other = value_of(board, found, start), value_of(board, found, end)
    if value == other:
        low = board.peer_sets[cell, 0] & board.peer_sets[other_cell, 0] & grid.places[value, 0]
        high = board.peer_sets[cell, 1] & board.peer_sets[other_cell, 1] & grid.places[value, 1]
        if ones(low) + ones(high) < 2:
            return
    elif not (
        board.sees[cell, other_cell]
        and grid.cells[other_cell] >> (value - 1) & 1
        and grid.cells[cell] >> (other - 1) & 1
    ):
        return
    length = _trace(board, found, start, end, parent, path, 0)
    if length == 0:
        return
    if value == other:
        eliminate(choice, low, high, value)
    else:
        eliminate_one(choice, cell, other)
        eliminate_one(choice, other_cell, value)
    _keep(board, found, choice, AIC_CODE, path, length, scope)


@bare
def _keep(
    board: Any, found: Any, choice: Any, code: int, path: Any, length: int, scope: int
) -> None:
    """Keep a loop or chain if it is shorter than others that remove the same."""
    grouped = False
    for at in range(length):
        grouped |= is_group(found, path[at])
    if eliminations(choice) == 0 or (scope >= _GROUPED_ONLY and not grouped):
        drop(choice)
        return
    known = same_as(choice)
    if known >= 0 and choice.options[known, FIRST_KEY] <= length:
        drop(choice)
        return
    if not add(choice, code + (_GROUPED if grouped else 0), length, 0):
        return
    jot_path(board, found, choice, path, length)


@bare
def jot_path(board: Any, found: Any, choice: Any, path: Any, length: int) -> None:
    """Note a chain of literals."""
    jot(choice, CHAIN, 0, 0)
    for at in range(length):
        of = path[at]
        link = STRONG if of & 1 else WEAK
        cell, value = cell_of(board, found, of), value_of(board, found, of)
        jot(choice, link if at else FIRST, cell, value)
        if is_group(found, of):
            low, high = cells_of(board, found, of)
            if cell < 64:
                low &= ~(1 << cell)
            else:
                high &= ~(1 << (cell & 63))
            while low:
                jot(choice, MORE, lowest(low), 0)
                low &= low - 1
            while high:
                jot(choice, MORE, 64 + lowest(high), 0)
                high &= high - 1


@dataclass(frozen=True, slots=True)
class NiceLoop:
    """Loops and chains of single candidates, with groups besides, or with sets as well."""

    codes: tuple[str, ...]
    scope: int

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
        if self.scope == _WITH_SETS:
            found = implications(board, grid, SETS)
            sets = almost_locked_sets(board, grid)
            nodes = add_sets(board, grid, found, sets)
        else:
            found = implications(board, grid, min(self.scope, GROUPS))
            sets, nodes = no_sets(), _NO_NODES
        find_nice_loop(board, grid, found, sets, nodes, buffer, every, self.scope)


_NO_NODES = np.zeros(1, np.int32)
_GROUPED_CODES = ("0709", "0710", "0711")
NICE_LOOP = NiceLoop(("0706", "0707", "0708"), _SINGLE)
GROUPED_NICE_LOOP = NiceLoop(_GROUPED_CODES, _BOTH)
ONLY_GROUPED = NiceLoop(_GROUPED_CODES, _GROUPED_ONLY)
WITH_SETS = NiceLoop(_GROUPED_CODES, _WITH_SETS)
