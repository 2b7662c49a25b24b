"""The explanation service: returns stored explanations, or has a worker compute them on demand."""

from solver.logic.explanation import Explanation
from web.http import request_context
from web.results.writers import ResultPage, stored_explanation
from worker.explanations import StoredExplanation
from worker.job import Job
from worker.store.explanations import Claim


def can_be_explained(page: ResultPage) -> bool:
    """Return whether a worker can explain the page's only row, whose board must be stored.

    That is a puzzle with one solution, or an unsolvable one, which may have a wrong entry.
    """
    ((row, board),) = page.with_boards()
    is_solved = row.outcome == "solved" and row.solution is not None
    return board is not None and (is_solved or row.outcome == "unsolvable")


def find_explanation(
    job: Job, page: ResultPage, *, client: str, seconds: float
) -> Explanation | None:
    """Return the explanation of a page's only row, or None if it has none or isn't ready in time.

    If no explanation is stored, a worker computes and stores one. This function waits for it for up
    to `seconds`. The settings limit how many such requests of a `client` workers process at the
    same time. Further requests wait until one of them is finished.
    """
    from_result = stored_explanation(page)
    if from_result is not None or not can_be_explained(page):
        return from_result
    ((row, board),) = page.with_boards()
    stored = request_context.service().explanations.explanation(job.id, row.n)
    if stored is None:
        with request_context.ignore_full_redis():
            stored = _request(job.id, row.n, client=client, seconds=seconds)
    givens = None if board is None else board.read(row.puzzle)
    if stored is None or board is None or givens is None:
        return None
    return stored.read(board, givens)


def _request(job_id: str, number: int, *, client: str, seconds: float) -> StoredExplanation | None:
    """Request the explanation of a record from a worker, and return it.

    `number` is the record's number in the job, from 1. Returns None if it isn't ready after
    `seconds`.
    """
    service = request_context.service()
    most = service.settings.max_explanations_per_client
    claim = Claim.TOO_MANY

    def find() -> StoredExplanation | None:
        nonlocal claim
        if claim is Claim.TOO_MANY:
            claim = service.explanations.claim(job_id, number, client=client, most=most)
            if claim is Claim.MINE:
                service.dispatcher.request_explanation(job_id, number)
        return service.explanations.explanation(job_id, number)

    return find() or request_context.poll(find, seconds)
