"""The tables of a layout that compiled techniques read: houses and peers, as lists and bit sets."""

import numpy as np
from numpy.typing import NDArray

from solver.compiling.records import Record

ROW, COLUMN, BOX, OTHER = range(4)

Ints = NDArray[np.int32]
Words = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Shorts = NDArray[np.int16]
Floats = NDArray[np.float64]


class Board(Record):
    """The tables of a layout as one numpy record, the form that compiled techniques read.

    A record is passed as a single pointer. Its arrays have the same shapes for all layouts of a
    size class, so each technique is compiled once per class. Entries that a layout doesn't use are
    0.

    A set of cells is a row of at least two 64-bit words. Cell c is bit c % 64 of word c // 64:

        word 0:  r1c1 r1c2 … r8c1   word 1:  r8c2 … r9c9     (bit 0 first)

    Lists end with −1. Houses have the same numbers as in the layout.
    """

    value_count: int
    cell_count: int
    house_count: int
    house_cells: Ints  # (houses, size + 1)
    house_sets: Words  # (houses, words)
    kinds: Ints  # (houses,): ROW, COLUMN, BOX, or OTHER
    complete: Ints  # (houses,): 1 if the house must contain every value
    cell_houses: Ints  # (cells, most + 1), in ascending order of houses
    lines: Ints  # (3, cells): a cell's row, column, and box, −1 if it has none
    peers: Ints  # (cells, most + 1), in ascending order
    peer_sets: Words  # (cells, words)
    sees: NDArray[np.uint8]  # (cells, cells): 1 if one cell sees the other
    allowed: Words  # (cells,): the values that the rules allow in a cell, as bits; 0 for holes
    # 1 if the houses are exactly rows, columns, and boxes, in this order, and all complete
    boxed: int
    plain: int  # 1 if `boxed` and no other rule restricts the cells
    sum_count: int
    sum_codes: Ints  # (sums,): code of the technique that handles the sum (see `solver.logic.sums`)
    sum_cells: NDArray[np.int16]  # (sums, most + 1)
    sum_factors: NDArray[np.int16]  # (sums, most)
    sum_totals: Ints  # (sums,): required total of the cells' numbers times their factors
    sum_houses: NDArray[np.int16]  # (sums, ·): houses that the sum was derived from
    lowest: int  # the number that value 1 stands for
