"""The explanation service: explanations stored with the job, or computed by a worker on demand."""

from solver.logic.explanation import Explanation
from web.http import request_context
from web.results.writers import ResultPage, stored_explanation
from worker.explanations import StoredExplanation
from worker.job import Job
from worker.store.explanations import Claim


def can_be_explained(page: ResultPage) -> bool:
    """Return whether the row is a uniquely solved puzzle whose board is stored."""
    ((row, board),) = page.with_boards()
    return board is not None and row.solution is not None and row.outcome == "solved"


def find_explanation(
    job: Job, page: ResultPage, *, client: str, seconds: float
) -> Explanation | None:
    """Return the explanation of one row, or None if there is none or it isn't ready in time.

    If the job has no explanation of the row, a worker computes and stores one. A client may have a
    few such requests in progress. Further ones wait until one of these is finished.
    """
    kept = stored_explanation(page)
    if kept is not None or not can_be_explained(page):
        return kept
    ((row, board),) = page.with_boards()
    explained = request_context.service().explanations
    stored = explained.explanation(job.id, row.n)
    if stored is None:
        with request_context.ignore_full_redis():
            stored = _request(job.id, row.n, client=client, seconds=seconds)
    givens = None if board is None else board.read(row.puzzle)
    if stored is None or board is None or givens is None:
        return None
    return stored.read(board, givens)


def _request(job_id: str, number: int, *, client: str, seconds: float) -> StoredExplanation | None:
    """Have a worker explain a record, and wait for the result."""
    service = request_context.service()
    most = service.settings.max_explanations_per_client
    claim = Claim.TOO_MANY

    def look() -> StoredExplanation | None:
        nonlocal claim
        if claim is Claim.TOO_MANY:
            claim = service.explanations.claim(job_id, number, client=client, most=most)
            if claim is Claim.MINE:
                service.dispatcher.request_explanation(job_id, number)
        return service.explanations.explanation(job_id, number)

    return look() or request_context.poll(look, seconds)
