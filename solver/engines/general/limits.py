"""The limits and the results of the compiled searches."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Limits(NamedTuple):
    """The limits of the search for one puzzle.

    solutions  the number of solutions after which the search ends
    kept       the largest number of solutions that are stored. Further ones are only counted.
    steps      the largest number of guesses. The search ends when it needs another one.
    conflicts  the largest number of conflicts since the last solution. With more, a backtracking
               search ends as TOO_HARD. Clause learning ignores this limit.
    """

    solutions: int
    kept: int
    steps: int
    conflicts: int


class Results(NamedTuple):
    """The results of puzzles, one row each, as arrays that the searches fill.

    `search_outcomes` are constants of `search_outcome`. `solutions` (puzzles, cells) are the first
    solutions, `counts` the numbers of solutions, and `steps` the numbers of guesses.
    """

    search_outcomes: NDArray[np.uint8]
    solutions: NDArray[np.uint8]  # (puzzles, cells): the first solution
    counts: NDArray[np.int64]  # of solutions
    steps: NDArray[np.int64]

    @staticmethod
    def zeros(puzzles: int, cells: int) -> "Results":
        """Return results for a number of puzzles, filled with zeros."""
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
