"""The direct implications of candidates, for chains, loops, and forcing chains.

A node is one of three things:

    candidate  true if the cell has the value
    group      the places of a value in the intersection of a line and a box: true if one of them
               has the value
    set value  a value of an almost locked set (see `almost_locked_sets.nodes`): false if the
               set has lost it

A literal is 2 × node for "false", 2 × node + 1 for "true". Candidates come first, cell by cell:

    node = cell × size + value − 1     groups and sets follow
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import always_inline, helper, kernel
from solver.logic.board import BOX, Board, Ints, Words
from solver.logic.grid import Grid

# Indices into `Implications.sizes` and into a row of `Implications.groups`.
CANDIDATE_COUNT, GROUP_COUNT, NODE_COUNT = range(3)
GROUP_VALUE, FIRST_CELL, CELLS_LOW, CELLS_HIGH = range(4)
GROUPS, SETS = 1, 2  # kinds of nodes in addition to candidates
STEP = 2  # Cost of a link. Links through sets cost more, by an odd or an even amount.
_MOST_GROUPS = 1024
_MOST_SETS = 4096


class Implications(NamedTuple):
    """The literals that follow directly from each literal, in search order.

    A literal states that a candidate, a group, or a value of an almost locked set is true or false.
    The index of a group or set in `groups` and `peers` is its node minus the number of candidates.

        follows  (literals, ·): the literals that follow
        costs    the same shape: the cost of each implication, or (1, 1) if each costs one `STEP`
        counts   by literal: the number of literals that follow
        groups   by group or set: value, first place of the value, and both words of the cells
        peers    by group or set: the cells that see all of its places, as two words
        sizes    (3,): the number of candidates, of groups, and of groups and sets together
    """

    follows: NDArray[np.int16]
    costs: NDArray[np.int16]
    counts: Ints
    groups: Words
    peers: Words
    sizes: Ints


@helper
def find_implications(board: Board, grid: Grid, extra_nodes: int) -> Any:
    """Return the direct implications between the candidates of a grid.

    If `extra_nodes` is `GROUPS`, groups of candidates are included. If it is `SETS`, groups are
    included, and there is room to add almost locked sets. If it is 0, there are only candidates.
    """
    candidates = board.cell_count * board.value_count
    more = 1
    if extra_nodes:
        more = _MOST_GROUPS + (_MOST_SETS if extra_nodes == SETS else 0)
    literals = 2 * (candidates + more)
    width = board.value_count + board.peers.shape[1] + 64 + (1024 if extra_nodes == SETS else 0)
    costly = extra_nodes == SETS
    implications = Implications(
        np.empty((literals, width), np.int16),
        np.empty((literals if costly else 1, width if costly else 1), np.int16),
        np.zeros(literals, np.int32),
        np.empty((more, 4), np.int64),
        np.empty((more, 2), np.int64),
        np.zeros(3, np.int32),
    )
    implications.sizes[CANDIDATE_COUNT] = candidates
    for cell in range(board.cell_count):
        rest = grid.cells[cell]
        while rest:
            value = ctz(rest) + 1
            rest &= rest - 1
            _add_candidate(board, grid, implications, cell, value)
    if extra_nodes:
        add_groups(board, grid, implications)
    return implications


@helper
def add_groups(board: Board, grid: Grid, implications: Implications) -> None:
    """Find the groups of candidates, and add the implications from and to them.

    A group consists of all places of a value in the intersection of a line and a box, if there are
    two or more. Any house that isn't a line counts as a box.
    """
    _find_groups(board, grid, implications)
    nexts = np.full(implications.sizes[GROUP_COUNT], -1, np.int32)
    lasts = np.full(board.value_count + 1, -1, np.int32)
    firsts = np.full(board.value_count + 1, -1, np.int32)
    for group in range(implications.sizes[GROUP_COUNT]):
        value = implications.groups[group, GROUP_VALUE]
        if lasts[value] < 0:
            firsts[value] = group
        else:
            nexts[lasts[value]] = group
        lasts[value] = group
    for group in range(implications.sizes[GROUP_COUNT]):
        _add_group(
            board, grid, implications, group, firsts[implications.groups[group, GROUP_VALUE]], nexts
        )


@always_inline
def literal_of(board: Board, cell: int, value: int, true: int) -> Any:
    """Return the literal that a cell has a value (`true` is 1) or doesn't have it (0).

    A literal is the number 2 × node + `true`, where node is the number of the candidate: cell ×
    size + value − 1.
    """
    return 2 * (cell * board.value_count + value - 1) + true


@always_inline
def is_group(implications: Implications, literal: int) -> Any:
    """Return whether a literal is about a group or a set, not a single candidate.

    A group is a set of places of a value, and a set is an almost locked set.
    """
    return literal >> 1 >= implications.sizes[CANDIDATE_COUNT]


@always_inline
def cell_of(board: Board, implications: Implications, literal: int) -> Any:
    """Return the cell of a literal, or one cell if the literal is about several.

    A literal is about a candidate, or about a value's places in a group or an almost locked set. Of
    these places, the first one is returned.
    """
    node = literal >> 1
    if node >= implications.sizes[CANDIDATE_COUNT]:
        return implications.groups[node - implications.sizes[CANDIDATE_COUNT], FIRST_CELL]
    return node // board.value_count


@always_inline
def value_of(board: Board, implications: Implications, literal: int) -> Any:
    """Return the value of a literal's candidate or group, or the value that its set can lose.

    A set is an almost locked set.
    """
    node = literal >> 1
    if node >= implications.sizes[CANDIDATE_COUNT]:
        return implications.groups[node - implications.sizes[CANDIDATE_COUNT], GROUP_VALUE]
    return node % board.value_count + 1


@kernel
def cells_of(board: Board, implications: Implications, literal: int) -> Any:
    """Return all cells of a literal's candidate, group, or almost locked set, as two words."""
    node = literal >> 1
    if node >= implications.sizes[CANDIDATE_COUNT]:
        group = node - implications.sizes[CANDIDATE_COUNT]
        return implications.groups[group, CELLS_LOW], implications.groups[group, CELLS_HIGH]
    cell = node // board.value_count
    if cell < 64:
        return 1 << cell, 0
    return 0, 1 << (cell & 63)


