"""The endpoints of the HTTP API (version 1) for jobs, their results, and single puzzles.

Generation requests and previews of uploads have endpoints here, too.
"""

from typing import Any

import msgspec
from flask import Blueprint, Response, jsonify, request, url_for

from solver.logic.explanation import Ending
from web.access import authentication
from web.access.job_owner import remember
from web.api import job_list
from web.api.events import watch
from web.api.generation_body import GenerationBody
from web.api.job_filter import read_job_filter
from web.api.job_json import POLL_SECONDS, accepted, etag, job_json
from web.api.preview_json import preview_json
from web.api.puzzle_json import Puzzle, find_row, puzzle_json
from web.api.requests import (
    RAW_BODIES,
    UPLOAD_BODIES,
    UPLOAD_OPTIONS,
    JobListParameters,
    JobParameters,
    PreviewParameters,
    PuzzleParameters,
    SinglePuzzle,
    SolveParameters,
)
from web.api.result_download import download_results
from web.api.result_requests import ResultParameters
from web.api.step_requests import check_position, read_position
from web.books.formats import DRAWN, problems
from web.books.parameters import read_flag
from web.explanations.explanation_json import available_steps_json
from web.explanations.service import can_be_explained, find_available_steps, find_explanation
from web.http import request_context
from web.http.connection import client_disconnected
from web.http.errors import Problem, raise_if_rejected
from web.results.query import read_number
from web.results.writers import WRITERS, stored_explanation
from web.schemas import responses
from web.schemas.operation import (
    FILE,
    UPLOAD_PROBLEMS,
    Content,
    Returned,
    as_json,
    empty,
    operation,
)
from web.uploads.accept import accept, make_job, read_beginning, read_single, service_url
from web.uploads.generation import read_generation
from web.uploads.preview import make_preview
from worker import job_document
from worker.job_details import is_metadata
from worker.option_texts import READING_OPTIONS
from worker.records.explanations import AFTER

api = Blueprint("api", __name__, url_prefix="/api/v1")

_EXPLAIN_SECONDS = 5.0
_ACCEPTED = as_json(
    "The new job, which is solved in the background. Location has its URL.", job_document.Job
)
_GENERATED = as_json(
    "The new job, whose puzzles are made in the background. Location has its URL.", job_document.Job
)
_upload = operation(
    "Jobs",
    {202: _ACCEPTED},
    problems=(*UPLOAD_PROBLEMS, "job-not-found", "job-not-finished", "upload-in-progress",
              "job-gone", "too-many-jobs", "queue-full", "store-full"),
    options=UPLOAD_OPTIONS,
    headers=("Idempotency-Key",),
    path={"job_id": "Name of the file."},
    body=UPLOAD_BODIES,
)  # fmt: skip


@api.post("/jobs")
@_upload
def create_job() -> Response:
    """Upload puzzles as a new job, or run puzzles of a job again."""
    return _create_job(name="")


@api.put("/jobs")
@_upload
def put_job() -> Response:
    """Upload puzzles as a new job (same as POST)."""
    return _create_job(name="")


# OpenAPI requires that all methods of a path have the same parameters.
@api.put("/jobs/<job_id>")
@_upload
def upload_file(job_id: str) -> Response:
    """Upload a file as a new job. `curl -T FILE URL/` sends this request.

    The last part of the path is the name of the file, and by default the name of the job.
    """
    return _create_job(name=job_id)


def _create_job(name: str) -> Response:
    """Create a job from an upload, add it to the client's list, and return the job.

    `name` is the job's name by default. Raises Problem if the upload is rejected.
    """
    job_id = raise_if_rejected(
        accept(request, authentication.service(), client=authentication.client(), name=name)
    )
    remember(job_id)
    return accepted(request_context.find_job(job_id))


@api.post("/generate")
@operation(
    "Jobs",
    {202: _GENERATED},
    problems=(*UPLOAD_PROBLEMS, "invalid-value", "upload-in-progress", "too-many-jobs",
              "queue-full", "store-full"),
    headers=("Idempotency-Key",),
    body={"application/json": GenerationBody},
)  # fmt: skip
def generate() -> Response:
    """Make puzzles as a new job."""
    service, client = authentication.service(), authentication.client()
    job_id = raise_if_rejected(accept(request, service, client=client, read=read_generation))
    remember(job_id)
    return accepted(request_context.find_job(job_id))


