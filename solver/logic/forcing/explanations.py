"""Explain a conclusion of a net completely, as chains that a person can follow.

The trail to a conclusion (`solver.logic.forcing.trail`) contains only one reason for each literal.
A single has several: all other candidates of its cell or house are false. Each literal is recorded
once, after its reasons. The first chain leads to the conclusion. Side chains start from literals of
earlier chains, and lead to the other reasons.
"""

from typing import Any, NamedTuple

import numpy as np

from solver.compiling.bitops import ctz
from solver.compiling.jit import helper, kernel
from solver.logic.board import Ints
from solver.logic.forcing.implication_paths import note_path
from solver.logic.forcing.trail import derived_in
from solver.logic.implications import cell_of, is_group, literal, value_of
from solver.logic.sets import first_of

_LED_TO, _TOLD = 1, 2  # a chain contains the literal; its reasons are explained, too


class Reasons(NamedTuple):
    """The literals recorded since the last start with their reasons, and the work left to do."""

    place_of: Ints  # (literals,): 1 + position in `order`, 0 if not recorded
    order: Ints  # recorded literals, each after its reasons
    reasons: Ints  # (·, most): by position, literals; the trail's reason comes first
    counts: Ints  # by position: number of reasons
    told: Ints  # by position: `_LED_TO`, `_TOLD`, or 0
    waiting: Ints  # (·, 3), a stack: literal of the list, entry, 1 if its reasons were pushed
    entries: Ints  # (most,): reasons of one conclusion, as entries of its list
    path: Ints  # literals of a chain
    ends: Ints  # (2,): length of `order`, and the start


@helper
def new_reasons(literals: int, values: int) -> Any:
    """Return empty `Reasons` for a number of literals, on a board with a number of values."""
    most = values + 1  # reasons of a literal: all others of a cell or house, plus the trail's
    return Reasons(
        np.zeros(literals, np.int32),
        np.empty(literals, np.int32),
        np.empty((literals, most), np.int32),
        np.zeros(literals, np.int32),
        np.zeros(literals, np.int32),
        np.empty((most * literals, 3), np.int32),
        np.empty(most, np.int32),
        np.empty(literals, np.int32),
        np.array([0, -1], np.int32),
    )


@kernel
def note_net(
    board: Any, grid: Any, net: Any, trail: Any, reasons: Any, buffer: Any, end: int
) -> None:
    """Write the chain from the start of a trail to a conclusion, and the side chains it needs.

    Side chains that were already written for the same start are not repeated.
    """
    start = trail.order[0]
    if reasons.ends[1] != start:
        _begin(reasons, start)
    _put_down(board, grid, net, trail, reasons, end)
    found = net.found
    place = reasons.place_of[end] - 1
    _write(board, found, reasons, buffer, place, -1)
    for at in range(place, 0, -1):
        if reasons.told[at] == _LED_TO:
            reasons.told[at] = _TOLD
            for number in range(1, reasons.counts[at]):
                _write(board, found, reasons, buffer, at, number)


@kernel
def _begin(reasons: Any, start: int) -> None:
    """Clear the records, and record the assumption `start`."""
    for at in range(reasons.ends[0]):
        reasons.place_of[reasons.order[at]] = 0
        reasons.told[at] = 0
    reasons.order[0] = start
    reasons.place_of[start] = 1
    reasons.counts[0] = 0
    reasons.told[0] = _TOLD
    reasons.ends[0], reasons.ends[1] = 1, start


@kernel
def _put_down(board: Any, grid: Any, net: Any, trail: Any, reasons: Any, end: int) -> None:
    """Record a conclusion after all literals that it depends on."""
    found, waiting = net.found, reasons.waiting
    waiting[0, 0], waiting[0, 1], waiting[0, 2] = end, 0, 0
    count = 1
    while count:
        top = waiting[count - 1]
        of, entry = top[0], top[1]
        that = found.follows[of, entry - 1] if entry else of
        if reasons.place_of[that]:
            count -= 1
        elif entry == 0:
            top[0], top[1] = derived_in(net, trail, of)
        elif top[2] == 0:
            top[2] = 1
            for number in range(_find_reasons(board, grid, net, reasons, of, entry) - 1, -1, -1):
                waiting[count, 0], waiting[count, 1] = of, reasons.entries[number]
                waiting[count, 2] = 0
                count += 1
        else:
            at = reasons.ends[0]
            reasons.counts[at] = _find_reasons(board, grid, net, reasons, of, entry)
            for number in range(reasons.counts[at]):
                reason = reasons.entries[number]
                reasons.reasons[at, number] = found.follows[of, reason - 1] if reason else of
            reasons.order[at] = that
            reasons.place_of[that] = at + 1
            reasons.told[at] = 0
            reasons.ends[0] = at + 1
            count -= 1


@kernel
def _find_reasons(board: Any, grid: Any, net: Any, reasons: Any, of: int, entry: int) -> Any:
    """Write the reasons of a list entry, as entries of the same list. Return their number.

    The reason on the trail comes first. A candidate is true because all others of its cell, or of
    one of its houses, are false.
    """
    found = net.found
    that = found.follows[of, entry - 1]
    known = net.reasons[net.starts[of] + entry, 0] if entry <= net.lengths[of] else 0
    reasons.entries[0] = known
    if not that & 1 or is_group(found, that):
        return 1
    cell, value = cell_of(board, found, that), value_of(board, found, that)
    count = 1
    rest = grid.cells[cell] & ~(1 << (value - 1))
    while rest and count:
        other = literal(board, cell, ctz(rest) + 1, 0)
        rest &= rest - 1
        count = _add_reason(found, reasons, of, entry, other, count)
    number = 0
    while not count and board.cell_houses[cell, number] >= 0:
        house = board.cell_houses[cell, number]
        number += 1
        if board.complete[house]:
            count = 1
            low = grid.places[value, 0] & board.house_sets[house, 0]
            high = grid.places[value, 1] & board.house_sets[house, 1]
            while low | high and count:
                place = first_of(low, high)
                low, high = (low & (low - 1), high) if low else (0, high & (high - 1))
                if place != cell:
                    other = literal(board, place, value, 0)
                    count = _add_reason(found, reasons, of, entry, other, count)
    return max(count, 1)


@kernel
def _add_reason(found: Any, reasons: Any, of: int, entry: int, that: int, count: int) -> Any:
    """Append the entry of literal `that` to the reasons, unless it is the first one already.

    Returns the new number of reasons, or 0 if the literal is not derived before `entry`.
    """
    place = 0
    if that != of:
        while place < entry - 1 and found.follows[of, place] != that:
            place += 1
        if place == entry - 1:
            return 0
        place += 1
    if place == reasons.entries[0]:
        return count
    reasons.entries[count] = place
    return count + 1


@kernel
def _write(board: Any, found: Any, reasons: Any, buffer: Any, at: int, number: int) -> None:
    """Write a chain that ends with the literal recorded at position `at`.

    The main chain (`number` −1) begins at the start. A side chain passes through reason `number`
    and begins at a literal that an earlier chain contains.
    """
    path = reasons.path
    length, side = 1, 1 if number >= 0 else 0
    path[0] = reasons.order[at]
    while at and not (side and length > 1 and reasons.told[at]):
        if reasons.told[at] == 0:
            reasons.told[at] = _LED_TO
        then = reasons.reasons[at, max(number, 0)]
        number = 0
        path[length] = then
        length += 1
        at = reasons.place_of[then] - 1
    for low in range(length // 2):
        high = length - 1 - low
        path[low], path[high] = path[high], path[low]
    note_path(board, found, buffer, path, length, side)
