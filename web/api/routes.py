"""The endpoints of the HTTP API, version 1."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, jsonify, request, url_for

from solver.board.closest import unknown
from solver.board.display import shown
from solver.formats import FORMATS
from solver.formats.reading.own_columns import own_names
from solver.formats.schema import puzzle_schema
from solver.rules.registry import RULES
from solver.rules.rule import Rule
from solver.rules.variants import VARIANTS, Variant
from web.access import authentication
from web.access.job_owner import remember
from web.api.events import watch
from web.api.job_filter import read_job_filter
from web.api.job_json import etag, job_json, moment, results_etag
from web.api.job_list import MAX_LISTED, USUALLY_LISTED, list_jobs
from web.api.limits_json import limits_json
from web.api.preview_json import look_json
from web.api.puzzle_json import find_row, puzzle_json
from web.api.techniques_json import techniques_json
from web.explanations.service import can_be_explained, find_explanation
from web.http import request_context
from web.http.errors import Problem, taken
from web.results.csv_table import BOM
from web.results.downloads import download
from web.results.formats import missing_package
from web.results.query import ResultQuery, parse_result_query, read_number
from web.results.writers import WRITERS, stored_explanation
from web.results.xlsx import MAX_ROWS
from web.schemas import responses
from web.uploads.accept import accept, make_job, read_beginning, read_single
from web.uploads.fields import joined
from web.uploads.preview import look_at
from worker.job import Job
from worker.job_details import is_metadata
from worker.service import Service
from worker.store.schema import StoredByNewer

api = Blueprint("api", __name__, url_prefix="/api/v1")

_POLL_SECONDS = 1
_EXPLAIN_SECONDS = 5.0
_RESULT_PARAMETERS = ("format", "outcome", "rating", "sort", "offset", "count", "partial", "bom")
# Maximum number of jobs whose speeds are added up for the throughput.
_MAX_JOBS_MEASURED = 100


@api.route("/jobs", methods=["POST", "PUT"])
@api.route("/jobs/<name>", methods=["PUT"], endpoint="put_named_job")
def create_job(name: str = "") -> Response:
    """Create a job from an upload, and return the job.

    `name` is the file name that `curl -T` appends to the path.
    """
    job_id = taken(
        accept(request, authentication.service(), client=authentication.client(), name=name)
    )
    remember(job_id)
    return _accepted(request_context.find_job(job_id))


@api.get("/jobs")
def show_jobs() -> Response:
    """Return the client's own jobs that the filter in the query selects, newest first."""
    pairs = filter(is_metadata, request.args)
    request_context.check_parameters("cursor", "count", "state", "name", "metadata", *pairs)
    job_filter = read_job_filter()
    count = read_number(request.args, "count")
    count = min(max(USUALLY_LISTED if count is None else count, 1), MAX_LISTED)
    page = list_jobs(job_filter, cursor=request.args.get("cursor"), count=count)
    response = jsonify(responses.Jobs([job_json(job) for job in page.jobs], page.cursor))
    if page.cursor is not None:
        query: dict[str, Any] = {**job_filter.query(), "count": count, "cursor": page.cursor}
        following = url_for("api.show_jobs", _external=True, **query)
        response.headers["Link"] = f'<{following}>; rel="next"'
    return response


def _accepted(job: Job) -> Response:
    response = jsonify(job_json(job))
    response.status_code = 202
    response.headers["Location"] = url_for("api.show_job", job_id=job.id)
    response.headers["Retry-After"] = str(_POLL_SECONDS)
    return response


@api.get("/jobs/<job_id>")
def show_job(job_id: str) -> Response:
    """Return a job, either immediately or when it changes, after at most `wait` seconds.

    The status is 304 if the job still has the ETag in If-None-Match. If the job already has another
    ETag at first, the response is immediate.
    """
    job = request_context.find_job(job_id)
    request_context.check_job_match(etag(job))
    seconds = request_context.seconds_to_wait()
    known = request.if_none_match
    if not known or known.contains_weak(etag(job)):
        job = request_context.wait_for_change(job, seconds)
    is_known = known.contains_weak(etag(job))
    response = Response(status=304) if is_known else jsonify(job_json(job))
    # A weak ETag, because speed and remaining time may differ although the job hasn't changed.
    response.set_etag(etag(job), weak=True)
    response.headers["Cache-Control"] = "no-cache"
    return response


