"""The direct implications of candidates, for chains, loops, and forcing chains.

A node is one of three things:

- a candidate
- a group: the places of a value in the intersection of a line and a box. It is true if one of
  them has the value.
- a value of an almost locked set (see `solver.logic.als_nodes`), false if the set has lost it

A literal is 2 × node for "false", 2 × node + 1 for "true". Candidates come first, cell by cell:

    node = cell × size + value − 1     groups and sets follow
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import always_inline, helper, kernel
from solver.logic.board import BOX, Ints, Words

GROUPS, SETS = 1, 2  # kinds of nodes in addition to candidates
STEP = 2  # Cost of a link. Links through sets cost more, by an odd or an even amount.
_MOST_GROUPS = 1024
_MOST_SETS = 4096


class Implications(NamedTuple):
    """The direct implications of each literal, in search order."""

    follows: NDArray[np.int16]  # (literals, ·): the literals that follow
    costs: NDArray[np.int16]  # same shape: the cost of each; shape (1, 1) if all cost one STEP
    counts: Ints  # (literals,): number of literals that follow
    groups: Words  # (groups and sets, 4): value, first cell, and both words of the cells
    peers: Words  # (groups and sets, 2): cells that see all of its places
    sizes: Ints  # (3,): number of candidates, of groups, and of groups and sets


@helper
def implications(board: Any, grid: Any, besides: int) -> Any:
    """Return the implications between candidates.

    If `besides` is `GROUPS`, groups are included. If it is `SETS`, there is also room for almost
    locked sets.
    """
    candidates = board.cell_count * board.value_count
    more = 1
    if besides:
        more = _MOST_GROUPS + (_MOST_SETS if besides == SETS else 0)
    literals = 2 * (candidates + more)
    width = board.value_count + board.peers.shape[1] + 64 + (1024 if besides == SETS else 0)
    costly = besides == SETS
    found = Implications(
        np.empty((literals, width), np.int16),
        np.empty((literals if costly else 1, width if costly else 1), np.int16),
        np.zeros(literals, np.int32),
        np.empty((more, 4), np.int64),
        np.empty((more, 2), np.int64),
        np.zeros(3, np.int32),
    )
    found.sizes[0] = candidates
    for cell in range(board.cell_count):
        rest = grid.cells[cell]
        while rest:
            value = ctz(rest) + 1
            rest &= rest - 1
            _add_candidate(board, grid, found, cell, value)
    if besides:
        add_groups(board, grid, found)
    return found


@helper
def add_groups(board: Any, grid: Any, found: Any) -> None:
    """Find the groups, and add the implications from and to them."""
    _find_groups(board, grid, found)
    nexts = np.full(found.sizes[1], -1, np.int32)
    lasts = np.full(board.value_count + 1, -1, np.int32)
    firsts = np.full(board.value_count + 1, -1, np.int32)
    for group in range(found.sizes[1]):
        value = found.groups[group, 0]
        if lasts[value] < 0:
            firsts[value] = group
        else:
            nexts[lasts[value]] = group
        lasts[value] = group
    for group in range(found.sizes[1]):
        _add_group(board, grid, found, group, firsts[found.groups[group, 0]], nexts)


@always_inline
def literal(board: Any, cell: int, value: int, true: int) -> Any:
    """Return the literal of a candidate."""
    return 2 * (cell * board.value_count + value - 1) + true


@always_inline
def is_group(found: Any, of: int) -> Any:
    """Return whether a literal belongs to a group or a set."""
    return of >> 1 >= found.sizes[0]


@always_inline
def cell_of(board: Any, found: Any, of: int) -> Any:
    """Return the cell of a literal, or the first cell of its group."""
    node = of >> 1
    if node >= found.sizes[0]:
        return found.groups[node - found.sizes[0], 1]
    return node // board.value_count


@always_inline
def value_of(board: Any, found: Any, of: int) -> Any:
    """Return the value of a literal."""
    node = of >> 1
    if node >= found.sizes[0]:
        return found.groups[node - found.sizes[0], 0]
    return node % board.value_count + 1


@kernel
def cells_of(board: Any, found: Any, of: int) -> Any:
    """Return all cells of a literal, as two words."""
    node = of >> 1
    if node >= found.sizes[0]:
        group = node - found.sizes[0]
        return found.groups[group, 2], found.groups[group, 3]
    cell = node // board.value_count
    if cell < 64:
        return 1 << cell, 0
    return 0, 1 << (cell & 63)


@kernel
def peers_of(board: Any, found: Any, of: int) -> Any:
    """Return the cells that see all cells of a literal, as two words."""
    node = of >> 1
    if node >= found.sizes[0]:
        group = node - found.sizes[0]
        return found.peers[group, 0], found.peers[group, 1]
    cell = node // board.value_count
    return board.peer_sets[cell, 0], board.peer_sets[cell, 1]


@always_inline
def follow(found: Any, of: int, then: int) -> None:
    """Add the implication from `of` to `then`, one step long."""
    follow_far(found, of, then, STEP)


@always_inline
def follow_far(found: Any, of: int, then: int, cost: int) -> None:
    """Add the implication from `of` to `then`, with a cost."""
    count = found.counts[of]
    if count < found.follows.shape[1]:
        found.follows[of, count] = then
        if len(found.costs) > 1:
            found.costs[of, count] = cost
        found.counts[of] = count + 1


@kernel
def _follow_once(found: Any, of: int, then: int) -> None:
    """Add the implication from `of` to `then`, unless it exists already."""
    for number in range(found.counts[of]):
        if found.follows[of, number] == then:
            return
    follow(found, of, then)


@kernel
def _add_candidate(board: Any, grid: Any, found: Any, cell: int, value: int) -> None:
    """Add a candidate's implications: in its cell, in its houses, then by other not-equal pairs."""
    on = literal(board, cell, value, 1)
    off = on - 1
    others = grid.cells[cell] & ~(1 << (value - 1))
    if popcount(others) == 1:
        follow(found, off, literal(board, cell, ctz(others) + 1, 1))
    while others:
        follow(found, on, literal(board, cell, ctz(others) + 1, 0))
        others &= others - 1
    seen_low, seen_high = 0, 0
    number = 0
    while board.cell_houses[cell, number] >= 0:
        house = board.cell_houses[cell, number]
        number += 1
        in_low = board.house_sets[house, 0] & grid.places[value, 0]
        in_high = board.house_sets[house, 1] & grid.places[value, 1]
        _follow_cells(board, found, on, in_low & ~seen_low, in_high & ~seen_high, cell, value)
        if board.complete[house] and popcount(in_low) + popcount(in_high) == 2:
            if cell < 64:
                in_low &= ~(1 << cell)
            else:
                in_high &= ~(1 << (cell & 63))
            other = ctz(in_low) if in_low else 64 + ctz(in_high)
            _follow_once(found, off, literal(board, other, value, 1))
        seen_low |= board.house_sets[house, 0]
        seen_high |= board.house_sets[house, 1]
    low = board.peer_sets[cell, 0] & grid.places[value, 0] & ~seen_low
    high = board.peer_sets[cell, 1] & grid.places[value, 1] & ~seen_high
    _follow_cells(board, found, on, low, high, cell, value)


