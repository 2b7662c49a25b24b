"""True candidates: which values the solutions of a puzzle have in each cell, and in how many."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.puzzle import Puzzle
from solver.board.result import Outcome
from solver.board.symbols import Symbols
from solver.checks.grids import candidates as left_by_givens
from solver.solving import solve_many


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

    def of(self, cell: int) -> dict[str, int]:
        """Return what may stand in a cell, as symbols, each with its count."""
        symbols, row = self.symbols.values, self.counts[cell]
        return {symbols[value]: int(row[value]) for value in np.flatnonzero(row)}


def true_candidates(
    puzzle: Puzzle, *, bound: int = 1, step_limit: int = 1_000_000
) -> TrueCandidates:
    """Return which values the solutions have where, counted up to a bound.

    Each value that the givens leave is tried as one more given, within the step limit: all of them
    at once, as one batch. Raises ValueError for a bound below 1.
    """
    if bound < 1:
        raise ValueError(f"bound must be 1 or more, not {bound}")
    layout = puzzle.layout
    givens = np.array(puzzle.givens, np.uint8)
    tried = [
        (cell, value)
        for cell, values in enumerate(left_by_givens(layout, givens))
        for value in values or ([int(givens[cell])] if givens[cell] else [])
    ]
    places = np.array(tried, np.int64).reshape(-1, 2)
    rows = np.tile(givens, (len(tried), 1))
    rows[np.arange(len(tried)), places[:, 0]] = places[:, 1]
    left = None
    if puzzle.candidates is not None:
        left = np.tile(np.array(puzzle.candidates, np.uint64), (len(tried), 1))
    batch = solve_many(
        rows, layout=layout, limit=bound, listed=False, step_limit=step_limit, candidates=left
    )
    counts = np.zeros((layout.cells, layout.size), np.int64)
    decided = np.ones((layout.cells, layout.size), np.bool_)
    cells, values = places[:, 0], places[:, 1] - 1
    counts[cells, values] = np.minimum(batch.counts, bound)
    undecided = (batch.outcomes == Outcome.STEP_LIMIT) & (batch.counts < bound)
    decided[cells, values] = ~undecided
    return TrueCandidates(counts, decided, bound, puzzle.symbols)
