"""True candidates: the values that each cell takes in some solution, with counts."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.symbols import Symbols


@dataclass(frozen=True, slots=True)
class TrueCandidates:
    """The number of solutions with each value in each cell of a puzzle.

    counts   (cells, size) the solutions found with the value in the cell, up to `bound`
    decided  (cells, size) False where the step limit was reached before the count was complete, so
             that there can be more solutions than counted
    bound    the number at which counting stops
    symbols  the symbols of the values

    Column v is for value v + 1. All counts of holes are zero.
    """

    counts: NDArray[np.int64]
    decided: NDArray[np.bool_]
    bound: int
    symbols: Symbols

    @property
    def solvable(self) -> bool | None:
        """Whether there is a solution; None if the step limit was reached before one was found."""
        return True if self.counts.any() else False if self.decided.all() else None

    @property
    def same_in_all(self) -> dict[int, int]:
        """The cells with the same value in all solutions: a dict from the cell to that value 1…N.

        Cells for which other values are undecided are left out.
        """
        possible = (self.counts > 0) | ~self.decided
        alone = np.flatnonzero((possible.sum(axis=1) == 1) & (self.counts.max(axis=1) > 0))
        return {int(cell): int(possible[cell].argmax()) + 1 for cell in alone}

    def by_name(self, layout: Layout) -> dict[str, dict[str, int]]:
        """Return the possible symbols of each cell, with their counts, by the name of the cell.

        A symbol that was neither found in a solution nor excluded has the count 0. Holes of the
        board are left out.
        """
        return {
            layout.cell_name(cell): self.of(cell)
            for cell in range(layout.cells)
            if cell not in layout.holes
        }

    def of(self, cell: int) -> dict[str, int]:
        """Return the possible symbols of a cell with their counts, see `values`."""
        symbols, row = self.symbols.values, self.counts[cell]
        return {symbols[value]: int(row[value]) for value in self.values(cell)}

    def values(self, cell: int) -> list[int]:
        """Return the possible values of a cell, counted from 0.

        A value is possible if it was found in a solution or is undecided.
        """
        return np.flatnonzero((self.counts[cell] > 0) | ~self.decided[cell]).tolist()
