"""Guesses: which cell, and what becomes of the board and its complement."""

import numpy as np
from numba import njit

from solver.compiling.vector import load_lane, load_short, lowest_bit, nonzero, store_lane


@njit(forceinline=True)
def _choose_cell(cells, lane):  # type: ignore[no-untyped-def]
    """Return (i, bit) of the first cell with two candidates, or with more where none has two.

    `cells` is what the sweep made of it: the rows i hold the cells with two candidates, the
    rows 3 + i those with more.
    """
    for row in range(6):
        bits = load_lane(cells, row, lane)
        if bits != 0:
            return row % 3, np.uint32(1 << lowest_bit(bits))
    return 0, np.uint32(0)


@njit(forceinline=True)
def guess(board, lane, stacks, start, cells):  # type: ignore[no-untyped-def]
    """Guess that a cell has its smallest candidate.

    The guess goes on in the lane; its complement, the same board without that candidate, is
    made of the copy that begins at place `start` of the stacks.
    """
    i, bit = _choose_cell(cells, lane)
    values = np.uint32(nonzero(load_short(stacks, start + 9 * i) & bit) & 0x1FF)
    stacks[start + 9 * i + lowest_bit(values)] &= ~bit
    values = np.uint32(values & (values - 1))
    while values != 0:
        row = 9 * i + lowest_bit(values)
        store_lane(board, row, lane, load_lane(board, row, lane) & ~bit)
        values = np.uint32(values & (values - 1))