@api.get("/jobs/<job_id>/events")
def watch_job(job_id: str) -> Response:
    """Stream a job's state as Server-Sent Events whenever it changes."""
    return watch(request_context.find_job(job_id))


@api.get("/jobs/<job_id>/results")
def show_results(job_id: str) -> Response:
    """Stream a job's results in the requested format and order, filtered as requested.

    The status is 409 if the job is unfinished, unless the query contains `partial=1`.
    """
    job = request_context.find_job(job_id)
    request_context.check_parameters(*_RESULT_PARAMETERS)
    if not job.state.final and request.args.get("partial") not in ("1", "true"):
        detail = f"the job is {job.state}; try again when it is finished, or use partial=1"
        raise Problem(409, detail, retry_after=_POLL_SECONDS, kind="job-not-finished")
    query = joined(request.args.items(multi=True))
    name = query.get("format", "jsonl")
    if name not in WRITERS:
        raise Problem(422, unknown("format", name, WRITERS), field="format")
    missing = missing_package(name)
    if missing is not None:
        raise Problem(422, f"on this server, {missing}", field="format")
    result_query = parse_result_query(query, job)
    tag = results_etag(job, request.query_string) if job.state.final else None
    request_context.check_match(tag)
    if tag is not None and request.if_none_match.contains_weak(tag):
        return Response(status=304, headers={"ETag": f'W/"{tag}"'})
    if name == "xlsx":
        _check_fits(result_query.selected(job))
    writer, own = WRITERS[name], own_names(job.context)
    mark = _byte_order_mark(query, format_=name)

    def write() -> Iterator[bytes]:
        return chain(mark, writer.write(result_query.pages(job), job.options, own))

    response = download(write, tag=tag)
    response.content_type = writer.media_type
    following = _following(result_query, job, query)
    if following is not None:
        response.headers["Link"] = f'<{following}>; rel="next"'
    response.headers["Content-Disposition"] = f'attachment; filename="{_stem(job)}.{name}"'
    return response


def _check_fits(selected: int) -> None:
    """Raise Problem if there are more results than an Excel sheet has rows."""
    if selected > MAX_ROWS:
        detail = (
            f"{selected:,} results are selected, and an Excel sheet holds {MAX_ROWS:,}; get them "
            "in parts with offset and count, or as csv"
        )
        raise Problem(422, detail, field="format")


def _byte_order_mark(query: Mapping[str, str], *, format_: str) -> tuple[bytes, ...]:
    """Return the UTF-8 byte order mark for Excel if the query requests it, else an empty tuple.

    Raises Problem if the parameter `bom` is invalid, or the format isn't CSV.
    """
    wanted = query.get("bom", "")
    if wanted not in ("", "0", "1", "false", "true"):
        raise Problem(422, f"'bom' must be true or false, not {shown(wanted)}", field="bom")
    if wanted in ("", "0", "false"):
        return ()
    if format_ != "csv":
        raise Problem(422, f"'bom' needs the format csv, not {format_}", field="bom")
    return (BOM,)


def _following(result_query: ResultQuery, job: Job, query: Mapping[str, str]) -> str | None:
    """Return the URL of the next page of results.

    Returns None after the last page, or if the query has no `count` or a `count` of 0. `query`
    contains the parameters of the current page.
    """
    if result_query.count is None:
        return None
    offset = result_query.offset + result_query.count
    if result_query.count == 0 or offset >= result_query.matching(job):
        return None
    address = url_for("api.show_results", job_id=job.id, _external=True)
    return f"{address}?{urlencode({**query, 'offset': offset})}"


def _stem(job: Job) -> str:
    """Return the name of the downloaded file without its extension, based on the job's name."""
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", job.name.rsplit(".", 1)[0]).strip("-")
    return f"{stem or 'puzzles'}-results"


@api.get("/jobs/<job_id>/puzzles/<int:number>")
def show_puzzle(job_id: str, number: int) -> Response:
    """Return one result with its grid, candidates, rating, and explanation.

    If no explanation is stored, a worker explains the puzzle now. If that takes longer than `wait`
    seconds, the response has no explanation. Instead, it has the header Retry-After.
    """
    job = request_context.find_job(job_id)
    seconds = request_context.seconds_to_wait(default=_EXPLAIN_SECONDS)
    page = find_row(job, number)
    explanation = find_explanation(job, page, client=authentication.client(), seconds=seconds)
    response = jsonify(puzzle_json(page, explanation))
    if explanation is None and can_be_explained(page):
        response.headers["Retry-After"] = str(_POLL_SECONDS)
    return response


