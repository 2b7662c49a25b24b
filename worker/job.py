"""The data of jobs and results, and the state of a job, which is derived from the data.

uploading ──sealed──► queued ──first chunk begins──► running ──all done──► finished
│                    │                             │
└────────────────────┴──────────cancel─────────────┴──► cancelled
└──────────────────────error───────────────────────┴──► failed
"""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, TypeVar

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from solver.board.result import Outcome
from solver.board.text_lines import Lines
from solver.formats import FORMATS
from solver.formats.format import Context
from solver.logic.technique_table import GUESS
from solver.rules.variants import VARIANTS
from worker.boards import StoredBoard, unpack_board
from worker.explanations import StoredDifficulty, StoredExplanation, StoredOwnRating
from worker.folders import Folders
from worker.guess_classes import classes_of
from worker.minimality import StoredMinimality
from worker.option_texts import OPTION_TEXTS
from worker.true_candidates import StoredCandidates

_T = TypeVar("_T")


class JobState(StrEnum):
    """The state of a job. It is never stored but derived from the facts of a `Job`."""

    UPLOADING = "uploading"
    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAILED = "failed"

    @property
    def final(self) -> bool:
        """Whether the job can't change any more."""
        return self in (JobState.FINISHED, JobState.CANCELLED, JobState.FAILED)


def _meta(name: str, **more: Any) -> Meta:
    text = OPTION_TEXTS[name]
    return Meta(**{"title": text.title, "description": text.description} | more)


