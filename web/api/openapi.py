"""The description of the API: an OpenAPI 3.1 document, and a page generated from it."""

from functools import cache
from typing import Any

import msgspec
from flask import Blueprint, Response, render_template

from web.api.puzzle_json import Puzzle
from web.http import request_context
from web.results.formats import SORTS
from web.results.rows import RatedRow, Row
from web.results.writers import WRITERS
from web.schemas import responses
from worker.job import JobOptions
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
    Row,
    RatedRow,
    Puzzle,
)


def _content(answer: type, media_type: str = "application/json") -> dict[str, Any]:
    return {media_type: {"schema": {"$ref": f"#/components/schemas/{answer.__name__}"}}}


_PROBLEM = _content(responses.Problem, "application/problem+json")
_JOB = _content(responses.Job)
_PUZZLE = _content(Puzzle)
_WRITTEN: dict[str, Any] = {writer.media_type.partition(";")[0]: {} for writer in WRITERS.values()}
_ANY = {"application/json": {"schema": {"type": "object"}}}


def _responses(**by_status: tuple[str, Any]) -> dict[str, Any]:
    """Return the OpenAPI `responses` object of an operation.

    Each keyword argument describes the response with one HTTP status, such as `status_404`. Its
    value is a pair of the description and the content, which is None for an empty body.
    """
    return {
        name.removeprefix("status_"): {"description": text} | ({"content": body} if body else {})
        for name, (text, body) in by_status.items()
    }


def _parameter(name: str, place: str, text: str, kind: str = "string") -> dict[str, Any]:
    return {
        "name": name,
        "in": place,
        "description": text,
        "required": place == "path",
        "schema": {"type": kind},
    }


_EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
# Options that determine how an upload is read. Previews accept only these.
_READING = ("format", "box", "symbols", "blank", "variant")
_JOB_ID = _parameter("job_id", "path", "the job's id")
_KEY = _parameter(
    "Idempotency-Key",
    "header",
    "identifies a request: a repetition returns the job of the first one",
)
_IF_MATCH = _parameter("If-Match", "header", "the ETag that the job must have")
_GONE = ("no such job", _PROBLEM)
_OTHER = ("the current version isn't one that If-Match lists", _PROBLEM)
_BAD = ("an invalid option or parameter", _PROBLEM)


def option_schemas(settings: Settings) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each job option by name, with its description and maximum."""
    (_, components) = msgspec.json.schema_components([JobOptions])
    schemas: dict[str, dict[str, Any]] = {
        "name": {"type": "string", "description": "Name shown on pages (default: the file's name)."}
    }
    for name, schema in components["JobOptions"]["properties"].items():
        schemas[name] = dict(schema)
        if OPTIONS[name].is_number:
            schemas[name]["maximum"] = OPTIONS[name].bounds(settings)[1]
    return schemas


def _query(options: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the job options as query parameters."""
    return [
        _parameter(name, "query", schema["description"]) | {"schema": schema}
        for name, schema in options.items()
    ]


