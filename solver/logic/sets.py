"""Sets of cells in compiled code.

Of up to 128 cells: two words, the lower one first. Of any number: an array of words.
"""

from typing import Any

import numpy as np

from solver.compiling.jit import bare, inlined, inner
from solver.compiling.words import lowest, ones


@inlined
def has(low: int, high: int, cell: int) -> Any:
    """Return 1 if a cell is in a set, or else 0."""
    return (low if cell < 64 else high) >> (cell & 63) & 1


@inlined
def size_of(low: int, high: int) -> Any:
    """Return how many cells a set has."""
    return ones(low) + ones(high)


@inlined
def first_of(low: int, high: int) -> Any:
    """Return the first cell of a set that is not empty."""
    return lowest(low) if low else 64 + lowest(high)


@inlined
def low_bit(cell: int) -> Any:
    """Return the lower word of the set of one cell."""
    return 1 << cell if cell < 64 else 0


@inlined
def high_bit(cell: int) -> Any:
    """Return the higher word of the set of one cell."""
    return 0 if cell < 64 else 1 << (cell & 63)


@bare
def common_peers(board: Any, low: int, high: int) -> Any:
    """Return the cells that see all cells of a set, as two words."""
    peers_low, peers_high = -1, -1
    while low:
        cell = lowest(low)
        low &= low - 1
        peers_low &= board.peer_sets[cell, 0]
        peers_high &= board.peer_sets[cell, 1]
    while high:
        cell = 64 + lowest(high)
        high &= high - 1
        peers_low &= board.peer_sets[cell, 0]
        peers_high &= board.peer_sets[cell, 1]
    return peers_low, peers_high


@bare
def allowed_places(board: Any, grid: Any, allowed: Any) -> None:
    """Find the open cells that see no cell with a value, for each value."""
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


@bare
def places_in(board: Any, grid: Any, house: int, value: int) -> Any:
    """Return which cells of a house have a value as a candidate: bits by place in the house."""
    places = 0
    number = 0
    while board.house_cells[house, number] >= 0:
        places |= (grid.cells[board.house_cells[house, number]] >> (value - 1) & 1) << number
        number += 1
    return places


@bare
def common_places(board: Any, grid: Any, value: int, one: int, other: int, places: Any) -> bool:
    """Write the places of a value that two cells see, as words; return whether there are any."""
    some = 0
    for word in range(len(places)):
        places[word] = board.peer_sets[one, word] & board.peer_sets[other, word]
        places[word] &= grid.places[value, word]
        some |= places[word]
    return some != 0


@bare
def narrow_to_peers(board: Any, cell: int, places: Any) -> bool:
    """Leave what a cell sees of a set, as words; return whether there is any."""
    some = 0
    for word in range(len(places)):
        places[word] &= board.peer_sets[cell, word]
        some |= places[word]
    return some != 0


@inner
def no_cells(board: Any) -> Any:
    """Return an empty set of cells of a board, as words."""
    return np.zeros(board.house_sets.shape[1], np.int64)