# This class declares the types, defaults, and bounds of every option. Forms, query parameters,
# JSON, and the API description derive from it through `worker.options`. `most` names the setting
# with the upper bound. `unset` describes the default in words.
class JobOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a job. `box`, `symbols`, and `variant` are kept as the user wrote them."""

    format: Annotated[
        str,
        _meta(
            "format",
            extra_json_schema={"enum": ["auto", *(format_.name for format_ in FORMATS)]},
        ),
    ] = "auto"
    limit: Annotated[int, _meta("limit", ge=1, extra={"most": "max_limit"})] = 2
    step_limit: Annotated[int, _meta("step_limit", ge=0, extra={"most": "max_step_limit"})] = (
        1_000_000
    )
    box: Annotated[
        str | None, _meta("box", examples=["2x3"], extra={"unset": "from the puzzle"})
    ] = None
    variant: Annotated[
        str | None,
        _meta(
            "variant",
            description=f"{OPTION_TEXTS['variant'].description} Any of: {', '.join(VARIANTS)}.",
            examples=["diagonal,antiknight"],
            extra={"unset": "none"},
        ),
    ] = None
    symbols: Annotated[
        str | None, _meta("symbols", examples=["ABCDEFGHI"], extra={"unset": "from the puzzle"})
    ] = None
    blank: Annotated[
        str | None, _meta("blank", examples=["."], extra={"unset": "from the puzzle"})
    ] = None
    count_only: Annotated[bool, _meta("count_only")] = False
    true_candidates: Annotated[bool, _meta("true_candidates")] = False
    minimal: Annotated[bool, _meta("minimal")] = False
    reduce: Annotated[bool, _meta("reduce")] = False
    minlex: Annotated[bool, _meta("minlex")] = False
    rate: Annotated[bool, _meta("rate")] = False
    rate_seconds: Annotated[
        int, _meta("rate_seconds", ge=1, extra={"most": "max_rate_seconds"})
    ] = 20
    explain: Annotated[bool, _meta("explain")] = False

    @property
    def lists(self) -> bool:
        """Whether all solutions found are stored, and not only the first one."""
        return self.limit > 2 and not self.count_only

    @property
    def keeps_two(self) -> bool:
        """Whether two solutions are stored of each puzzle that has several.

        They show a publisher where the puzzle is ambiguous. They take little time compared with the
        ratings.
        """
        return self.limit == 2 and self.rate and not self.count_only

    @property
    def asks_logic(self) -> bool:
        """Whether the options need human solving techniques."""
        return self.rate or self.explain

    @property
    def asks_minimality(self) -> bool:
        """Whether the options require a test of each given and constraint."""
        return self.minimal or self.reduce

    @property
    def studies(self) -> bool:
        """Whether chunks must be small because the options take much longer than solving."""
        return self.asks_logic or self.true_candidates or self.asks_minimality


class WebhookState(StrEnum):
    """The state of a job's webhook. It is never stored but derived from facts."""

    WAITING = "waiting"
    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class Webhook(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of a job's webhook. Times are as in `Job`.

    id            the notification's id, which is the same in all attempts
    url           the URL that gets the notification
    service_url   the URL of the service when the job was created, for the job's links
    attempts      attempts since the job's end, or since `since`
    since         when a user requested that the notification is sent again
    tried_at      when the last attempt ended
    error         the error of the last attempt, or None if it succeeded
    next_at       when the next attempt is planned after a failed one
    delivered_at  when the receiver confirmed the notification
    abandoned_at  when the notification was abandoned, after the last attempt failed
    tested_at     when the last test ended
    test_error    the error of the last test, or None if it succeeded
    """

    id: str
    url: str
    service_url: str
    attempts: int = 0
    since: float | None = None
    tried_at: float | None = None
    error: str | None = None
    next_at: float | None = None
    delivered_at: float | None = None
    abandoned_at: float | None = None
    tested_at: float | None = None
    test_error: str | None = None

    @property
    def is_settled(self) -> bool:
        """Whether no further attempt is planned: the notification was confirmed or abandoned."""
        return self.delivered_at is not None or self.abandoned_at is not None


class JobSource(msgspec.Struct, frozen=True):
    """The job whose records a job solves again, and the filter that selected these records.

    `where` has the filter's parameters as text, such as {"outcome": "solved"}.
    """

    job: str
    where: dict[str, str] = {}


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of a job, which define its state.

    Times are seconds since 1970 according to the clock of Redis. `sealed_at` is the time when the
    upload was complete, and `started_at` the time when the first chunk began. `cancelled_at` is
    also set when the job failed. `observed_at` is the time when these facts were read. `fault` is
    the reason why the job failed. `metadata` has the client's own keys and values. `source` is set
    if the records come from another job. `block_records` is the number of records per chunk that
    suits the puzzles, or None if it is unknown. `folders` is set when the upload of an archive with
    several folders is complete.

    `total` is the number of records, and `chunks` the number of chunks, stored so far. `outcomes`,
    `ratings`, `sudokuq_ratings`, and `techniques` contain numbers of completed records. `ratings`
    has the number for each Sudoku Explainer rating ("7.1"), lowest first, if rating was requested.
    `sudokuq_ratings` has the number for each sudokuq rating ("140"). `techniques` has the number of
    records that need a technique, in the order of HoDoKu's codes.
    """

    id: str
    name: str
    metadata: dict[str, str] = {}
    options: JobOptions
    format: str
    context: Context
    source: JobSource | None = None
    block_records: int | None = None
    folders: Folders | None = None
    created_at: float
    expires_at: float
    observed_at: float
    sealed_at: float | None = None
    started_at: float | None = None
    finished_at: float | None = None
    cancelled_at: float | None = None
    fault: str | None = None
    total: int = 0
    chunks: int = 0
    outcomes: dict[str, int] = {}
    ratings: dict[str, int] = {}
    sudokuq_ratings: dict[str, int] = {}
    techniques: dict[str, int] = {}
    webhook: Webhook | None = None

    @property
    def done(self) -> int:
        """The number of records that have an outcome."""
        return sum(self.outcomes.values())

    @property
    def title(self) -> str:
        """The job's name, or its number of puzzles if it has no name."""
        return self.name or f"{self.total:,} puzzle{'' if self.total == 1 else 's'}"

    @property
    def state(self) -> JobState:
        """The job's current state, derived from the times and the fault."""
        if self.fault is not None:
            return JobState.FAILED
        if self.cancelled_at is not None:
            return JobState.CANCELLED
        if self.finished_at is not None:
            return JobState.FINISHED
        if self.sealed_at is None:
            return JobState.UPLOADING
        return JobState.QUEUED if self.started_at is None else JobState.RUNNING

    @property
    def webhook_state(self) -> WebhookState:
        """The state of the job's webhook. It has no meaning if the job has none."""
        webhook = self.webhook
        if webhook is not None and webhook.delivered_at is not None:
            return WebhookState.DELIVERED
        if webhook is not None and webhook.abandoned_at is not None:
            return WebhookState.FAILED
        return WebhookState.PENDING if self.state.final else WebhookState.WAITING

    @property
    def ended_at(self) -> float | None:
        """The time when the job finished, was cancelled, or failed, or None."""
        return self.finished_at or self.cancelled_at

    @property
    def puzzles_per_second(self) -> float | None:
        """The average speed from the start of the first chunk until now or the job's end.

        None if no record is done.
        """
        if self.started_at is None or self.done == 0:
            return None
        return self.done / max((self.ended_at or self.observed_at) - self.started_at, 0.001)

    @property
    def eta_seconds(self) -> float | None:
        """Seconds until all records stored so far are done at the average speed.

        None if the job has ended, or if the speed is unknown.
        """
        if self.state.final or not self.puzzles_per_second:
            return None
        return (self.total - self.done) / self.puzzles_per_second


class ChunkResult(msgspec.Struct, frozen=True, kw_only=True):
    """The results of consecutive records, as columns of the same length n.

    lines      n × int64, little-endian: the line of each record in the upload
    outcomes   n × uint8: codes of `Outcome`
    counts     n × int64: solutions found
    steps      n × int64: guesses
    puzzles    n lines of text: the puzzle in the user's symbols
    solutions  n lines of text: the solution in the user's symbols, empty if there is none
    kinds      the distinct boards of the records; see `worker.boards`
    kind_of    n × int32, little-endian: index in `kinds` of each record's board, −1 if the record
               is not a puzzle or its board is too large to store
    details    remarks by position
    names      the names of records in the upload, by position
    own        the fields of the user's additional columns, by position
    own_names  the names of these columns
    candidates candidates given in the upload, by position: cells × uint64, little-endian, bits as
               in `solver.board.puzzle.Puzzle`
    listed     all solutions by position, if requested. In jobs with ratings and a limit of 2, two
               solutions of puzzles that have several.
    regions    regions of the solution, by position: cells × uint8, from 1 in reading order
    true_candidates, minimality  by position, if requested
    minlex     n lines of text: the canonical form, empty if there is none, if requested
    difficulties, own_ratings, explanations  by position, if requested
    source     the id of the job from which the records were selected, or ""
    source_numbers  n × int64, little-endian: the number of each record in that job, from 1

    Positions count from 0 in these columns. Columns "by position" have no entry for other records.
    Results of older versions, which stored no boards, have no kinds.
    """

    lines: bytes
    outcomes: bytes
    counts: bytes
    steps: bytes
    puzzles: Lines
    solutions: Lines
    kinds: tuple[bytes, ...] = ()
    kind_of: bytes = b""
    details: dict[int, str] = {}
    names: dict[int, str] = {}
    own: dict[int, tuple[str, ...]] = {}
    own_names: tuple[str, ...] = ()
    candidates: dict[int, bytes] = {}
    listed: dict[int, list[str]] = {}
    regions: dict[int, bytes] = {}
    minlex: Lines = Lines("")
    true_candidates: dict[int, StoredCandidates] = {}
    minimality: dict[int, StoredMinimality] = {}
    difficulties: dict[int, StoredDifficulty] = {}
    own_ratings: dict[int, StoredOwnRating] = {}
    explanations: dict[int, StoredExplanation] = {}
    source: str = ""
    source_numbers: bytes = b""

    def __len__(self) -> int:
        return len(self.outcomes)

    def outcome_counts(self) -> dict[str, int]:
        """Return the number of records by outcome, for the outcomes that occur."""
        codes = np.frombuffer(self.outcomes, np.uint8)
        numbers = np.bincount(codes, minlength=len(Outcome)).tolist()
        return {o.label: n for o, n in zip(Outcome, numbers, strict=True) if n}

    def solved(self) -> NDArray[np.bool_]:
        """Return an array (n,) that is True for the records that have a solution."""
        return self.integers(self.counts) > 0

    def rating_counts(self) -> dict[str, int]:
        """Return the number of records with each Sudoku Explainer rating, such as "7.1"."""
        ratings = (known.ratings for known in self.difficulties.values())
        return dict(Counter(f"{known[0] / 10:.1f}" for known in ratings if known is not None))

    def sudokuq_counts(self) -> dict[str, int]:
        """Return the number of records with each sudokuq rating, such as "140"."""
        ratings = (known.rating for known in self.own_ratings.values())
        return dict(Counter(f"{rating}" for rating in ratings if rating is not None))

    def step_counts(self) -> dict[str, dict[int, int]]:
        """Return the number of records as {outcome: {class of guesses: number}}.

        A class is a range of numbers of guesses (see `classes_of`), represented by its smallest
        number.
        """
        codes = np.frombuffer(self.outcomes, np.uint8)
        classes = classes_of(self.integers(self.steps))
        counts: dict[str, dict[int, int]] = {}
        for code in np.unique(codes).tolist():
            known, numbers = np.unique(classes[codes == code], return_counts=True)
            counts[Outcome(code).label] = dict(zip(known.tolist(), numbers.tolist(), strict=True))
        return counts

    def ratings(self) -> NDArray[np.int64]:
        """Return the Sudoku Explainer rating of each record in tenths, or −1 if it has none."""
        tenths = np.full(len(self), -1, np.int64)
        for place, known in self.difficulties.items():
            if known.ratings is not None:
                tenths[place] = known.ratings[0]
        return tenths

    def sudokuq_ratings(self) -> NDArray[np.int64]:
        """Return the sudokuq rating of each record, or −1 if it has none."""
        ratings = np.full(len(self), -1, np.int64)
        for place, known in self.own_ratings.items():
            if known.rating is not None:
                ratings[place] = known.rating
        return ratings

    def technique_counts(self) -> dict[str, int]:
        """Return the number of records that need each technique, by its HoDoKu code ("0003").

        Guesses aren't counted, because Sudoku Explainer's techniques take their place.
        """
        needed = Counter(code for known in self.difficulties.values() for code in known.counts)
        named = {f"{code:04}": number for code, number in needed.items()}
        named.pop(GUESS, None)
        return named

    @staticmethod
    def integers(column: bytes) -> NDArray[np.int64]:
        """Convert a column of int64 from bytes to an array."""
        return np.frombuffer(column, np.dtype("<i8"))

    def boards(self) -> list[StoredBoard | None]:
        """Return the board of each record.

        It is None if the record's board isn't stored, or if it uses rules that are unknown here.
        """
        if not self.kinds:
            return [None] * len(self)
        places = np.frombuffer(self.kind_of, "<i4").tolist()
        return [None if place < 0 else unpack_board(self.kinds[place]) for place in places]

    def slice(self, start: int, stop: int) -> "ChunkResult":
        """Return the results of the records at the positions start…stop−1, counted from 0."""
        whole = start == 0 and stop >= len(self)
        return self if whole else self.at(range(start, min(stop, len(self))))

    def at(self, places: Sequence[int]) -> "ChunkResult":
        """Return the results of the records at the given positions (from 0), in this order.

        The positions must differ.
        """
        taken = np.asarray(places, np.intp)
        moved = {place: n for n, place in enumerate(taken.tolist())}

        def column(values: bytes, kind: str) -> bytes:
            return np.frombuffer(values, kind)[taken].tobytes() if values else values

        def lines(every: Lines) -> Lines:
            return every.at(places, count=len(self)) if every else every

        def by_place(values: dict[int, _T]) -> dict[int, _T]:
            return {n: values[place] for place, n in moved.items() if place in values}

        return ChunkResult(
            lines=column(self.lines, "<i8"),
            outcomes=column(self.outcomes, "u1"),
            counts=column(self.counts, "<i8"),
            steps=column(self.steps, "<i8"),
            puzzles=lines(self.puzzles),
            solutions=lines(self.solutions),
            kinds=self.kinds,
            kind_of=column(self.kind_of, "<i4"),
            details=by_place(self.details),
            names=by_place(self.names),
            own=by_place(self.own),
            own_names=self.own_names,
            candidates=by_place(self.candidates),
            listed=by_place(self.listed),
            regions=by_place(self.regions),
            minlex=lines(self.minlex),
            true_candidates=by_place(self.true_candidates),
            minimality=by_place(self.minimality),
            difficulties=by_place(self.difficulties),
            own_ratings=by_place(self.own_ratings),
            explanations=by_place(self.explanations),
            source=self.source,
            source_numbers=column(self.source_numbers, "<i8"),
        )
