"""True candidates: which values the solutions of a puzzle have in each cell, and in how many."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.symbols import Symbols


@dataclass(frozen=True, slots=True)
class TrueCandidates:
    """In how many solutions each value (cells, size) is in each cell, at most `bound` of them.

    `decided` (cells, size) is False where the step limit came first: there may be more solutions
    then. Holes have none.
    """

    counts: NDArray[np.int64]
    decided: NDArray[np.bool_]
    bound: int
    symbols: Symbols

    @property
    def solvable(self) -> bool | None:
        """Whether there is a solution; None if the step limit came before one."""
        return True if self.counts.any() else False if self.decided.all() else None

    @property
    def same_in_all(self) -> dict[int, int]:
        """The cells that have the same value in all solutions, and these values 1…N."""
        possible = (self.counts > 0) | ~self.decided
        alone = np.flatnonzero((possible.sum(axis=1) == 1) & (self.counts.max(axis=1) > 0))
        return {int(cell): int(possible[cell].argmax()) + 1 for cell in alone}

    def by_name(self, layout: Layout) -> dict[str, dict[str, int]]:
        """Return what may stand in each cell, by its name; what is undecided has the count 0."""
        return {
            layout.cell_name(cell): self.of(cell)
            for cell in range(layout.cells)
            if cell not in layout.absent
        }

    def of(self, cell: int) -> dict[str, int]:
        """Return what may stand in a cell, as symbols, each with its count."""
        symbols, row = self.symbols.values, self.counts[cell]
        return {symbols[value]: int(row[value]) for value in self.values(cell)}

    def values(self, cell: int) -> list[int]:
        """Return what may stand in a cell, as values counted from 0."""
        return np.flatnonzero((self.counts[cell] > 0) | ~self.decided[cell]).tolist()
