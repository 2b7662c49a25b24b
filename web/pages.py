"""The pages: upload, a job while it runs and afterwards, one result.

They work without JavaScript; with it, uploads show their progress and jobs their own.
"""

import re
from datetime import UTC, datetime

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from solver.formats import FORMATS
from web import current
from web.access import client
from web.boards.drawing import Drawing, draw
from web.boards.svg import make_picture
from web.errors import Problem, taken
from web.explained import explained
from web.explanations import can_be_explained, find_explanation
from web.puzzle_json import find_row
from web.rating_bands import bands_of
from web.results import WRITERS, Row
from web.selection import Selection, read_selection
from web.uploads.accept import accept
from web.uploads.typed import Typed
from worker.boards import StoredBoard
from worker.job import Job
from worker.options import OPTIONS

pages = Blueprint("pages", __name__)

PER_PAGE = 50
# Larger boards are drawn on their own page only: fifty of them would be too much for a browser.
LARGEST_SMALL_BOARD = 25
_HIGHEST_OFFSET = 10**15 - 1
_EXPLAIN_SECONDS = 2.0

_CELL_NAME = re.compile(r"\br\d+c\d+\b")

_MEANINGS = {
    "solved": "has exactly one solution",
    "multiple": "has more than one solution",
    "unsolvable": "has no solution: everything was tried",
    "step_limit": "not decided within the steps allowed",
    "invalid": "no puzzle, or its givens break a rule",
    "failed": "workers failed on it three times",
}
_ONE_ASKED_FOR = {"solved": "has a solution; whether it is the only one was not asked"}


@pages.get("/")
def index() -> str:
    """Show the upload page; `?example=FORMAT` fills in the example of a format."""
    wanted = request.args.get("example")
    examples = {format_.name: format_.example for format_ in FORMATS}
    return _upload_page({"text": examples.get(wanted, "")} if wanted else {})


@pages.post("/jobs")
def create_job() -> Response | tuple[str, int]:
    """Take an upload and go to its page; come back with the message if it is refused."""
    typed = Typed(request)
    try:
        job_id = taken(accept(request, current.service(), client=client()))
    except Problem as problem:
        return _upload_page(typed.fields(), problem), problem.status
    return redirect(url_for("pages.job", job_id=job_id), 303)


def _upload_page(typed: dict[str, str], problem: Problem | None = None) -> str:
    settings = current.service().settings
    return render_template(
        "index.html",
        formats=FORMATS,
        problem=problem,
        settings=settings,
        typed=typed,
        options=OPTIONS.values(),
    )


@pages.get("/jobs/<job_id>")
def job(job_id: str) -> str | Response:
    """Show a job with a page of its results; `?n=` goes to the page of that puzzle."""
    current_job = current.find_job(job_id)
    number = request.args.get("n", 0, type=int)
    if 1 <= number <= current_job.total:
        offset = (number - 1) // PER_PAGE * PER_PAGE
        address = url_for("pages.job", job_id=job_id, offset=offset, _anchor=f"n{number}")
        return redirect(address, 303)
    query = request.args.to_dict()
    if query.get("outcome") not in _MEANINGS:
        query.pop("outcome", None)
    query["offset"] = str(min(max(request.args.get("offset", 0, type=int), 0), _HIGHEST_OFFSET))
    query["count"] = str(PER_PAGE)
    selection = read_selection(query, current_job)
    matching = selection.matching(current_job)
    rows = _rows(current_job, selection) if selection.offset < matching else []
    return render_template(
        "job.html",
        job=current_job,
        meanings=_meanings(current_job),
        outcome=query.get("outcome", ""),
        rating=query.get("rating", ""),
        sort=query.get("sort", ""),
        offset=selection.offset,
        per_page=PER_PAGE,
        matching=matching,
        bands=bands_of(current_job.ratings),
        rows=[(row, _small_drawing(row, board)) for row, board in rows],
        writers=WRITERS,
        pictures=current.service().store.count_pictures(job_id),
    )


def _meanings(job: Job) -> dict[str, str]:
    return _MEANINGS | _ONE_ASKED_FOR if job.options.limit == 1 else _MEANINGS


