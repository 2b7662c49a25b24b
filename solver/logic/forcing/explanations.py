"""Explain a conclusion of a net completely, as chains that a person can follow.

The trail to a conclusion (`solver.logic.forcing.trail`) contains only one reason for each literal.
But a single has several reasons: all other candidates of its cell or house are false. So each
literal is recorded with all its reasons, once, after its reasons. The first chain leads to the
conclusion. Side chains start from literals of earlier chains, and lead to the other reasons.
"""

from typing import Any, NamedTuple

import numpy as np

from solver.compiling.bitops import ctz
from solver.compiling.jit import helper, kernel
from solver.logic.board import Board, Ints
from solver.logic.forcing.implication_paths import note_path
from solver.logic.forcing.nets import Net
from solver.logic.forcing.trail import Trail, derived_in
from solver.logic.grid import Grid
from solver.logic.implications import Implications, cell_of, is_group, literal_of, value_of
from solver.logic.sets import first_of

RECORDED, START = range(2)  # indices into `Reasons.ends`
_LIST, _ENTRY, _IS_EXPANDED = range(3)  # columns of `Reasons.waiting`
_IN_CHAIN, _EXPLAINED = 1, 2  # a chain contains the literal; its reasons are explained, too


class Reasons(NamedTuple):
    """The literals that follow from one assumption, each with its reasons, and working memory.

    A literal is recorded after the literals that are its reasons. An entry is the position of a
    conclusion in a literal's list (see `solver.logic.forcing.nets`).

        order     the recorded literals. The fields "by position" are indexed like `order`.
        position  by literal: 1 + its position in `order`, 0 if it isn't recorded
        reasons   by position: the reasons, as literals. The one on the trail comes first.
        counts    by position: the number of reasons
        status    by position: `_EXPLAINED` if side chains to its reasons have been written,
                  `_IN_CHAIN` if only a chain contains it, else 0
        waiting   (·, 3): a stack of conclusions to record: the literal to whose list the conclusion
                  belongs, the conclusion's entry, and 1 if its reasons are on the stack
        entries   scratch space: the reasons of one conclusion, as entries of the same list
        path      scratch space: the literals of a chain
        ends      (2,): the length of `order`, and the literal of the assumption
    """

    position: Ints
    order: Ints
    reasons: Ints
    counts: Ints
    status: Ints
    waiting: Ints
    entries: Ints
    path: Ints
    ends: Ints


@helper
def new_reasons(literals: int, values: int) -> Any:
    """Return an empty `Reasons` for a number of literals, on a board with a number of values."""
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
    board: Board, grid: Grid, net: Net, trail: Trail, reasons: Reasons, buffer: Ints, end: int
) -> None:
    """Write the chain from a trail's start to the literal `end`, and its side chains.

    The chains are written to the buffer. Side chains lead to the additional reasons for literals of
    these chains. `reasons` records which literals have been explained since the start last changed.
    Side chains to the reasons of such literals aren't written again.
    """
    start = trail.order[0]
    if reasons.ends[START] != start:
        _begin(reasons, start)
    _record(board, grid, net, trail, reasons, end)
    implications = net.implications
    place = reasons.position[end] - 1
    _write(board, implications, reasons, buffer, place, -1)
    for at in range(place, 0, -1):
        if reasons.status[at] == _IN_CHAIN:
            reasons.status[at] = _EXPLAINED
            for number in range(1, reasons.counts[at]):
                _write(board, implications, reasons, buffer, at, number)


@kernel
def _begin(reasons: Reasons, start: int) -> None:
    """Clear the records, and record the literal `start` as the assumption."""
    for at in range(reasons.ends[RECORDED]):
        reasons.position[reasons.order[at]] = 0
        reasons.status[at] = 0
    reasons.order[0] = start
    reasons.position[start] = 1
    reasons.counts[0] = 0
    reasons.status[0] = _EXPLAINED
    reasons.ends[RECORDED], reasons.ends[START] = 1, start


