"""The page of a job and its results."""

from collections.abc import Iterable, Mapping

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from solver.board.layout import Layout
from solver.preparing import LABELS, Code
from web.access import authentication
from web.access.job_owner import remember
from web.boards.drawing import Drawing
from web.http import request_context, webhooks
from web.http.errors import taken
from web.pages.again_presets import Preset, presets_for
from web.pages.board_drawing import draw_result, is_small
from web.pages.charts import CHART, rating_chart, shares, step_chart, technique_bars, time_curve
from web.pages.compiling import compiling_worker
from web.pages.outcome_meanings import MEANINGS, meanings
from web.pages.rating_bands import bands_of
from web.results.formats import missing_package
from web.results.query import ResultQuery, parse_result_query
from web.results.rows import Row
from web.results.writers import WRITERS
from web.uploads.accept import service_url
from web.uploads.run_again import FILTERS, RunAgain
from worker.boards import StoredBoard
from worker.job import Job, JobOptions
from worker.option_texts import READING_OPTIONS
from worker.options import OPTIONS
from worker.store.live_workers import WorkerInfo

PER_PAGE = 50
_TEST_SECONDS = 15.0
_HIGHEST_OFFSET = 10**15 - 1
_CLASSIC = Layout.boxed(3, 3)
# The options that can change when a job runs again.
_AGAIN_OPTIONS = [option for option in OPTIONS.values() if option.name not in READING_OPTIONS]


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.get("/jobs/<job_id>")(job)
    pages.post("/jobs/<job_id>/again")(run_again)
    pages.post("/jobs/<job_id>/cancel")(cancel)
    pages.post("/jobs/<job_id>/delete")(delete)
    pages.post("/jobs/<job_id>/webhook/test")(test_webhook)
    pages.post("/jobs/<job_id>/webhook/redeliver")(redeliver_webhook)


def job(job_id: str) -> str | Response:
    """Show a job with one page of its results.

    The parameter `n`, the number of a puzzle, redirects to the page of results that contains it.
    """
    current_job = request_context.find_job(job_id)
    number = request.args.get("n", 0, type=int)
    if 1 <= number <= current_job.total:
        offset = (number - 1) // PER_PAGE * PER_PAGE
        address = url_for("pages.job", job_id=job_id, offset=offset, _anchor=f"n{number}")
        return redirect(address, 303)
    query = request.args.to_dict()
    if query.get("outcome") not in MEANINGS:
        query.pop("outcome", None)
    query["offset"] = str(min(max(request.args.get("offset", 0, type=int), 0), _HIGHEST_OFFSET))
    query["count"] = str(PER_PAGE)
    result_query = parse_result_query(query, current_job)
    matching = result_query.matching(current_job)
    rows = _rows(current_job, result_query) if result_query.offset < matching else []
    drawings = [_small_drawing(row, board) for row, board in rows]
    tally, final = request_context.service().statistics, current_job.state.final
    compiling = None if final or current_job.done else compiling_worker()
    return render_template(
        "job.html",
        job=current_job,
        meanings=meanings(current_job),
        outcome=query.get("outcome", ""),
        rating=query.get("rating", ""),
        sort=query.get("sort", ""),
        offset=result_query.offset,
        per_page=PER_PAGE,
        matching=matching,
        bands=bands_of(current_job.ratings),
        shares=shares(current_job.outcomes),
        rating_chart=rating_chart(current_job.ratings),
        technique_bars=technique_bars(current_job.techniques),
        chart_width=CHART,
        step_chart=step_chart(tally.steps(job_id).values()) if final else None,
        time_curve=time_curve(tally.times(job_id)) if final else None,
        rows=[(row, drawing) for (row, _), drawing in zip(rows, drawings, strict=True)],
        has_solutions=any(drawing and drawing.count("found") for drawing in drawings),
        writers={name: each for name, each in WRITERS.items() if not missing_package(name)},
        compiling=compiling,
        awaited_code=_awaited_code(current_job.options, compiling) if compiling else [],
        pictures=request_context.service().images.count(job_id),
        settings=request_context.service().settings,
        again_options=_AGAIN_OPTIONS,
        presets=_presets(current_job, query, boards=[board for _, board in rows]) if final else [],
    )


def _presets(
    job: Job, query: Mapping[str, str], *, boards: Iterable[StoredBoard | None]
) -> list[Preset]:
    """Return the presets for the puzzles that the page shows, which have these boards."""
    if query.get("rating"):
        return []
    has_classic = any(board and board.layout is _CLASSIC for board in boards)
    presets = presets_for(job, request_context.service().settings, has_classic=has_classic)
    shown = query.get("outcome")
    return [preset for preset in presets if shown in (None, preset.outcome)]


def _awaited_code(options: JobOptions, worker: WorkerInfo) -> list[str]:
    """Return the labels of the code that every puzzle of a job needs and the worker lacks.

    Puzzles may need further code, depending on their boards.
    """
    needed = {
        Code.CLASSIC: True,
        Code.MINLEX: options.minlex,
        Code.LOGIC: options.asks_logic,
    }
    return [LABELS[code] for code in needed if needed[code] and code.name in worker.missing]


def _rows(job: Job, result_query: ResultQuery) -> list[tuple[Row, StoredBoard | None]]:
    # Listed solutions are shown only on a puzzle's own page: here they could take a gigabyte.
    result_pages = result_query.pages(job, must_be_complete=False, listed=False)
    return [row_with_board for page in result_pages for row_with_board in page.with_boards()]


def _small_drawing(row: Row, board: StoredBoard | None) -> Drawing | None:
    if board is None or not is_small(board):
        return None
    return draw_result(board, row.puzzle, row.solution, row.detail, row.regions)


def run_again(job_id: str) -> Response:
    """Run puzzles of a job again with the options in the form, and redirect to the new job."""
    # An unchecked box isn't sent, so without a value here, the first job's option would apply.
    fields: dict[str, object] = {
        option.name: request.form.get(option.name, "false" if option.is_flag else "")
        for option in _AGAIN_OPTIONS
    }
    where = {name: request.form[name] for name in FILTERS if request.form.get(name)}
    made = RunAgain(job_id, where, fields).make_job(
        authentication.service(),
        client=authentication.client(),
        service_url=service_url(request),
    )
    new_id = taken(made)
    remember(new_id)
    return redirect(url_for("pages.job", job_id=new_id), 303)


def cancel(job_id: str) -> Response:
    """Cancel a job, and redirect to its page."""
    request_context.find_job(job_id)
    request_context.service().jobs.cancel(job_id)
    return redirect(url_for("pages.job", job_id=job_id), 303)


def delete(job_id: str) -> Response:
    """Delete a job, and redirect to the upload page."""
    request_context.find_job(job_id)
    request_context.service().jobs.delete(job_id)
    return redirect(url_for("pages.index", deleted=1), 303)


def test_webhook(job_id: str) -> Response:
    """Send a job to its webhook as a test, and redirect to its page, which shows the outcome."""
    webhooks.send_test(job_id, seconds=_TEST_SECONDS)
    return _to_webhook(job_id)


def redeliver_webhook(job_id: str) -> Response:
    """Send the notification of a job again, and redirect to its page."""
    webhooks.redeliver(job_id)
    return _to_webhook(job_id)


def _to_webhook(job_id: str) -> Response:
    return redirect(url_for("pages.job", job_id=job_id, _anchor="webhook"), 303)
