"""The requests of the API with their parameters and responses, for the OpenAPI document."""

from typing import Any

from web.api.openapi_parts import (
    ETAG_MISMATCH,
    EXAMPLE_PUZZLE,
    IDEMPOTENCY_KEY,
    IF_MATCH,
    INVALID_VALUE,
    JOB,
    JOB_ID,
    NOT_FOUND,
    OVER_ONE_MIB,
    PROBLEM,
    PUZZLE,
    RESULTS,
    UNAVAILABLE,
    UNREADABLE,
    UNSUPPORTED_TYPE,
    by_status,
    content,
    object_parameter,
    parameter,
    without_parameters,
)
from web.results.formats import SORTS
from web.results.writers import WRITERS
from web.schemas import responses
from worker.job import JobState
from worker.option_texts import READING_OPTIONS

_UPLOAD_RESPONSES = by_status(
    status_202=("The new job, which is solved in the background. Location has its URL.", JOB),
    status_400=UNREADABLE,
    status_409=("The first request with this Idempotency-Key is still uploading.", PROBLEM),
    status_413=(
        "The upload exceeds a limit: 64 MiB of JSON, or a limit in the settings. `detail` has the "
        "limit.",
        PROBLEM,
    ),
    status_415=UNSUPPORTED_TYPE,
    status_422=INVALID_VALUE,
    status_429=(
        "You have too many active jobs or unsolved puzzles, or sent too many requests in a minute. "
        "Retry-After has the number of seconds to wait.",
        PROBLEM,
    ),
    status_503=UNAVAILABLE,
)


def _job_change(summary: str, **success: tuple[str, Any]) -> dict[str, Any]:
    """Return the OpenAPI object of a request that changes a job if its ETag matches.

    `success` describes the response to a successful request, as in `by_status`.
    """
    return {
        "summary": summary,
        "parameters": [JOB_ID, IF_MATCH],
        "responses": by_status(**success, status_404=NOT_FOUND, status_412=ETAG_MISMATCH),
    }


def _wait(purpose: str, *, default: int, example: int | None = None) -> dict[str, Any]:
    """Return the OpenAPI object of the parameter `wait`.

    `purpose` says what the request waits for, such as "for the result". `default` is in seconds.
    """
    text = f"Maximum seconds to wait {purpose} (0 to 30, default {default})."
    return parameter("wait", "query", text, "number", example=example)


