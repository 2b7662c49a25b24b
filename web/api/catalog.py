"""Report facts about the service: formats, rules, techniques, workers, and limits."""

from contextlib import suppress

from flask import Blueprint, Response, jsonify

from solver.formats import FORMATS
from solver.formats.schema import puzzle_schema
from solver.rules.registry import RULES
from solver.rules.rule import Rule
from solver.rules.variants import VARIANTS, Variant
from web.api.limits_json import limits_json
from web.api.techniques_json import techniques_json
from web.http import request_context
from web.schemas import responses
from web.schemas.operation import ANY_OBJECT, as_json, operation
from worker.job_document import moment
from worker.service import Service
from worker.store.schema import StoredByNewer

catalog = Blueprint("catalog", __name__, url_prefix="/api/v1")

# Maximum number of jobs whose speeds are added up for the throughput.
_MAX_JOBS_MEASURED = 100


@catalog.get("/formats")
@operation("Catalog", {200: as_json("The complete list.", responses.Formats)})
def list_formats() -> Response:
    """List the input formats with their descriptions and examples."""
    formats = [responses.Described(each.name, each.description, each.example) for each in FORMATS]
    return jsonify(responses.Formats(formats))


@catalog.get("/variants")
@operation("Catalog", {200: as_json("The complete list.", responses.Variants)})
def list_variants() -> Response:
    """List the rules: variants of whole grids, and constraints on given cells."""
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


@catalog.get("/schema")
@operation("Catalog", {200: as_json("The JSON Schema.", ANY_OBJECT)})
def get_puzzle_schema() -> Response:
    """Get the JSON Schema of a puzzle object with its constraints."""
    return jsonify(puzzle_schema())


@catalog.get("/techniques")
@operation("Catalog", {200: as_json("The complete list.", responses.Techniques)})
def list_techniques() -> Response:
    """List the techniques in explanations and ratings.

    HoDoKu's and those for sums are in solving order. Those that only Sudoku Explainer has follow,
    by rating. Steps from other rules are left out.
    """
    return jsonify(techniques_json())


@catalog.get("/workers")
@operation("Service", {200: as_json("The workers and queues.", responses.Workers)})
def list_workers() -> Response:
    """List the running workers, the queue depths, and the throughput."""
    service = request_context.service()
    workers = [
        responses.Worker(
            name=worker.name,
            slots=worker.slots,
            started_at=moment(worker.started_at),
            compiling=worker.preparing or None,
            doing=[
                responses.WorkerTask(doing.job, doing.chunk, moment(doing.since))
                for doing in worker.doing
            ],
            done=worker.done,
        )
        for worker in service.registry.workers()
    ]
    depths = service.dispatcher.queue_depths()
    return jsonify(
        responses.Workers(
            workers, depths, round(_speed(service), 1), service.throughput.per_second()
        )
    )


@catalog.get("/limits")
@operation("Service", {200: as_json("The limits.", responses.Limits)})
def get_limits() -> Response:
    """Get the limits that apply to you, and their current use."""
    return jsonify(limits_json())


def _speed(service: Service) -> float:
    """Return the total speed of active jobs in records per second.

    If there are more than 100 active jobs, only 100 of them are considered. Jobs that only a newer
    program version can read don't count.
    """
    speed = 0.0
    for job_id in service.active_jobs.ids()[:_MAX_JOBS_MEASURED]:
        with suppress(StoredByNewer):
            job = service.jobs.get(job_id)
            if job is not None and not job.state.final:
                speed += job.puzzles_per_second or 0.0
    return speed
