"""What compiled techniques know of a layout: its houses and peers, as lists and as bits."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

ROW, COLUMN, BOX, OTHER = range(4)

Ints = NDArray[np.int32]
Words = NDArray[np.int64]


class Board(Protocol):
    """A layout, as compiled techniques read it: one numpy record.

    Passed as a record it is one pointer, and its arrays have the same shapes for all layouts of
    a class of sizes, so techniques are compiled once for each class. What a layout has no use for
    is 0.

    A set of cells is a row of words, two at least; cell c is bit c % 64 of word c // 64:

        word 0:  r1c1 r1c2 … r8c1   word 1:  r8c2 … r9c9     (bit 0 first)

    Lists are closed by −1. Houses are numbered as in the layout.
    """

    value_count: int
    cell_count: int
    house_count: int
    house_cells: Ints  # (houses, size + 1)
    house_sets: Words  # (houses, words)
    kinds: Ints  # (houses,): ROW, COLUMN, BOX or OTHER
    complete: Ints  # (houses,): 1 where each value has a place in it
    cell_houses: Ints  # (cells, most + 1), in the order of the houses
    lines: Ints  # (3, cells): the row, the column and the box of a cell, −1 for none
    peers: Ints  # (cells, most + 1), in ascending order
    peer_sets: Words  # (cells, words)
    sees: NDArray[np.uint8]  # (cells, cells)
    allowed: Words  # (cells,): the values that a cell may have, as bits; 0 for holes
    boxed: int  # 1 if all houses are rows, columns and boxes, each complete, in that order
    plain: int  # 1 if besides nothing else says what a cell may be
    sum_count: int
    sum_codes: Ints  # (sums,): the technique that looks at it (`solver.logic.sums`)
    sum_cells: NDArray[np.int16]  # (sums, most + 1)
    sum_factors: NDArray[np.int16]  # (sums, most)
    sum_totals: Ints  # (sums,): what the cells, each times its factor, add up to
    sum_houses: NDArray[np.int16]  # (sums, ·): the houses that it follows from
    lowest: int  # what value 1 counts as
