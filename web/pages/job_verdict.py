"""Put the result of a job's only puzzle into words, for the list of jobs."""

from threading import Lock

from web.api.puzzle_json import find_row
from web.http import request_context
from web.pages.outcome_meanings import labels
from web.pages.puzzle_summary import describe_solutions
from web.results.rows import RatedRow, Row
from web.results.writers import ResultPage, stored_explanation
from worker.job import Job

# Reading 50 explanations for a page of jobs takes about 150 ms.
_MAX_REMEMBERED = 500
_remembered: dict[str, str] = {}  # verdicts by job id, oldest first
_lock = Lock()


def verdict_in_words(job: Job) -> str:
    """Return the result of a job's only puzzle, such as "One solution, easy".

    Returns "" for other jobs, and while the puzzle isn't done. The difficulty is known if the
    puzzle was rated or explained. Then the verdict can't change, so the last 500 are cached.
    """
    if job.total != 1 or job.done != 1:
        return ""
    if known := _remembered.get(job.id):
        return known
    page = find_row(job, 1)
    ((row, _),) = page.with_boards()
    solutions = describe_solutions(row, all_counted=row.solutions < job.options.limit)
    if row.outcome != "solved":
        return solutions or labels(job)[row.outcome]
    difficulty = _difficulty(job, page, row)
    if not difficulty:
        return solutions
    verdict = f"{solutions}, {difficulty}"
    with _lock:
        while len(_remembered) >= _MAX_REMEMBERED:
            del _remembered[next(iter(_remembered))]
        _remembered[job.id] = verdict
    return verdict


def _difficulty(job: Job, page: ResultPage, row: Row) -> str:
    """Return the difficulty word of a page's only row, or "" if it isn't known.

    It comes from the row's rating, or else from a stored explanation. None is requested.
    """
    if isinstance(row, RatedRow) and (row.difficulty or row.sudokuq_difficulty):
        return row.difficulty or row.sudokuq_difficulty or ""
    explanation = stored_explanation(page)
    if explanation is None:
        stored = request_context.service().explanations.explanation(job.id, row.n)
        ((_, board),) = page.with_boards()
        givens = None if board is None else board.read(row.puzzle)
        if stored is None or board is None or givens is None:
            return ""
        explanation = stored.read(board, givens)
    if explanation.difficulty is not None:
        return explanation.difficulty.word
    own = explanation.own_rating
    return "" if own is None else own.word