@kernel
def _follow_cells(
    board: Any, found: Any, of: int, low: int, high: int, but: int, value: int
) -> None:
    """Add the implications that no cell of a set has the value, except for the cell `but`."""
    while low:
        if ctz(low) != but:
            follow(found, of, literal(board, ctz(low), value, 0))
        low &= low - 1
    while high:
        if 64 + ctz(high) != but:
            follow(found, of, literal(board, 64 + ctz(high), value, 0))
        high &= high - 1


@kernel
def _find_groups(board: Any, grid: Any, found: Any) -> None:
    """Find the groups of all values, ordered by line, then value, then box."""
    count = 0
    for kind in range(BOX):
        for line in range(board.house_count):
            if board.kinds[line] != kind:
                continue
            for value in range(1, board.value_count + 1):
                low = board.house_sets[line, 0] & grid.places[value, 0]
                high = board.house_sets[line, 1] & grid.places[value, 1]
                if popcount(low) + popcount(high) < 2:
                    continue
                for box in range(board.house_count):
                    if board.kinds[box] < BOX:
                        continue
                    a, b = low & board.house_sets[box, 0], high & board.house_sets[box, 1]
                    if popcount(a) + popcount(b) < 2 or count == _MOST_GROUPS:
                        continue
                    found.groups[count, 0] = value
                    found.groups[count, 1] = ctz(a) if a else 64 + ctz(b)
                    found.groups[count, 2], found.groups[count, 3] = a, b
                    found.peers[count] = -1
                    while a | b:
                        cell = ctz(a) if a else 64 + ctz(b)
                        found.peers[count, 0] &= board.peer_sets[cell, 0]
                        found.peers[count, 1] &= board.peer_sets[cell, 1]
                        if a:
                            a &= a - 1
                        else:
                            b &= b - 1
                    count += 1
    found.sizes[1] = found.sizes[2] = count


