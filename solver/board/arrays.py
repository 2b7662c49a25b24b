"""Convert the houses and not-equal pairs of a layout to arrays, for compiled code."""

from functools import lru_cache
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.primitive_constraints import House

NO_PAIRS = np.zeros((0, 2), np.int32)


@lru_cache(maxsize=32)
def cells_of_houses(houses: tuple[House, ...]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the cells of all houses, concatenated, and the CSR offsets of the houses.

    House i has the cells from offsets[i] up to offsets[i + 1].
    """
    own = [house.cells for house in houses]
    cells = np.fromiter(chain.from_iterable(own), np.int32)
    return cells, np.array([0, *accumulate(map(len, own))], np.int32)


@lru_cache(maxsize=32)
def linked_pairs(layout: Layout) -> NDArray[np.int32]:
    """Return the pairs of cells in all `links` of a layout, as an array (n, 2)."""
    if not layout.links:
        return NO_PAIRS
    pairs = chain.from_iterable([pair for links in layout.links for pair in links.pairs])
    return np.fromiter(pairs, np.int32).reshape(-1, 2)
