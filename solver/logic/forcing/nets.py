"""Simulate each candidate, true and false: follow its links and place the singles that arise.

The conclusions that follow from a literal form a list, in the order in which they were found. Each
is stored with its reasons, the earlier conclusions that it depends on. An entry is the position of
a conclusion in the list of a literal, where 0 is the literal itself. So entry e is
`follows[literal, e − 1]`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import helper, kernel
from solver.logic.board import Board, Ints
from solver.logic.grid import (
    CHANGES,
    HIDDEN_FROM,
    HIDDEN_TO,
    NAKED_FROM,
    NAKED_TO,
    QUEUED_CELL,
    QUEUED_VALUE,
    Grid,
    Saved,
    place,
    remove,
    restore,
    saved,
)
from solver.logic.implications import CANDIDATE_COUNT, Implications, add_groups, literal_of

_ROUNDS = 4
_LONGEST = 1000  # conclusions per literal
_REASONS = 5
DISTANCE = _REASONS  # index in a row of `Net.reasons`
_CELL, _VALUE, _IS_NAKED = range(3)  # columns of `_Scratch.singles`
_REASON_COUNT, _SINGLE_COUNT = range(2)  # indices into `_Scratch.ends`


class Net(NamedTuple):
    """For each literal, the list of conclusions that follow from it, with the reasons for each.

    implications  the lists: `follows` and `counts`
    reasons       row starts[literal] + e belongs to entry e of the literal's list. It contains
                  up to five entries that the conclusion depends on, the latest of them first,
                  and then its distance from the literal, which is 1 for entry 0.
    starts        by literal: the row of `reasons` for entry 0
    lengths       by literal: the number of conclusions with reasons. Groups come after them.
    """

    implications: Implications
    reasons: NDArray[np.int16]
    starts: Ints
    lengths: Ints


class _Scratch(NamedTuple):
    """The working memory for simulating the consequences of one literal.

    singles  the singles to place: cell, value, and 1 for a naked single, 0 for a hidden one
    entry    by literal: 1 + the conclusion's entry in the list, 0 if it isn't in the list
    ends     (2,): the number of rows used in `Net.reasons`, and in `singles`
    seen     by cell: 1 if `singles` already contains a hidden single in the cell
    """

    singles: Ints
    entry: Ints
    ends: Ints
    seen: Ints


@helper
def net_of(board: Board, grid: Grid, most_conclusions: int) -> Any:
    """Simulate each candidate on the grid, true and false, and return the conclusions as a net.

    The grid is restored afterwards. In all lists together, at most `most_conclusions` conclusions
    are stored with their reasons. The implications of groups are added at the end, without reasons.
    """
    candidates = board.cell_count * board.value_count
    literals = 2 * (candidates + 1024)
    implications = Implications(
        np.empty((literals, _LONGEST), np.int16),
        np.empty((1, 1), np.int16),
        np.zeros(literals, np.int32),
        np.empty((1024, 4), np.int64),
        np.empty((1024, 2), np.int64),
        np.zeros(3, np.int32),
    )
    implications.sizes[CANDIDATE_COUNT] = candidates
    net = Net(
        implications,
        np.empty((most_conclusions, _REASONS + 1), np.int16),
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
                _reset_grid(board, before, grid)
                _try(board, before, grid, net, scratch, cell, value, true)
    restore(before, grid)
    add_groups(board, grid, implications)
    return net


@kernel
def _reset_grid(board: Board, before: Saved, grid: Grid) -> None:
    """Restore the saved values, candidates, and places in the grid. Empty its queues of singles.

    The numbers of open cells and of contradictions are set to 0, because the simulation doesn't
    need them.
    """
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
    board: Board,
    before: Saved,
    grid: Grid,
    net: Net,
    scratch: _Scratch,
    cell: int,
    value: int,
    true: int,
) -> None:
    """Simulate that a candidate is true (1) or false (0), and write its conclusions to the net.

    Singles that arise are placed for a few rounds. `before` is the grid before the simulation, from
    which `grid` must have been reset. It isn't reset afterwards.
    """
    start = literal_of(board, cell, value, true)
    net.starts[start] = scratch.ends[_REASON_COUNT]
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
        for number in range(scratch.ends[_SINGLE_COUNT]):
            single = scratch.singles[number]
            _set(
                board,
                before,
                grid,
                net,
                scratch,
                start,
                single[_CELL],
                single[_VALUE],
                1,
                single[_IS_NAKED],
            )
    net.lengths[start] = net.implications.counts[start]
    scratch.entry[start] = 0
    for number in range(net.implications.counts[start]):
        scratch.entry[net.implications.follows[start, number]] = 0


@kernel
def _collect(board: Board, grid: Grid, scratch: _Scratch) -> None:
    """Write the current singles to `scratch.singles`, in the order in which they arose.

    Naked singles come first. A cell is listed at most once as a hidden single.
    """
    count = 0
    for at in range(grid.counts[NAKED_FROM], grid.counts[NAKED_TO]):
        if grid.values[grid.naked[QUEUED_CELL, at]] == 0:
            scratch.singles[count, _CELL] = grid.naked[QUEUED_CELL, at]
            scratch.singles[count, _VALUE] = grid.naked[QUEUED_VALUE, at]
            scratch.singles[count, _IS_NAKED] = 1
            count += 1
    first = count
    for at in range(grid.counts[HIDDEN_FROM], grid.counts[HIDDEN_TO]):
        cell, value = grid.hidden[QUEUED_CELL, at], grid.hidden[QUEUED_VALUE, at]
        if grid.values[cell] or scratch.seen[cell]:
            continue
        number = 0
        while board.cell_houses[cell, number] >= 0:
            house = board.cell_houses[cell, number]
            number += 1
            if board.complete[house] and grid.free[house, value] == 1:
                scratch.singles[count, _CELL] = cell
                scratch.singles[count, _VALUE] = value
                scratch.singles[count, _IS_NAKED] = 0
                scratch.seen[cell] = 1
                count += 1
                break
    for number in range(first, count):
        scratch.seen[scratch.singles[number, _CELL]] = 0
    scratch.ends[_SINGLE_COUNT] = count


@kernel
def _enter(net: Net, scratch: _Scratch, start: int, literal: int, reason: int) -> None:
    """Add the conclusion `literal` to the net's list for the literal `start`.

    Nothing happens if it is already there, or if the list or the net is full. `reason` is the
    position in the list, from 1, of a conclusion that the new one depends on, or 0 for `start`
    itself.
    """
    if scratch.entry[literal]:
        return
    entry = net.implications.counts[start] + 1 if scratch.entry[start] else 0
    at = scratch.ends[_REASON_COUNT]
    if entry >= _LONGEST or at >= len(net.reasons):
        return
    if entry:
        net.implications.follows[start, entry - 1] = literal
        net.implications.counts[start] = entry
    scratch.entry[literal] = entry + 1
    scratch.ends[_REASON_COUNT] = at + 1
    for number in range(_REASONS):
        net.reasons[at, number] = 0
    net.reasons[at, 0] = reason
    before = net.reasons[net.starts[start] + reason, DISTANCE] if entry else 0
    net.reasons[at, DISTANCE] = before + 1


@kernel
def _set(
    board: Board,
    before: Saved,
    grid: Grid,
    net: Net,
    scratch: _Scratch,
    start: int,
    cell: int,
    value: int,
    reasoned: int,
    naked: int,
) -> None:
    """Place a value in a cell, and add the consequences to the net's list for `start`.

    The consequences are that the cell has the value, that it has no other value, and that its peers
    don't have the value. If `reasoned` is 0, the value follows directly from `start`, and `naked`
    is ignored. If it is 1, the value is a single, a naked one if `naked` is 1, else a hidden one,
    and the reasons for it are stored, too. `before` is the grid before the simulation.
    """
    own = grid.cells[cell]
    reason = net.implications.counts[start] + 1 if scratch.entry[start] else 0
    house = -1
    if reasoned and not naked:
        house = _narrowest(board, grid, cell, value)
    if grid.values[cell] != value:
        place(board, grid, cell, value)
    literal = literal_of(board, cell, value, 1)
    if not scratch.entry[literal]:
        at = scratch.ends[_REASON_COUNT]
        _enter(net, scratch, start, literal, 0)
        if reasoned and scratch.ends[_REASON_COUNT] > at:
            _reason(board, before, net, scratch, start, cell, value, naked, house, at)
    low = before.places[value, 0] & board.peer_sets[cell, 0]
    high = before.places[value, 1] & board.peer_sets[cell, 1]
    while low:
        _enter(net, scratch, start, literal_of(board, ctz(low), value, 0), reason)
        low &= low - 1
    while high:
        _enter(net, scratch, start, literal_of(board, 64 + ctz(high), value, 0), reason)
        high &= high - 1
    own &= ~(1 << (value - 1))
    while own:
        _enter(net, scratch, start, literal_of(board, cell, ctz(own) + 1, 0), reason)
        own &= own - 1


@kernel
def _narrowest(board: Board, grid: Grid, cell: int, value: int) -> Any:
    """Return the house of the cell with the fewest places for the value, or −1 if there is none.

    Only houses that must contain every value count.
    """
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
    board: Board,
    before: Saved,
    net: Net,
    scratch: _Scratch,
    start: int,
    cell: int,
    value: int,
    naked: int,
    house: int,
    at: int,
) -> None:
    """Store the reasons for a single in row `at` of `net.reasons`, and its distance from `start`.

    If `naked` is 1, the reasons are that the other candidates of the cell are false. Otherwise,
    they are that the other places of the value in `house` are false. Candidates and places are
    those of the grid `before` the simulation. At most five reasons are stored, as entries of the
    list for `start`, the latest one first.
    """
    count = 0
    if naked:
        rest = before.cells[cell] & ~(1 << (value - 1))
        while rest and count < _REASONS:
            literal = literal_of(board, cell, ctz(rest) + 1, 0)
            rest &= rest - 1
            net.reasons[at, count] = max(scratch.entry[literal] - 1, 0)
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
                literal = literal_of(board, other, value, 0)
                net.reasons[at, count] = max(scratch.entry[literal] - 1, 0)
                count += 1
    # The distance depends on the first reason found. Afterwards the latest reason moves to the
    # front.
    distance = net.reasons[net.starts[start] + net.reasons[at, 0], DISTANCE]
    net.reasons[at, DISTANCE] = distance + 1
    for number in range(1, count):
        if net.reasons[at, number] > net.reasons[at, 0]:
            latest = net.reasons[at, number]
            net.reasons[at, number] = net.reasons[at, 0]
            net.reasons[at, 0] = latest
