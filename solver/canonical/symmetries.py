"""Apply random symmetries to 9×9 puzzles and grids. A key determines each symmetry."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.random_streams import random_words

# Random numbers per symmetry: 9 to order the values, 3 the bands or stacks and 9 their lines, each
# twice, and 1 for the transposition.
_VALUES, _LINES = 9, 12
_NUMBERS = _VALUES + 2 * _LINES + 1


@dataclass(frozen=True, slots=True, eq=False)
class Symmetries:
    """One symmetry for each of n grids.

    cells   (n, 81): for each cell of the result, the cell of the grid that is moved there
    values  (n, 10): the new value of each value, and 0 for an empty cell
    """

    cells: NDArray[np.intp]
    values: NDArray[np.uint8]

    @classmethod
    def of_keys(cls, keys: NDArray[np.uint64]) -> "Symmetries":
        """Return the symmetries that the keys (n,) determine.

        For random keys, each of the 2 · 6⁸ · 9! symmetries is equally likely.
        """
        numbers = random_words(keys, _NUMBERS)
        values = np.zeros((len(keys), 1 + _VALUES), np.uint8)
        values[:, 1:] = 1 + np.argsort(numbers[:, :_VALUES], axis=1)
        rows = _order_lines(numbers[:, _VALUES : _VALUES + _LINES])
        columns = _order_lines(numbers[:, _VALUES + _LINES : -1])
        cells = 9 * rows[:, :, None] + columns[:, None, :]
        transposed = (numbers[:, -1] & 1).astype(bool)
        cells[transposed] = cells[transposed].swapaxes(1, 2)
        return cls(cells.reshape(len(keys), 81), values)

    def apply(self, grids: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the grids (n, 81), with 0 for an empty cell, after one symmetry each."""
        moved = np.take_along_axis(grids, self.cells, axis=1)
        return np.take_along_axis(self.values, moved, axis=1)


def _order_lines(numbers: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Return orders (n, 9) of rows or columns that keep bands or stacks together.

    The random words `numbers` (n, 12) determine them.
    """
    bands = np.argsort(numbers[:, :3], axis=1)
    lines = np.argsort(numbers[:, 3:].reshape(-1, 3, 3), axis=2)
    return (3 * bands[:, :, None] + lines).reshape(-1, 9)
