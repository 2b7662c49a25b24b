"""The explanation of a result: kept by the job, or made by a worker while somebody waits."""

import time

from solver.logic.explanation import Explanation
from web import current
from web.results import Portion
from worker.job import Job

_LOOK_SECONDS = 0.05


def can_be_explained(portion: Portion) -> bool:
    """Return whether one row is a puzzle with a solution, on a board that is known."""
    ((row, board),) = portion.with_boards()
    return board is not None and row.solution is not None and row.outcome == "solved"


def find_explanation(job: Job, portion: Portion, *, seconds: float) -> Explanation | None:
    """Return the explanation of one row; None if there is none, or none within some seconds.

    What the job did not keep is made by a worker, and kept then.
    """
    ((row, board),) = portion.with_boards()
    if board is None or not can_be_explained(portion):
        return None
    givens = board.read(row.puzzle)
    stored = portion.result.explanations.get(portion.places[0])
    if stored is None:
        service = current.service()
        deadline = time.monotonic() + seconds
        stored = service.explained.explanation(job.id, row.n)
        if stored is None and service.explained.claim(job.id, row.n):
            service.dispatcher.explain(job.id, row.n)
        while stored is None and time.monotonic() < deadline:
            time.sleep(_LOOK_SECONDS)
            stored = service.explained.explanation(job.id, row.n)
    return None if stored is None or givens is None else stored.read(board, givens)
