"""The explanation service: returns stored explanations, or has a worker compute them on demand."""

from collections.abc import Callable
from typing import TypeVar

from solver.logic.available_steps import AvailableSteps
from solver.logic.explanation import Ending, Explanation
from web.http import request_context
from web.results.writers import ResultPage, stored_explanation
from worker.job import Job
from worker.records.explanations import StoredExplanation, StoredSteps
from worker.store.explanations import Claim


def can_be_explained(page: ResultPage) -> bool:
    """Return whether a worker can explain the page's only row.

    It can if the row is a solved puzzle, or an unsolvable one, which may have a wrong entry, and if
    the row's board is stored.
    """
    ((row, board),) = page.with_boards()
    is_solved = row.outcome == "solved" and row.solution is not None
    return board is not None and (is_solved or row.outcome == "unsolvable")


def find_explanation(
    job: Job, page: ResultPage, *, client: str, seconds: float
) -> Explanation | None:
    """Return the explanation of a page's only row, or None if it has none or isn't ready in time.

    If no explanation is stored, a worker computes and stores one. If it was cut, a worker continues
    it, at most once a minute. This function waits for the new one for up to `seconds`, and returns
    the one that was cut if it isn't ready, or if Redis is too full for the request. The settings
    limit how many such requests of a `client` workers process at the same time. Further requests
    wait until one of them is finished.
    """
    from_result = stored_explanation(page)
    is_whole = from_result is not None and from_result.ending is not Ending.CUT
    if is_whole or not can_be_explained(page):
        return from_result
    ((row, board),) = page.with_boards()
    explanations = request_context.service().explanations
    earlier = explanations.explanation(job.id, row.n)

    def look() -> StoredExplanation | None:
        found = explanations.explanation(job.id, row.n)
        return None if found == earlier else found

    stored = earlier
    if earlier is None or explanations.can_be_continued(job.id, row.n, earlier):
        with request_context.ignore_full_redis():
            stored = _request(job.id, row.n, look, client=client, seconds=seconds) or earlier
    givens = None if board is None else board.read(row.puzzle)
    if stored is None or board is None or givens is None:
        return from_result
    return stored.read(board, givens)


def find_available_steps(
    job: Job, page: ResultPage, position: str, *, client: str, seconds: float
) -> AvailableSteps | None:
    """Return the steps that are available at a position of a page's only row.

    `position` is described in `StoredSteps`. The row must have one solution, and the explanation up
    to the position must be stored. A worker lists the steps, and this function waits for it as
    `find_explanation` does. Returns None if they aren't ready in time, if Redis is too full for the
    request, or if the board isn't stored.
    """
    ((row, board),) = page.with_boards()
    givens = None if board is None else board.read(row.puzzle)
    if board is None or givens is None:
        return None
    explanations = request_context.service().explanations

    def look() -> StoredSteps | None:
        return explanations.steps(job.id, row.n, position)

    stored = look()
    if stored is None:
        with request_context.ignore_full_redis():
            stored = _request(
                job.id, row.n, look, client=client, seconds=seconds, position=position
            )
    return None if stored is None else stored.read(board, givens)


_Stored = TypeVar("_Stored")


def _request(
    job_id: str,
    number: int,
    look: Callable[[], _Stored | None],
    *,
    client: str,
    seconds: float,
    position: str = "",
) -> _Stored | None:
    """Request the explanation of a record from a worker, and return what `look` then finds.

    If it has already been requested, this only waits for it. If the client has too many requests in
    progress, it tries again until the time is up.

    `number` is the record's number in the job, from 1. With a `position` (see `StoredSteps`), the
    steps that are available there are requested instead. `look` reads the result from the store.
    Returns None if that isn't there after `seconds`.
    """
    service = request_context.service()
    most = service.settings.max_explanations_per_client
    claim = Claim.TOO_MANY

    def find() -> _Stored | None:
        nonlocal claim
        if claim is Claim.TOO_MANY:
            claim = service.explanations.claim(
                job_id, number, client=client, most=most, position=position
            )
            if claim is Claim.MINE:
                service.dispatcher.request_explanation(job_id, number, position=position)
        return look()

    return find() or request_context.poll(find, seconds)
