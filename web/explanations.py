"""The explanation of a result: kept by the job, or made by a worker while somebody waits."""

from solver.logic.explanation import Explanation
from web import current
from web.results import Portion, kept_explanation
from worker.explanations import StoredExplanation
from worker.job import Job
from worker.store.explained import Claim


def can_be_explained(portion: Portion) -> bool:
    """Return whether one row is a puzzle with a solution, on a board that is known."""
    ((row, board),) = portion.with_boards()
    return board is not None and row.solution is not None and row.outcome == "solved"


def find_explanation(
    job: Job, portion: Portion, *, client: str, seconds: float
) -> Explanation | None:
    """Return the explanation of one row; None if there is none, or none within some seconds.

    A worker makes an explanation that the job didn't keep, and keeps it. A client may have a few
    such requests under way; another one waits until one of them is answered.
    """
    kept = kept_explanation(portion)
    if kept is not None or not can_be_explained(portion):
        return kept
    ((row, board),) = portion.with_boards()
    explained = current.service().explained
    stored = explained.explanation(job.id, row.n)
    if stored is None:
        with current.if_redis_takes_it():
            stored = _request(job.id, row.n, client=client, seconds=seconds)
    givens = None if board is None else board.read(row.puzzle)
    if stored is None or board is None or givens is None:
        return None
    return stored.read(board, givens)


def _request(job_id: str, number: int, *, client: str, seconds: float) -> StoredExplanation | None:
    """Have a worker explain a record, and wait for it."""
    service = current.service()
    most = service.settings.max_explanations_per_client
    claim = Claim.TOO_MANY

    def look() -> StoredExplanation | None:
        nonlocal claim
        if claim is Claim.TOO_MANY:
            claim = service.explained.claim(job_id, number, client=client, most=most)
            if claim is Claim.MINE:
                service.dispatcher.explain(job_id, number)
        return service.explained.explanation(job_id, number)

    return look() or current.poll(look, seconds)
