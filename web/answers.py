"""What the API answers with; the description of the API is made from these types."""

from typing import Annotated, Any

import msgspec
from flask.json.provider import JSONProvider
from msgspec import UNSET, Meta, UnsetType

from web.problem_types import PROBLEM_TYPES
from worker.job import JobOptions, JobState

Moment = Annotated[
    str, Meta(description="RFC 3339, in UTC", extra_json_schema={"format": "date-time"})
]


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why a request failed (RFC 9457), with the place or the field where that helps.

    `type` is the stable name of the kind of problem, `request_id` finds the request in the log.
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
    """Where more of a job is."""

    itself: str = msgspec.field(name="self")
    results: str
    page: str


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """Where a job stands; `ratings` and `techniques` count records, where that was asked for."""

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
    """Jobs, newest first, and the `cursor` that asks for the next ones."""

    jobs: list[Job]
    cursor: str | None


class FirstPuzzle(msgspec.Struct, frozen=True, kw_only=True):
    """One of the first puzzles of an upload, drawn as SVG unless it is too large for that."""

    line: int
    name: str | None
    puzzle: str
    rules: list[str]
    detail: str | None
    drawing: str | None


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with a record that begins in a line."""

    line: int
    detail: str


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """What the beginning of an upload tells; `checked` of the records were read."""

    format: str
    description: str
    records: int
    checked: int
    problems: int
    first: list[FirstPuzzle]
    troubles: list[Trouble]


class Described(msgspec.Struct, frozen=True):
    """Something that is known by its name."""

    name: str
    description: str
    example: str


class Formats(msgspec.Struct, frozen=True):
    """The formats that are read."""

    formats: list[Described]


class Variants(msgspec.Struct, frozen=True):
    """The variants of whole grids, and the constraints on some cells."""

    variants: list[Described]
    constraints: list[Described]


class Doing(msgspec.Struct, frozen=True):
    """What one process of a worker is doing; `job` is the beginning of an id."""

    job: str
    chunk: int
    since: Moment


class Worker(msgspec.Struct, frozen=True):
    """A worker that is alive, and how many chunks it solves at a time."""

    name: str
    slots: int
    started_at: Moment
    doing: list[Doing]


class Workers(msgspec.Struct, frozen=True):
    """The workers alive, the messages that wait in each queue, and the speed of all jobs.

    `lately` has the puzzles done a second in each ten seconds of the last five minutes.
    """

    workers: list[Worker]
    queues: dict[str, int]
    puzzles_per_second: float
    lately: list[float]


class Technique(msgspec.Struct, frozen=True, kw_only=True):
    """A technique: HoDoKu's code, score and level, the lowest rating by Sudoku Explainer.

    `example` is a puzzle that needs it. `usual` is false for what explanations do not use unasked.
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
    """The techniques of HoDoKu's ladder, and those that only Sudoku Explainer has."""

    hodoku: list[Technique]
    explainer: list[Technique]


class Provider(JSONProvider):
    """Writes answers as JSON for Flask."""

    def dumps(self, obj: Any, **_: Any) -> str:
        """Return an answer, or plain data, as JSON."""
        return msgspec.json.encode(obj).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        """Return plain data from JSON."""
        return msgspec.json.decode(s)
