"""The page of a job and its results, and the forms on it: cancel, rename, delete, webhook."""

from collections.abc import Iterable

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from solver.board.layout import Layout
from solver.preparing import LABELS, Code
from web.api import webhooks
from web.http import request_context
from web.pages.again import AGAIN_OPTIONS, source_title
from web.pages.again_presets import Preset, presets_for
from web.pages.charts import guess_bars, rating_chart, shares, technique_bars, time_curve
from web.pages.compiling import compiling_worker
from web.pages.format_titles import TITLES
from web.pages.outcome_meanings import labels, meanings
from web.pages.result_list import PER_PAGE, Item, list_variables
from web.pages.selection import Selection, describe_filters, read_selection
from web.report.words import describe
from worker.ingest.new_job import MAX_NAME_LENGTH
from worker.job import Job, JobOptions, JobState
from worker.store.live_workers import WorkerInfo

_TEST_SECONDS = 15.0
_HIGHEST_OFFSET = 10**15 - 1
_CLASSIC = Layout.boxed(3, 3)


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.get("/jobs/<job_id>")(job)
    pages.post("/jobs/<job_id>/cancel")(cancel)
    pages.post("/jobs/<job_id>/delete")(delete)
    pages.post("/jobs/<job_id>/rename")(rename)
    pages.post("/jobs/<job_id>/webhook/test")(test_webhook)
    pages.post("/jobs/<job_id>/webhook/redeliver")(redeliver_webhook)


def job(job_id: str) -> str | Response:
    """Show a job with one page of its results.

    The parameter `n`, the number of a puzzle, redirects to the page of results that contains it.
    Without parameters, a finished job with one puzzle and no webhook redirects to the page of this
    puzzle.
    """
    current_job = request_context.find_job(job_id)
    has_one = current_job.total == 1
    is_shown = bool(request.args) or current_job.webhook is not None
    if has_one and current_job.state is JobState.FINISHED and not is_shown:
        return redirect(url_for("pages.puzzle", job_id=job_id, number=1), 303)
    number = request.args.get("n", 0, type=int)
    if 1 <= number <= current_job.total and not has_one:
        selection = Selection(job_id, view=read_selection(job_id, request.args).view)
        offset = (number - 1) // PER_PAGE * PER_PAGE
        return redirect(selection.url(offset, anchor=f"n{number}"), 303)
    selection = read_selection(job_id, request.args)
    offset = min(max(request.args.get("offset", 0, type=int), 0), _HIGHEST_OFFSET)
    shown = list_variables(current_job, selection, offset=offset)
    tally, final = request_context.service().statistics, current_job.state.final
    compiling = None if final or current_job.done else compiling_worker()
    return render_template(
        "job/page.html",
        job=current_job,
        final=final,
        meanings=meanings(current_job),
        labels=labels(current_job),
        format_titles=TITLES,
        shown_filter=describe_filters(selection.filters, labels(current_job)),
        describe_finding=describe,
        source_title=source_title(current_job),
        source_filter=_source_filter(current_job),
        shares=shares(current_job.outcomes),
        rating_chart=rating_chart(current_job.ratings),
        technique_bars=technique_bars(current_job.techniques),
        guess_bars=guess_bars(tally.steps(job_id).values()) if final else [],
        time_curve=time_curve(tally.times(job_id)) if final else None,
        compiling=compiling,
        unattended=not final and not request_context.service().registry.workers(),
        awaited_code=_awaited_code(current_job.options, compiling) if compiling else [],
        max_name=MAX_NAME_LENGTH,
        pictures=request_context.service().images.count(job_id),
        settings=request_context.service().settings,
        again_options=AGAIN_OPTIONS,
        presets=_presets(current_job, selection, shown["items"]) if final else [],
        **shown,
    )


def _source_filter(job: Job) -> str:
    return describe_filters(job.source.where, labels(job)) if job.source else ""


def _presets(job: Job, selection: Selection, items: Iterable[Item]) -> list[Preset]:
    """Return a job's presets that suit the selected outcome.

    `items` are the results on the page, which show whether there are classic puzzles.
    """
    has_classic = any(item.board and item.board.layout is _CLASSIC for item in items)
    presets = presets_for(job, request_context.service().settings, has_classic=has_classic)
    return [
        preset
        for preset in presets
        if preset.outcome == "" or selection.outcome in ("", preset.outcome)
    ]


def _awaited_code(options: JobOptions, worker: WorkerInfo) -> list[str]:
    """Return labels of the code that every puzzle of a job needs and a worker hasn't compiled yet.

    Puzzles may need further code, depending on their boards.
    """
    needed = {
        Code.CLASSIC: True,
        Code.MINLEX: options.minlex,
        Code.LOGIC: options.needs_logic,
    }
    return [LABELS[code] for code in needed if needed[code] and code.name in worker.missing]


def cancel(job_id: str) -> Response:
    """Cancel a job, and redirect to its page."""
    request_context.find_job(job_id)
    request_context.service().jobs.cancel(job_id)
    return redirect(url_for("pages.job", job_id=job_id), 303)


def rename(job_id: str) -> Response:
    """Rename a job, and redirect to its page, or to the list of jobs if the form asks for it.

    White space in the name is reduced to single spaces, and a long name is cut.
    """
    request_context.find_job(job_id)
    name = " ".join(request.form.get("name", "").split())[:MAX_NAME_LENGTH]
    request_context.service().jobs.rename(job_id, name)
    if request.form.get("back") == "list":
        return redirect(url_for("pages.my_jobs"), 303)
    return redirect(url_for("pages.job", job_id=job_id), 303)


def delete(job_id: str) -> Response:
    """Delete a job, and redirect to the upload page.

    The form can ask for the list of jobs instead.
    """
    request_context.find_job(job_id)
    request_context.service().jobs.delete(job_id)
    if request.form.get("back") == "list":
        return redirect(url_for("pages.my_jobs", deleted=1), 303)
    return redirect(url_for("pages.index", deleted=1), 303)


def test_webhook(job_id: str) -> Response:
    """Send a job to its webhook as a test, and redirect to its page, which shows the outcome.

    Waits up to `_TEST_SECONDS` for the outcome. Raises Problem if the job has no webhook.
    """
    webhooks.send_test(job_id, seconds=_TEST_SECONDS)
    return _to_webhook(job_id)


def redeliver_webhook(job_id: str) -> Response:
    """Send the notification of a job again, and redirect to its page.

    Raises Problem if the job has no webhook or hasn't ended.
    """
    webhooks.redeliver(job_id)
    return _to_webhook(job_id)


def _to_webhook(job_id: str) -> Response:
    return redirect(url_for("pages.job", job_id=job_id, _anchor="webhook"), 303)
