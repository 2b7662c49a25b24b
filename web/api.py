"""The HTTP API, version 1."""

import re
from typing import Any

import msgspec
from flask import Blueprint, Response, jsonify, request, stream_with_context, url_for

from solver.board.result import Outcome
from solver.formats import FORMATS
from solver.formats.schema import puzzle_schema
from solver.rules.registry import RULES
from solver.rules.variants import VARIANTS
from web import current
from web.errors import Problem
from web.job_json import etag, job_json, moment
from web.puzzle_json import find_row, puzzle_json
from web.results import WRITERS, complete, select
from web.uploads.accept import accept, checked_options, read_json, read_members, read_options_member
from web.uploads.body import read_body, read_whole
from web.uploads.ingest import ingest
from worker.job import Job, JobState
from worker.service import Service

api = Blueprint("api", __name__, url_prefix="/api/v1")

_MOST_SOLVE_BYTES = 1 << 20
_POLL_SECONDS = 1
# The speed of the whole queue is summed over so many jobs.
_MOST_JOBS_MEASURED = 100


@api.before_request
def check_key() -> None:
    """Ask for a key, where keys are switched on."""
    current.check_key()


@api.route("/jobs", methods=["POST", "PUT"])
@api.route("/jobs/", methods=["PUT"], endpoint="put_job")
@api.route("/jobs/<name>", methods=["PUT"], endpoint="put_named_job")
def create_job(name: str = "upload") -> Response:
    """Take an upload and answer with its job; `curl -T` puts the file's name into the path."""
    job_id = accept(request, current.service(), client=current.client(), name=name)
    return _accepted(current.find_job(job_id))


def _accepted(job: Job) -> Response:
    response = jsonify(job_json(job))
    response.status_code = 202
    response.headers["Location"] = url_for("api.show_job", job_id=job.id)
    response.headers["Retry-After"] = str(_POLL_SECONDS)
    return response


@api.get("/jobs/<job_id>")
def show_job(job_id: str) -> Response:
    """Answer with a job, at once or when it changes."""
    job = current.find_job(job_id)
    seconds = current.seconds_to_wait()
    known = request.if_none_match
    if not known or known.contains_weak(etag(job)):
        job = current.wait_for_change(job, seconds)
    response = jsonify(job_json(job))
    # Weak: speed and time to go may be other numbers before anything has changed.
    response.set_etag(etag(job), weak=True)
    response.headers["Cache-Control"] = "no-cache"
    return response.make_conditional(request)  # type: ignore[return-value]


@api.get("/jobs/<job_id>/results")
def show_results(job_id: str) -> Response:
    """Stream the results in upload order."""
    job = current.find_job(job_id)
    if not job.state.final and request.args.get("partial") not in ("1", "true"):
        detail = f"the job is {job.state}; ask again when it is finished, or with partial=1"
        raise Problem(409, detail, retry_after=_POLL_SECONDS)
    name = request.args.get("format", "jsonl")
    if name not in WRITERS:
        raise Problem(422, f"results are written as {', '.join(WRITERS)}", field="format")
    outcomes = _outcomes()
    offset, count = _number("offset") or 0, _number("count")
    bounds: dict[str, Any] = {} if outcomes else {"offset": offset, "count": count}
    parts = current.service().store.results(job.id, **bounds)
    if job.state is JobState.FINISHED:
        asked = range(job.total)[bounds.get("offset", 0) :][: bounds.get("count")]
        parts = complete(parts, records=len(asked))
    limit = job.options.limit
    wanted = select(parts, limit=limit, outcomes=outcomes, offset=offset, count=count)
    writer = WRITERS[name]
    written = writer.write(wanted)
    response = Response(stream_with_context(written), content_type=writer.media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{_stem(job)}.{name}"'
    return response


def _outcomes() -> frozenset[str]:
    outcomes = frozenset(filter(None, request.args.get("outcome", "").split(",")))
    unknown = outcomes - {outcome.label for outcome in Outcome}
    if unknown:
        known = ", ".join(outcome.label for outcome in Outcome)
        raise Problem(422, f"the outcomes are {known}", field="outcome")
    return outcomes


def _number(name: str) -> int | None:
    text = request.args.get(name)
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,15}", text, re.ASCII):
        raise Problem(422, f"{name} is a whole number, not {text[:50]!r}", field=name)
    return int(text)


def _stem(job: Job) -> str:
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", job.name.rsplit(".", 1)[0]).strip("-")
    return f"{stem or 'puzzles'}-results"


