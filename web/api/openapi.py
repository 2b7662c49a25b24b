"""The description of the API: an OpenAPI 3.1 document, and a page generated from it."""

from functools import cache
from typing import Any

import msgspec
from flask import Blueprint, Response, render_template

from web.api.openapi_parts import METADATA, query_parameters, upload_bodies
from web.api.openapi_paths import paths
from web.api.puzzle_json import Puzzle
from web.http import request_context
from web.results.rows import RatedRow, Row
from web.schemas import responses
from worker.job import JobOptions
from worker.job_details import longest_expiry
from worker.options import OPTIONS
from worker.settings import Settings

docs = Blueprint("docs", __name__, url_prefix="/api")

# All top-level response schemas. The paths refer to them by name.
_TYPES = (
    responses.Problem,
    responses.Job,
    responses.Jobs,
    responses.Formats,
    responses.Look,
    responses.Variants,
    responses.Techniques,
    responses.Workers,
    responses.Limits,
    Row,
    RatedRow,
    Puzzle,
)


def option_schemas(settings: Settings) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each job option, and of the job's name, by field name.

    A schema contains the description, and the maximum of numbers according to the settings.
    """
    (_, components) = msgspec.json.schema_components([JobOptions])
    schemas: dict[str, dict[str, Any]] = {
        "name": {
            "type": "string",
            "description": "Name of the job on pages. By default the name of the uploaded file.",
        },
        "metadata": METADATA,
        "expires_in": {
            "type": "integer",
            "description": "Seconds after which the job is deleted with its puzzles and results. "
            f"By default {settings.retention:,.0f}, the maximum.",
            "minimum": 1,
            "maximum": longest_expiry(settings),
        },
    }
    for name, schema in components["JobOptions"]["properties"].items():
        schemas[name] = dict(schema)
        if OPTIONS[name].is_number:
            schemas[name]["maximum"] = OPTIONS[name].bounds(settings)[1]
    return schemas


def describe(settings: Settings) -> dict[str, Any]:
    """Return the OpenAPI document of a service with these settings."""
    options = option_schemas(settings)
    (_, components) = msgspec.json.schema_components(
        _TYPES, ref_template="#/components/schemas/{name}"
    )
    return {
        "openapi": "3.1.0",
        "info": _INFO,
        "paths": paths(query_parameters(options), upload_bodies(options)),
        "components": {"schemas": components},
    }


_INFO = {
    "title": "sudokuq",
    "version": "1",
    "description": "Upload puzzles, get a job immediately, and fetch the verified solutions when "
    "they are ready. Every response has a request id in the header X-Request-Id. If a limit on "
    "requests, jobs, or puzzles applies to you, it has the headers RateLimit-Policy and RateLimit. "
    "Errors are problem documents (RFC 9457), and /errors explains the cause and remedy of each "
    "type.",
}


@docs.get("/openapi.json")
def document() -> Response:
    """Return the OpenAPI document as JSON."""
    return Response(_encoded(request_context.service().settings), mimetype="application/json")


@cache
def _encoded(settings: Settings) -> bytes:
    return msgspec.json.encode(describe(settings))


@docs.get("/docs")
def page() -> str:
    """Show the page with the description of the API."""
    settings = request_context.service().settings
    return render_template(
        "docs.html", document=describe(settings), options=option_schemas(settings)
    )
