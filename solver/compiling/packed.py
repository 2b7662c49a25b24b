"""Convert 9×9 grids of 81 bytes to vectors, one grid per lane.

A grid is processed four bytes at once. Vector q of a packed array (21,) holds the cells 4·q … 4·q +
3 of one grid in each lane. Vector 20 holds only cell 80:

    byte   3          2          1          0
    cell   4·q + 3    4·q + 2    4·q + 1    4·q
"""

import numpy as np

from solver.compiling.jit import bare, inlined
from solver.compiling.vector import lane_count, load_lane, store_lane
from solver.compiling.vector_bytes import byte_copier, gather_fours, load_word, scatter_fours

GRID = 81  # number of cells, and of bytes of an unpacked grid
PACKED = 21
ROW = 4 * PACKED  # bytes of a packed grid

copy_grid = byte_copier(GRID)


@bare
def pack_grids(packed, grids, first, count):  # type: ignore[no-untyped-def]
    """Pack grids number `first` and following from a flat uint8 array that holds `count` grids.

    Each lane gets one grid. Lanes beyond the last grid keep their old content.
    """
    lanes = lane_count(packed)
    start = first * GRID
    if count - first < lanes:
        for lane in range(count - first):
            for row in range(PACKED - 1):
                store_lane(packed, row, lane, load_word(grids, start + 4 * row))
            store_lane(packed, PACKED - 1, lane, _last_cell(grids, start))
            start += GRID
        return
    for row in range(0, PACKED - 1, 4):
        gather_fours(packed, row, grids, start + 4 * row, GRID)
    for lane in range(lanes):
        store_lane(packed, PACKED - 1, lane, _last_cell(grids, start + GRID * lane))


@inlined
def _last_cell(grids, start):  # type: ignore[no-untyped-def]
    """Return the last cell of the grid that starts at byte `start`."""
    return np.uint32(load_word(grids, start + GRID - 4) >> 24)


@bare
def unpack_grids(packed, rows):  # type: ignore[no-untyped-def]
    """Write packed grids one after the other, `ROW` bytes each, to the array `rows`.

    `rows` has as many vectors as `packed`.
    """
    for row in range(0, PACKED - 1, 4):
        scatter_fours(packed, row, rows, 4 * row, ROW)
    for lane in range(lane_count(packed)):
        place = lane * PACKED + PACKED - 1
        store_lane(rows, 0, place, load_lane(packed, PACKED - 1, lane))
