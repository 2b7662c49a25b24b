"""What the API answers with; the description of the API is made from these types."""

from typing import Annotated, Any

import msgspec
from flask.json.provider import JSONProvider
from msgspec import UNSET, Meta, UnsetType

from worker.job import JobOptions, JobState

Moment = Annotated[
    str, Meta(description="RFC 3339, in UTC", extra_json_schema={"format": "date-time"})
]


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why a request failed, by RFC 9457; where it helps with the place or the field."""

    type: str
    title: str
    status: int
    detail: str
    line: int | UnsetType = UNSET
    column: int | UnsetType = UNSET
    field: str | UnsetType = UNSET


class Links(msgspec.Struct, frozen=True, kw_only=True):
    """Where more of a job is."""

    itself: str = msgspec.field(name="self")
    results: str
    page: str


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """Where a job stands."""

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
    puzzles_per_second: float | None
    eta_seconds: float | None
    options: JobOptions
    links: Links


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
    """The workers alive, the messages that wait in each queue, and the speed of all jobs."""

    workers: list[Worker]
    queues: dict[str, int]
    puzzles_per_second: float


class Difficulty(msgspec.Struct, frozen=True, kw_only=True):
    """How hard a puzzle is: in a word, by Sudoku Explainer (ER, EP, ED), by HoDoKu."""

    word: str
    rating: float | None
    pearl: float | None
    diamond: float | None
    hodoku_score: int
    hodoku_level: str
    techniques: dict[str, int]


class Candidate(msgspec.Struct, frozen=True):
    """A value that a cell may have."""

    cell: str
    value: str


class Node(msgspec.Struct, frozen=True):
    """A step of a chain: one of these cells has the value, or none has."""

    cells: list[str]
    value: str


class Link(msgspec.Struct, frozen=True):
    """A link of a chain; `strong`: one of the two is true, `weak`: one is false."""

    start: Node
    end: Node
    kind: str


class Deduction(msgspec.Struct, frozen=True, kw_only=True):
    """One application of a technique, in a sentence and as data to draw it by.

    `marks` are candidates by role: placed, removed, fin, first and second (the two sides of what
    is either so or so), pattern.
    """

    technique: str
    code: str
    rating: float | None
    sentence: str
    placements: list[Candidate]
    eliminations: list[Candidate]
    cells: list[str]
    houses: list[str]
    covers: list[str]
    marks: dict[str, list[Candidate]]
    links: list[Link]


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """How a person would solve a puzzle, in order; `ending` is solved, stuck, cut or refused."""

    order: str
    ending: str
    solved: bool
    detail: str | None
    difficulty: Difficulty | None
    counts: dict[str, int]
    deductions: list[Deduction]


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
