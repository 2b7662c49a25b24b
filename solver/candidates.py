"""Find the true candidates of a puzzle: the values that each cell takes in some solution."""

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.board.checkpoint import Checkpoint
from solver.board.puzzle import Invalid, Puzzle
from solver.board.result import Outcome
from solver.board.true_candidates import TrueCandidates
from solver.checks.givens import candidates as left_by_givens
from solver.compiling.cache_folder import source_digest
from solver.engines.engine import ABANDON, GO_ON, StopFlag
from solver.single import PuzzleLike, single_puzzle
from solver.solving import solve_many

# Candidates per call of the solver. If a call is abandoned, only its first unfinished search leaves
# a checkpoint, and the work on later ones is lost.
_AT_A_TIME = 256


def true_candidates(
    source: PuzzleLike, *, bound: int = 1, step_limit: int = 1_000_000
) -> TrueCandidates:
    """Return the values that each cell takes in some solution, with counts up to `bound`.

    `source` is as for `solver.solve`. Each value that the givens allow is added as another given,
    and the resulting puzzle is solved within the step limit. Raises ValueError if `bound` is below
    1 or `source` isn't a valid puzzle, and TypeError for anything that can't be a puzzle.
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
    layout = puzzle.layout
    givens = np.array(puzzle.givens, np.uint8)
    tried = [
        (cell, value)
        for cell, values in enumerate(left_by_givens(layout, givens))
        for value in values or ([int(givens[cell])] if givens[cell] else [])
    ]
    places = np.array(tried, np.int64).reshape(-1, 2)
    found = np.zeros(len(tried), np.int64)
    undecided = np.zeros(len(tried), np.bool_)
    search = None
    begin = 0
    earlier = None if checkpoint is None else checkpoint.arrays_of(_sources())
    if earlier is not None:
        begin = len(earlier["found"])
        found[:begin], undecided[:begin] = earlier["found"], earlier["undecided"]
        search = Checkpoint.unpack(earlier["search"].tobytes())
    done = begin
    while done < len(tried):
        cells, values = places[done : done + _AT_A_TIME].T
        rows = np.tile(givens, (len(cells), 1))
        rows[np.arange(len(cells)), cells] = values
        left = None
        if puzzle.candidates is not None:
            left = np.tile(np.array(puzzle.candidates, np.uint64), (len(cells), 1))
        batch = solve_many(
            rows, layout=layout, limit=bound, listed=False, step_limit=step_limit,
            stop=stop, candidates=left, checkpoint=search,
        )  # fmt: skip
        part = slice(done, done + len(batch))  # Shorter than the request if `stop` is FINISH.
        found[part] = np.minimum(batch.counts, bound)
        undecided[part] = (batch.outcomes == Outcome.STEP_LIMIT) & (batch.counts < bound)
        done += len(batch)
        search = None
        if stop[0] == ABANDON and done < len(tried):
            if done == begin and batch.checkpoint is None:
                return None
            return _checkpoint(found[:done], undecided[:done], batch.checkpoint)
    counts = np.zeros((layout.cells, layout.size), np.int64)
    decided = np.ones((layout.cells, layout.size), np.bool_)
    cells, values = places[:, 0], places[:, 1] - 1
    counts[cells, values] = found
    decided[cells, values] = ~undecided
    return TrueCandidates(counts, decided, bound, puzzle.symbols)


def _checkpoint(
    found: NDArray[np.int64], undecided: NDArray[np.bool_], search: Checkpoint | None
) -> Checkpoint:
    """Return the checkpoint of a suspended count of true candidates.

    found      (tried,) number of solutions with each candidate tried so far, up to the bound
    undecided  (tried,) whether the step limit was reached before that number was complete
    search     the checkpoint of the search for the next candidate, None to start it again
    """
    packed = b"" if search is None else search.pack()
    arrays = {"found": found, "undecided": undecided, "search": np.frombuffer(packed, np.uint8)}
    return Checkpoint(arrays, sources=_sources())


@cache
def _sources() -> str:
    return source_digest(Path(__file__))
