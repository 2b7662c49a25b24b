"""Rates and explains puzzles that have just been solved."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from solver.board.checkpoint import Checkpoint
from solver.board.layout import Layout
from solver.board.result import Batch, Outcome
from solver.engines.engine import ABANDON, GO_ON, StopFlag
from solver.formats.format import Group
from worker.job import JobOptions
from worker.records.explanations import StoredDifficulty, StoredExplanation, StoredOwnRating


@dataclass(frozen=True, slots=True)
class RatedBatch:
    """Ratings and explanations of the first `done` puzzles of a batch, by index in the batch.

    Puzzles that need no rating count as done. `own_ratings` are sudokuq ratings, and `remarks` the
    reasons why puzzles have none. `checkpoint` is the saved state of the next puzzle, or None if it
    wasn't suspended.
    """

    done: int
    difficulties: dict[int, StoredDifficulty] = field(default_factory=dict)
    explanations: dict[int, StoredExplanation] = field(default_factory=dict)
    own_ratings: dict[int, StoredOwnRating] = field(default_factory=dict)
    remarks: dict[int, str] = field(default_factory=dict)
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

    `group` contains the puzzles, and `batch` their results. If Sudoku Explainer's techniques
    support the board, puzzles without given candidates have its rating. Other puzzles have the
    sudokuq rating, unless they are classic. If `flag` becomes FINISH, at least one puzzle is still
    done, so that every call makes progress. The first puzzle resumes from `checkpoint`, if given.
    """
    # Techniques take long to import, so jobs that don't need them shouldn't wait for that.
    from solver.logic.sudoku_explainer.variants import variant_of  # noqa: PLC0415

    unique = np.flatnonzero((batch.outcomes == Outcome.SOLVED) & (batch.counts == 1))
    is_rated = options.rate and group.candidates is None and variant_of(group.layout) is not None
    has_own = options.rate and not is_rated and group.layout is not Layout.boxed(3, 3)
    work = _Work(group, batch, unique, flag, checkpoint if unique[:1].tolist() == [0] else None)
    if options.explain:
        return _explain(work, is_rated=is_rated, has_own=has_own)
    if is_rated:
        return _rate(work)
    return _rate_by_steps(work, options.rate_seconds) if has_own else RatedBatch(len(batch))


@dataclass(frozen=True, slots=True)
class _Work:
    """Puzzles to rate or explain: those of a batch with the indices `unique`.

    The other members are as for `rate_and_explain`. `checkpoint` belongs to the first puzzle.
    """

    group: Group
    batch: Batch
    unique: NDArray[np.int64]
    flag: StopFlag
    checkpoint: Checkpoint | None

    def solution(self, row: int) -> tuple[int, ...]:
        """Return the solution of a puzzle, by its index in the batch."""
        return tuple(self.batch.solutions[row].tolist())

    def done(self, rated: int) -> int:
        """Return the number of puzzles at the start of the batch that need no more rating.

        Only those in `unique` are rated, in this order, and the first `rated` of them have been.
        """
        return len(self.batch) if rated == len(self.unique) else int(self.unique[rated])


def _rate(work: _Work) -> RatedBatch:
    """Rate the puzzles that have one solution as Sudoku Explainer and HoDoKu do.

    Ratings that have no meaning on the puzzles' board are left out. If the work's flag stops it,
    the result covers fewer puzzles, and may have a checkpoint for the next one.
    """
    from solver.logic.rating.reference_ratings import meaningful_parts, rate_many  # noqa: PLC0415

    layout = work.group.layout
    rated, suspended = rate_many(
        work.group.givens[work.unique],
        work.batch.solutions[work.unique],
        layout=layout,
        stop=work.flag,
        checkpoint=work.checkpoint,
    )
    difficulties: dict[int, StoredDifficulty] = {}
    for row, difficulty in zip(work.unique.tolist(), rated, strict=False):
        known = meaningful_parts(difficulty, layout=layout)
        if known is not None:
            difficulties[row] = StoredDifficulty.of(known)
    return RatedBatch(work.done(len(rated)), difficulties, checkpoint=suspended)


def _rate_by_steps(work: _Work, seconds: int) -> RatedBatch:
    """Return the sudokuq ratings of puzzles with one solution, each within `seconds` of CPU time.

    Puzzles that take longer get a remark instead. If the work's flag stops it, the result covers
    fewer puzzles, and may have a checkpoint for the next one.
    """
    from solver.rating_by_steps import rate_by_steps  # noqa: PLC0415

    own_ratings: dict[int, StoredOwnRating] = {}
    remarks: dict[int, str] = {}
    rated, checkpoint, suspended = 0, work.checkpoint, None
    for row in work.unique.tolist():
        if work.flag[0] != GO_ON and rated:
            break
        own = rate_by_steps(
            work.group.puzzle(row),
            work.solution(row),
            seconds=seconds,
            stop=work.flag,
            checkpoint=checkpoint,
        )
        if isinstance(own, Checkpoint) or (own is None and work.flag[0] == ABANDON):
            suspended = own
            break
        if own is None:
            remarks[row] = f"not rated within {seconds:,} s of CPU time; raise rate_seconds"
        else:
            own_ratings[row] = StoredOwnRating.of(own)
        rated, checkpoint = rated + 1, None
    return RatedBatch(
        work.done(rated), own_ratings=own_ratings, remarks=remarks, checkpoint=suspended
    )


def _explain(work: _Work, *, is_rated: bool, has_own: bool) -> RatedBatch:
    """Explain the puzzles that have one solution, and keep the ratings that this yields.

    These are the ratings of Sudoku Explainer and HoDoKu if `is_rated`, and the sudokuq rating if
    `has_own`. If the work's flag stops it, the result covers fewer puzzles, and may have a
    checkpoint for the next one.
    """
    from solver.explaining import explain_unique  # noqa: PLC0415

    difficulties: dict[int, StoredDifficulty] = {}
    explanations: dict[int, StoredExplanation] = {}
    own_ratings: dict[int, StoredOwnRating] = {}
    checkpoint, suspended = work.checkpoint, None
    for row in work.unique.tolist():
        if work.flag[0] != GO_ON and explanations:
            break
        explanation = explain_unique(
            work.group.puzzle(row), work.solution(row), stop=work.flag, checkpoint=checkpoint
        )
        if work.flag[0] == ABANDON:
            suspended = explanation.checkpoint
            break
        checkpoint = None
        explanations[row] = StoredExplanation.of(explanation)
        difficulty, own = explanation.difficulty, explanation.own_rating
        if is_rated and difficulty is not None:
            difficulties[row] = StoredDifficulty.of(difficulty)
        if has_own and own is not None:
            own_ratings[row] = StoredOwnRating.of(own)
    done = work.done(len(explanations))
    return RatedBatch(done, difficulties, explanations, own_ratings, checkpoint=suspended)
