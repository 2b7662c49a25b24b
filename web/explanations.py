"""The explanation of a result: kept by the job, or made by a worker while somebody waits."""

from solver.logic.explanation import Explanation
from web import current
from web.results import Portion, kept_explanation
from worker.job import Job


def can_be_explained(portion: Portion) -> bool:
    """Return whether one row is a puzzle with a solution, on a board that is known."""
    ((row, board),) = portion.with_boards()
    return board is not None and row.solution is not None and row.outcome == "solved"


def find_explanation(job: Job, portion: Portion, *, seconds: float) -> Explanation | None:
    """Return the explanation of one row; None if there is none, or none within some seconds.

    What the job did not keep is made by a worker, and kept then.
    """
    kept = kept_explanation(portion)
    if kept is not None or not can_be_explained(portion):
        return kept
    ((row, board),) = portion.with_boards()
    explained, dispatcher = current.service().explained, current.service().dispatcher
    stored = explained.explanation(job.id, row.n)
    if stored is None:
        with current.if_redis_takes_it():
            if explained.claim(job.id, row.n):
                dispatcher.explain(job.id, row.n)
            stored = current.poll(lambda: explained.explanation(job.id, row.n), seconds)
    givens = None if board is None else board.read(row.puzzle)
    if stored is None or board is None or givens is None:
        return None
    return stored.read(board, givens)
