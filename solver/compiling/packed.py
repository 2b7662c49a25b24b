"""9×9 grids of 81 bytes as vectors: as many at once as there are lanes.

A grid's bytes are looked at four at a time. Row q of a packed array (21, LANES) holds the cells
4·q … 4·q + 3 of a grid in each lane; row 20 holds cell 80 alone:

    byte   3          2          1          0
    cell   4·q + 3    4·q + 2    4·q + 1    4·q
"""

import numpy as np
from numba import njit

from solver.compiling.vector import LANES, load, load_word, store_word

GRID = 81  # cells, and bytes of a grid
PACKED = 21


@njit(forceinline=True)
def pack_grid(packed, lane, grids, start):  # type: ignore[no-untyped-def]
    """Copy the grid that begins at byte `start` of a flat array of uint8 into a lane."""
    for row in range(PACKED - 1):
        packed[row, lane] = load_word(grids, start + 4 * row)
    packed[PACKED - 1, lane] = np.uint32(grids[start + GRID - 1])


@njit(forceinline=True)
def unpack_grid(packed, lane, grids, start):  # type: ignore[no-untyped-def]
    """Copy the grid in a lane to byte `start` of a flat array of uint8."""
    for row in range(PACKED - 1):
        store_word(grids, start + 4 * row, packed[row, lane])
    grids[start + GRID - 1] = np.uint8(packed[PACKED - 1, lane])


@njit(forceinline=True)
def cell_values(packed, cell):  # type: ignore[no-untyped-def]
    """Return the values, 0…255, of one cell in all packed grids."""
    return (load(packed, cell >> 2) >> (8 * (cell & 3))) & 0xFF


def aligned(rows: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint32]]:
    """Return an array (rows, LANES) of uint32 zeros that begins on a multiple of 64 bytes."""
    raw = np.zeros((rows + 1) * LANES, np.uint32)
    start = -raw.ctypes.data % 64 // 4
    return raw[start : start + rows * LANES].reshape(rows, LANES)
