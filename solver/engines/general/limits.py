"""The limits and the results of the compiled searches."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Limits(NamedTuple):
    """The limits of a search: solutions, stored solutions, guesses, and conflicts."""

    solutions: int  # found
    kept: int  # solutions that are kept; more can be counted
    steps: int
    conflicts: int  # of backtracking search since the last solution


class Results(NamedTuple):
    """The results of puzzles, one row each: outcomes, first solutions, counts, guesses."""

    search_outcomes: NDArray[np.uint8]
    solutions: NDArray[np.uint8]  # (puzzles, cells): the first solution
    counts: NDArray[np.int64]  # of solutions
    steps: NDArray[np.int64]

    @staticmethod
    def zeros(puzzles: int, cells: int) -> "Results":
        """Return results for some puzzles, filled with zeros."""
        return Results(
            np.zeros(puzzles, np.uint8),
            np.zeros((puzzles, cells), np.uint8),
            np.zeros(puzzles, np.int64),
            np.zeros(puzzles, np.int64),
        )

    def rows(self, rows: slice) -> "Results":
        """Return a view of the given rows. Writing to it changes these results."""
        return Results(
            self.search_outcomes[rows], self.solutions[rows], self.counts[rows], self.steps[rows]
        )
