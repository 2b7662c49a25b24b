"""The endpoint for the report on a job's puzzles."""

import re
from typing import Annotated

import msgspec
from flask import Blueprint, Response, jsonify, request
from msgspec import UNSET, Meta, UnsetType

from web.http import request_context
from web.http.errors import Problem
from web.report.build import build_report
from web.report.of_job import analysis_of, find_other, matches
from web.report.schema import Report
from web.results.query import read_number
from web.schemas.operation import as_json, operation
from worker.job import Job

report_api = Blueprint("report_api", __name__, url_prefix="/api/v1/jobs/<job_id>")

MAX_LEVELS = 100


class ReportParameters(msgspec.Struct):
    """Query parameters of a request for a report."""

    against: Annotated[
        str | UnsetType,
        Meta(
            description="Id of another job that has ended, such as your last book. The report "
            "lists the puzzles that both have."
        ),
    ] = UNSET
    levels: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_LEVELS)] | UnsetType,
        Meta(
            description="Number of levels in the proposed book (default: as many as the upload "
            "claims, else 4).",
            examples=[5],
        ),
    ] = UNSET


@report_api.get("/report")
@operation(
    "Results",
    {200: as_json("The report.", Report)},
    problems=("job-not-found", "job-not-finished"),
    query=ReportParameters,
)
def get_report(job_id: str) -> Response:
    """Get a report on a job's puzzles for their publisher.

    It shows which puzzles can't be published and why, duplicates, difficulties, claimed levels that
    don't fit them, and unusual puzzles. It proposes an order and levels for a book. Ratings need
    the job option `rate`, duplicates up to symmetry `minlex`, and minimality `minimal`.
    """
    job = request_context.find_job(job_id)
    request_context.check_parameters(*ReportParameters.__struct_fields__)
    return jsonify(report_of(job))


def report_of(job: Job) -> Report:
    """Return the report on a job that the parameters of the current request describe.

    Raises Problem if a parameter is invalid, or if the job or the other job hasn't ended or is too
    large.
    """
    analysis = analysis_of(job)
    levels = read_number(request.args, "levels") if request.args.get("levels") else None
    if levels is not None and not 1 <= levels <= MAX_LEVELS:
        detail = f"'levels' must be from 1 to {MAX_LEVELS}, not {levels:,}"
        raise Problem(422, detail, field="levels")
    compared = None
    if text := request.args.get("against", "").strip():
        key = re.split("[/?#]", text.rpartition("/jobs/")[2])[0]  # People paste a job's URL.
        other = find_other(key, field="against")
        compared = (key, other.title, *matches(job, other))
    return build_report(analysis, name=job.title, levels=levels, against=compared)