def _rows(job: Job, selection: Selection) -> list[tuple[Row, StoredBoard | None]]:
    # Listed solutions are for a puzzle's own page: here they could take a gigabyte.
    portions = selection.portions(job, must_be_complete=False, listed=False)
    return [row_with_board for portion in portions for row_with_board in portion.with_boards()]


def _is_small(board: StoredBoard) -> bool:
    return max(board.layout.rows, board.layout.columns) <= LARGEST_SMALL_BOARD


def _small_drawing(row: Row, board: StoredBoard | None) -> Drawing | None:
    if board is None or not _is_small(board):
        return None
    return _drawing(board, row.puzzle, row.solution, row.detail)


def _drawing(
    board: StoredBoard, puzzle: str, solution: str | None, detail: str | None = None
) -> Drawing | None:
    givens = board.read(puzzle)
    if givens is None:
        return None
    wrong = frozenset(_CELL_NAME.findall(detail or ""))
    solved = board.read(solution) if solution else None
    return draw(board.layout, board.symbols, givens, solved, wrong=wrong)


@pages.get("/jobs/<job_id>/puzzles/<int:number>")
def puzzle(job_id: str, number: int) -> str:
    """Show one result."""
    current_job = current.find_job(job_id)
    portion = find_row(current_job, number)
    ((row, board),) = portion.with_boards()
    solutions = portion.result.listed.get(portion.places[0], [])
    explanation = find_explanation(current_job, portion, seconds=_EXPLAIN_SECONDS)
    drawing, listed = None, []
    if board is not None:
        drawing = _drawing(board, row.puzzle, row.solution, row.detail)
    if board is not None and drawing is not None and _is_small(board):
        listed = [_drawing(board, row.puzzle, text) for text in solutions[:PER_PAGE]]
    return render_template(
        "puzzle.html",
        job=current_job,
        row=row,
        drawing=drawing,
        listed=listed,
        meaning=_meanings(current_job)[row.outcome],
        explained=None if explanation is None else explained(explanation),
        awaited=explanation is None and can_be_explained(portion),
        pictures=current.service().store.count_pictures(job_id),
    )


@pages.post("/jobs/<job_id>/cancel")
def cancel(job_id: str) -> Response:
    """Cancel a job and go back to its page."""
    current.find_job(job_id)
    current.service().store.cancel(job_id)
    return redirect(url_for("pages.job", job_id=job_id), 303)


@pages.post("/jobs/<job_id>/delete")
def delete(job_id: str) -> Response:
    """Delete a job and go to the upload page."""
    current.find_job(job_id)
    current.service().store.delete(job_id)
    return redirect(url_for("pages.index", deleted=1), 303)


pages.app_template_filter("picture")(make_picture)


@pages.app_template_filter("outcome")
def show_outcome(label: str) -> str:
    """Write an outcome as people read it: `step_limit` as step limit."""
    return label.replace("_", " ")


@pages.app_template_filter("thousands")
def show_number(number: float) -> str:
    """Write a number with commas, without decimals from 10 on."""
    return f"{number:,.0f}" if number >= 10 or number == int(number) else f"{number:.1f}"


@pages.app_template_filter("bytes")
def show_bytes(number: int) -> str:
    """Write a number of bytes in its largest whole unit."""
    for power, unit in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if number >= 1 << power and number % (1 << power) == 0:
            return f"{number >> power} {unit}"
    return f"{number:,} bytes"


@pages.app_template_filter("duration")
def show_duration(seconds: float) -> str:
    """Write a time span in its two largest units: 2 d 3 h, 5 min 20 s, 0.4 s."""
    if seconds < 0.1:
        return "under 0.1 s"
    if seconds < 10:
        return f"{seconds:.1f} s"
    left = round(seconds)
    parts = []
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)):
        if left >= length:
            parts.append(f"{left // length} {unit}")
            left %= length
        elif parts:
            break
    return " ".join(parts[:2])


@pages.app_template_filter("moment")
def show_moment(seconds: float) -> str:
    """Write a time to the minute, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
