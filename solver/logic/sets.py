"""Sets of up to 128 cells in compiled code: two words, the lower one first."""

from typing import Any

from solver.compiling.jit import bare, inlined
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
