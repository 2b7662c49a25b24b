"""Check whether pencil marks restrict a puzzle, or only repeat the candidates after its givens."""

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import MOST_IN_A_WORD, Layout


def restrict(
    layout: Layout, givens: NDArray[np.uint8], masks: NDArray[np.uint64]
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the puzzles whose pencil marks exclude more than their givens do.

    givens  (n, cells) uint8   1…N, 0 = empty
    masks   (n, cells) uint64  the values allowed in each cell, bit 0 = value 1

    Marks exclude nothing more if they contain all values that the givens leave: in an empty cell,
    every value except the givens of its peers, and in a cell with a given, that value. Editors fill
    in such marks automatically. Boards of more than 64 values don't support marks, so the result is
    always True for them.
    """
    if layout.size > MOST_IN_A_WORD:
        return np.ones(len(givens), np.bool_)
    every_value = (1 << layout.size) - 1
    word = np.min_scalar_type(every_value)  # the smallest type for a set of values
    # One row per cell, so that a house is a few whole rows.
    by_cell, marked = np.ascontiguousarray(givens.T), masks.T.astype(word)
    shifts = (np.maximum(by_cell, 1) - 1).astype(word)
    placed = np.where(by_cell > 0, word.type(1) << shifts, word.type(0))
    excluded = np.zeros_like(placed)
    for house in layout.houses:
        cells = list(house.cells)
        excluded[cells] |= np.bitwise_or.reduce(placed[cells], axis=0)
    for links in layout.links:
        one, other = np.array(links.pairs_in_grid(layout.cells), np.int64).reshape(-1, 2).T
        np.bitwise_or.at(excluded, one, placed[other])
        np.bitwise_or.at(excluded, other, placed[one])
    implied = np.where(by_cell > 0, placed, word.type(every_value) & ~excluded)
    implied[list(layout.holes)] = 0
    result: NDArray[np.bool_] = np.any(implied & ~marked != 0, axis=0)
    return result
