"""Almost locked set techniques: the XZ-rule, the XY-Wing, and chains.

Two sets are linked by a value if only one of them can hold it (a restricted common candidate). A
set that cannot hold this value is locked: it holds all of its other values. So in a chain of linked
sets, the first or the last set is locked. If both have another candidate in common, one of the two
must hold it. The value is removed from all cells that see its candidates in both sets.
"""

from typing import Any

import numpy as np

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import always_inline, compiled, kernel
from solver.logic.almost_locked_sets.search import (
    changed_cells,
    find_all_links,
    find_links,
    find_sets,
)
from solver.logic.almost_locked_sets.storage import SetLinks, Sets
from solver.logic.board import Board, Ints, Words
from solver.logic.deduction_rows import RESTRICTED, SET, SET_CELL, SET_VALUE
from solver.logic.grid import Grid
from solver.logic.hodoku_order import (
    ENTRIES,
    Options,
    add,
    best,
    drop,
    eliminate,
    eliminations,
    new_options,
    note_option,
    same_as,
    write_options,
)
from solver.logic.technique import Search, small_board

XZ_CODE, XY_CODE, CHAIN_CODE = 901, 902, 903
_MOST_OPTIONS = 1024
_LONGEST = 50


@kernel
def _eliminate_common(sets: Sets, options: Options, first: int, second: int, excluded: int) -> None:
    """Add the eliminations for the values that two almost locked sets both contain.

    `first` and `second` are set numbers. Cells that see all places of such a value in both sets
    lose it. The values in `excluded` (bits) are skipped. The eliminations are added to the
    deduction being built in `options`.
    """
    rest = sets.values[first] & sets.values[second] & ~excluded
    while rest:
        value = ctz(rest) + 1
        rest &= rest - 1
        low = sets.peers[first, value, 0] & sets.peers[second, value, 0]
        high = sets.peers[first, value, 1] & sets.peers[second, value, 1]
        if low | high:
            eliminate(options, low, high, value)


@kernel
def _eliminate_locked(sets: Sets, options: Options, first: int, second: int, excluded: int) -> None:
    """Add the eliminations of an almost locked set that has two links to another set.

    `first` is the number of the set, `second` the number of the other set, and `excluded` are the
    values of the two links (bits). The links lock the set: it must hold all its other values. So
    cells outside both sets lose each of these values if they see all its places in set `first`. The
    eliminations are added to the deduction being built in `options`.
    """
    rest = sets.values[first] & ~excluded
    while rest:
        value = ctz(rest) + 1
        rest &= rest - 1
        low = sets.peers[first, value, 0] & ~sets.cells[second, 0]
        high = sets.peers[first, value, 1] & ~sets.cells[second, 1]
        if low | high:
            eliminate(options, low, high, value)


@always_inline
def _has(sets: Sets, number: int, low: int, high: int) -> Any:
    """Return whether almost locked set `number` contains any of the given cells (two words)."""
    return (sets.cells[number, 0] & low) | (sets.cells[number, 1] & high) != 0


@always_inline
def _bit(value: int) -> Any:
    """Return the value as a bit (bit 0 for value 1), or 0 for no value."""
    return 1 << (value - 1) if value else 0


@kernel
def _note_option_set(sets: Sets, options: Options, number: int) -> None:
    """Append an almost locked set to the description of the deduction last completed.

    `number` is the number of the set.
    """
    note_option(options, SET, 0, 0)
    low, high, values = sets.cells[number, 0], sets.cells[number, 1], sets.values[number]
    while low:
        note_option(options, SET_CELL, ctz(low), 0)
        low &= low - 1
    while high:
        note_option(options, SET_CELL, 64 + ctz(high), 0)
        high &= high - 1
    while values:
        note_option(options, SET_VALUE, ctz(values) + 1, 0)
        values &= values - 1


@kernel
def _note_option_link(options: Options, links: SetLinks, link: int, which: int) -> None:
    """Append restricted commons of a link to the description of a deduction.

    This is the deduction that was last completed in `options`. A link joins two almost locked sets
    by one or two values, its restricted commons, that only one of the two sets can contain. `link`
    is its index in `links`. `which` is a bit mask: bit 0 selects the link's first restricted
    common, and bit 1 the second, if it has one.
    """
    for number in range(2):
        value = links.values[link, number]
        if value and which >> number & 1:
            note_option(options, RESTRICTED, value, 0)