def paths(query: list[dict[str, Any]], bodies: dict[str, Any]) -> dict[str, Any]:
    """Return the OpenAPI `paths` object.

    `query` contains the job options as query parameters. `bodies` is the `content` object of
    uploads.
    """
    upload = {
        "parameters": [*query, IDEMPOTENCY_KEY],
        "requestBody": {"required": True, "content": bodies},
        "responses": _UPLOAD_RESPONSES,
    }
    return {
        "/api/v1/jobs": {
            "get": {
                "summary": "List your own jobs, newest first.",
                "parameters": [
                    parameter(
                        "cursor",
                        "query",
                        "The `cursor` in the previous response, to get the next page.",
                    ),
                    parameter(
                        "count", "query", "Maximum number of jobs (default 50).", "integer"
                    ),
                    parameter(
                        "state",
                        "query",
                        f"Only jobs in these states, separated by commas: {', '.join(JobState)} "
                        "(default: all).",
                        example="queued,running",
                    ),
                    parameter(
                        "name", "query", "Only jobs with this text in their name, in any case."
                    ),
                    object_parameter(
                        "metadata",
                        "Only jobs with these values of metadata keys, such as "
                        "metadata[project]=book.",
                        {"type": "object", "additionalProperties": {"type": "string"}},
                    ),
                ],
                "responses": by_status(
                    status_200=(
                        "One page of jobs. If there are more, the Link header (rel=next) has the "
                        "URL of the next page. With a filter, a page may have few jobs or none "
                        "although there is a next page.",
                        content(responses.Jobs),
                    ),
                    status_422=INVALID_VALUE,
                ),
            },
            "post": {"summary": "Upload puzzles as a new job.", **upload},
            "put": {"summary": "Upload puzzles as a new job (same as POST).", **upload},
        },
        "/api/v1/jobs/{job_id}": {
            "put": {
                "summary": "Upload a file as a new job. `curl -T FILE URL/` sends this request.",
                **upload,
                "parameters": [parameter(
                        "job_id", "path", "Name of the file.", example="puzzles.txt"
                    ), *query, IDEMPOTENCY_KEY],
            },
            "get": {
                "summary": "Get the state and progress of a job, or wait until they change.",
                "parameters": [
                    JOB_ID,
                    _wait("until the job changes", default=0, example=30),
                    parameter(
                        "If-None-Match",
                        "header",
                        "ETag of an earlier response. If the job still has it, the response is "
                        "304 without a body.",
                    ),
                    IF_MATCH,
                ],
                "responses": by_status(
                    status_200=("The job.", JOB),
                    status_304=("The job still has the ETag in If-None-Match.", None),
                    status_404=NOT_FOUND,
                    status_412=ETAG_MISMATCH,
                    status_422=INVALID_VALUE,
                ),
            },
            "delete": _job_change(
                "Delete a job with its puzzles and results permanently.",
                status_204=("The job was deleted.", None),
            ),
        },
        "/api/v1/jobs/{job_id}/events": {
            "get": {
                "summary": "Follow a job: receive it at each change as a Server-Sent Event.",
                "parameters": [
                    JOB_ID,
                    parameter(
                        "Last-Event-ID",
                        "header",
                        "Id of the last event that you received. Browsers send it when they "
                        "reconnect.",
                    ),
                ],
                "responses": by_status(
                    status_200=(
                        "A stream of events with the job as JSON. It ends after the job does.",
                        {"text/event-stream": {}},
                    ),
                    status_204=("The job has ended, and Last-Event-ID is its last event.", None),
                    status_404=NOT_FOUND,
                    status_503=(
                        "Too many clients follow jobs. Poll with `wait` instead.", PROBLEM
                    ),
                ),
            }
        },
        "/api/v1/jobs/{job_id}/results": {
            "get": {
                "summary": "Download the results of a job, in the order of the upload.",
                "parameters": [
                    JOB_ID,
                    parameter(
                        "format",
                        "query",
                        f"Format of the results: {', '.join(WRITERS)} (default jsonl).",
                        example="csv",
                    ),
                    parameter(
                        "outcome",
                        "query",
                        "Only results with these outcomes, separated by commas (default: all).",
                        example="invalid,multiple",
                    ),
                    parameter(
                        "rating",
                        "query",
                        "Only results with a Sudoku Explainer rating in this range: 7.1.., ..3.0, "
                        "or 7.1..8.0. Needs a job with the option `rate`.",
                        example="7.1..8.0",
                    ),
                    parameter(
                        "sort",
                        "query",
                        f"Sort order: {', '.join(SORTS)}. `steps` is the number of guesses. "
                        "The lowest is first, or with a minus sign the highest. Needs a job that "
                        "has ended.",
                        example="-rating",
                    ),
                    parameter(
                        "offset", "query", "Number of results to skip (default 0).", "integer"
                    ),
                    parameter(
                        "count", "query", "Maximum number of results (default: all).", "integer"
                    ),
                    parameter(
                        "partial",
                        "query",
                        "1 returns the results so far if the job is unfinished.",
                    ),
                    parameter(
                        "bom",
                        "query",
                        "1 starts CSV with a byte order mark, so that Excel reads it as UTF-8.",
                    ),
                    parameter(
                        "Range",
                        "header",
                        "Part of the response, to resume a download. Needs a job that has ended.",
                        example="bytes=1000000-",
                    ),
                    parameter(
                        "If-Range",
                        "header",
                        "ETag of the earlier download. If the results have another one, the "
                        "response contains all of them.",
                    ),
                    parameter(
                        "If-Match",
                        "header",
                        "ETag of the earlier download. If the results have another one, the "
                        "request fails with status 412.",
                    ),
                ],
                "responses": by_status(
                    status_200=("The results in the requested format.", RESULTS),
                    status_206=("The requested range of bytes.", RESULTS),
                    status_404=NOT_FOUND,
                    status_409=(
                        "The job is unfinished. Wait for it, or send partial=1.", PROBLEM
                    ),
                    status_412=ETAG_MISMATCH,
                    status_416=(
                        "The range begins after the end. Content-Range has the length.", PROBLEM
                    ),
                    status_422=INVALID_VALUE,
                ),
            }
        },
        "/api/v1/jobs/{job_id}/puzzles/{number}": {
            "get": {
                "summary": "Get one result with its grid, candidates, rating, and explanation.",
                "parameters": [
                    JOB_ID,
                    parameter(
                        "number", "path", "Number of the puzzle in the upload, from 1.", "integer",
                        example=1,
                    ),
                    _wait("for the explanation", default=5),
                ],
                "responses": by_status(
                    status_200=(
                        "The result. While a worker computes the explanation, `explanation` is "
                        "null, and Retry-After has the number of seconds to wait.",
                        PUZZLE,
                    ),
                    status_404=("The job has no puzzle with this number.", PROBLEM),
                    status_409=("The puzzle isn't solved yet.", PROBLEM),
                ),
            }
        },
        "/api/v1/jobs/{job_id}/pictures": {
            "post": {
                "summary": "Show images instead of symbols on the job's boards.",
                "parameters": [JOB_ID],
                "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": {
                    "type": "object",
                    "properties": {"pictures": {
                        "type": "array", "items": {"type": "string", "format": "binary"},
                        "description": "One image per value, from 1: PNG, JPEG, GIF, or WebP, each "
                        "at most 64 KiB.",
                    }},
                }}}},
                "responses": by_status(
                    status_204=("The images were stored. Send no files to remove them.", None),
                    status_404=NOT_FOUND,
                    status_413=("An image is too large.", PROBLEM),
                    status_415=("The body isn't a multipart form.", PROBLEM),
                    status_422=("An image is invalid, or there are too many.", PROBLEM),
                ),
            }
        },
        "/api/v1/jobs/{job_id}/cancel": {
            "post": _job_change(
                "Cancel a job. The results so far are kept.", status_200=("The job.", JOB)
            )
        },
        "/api/v1/solve": {
            "post": {
                "summary": "Solve one puzzle, and get the result in the response.",
                "parameters": [
                    _wait("for the result", default=10),
                    *query,
                ],
                "requestBody": {
                    "required": True,
                    "content": bodies | {"application/json": {}},
                },
                "responses": by_status(
                    status_200=("The result with its grid and candidates.", PUZZLE),
                    status_202=("The job, if the puzzle takes longer than `wait`.", JOB),
                    status_400=UNREADABLE,
                    status_413=OVER_ONE_MIB,
                    status_415=UNSUPPORTED_TYPE,
                    status_422=INVALID_VALUE,
                    status_429=(
                        "You have too many active jobs, or sent too many requests in a minute. "
                        "Retry-After has the number of seconds to wait.",
                        PROBLEM,
                    ),
                    status_503=UNAVAILABLE,
                ),
            }
        },
        "/api/v1/look": {
            "post": {
                "summary": "Preview an upload: its format, first puzzles, and first errors.",
                "parameters": [
                    parameter(
                        "cut",
                        "query",
                        "1 means that the body is only the beginning of the upload.",
                    ),
                    *(each for each in query if each["name"] in READING_OPTIONS),
                ],
                "requestBody": {
                    "required": True,
                    "content": {
                        "text/plain": {"example": EXAMPLE_PUZZLE},
                        "application/octet-stream": {},
                    },
                },
                "responses": by_status(
                    status_200=("The preview. No job is created.", content(responses.Look)),
                    status_400=UNREADABLE,
                    status_413=OVER_ONE_MIB,
                    status_422=INVALID_VALUE,
                ),
            }
        },
        "/api/v1/formats": without_parameters("List the input formats.", responses.Formats),
        "/api/v1/variants": without_parameters(
            "List the rules: variants and constraints.", responses.Variants
        ),
        "/api/v1/techniques": without_parameters(
            "List the solving techniques in explanations and ratings.", responses.Techniques
        ),
        "/api/v1/schema": without_parameters(
            "Get the JSON Schema of a puzzle object with its constraints."
        ),
        "/api/v1/workers": without_parameters(
            "List the running workers and the queues.", responses.Workers
        ),
        "/api/v1/limits": without_parameters(
            "Get the limits that apply to you, and their current use.", responses.Limits
        ),
        "/api/openapi.json": without_parameters("Get the OpenAPI document of this API."),
        "/api/docs": {
            "get": {
                "summary": "Show this API as a page where you can try each request.",
                "responses": by_status(status_200=("The page.", {"text/html": {}})),
            }
        },
    }  # fmt: skip
