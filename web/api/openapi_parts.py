"""Parts of the OpenAPI document that several operations share."""

from typing import Any

from web.api.puzzle_json import Puzzle
from web.results.writers import WRITERS
from web.schemas import responses
from worker.job_details import MAX_KEY_LENGTH, MAX_PAIRS, MAX_VALUE_LENGTH


def content(answer: type, media_type: str = "application/json") -> dict[str, Any]:
    """Return the OpenAPI `content` object of a body with an object of the class `answer`."""
    return {media_type: {"schema": {"$ref": f"#/components/schemas/{answer.__name__}"}}}


PROBLEM = content(responses.Problem, "application/problem+json")
JOB = content(responses.Job)
PUZZLE = content(Puzzle)
RESULTS: dict[str, Any] = {writer.media_type.partition(";")[0]: {} for writer in WRITERS.values()}
JSON_OBJECT = {"application/json": {"schema": {"type": "object"}}}


def by_status(**statuses: tuple[str, Any]) -> dict[str, Any]:
    """Return the OpenAPI `responses` object of an operation.

    Each keyword argument describes the response with one HTTP status, such as `status_404`. Its
    value is a pair of the description and the `content` object, which is None for an empty body.
    """
    return {
        name.removeprefix("status_"): {"description": text} | ({"content": body} if body else {})
        for name, (text, body) in statuses.items()
    }


def parameter(
    name: str, place: str, text: str, kind: str = "string", *, example: object = None
) -> dict[str, Any]:
    """Return the OpenAPI object of a parameter.

    `place` is "path", "query", or "header". `text` is the description, and `kind` is the JSON type.
    Only path parameters are required.
    """
    return {
        "name": name,
        "in": place,
        "description": text,
        "required": place == "path",
        "schema": {"type": kind},
    } | ({} if example is None else {"example": example})


EXAMPLE_ID = "T2veuCNrLQ1DPc9Ti--pVQ"
EXAMPLE_PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
JOB_ID = parameter(
    "job_id", "path", "Id of the job, as in the response to the upload.", example=EXAMPLE_ID
)
IDEMPOTENCY_KEY = parameter(
    "Idempotency-Key",
    "header",
    "Unique string that identifies the upload. If you repeat the request with the same string, for "
    "example after a timeout, you get the job of the first request.",
    example="7c9e6679-7425-40de-944b-e07fc1f90ae7",
)
IF_MATCH = parameter(
    "If-Match",
    "header",
    "ETag of a response for this job. If the job has changed since then, the request fails with "
    "status 412.",
)
NOT_FOUND = ("No job has this id. It may have expired or been deleted.", PROBLEM)
ETAG_MISMATCH = ("The current version has another ETag than If-Match.", PROBLEM)
INVALID_VALUE = (
    "An option or parameter is unknown or has an invalid value. `field` names it.",
    PROBLEM,
)
UNREADABLE = (
    "The upload can't be read as puzzles. `line` and `column` have the place, if it is known.",
    PROBLEM,
)
UNSUPPORTED_TYPE = ("The Content-Type or Content-Encoding isn't supported.", PROBLEM)
OVER_ONE_MIB = ("The body is larger than 1 MiB.", PROBLEM)
UNAVAILABLE = (
    "Redis is unavailable or full. Retry-After has the number of seconds to wait.",
    PROBLEM,
)


METADATA = {
    "type": "object",
    "description": f"Up to {MAX_PAIRS} keys with values, which are returned with the job. A key "
    f"may have {MAX_KEY_LENGTH} characters and a value {MAX_VALUE_LENGTH}. In a query or form, "
    "send a field for each key, such as metadata[project]=book, or the object as JSON.",
    "additionalProperties": {"type": "string", "maxLength": MAX_VALUE_LENGTH},
    "propertyNames": {"minLength": 1, "maxLength": MAX_KEY_LENGTH},
    "maxProperties": MAX_PAIRS,
    "examples": [{"project": "book", "chapter": "3"}],
}


def object_parameter(name: str, text: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return a query parameter with an object as its value: one field per key, name[key]=value."""
    as_fields = {"schema": schema, "style": "deepObject", "explode": True}
    return parameter(name, "query", text, "object") | as_fields


def query_parameters(options: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the OpenAPI objects of query parameters for the given option schemas."""
    return [
        object_parameter(name, schema["description"], schema)
        if schema.get("type") == "object"
        else parameter(name, "query", schema["description"]) | {"schema": schema}
        for name, schema in options.items()
    ]


def upload_bodies(options: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the OpenAPI `content` object of uploads, with one body per media type.

    Forms and JSON contain the job options. For other bodies, they are query parameters.
    """
    text = {"type": "string", "description": "The puzzles as text. Ignored if there is a file."}
    file = {
        "type": "string",
        "contentMediaType": "application/octet-stream",
        "description": "A file with puzzles, which may be compressed. It must be the last field.",
    }
    return {
        "multipart/form-data": {
            "schema": {"type": "object", "properties": {**options, "text": text, "file": file}}
        },
        "application/json": {
            "schema": {
                "type": "object",
                "description": "At most 64 MiB. Send larger uploads as NDJSON, as plain text, or "
                "as a file in a multipart form. These are streamed.",
                "required": ["puzzles"],
                "properties": {
                    "puzzles": {
                        "type": "array",
                        "description": "Puzzles as strings, lists of numbers, or objects with "
                        "members such as `givens` and `constraints` (see /api/v1/schema).",
                        "examples": [[EXAMPLE_PUZZLE]],
                    },
                    "options": {
                        "type": "object",
                        "description": "The job's options, and its name.",
                        "properties": options,
                    },
                },
            }
        },
        "text/plain": {"schema": text, "example": EXAMPLE_PUZZLE},
        "application/x-ndjson": {"schema": text},
        "application/octet-stream": {},
    }


def without_parameters(summary: str, answer: type | None = None) -> dict[str, Any]:
    """Return the OpenAPI object of a path that has only a GET request without parameters.

    `answer` is the class of the response. None stands for any JSON object.
    """
    response = (
        ("The document.", JSON_OBJECT)
        if answer is None
        else ("The complete list.", content(answer))
    )
    return {"get": {"summary": summary, "responses": by_status(status_200=response)}}
