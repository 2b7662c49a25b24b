"""9×9 grids of 81 bytes as vectors: as many at once as there are lanes.

A grid's bytes are looked at four at a time. Vector q of a packed array (21,) holds the cells
4·q … 4·q + 3 of a grid in each lane; vector 20 holds cell 80 alone:

    byte   3          2          1          0
    cell   4·q + 3    4·q + 2    4·q + 1    4·q
"""

import numpy as np

from solver.compiling.jit import inlined
from solver.compiling.vector import load, load_lane, load_word, store_lane, store_word

GRID = 81  # cells, and bytes of a grid
PACKED = 21


@inlined
def pack_grid(packed, lane, grids, start):  # type: ignore[no-untyped-def]
    """Copy the grid that begins at byte `start` of a flat array of uint8 into a lane."""
    for row in range(PACKED - 1):
        store_lane(packed, row, lane, load_word(grids, start + 4 * row))
    store_lane(packed, PACKED - 1, lane, np.uint32(grids[start + GRID - 1]))


@inlined
def unpack_grid(packed, lane, grids, start):  # type: ignore[no-untyped-def]
    """Copy the grid in a lane to byte `start` of a flat array of uint8."""
    for row in range(PACKED - 1):
        store_word(grids, start + 4 * row, load_lane(packed, row, lane))
    grids[start + GRID - 1] = np.uint8(load_lane(packed, PACKED - 1, lane))


@inlined
def cell_values(packed, cell):  # type: ignore[no-untyped-def]
    """Return the values, 0…255, of one cell in all packed grids."""
    return (load(packed, cell >> 2) >> (8 * (cell & 3))) & 0xFF