@kernel
def _record(board: Board, grid: Grid, net: Net, trail: Trail, reasons: Reasons, end: int) -> None:
    """Record the literal `end` in `reasons`, after all literals that it depends on.

    `trail` must contain the literal, and start at the assumption that `reasons` records.
    """
    implications, waiting = net.implications, reasons.waiting
    waiting[0, _LIST], waiting[0, _ENTRY], waiting[0, _IS_EXPANDED] = end, 0, 0
    count = 1
    while count:
        top = waiting[count - 1]
        literal, entry = top[_LIST], top[_ENTRY]
        conclusion = implications.follows[literal, entry - 1] if entry else literal
        if reasons.position[conclusion]:
            count -= 1
        elif entry == 0:
            top[_LIST], top[_ENTRY] = derived_in(net, trail, literal)
        elif top[_IS_EXPANDED] == 0:
            top[_IS_EXPANDED] = 1
            for number in range(
                _find_reasons(board, grid, net, reasons, literal, entry) - 1, -1, -1
            ):
                waiting[count, _LIST], waiting[count, _ENTRY] = literal, reasons.entries[number]
                waiting[count, _IS_EXPANDED] = 0
                count += 1
        else:
            at = reasons.ends[RECORDED]
            reasons.counts[at] = _find_reasons(board, grid, net, reasons, literal, entry)
            for number in range(reasons.counts[at]):
                reason = reasons.entries[number]
                reasons.reasons[at, number] = (
                    implications.follows[literal, reason - 1] if reason else literal
                )
            reasons.order[at] = conclusion
            reasons.position[conclusion] = at + 1
            reasons.status[at] = 0
            reasons.ends[RECORDED] = at + 1
            count -= 1


@kernel
def _find_reasons(
    board: Board, grid: Grid, net: Net, reasons: Reasons, literal: int, entry: int
) -> Any:
    """Find the reasons for a conclusion in the net's list of conclusions.

    The list contains the conclusions from `literal`, and `entry` is the position of the conclusion,
    from 1. The reasons come earlier in the list. Their positions, 0 for `literal` itself, are
    written to `reasons.entries`. The reason on the trail comes first. If the conclusion is a
    single, the other reasons are that the other candidates of its cell, or the other places in its
    house, are false. If the list doesn't contain all of these earlier, for the cell or any complete
    house, only the reason on the trail counts. Returns the number of reasons.
    """
    implications = net.implications
    conclusion = implications.follows[literal, entry - 1]
    known = net.reasons[net.starts[literal] + entry, 0] if entry <= net.lengths[literal] else 0
    reasons.entries[0] = known
    if not conclusion & 1 or is_group(implications, conclusion):
        return 1
    cell, value = (
        cell_of(board, implications, conclusion),
        value_of(board, implications, conclusion),
    )
    count = 1
    rest = grid.cells[cell] & ~(1 << (value - 1))
    while rest and count:
        other = literal_of(board, cell, ctz(rest) + 1, 0)
        rest &= rest - 1
        count = _add_reason(implications, reasons, literal, entry, other, count)
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
                    other = literal_of(board, place, value, 0)
                    count = _add_reason(implications, reasons, literal, entry, other, count)
    return max(count, 1)


@kernel
def _add_reason(
    implications: Implications,
    reasons: Reasons,
    literal: int,
    entry: int,
    conclusion: int,
    count: int,
) -> Any:
    """Append the literal `conclusion` to the reasons in `reasons.entries`, as an entry.

    An entry is a position in the list of conclusions from `literal`, from 1, or 0 for `literal`
    itself. `entry` is that of the literal that the reasons explain, and `count` is the number of
    its reasons so far. The first one, which is on the trail, isn't appended a second time. Returns
    the new number of reasons, or 0 if the list doesn't contain the reason before `entry`.
    """
    place = 0
    if conclusion != literal:
        while place < entry - 1 and implications.follows[literal, place] != conclusion:
            place += 1
        if place == entry - 1:
            return 0
        place += 1
    if place == reasons.entries[0]:
        return count
    reasons.entries[count] = place
    return count + 1


@kernel
def _write(
    board: Board, implications: Implications, reasons: Reasons, buffer: Ints, at: int, number: int
) -> None:
    """Write the chain that ends with the literal reasons.order[at] to the buffer.

    If `number` is −1, this is the main chain. It begins with the assumption, reasons.order[0].
    Otherwise, it is a side chain: its last link leads to the literal from its reason with the index
    `number`. A side chain is followed back only to the nearest literal that an earlier chain
    contains, and begins there.

    Literals that no earlier chain contains are marked in `reasons.status`.
    """
    path = reasons.path
    length, side = 1, 1 if number >= 0 else 0
    path[0] = reasons.order[at]
    while at and not (side and length > 1 and reasons.status[at]):
        if reasons.status[at] == 0:
            reasons.status[at] = _IN_CHAIN
        implied = reasons.reasons[at, max(number, 0)]
        number = 0
        path[length] = implied
        length += 1
        at = reasons.position[implied] - 1
    for low in range(length // 2):
        high = length - 1 - low
        path[low], path[high] = path[high], path[low]
    note_path(board, implications, buffer, path, length, side)
