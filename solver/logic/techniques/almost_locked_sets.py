"""Almost locked set techniques: the XZ-rule, the XY-Wing, and chains.

Linked sets cannot both hold the value that links them. So of a value that both ends of such a chain
contain, at least one end must hold it, and cells that see all its places in both ends lose it.
"""

from typing import Any

import numpy as np

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import always_inline, compiled, kernel
from solver.logic.als import find_all_links, find_links, find_sets, fresh
from solver.logic.deduction_buffer import RESTRICTED, SET, SET_CELL, SET_VALUE, write_choices
from solver.logic.hodoku_order import (
    add,
    best,
    drop,
    eliminate,
    eliminations,
    jot,
    new_choice,
    same_as,
)
from solver.logic.technique import Search, small_board

XZ_CODE, XY_CODE, CHAIN_CODE = 901, 902, 903
_ROOM = 1024
_LONGEST = 50


@kernel
def _eliminate_common(sets: Any, choice: Any, one: int, other: int, but: int) -> None:
    """Add the eliminations of the values that both sets contain, except the values `but` (bits)."""
    rest = sets.values[one] & sets.values[other] & ~but
    while rest:
        value = ctz(rest) + 1
        rest &= rest - 1
        low = sets.peers[one, value, 0] & sets.peers[other, value, 0]
        high = sets.peers[one, value, 1] & sets.peers[other, value, 1]
        if low | high:
            eliminate(choice, low, high, value)


@kernel
def _eliminate_locked(sets: Any, choice: Any, one: int, other: int, but: int) -> None:
    """Add the eliminations outside a set that two links lock to its other values."""
    rest = sets.values[one] & ~but
    while rest:
        value = ctz(rest) + 1
        rest &= rest - 1
        low = sets.peers[one, value, 0] & ~sets.cells[other, 0]
        high = sets.peers[one, value, 1] & ~sets.cells[other, 1]
        if low | high:
            eliminate(choice, low, high, value)


@always_inline
def _has(sets: Any, number: int, low: int, high: int) -> Any:
    """Return whether a set contains any of the given cells."""
    return (sets.cells[number, 0] & low) | (sets.cells[number, 1] & high) != 0


@always_inline
def _bit(value: int) -> Any:
    """Return the value as a bit, or 0 for no value."""
    return 1 << (value - 1) if value else 0


@kernel
def _jot_set(sets: Any, choice: Any, number: int) -> None:
    jot(choice, SET, 0, 0)
    low, high, values = sets.cells[number, 0], sets.cells[number, 1], sets.values[number]
    while low:
        jot(choice, SET_CELL, ctz(low), 0)
        low &= low - 1
    while high:
        jot(choice, SET_CELL, 64 + ctz(high), 0)
        high &= high - 1
    while values:
        jot(choice, SET_VALUE, ctz(values) + 1, 0)
        values &= values - 1


@kernel
def _jot_link(choice: Any, links: Any, link: int, which: int) -> None:
    """Record the restricted commons used to reach the next set (bit 0.

    The first, bit 1: the second).
    """
    for number in range(2):
        value = links.values[link, number]
        if value and which >> number & 1:
            jot(choice, RESTRICTED, value, 0)


@compiled
def find_xz(board: Any, grid: Any, buffer: Any, every: int) -> None:
    """Search for two linked sets with another value in common."""
    sets, links = grid.sets, grid.set_links
    low, high = fresh(board, grid)
    choice = new_choice(_ROOM)
    for link in range(links.counts[0]):
        one, other = links.one[link], links.other[link]
        if not (_has(sets, one, low, high) or _has(sets, other, low, high)):
            continue
        first, second = _bit(links.values[link, 0]), _bit(links.values[link, 1])
        _eliminate_common(sets, choice, one, other, first)
        if second:
            _eliminate_common(sets, choice, one, other, second)
            _eliminate_locked(sets, choice, one, other, first | second)
            _eliminate_locked(sets, choice, other, one, first | second)
        if eliminations(choice) == 0:
            continue
        if add(choice, XZ_CODE, 2, 0):
            _jot_set(sets, choice, one)
            _jot_link(choice, links, link, 3)
            _jot_set(sets, choice, other)
        if not every:
            break
    write_choices(buffer, choice, choice.ends[0] - 1, every)


