"""Simulate each candidate, true and false: follow its links and place the singles that arise.

Each conclusion is stored with its reasons, the earlier conclusions that it depends on. An entry is
the position of a conclusion in a literal's list, where 0 is the literal itself. So entry e is
`follows[·, e − 1]`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import helper, kernel
from solver.logic.board import Ints
from solver.logic.grid import (
    CHANGES,
    HIDDEN_FROM,
    HIDDEN_TO,
    NAKED_FROM,
    NAKED_TO,
    place,
    remove,
    restore,
    saved,
)
from solver.logic.implications import Implications, add_groups, literal

_ROUNDS = 4
_LONGEST = 1000  # conclusions per literal
_REASONS = 5


class Net(NamedTuple):
    """The conclusions from each literal, with the reasons for each."""

    found: Implications
    # (·, 6): the entries that it depends on, latest first; then its distance
    reasons: NDArray[np.int16]
    starts: Ints  # (literals,): index of the first row of `reasons` for the literal's list
    lengths: Ints  # (literals,): number of list entries with reasons; groups come after them


class _Scratch(NamedTuple):
    """The working memory of one simulation."""

    singles: Ints  # (·, 3): cell, value, 1 for a naked single
    entry: Ints  # (literals,): 1 + the literal's entry, 0 if it has none
    ends: Ints  # (2,): number of rows in `reasons`, number of `singles`
    seen: Ints  # (cells,): 1 if the cell already has a hidden single in the list


@helper
def net_of(board: Any, grid: Any, room: int) -> Any:
    """Simulate each candidate on the grid, true and false, and return the conclusions.

    The grid is restored afterwards. `room` is the maximum number of conclusions with reasons.
    """
    candidates = board.cell_count * board.value_count
    literals = 2 * (candidates + 1024)
    found = Implications(
        np.empty((literals, _LONGEST), np.int16),
        np.empty((1, 1), np.int16),
        np.zeros(literals, np.int32),
        np.empty((1024, 4), np.int64),
        np.empty((1024, 2), np.int64),
        np.zeros(3, np.int32),
    )
    found.sizes[0] = candidates
    net = Net(
        found,
        np.empty((room, _REASONS + 1), np.int16),
        np.zeros(literals, np.int32),
        np.zeros(literals, np.int32),
    )
    scratch = _Scratch(
        np.empty((2 * board.cell_count * board.value_count + 8, 3), np.int32),
        np.zeros(literals, np.int32),
        np.zeros(2, np.int32),
        np.zeros(board.cell_count, np.int32),
    )
    before = saved(grid)
    for cell in range(board.cell_count):
        rest = before.cells[cell]
        while rest:
            value = ctz(rest) + 1
            rest &= rest - 1
            for true in (1, 0):
                _start_anew(board, before, grid)
                _try(board, before, grid, net, scratch, cell, value, true)
    restore(before, grid)
    add_groups(board, grid, found)
    return net


@kernel
def _start_anew(board: Any, before: Any, grid: Any) -> None:
    """Reset the grid to its saved state, with empty queues of singles."""
    for cell in range(board.cell_count):
        grid.values[cell] = before.values[cell]
        grid.cells[cell] = before.cells[cell]
    for value in range(1, board.value_count + 1):
        grid.places[value, 0] = before.places[value, 0]
        grid.places[value, 1] = before.places[value, 1]
    for house in range(board.house_count):
        for value in range(1, board.value_count + 1):
            grid.free[house, value] = before.free[house, value]
    for number in range(CHANGES):
        grid.counts[number] = 0


@kernel
def _try(
    board: Any, before: Any, grid: Any, net: Any, scratch: Any, cell: int, value: int, true: int
) -> None:
    """Simulate one literal and write the list of its conclusions."""
    start = literal(board, cell, value, true)
    net.starts[start] = scratch.ends[0]
    if true:
        _set(board, before, grid, net, scratch, start, cell, value, 0, 0)
    else:
        remove(board, grid, cell, value)
        _enter(net, scratch, start, start, 0)
        left = grid.cells[cell]
        if popcount(left) == 1:
            _set(board, before, grid, net, scratch, start, cell, ctz(left) + 1, 0, 1)
    for _ in range(_ROUNDS):
        _collect(board, grid, scratch)
        for number in range(scratch.ends[1]):
            single = scratch.singles[number]
            _set(board, before, grid, net, scratch, start, single[0], single[1], 1, single[2])
    net.lengths[start] = net.found.counts[start]
    scratch.entry[start] = 0
    for number in range(net.found.counts[start]):
        scratch.entry[net.found.follows[start, number]] = 0


@kernel
def _collect(board: Any, grid: Any, scratch: Any) -> None:
    """List the current singles: naked ones, then hidden ones, in the order in which they arose."""
    count = 0
    for at in range(grid.counts[NAKED_FROM], grid.counts[NAKED_TO]):
        if grid.values[grid.naked[0, at]] == 0:
            scratch.singles[count, 0] = grid.naked[0, at]
            scratch.singles[count, 1] = grid.naked[1, at]
            scratch.singles[count, 2] = 1
            count += 1
    first = count
    for at in range(grid.counts[HIDDEN_FROM], grid.counts[HIDDEN_TO]):
        cell, value = grid.hidden[0, at], grid.hidden[1, at]
        if grid.values[cell] or scratch.seen[cell]:
            continue
        number = 0
        while board.cell_houses[cell, number] >= 0:
            house = board.cell_houses[cell, number]
            number += 1
            if board.complete[house] and grid.free[house, value] == 1:
                scratch.singles[count, 0] = cell
                scratch.singles[count, 1] = value
                scratch.singles[count, 2] = 0
                scratch.seen[cell] = 1
                count += 1
                break
    for number in range(first, count):
        scratch.seen[scratch.singles[number, 0]] = 0
    scratch.ends[1] = count


@kernel
def _enter(net: Any, scratch: Any, start: int, of: int, reason: int) -> None:
    """Add a conclusion to a list, unless it is there. `reason` is an entry that it depends on."""
    if scratch.entry[of]:
        return
    entry = net.found.counts[start] + 1 if scratch.entry[start] else 0
    at = scratch.ends[0]
    if entry >= _LONGEST or at >= len(net.reasons):
        return
    if entry:
        net.found.follows[start, entry - 1] = of
        net.found.counts[start] = entry
    scratch.entry[of] = entry + 1
    scratch.ends[0] = at + 1
    for number in range(_REASONS):
        net.reasons[at, number] = 0
    net.reasons[at, 0] = reason
    before = net.reasons[net.starts[start] + reason, _REASONS] if entry else 0
    net.reasons[at, _REASONS] = before + 1


@kernel
def _set(
    board: Any,
    before: Any,
    grid: Any,
    net: Any,
    scratch: Any,
    start: int,
    cell: int,
    value: int,
    reasoned: int,
    naked: int,
) -> None:
    """Place a value, and add the consequences for its cell and its peers to a list."""
    own = grid.cells[cell]
    reason = net.found.counts[start] + 1 if scratch.entry[start] else 0
    house = -1
    if reasoned and not naked:
        house = _narrowest(board, grid, cell, value)
    if grid.values[cell] != value:
        place(board, grid, cell, value)
    of = literal(board, cell, value, 1)
    if not scratch.entry[of]:
        at = scratch.ends[0]
        _enter(net, scratch, start, of, 0)
        if reasoned and scratch.ends[0] > at:
            _reason(board, before, net, scratch, start, cell, value, naked, house, at)
    low = before.places[value, 0] & board.peer_sets[cell, 0]
    high = before.places[value, 1] & board.peer_sets[cell, 1]
    while low:
        _enter(net, scratch, start, literal(board, ctz(low), value, 0), reason)
        low &= low - 1
    while high:
        _enter(net, scratch, start, literal(board, 64 + ctz(high), value, 0), reason)
        high &= high - 1
    own &= ~(1 << (value - 1))
    while own:
        _enter(net, scratch, start, literal(board, cell, ctz(own) + 1, 0), reason)
        own &= own - 1


@kernel
def _narrowest(board: Any, grid: Any, cell: int, value: int) -> Any:
    """Return the house of a cell in which the value has the fewest places."""
    best = -1
    number = 0
    while board.cell_houses[cell, number] >= 0:
        house = board.cell_houses[cell, number]
        number += 1
        if board.complete[house] and (best < 0 or grid.free[house, value] < grid.free[best, value]):
            best = house
    return best


@kernel
def _reason(
    board: Any,
    before: Any,
    net: Any,
    scratch: Any,
    start: int,
    cell: int,
    value: int,
    naked: int,
    house: int,
    at: int,
) -> None:
    """Write the reasons of a single: the other candidates of its cell or house are false."""
    count = 0
    if naked:
        rest = before.cells[cell] & ~(1 << (value - 1))
        while rest and count < _REASONS:
            of = literal(board, cell, ctz(rest) + 1, 0)
            rest &= rest - 1
            net.reasons[at, count] = max(scratch.entry[of] - 1, 0)
            count += 1
    else:
        low = before.places[value, 0] & board.house_sets[house, 0]
        high = before.places[value, 1] & board.house_sets[house, 1]
        while low | high and count < _REASONS:
            other = ctz(low) if low else 64 + ctz(high)
            if low:
                low &= low - 1
            else:
                high &= high - 1
            if other != cell:
                of = literal(board, other, value, 0)
                net.reasons[at, count] = max(scratch.entry[of] - 1, 0)
                count += 1
    # The distance depends on the first reason found. Afterwards the latest reason moves to the
    # front.
    before = net.reasons[net.starts[start] + net.reasons[at, 0], _REASONS]
    net.reasons[at, _REASONS] = before + 1
    for number in range(1, count):
        if net.reasons[at, number] > net.reasons[at, 0]:
            latest = net.reasons[at, number]
            net.reasons[at, number] = net.reasons[at, 0]
            net.reasons[at, 0] = latest
