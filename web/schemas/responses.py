"""Response schemas of the API, and their conversion to JSON."""

from typing import Annotated, Any

import msgspec
from flask.json.provider import JSONProvider
from msgspec import UNSET, Meta, UnsetType

from web.schemas.problem_types import PROBLEM_TYPES
from worker.job_document import Job, Moment


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why a request failed (RFC 9457), with the line, column, or field where that is known.

    `type` is a stable identifier of the kind of problem. Look up `request_id` in the server log.
    """

    type: Annotated[
        str,
        Meta(
            description="A URI that is also a page about this type of problem.",
            extra_json_schema={"enum": [each.uri for each in PROBLEM_TYPES.values()]},
        ),
    ]
    title: Annotated[
        str,
        Meta(description="Short name of the type. It's the same for all problems of this type."),
    ]
    status: Annotated[int, Meta(description="HTTP status of the response.")]
    detail: Annotated[str, Meta(description="The error in this request, and often its remedy.")]
    line: Annotated[
        int | UnsetType, Meta(description="Line of the upload with the error, from 1.")
    ] = UNSET
    column: Annotated[int | UnsetType, Meta(description="Column of that line, from 1.")] = UNSET
    field: Annotated[
        str | UnsetType,
        Meta(description="Name of the option, parameter, or member with the error."),
    ] = UNSET
    request_id: Annotated[
        str,
        Meta(
            description="Id of the request, as in the header X-Request-Id. The server log "
            "contains it."
        ),
    ]


class Jobs(msgspec.Struct, frozen=True):
    """One page of jobs, newest first, and the `cursor` of the next page."""

    jobs: Annotated[list[Job], Meta(description="The jobs of this page.")]
    cursor: Annotated[
        str | None,
        Meta(
            description="Value of the parameter `cursor` for the next page, or null on the last "
            "page."
        ),
    ]


class Quota(msgspec.Struct, frozen=True, kw_only=True):
    """A limit that applies to you, and how much of it is in use."""

    name: Annotated[
        str,
        Meta(
            description="Name of the limit, also in the headers RateLimit-Policy and RateLimit: "
            "requests, active_jobs, unsolved_puzzles, or explanations."
        ),
    ]
    limit: Annotated[int, Meta(description="The limit.")]
    used: Annotated[int, Meta(description="How much of it is in use.")]
    remaining: Annotated[int, Meta(description="How much of it is left.")]
    window_seconds: Annotated[
        int | None,
        Meta(
            description="Time for which the use is counted, or null if it decreases when jobs or "
            "puzzles are done."
        ),
    ]
    resets_in_seconds: Annotated[
        float | None, Meta(description="Seconds until the count starts again from 0, or null.")
    ]


class Maximums(msgspec.Struct, frozen=True, kw_only=True):
    """The maximum sizes of uploads and values of options."""

    upload_bytes: Annotated[int, Meta(description="Bytes of an upload after decompression.")]
    puzzles: Annotated[int, Meta(description="Puzzles in a job.")]
    record_bytes: Annotated[int, Meta(description="Bytes of a puzzle in an upload.")]
    limit: Annotated[int, Meta(description="Value of the option `limit`.")]
    step_limit: Annotated[int, Meta(description="Value of the option `step_limit`.")]
    rate_seconds: Annotated[int, Meta(description="Value of the option `rate_seconds`.")]
    expires_in: Annotated[int, Meta(description="Value of the option `expires_in`, in seconds.")]
    metadata_keys: Annotated[int, Meta(description="Metadata keys of a job.")]
    metadata_key_length: Annotated[int, Meta(description="Characters of a metadata key.")]
    metadata_value_length: Annotated[int, Meta(description="Characters of a metadata value.")]


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits that apply to you, and their current use."""

    quotas: Annotated[list[Quota], Meta(description="The limits whose use is counted.")]
    maximums: Annotated[Maximums, Meta(description="The highest numbers that an upload may have.")]


class EditablePuzzle(msgspec.Struct, frozen=True, kw_only=True):
    """The cells of a puzzle, and a text with its cells and all of its rules.

    Cells are counted from 0 in reading order.
    """

    rows: Annotated[int, Meta(description="Number of rows.")]
    columns: Annotated[int, Meta(description="Number of columns.")]
    values: Annotated[
        list[int], Meta(description="The value of each cell from 1, or 0 if it is empty.")
    ]
    holes: Annotated[list[int], Meta(description="Missing cells of the board.")]
    symbols: Annotated[list[str], Meta(description="The symbols of the values, in order.")]
    houses: Annotated[
        list[list[int]], Meta(description="The cells of each house, which must all differ.")
    ]
    text: Annotated[
        str | None,
        Meta(
            description="The puzzle with all of its rules, which can be uploaded: a line of "
            "symbols, or a JSON object. Null if no text describes it."
        ),
    ]


class FirstPuzzle(msgspec.Struct, frozen=True, kw_only=True):
    """One of the first puzzles of an upload, drawn as SVG unless it is too large."""

    line: Annotated[int, Meta(description="Line of the upload on which the record starts, from 1.")]
    name: Annotated[str | None, Meta(description="Name of the puzzle in the upload.")]
    puzzle: Annotated[str, Meta(description="The givens in reading order.")]
    rules: Annotated[list[str], Meta(description="Names of the extra rules.")]
    detail: Annotated[str | None, Meta(description="The error, or a note about the record.")]
    drawing: Annotated[
        str | None, Meta(description="The board as an SVG image, or null if it's too large.")
    ]
    editable: Annotated[
        EditablePuzzle | None,
        Meta(
            description="The puzzle for an editor. Null if the upload has several records, or if "
            "the board is too large."
        ),
    ]


