"""Almost locked sets as nodes of chains: a set without one value holds its others."""

from typing import Any

import numpy as np

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import helper, kernel
from solver.logic.almost_locked_sets.storage import Sets
from solver.logic.board import Board, Ints, Words
from solver.logic.grid import Grid
from solver.logic.implications import (
    CANDIDATE_COUNT,
    CELLS_HIGH,
    CELLS_LOW,
    FIRST_CELL,
    GROUP_COUNT,
    GROUP_VALUE,
    NODE_COUNT,
    STEP,
    Implications,
    follow,
    follow_far,
    literal_of,
)


@helper
def add_sets(board: Board, grid: Grid, implications: Implications, sets: Sets) -> Any:
    """Add a node to the implications for each value that an almost locked set can lose.

    A candidate that sees all places of a value in a set removes the value from the set. The set
    then contains all its other values. For each of these, other cells that see all its places in
    the set lose it. These implications are added, too. Skips sets of a single cell, and values
    whose loss changes nothing outside the set. Stops if there is no room for another node.

    Returns an array: entry n is the number of the almost locked set to which the nth added node
    belongs.
    """
    count = sets.counts[0]
    node_of = np.full((max(count, 1), board.value_count + 1), -1, np.int32)
    nodes = np.empty(max(len(implications.groups) - implications.sizes[GROUP_COUNT], 1), np.int32)
    outside = np.zeros((board.value_count + 1, 2), np.int64)
    for number in range(count):
        if popcount(sets.cells[number, 0]) + popcount(sets.cells[number, 1]) == 1:
            continue
        rest = sets.values[number]
        while rest:
            value = ctz(rest) + 1
            rest &= rest - 1
            others = sets.values[number] & ~(1 << (value - 1))
            left = others
            some = 0
            while left:
                other = ctz(left) + 1
                left &= left - 1
                outside[other, 0] = sets.peers[number, other, 0]
                outside[other, 1] = sets.peers[number, other, 1]
                some |= outside[other, 0] | outside[other, 1]
            if some == 0:
                continue
            literal = _node(implications, sets, node_of, nodes, number, value)
            if literal < 0:
                return nodes
            _lead_into(board, implications, sets, number, value, literal)
            _lead_out(board, implications, sets, node_of, nodes, outside, number, others, literal)
            _force(board, grid, implications, sets, outside, number, others, literal)
    return nodes


@kernel
def penalty(sets: Sets, number: int) -> Any:
    """Return the extra cost of a link from almost locked set `number`, in addition to `STEP`.

    It is 1 for a set with two values, and grows with the number of values.
    """
    values = popcount(sets.values[number])
    return 1 if values == 2 else 2 * (values - 1)


@kernel
def _node(
    implications: Implications, sets: Sets, node_of: Ints, nodes: Ints, number: int, value: int
) -> Any:
    """Return the literal "almost locked set `number` has lost `value`".

    `number` is the index of the almost locked set in `sets`. If no node exists for the literal yet,
    a node is appended to the groups in `implications`, and two arrays are updated:

    node_of  [number, value]: the index of the node in `implications.groups`, −1 if there is none
    nodes    [n]: the number of the almost locked set that the nth node of a set belongs to

    Returns −1 if there is no room for a new node.
    """
    node = node_of[number, value]
    if node < 0:
        node = implications.sizes[NODE_COUNT]
        if node >= len(implications.groups):
            return -1
        implications.sizes[NODE_COUNT] = node + 1
        node_of[number, value] = node
        nodes[node - implications.sizes[GROUP_COUNT]] = number
        low, high = sets.places[number, value, 0], sets.places[number, value, 1]
        implications.groups[node, GROUP_VALUE] = value
        implications.groups[node, FIRST_CELL] = ctz(low) if low else 64 + ctz(high)
        implications.groups[node, CELLS_LOW], implications.groups[node, CELLS_HIGH] = (
            sets.cells[number, 0],
            sets.cells[number, 1],
        )
        implications.peers[node, 0] = sets.peers[number, value, 0]
        implications.peers[node, 1] = sets.peers[number, value, 1]
    return 2 * (implications.sizes[CANDIDATE_COUNT] + node)