@kernel
def _add_group(board: Any, grid: Any, found: Any, group: int, first_same: int, nexts: Any) -> None:
    """Add the implications between a group and candidates, then those between it and other groups.

    The groups with the same value form a linked list: `first_same`, followed by its `nexts`.
    """
    value, first = found.groups[group, 0], found.groups[group, 1]
    low, high = found.groups[group, 2], found.groups[group, 3]
    on = 2 * (found.sizes[0] + group) + 1
    off = on - 1
    peers_low = found.peers[group, 0] & grid.places[value, 0]
    peers_high = found.peers[group, 1] & grid.places[value, 1]
    a, b = peers_low, peers_high
    while a | b:
        cell = ctz(a) if a else 64 + ctz(b)
        follow(found, on, literal(board, cell, value, 0))
        follow(found, literal(board, cell, value, 1), off)
        if a:
            a &= a - 1
        else:
            b &= b - 1
    # In a house that contains the whole group, if there is only one other place, then either the
    # group or that place is true. The box is checked before the line.
    for turn in range(2):
        number = 0
        while board.cell_houses[first, number] >= 0:
            house = board.cell_houses[first, number]
            number += 1
            boxed = board.kinds[house] >= BOX
            if boxed == turn or not board.complete[house]:
                continue
            house_low, house_high = board.house_sets[house, 0], board.house_sets[house, 1]
            if (low & ~house_low) | (high & ~house_high):
                continue
            a, b = peers_low & house_low, peers_high & house_high
            if popcount(a) + popcount(b) == 1:
                cell = ctz(a) if a else 64 + ctz(b)
                _follow_once(found, off, literal(board, cell, value, 1))
                follow(found, literal(board, cell, value, 0), on)
    then = first_same
    while then >= 0:
        other, then = then, nexts[then]
        other_low, other_high = found.groups[other, 2], found.groups[other, 3]
        if other == group or (low & other_low) | (high & other_high):
            continue
        number = 0
        while board.cell_houses[first, number] >= 0:
            house = board.cell_houses[first, number]
            number += 1
            all_low, all_high = low | other_low, high | other_high
            house_low, house_high = board.house_sets[house, 0], board.house_sets[house, 1]
            if (all_low & ~house_low) | (all_high & ~house_high) == 0:
                follow(found, on, 2 * (found.sizes[0] + other))
                break
    # Houses whose places are exactly this group and one other: rows, columns, then boxes.
    number = 0
    while board.cell_houses[first, number] >= 0:
        house = board.cell_houses[first, number]
        number += 1
        house_low = board.house_sets[house, 0] & grid.places[value, 0]
        house_high = board.house_sets[house, 1] & grid.places[value, 1]
        if not board.complete[house] or (low & ~house_low) | (high & ~house_high):
            continue
        rest_low, rest_high = house_low & ~low, house_high & ~high
        if rest_low | rest_high == 0:
            continue
        partner = -1
        partners = 0
        then = first_same
        while then >= 0:
            other, then = then, nexts[then]
            other_low, other_high = found.groups[other, 2], found.groups[other, 3]
            if other == group:
                continue
            if (other_low & ~rest_low) | (other_high & ~rest_high) == 0:
                partners += 1
                partner = other
        if partners != 1:
            continue
        if found.groups[partner, 2] == rest_low and found.groups[partner, 3] == rest_high:
            follow(found, off, 2 * (found.sizes[0] + partner) + 1)
