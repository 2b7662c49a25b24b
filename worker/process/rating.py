"""Rates and explains puzzles that have just been solved."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from solver.board.checkpoint import Checkpoint
from solver.board.result import Batch, Outcome
from solver.engines.engine import ABANDON, GO_ON, StopFlag
from solver.formats.format import Group
from worker.explanations import StoredDifficulty, StoredExplanation
from worker.job import JobOptions


@dataclass(frozen=True, slots=True)
class RatedBatch:
    """Difficulties and explanations of the first `done` puzzles of a batch, by index in the batch.

    Puzzles that need no rating count as done. `checkpoint` is the saved state of the next puzzle,
    or None if it wasn't suspended.
    """

    done: int
    difficulties: dict[int, StoredDifficulty] = field(default_factory=dict)
    explanations: dict[int, StoredExplanation] = field(default_factory=dict)
    checkpoint: Checkpoint | None = None  # of the next puzzle, if it was suspended


def rate_and_explain(
    group: Group,
    batch: Batch,
    *,
    options: JobOptions,
    flag: StopFlag,
    checkpoint: Checkpoint | None = None,
) -> RatedBatch:
    """Rate and explain the puzzles of a batch that have a unique solution, as the options request.

    `group` contains the puzzles, and `batch` their results. Only puzzles without given candidates
    are rated, and only if Sudoku Explainer's techniques support their board. If `flag` becomes
    FINISH, at least one puzzle is still done, so that every call makes progress. The first puzzle
    resumes from `checkpoint`, if given.
    """
    # Techniques take long to import, so jobs that don't need them shouldn't wait for that.
    from solver.explaining import explain_unique  # noqa: PLC0415
    from solver.logic.ratings import meaningful_parts, rate_many  # noqa: PLC0415
    from solver.logic.sudoku_explainer.variants import variant_of  # noqa: PLC0415

    unique = np.flatnonzero((batch.outcomes == Outcome.SOLVED) & (batch.counts == 1))
    is_rated = options.rate and group.candidates is None and variant_of(group.layout) is not None
    earlier = checkpoint if unique[:1].tolist() == [0] else None
    difficulties: dict[int, StoredDifficulty] = {}
    explanations: dict[int, StoredExplanation] = {}
    if is_rated and not options.explain:
        rated, suspended = rate_many(
            group.givens[unique],
            batch.solutions[unique],
            layout=group.layout,
            stop=flag,
            checkpoint=earlier,
        )
        for place, difficulty in zip(unique.tolist(), rated, strict=False):
            known = meaningful_parts(difficulty, layout=group.layout)
            if known is not None:
                difficulties[place] = StoredDifficulty.of(known)
        done = _done(unique, len(rated), len(batch))
        return RatedBatch(done, difficulties, checkpoint=suspended)
    if not options.explain:
        return RatedBatch(len(batch))
    suspended = None
    for row in unique.tolist():
        if flag[0] != GO_ON and explanations:
            break
        explanation = explain_unique(
            group.puzzle(row),
            tuple(batch.solutions[row].tolist()),
            stop=flag,
            checkpoint=earlier,
        )
        if flag[0] == ABANDON:
            suspended = explanation.checkpoint
            break
        earlier = None
        explanations[row] = StoredExplanation.of(explanation)
        if is_rated and explanation.difficulty is not None:
            difficulties[row] = StoredDifficulty.of(explanation.difficulty)
    return RatedBatch(
        _done(unique, len(explanations), len(batch)), difficulties, explanations, suspended
    )


def _done(unique: NDArray[np.int64], rated: int, size: int) -> int:
    """Return the number of puzzles at the start of a batch that need no more rating.

    `unique` contains the indices of the puzzles with a unique solution. Only these are rated, in
    this order, and the first `rated` of them have been. `size` is the number of puzzles in the
    batch.
    """
    return size if rated == len(unique) else int(unique[rated])
