"""Sets of cells for compiled code.

A set of up to 128 cells is two words, the lower one first. A set of any size is an array of words.
"""

from typing import Any

import numpy as np

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import always_inline, helper, kernel
from solver.logic.board import Board, Words
from solver.logic.grid import Grid


@always_inline
def has(low: int, high: int, cell: int) -> Any:
    """Return 1 if a set of cells (two 64-bit words) contains the cell, else 0."""
    return (low if cell < 64 else high) >> (cell & 63) & 1


@always_inline
def size_of(low: int, high: int) -> Any:
    """Return the number of cells in a set (two 64-bit words)."""
    return popcount(low) + popcount(high)


@always_inline
def first_of(low: int, high: int) -> Any:
    """Return the lowest-numbered cell of a nonempty set (two 64-bit words)."""
    return ctz(low) if low else 64 + ctz(high)


@always_inline
def low_bit(cell: int) -> Any:
    """Return the lower word of the two-word set that contains only `cell`: 0 from cell 64 on."""
    return 1 << cell if cell < 64 else 0


@always_inline
def high_bit(cell: int) -> Any:
    """Return the higher word of the two-word set that contains only `cell`: 0 below cell 64."""
    return 0 if cell < 64 else 1 << (cell & 63)


@kernel
def common_peers(board: Board, low: int, high: int) -> Any:
    """Return the cells that see every cell of a set, as two 64-bit words.

    The set is `low` and `high`. If it is empty, all bits are set.
    """
    peers_low, peers_high = -1, -1
    while low:
        cell = ctz(low)
        low &= low - 1
        peers_low &= board.peer_sets[cell, 0]
        peers_high &= board.peer_sets[cell, 1]
    while high:
        cell = 64 + ctz(high)
        high &= high - 1
        peers_low &= board.peer_sets[cell, 0]
        peers_high &= board.peer_sets[cell, 1]
    return peers_low, peers_high


@kernel
def allowed_places(board: Board, grid: Grid, allowed: Words) -> None:
    """Write to `allowed[value]` the open cells that see no cell in which the value is placed.

    Each set is two words. Bits beyond the last cell are set, too.
    """
    for value in range(1, board.value_count + 1):
        allowed[value] = -1
    for cell in range(board.cell_count):
        word, bit = cell >> 6, 1 << (cell & 63)
        value = grid.values[cell]
        if value:
            allowed[value, 0] &= ~board.peer_sets[cell, 0]
            allowed[value, 1] &= ~board.peer_sets[cell, 1]
            for other in range(1, board.value_count + 1):
                allowed[other, word] &= ~bit


@kernel
def places_in(board: Board, grid: Grid, house: int, value: int) -> Any:
    """Return which cells of a house have the value as a candidate.

    Bit n of the result stands for the house's cell at position n.
    """
    places = 0
    number = 0
    while board.house_cells[house, number] >= 0:
        places |= (grid.cells[board.house_cells[house, number]] >> (value - 1) & 1) << number
        number += 1
    return places


@kernel
def common_places(
    board: Board, grid: Grid, value: int, one: int, other: int, places: Words
) -> bool:
    """Find the cells that see both cells `one` and `other` and have the value as a candidate.

    Writes them to `places`, a set of cells as an array of 64-bit words. Returns whether there are
    any.
    """
    some = 0
    for word in range(len(places)):
        places[word] = board.peer_sets[one, word] & board.peer_sets[other, word]
        places[word] &= grid.places[value, word]
        some |= places[word]
    return some != 0


@kernel
def narrow_to_peers(board: Board, cell: int, places: Words) -> bool:
    """Remove the cells that don't see `cell` from the set `places`, an array of 64-bit words.

    Returns whether any are left.
    """
    some = 0
    for word in range(len(places)):
        places[word] &= board.peer_sets[cell, word]
        some |= places[word]
    return some != 0


@helper
def no_cells(board: Board) -> Any:
    """Return an empty set for the cells of a board, as an array of words."""
    return np.zeros(board.house_sets.shape[1], np.int64)