@kernel
def peers_of(board: Board, implications: Implications, literal: int) -> Any:
    """Return the cells that see all cells of a literal's candidate or group, as two words.

    For an almost locked set, these are the cells that see all places of the value in the set.
    """
    node = literal >> 1
    if node >= implications.sizes[CANDIDATE_COUNT]:
        group = node - implications.sizes[CANDIDATE_COUNT]
        return implications.peers[group, 0], implications.peers[group, 1]
    cell = node // board.value_count
    return board.peer_sets[cell, 0], board.peer_sets[cell, 1]


@always_inline
def follow(implications: Implications, literal: int, implied: int) -> None:
    """Add the implication from `literal` to `implied`, with the usual cost of one STEP."""
    follow_far(implications, literal, implied, STEP)


@always_inline
def follow_far(implications: Implications, literal: int, implied: int, cost: int) -> None:
    """Add the implication from `literal` to `implied`, unless the list is full.

    `cost` is the cost of the implication. It is ignored if all implications cost one `STEP`, and
    aren't stored with their costs.
    """
    count = implications.counts[literal]
    if count < implications.follows.shape[1]:
        implications.follows[literal, count] = implied
        if len(implications.costs) > 1:
            implications.costs[literal, count] = cost
        implications.counts[literal] = count + 1


@kernel
def _follow_once(implications: Implications, literal: int, implied: int) -> None:
    """Add the implication from `literal` to `implied`, with the cost of one STEP, if it is new."""
    for number in range(implications.counts[literal]):
        if implications.follows[literal, number] == implied:
            return
    follow(implications, literal, implied)


@kernel
def _add_candidate(
    board: Board, grid: Grid, implications: Implications, cell: int, value: int
) -> None:
    """Add the implications of a candidate, both if it is true and if it is false.

    If it is true, the other candidates of its cell and those of its value in its peers are false.
    If it is false, the only other candidate of its cell is true, and so is the only other place of
    its value in a house.

    Those within its cell come first, then those within its houses, then those from not-equal pairs
    outside the houses.
    """
    on = literal_of(board, cell, value, 1)
    off = on - 1
    others = grid.cells[cell] & ~(1 << (value - 1))
    if popcount(others) == 1:
        follow(implications, off, literal_of(board, cell, ctz(others) + 1, 1))
    while others:
        follow(implications, on, literal_of(board, cell, ctz(others) + 1, 0))
        others &= others - 1
    seen_low, seen_high = 0, 0
    number = 0
    while board.cell_houses[cell, number] >= 0:
        house = board.cell_houses[cell, number]
        number += 1
        in_low = board.house_sets[house, 0] & grid.places[value, 0]
        in_high = board.house_sets[house, 1] & grid.places[value, 1]
        _follow_cells(
            board, implications, on, in_low & ~seen_low, in_high & ~seen_high, cell, value
        )
        if board.complete[house] and popcount(in_low) + popcount(in_high) == 2:
            if cell < 64:
                in_low &= ~(1 << cell)
            else:
                in_high &= ~(1 << (cell & 63))
            other = ctz(in_low) if in_low else 64 + ctz(in_high)
            _follow_once(implications, off, literal_of(board, other, value, 1))
        seen_low |= board.house_sets[house, 0]
        seen_high |= board.house_sets[house, 1]
    low = board.peer_sets[cell, 0] & grid.places[value, 0] & ~seen_low
    high = board.peer_sets[cell, 1] & grid.places[value, 1] & ~seen_high
    _follow_cells(board, implications, on, low, high, cell, value)