@compiled
def find_xy_wing(board: Any, grid: Any, buffer: Any, every: int, overlap: int) -> None:
    """Search for two sets that are linked to a third one through different values."""
    sets, links = grid.sets, grid.set_links
    low, high = fresh(board, grid)
    is_fresh = np.empty(sets.counts[0], np.uint8)
    for number in range(sets.counts[0]):
        is_fresh[number] = _has(sets, number, low, high)
    choice = new_choice(_ROOM)
    heads = np.empty(3, np.int64)  # next link in each of the three lists below
    ends = np.empty(3, np.int64)
    for link in range(links.counts[0]):
        one, other = links.one[link], links.other[link]
        first, second = links.values[link, 0], links.values[link, 1]
        # Later links that share a set with this one: links from the first set, links to the second
        # set, and links from the second set.
        heads[0], ends[0] = link + 1, links.starts[one + 1]
        heads[1], ends[1] = links.incoming_starts[other], links.incoming_starts[other + 1]
        heads[2], ends[2] = links.starts[other], links.starts[other + 1]
        while heads[1] < ends[1] and links.incoming[heads[1]] <= link:
            heads[1] += 1
        while True:
            chosen = -1
            next_link = 1 << 30
            for number in range(3):
                if heads[number] < ends[number]:
                    at = links.incoming[heads[number]] if number == 1 else heads[number]
                    if at < next_link:
                        next_link, chosen = at, number
            if chosen < 0:
                break
            heads[chosen] += 1
            third, fourth = links.values[next_link, 0], links.values[next_link, 1]
            if second == 0 and fourth == 0 and first == third:
                continue
            if chosen == 0:
                hinge, a, b = one, other, links.other[next_link]
            elif chosen == 1:
                hinge, a, b = other, one, links.one[next_link]
            else:
                hinge, a, b = other, one, links.other[next_link]
            if not is_fresh[hinge] | is_fresh[a] | is_fresh[b]:
                continue
            but = _bit(first) | _bit(second) | _bit(third) | _bit(fourth)
            if sets.values[a] & sets.values[b] & ~but == 0:
                continue
            both = (sets.cells[a, 0] & sets.cells[b, 0]) | (sets.cells[a, 1] & sets.cells[b, 1])
            if both and not overlap:
                continue
            low, high = sets.cells[a, 0] | sets.cells[b, 0], sets.cells[a, 1] | sets.cells[b, 1]
            if (low == sets.cells[a, 0] and high == sets.cells[a, 1]) or (
                low == sets.cells[b, 0] and high == sets.cells[b, 1]
            ):
                continue
            _eliminate_common(sets, choice, a, b, but)
            if eliminations(choice) == 0:
                continue
            if add(choice, XY_CODE, 3, 0):
                _jot_set(sets, choice, a)
                _jot_link(choice, links, link, 3)
                _jot_set(sets, choice, hinge)
                _jot_link(choice, links, next_link, 3)
                _jot_set(sets, choice, b)
            if not every:
                write_choices(buffer, choice, 0, 0)
                return
    write_choices(buffer, choice, -1, every)


@always_inline
def _usable(links: Any, link: int, last: int, last_use: int) -> Any:
    """Return which values of a link can follow the last one (bit 0: the first, bit 1: the second).

    A chain must leave a set through another value than the one it entered through.
    """
    first, second = links.values[link, 0], links.values[link, 1]
    if last_use == 0:
        return 3 if second else 1
    entered = links.values[last, 1] if last_use == 2 else links.values[last, 0]
    if last_use == 3:
        # As in HoDoKu, only the first of the two values counts here.
        if second == 0:
            return 0 if entered == first else 1
        if entered == second:
            return 1
        return 2 if entered == first else 3
    if second == 0:
        return 0 if entered == first else 1
    if entered == second:
        return 1
    return 2 if entered == first else 3


@compiled
def find_set_chain(board: Any, grid: Any, buffer: Any, every: int) -> None:  # noqa: ARG001
    """Search for chains of four or more sets in ascending order.

    The possible continuations depend only on the last link and on how it was entered. So each link
    is expanded only once per first link.
    """
    sets, links = grid.sets, grid.set_links
    choice = new_choice(_ROOM)
    # (links, values used − 1, 1 for a chain's second link): stamp of the last visit
    followed = np.zeros((links.counts[0], 3, 2), np.int32)
    path = np.empty(_LONGEST + 2, np.int64)
    used = np.zeros(_LONGEST + 2, np.int64)
    nexts = np.empty(_LONGEST + 2, np.int64)
    stamp = 0
    for start in range(sets.counts[0]):
        for link in range(links.starts[start], links.starts[start + 1]):
            for use in range(1, 3 if links.values[link, 1] else 2):
                stamp += 1
                level = 1
                path[1], used[1] = link, use
                nexts[1] = links.starts[links.other[link]]
                but = _bit(links.values[link, use - 1])
                while level:
                    at = links.other[path[level]]
                    if nexts[level] >= links.starts[at + 1] or level == _LONGEST:
                        level -= 1
                        continue
                    follower = nexts[level]
                    nexts[level] += 1
                    how = _usable(links, follower, path[level], used[level])
                    if how == 0:
                        continue
                    second = 1 if level == 1 else 0
                    if followed[follower, how - 1, second] == stamp:
                        continue
                    followed[follower, how - 1, second] = stamp
                    level += 1
                    path[level], used[level] = follower, how
                    end = links.other[follower]
                    nexts[level] = links.starts[end]
                    if level < 3:
                        continue
                    without = but
                    if how & 1:
                        without |= _bit(links.values[follower, 0])
                    if how & 2:
                        without |= _bit(links.values[follower, 1])
                    if sets.values[start] & sets.values[end] & ~without == 0:
                        continue
                    _eliminate_common(sets, choice, start, end, without)
                    if eliminations(choice):
                        _keep(sets, links, choice, start, level, path, used)
    write_choices(buffer, choice, best(choice), every)


@kernel
def _keep(sets: Any, links: Any, choice: Any, start: int, level: int, path: Any, used: Any) -> None:
    """Keep a chain if no earlier one has the same eliminations."""
    if same_as(choice) >= 0:
        drop(choice)
        return
    cells = popcount(sets.cells[start, 0]) + popcount(sets.cells[start, 1])
    if add(choice, CHAIN_CODE, level + 1, cells):
        _jot_set(sets, choice, start)
        for number in range(1, level + 1):
            _jot_link(choice, links, path[number], used[number])
            _jot_set(sets, choice, links.other[path[number]])


_LINKED = find_sets, find_links
_OVERLAPPING = find_sets, find_all_links
ALS_XZ = Search(("0901",), find_xz, (), small_board, _LINKED)
ALS_XY_WING = Search(("0902",), find_xy_wing, (0,), small_board, _LINKED)
ALS_CHAIN = Search(("0903",), find_set_chain, (), small_board, _LINKED)
OVERLAPPING_XY_WING = Search(("0902",), find_xy_wing, (1,), small_board, _OVERLAPPING)