@api.get("/jobs")
@operation(
    "Jobs",
    {
        200: as_json(
            "One page of jobs. If there are more, the Link header (rel=next) has the URL of the "
            "next page. With a filter, a page may have few jobs or none although there is a next "
            "page.",
            responses.Jobs,
        )
    },
    query=JobListParameters,
)
def list_jobs() -> Response:
    """List your own jobs, newest first."""
    pairs = filter(is_metadata, request.args)
    request_context.check_parameters(*JobListParameters.__struct_fields__, *pairs)
    job_filter = read_job_filter()
    count = read_number(request.args, "count")
    count = min(max(job_list.USUALLY_LISTED if count is None else count, 1), job_list.MAX_LISTED)
    page = job_list.list_jobs(job_filter, cursor=request.args.get("cursor"), count=count)
    response = jsonify(responses.Jobs([job_json(job) for job in page.jobs], page.cursor))
    if page.cursor is not None:
        query: dict[str, Any] = {**job_filter.query(), "count": count, "cursor": page.cursor}
        following = url_for("api.list_jobs", _external=True, **query)
        response.headers["Link"] = f'<{following}>; rel="next"'
    return response


@api.get("/jobs/<job_id>")
@operation(
    "Jobs",
    {200: as_json("The job.", job_document.Job), 304: empty("The job still has this ETag.")},
    problems=("job-not-found",),
    query=JobParameters,
    headers=("If-None-Match", "If-Match"),
)
def get_job(job_id: str) -> Response:
    """Get the state and progress of a job, or wait until they change.

    Without `wait`, the response comes immediately. With it, the response comes as soon as the job
    changes, or after this number of seconds. If If-None-Match has an old ETag, the job has already
    changed, so the response comes immediately.
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
@operation(
    "Jobs",
    {
        200: Returned(
            "A stream of events. It may end before the job, so reconnect unless the last state is "
            "final.",
            {"text/event-stream": str},
        ),
        204: empty("The job has ended, and Last-Event-ID is its last event."),
    },
    problems=("job-not-found",),
    headers=("Last-Event-ID",),
)
def watch_job(job_id: str) -> Response:
    """Follow a job: receive it as JSON at each change, as a Server-Sent Event.

    Only a limited number of clients can follow jobs. Others get status 503, and should poll with
    `wait` instead.
    """
    return watch(request_context.find_job(job_id))


_ROWS: Content = {"type": "array", "items": {"anyOf": [
    {"$ref": "#/components/schemas/RatedRow"}, {"$ref": "#/components/schemas/Row"}
]}}  # fmt: skip
_RESULTS: dict[str, Content] = {
    "application/json": _ROWS,
    "application/x-ndjson": {"type": "string", "description": "One row per line."},
    "text/csv": str,
    "text/plain": str,
    WRITERS["xlsx"].media_type: FILE,
    WRITERS["parquet"].media_type: FILE,
    **{drawn.media_type: FILE for drawn in DRAWN.values()},
}


@api.get("/jobs/<job_id>/results")
@operation(
    "Results",
    {
        200: Returned("The results in the requested format.", _RESULTS),
        206: Returned("The requested range of bytes.", _RESULTS),
        304: empty("The results still have this ETag."),
    },
    problems=("job-not-found", "job-not-finished", "range-not-satisfiable"),
    query=ResultParameters,
    headers=("Range", "If-Range", "If-Match", "If-None-Match"),
)
def get_results(job_id: str) -> Response:
    """Download the results of a job, by default in the order of the upload.

    If `count` is set and there are more results, the Link header (rel=next) has the URL of the next
    page.
    """
    return download_results(job_id)


@api.get("/jobs/<job_id>/puzzles/<int:number>")
@operation(
    "Results",
    {200: as_json("The result.", Puzzle)},
    problems=("job-not-found", "puzzle-not-found", "job-not-finished"),
    query=PuzzleParameters,
)
def get_puzzle(job_id: str, number: int) -> Response:
    """Get one result with its grid, candidates, rating, and explanation.

    If no explanation is stored, a worker explains the puzzle now, or looks for wrong entries and
    contradictions if the puzzle is unsolvable. If that takes longer than `wait` seconds,
    `explanation` is null, and Retry-After has the number of seconds to wait.

    With `steps=all`, `available_steps` lists every step that is available after the first `after`
    steps of the explanation, not only the next one. It can be null in the same way.
    """
    job = request_context.find_job(job_id)
    seconds = request_context.seconds_to_wait(default=_EXPLAIN_SECONDS)
    after = read_position(request.args)
    page = find_row(job, number)
    client = authentication.client()
    explanation = find_explanation(job, page, client=client, seconds=seconds)
    members = puzzle_json(page, explanation)
    is_late = explanation is None and can_be_explained(page)
    if explanation is not None and after is not None and explanation.ending is not Ending.REFUSED:
        check_position(after, explanation)
        available = find_available_steps(
            job, page, f"{AFTER}{after}", client=client, seconds=seconds
        )
        is_late = available is None
        if available is not None:
            listed = available_steps_json(available, after=after)
            members["available_steps"] = msgspec.to_builtins(listed)
    response = jsonify(members)
    if is_late:
        response.headers["Retry-After"] = str(POLL_SECONDS)
    return response


@api.post("/jobs/<job_id>/cancel")
@operation(
    "Jobs",
    {200: as_json("The job.", job_document.Job)},
    problems=("job-not-found",),
    headers=("If-Match",),
)
def cancel_job(job_id: str) -> Response:
    """Cancel a job. The results so far are kept."""
    request_context.check_job_match(etag(request_context.find_job(job_id)))
    request_context.service().jobs.cancel(job_id)
    return jsonify(job_json(request_context.find_job(job_id)))


@api.delete("/jobs/<job_id>")
@operation(
    "Jobs",
    {204: empty("The job was deleted.")},
    problems=("job-not-found",),
    headers=("If-Match",),
)
def delete_job(job_id: str) -> Response:
    """Delete a job with its puzzles and results permanently."""
    request_context.check_job_match(etag(request_context.find_job(job_id)))
    request_context.service().jobs.delete(job_id)
    return Response(status=204)


@api.post("/solve")
@operation(
    "Puzzles",
    {
        200: as_json("The result with its grid and candidates.", Puzzle),
        202: as_json("The job, if the puzzle takes longer than `wait`.", job_document.Job),
    },
    problems=(*UPLOAD_PROBLEMS, "too-many-jobs", "queue-full", "store-full"),
    query=SolveParameters,
    options=UPLOAD_OPTIONS,
    body=UPLOAD_BODIES | {"application/json": SinglePuzzle},
)
def solve_puzzle() -> Response:
    """Solve one puzzle, and get the result in the response.

    If that takes longer than `wait` seconds, the response is the job, with status 202. If the
    client disconnects earlier, the job is deleted, unless the request has an Idempotency-Key. Input
    with several puzzles is rejected.

    Content-Location has the URL of the result, where it can be requested with its explanation.
    """
    seconds = request_context.seconds_to_wait(default=10.0)
    service = authentication.service()
    upload = read_single(request, service.settings, name="one puzzle")
    client, url = authentication.client(), service_url(request)
    job_id = raise_if_rejected(make_job(upload, service, client=client, service_url=url))
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
        if client_disconnected() and "Idempotency-Key" not in request.headers:
            service.jobs.delete(job_id)  # no other client knows its id
        return accepted(job)
    page = find_row(job, 1)
    response = jsonify(puzzle_json(page, stored_explanation(page)))
    response.headers["Content-Location"] = url_for("api.get_puzzle", job_id=job_id, number=1)
    return response


@api.post("/look")
@operation(
    "Puzzles",
    {200: as_json("The preview.", responses.Preview)},
    problems=("unreadable-upload", "too-large"),
    query=PreviewParameters,
    options=READING_OPTIONS,
    body=RAW_BODIES,
)
def preview_upload() -> Response:
    """Preview an upload: its format, first puzzles, and first errors.

    Send at most the first MiB. No job is created.
    """
    settings = request_context.service().settings
    whole = read_beginning(request, settings)
    with problems():
        cut = read_flag(request.args, "cut", usual=False)
    return jsonify(
        preview_json(raise_if_rejected(make_preview(raise_if_rejected(whole), settings, cut=cut)))
    )
