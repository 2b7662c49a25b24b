"""Find the true candidates of a puzzle: the values that each cell takes in some solution."""

from functools import cache
from pathlib import Path

import numpy as np

from solver.board.checkpoint import Checkpoint
from solver.board.puzzle import Invalid, Puzzle
from solver.board.result import Outcome
from solver.board.true_candidates import TrueCandidates
from solver.checks.givens import candidates as left_by_givens
from solver.compiling.cache_folder import source_digest
from solver.engines.engine import GO_ON, StopFlag
from solver.search_series import Computation, Puzzles, Searches, run_series
from solver.single import PuzzleLike, single_puzzle


def true_candidates(
    source: PuzzleLike, *, bound: int = 1, step_limit: int = 1_000_000
) -> TrueCandidates:
    """Return which values each cell takes in some solution, and in how many, up to `bound`.

    `source` is as for `solver.solve`. There is a search for each value that the givens allow in a
    cell: it solves the puzzle with this value as another given, within the step limit. A count that
    this limit interrupts below the bound is undecided. Raises ValueError if `bound` is below 1 or
    `source` isn't a valid puzzle, TypeError for anything that can't be a puzzle, and OSError if a
    file can't be read.
    """
    puzzle = single_puzzle(source)
    if isinstance(puzzle, Invalid):
        raise ValueError(puzzle.detail)
    stop = np.full(1, GO_ON, np.uint8)
    counted = candidates_until(puzzle, bound=bound, step_limit=step_limit, stop=stop)
    if not isinstance(counted, TrueCandidates):
        raise ArithmeticError("the count ended early without a stop flag")
    return counted


def candidates_until(
    puzzle: Puzzle,
    *,
    bound: int,
    step_limit: int,
    stop: StopFlag,
    checkpoint: Checkpoint | None = None,
) -> TrueCandidates | Checkpoint | None:
    """Return the result of `true_candidates`, or a checkpoint if the count is abandoned.

    If `stop` becomes ABANDON before the count is complete, this returns a checkpoint, or None if
    this call made no progress. A later call resumes from `checkpoint`. A checkpoint of other code
    is ignored. Raises ValueError if `bound` is below 1.
    """
    if bound < 1:
        raise ValueError(f"bound must be 1 or more, not {bound}")
    finished = run_series(
        [_candidates(puzzle, bound)],
        limit=bound,
        step_limit=step_limit,
        stop=stop,
        sources=_sources(),
        checkpoint=checkpoint,
    )
    return finished.results[0] if finished.results else finished.checkpoint


def _candidates(puzzle: Puzzle, bound: int) -> Computation[TrueCandidates]:
    layout = puzzle.layout
    givens = np.array(puzzle.givens, np.uint8)
    tried = [
        (cell, value)
        for cell, values in enumerate(left_by_givens(layout, givens))
        for value in values or ([int(givens[cell])] if givens[cell] else [])
    ]
    places = np.array(tried, np.int64).reshape(-1, 2)

    def build(start: int, stop: int) -> Puzzles:
        cells, values = places[start:stop].T
        rows = np.tile(givens, (len(cells), 1))
        rows[np.arange(len(cells)), cells] = values
        if puzzle.candidates is None:
            return rows, None
        return rows, np.tile(np.array(puzzle.candidates, np.uint64), (len(cells), 1))

    found = yield Searches(
        lambda: layout, len(tried), build, is_marked=puzzle.candidates is not None
    )
    counts = np.zeros((layout.cells, layout.size), np.int64)
    decided = np.ones((layout.cells, layout.size), np.bool_)
    cells, values = places[:, 0], places[:, 1] - 1
    counts[cells, values] = np.minimum(found.counts, bound)
    decided[cells, values] = (found.outcomes != Outcome.STEP_LIMIT) | (found.counts >= bound)
    return TrueCandidates(counts, decided, bound, puzzle.symbols)


@cache
def _sources() -> str:
    return source_digest(Path(__file__))
