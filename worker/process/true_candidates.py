"""Computes the true candidates of a batch of puzzles."""

from dataclasses import dataclass

import numpy as np

from solver.board.checkpoint import Checkpoint
from solver.board.puzzle import Puzzle
from solver.board.result import Batch, Outcome
from solver.board.true_candidates import TrueCandidates
from solver.candidates import candidates_until
from solver.candidates_from_solutions import candidates_from_solutions
from solver.engines.engine import GO_ON, StopFlag
from solver.formats.format import Group
from worker.job import JobOptions
from worker.records.true_candidates import StoredCandidates

# The first, quick attempt may make this many guesses in each search. It decides most puzzles.
_QUICK_GUESSES = 2_000
_MOST_QUICK = 10  # solutions counted for each candidate; larger counts can be suspended instead
_NONE = (Outcome.UNSOLVABLE, Outcome.INVALID, Outcome.FAILED)


@dataclass(frozen=True, slots=True)
class Counted:
    """The true candidates of the first puzzles of a batch, one item per puzzle.

    The item is None for a puzzle that has no solution, isn't valid, or failed. `checkpoint` is the
    saved state of the next puzzle, or None if it wasn't suspended.
    """

    candidates: list[StoredCandidates | None]
    checkpoint: Checkpoint | None = None  # of the next puzzle, if it was suspended


def count_candidates(
    group: Group,
    batch: Batch,
    *,
    options: JobOptions,
    flag: StopFlag,
    checkpoint: Checkpoint | None = None,
) -> Counted:
    """Count the solutions for each true candidate of the first puzzles of a group.

    These are the puzzles that have results in the batch. A count stops at the option `limit`. If
    `flag` becomes FINISH, at least one puzzle is still done, so that every call makes progress. The
    first puzzle resumes from `checkpoint`, if given.
    """
    counted: list[StoredCandidates | None] = []
    for row, outcome in enumerate(batch.outcomes.tolist()):
        if outcome in _NONE:
            counted.append(None)
            continue
        if counted and flag[0] != GO_ON:
            break
        if (known := _from_list(group.puzzle(row), batch, row, limit=options.limit)) is not None:
            counted.append(StoredCandidates.of(known))
            continue
        suspended = checkpoint if row == 0 else None
        quick = _quickly(group.puzzle(row), options, flag) if suspended is None else None
        true = quick or candidates_until(
            group.puzzle(row),
            bound=options.limit,
            step_limit=options.step_limit,
            stop=flag,
            checkpoint=suspended,
        )
        if not isinstance(true, TrueCandidates):
            return Counted(counted, true)
        counted.append(StoredCandidates.of(true))
    return Counted(counted)


def _from_list(puzzle: Puzzle, batch: Batch, row: int, *, limit: int) -> TrueCandidates | None:
    """Return the true candidates of a puzzle if its result lists all solutions, else None.

    `row` is the puzzle's row in the batch, and `limit` the maximum number of solutions.
    """
    is_searched = batch.outcomes[row] in (Outcome.SOLVED, Outcome.MULTIPLE)
    if batch.listed is None or not is_searched or batch.counts[row] >= limit:
        return None
    layout = puzzle.layout
    solutions = np.asarray(batch.listed[row], np.int64)
    counts = np.zeros((layout.cells, layout.size), np.int64)
    for solution in solutions:
        cells = np.flatnonzero(solution[: layout.cells])
        counts[cells, solution[cells] - 1] += 1
    return TrueCandidates(counts, np.ones_like(counts, np.bool_), limit, puzzle.symbols)


def _quickly(puzzle: Puzzle, options: JobOptions, flag: StopFlag) -> TrueCandidates | None:
    """Return the true candidates of a puzzle from few searches, or None if more are necessary.

    If the job's step limit is as low as that of these searches, their result is final, even if it
    contains undecided values.
    """
    if options.limit > _MOST_QUICK:
        return None
    found = candidates_from_solutions(
        puzzle,
        bound=options.limit,
        step_limit=min(options.step_limit, _QUICK_GUESSES),
        stop=flag,
    )
    is_final = found is not None and (options.step_limit <= _QUICK_GUESSES or found.decided.all())
    return found if is_final else None
