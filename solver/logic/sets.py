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
    """Return 1 if the set contains the cell, else 0."""
    return (low if cell < 64 else high) >> (cell & 63) & 1


@always_inline
def size_of(low: int, high: int) -> Any:
    """Return the number of cells in a set."""
    return popcount(low) + popcount(high)


@always_inline
def first_of(low: int, high: int) -> Any:
    """Return the first cell of a nonempty set."""
    return ctz(low) if low else 64 + ctz(high)


@always_inline
def low_bit(cell: int) -> Any:
    """Return the lower word of the set that contains only `cell`."""
    return 1 << cell if cell < 64 else 0


@always_inline
def high_bit(cell: int) -> Any:
    """Return the higher word of the set that contains only `cell`."""
    return 0 if cell < 64 else 1 << (cell & 63)


@kernel
def common_peers(board: Board, low: int, high: int) -> Any:
    """Return the cells that see all cells of a set, as two words."""
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
    """Find, for each value, the open cells that don't see the value placed."""
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
    """Return the candidates of a value in a house, as bits by position in the house."""
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
    """Write the candidates of a value that see both cells to `places`. Return whether any exist."""
    some = 0
    for word in range(len(places)):
        places[word] = board.peer_sets[one, word] & board.peer_sets[other, word]
        places[word] &= grid.places[value, word]
        some |= places[word]
    return some != 0


@kernel
def narrow_to_peers(board: Board, cell: int, places: Words) -> bool:
    """Intersect `places` with the peers of a cell. Return whether any are left."""
    some = 0
    for word in range(len(places)):
        places[word] &= board.peer_sets[cell, word]
        some |= places[word]
    return some != 0


@helper
def no_cells(board: Board) -> Any:
    """Return an empty set for the cells of a board, as an array of words."""
    return np.zeros(board.house_sets.shape[1], np.int64)
