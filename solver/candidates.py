"""True candidates: which values the solutions of a puzzle have in each cell, and in how many."""

import numpy as np

from solver.board.puzzle import Puzzle
from solver.board.result import Outcome
from solver.board.true_candidates import TrueCandidates
from solver.checks.grids import candidates as left_by_givens
from solver.engines.engine import GO_ON, StopFlag
from solver.solving import solve_many


def true_candidates(
    puzzle: Puzzle, *, bound: int = 1, step_limit: int = 1_000_000
) -> TrueCandidates:
    """Return which values the solutions have where, counted up to a bound.

    Each value that the givens leave is tried as one more given, within the step limit. Raises
    ValueError for a bound below 1.
    """
    stop = np.full(1, GO_ON, np.uint8)
    counted = candidates_until(puzzle, bound=bound, step_limit=step_limit, stop=stop)
    if counted is None:
        raise ArithmeticError("nobody has stopped this")
    return counted


def candidates_until(
    puzzle: Puzzle, *, bound: int, step_limit: int, stop: StopFlag
) -> TrueCandidates | None:
    """Return what `true_candidates` does; None if `stop` says ABANDON meanwhile."""
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
    found = np.zeros(len(tried), np.int64)
    undecided = np.zeros(len(tried), np.bool_)
    done = 0
    while done < len(tried):
        batch = solve_many(
            rows[done:], layout=layout, limit=bound, listed=False, step_limit=step_limit,
            stop=stop, candidates=None if left is None else left[done:],
        )  # fmt: skip
        if len(batch) == 0:
            return None
        part = slice(done, done + len(batch))  # fewer than all if the flag says FINISH
        found[part] = np.minimum(batch.counts, bound)
        undecided[part] = (batch.outcomes == Outcome.STEP_LIMIT) & (batch.counts < bound)
        done += len(batch)
    counts = np.zeros((layout.cells, layout.size), np.int64)
    decided = np.ones((layout.cells, layout.size), np.bool_)
    cells, values = places[:, 0], places[:, 1] - 1
    counts[cells, values] = found
    decided[cells, values] = ~undecided
    return TrueCandidates(counts, decided, bound, puzzle.symbols)
