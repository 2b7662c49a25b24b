"""The eliminations of continuous nice loops.

In such a loop, exactly one of any two linked nodes is true.
"""

from typing import Any

from solver.compiling.bitops import ctz
from solver.compiling.jit import kernel
from solver.logic.almost_locked_sets.storage import Sets
from solver.logic.board import Board, Ints
from solver.logic.grid import Grid
from solver.logic.hodoku_order import Options, eliminate, eliminate_one
from solver.logic.implications import (
    CANDIDATE_COUNT,
    GROUP_COUNT,
    Implications,
    cell_of,
    cells_of,
    peers_of,
    value_of,
)


@kernel
def _peers_by(
    board: Board, implications: Implications, sets: Sets, nodes: Ints, literal: int, value: int
) -> Any:
    """Return the cells that see all places of `value` in a literal's node, as two 64-bit words.

    The value matters only if the node belongs to an almost locked set, which has several values.
    `nodes` is the array that `add_sets` returned.
    """
    group = (literal >> 1) - implications.sizes[CANDIDATE_COUNT]
    if group >= implications.sizes[GROUP_COUNT]:
        number = nodes[group - implications.sizes[GROUP_COUNT]]
        return sets.peers[number, value, 0], sets.peers[number, value, 1]
    return peers_of(board, implications, literal)


@kernel
def eliminate_round(
    board: Board,
    grid: Grid,
    implications: Implications,
    nodes: Ints,
    options: Options,
    path: Ints,
    length: int,
) -> None:
    """Add a continuous loop's eliminations, except those from almost locked sets.

    They are added to the deduction that is being built in `options`. `path[:length]` are the loop's
    literals, and `nodes` is the array that `add_sets` returned. A weak link removes its
    value from the cells outside the loop that see both ends. A cell that is entered and left
    through strong links keeps only the values of these two links.
    """
    first, last = path[0], path[length - 1]
    start = cell_of(board, implications, first)
    used_low, used_high = 0, 0
    for at in range(length - 1):
        low, high = cells_of(board, implications, path[at])
        used_low |= low
        used_high |= high
    if start < 64:
        used_low |= 1 << start
    else:
        used_high |= 1 << (start & 63)
    if first & 1 == 0 and last & 1:
        _eliminate_rest(board, grid, implications, options, first, last)
    for at in range(1, length):
        literal = path[at]
        cell = cell_of(board, implications, literal)
        apart = cell_of(board, implications, path[at - 1]) != cell
        if literal & 1 and apart and at <= length - 3:
            middle, next_one = path[at + 1], path[at + 2]
            if (
                middle & 1 == 0
                and cell_of(board, implications, middle) == cell
                and next_one & 1
                and cell_of(board, implications, next_one) != cell
            ):
                _eliminate_rest(board, grid, implications, options, literal, next_one)
        if literal & 1 == 0 and apart:
            value = value_of(board, implications, literal)
            a_low, a_high = _peers_by(board, implications, grid.sets, nodes, path[at - 1], value)
            b_low, b_high = peers_of(board, implications, literal)
            low = a_low & b_low & ~used_low & grid.places[value, 0]
            high = a_high & b_high & ~used_high & grid.places[value, 1]
            eliminate(options, low, high, value)


@kernel
def eliminate_by_sets(
    board: Board,
    grid: Grid,
    implications: Implications,
    nodes: Ints,
    options: Options,
    path: Ints,
    length: int,
) -> None:
    """Add the eliminations of the almost locked sets in a continuous loop.

    They are added to the deduction that is being built in `options`. `path[:length]` are the loop's
    literals, and `nodes` is the array that `add_sets` returned. Each set in the loop eliminates
    values in two ways:

    - It must contain each of its values that isn't part of the loop. The cells that see all places
      of such a value in the set lose it.
    - If the set leaves a single candidate in the next cell of the loop, each value that it removes
      there is either in that cell or in the set. The cells that see that cell and all places of the
      value in the set lose it.
    """
    sets = grid.sets
    for at in range(1, length):
        literal = path[at]
        cell = cell_of(board, implications, literal)
        group = (literal >> 1) - implications.sizes[CANDIDATE_COUNT]
        if (
            group < implications.sizes[GROUP_COUNT]
            or literal & 1
            or cell_of(board, implications, path[at - 1]) == cell
        ):
            continue
        number = nodes[group - implications.sizes[GROUP_COUNT]]
        leaving = 0
        left = 0
        next_cell = 0
        if at < length - 1:
            next_one = path[at + 1]
            next_cell = cell_of(board, implications, next_one)
            left = 1 << (value_of(board, implications, next_one) - 1)
            if next_one & 1:
                # The set removes all candidates of the next cell except one.
                leaving = left = grid.cells[next_cell] & ~left
        rest = sets.values[number] & ~left & ~(1 << (value_of(board, implications, literal) - 1))
        while rest:
            value = ctz(rest) + 1
            rest &= rest - 1
            low, high = sets.peers[number, value, 0], sets.peers[number, value, 1]
            eliminate(options, low, high, value)
        while leaving:
            value = ctz(leaving) + 1
            leaving &= leaving - 1
            low = sets.peers[number, value, 0] & board.peer_sets[next_cell, 0]
            high = sets.peers[number, value, 1] & board.peer_sets[next_cell, 1]
            eliminate(options, low, high, value)


@kernel
def _eliminate_rest(
    board: Board, grid: Grid, implications: Implications, options: Options, one: int, other: int
) -> None:
    """Eliminate all candidates of a cell except the values of two literals.

    The cell is that of literal `one`. The eliminations are added to the deduction that is being
    built in `options`.
    """
    cell = cell_of(board, implications, one)
    rest = grid.cells[cell] & ~(1 << (value_of(board, implications, one) - 1))
    rest &= ~(1 << (value_of(board, implications, other) - 1))
    while rest:
        eliminate_one(options, cell, ctz(rest) + 1)
        rest &= rest - 1
