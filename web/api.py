"""The HTTP API, version 1."""

import re
from collections.abc import Iterable
from tempfile import SpooledTemporaryFile
from typing import Any

from flask import Blueprint, Response, jsonify, request, stream_with_context, url_for
from werkzeug.wsgi import FileWrapper

from solver.board.result import Outcome
from solver.formats import FORMATS
from solver.formats.format import Format
from solver.formats.schema import puzzle_schema
from solver.rules.registry import RULES
from solver.rules.rule import Rule
from solver.rules.variants import VARIANTS, Variant
from web import answers, current
from web.access import client
from web.errors import Problem, taken
from web.job_json import etag, job_json, moment
from web.puzzle_json import find_row, puzzle_json
from web.results import WRITERS, Incomplete, complete, select
from web.uploads.accept import accept, make_job, read_single
from worker.job import Job, JobState
from worker.service import Service

api = Blueprint("api", __name__, url_prefix="/api/v1")

_POLL_SECONDS = 1
_MOST_SPOOLED_IN_MEMORY = 1 << 20
# The speed of the whole queue is summed over so many jobs.
_MOST_JOBS_MEASURED = 100


@api.route("/jobs", methods=["POST", "PUT"])
@api.route("/jobs/", methods=["PUT"], endpoint="put_job")
@api.route("/jobs/<name>", methods=["PUT"], endpoint="put_named_job")
def create_job(name: str = "upload") -> Response:
    """Take an upload and answer with its job; `curl -T` puts the file's name into the path."""
    service = current.service()
    job_id = taken(accept(request, service, client=client(), name=name))
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
    if request.environ["SERVER_PROTOCOL"] == "HTTP/1.0":
        try:
            response = _with_length(written)
        except Incomplete:
            raise Problem(404, "the job was deleted, or expired, during the download") from None
    else:
        response = Response(stream_with_context(written))
    response.content_type = writer.media_type
    response.headers["Accept-Ranges"] = "none"
    response.headers["Content-Disposition"] = f'attachment; filename="{_stem(job)}.{name}"'
    return response


def _with_length(written: Iterable[bytes]) -> Response:
    """Return an answer that says how long it is: HTTP/1.0 knows no other end than the connection's.

    Without that, a download that breaks off would look whole.
    """
    spool = SpooledTemporaryFile(max_size=_MOST_SPOOLED_IN_MEMORY)  # noqa: SIM115 (closed below)
    try:
        spool.writelines(written)
    except BaseException:
        spool.close()
        raise
    length = spool.tell()
    spool.seek(0)
    response = Response(FileWrapper(spool))  # which closes it
    response.content_length = length
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
    service = current.service()
    upload = read_single(request, service.settings, name="one puzzle")
    job_id = taken(make_job(upload, service, client=client()))
    job = current.find_job(job_id)
    if job.total != 1:
        service.store.delete(job_id)
        raise Problem(422, f"{job.total:,} puzzles where one was expected", field="puzzle")
    job = current.wait_for_change(job, seconds, final=True)
    return jsonify(puzzle_json(find_row(job, 1))) if job.state.final else _accepted(job)


@api.get("/formats")
def show_formats() -> Response:
    """Answer with the formats that are read."""
    return jsonify(answers.Formats([_described(format_) for format_ in FORMATS]))


@api.get("/variants")
def show_variants() -> Response:
    """Answer with the variants of whole grids, and the constraints on some cells."""
    return jsonify(
        answers.Variants(
            variants=[_described(variant) for variant in VARIANTS.values()],
            constraints=[_described(rule) for rule in RULES.values()],
        )
    )


def _described(thing: Format | Variant | Rule) -> answers.Described:
    return answers.Described(thing.name, thing.description, thing.example)


@api.get("/schema")
def show_schema() -> Response:
    """Answer with the JSON Schema of a puzzle."""
    return jsonify(puzzle_schema())


@api.get("/workers")
def show_workers() -> Response:
    """Answer with the workers alive and the depths of the queues."""
    service = current.service()
    workers = [
        answers.Worker(
            name=worker.name,
            slots=worker.slots,
            started_at=moment(worker.started_at),
            doing=[
                answers.Doing(doing.job, doing.chunk, moment(doing.since)) for doing in worker.doing
            ],
        )
        for worker in service.registry.workers()
    ]
    depths = service.dispatcher.queue_depths()
    return jsonify(answers.Workers(workers, depths, round(_speed(service), 1)))


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
