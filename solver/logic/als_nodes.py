"""Almost locked sets as nodes of chains.

A set that loses one value is locked to its other values.
"""

from typing import Any

import numpy as np

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import helper, kernel
from solver.logic.implications import STEP, follow, follow_far, literal


@helper
def add_sets(board: Any, grid: Any, found: Any, sets: Any) -> Any:
    """Add nodes for the values of almost locked sets, with their implications.

    A candidate that sees all places of a value in a set removes the value from the set. The set
    then holds its other values, so cells that see all places of such a value lose it. Returns the
    number of the set for each added node.
    """
    count = sets.counts[0]
    node_of = np.full((max(count, 1), board.value_count + 1), -1, np.int32)
    nodes = np.empty(max(len(found.groups) - found.sizes[1], 1), np.int32)
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
            of = _node(found, sets, node_of, nodes, number, value)
            if of < 0:
                return nodes
            _lead_into(board, found, sets, number, value, of)
            _lead_out(board, found, sets, node_of, nodes, outside, number, others, of)
            _force(board, grid, found, sets, outside, number, others, of)
    return nodes


@kernel
def penalty(sets: Any, number: int) -> Any:
    """Return the extra cost of passing through a set instead of a candidate."""
    values = popcount(sets.values[number])
    return 1 if values == 2 else 2 * (values - 1)


@kernel
def _node(found: Any, sets: Any, node_of: Any, nodes: Any, number: int, value: int) -> Any:
    """Return the literal "the set has lost this value", or −1 if its node doesn't fit."""
    node = node_of[number, value]
    if node < 0:
        node = found.sizes[2]
        if node >= len(found.groups):
            return -1
        found.sizes[2] = node + 1
        node_of[number, value] = node
        nodes[node - found.sizes[1]] = number
        low, high = sets.places[number, value, 0], sets.places[number, value, 1]
        found.groups[node, 0] = value
        found.groups[node, 1] = ctz(low) if low else 64 + ctz(high)
        found.groups[node, 2], found.groups[node, 3] = sets.cells[number, 0], sets.cells[number, 1]
        found.peers[node, 0] = sets.peers[number, value, 0]
        found.peers[node, 1] = sets.peers[number, value, 1]
    return 2 * (found.sizes[0] + node)


@kernel
def _lead_into(board: Any, found: Any, sets: Any, number: int, value: int, of: int) -> None:
    """Add the implications into a set: candidates and groups that remove `value` from it."""
    low, high = sets.peers[number, value, 0], sets.peers[number, value, 1]
    while low | high:
        cell = ctz(low) if low else 64 + ctz(high)
        if low:
            low &= low - 1
        else:
            high &= high - 1
        follow(found, literal(board, cell, value, 1), of)
        for group in range(found.sizes[1]):
            if found.groups[group, 0] != value:
                continue
            a, b = found.groups[group, 2], found.groups[group, 3]
            inside = (a if cell < 64 else b) >> (cell & 63) & 1
            shared = (a & sets.cells[number, 0]) | (b & sets.cells[number, 1])
            unseen = (sets.places[number, value, 0] & ~found.peers[group, 0]) | (
                sets.places[number, value, 1] & ~found.peers[group, 1]
            )
            if not inside or shared or unseen:
                continue
            on = 2 * (found.sizes[0] + group) + 1
            known = False
            for index in range(found.counts[on]):
                known |= found.follows[on, index] == of
            if not known:
                follow(found, on, of)


@kernel
def _lead_out(
    board: Any,
    found: Any,
    sets: Any,
    node_of: Any,
    nodes: Any,
    outside: Any,
    number: int,
    others: int,
    of: int,
) -> None:
    """Add the implications out of a set that has lost a value.

    They remove the set's other values from candidates, from groups, and from other sets.
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
            follow_far(found, of, literal(board, ctz(low), value, 0), cost)
            low &= low - 1
        while high:
            follow_far(found, of, literal(board, 64 + ctz(high), value, 0), cost)
            high &= high - 1
        for group in range(found.sizes[1]):
            if found.groups[group, 0] != value:
                continue
            a = found.groups[group, 2] & ~outside[value, 0]
            b = found.groups[group, 3] & ~outside[value, 1]
            if a | b == 0:
                follow_far(found, of, 2 * (found.sizes[0] + group), cost)
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
                then = _node(found, sets, node_of, nodes, other, value)
                if then >= 0:
                    follow_far(found, of, then, cost)


@kernel
def _force(
    board: Any,
    grid: Any,
    found: Any,
    sets: Any,
    outside: Any,
    number: int,
    others: int,
    of: int,
) -> None:
    """Add the cells with three or more candidates that the locked set reduces to a single one."""
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
            then = literal(board, cell, ctz(rest) + 1, 1)
            follow_far(found, of, then, STEP + penalty(sets, number) + 1)
