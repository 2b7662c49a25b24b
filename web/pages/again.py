"""Run the puzzles of a job again as a new job, with the forms on its page."""

from collections.abc import Mapping

from flask import Blueprint, redirect, request, url_for
from msgspec.structs import asdict
from werkzeug.wrappers import Response

from web.access import authentication
from web.access.job_owner import remember
from web.http import request_context
from web.http.errors import Problem, raise_if_rejected
from web.pages.again_presets import only_duplicates
from web.pages.job_title import title_of
from web.results.duplicates import MAX_PUZZLES
from web.results.formats import MAX_NUMBERS
from web.results.number_list import write_numbers
from web.results.query import parse_result_query, read_number
from web.uploads.accept import service_url
from web.uploads.run_again import FILTERS, RunAgain
from worker.ingest.new_job import MAX_NAME_LENGTH
from worker.job import Job
from worker.option_texts import READING_OPTIONS
from worker.options import OPTIONS

# The options that can change when a job runs again.
AGAIN_OPTIONS = [option for option in OPTIONS.values() if option.name not in READING_OPTIONS]

# What a new job adds to its name, by the option that it has in addition to the first job's.
_PURPOSES = {
    "rate": "rated",
    "explain": "explained",
    "minimal": "tested for redundancy",
    "true_candidates": "true candidates",
}


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.post("/jobs/<job_id>/again")(run_again)
    pages.post("/jobs/<job_id>/duplicates")(look_for_duplicates)


def run_again(job_id: str) -> Response:
    """Run puzzles of a job again with the options in the form, and redirect to the new job.

    These are the puzzles whose results pass the form's filters. Raises Problem if the new job is
    rejected.
    """
    # An unchecked box isn't sent, so without a value here, the first job's option would apply.
    fields: dict[str, object] = {
        option.name: request.form.get(option.name, "false" if option.is_flag else "")
        for option in AGAIN_OPTIONS
    }
    new_id = _create(request_context.find_job(job_id), fields)
    return redirect(url_for("pages.job", job_id=new_id), 303)


def look_for_duplicates(job_id: str) -> Response:
    """Compare puzzles of a job in a new job, and redirect to the page with its duplicates.

    The form's filters select the puzzles. If the whole job has too many puzzles for a page with
    duplicates, redirects to the page of the new job. If the job already compared its puzzles,
    creates no new one, ignores the filters, and redirects to the job's own duplicates. Raises
    Problem if the new job is rejected.
    """
    source = request_context.find_job(job_id)
    if source.options.minlex:
        return redirect(url_for("pages.duplicates", job_id=job_id), 303)
    options = asdict(only_duplicates(source.options))
    new_id = _create(source, {option.name: options[option.name] for option in AGAIN_OPTIONS})
    page = "pages.duplicates" if source.total <= MAX_PUZZLES else "pages.job"
    return redirect(url_for(page, job_id=new_id), 303)


def _create(source: Job, options: Mapping[str, object]) -> str:
    """Create a job from the puzzles that the form selects, and return its id.

    Adds the job to the client's list. Raises Problem if it is rejected.
    """
    fields = dict(options) | {"name": _name_again(source, options)}
    made = RunAgain(source.id, _where(source), fields).make_job(
        authentication.service(),
        client=authentication.client(),
        service_url=service_url(request),
    )
    new_id = raise_if_rejected(made)
    remember(new_id)
    return new_id


def _name_again(source: Job, options: Mapping[str, object]) -> str:
    """Return the name of a job that runs puzzles of `source` again, such as "weekly.txt, rated".

    `options` contains those of the new job. A search for duplicates is named "Duplicates in" and
    the title of `source`. Any other job gets no name if `source` has none.
    """
    if options["minlex"] in (True, "true") and not source.options.minlex:
        return f"Duplicates in {title_of(source)}"[:MAX_NAME_LENGTH]
    if not source.name:
        return ""
    end = f", {_purpose(source, options)}"
    return f"{source.name.removesuffix(end)[: MAX_NAME_LENGTH - len(end)]}{end}"


def _purpose(source: Job, options: Mapping[str, object]) -> str:
    for name, purpose in _PURPOSES.items():
        if options[name] in (True, "true") and not getattr(source.options, name):
            return purpose
    if source.options.limit == 1 and str(options["limit"]) != "1":
        return "checked for uniqueness"
    return "again"


def _where(job: Job) -> dict[str, str]:
    """Return the filter of results in the form, by the names of the API.

    If the form also has a `count` N, the first N results are selected in the order `sort`, and the
    only filter returned is `numbers`, which lists their numbers. Raises Problem if N is invalid or
    too large for that.
    """
    where = {name: request.form[name] for name in FILTERS if request.form.get(name)}
    count = request.form.get("count", "")
    if not count:
        return where
    if (read_number(request.form, "count") or 0) > MAX_NUMBERS:
        detail = f"{count} puzzles are selected; the limit for one new job is {MAX_NUMBERS:,}"
        raise Problem(422, detail)
    query = where | {"count": count, "sort": request.form.get("sort", "")}
    pages = parse_result_query(query, job).pages(job, must_be_complete=False, listed=False)
    return {"numbers": write_numbers(row.n for page in pages for row in page.rows)}


def source_title(job: Job) -> str:
    """Return the title of the job from which `job` got its puzzles, to run them again.

    Returns "another job" if that one is gone, or if `job` was uploaded.
    """
    source = request_context.service().jobs.get(job.source.job) if job.source else None
    return title_of(source) if source else "another job"
