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

    A compiled function gets the record as a single pointer. Its arrays have the same shapes for all
    layouts of a size class, so each technique is compiled only once per class. Entries that a
    layout doesn't use are 0, or −1 in lists.

    A list ends with −1. A set of cells is a row of at least two 64-bit words. Cell c is bit c % 64
    of word c // 64:

        word 0:  r1c1 r1c2 … r8c1   word 1:  r8c2 … r9c9     (bit 0 first)

    Arrays "by house", "by cell", or "by sum" have the number of a house, cell, or sum as their
    first index. Houses have the same numbers as in the layout.

        value_count, cell_count, house_count  the numbers of values, cells, and houses in the layout
        house_cells   by house: a list of its cells
        house_sets    by house: the set of its cells
        kinds         by house: ROW, COLUMN, BOX, or OTHER
        complete      by house: 1 if it must contain every value
        cell_houses   by cell: a list of its houses, in ascending order
        lines         (3, cells): the number of a cell's row, column, and box, −1 if it has none
        peers         by cell: a list of the cells that it sees, in ascending order
        peer_sets     by cell: the set of the cells that it sees
        sees          (cells, cells): 1 if one cell sees the other
        allowed       by cell: the values that the rules allow in it, as bits, 0 for holes
        boxed         1 if the houses are exactly the rows, columns, and boxes, in this order, and
                      all complete
        plain         1 if `boxed` and no other rule restricts the cells
        sum_count     the number of sums
        sum_codes     by sum: the code of the technique that handles it (see `solver.logic.sums`)
        sum_cells     by sum: a list of its cells
        sum_factors   by sum: the factors of these cells
        sum_totals    by sum: the required total of the cells' numbers times their factors
        sum_houses    by sum: a list of the houses that it was derived from
        lowest        the number that value 1 stands for. Value 2 stands for the next one, and so on
    """

    value_count: int
    cell_count: int
    house_count: int
    house_cells: Ints
    house_sets: Words
    kinds: Ints
    complete: Ints
    cell_houses: Ints
    lines: Ints
    peers: Ints
    peer_sets: Words
    sees: NDArray[np.uint8]
    allowed: Words
    boxed: int
    plain: int
    sum_count: int
    sum_codes: Ints
    sum_cells: NDArray[np.int16]
    sum_factors: NDArray[np.int16]
    sum_totals: Ints
    sum_houses: NDArray[np.int16]
    lowest: int
