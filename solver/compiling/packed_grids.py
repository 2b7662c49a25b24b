"""Convert 9×9 grids of 81 bytes to vectors, one grid per lane, and back.

A grid is processed four bytes at the same time. Vector q of a packed array (21,) holds the cells
4·q … 4·q + 3 of one grid in each lane. Vector 20 holds only cell 80:

byte   3          2          1          0
cell   4·q + 3    4·q + 2    4·q + 1    4·q
"""

import numpy as np
from numpy.typing import NDArray

from solver.compiling.jit import always_inline, kernel
from solver.compiling.vector import Vectors, lane_count, load_lane, store_lane
from solver.compiling.vector_bytes import byte_copier, gather_fours, load_word, scatter_fours

GRID_BYTES = 81  # of an unpacked grid, one per cell
GRID_WORDS = 21  # 32-bit words of a packed grid
PACKED_BYTES = 4 * GRID_WORDS

copy_grid = byte_copier(GRID_BYTES)


@kernel
def pack_grids(packed: Vectors, grids: NDArray[np.uint8], first: int, count: int) -> None:
    """Copy the grids from number `first` on into `packed`, one grid per lane.

    `grids` is a flat uint8 array of `count` grids. If fewer grids than lanes are left, the other
    lanes keep their content.
    """
    lanes = lane_count(packed)
    start = first * GRID_BYTES
    if count - first < lanes:
        for lane in range(count - first):
            for row in range(GRID_WORDS - 1):
                store_lane(packed, row, lane, load_word(grids, start + 4 * row))
            store_lane(packed, GRID_WORDS - 1, lane, _last_cell(grids, start))
            start += GRID_BYTES
        return
    for row in range(0, GRID_WORDS - 1, 4):
        gather_fours(packed, row, grids, start + 4 * row, GRID_BYTES)
    for lane in range(lanes):
        store_lane(packed, GRID_WORDS - 1, lane, _last_cell(grids, start + GRID_BYTES * lane))


@always_inline
def _last_cell(grids: NDArray[np.uint8], start: int) -> np.uint32:
    """Return the last cell of the grid that starts at byte `start`."""
    return np.uint32(load_word(grids, start + GRID_BYTES - 4) >> 24)


@kernel
def unpack_grids(packed: Vectors, rows: Vectors) -> None:
    """Write the packed grids of all lanes to the memory of `rows`, one grid after the other.

    Each grid takes `PACKED_BYTES` bytes, one per cell and three unused ones. `rows` has as many
    vectors as `packed`.
    """
    for row in range(0, GRID_WORDS - 1, 4):
        scatter_fours(packed, row, rows, 4 * row, PACKED_BYTES)
    for lane in range(lane_count(packed)):
        place = lane * GRID_WORDS + GRID_WORDS - 1
        store_lane(rows, 0, place, load_lane(packed, GRID_WORDS - 1, lane))
