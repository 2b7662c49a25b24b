"""The true candidates of the puzzles of a batch."""

import numpy as np
from numpy.typing import NDArray

from solver.board.puzzle import Puzzle
from solver.board.result import Batch, Outcome
from solver.candidates import candidates_until
from solver.engines.engine import GO_ON, StopFlag
from solver.formats.format import Group
from worker.job import JobOptions
from worker.true_candidates import StoredCandidates

_NONE = (Outcome.UNSOLVABLE, Outcome.INVALID, Outcome.FAILED)


def count_candidates(
    group: Group,
    givens: NDArray[np.uint8],
    batch: Batch,
    candidates: NDArray[np.uint64] | None,
    *,
    options: JobOptions,
    flag: StopFlag,
) -> list[StoredCandidates | None]:
    """Return the true candidates of the first puzzles, None of what has no solution.

    At FINISH, one puzzle is still done, so that every piece of a chunk makes progress.
    """
    counted: list[StoredCandidates | None] = []
    for row, outcome in enumerate(batch.outcomes.tolist()):
        if outcome in _NONE:
            counted.append(None)
            continue
        if counted and flag[0] != GO_ON:
            break
        left = None if candidates is None else tuple(candidates[row].tolist())
        true = candidates_until(
            Puzzle(group.layout, tuple(givens[row].tolist()), group.symbols, left),
            bound=options.limit,
            step_limit=options.step_limit,
            stop=flag,
        )
        if true is None:
            break
        counted.append(StoredCandidates.of(true))
    return counted