@api.get("/jobs/<job_id>/puzzles/<int:number>")
def show_puzzle(job_id: str, number: int) -> Response:
    """Answer with one result, its grid and its candidates."""
    return jsonify(puzzle_json(find_row(current.find_job(job_id), number)))


@api.post("/jobs/<job_id>/cancel")
def cancel_job(job_id: str) -> Response:
    """Cancel a job; what is done stays."""
    current.find_job(job_id)
    current.service().store.cancel(job_id)
    return jsonify(job_json(current.find_job(job_id)))


@api.delete("/jobs/<job_id>")
def delete_job(job_id: str) -> Response:
    """Delete everything of a job."""
    current.find_job(job_id)
    current.service().store.delete(job_id)
    return Response(status=204)


@api.post("/solve")
def solve_one() -> Response:
    """Solve one puzzle while the client waits; answer with its job if that takes too long."""
    seconds = current.seconds_to_wait(default=10.0)
    text, fields = _single_puzzle()
    name = str(fields.pop("name", None) or "one puzzle")
    service = current.service()
    options = checked_options(fields, service)
    job_id = ingest(service, (text,), options=options, name=name, client=current.client())
    job = current.find_job(job_id)
    if job.total != 1:
        service.store.delete(job_id)
        raise Problem(422, f"{job.total:,} puzzles where one was expected", field="puzzle")
    job = current.wait_for_change(job, seconds, final=True)
    return jsonify(puzzle_json(find_row(job, 1))) if job.state.final else _accepted(job)


def _single_puzzle() -> tuple[bytes, dict[str, object]]:
    """Return the puzzle as text and the option fields of a request to solve one."""
    fields: dict[str, object] = {k: v for k, v in request.args.items() if k != "wait"}
    body = read_whole(read_body(request, most=_MOST_SOLVE_BYTES), most=_MOST_SOLVE_BYTES)
    if request.mimetype != "application/json":
        return body, fields
    members = read_members(body)
    if "puzzle" not in members:
        raise Problem(422, "the body is an object with a puzzle", field="puzzle")
    fields |= {
        name: read_json(value)
        for name, value in members.items()
        if name not in ("puzzle", "options")
    }
    fields |= read_options_member(members)
    puzzle = read_json(members["puzzle"])
    if isinstance(puzzle, str):
        return puzzle.encode(), fields
    fields["format"] = "ndjson"
    return msgspec.json.encode(puzzle), fields


@api.get("/formats")
def show_formats() -> Response:
    """Answer with the formats that are read."""
    return jsonify(
        formats=[
            {"name": f.name, "description": f.description, "example": f.example} for f in FORMATS
        ]
    )


@api.get("/variants")
def show_variants() -> Response:
    """Answer with the variants of whole grids, and the constraints on some cells."""
    return jsonify(
        variants=[
            {"name": known.name, "description": known.description, "example": known.example}
            for known in VARIANTS.values()
        ],
        constraints=[
            {"name": rule.name, "description": rule.description, "example": rule.example}
            for rule in RULES.values()
        ],
    )


@api.get("/schema")
def show_schema() -> Response:
    """Answer with the JSON Schema of a puzzle."""
    return jsonify(puzzle_schema())


@api.get("/workers")
def show_workers() -> Response:
    """Answer with the workers alive and the depths of the queues."""
    service = current.service()
    return jsonify(
        workers=[
            {
                "name": worker.name,
                "slots": worker.slots,
                "started_at": moment(worker.started_at),
                "doing": [
                    {"job": doing.job, "chunk": doing.chunk, "since": moment(doing.since)}
                    for doing in worker.doing
                ],
            }
            for worker in service.registry.workers()
        ],
        queues=service.dispatcher.queue_depths(),
        puzzles_per_second=round(_speed(service), 1),
    )


def _speed(service: Service) -> float:
    """Return the records done a second, summed over the jobs that are not final."""
    jobs = map(service.store.job, service.chunks.active_jobs()[:_MOST_JOBS_MEASURED])
    return sum(job.puzzles_per_second or 0.0 for job in jobs if job and not job.state.final)


@api.get("/techniques")
@api.get("/jobs/<job_id>/events")
def not_built(job_id: str | None = None) -> Response:
    """Say of what is planned that it is not there yet."""
    del job_id
    raise Problem(404, f"{request.path.rsplit('/', 1)[-1]} is not built yet")