class RecordProblem(msgspec.Struct, frozen=True, kw_only=True):
    """An invalid record: the line where it starts, and the error."""

    line: Annotated[int, Meta(description="Line of the upload on which the record starts, from 1.")]
    detail: Annotated[str, Meta(description="The error in the record.")]


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """A preview of an upload: its format, its number of records, and the first puzzles and errors.

    Only the first `checked` records were parsed, and `problems` of these are invalid.
    """

    format: Annotated[str, Meta(description="Name of the detected format.")]
    description: Annotated[str, Meta(description="Description of the format.")]
    records: Annotated[int, Meta(description="Number of records in the body.")]
    checked: Annotated[
        int, Meta(description="Number of records that were checked: the first ones.")
    ]
    problems: Annotated[int, Meta(description="Number of checked records with an error.")]
    first: Annotated[list[FirstPuzzle], Meta(description="The first puzzles.")]
    troubles: Annotated[list[RecordProblem], Meta(description="The first errors.")]


class Described(msgspec.Struct, frozen=True):
    """A format, variant, or constraint. `name` is its name in options and JSON."""

    name: Annotated[str, Meta(description="Name of the format or rule.")]
    description: Annotated[str, Meta(description="The format or rule in a sentence or two.")]
    example: Annotated[str, Meta(description="An example: an upload, or a constraint as JSON.")]


class DescribedRule(Described, frozen=True):
    """A variant or constraint. People call it by its `title` or by one of its `other_names`.

    `note` contains requirements, or the order of cells and numbers in JSON.
    """

    title: Annotated[str, Meta(description="Display name of the rule.")]
    other_names: Annotated[list[str], Meta(description="Other common names.")]
    note: Annotated[
        str | None,
        Meta(description="Requirements, or the order of cells and numbers in JSON, or null."),
    ]


class Formats(msgspec.Struct, frozen=True):
    """The input formats."""

    formats: Annotated[list[Described], Meta(description="All formats.")]


class Variants(msgspec.Struct, frozen=True):
    """Variants, which apply to the whole grid, and constraints, which apply to given cells."""

    variants: Annotated[list[DescribedRule], Meta(description="Rules for the whole grid.")]
    constraints: Annotated[list[DescribedRule], Meta(description="Rules for some of its cells.")]


class WorkerTask(msgspec.Struct, frozen=True):
    """The current task of one worker process. `job` is the beginning of the job's id."""

    job: Annotated[str, Meta(description="First characters of the job's id.")]
    chunk: Annotated[int, Meta(description="Number of the chunk in the job, from 0.")]
    since: Moment


class Worker(msgspec.Struct, frozen=True):
    """A running worker. `slots` is the number of chunks that it solves concurrently.

    `compiling` names the code that it is still compiling, or is null.
    """

    name: Annotated[str, Meta(description="Name of the worker with its machine.")]
    slots: Annotated[int, Meta(description="Number of chunks that it solves concurrently.")]
    started_at: Moment
    compiling: Annotated[
        str | None,
        Meta(description="Code that the worker is still compiling, or null."),
    ]
    doing: Annotated[list[WorkerTask], Meta(description="Its current tasks.")]
    done: Annotated[int, Meta(description="Number of records that it has done since its start.")]


class Workers(msgspec.Struct, frozen=True):
    """The running workers, the number of queued messages per queue, and the total throughput.

    `lately` lists the puzzles per second in each ten-second interval of the last five minutes.
    """

    workers: Annotated[list[Worker], Meta(description="All running workers.")]
    queues: Annotated[dict[str, int], Meta(description="Number of waiting messages in each queue.")]
    puzzles_per_second: Annotated[float, Meta(description="Current speed of all workers together.")]
    lately: Annotated[
        list[float],
        Meta(
            description="Puzzles per second in each ten-second interval of the last five minutes."
        ),
    ]


class Technique(msgspec.Struct, frozen=True, kw_only=True):
    """A technique: HoDoKu's code, score, and level, and the lowest Sudoku Explainer rating.

    For sums, which HoDoKu doesn't have, the code, score, and level are the project's own. `example`
    is a puzzle that needs the technique. Explanations use techniques whose `usual` is false only on
    request.
    """

    code: Annotated[
        str,
        Meta(
            description="HoDoKu's code, 3000–3003 for sums, or Sudoku Explainer's number for "
            "techniques that HoDoKu doesn't have."
        ),
    ]
    name: Annotated[str, Meta(description="Name of the technique.")]
    other_names: Annotated[tuple[str, ...], Meta(description="Other common names.")]
    score: Annotated[int | None, Meta(description="HoDoKu's score of a step, or null.")]
    level: Annotated[str | None, Meta(description="HoDoKu's difficulty level, or null.")]
    rating: Annotated[
        float | None, Meta(description="Lowest Sudoku Explainer rating of a step, or null.")
    ]
    usual: Annotated[bool, Meta(description="Whether explanations use the technique by default.")]
    example: Annotated[str | None, Meta(description="A puzzle that needs the technique, or null.")]


class Techniques(msgspec.Struct, frozen=True):
    """HoDoKu's techniques and those for sums, and those that only Sudoku Explainer has."""

    hodoku: Annotated[
        list[Technique],
        Meta(
            description="HoDoKu's techniques and, with the codes 3000–3003, techniques for sums, "
            "in solving order."
        ),
    ]
    explainer: Annotated[
        list[Technique], Meta(description="Techniques that only Sudoku Explainer has, by rating.")
    ]


class Provider(JSONProvider):
    """Encodes and decodes JSON for Flask with msgspec."""

    def dumps(self, obj: Any, **_: Any) -> str:
        """Return a schema object, or plain data, as JSON."""
        return msgspec.json.encode(obj).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        """Return plain data from JSON."""
        return msgspec.json.decode(s)
