"""How hard puzzles are and how people solve them, for answers that have just been found."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.puzzle import Puzzle
from solver.board.result import Batch, Outcome
from solver.engines.engine import ABANDON, GO_ON, StopFlag
from solver.formats.format import Group
from worker.explanations import StoredDifficulty, StoredExplanation
from worker.job import JobOptions

_CLASSIC = Layout.boxed(3, 3)


@dataclass(frozen=True, slots=True)
class Studied:
    """What logic says of the first `done` puzzles of a batch, by row; of others, nothing."""

    done: int
    difficulties: dict[int, StoredDifficulty] = field(default_factory=dict)
    explanations: dict[int, StoredExplanation] = field(default_factory=dict)


def study(
    group: Group,
    givens: NDArray[np.uint8],
    batch: Batch,
    candidates: NDArray[np.uint64] | None,
    *,
    options: JobOptions,
    flag: StopFlag,
    least: int,
) -> Studied:
    """Rate and explain the puzzles of a batch that have one solution, as the options ask.

    At FINISH, `least` puzzles are still done, so that every piece of a chunk makes progress.
    """
    # Techniques take long to load, which jobs without them should not wait for.
    from solver.logic.explaining import explain_unique  # noqa: PLC0415
    from solver.logic.raters import rate_many  # noqa: PLC0415

    studied = Studied(len(batch))
    for row in range(len(batch)):
        if flag[0] == ABANDON or (flag[0] != GO_ON and row >= least):
            return _cut(studied, row)
        is_unique = batch.outcomes[row] == Outcome.SOLVED and batch.counts[row] == 1
        if not is_unique:
            continue
        left = None if candidates is None else tuple(candidates[row].tolist())
        difficulty = None
        if options.explain:
            explanation = explain_unique(
                Puzzle(group.layout, tuple(givens[row].tolist()), group.symbols, left),
                tuple(batch.solutions[row].tolist()),
                stop=flag,
            )
            difficulty = explanation.difficulty
            studied.explanations[row] = StoredExplanation.of(explanation)
        elif group.layout is _CLASSIC and left is None:
            rated = rate_many(givens[row : row + 1], batch.solutions[row : row + 1], stop=flag)
            difficulty = rated[0] if rated else None
        if options.rate and group.layout is _CLASSIC and difficulty is not None:
            studied.difficulties[row] = StoredDifficulty.of(difficulty)
        if flag[0] == ABANDON:
            return _cut(studied, row)
    return studied


def _cut(studied: Studied, done: int) -> Studied:
    return Studied(
        done,
        {row: entry for row, entry in studied.difficulties.items() if row < done},
        {row: entry for row, entry in studied.explanations.items() if row < done},
    )
