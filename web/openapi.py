"""The API's description: an OpenAPI 3.1 document, and a page drawn from it."""

from typing import Any

from flask import Blueprint, Response, jsonify, render_template

docs = Blueprint("docs", __name__, url_prefix="/api")

OPTIONS = {
    "name": "shown on pages; the file's name unless given",
    "format": "how the puzzles are written, a name from /api/v1/formats; auto unless given",
    "limit": "solutions to stop at: 1 finds one, 2 (the default) proves uniqueness, more lists",
    "step_limit": "guesses allowed per puzzle, 1000000 unless given",
    "box": "rows x columns of a box, such as 2x3; from the puzzle unless given",
    "symbols": "the N symbols in order; from the puzzle unless given",
    "blank": "the symbol of a blank cell; from the puzzle unless given",
    "variant": "extra rules, names from /api/v1/variants with commas between them",
}

_PROBLEM = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
_JOB = {"application/json": {"schema": {"$ref": "#/components/schemas/Job"}}}
_RESULT = {"application/json": {"schema": {"$ref": "#/components/schemas/Result"}}}
_ANY = {"application/json": {"schema": {"type": "object"}}}
_BODIES = {
    "multipart/form-data": {
        "schema": {
            "type": "object",
            "properties": {
                **{name: {"type": "string", "description": text} for name, text in OPTIONS.items()},
                "text": {"type": "string"},
                "file": {"type": "string", "contentMediaType": "application/octet-stream"},
            },
        }
    },
    "application/json": {
        "schema": {
            "type": "object",
            "required": ["puzzles"],
            "properties": {"puzzles": {"type": "array"}, "options": {"type": "object"}},
        }
    },
    "text/plain": {"schema": {"type": "string"}},
    "application/x-ndjson": {"schema": {"type": "string"}},
    "application/octet-stream": {},
}


def _answers(**kinds: tuple[str, Any]) -> dict[str, Any]:
    """Return the responses of an operation, from status_200=(description, content) and so on."""
    return {
        name.removeprefix("status_"): {"description": text} | ({"content": body} if body else {})
        for name, (text, body) in kinds.items()
    }


def _parameter(name: str, place: str, text: str, kind: str = "string") -> dict[str, Any]:
    return {
        "name": name,
        "in": place,
        "description": text,
        "required": place == "path",
        "schema": {"type": kind},
    }


_JOB_ID = _parameter("job_id", "path", "the job's id")
_GONE = ("no such job", _PROBLEM)
_BAD = ("an option or parameter that cannot be used", _PROBLEM)
_UPLOAD = {
    "requestBody": {"required": True, "content": _BODIES},
    "responses": _answers(
        status_202=("the job", _JOB),
        status_400=("an upload that cannot be read, with line and column", _PROBLEM),
        status_409=("the first request with this Idempotency-Key is in progress", _PROBLEM),
        status_413=("too large", _PROBLEM),
        status_415=("a type that is not read", _PROBLEM),
        status_422=_BAD,
        status_429=("too many unfinished jobs", _PROBLEM),
        status_503=("Redis is away or full", _PROBLEM),
    ),
}
_QUERY = [_parameter(name, "query", text) for name, text in OPTIONS.items()]
_KEY = _parameter("Idempotency-Key", "header", "a repeated request leads to the first one's job")


def _simple(summary: str) -> dict[str, Any]:
    return {"get": {"summary": summary, "responses": _answers(status_200=("the list", _ANY))}}


DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {
        "title": "sudokuq",
        "version": "1",
        "description": "Upload puzzles, get a job at once, fetch verified solutions later.",
    },
    "paths": {
        "/api/v1/jobs": {
            "post": {"summary": "Upload puzzles.", "parameters": [*_QUERY, _KEY], **_UPLOAD},
            "put": {"summary": "The same, for curl -T.", "parameters": [*_QUERY, _KEY], **_UPLOAD},
        },
        "/api/v1/jobs/": {
            "put": {"summary": "The same, for curl -T.", "parameters": [*_QUERY, _KEY], **_UPLOAD}
        },
        "/api/v1/jobs/{job_id}": {
            "put": {
                "summary": "Upload puzzles, as curl -T puts a file's name behind a slash.",
                "parameters": [_parameter("job_id", "path", "the file's name"), *_QUERY, _KEY],
                **_UPLOAD,
            },
            "get": {
                "summary": "Where a job stands.",
                "parameters": [
                    _JOB_ID,
                    _parameter("wait", "query", "seconds to wait for a change, to 30", "number"),
                    _parameter("If-None-Match", "header", "the ETag of an earlier answer"),
                ],
                "responses": _answers(
                    status_200=("the job", _JOB),
                    status_304=("nothing has changed", None),
                    status_404=_GONE,
                    status_422=_BAD,
                ),
            },
            "delete": {
                "summary": "Delete everything of a job.",
                "parameters": [_JOB_ID],
                "responses": _answers(status_204=("deleted", None), status_404=_GONE),
            },
        },
        "/api/v1/jobs/{job_id}/results": {
            "get": {
                "summary": "The results, streamed in upload order.",
                "parameters": [
                    _JOB_ID,
                    _parameter("format", "query", "jsonl, json, csv, txt, sdm or grid"),
                    _parameter("outcome", "query", "only these outcomes, comma-separated"),
                    _parameter("offset", "query", "leave out so many", "integer"),
                    _parameter("count", "query", "at most so many", "integer"),
                    _parameter("partial", "query", "1: what is done of a job that runs"),
                ],
                "responses": _answers(
                    status_200=("the results", {"application/x-ndjson": {}, "text/csv": {}}),
                    status_404=_GONE,
                    status_409=("the job is not finished", _PROBLEM),
                    status_422=_BAD,
                ),
            }
        },
        "/api/v1/jobs/{job_id}/puzzles/{number}": {
            "get": {
                "summary": "One result with its grid and candidates.",
                "parameters": [_JOB_ID, _parameter("number", "path", "from 1", "integer")],
                "responses": _answers(
                    status_200=("the result", _RESULT), status_404=("no such puzzle", _PROBLEM)
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
                "responses": _answers(
                    status_204=("kept; none takes them away", None),
                    status_404=_GONE,
                    status_413=("a picture is too large", _PROBLEM),
                    status_422=("what is no picture, or too many", _PROBLEM),
                ),
            }
        },
        "/api/v1/jobs/{job_id}/cancel": {
            "post": {
                "summary": "Cancel a job; what is done stays.",
                "parameters": [_JOB_ID],
                "responses": _answers(status_200=("the job", _JOB), status_404=_GONE),
            }
        },
        "/api/v1/solve": {
            "post": {
                "summary": "Solve one puzzle while you wait.",
                "parameters": [
                    _parameter("wait", "query", "seconds to wait, 10 unless given", "number"),
                    *_QUERY,
                ],
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {}, "text/plain": {}},
                },
                "responses": _answers(
                    status_200=("the result", _RESULT),
                    status_202=("the job, where it takes longer", _JOB),
                    status_400=("a puzzle that cannot be read", _PROBLEM),
                    status_422=_BAD,
                ),
            }
        },
        "/api/v1/formats": _simple("The formats that are read."),
        "/api/v1/variants": _simple("The variants and constraints that are known."),
        "/api/v1/schema": _simple("The JSON Schema of a puzzle, with all constraints."),
        "/api/v1/workers": _simple("The workers alive, and the queues."),
        "/api/openapi.json": _simple("This document."),
        "/api/docs": {
            "get": {
                "summary": "This document as a page.",
                "responses": _answers(status_200=("the page", {"text/html": {}})),
            }
        },
    },
    "components": {
        "schemas": {
            "Problem": {
                "description": "RFC 9457",
                "type": "object",
                "required": ["type", "title", "status", "detail"],
                "properties": {
                    "type": {"type": "string"},
                    "title": {"type": "string"},
                    "status": {"type": "integer"},
                    "detail": {"type": "string"},
                    "line": {"type": "integer"},
                    "column": {"type": "integer"},
                    "field": {"type": "string"},
                },
            },
            "Job": {
                "type": "object",
                "required": ["id", "state", "total", "done", "outcomes", "links"],
                "properties": {
                    "id": {"type": "string"},
                    "state": {
                        "enum": [
                            "queued", "uploading", "running", "finished", "cancelled", "failed",
                        ]
                    },
                    "total": {"type": "integer"},
                    "done": {"type": "integer"},
                    "outcomes": {"type": "object", "additionalProperties": {"type": "integer"}},
                    "links": {"type": "object"},
                },
            },
            "Result": {
                "type": "object",
                "required": ["n", "line", "puzzle", "outcome", "solution", "solutions", "unique",
                             "steps", "rating", "detail", "name"],
                "properties": {
                    "n": {"type": "integer"},
                    "line": {"type": "integer"},
                    "puzzle": {"type": "string"},
                    "outcome": {"type": "string"},
                    "solution": {"type": ["string", "null"]},
                    "solutions": {"type": "integer"},
                    "unique": {"type": ["boolean", "null"]},
                    "steps": {"type": "integer"},
                    "rating": {"type": "null"},
                    "detail": {"type": ["string", "null"]},
                    "name": {"type": ["string", "null"]},
                },
            },
        }
    },
}  # fmt: skip


@docs.get("/openapi.json")
def document() -> Response:
    """Answer with the document."""
    return jsonify(DOCUMENT)


@docs.get("/docs")
def page() -> str:
    """Show the document as a page."""
    return render_template("docs.html", document=DOCUMENT, options=OPTIONS)
