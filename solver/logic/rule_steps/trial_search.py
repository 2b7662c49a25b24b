"""Decide in compiled code whether a trial ends in a contradiction.

This follows the same lines as `trials`, in the same order, but doesn't record them. Most trials
have no contradiction, so only the others are repeated with their lines.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from solver.compiling.bitops import ctz
from solver.compiling.jit import compiled, helper
from solver.logic.board import Words
from solver.logic.rule_steps.compiled_filters import propagate_all
from solver.logic.rule_steps.units import RuleUnit


class Lists(NamedTuple):
    """Lists of numbers in one array: list n is items[starts[n] : starts[n + 1]]."""

    starts: Words
    items: Words


class TrialBoard(NamedTuple):
    """The lists of a board that trials need, for each cell, house, or unit.

    peers and houses  of each cell; the houses contain every value
    places            the cells of each house
    units             the units of each cell
    cells, hidden     the cells of each unit, and the domains of its auxiliary variables
    filters           the filters of each unit
    """

    peers: Lists
    houses: Lists
    places: Lists
    units: Lists
    cells: Lists
    hidden: Lists
    filters: Lists


class _State(NamedTuple):
    """The state of a trial.

    domains                         the values that each cell can still have, as bits
    placed                          whether each cell has its value
    singles                         queue of cells with a single value left
    places                          queue of pairs of a house and a value that has lost a place in
                                    it, as 64 × house + value
    units                           queue of units
    is_queued_place, is_queued_unit whether the queue contains each of these
    counts                          the number of lines, and the start and end of each queue
    """

    domains: Words
    placed: Any
    singles: Words
    places: Words
    units: Words
    is_queued_place: Any
    is_queued_unit: Any
    counts: Words


# The indices of `counts`: the number of lines, and the start of each queue, before its end
_LINES, _SINGLES, _PLACES, _UNITS = 0, 1, 3, 5
_MOST_VALUES = 64


def lists_of(lists: Iterable[Iterable[int] | Words]) -> Lists:
    """Return lists of numbers, or of 64-bit words, in the form that compiled code needs."""
    arrays = [
        each if isinstance(each, np.ndarray) else np.array([*each], np.uint64).view(np.int64)
        for each in lists
    ]
    starts = np.cumsum([0, *map(len, arrays)])
    return Lists(starts, np.concatenate([np.zeros(0, np.int64), *arrays]))


def trial_board(
    units: Sequence[RuleUnit],
    *,
    peers: Sequence[Iterable[int]],
    houses: Sequence[Iterable[int]],
    places: Sequence[Iterable[int]],
    units_of: Sequence[Iterable[int]],
) -> TrialBoard:
    """Return the lists of a board as arrays.

    `units_of` are the indices of the units of each cell. The other lists are the fields of
    `TrialBoard` with the same names.
    """
    return TrialBoard(
        lists_of(peers),
        lists_of(houses),
        lists_of(places),
        lists_of(units_of),
        lists_of(unit.cells for unit in units),
        lists_of(unit.hidden for unit in units),
        lists_of(unit.filters for unit in units),
    )


@compiled
def has_contradiction(board: TrialBoard, base: Words, cell: int, value: int, most: int) -> Any:
    """Return whether a cell's value leads to a contradiction within `most` lines.

    A line is a placement, or a removal by a unit. `base` are the domains before the trial, as bits,
    and `value` counts from 0.
    """
    houses = len(board.places.starts) - 1
    units = len(board.cells.starts) - 1
    state = _State(
        base.copy(),
        base & (base - 1) == 0,
        np.empty(len(base), np.int64),
        np.empty(houses * _MOST_VALUES + 1, np.int64),
        np.empty(units + 1, np.int64),
        np.zeros(houses * _MOST_VALUES, np.bool_),
        np.zeros(units, np.bool_),
        np.zeros(7, np.int64),
    )
    counts = state.counts
    if not _place(board, state, cell, 1 << value):
        return True
    while counts[_LINES] < most:
        if counts[_SINGLES] < counts[_SINGLES + 1]:
            own = state.singles[counts[_SINGLES]]
            counts[_SINGLES] += 1
            if not state.placed[own] and not _place(board, state, own, state.domains[own]):
                return True
        elif counts[_PLACES] != counts[_PLACES + 1]:
            key = _next(state.places, counts, _PLACES)
            state.is_queued_place[key] = False
            if not _place_hidden_single(
                board, state, key // _MOST_VALUES, 1 << (key % _MOST_VALUES)
            ):
                return True
        elif counts[_UNITS] != counts[_UNITS + 1]:
            unit = _next(state.units, counts, _UNITS)
            state.is_queued_unit[unit] = False
            if not _apply(board, state, unit):
                return True
        else:
            return False
    return False


@helper
def _next(queue: Words, counts: Words, at: int) -> Any:
    """Remove the first entry of a queue and return it. The queue must not be empty.

    It is stored as a ring, and counts[at] is the index of its start.
    """
    entry = queue[counts[at]]
    counts[at] = (counts[at] + 1) % len(queue)
    return entry


@helper
def _add(queue: Words, counts: Words, at: int, entry: int) -> None:
    """Add an entry at the end of a queue, which is stored as a ring.

    counts[at + 1] is the index of its end.
    """
    queue[counts[at + 1]] = entry
    counts[at + 1] = (counts[at + 1] + 1) % len(queue)


@helper
def _place(board: TrialBoard, state: _State, cell: int, bit: int) -> Any:
    """Place a value, given as a bit, and remove it from the cell's peers.

    This counts as one line of the trial. Returns False as soon as a cell has no candidates.
    """
    state.counts[_LINES] += 1
    state.placed[cell] = True
    if not _remove(board, state, cell, state.domains[cell] & ~bit):
        return False
    peers = board.peers
    for index in range(peers.starts[cell], peers.starts[cell + 1]):
        if not _remove(board, state, peers.items[index], state.domains[peers.items[index]] & bit):
            return False
    return True


@helper
def _remove(board: TrialBoard, state: _State, cell: int, mask: int) -> Any:
    """Remove values (`mask`, bits) from a cell, and queue the singles and units this may lead to.

    Returns False if the cell has no candidates left.
    """
    if mask == 0:
        return True
    state.domains[cell] &= ~mask
    left = state.domains[cell]
    if left == 0:
        return False
    houses, units = board.houses, board.units
    rest = mask
    while rest:
        value = ctz(rest)
        rest &= rest - 1
        for index in range(houses.starts[cell], houses.starts[cell + 1]):
            key = _MOST_VALUES * houses.items[index] + value
            if not state.is_queued_place[key]:
                state.is_queued_place[key] = True
                _add(state.places, state.counts, _PLACES, key)
    for index in range(units.starts[cell], units.starts[cell + 1]):
        unit = units.items[index]
        if not state.is_queued_unit[unit]:
            state.is_queued_unit[unit] = True
            _add(state.units, state.counts, _UNITS, unit)
    if left & (left - 1) == 0 and not state.placed[cell]:
        state.singles[state.counts[_SINGLES + 1]] = cell
        state.counts[_SINGLES + 1] += 1
    return True


@helper
def _place_hidden_single(board: TrialBoard, state: _State, house: int, bit: int) -> Any:
    """Place a value, given as a bit, if it has one place left in a house.

    Returns False if it has no place left, or if a cell then has no candidates.
    """
    found, only = 0, 0
    places = board.places
    for index in range(places.starts[house], places.starts[house + 1]):
        if state.domains[places.items[index]] & bit:
            found += 1
            only = places.items[index]
    if found == 1 and not state.placed[only]:
        return _place(board, state, only, bit)
    return found > 0


@helper
def _apply(board: TrialBoard, state: _State, unit: int) -> Any:
    """Remove the values that the filters of a unit exclude.

    Each cell that loses some counts as one line of the trial. Returns False if the filters find a
    contradiction, or if a cell has no candidates left.
    """
    cells = board.cells.items[board.cells.starts[unit] : board.cells.starts[unit + 1]]
    hidden = board.hidden.items[board.hidden.starts[unit] : board.hidden.starts[unit + 1]]
    own = np.empty(len(cells) + len(hidden), np.int64)
    for place in range(len(cells)):
        own[place] = state.domains[cells[place]]
    own[len(cells) :] = hidden
    filters = board.filters
    if not propagate_all(filters.items[filters.starts[unit] : filters.starts[unit + 1]], own):
        return False
    for place in range(len(cells)):
        gone = state.domains[cells[place]] & ~own[place]
        if gone:
            state.counts[_LINES] += 1
            if not _remove(board, state, cells[place], gone):
                return False
    return True
