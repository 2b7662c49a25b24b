"""Divide puzzles into levels of equal size by difficulty.

Reports propose these levels, and books have them as chapters.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray


def easiest_first(ratings: ArrayLike, scores: ArrayLike) -> NDArray[np.intp]:
    """Return the positions of puzzles in the order of their difficulty, easiest first.

    `ratings` are Sudoku Explainer's, and `scores` HoDoKu's, which order puzzles of the same rating.
    A negative score means that it is unknown, as for some variants. Such puzzles come first among
    those with the same rating. Puzzles that are equal in both keep their order.
    """
    order: NDArray[np.intp] = np.lexsort((np.asarray(scores), np.asarray(ratings)))
    return order


def equal_levels(order: NDArray[np.intp], count: int) -> Sequence[NDArray[np.intp]]:
    """Cut the positions of puzzles, easiest first, into this number of levels of equal size.

    If the number of puzzles isn't divisible, the first levels have one more puzzle than the others.
    """
    return np.array_split(order, count)
