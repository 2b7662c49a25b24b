"""Explains a single record, or lists the steps at a position of it, when a user asks for that."""

import logging
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from solver.board.layout import Layout
from solver.board.puzzle import Puzzle
from solver.board.result import Outcome
from solver.logic.deduction import split
from solver.logic.explanation import Ending
from solver.rules.registry import with_constraints
from worker.process.heartbeat import Heartbeat
from worker.records.chunk_result import ChunkResult
from worker.records.explanations import AFTER, StoredExplanation, StoredSteps
from worker.service import Service
from worker.store.schema import StoredByNewer

logger = logging.getLogger(__name__)

# A user is waiting for this puzzle. After this time the explanation is cut.
_SECONDS = 10.0


def explain_record(
    service: Service,
    job_id: str,
    number: int,
    *,
    position: str = "",
    may_continue: Callable[[], bool] = lambda: True,
) -> bool:
    """Explain a record of a job, or list the steps at a position of it, and store the result.

    Only records with a unique solution, or with none, are explained. The explanation of an
    unsolvable record has no steps, but names entries that may be wrong. `number` is the record's
    number, from 1. With a `position` (see `StoredSteps`), the steps that are available there are
    stored instead of an explanation. Work that takes longer than a chunk's time slice continues
    only while `may_continue` returns True. After 10 seconds, it is cut. An explanation that was cut
    is continued.

    Returns False and stores nothing if it was stopped because of `may_continue`, or if only a newer
    program version can read the job. The request should then be repeated. Returns True otherwise,
    even if there was nothing to explain, or if a whole explanation is stored already.
    """
    try:
        service.jobs.get(job_id)
    except StoredByNewer as error:
        logger.warning("left an explanation to newer workers: %s", error)
        return False
    earlier = service.explanations.explanation(job_id, number)
    if earlier is not None and earlier.ending != Ending.CUT and not position:
        return True
    give_up_at = time.monotonic() + _SECONDS
    with Heartbeat(
        lambda: True,
        lease=_SECONDS,
        must_stop=lambda: time.monotonic() > give_up_at,
        may_continue=may_continue,
        is_whole=True,
    ) as heartbeat:
        heartbeat.allow(service.settings.chunk_seconds)
        for _, result in service.results.read(job_id, offset=number - 1, count=1):
            if position:
                steps = _list_steps(result, earlier, position, heartbeat)
                if heartbeat.must_wait:
                    return False
                if steps is not None:
                    service.explanations.keep_steps(job_id, number, position, steps)
                continue
            stored = _explain(result, earlier or result.explanations.get(0), heartbeat)
            if heartbeat.must_wait:
                return False
            if stored is not None:
                service.explanations.keep(job_id, number, stored)
    return True


def _explain(
    result: ChunkResult, earlier: StoredExplanation | None, heartbeat: Heartbeat
) -> StoredExplanation | None:
    """Return the explanation of a record, or None unless it has one solution or is unsolvable.

    With a solution, the explanation continues after the steps of `earlier`, if that is given.
    """
    from solver.explaining import explain_unique, explain_unsolvable  # noqa: PLC0415
    from solver.logic.progress import Progress  # noqa: PLC0415

    read = _read(result)
    if read is None:
        return None
    puzzle, solution = read
    if result.outcomes[0] == Outcome.UNSOLVABLE:
        reason = result.details.get(0)
        return StoredExplanation.of(explain_unsolvable(puzzle, reason, stop=heartbeat.flag))
    if solution is None or result.outcomes[0] != Outcome.SOLVED:
        return None
    progress = Progress() if earlier is None else Progress(rows=np.frombuffer(earlier.rows, "u1"))
    checkpoint = progress.to_checkpoint()
    explanation = explain_unique(puzzle, solution, stop=heartbeat.flag, checkpoint=checkpoint)
    return StoredExplanation.of(explanation)


def _list_steps(
    result: ChunkResult, earlier: StoredExplanation | None, position: str, heartbeat: Heartbeat
) -> StoredSteps | None:
    """Return the steps that are available at a position of a record.

    `position` is as in `StoredSteps`. Returns None if the record has no unique solution, or if the
    position is after a step that doesn't exist. `earlier` is the explanation of the record, if it
    was requested after the job.
    """
    from solver.listing import all_steps_of_unique  # noqa: PLC0415

    read = _read(result)
    if read is None or result.outcomes[0] != Outcome.SOLVED:
        return None
    puzzle, solution = read
    if solution is None:
        return None
    taken = b""
    if position.startswith(AFTER):
        explanation = result.explanations.get(0) or earlier
        number = int(position.removeprefix(AFTER))
        steps = [] if explanation is None else [*split(np.frombuffer(explanation.rows, "<i2"))]
        if number > len(steps):
            return None
        taken = b"".join(step.tobytes() for step in steps[:number])
    else:
        givens = [*puzzle.givens]
        for pair in position.split(","):
            cell, _, value = pair.partition(":")
            givens[int(cell)] = int(value)
        puzzle = replace(puzzle, givens=tuple(givens))
    available = all_steps_of_unique(puzzle, solution, taken=taken, stop=heartbeat.flag)
    return StoredSteps.of(available)


def _read(result: ChunkResult) -> tuple[Puzzle, tuple[int, ...] | None] | None:
    """Return the puzzle of a result and its solution, which is None if there is none.

    Returns None instead of both if the record isn't a puzzle or its board isn't stored.
    """
    (board,) = result.boards()
    givens = None if board is None else board.read(result.puzzles.text)
    if board is None or givens is None:
        return None
    left = result.candidates.get(0)
    candidates = None if left is None else tuple(np.frombuffer(left, "<u8").tolist())
    puzzle = Puzzle(_with_parts(board.layout), givens, board.symbols, candidates)
    return puzzle, board.read(result.solutions.text) if result.solutions.text else None


def _with_parts(layout: Layout) -> Layout:
    """Return a layout with its constraints compiled to primitive constraints.

    Stored layouts contain only the constraints as they were written.
    """
    if not layout.constraints:
        return layout
    compiled = with_constraints(layout, ())
    if isinstance(compiled, str):
        raise TypeError(compiled)
    return compiled
