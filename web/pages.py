"""The pages: upload, a job while it runs and afterwards, one result."""

from datetime import UTC, datetime

from flask import Blueprint, Response, redirect, render_template, request, url_for

from solver.formats import FORMATS
from solver.result import Outcome
from web import views
from web.api import puzzle_json
from web.drawing import Drawing, draw
from web.errors import Problem
from web.results import WRITERS, Row, select
from web.uploads import accept
from worker.jobs import Job

pages = Blueprint("pages", __name__)

PER_PAGE = 20


@pages.get("/")
def index() -> str:
    """Show the upload page."""
    return _upload_page(None)


@pages.post("/jobs")
def create_job() -> Response | tuple[str, int]:
    """Take an upload and go to its page; come back with the message if it is refused."""
    try:
        views.check_key()
        job_id = accept(request, views.service(), client=views.client())
    except Problem as problem:
        return _upload_page(problem), problem.status
    return redirect(url_for("pages.job", job_id=job_id), 303)  # type: ignore[return-value]


def _upload_page(problem: Problem | None) -> str:
    settings = views.service().settings
    return render_template("index.html", formats=FORMATS, problem=problem, settings=settings)


@pages.get("/jobs/<job_id>")
def job(job_id: str) -> str:
    """Show a job with a page of its results."""
    found = views.find_job(job_id)
    outcome = request.args.get("outcome", "")
    if outcome not in {o.label for o in Outcome}:
        outcome = ""
    offset = max(request.args.get("offset", 0, type=int), 0)
    rows = _rows(found, outcome, offset)
    matching = found.outcomes[outcome] if outcome else found.total
    return render_template(
        "job.html",
        job=found,
        final=found.state.final,
        outcome=outcome,
        outcomes=list(Outcome),
        offset=offset,
        per_page=PER_PAGE,
        matching=matching,
        rows=[(row, _drawing(found, row)) for row in rows],
        writers=WRITERS,
        expires=datetime.fromtimestamp(found.expires_at, UTC).strftime("%d %B %Y, %H:%M UTC"),
    )


def _rows(job: Job, outcome: str, offset: int) -> list[Row]:
    store, limit = views.service().store, job.options.limit
    if outcome:
        parts = store.results(job.id)
        chosen = frozenset([outcome])
        found = select(parts, limit=limit, outcomes=chosen, offset=offset, count=PER_PAGE)
    else:
        found = select(store.results(job.id, offset=offset, count=PER_PAGE), limit=limit)
    return [row for part in found for row in part]


def _drawing(job: Job, row: Row) -> Drawing | None:
    if row.outcome == "invalid" and len(row.puzzle) < 16:
        return None
    return draw(row.puzzle, row.solution, options=job.options)


@pages.get("/jobs/<job_id>/puzzles/<int:number>")
def puzzle(job_id: str, number: int) -> str:
    """Show one result."""
    found = views.find_job(job_id)
    result = puzzle_json(found, number)
    drawing = draw(result["puzzle"], result["solution"], options=found.options)
    return render_template("puzzle.html", job=found, result=result, drawing=drawing)


@pages.post("/jobs/<job_id>/cancel")
def cancel(job_id: str) -> Response:
    """Cancel a job and go back to its page."""
    views.find_job(job_id)
    views.service().store.cancel(job_id)
    return redirect(url_for("pages.job", job_id=job_id), 303)  # type: ignore[return-value]


@pages.post("/jobs/<job_id>/delete")
def delete(job_id: str) -> Response:
    """Delete a job and go to the upload page."""
    views.find_job(job_id)
    views.service().store.delete(job_id)
    return redirect(url_for("pages.index"), 303)  # type: ignore[return-value]