@kernel
def _follow_cells(
    board: Board,
    implications: Implications,
    literal: int,
    low: int,
    high: int,
    but: int,
    value: int,
) -> None:
    """Add the implications from `literal` that certain cells don't have the value.

    The cells are the two-word set `low`, `high`, except for the cell `but`.
    """
    while low:
        if ctz(low) != but:
            follow(implications, literal, literal_of(board, ctz(low), value, 0))
        low &= low - 1
    while high:
        if 64 + ctz(high) != but:
            follow(implications, literal, literal_of(board, 64 + ctz(high), value, 0))
        high &= high - 1


@kernel
def _find_groups(board: Board, grid: Grid, implications: Implications) -> None:
    """Write the groups of all values to `implications.groups`, by line, then value, then box.

    A group consists of all places of a value in the intersection of a line and a box, if there are
    two or more. Any house that isn't a line counts as a box. Groups that don't fit are left out.
    """
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
                    implications.groups[count, GROUP_VALUE] = value
                    implications.groups[count, FIRST_CELL] = ctz(a) if a else 64 + ctz(b)
                    (
                        implications.groups[count, CELLS_LOW],
                        implications.groups[count, CELLS_HIGH],
                    ) = a, b
                    implications.peers[count] = -1
                    while a | b:
                        cell = ctz(a) if a else 64 + ctz(b)
                        implications.peers[count, 0] &= board.peer_sets[cell, 0]
                        implications.peers[count, 1] &= board.peer_sets[cell, 1]
                        if a:
                            a &= a - 1
                        else:
                            b &= b - 1
                    count += 1
    implications.sizes[GROUP_COUNT] = implications.sizes[NODE_COUNT] = count


@kernel
def _add_group(
    board: Board, grid: Grid, implications: Implications, group: int, first_same: int, nexts: Ints
) -> None:
    """Add the implications between a group and candidates, and those to other groups.

    The groups with the same value form a linked list. `first_same` is the first group of this list,
    and `nexts[g]` is the group that follows group g in it, or −1.
    """
    value, first = implications.groups[group, GROUP_VALUE], implications.groups[group, FIRST_CELL]
    low, high = implications.groups[group, CELLS_LOW], implications.groups[group, CELLS_HIGH]
    on = 2 * (implications.sizes[CANDIDATE_COUNT] + group) + 1
    off = on - 1
    peers_low = implications.peers[group, 0] & grid.places[value, 0]
    peers_high = implications.peers[group, 1] & grid.places[value, 1]
    a, b = peers_low, peers_high
    while a | b:
        cell = ctz(a) if a else 64 + ctz(b)
        follow(implications, on, literal_of(board, cell, value, 0))
        follow(implications, literal_of(board, cell, value, 1), off)
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
                _follow_once(implications, off, literal_of(board, cell, value, 1))
                follow(implications, literal_of(board, cell, value, 0), on)
    implied = first_same
    while implied >= 0:
        other, implied = implied, nexts[implied]
        other_low, other_high = (
            implications.groups[other, CELLS_LOW],
            implications.groups[other, CELLS_HIGH],
        )
        if other == group or (low & other_low) | (high & other_high):
            continue
        number = 0
        while board.cell_houses[first, number] >= 0:
            house = board.cell_houses[first, number]
            number += 1
            all_low, all_high = low | other_low, high | other_high
            house_low, house_high = board.house_sets[house, 0], board.house_sets[house, 1]
            if (all_low & ~house_low) | (all_high & ~house_high) == 0:
                follow(implications, on, 2 * (implications.sizes[CANDIDATE_COUNT] + other))
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
        implied = first_same
        while implied >= 0:
            other, implied = implied, nexts[implied]
            other_low, other_high = (
                implications.groups[other, CELLS_LOW],
                implications.groups[other, CELLS_HIGH],
            )
            if other == group:
                continue
            if (other_low & ~rest_low) | (other_high & ~rest_high) == 0:
                partners += 1
                partner = other
        if partners != 1:
            continue
        if (
            implications.groups[partner, CELLS_LOW] == rest_low
            and implications.groups[partner, CELLS_HIGH] == rest_high
        ):
            follow(implications, off, 2 * (implications.sizes[CANDIDATE_COUNT] + partner) + 1)