def _bodies(options: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the request bodies that an upload may have, by media type."""
    text = {"type": "string"}
    file = {"type": "string", "contentMediaType": "application/octet-stream"}
    return {
        "multipart/form-data": {
            "schema": {"type": "object", "properties": {**options, "text": text, "file": file}}
        },
        "application/json": {
            "schema": {
                "type": "object",
                "description": "At most 64 MiB. Larger uploads are streamed as NDJSON, as plain "
                "text, or as a file in a multipart form.",
                "required": ["puzzles"],
                "properties": {
                    "puzzles": {"type": "array"},
                    "options": {"type": "object", "properties": options},
                },
            }
        },
        "text/plain": {"schema": text, "example": _EXAMPLE},
        "application/x-ndjson": {"schema": text},
        "application/octet-stream": {},
    }


_UPLOADED = _responses(
    status_202=("the job", _JOB),
    status_400=("an unreadable upload, with line and column", _PROBLEM),
    status_409=("the first request with this Idempotency-Key is in progress", _PROBLEM),
    status_413=(
        "over a limit: 64 MiB of JSON, or the limits of the settings or the API key",
        _PROBLEM,
    ),
    status_415=("an unsupported media type", _PROBLEM),
    status_422=_BAD,
    status_429=("too many unfinished jobs, queued puzzles, or requests per minute", _PROBLEM),
    status_503=("Redis is unavailable or full", _PROBLEM),
)


def _simple(summary: str, answer: type | None = None) -> dict[str, Any]:
    """Return the path item of a GET endpoint without parameters.

    `answer` is the schema of its response, or None for any JSON object.
    """
    response = ("the document", _ANY) if answer is None else ("the list", _content(answer))
    return {"get": {"summary": summary, "responses": _responses(status_200=response)}}


def describe(settings: Settings) -> dict[str, Any]:
    """Return the OpenAPI document of a service with these settings."""
    options = option_schemas(settings)
    (_, components) = msgspec.json.schema_components(
        _TYPES, ref_template="#/components/schemas/{name}"
    )
    return {
        "openapi": "3.1.0",
        "info": _INFO,
        "paths": _paths(_query(options), _bodies(options)),
        "components": {"schemas": components},
    }


_INFO = {
    "title": "sudokuq",
    "version": "1",
    "description": "Upload puzzles, get a job immediately, and fetch verified solutions "
    "later. Every response has a request id (X-Request-Id). Errors are problem documents (RFC "
    "9457), each of "
    "a type that /errors explains.",
}


def _paths(query: list[dict[str, Any]], bodies: dict[str, Any]) -> dict[str, Any]:
    upload = {
        "parameters": [*query, _KEY],
        "requestBody": {"required": True, "content": bodies},
        "responses": _UPLOADED,
    }
    return {
        "/api/v1/jobs": {
            "get": {
                "summary": "Your own jobs, newest first.",
                "parameters": [
                    _parameter("cursor", "query", "the `cursor` of the previous page"),
                    _parameter("count", "query", "maximum number of jobs (default 50)", "integer"),
                ],
                "responses": _responses(
                    status_200=(
                        "jobs; the Link header with rel=next has the URL of the next page",
                        _content(responses.Jobs),
                    ),
                    status_422=_BAD,
                ),
            },
            "post": {"summary": "Upload puzzles.", **upload},
            "put": {"summary": "Upload puzzles with curl -T.", **upload},
        },
        "/api/v1/jobs/{job_id}": {
            "put": {
                "summary": "Upload puzzles with curl -T, which appends the file name to the URL.",
                **upload,
                "parameters": [_parameter("job_id", "path", "the file's name"), *query, _KEY],
            },
            "get": {
                "summary": "The state and progress of a job.",
                "parameters": [
                    _JOB_ID,
                    _parameter("wait", "query", "seconds to wait for a change (max. 30)", "number"),
                    _parameter("If-None-Match", "header", "the ETag of an earlier response"),
                    _IF_MATCH,
                ],
                "responses": _responses(
                    status_200=("the job", _JOB),
                    status_304=("nothing has changed", None),
                    status_404=_GONE,
                    status_412=_OTHER,
                    status_422=_BAD,
                ),
            },
            "delete": {
                "summary": "Delete a job with its puzzles and results.",
                "parameters": [_JOB_ID, _IF_MATCH],
                "responses": _responses(
                    status_204=("deleted", None), status_404=_GONE, status_412=_OTHER
                ),
            },
        },
        "/api/v1/jobs/{job_id}/events": {
            "get": {
                "summary": "The job whenever it changes, as Server-Sent Events.",
                "parameters": [
                    _JOB_ID,
                    _parameter("Last-Event-ID", "header", "the id of the last received event"),
                ],
                "responses": _responses(
                    status_200=("the job in each event", {"text/event-stream": {}}),
                    status_204=("the client has all events", None),
                    status_404=_GONE,
                    status_503=("too many clients watch jobs; poll instead", _PROBLEM),
                ),
            }
        },
        "/api/v1/jobs/{job_id}/results": {
            "get": {
                "summary": "The results, streamed in upload order.",
                "parameters": [
                    _JOB_ID,
                    _parameter("format", "query", f"one of {', '.join(WRITERS)}"),
                    _parameter("outcome", "query", "only these outcomes, comma-separated"),
                    _parameter("rating", "query", "a range of ratings: 7.1.. or ..3.0 or 7.1..8.0"),
                    _parameter(
                        "sort", "query", f"one of {', '.join(SORTS)}; with -, the highest is first"
                    ),
                    _parameter("offset", "query", "number of results to skip", "integer"),
                    _parameter("count", "query", "maximum number of results", "integer"),
                    _parameter("partial", "query", "1: the results so far of an unfinished job"),
                    _parameter("bom", "query", "1: CSV with a byte order mark, for Excel"),
                    _parameter(
                        "Range", "header", "a range, bytes=FIRST-LAST, if the job is final"
                    ),
                    _parameter("If-Range", "header", "the version that Range refers to"),
                    _parameter("If-Match", "header", "the ETag that the results must have"),
                ],
                "responses": _responses(
                    status_200=("the results", _WRITTEN),
                    status_206=("the requested bytes", _WRITTEN),
                    status_404=_GONE,
                    status_409=("the job is not finished", _PROBLEM),
                    status_412=_OTHER,
                    status_416=("the range begins after the last byte", _PROBLEM),
                    status_422=_BAD,
                ),
            }
        },
        "/api/v1/jobs/{job_id}/puzzles/{number}": {
            "get": {
                "summary": "One result with its grid, candidates, rating and explanation.",
                "parameters": [
                    _JOB_ID,
                    _parameter("number", "path", "the puzzle's number, from 1", "integer"),
                    _parameter("wait", "query", "seconds to wait for its explanation", "number"),
                ],
                "responses": _responses(
                    status_200=(
                        "the result; with Retry-After while a worker explains it", _PUZZLE
                    ),
                    status_404=("no such puzzle", _PROBLEM),
                    status_409=("this puzzle isn't solved yet", _PROBLEM),
                ),
            }
        },
        "/api/v1/jobs/{job_id}/pictures": {
            "post": {
                "summary": "Draw the job's boards with pictures: one for each value, from 1.",
                "parameters": [_JOB_ID],
                "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": {
                    "type": "object",
                    "properties": {"pictures": {
                        "type": "array", "items": {"type": "string", "format": "binary"},
                    }},
                }}}},
                "responses": _responses(
                    status_204=("Stored. Send no files to remove the images.", None),
                    status_404=_GONE,
                    status_413=("a picture is too large", _PROBLEM),
                    status_415=("the body isn't a form", _PROBLEM),
                    status_422=("an invalid picture, or too many", _PROBLEM),
                ),
            }
        },
        "/api/v1/jobs/{job_id}/cancel": {
            "post": {
                "summary": "Cancel a job. Results so far are kept.",
                "parameters": [_JOB_ID, _IF_MATCH],
                "responses": _responses(
                    status_200=("the job", _JOB), status_404=_GONE, status_412=_OTHER
                ),
            }
        },
        "/api/v1/solve": {
            "post": {
                "summary": "Solve one puzzle while you wait.",
                "parameters": [
                    _parameter("wait", "query", "seconds to wait (default 10)", "number"),
                    *query,
                ],
                "requestBody": {
                    "required": True,
                    "content": bodies | {"application/json": {}},
                },
                "responses": _responses(
                    status_200=("the result, with its grid and candidates", _PUZZLE),
                    status_202=("the job, if it takes longer", _JOB),
                    status_400=("an unreadable puzzle", _PROBLEM),
                    status_413=("more than a MiB", _PROBLEM),
                    status_415=("an unsupported media type", _PROBLEM),
                    status_422=_BAD,
                    status_429=("too many unfinished jobs, or requests per minute", _PROBLEM),
                    status_503=("Redis is unavailable or full", _PROBLEM),
                ),
            }
        },
        "/api/v1/look": {
            "post": {
                "summary": "Preview an upload: its format, first puzzles, and first problems.",
                "parameters": [
                    _parameter("cut", "query", "1: this is only the beginning of the upload"),
                    *(each for each in query if each["name"] in _READING),
                ],
                "requestBody": {
                    "required": True,
                    "content": {
                        "text/plain": {"example": _EXAMPLE},
                        "application/octet-stream": {},
                    },
                },
                "responses": _responses(
                    status_200=("the preview", _content(responses.Look)),
                    status_400=("an unreadable upload, with line and column", _PROBLEM),
                    status_413=("more than a MiB", _PROBLEM),
                    status_422=_BAD,
                ),
            }
        },
        "/api/v1/formats": _simple("The input formats.", responses.Formats),
        "/api/v1/variants": _simple("The variants and constraints.", responses.Variants),
        "/api/v1/techniques": _simple(
            "The techniques of explanations and ratings.", responses.Techniques
        ),
        "/api/v1/schema": _simple("The JSON Schema of a puzzle, with all constraints."),
        "/api/v1/workers": _simple("The running workers, and the queues.", responses.Workers),
        "/api/openapi.json": _simple("The OpenAPI description of this API."),
        "/api/docs": {
            "get": {
                "summary": "The description of this API as a page.",
                "responses": _responses(status_200=("the page", {"text/html": {}})),
            }
        },
    }  # fmt: skip


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
