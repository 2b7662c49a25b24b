"""Response schemas of the API. The OpenAPI document is generated from these types."""

from typing import Annotated, Any

import msgspec
from flask.json.provider import JSONProvider
from msgspec import UNSET, Meta, UnsetType

from web.schemas.problem_types import PROBLEM_TYPES
from worker.job import JobOptions, JobState

Moment = Annotated[
    str, Meta(description="RFC 3339, in UTC", extra_json_schema={"format": "date-time"})
]


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
    title: str
    status: int
    detail: str
    line: int | UnsetType = UNSET
    column: int | UnsetType = UNSET
    field: str | UnsetType = UNSET
    request_id: str


class Links(msgspec.Struct, frozen=True, kw_only=True):
    """URLs of the job, its results, and its page."""

    itself: str = msgspec.field(name="self")
    results: str
    page: str


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """The state and progress of a job.

    `outcomes` counts records by outcome. `ratings` and `techniques` count them by rating and by
    technique, if the job has these options.
    """

    id: str
    name: str
    state: JobState
    format: str
    created_at: Moment
    started_at: Moment | None
    finished_at: Moment | None
    expires_at: Moment
    total: int
    done: int
    outcomes: dict[str, int]
    ratings: dict[str, int]
    fault: str | None
    techniques: dict[str, int]
    puzzles_per_second: float | None
    eta_seconds: float | None
    options: JobOptions
    links: Links


class Jobs(msgspec.Struct, frozen=True):
    """One page of jobs, newest first, and the `cursor` of the next page."""

    jobs: list[Job]
    cursor: str | None


class FirstPuzzle(msgspec.Struct, frozen=True, kw_only=True):
    """One of the first puzzles of an upload, drawn as SVG unless it is too large."""

    line: int
    name: str | None
    puzzle: str
    rules: list[str]
    detail: str | None
    drawing: str | None


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """An invalid record: the line where it starts, and the error."""

    line: int
    detail: str


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """A preview of an upload with this number of `records`.

    `checked` of these were parsed, and `problems` of the parsed ones are invalid. `first` and
    `troubles` list only the first puzzles and errors.
    """

    format: str
    description: str
    records: int
    checked: int
    problems: int
    first: list[FirstPuzzle]
    troubles: list[Trouble]


class Described(msgspec.Struct, frozen=True):
    """A format, variant, or constraint. `name` is its name in options and JSON."""

    name: str
    description: str
    example: str


class DescribedRule(Described, frozen=True):
    """A variant or constraint. People call it by its `title` or by one of its `other_names`.

    `note` contains requirements, or the order of cells and numbers in JSON.
    """

    title: str
    other_names: list[str]
    note: str | None


class Formats(msgspec.Struct, frozen=True):
    """The input formats."""

    formats: list[Described]


class Variants(msgspec.Struct, frozen=True):
    """Variants, which apply to the whole grid, and constraints, which apply to given cells."""

    variants: list[DescribedRule]
    constraints: list[DescribedRule]


class Doing(msgspec.Struct, frozen=True):
    """The current task of one worker process. `job` is the beginning of the job's id."""

    job: str
    chunk: int
    since: Moment


class Worker(msgspec.Struct, frozen=True):
    """A running worker. `slots` is the number of chunks that it solves concurrently.

    `compiling` names the code that it is still compiling and the progress, or is null.
    """

    name: str
    slots: int
    started_at: Moment
    compiling: str | None
    doing: list[Doing]


class Workers(msgspec.Struct, frozen=True):
    """The running workers, the number of queued messages per queue, and the total throughput.

    `lately` lists the puzzles per second in each ten-second interval of the last five minutes.
    """

    workers: list[Worker]
    queues: dict[str, int]
    puzzles_per_second: float
    lately: list[float]


class Technique(msgspec.Struct, frozen=True, kw_only=True):
    """A technique: HoDoKu's code, score, and level, and the lowest Sudoku Explainer rating.

    `example` is a puzzle that needs the technique. Explanations use techniques whose `usual` is
    false only on request.
    """

    code: str
    name: str
    other_names: tuple[str, ...]
    score: int | None
    level: str | None
    rating: float | None
    usual: bool
    example: str | None


class Techniques(msgspec.Struct, frozen=True):
    """HoDoKu's techniques in solving order, and those that only Sudoku Explainer has."""

    hodoku: list[Technique]
    explainer: list[Technique]


class Provider(JSONProvider):
    """Encodes and decodes JSON for Flask with msgspec."""

    def dumps(self, obj: Any, **_: Any) -> str:
        """Return a schema object, or plain data, as JSON."""
        return msgspec.json.encode(obj).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        """Return plain data from JSON."""
        return msgspec.json.decode(s)