@api.post("/jobs/<job_id>/cancel")
def cancel_job(job_id: str) -> Response:
    """Cancel a job, and return it. Results so far are kept."""
    request_context.check_job_match(etag(request_context.find_job(job_id)))
    request_context.service().jobs.cancel(job_id)
    return jsonify(job_json(request_context.find_job(job_id)))


@api.delete("/jobs/<job_id>")
def delete_job(job_id: str) -> Response:
    """Delete a job with its puzzles and results."""
    request_context.check_job_match(etag(request_context.find_job(job_id)))
    request_context.service().jobs.delete(job_id)
    return Response(status=204)


@api.post("/solve")
def solve_one() -> Response:
    """Solve one puzzle, and return its result.

    If that takes longer than `wait` seconds, returns the job with status 202. Input with several
    puzzles is rejected.
    """
    seconds = request_context.seconds_to_wait(default=10.0)
    service = authentication.service()
    upload = read_single(request, service.settings, name="one puzzle")
    job_id = taken(make_job(upload, service, client=authentication.client()))
    job = request_context.find_job(job_id)
    if job.total != 1:
        service.jobs.delete(job_id)
        raise Problem(
            422,
            f"expected a single puzzle, found {job.total:,}; use /api/v1/jobs for more",
            field="puzzle",
        )
    job = request_context.wait_for_end(job, seconds)
    if not job.state.final:
        return _accepted(job)
    page = find_row(job, 1)
    return jsonify(puzzle_json(page, stored_explanation(page)))


@api.post("/look")
def look() -> Response:
    """Return a preview of an upload, without creating a job.

    The query parameter `cut=1` means that only the beginning of the upload was sent.
    """
    settings = request_context.service().settings
    whole = read_beginning(request, settings)
    cut = request.args.get("cut") in ("1", "true")
    return jsonify(look_json(taken(look_at(taken(whole), settings, cut=cut))))


@api.get("/formats")
def show_formats() -> Response:
    """Return the input formats with their descriptions and examples."""
    formats = [responses.Described(each.name, each.description, each.example) for each in FORMATS]
    return jsonify(responses.Formats(formats))


@api.get("/variants")
def show_variants() -> Response:
    """Return the variants of whole grids, and the constraints on given cells."""
    return jsonify(
        responses.Variants(
            variants=[_described(each, each.example_cells) for each in VARIANTS.values()],
            constraints=[_described(rule, rule.example) for rule in RULES.values()],
        )
    )


def _described(rule: Variant | Rule, example: str) -> responses.DescribedRule:
    return responses.DescribedRule(
        name=rule.name,
        description=rule.description,
        example=example,
        title=rule.title,
        other_names=[*rule.wording.other_names],
        note=rule.wording.note or None,
    )


@api.get("/schema")
def show_schema() -> Response:
    """Return the JSON Schema of a puzzle in sudokuq's own JSON format."""
    return jsonify(puzzle_schema())


@api.get("/workers")
def show_workers() -> Response:
    """Return the running workers, the queue depths, and the throughput."""
    service = request_context.service()
    workers = [
        responses.Worker(
            name=worker.name,
            slots=worker.slots,
            started_at=moment(worker.started_at),
            compiling=worker.preparing or None,
            doing=[
                responses.Doing(doing.job, doing.chunk, moment(doing.since))
                for doing in worker.doing
            ],
        )
        for worker in service.registry.workers()
    ]
    depths = service.dispatcher.queue_depths()
    return jsonify(
        responses.Workers(
            workers, depths, round(_speed(service), 1), service.throughput.per_second()
        )
    )


def _speed(service: Service) -> float:
    """Return the total speed of active jobs in records per second.

    If there are more than 100 active jobs, only 100 of them are considered.
    """
    speed = 0.0
    for job_id in service.active_jobs.ids()[:_MAX_JOBS_MEASURED]:
        with suppress(StoredByNewer):
            job = service.jobs.get(job_id)
            if job is not None and not job.state.final:
                speed += job.puzzles_per_second or 0.0
    return speed


@api.get("/limits")
def show_limits() -> Response:
    """Return the limits that apply to the client, and their current use."""
    return jsonify(limits_json())


@api.get("/techniques")
def show_techniques() -> Response:
    """Return HoDoKu's techniques in its solving order, and Sudoku Explainer's other techniques."""
    return jsonify(techniques_json())