@kernel
def _lead_into(
    board: Board, implications: Implications, sets: Sets, number: int, value: int, literal: int
) -> None:
    """Add the implications that lead to `literal`.

    The literal states that set `number` has lost the value. The implications start from the
    candidates and groups that see all places of the value in the set. Groups that share cells with
    the set are skipped.
    """
    low, high = sets.peers[number, value, 0], sets.peers[number, value, 1]
    while low | high:
        cell = ctz(low) if low else 64 + ctz(high)
        if low:
            low &= low - 1
        else:
            high &= high - 1
        follow(implications, literal_of(board, cell, value, 1), literal)
        for group in range(implications.sizes[GROUP_COUNT]):
            if implications.groups[group, GROUP_VALUE] != value:
                continue
            a, b = implications.groups[group, CELLS_LOW], implications.groups[group, CELLS_HIGH]
            inside = (a if cell < 64 else b) >> (cell & 63) & 1
            shared = (a & sets.cells[number, 0]) | (b & sets.cells[number, 1])
            unseen = (sets.places[number, value, 0] & ~implications.peers[group, 0]) | (
                sets.places[number, value, 1] & ~implications.peers[group, 1]
            )
            if not inside or shared or unseen:
                continue
            on = 2 * (implications.sizes[CANDIDATE_COUNT] + group) + 1
            known = False
            for index in range(implications.counts[on]):
                known |= implications.follows[on, index] == literal
            if not known:
                follow(implications, on, literal)


@kernel
def _lead_out(
    board: Board,
    implications: Implications,
    sets: Sets,
    node_of: Ints,
    nodes: Ints,
    outside: Words,
    number: int,
    others: int,
    literal: int,
) -> None:
    """Add what follows from `literal`, the statement that set `number` has lost a value.

    The set then contains all its other values, `others` (bits). A candidate, a group, or another
    almost locked set whose cells with such a value all see those of the set loses this value. Sets
    of a single cell, and those that share cells with the set, are skipped. The cost of each
    implication is STEP plus the set's penalty. The other arrays contain:

    outside  [value]: the cells with this candidate that see all its places in the set, as two words
    node_of  [number, value]: the index of the node in `implications.groups`, or −1. It is updated.
    nodes    [n]: the number of the almost locked set of the nth added node. It is updated.
    """
    cost = STEP + penalty(sets, number)
    left = others
    while left:
        value = ctz(left) + 1
        left &= left - 1
        low, high = outside[value, 0], outside[value, 1]
        if low | high == 0:
            continue
        while low:
            follow_far(implications, literal, literal_of(board, ctz(low), value, 0), cost)
            low &= low - 1
        while high:
            follow_far(implications, literal, literal_of(board, 64 + ctz(high), value, 0), cost)
            high &= high - 1
        for group in range(implications.sizes[GROUP_COUNT]):
            if implications.groups[group, GROUP_VALUE] != value:
                continue
            a = implications.groups[group, CELLS_LOW] & ~outside[value, 0]
            b = implications.groups[group, CELLS_HIGH] & ~outside[value, 1]
            if a | b == 0:
                follow_far(
                    implications, literal, 2 * (implications.sizes[CANDIDATE_COUNT] + group), cost
                )
    for other in range(sets.counts[0]):
        a, b = sets.cells[other, 0], sets.cells[other, 1]
        shared = (a & sets.cells[number, 0]) | (b & sets.cells[number, 1])
        if other == number or shared or popcount(a) + popcount(b) == 1:
            continue
        left = others & sets.values[other]
        while left:
            value = ctz(left) + 1
            left &= left - 1
            if outside[value, 0] | outside[value, 1] == 0:
                continue
            a = sets.places[other, value, 0] & ~outside[value, 0]
            b = sets.places[other, value, 1] & ~outside[value, 1]
            if a | b == 0:
                implied = _node(implications, sets, node_of, nodes, other, value)
                if implied >= 0:
                    follow_far(implications, literal, implied, cost)


@kernel
def _force(
    board: Board,
    grid: Grid,
    implications: Implications,
    sets: Sets,
    outside: Words,
    number: int,
    others: int,
    literal: int,
) -> None:
    """Add the implications of `literal` that make a candidate true.

    The literal states that set `number` has lost a value, so it contains all its other values,
    `others` (bits). They remove candidates from the cells that see all their places in the set. If
    this leaves a single candidate in a cell, that candidate is true. Cells with exactly two
    candidates are skipped. These implications cost 1 more than those of `_lead_out`.
    `outside[value]` are the cells with this candidate that see all its places in the set, as two
    words.
    """
    low, high = sets.all_peers[number, 0], sets.all_peers[number, 1]
    while low | high:
        cell = ctz(low) if low else 64 + ctz(high)
        if low:
            low &= low - 1
        else:
            high &= high - 1
        rest = grid.cells[cell]
        if popcount(rest) == 2:
            continue
        left = others
        while left:
            value = ctz(left) + 1
            left &= left - 1
            if outside[value, cell >> 6] >> (cell & 63) & 1:
                rest &= ~(1 << (value - 1))
        if popcount(rest) == 1:
            implied = literal_of(board, cell, ctz(rest) + 1, 1)
            follow_far(implications, literal, implied, STEP + penalty(sets, number) + 1)