@compiled
def find_xz(board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:
    """Search for two linked almost locked sets with another value in common (ALS-XZ).

    Cells that see all places of that value in both sets lose it. If two values link the sets, both
    sets are locked. Then cells that see all places of one of their other values in a set lose it,
    too. Writes the first deduction, or all of them if `all_steps` is set.
    """
    sets, links = grid.sets, grid.set_links
    low, high = changed_cells(board, grid)
    options = new_options(_MOST_OPTIONS)
    for link in range(links.counts[0]):
        one, other = links.one[link], links.other[link]
        if not (_has(sets, one, low, high) or _has(sets, other, low, high)):
            continue
        first, second = _bit(links.values[link, 0]), _bit(links.values[link, 1])
        _eliminate_common(sets, options, one, other, first)
        if second:
            _eliminate_common(sets, options, one, other, second)
            _eliminate_locked(sets, options, one, other, first | second)
            _eliminate_locked(sets, options, other, one, first | second)
        if eliminations(options) == 0:
            continue
        if add(options, XZ_CODE, 2, 0):
            _note_option_set(sets, options, one)
            _note_option_link(options, links, link, 3)
            _note_option_set(sets, options, other)
        if not all_steps:
            break
    write_options(buffer, options, options.ends[ENTRIES] - 1, all_steps)


@compiled
def find_xy_wing(board: Board, grid: Grid, buffer: Ints, all_steps: int, overlap: int) -> None:
    """Search for two almost locked sets linked to a third one by different values (ALS-XY-Wing).

    If the two sets have a further value in common, it is removed from the cells that see all its
    places in both. The two sets may share cells only with `overlap`, and neither may contain the
    other. Writes the first deduction, or all of them if `all_steps` is set.
    """
    sets, links = grid.sets, grid.set_links
    low, high = changed_cells(board, grid)
    has_changed = np.empty(sets.counts[0], np.uint8)
    for number in range(sets.counts[0]):
        has_changed[number] = _has(sets, number, low, high)
    options = new_options(_MOST_OPTIONS)
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
            if not has_changed[hinge] | has_changed[a] | has_changed[b]:
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
            _eliminate_common(sets, options, a, b, but)
            if eliminations(options) == 0:
                continue
            if add(options, XY_CODE, 3, 0):
                _note_option_set(sets, options, a)
                _note_option_link(options, links, link, 3)
                _note_option_set(sets, options, hinge)
                _note_option_link(options, links, next_link, 3)
                _note_option_set(sets, options, b)
            if not all_steps:
                write_options(buffer, options, 0, 0)
                return
    write_options(buffer, options, -1, all_steps)


@always_inline
def _usable(links: SetLinks, link: int, last: int, last_use: int) -> Any:
    """Return which values of a link can follow the link `last` in a chain of almost locked sets.

    A chain must leave a set through another value than the one it entered through. Values are
    written as 1 for a link's first one, 2 for its second, and 3 for both. `last_use` states in this
    way which values of `last` the chain uses. If it uses both, only the first one counts as
    entered. The result is 0 if the link can't follow.
    """
    first, second = links.values[link, 0], links.values[link, 1]
    # As in HoDoKu, only the first value counts if the chain uses both values of the last link.
    entered = links.values[last, 1] if last_use == 2 else links.values[last, 0]
    if second == 0:
        return 0 if entered == first else 1
    if entered == second:
        return 1
    return 2 if entered == first else 3


@compiled
def find_set_chain(board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:  # noqa: ARG001
    """Search for chains of four or more linked almost locked sets (ALS chain).

    The sets and links in `grid` must be up to date. Chains of more than `_LONGEST` links aren't
    searched. Set numbers ascend along a chain. If the first and the last set have a value in common
    that doesn't link them to their neighbors, cells that see all its places in both lose it. Writes
    the deduction that HoDoKu would choose, or all of them if `all_steps` is set. `board` is unused.
    """
    sets, links = grid.sets, grid.set_links
    options = new_options(_MOST_OPTIONS)
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
                    _eliminate_common(sets, options, start, end, without)
                    if eliminations(options):
                        _keep(sets, links, options, start, level, path, used)
    write_options(buffer, options, best(options), all_steps)


@kernel
def _keep(
    sets: Sets, links: SetLinks, options: Options, start: int, level: int, path: Words, used: Words
) -> None:
    """Complete a chain as a deduction, or discard it if its eliminations aren't new.

    Its eliminations have been collected in `options` before. They aren't new if an earlier
    deduction in `options` has the same ones.

        start  the number of the set with which the chain begins
        level  the number of links
        path   the links, at indices 1 to `level`
        used   by the same index, the values of the link that the chain uses: 1 for the first, 2 for
               the second, 3 for both
    """
    if same_as(options) >= 0:
        drop(options)
        return
    cells = popcount(sets.cells[start, 0]) + popcount(sets.cells[start, 1])
    if add(options, CHAIN_CODE, level + 1, cells):
        _note_option_set(sets, options, start)
        for number in range(1, level + 1):
            _note_option_link(options, links, path[number], used[number])
            _note_option_set(sets, options, links.other[path[number]])


_LINKED = find_sets, find_links
_OVERLAPPING = find_sets, find_all_links
ALS_XZ = Search(("0901",), find_xz, (), small_board, _LINKED)
ALS_XY_WING = Search(("0902",), find_xy_wing, (0,), small_board, _LINKED)
ALS_CHAIN = Search(("0903",), find_set_chain, (), small_board, _LINKED)
OVERLAPPING_XY_WING = Search(("0902",), find_xy_wing, (1,), small_board, _OVERLAPPING)
