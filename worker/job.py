"""Define the facts and options of jobs, and derive the state of a job from its facts.

uploading ──sealed──► queued ──first chunk begins──► running ──all done──► finished
│                    │                             │
└────────────────────┴──────────cancel─────────────┴──► cancelled
└──────────────────────error───────────────────────┴──► failed
"""

from enum import StrEnum
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from solver.formats import FORMATS
from solver.formats.format import Context
from solver.rules.variants import VARIANTS
from worker.folders import Folders
from worker.option_texts import OPTION_TEXTS

# The time left is estimated when the speed was measured for this many seconds, and for this many
# records or this share of the job's records, whichever is less.
_ETA_SECONDS = 5.0
_ETA_RECORDS = 20
_ETA_SHARE = 0.05


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
        """Whether the job has ended, so that its results can't change any more."""
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
        """Whether all solutions found are stored, instead of only the first one or two.

        That is the case if the limit is above 2 and the solutions aren't only counted.
        """
        return self.limit > 2 and not self.count_only

    @property
    def keeps_two(self) -> bool:
        """Whether two solutions are stored for each puzzle with several: in rated jobs of limit 2.

        They show a publisher where the puzzle is ambiguous, and cost little compared with the
        ratings. With a higher limit, `lists` applies instead. Jobs that only count store none.
        """
        return self.limit == 2 and self.rate and not self.count_only

    @property
    def needs_logic(self) -> bool:
        """Whether the options need human solving techniques."""
        return self.rate or self.explain

    @property
    def needs_minimality(self) -> bool:
        """Whether the options require a test of each given and constraint."""
        return self.minimal or self.reduce

    @property
    def studies(self) -> bool:
        """Whether chunks must be small because the options take much longer than solving."""
        return self.needs_logic or self.true_candidates or self.needs_minimality


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
    upload was complete, and `started_at` the time when the first chunk began. Solving began at
    `solving_at`. This is later than `started_at` if code for the puzzles was compiled first.
    `cancelled_at` is also set when the job failed. `observed_at` is the time when these facts were
    read. The current speed is measured since `paced_from`, when `paced_after` records were done.
    `fault` is the reason why the job failed. `metadata` has the client's own keys and values.
    `source` is set if the records come from another job. `block_records` is the number of records
    per chunk that suits the puzzles, or None if it is unknown. `folders` is set when the upload of
    an archive with several folders is complete.

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
    solving_at: float | None = None
    paced_from: float | None = None
    paced_after: int = 0
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
        """The job's current state, derived from the times and the fault.

        A fault takes precedence over a cancellation, and that over the regular end.
        """
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
        """When the job finished, was cancelled, or failed, in seconds since 1970, or None."""
        return self.finished_at or self.cancelled_at

    @property
    def seconds_compiling(self) -> float:
        """Seconds in which none of the job's records could be solved because code was compiled.

        It is 0 until solving begins.
        """
        if self.started_at is None or self.solving_at is None:
            return 0.0
        return self.solving_at - self.started_at

    @property
    def puzzles_per_second(self) -> float | None:
        """Records per second: recently, or on average since solving began if the job has ended.

        None if no record is done.
        """
        if self.solving_at is None or self.paced_from is None or self.done == 0:
            return None
        if self.ended_at is not None:
            return self.done / max(self.ended_at - self.solving_at, 0.001)
        return (self.done - self.paced_after) / max(self.observed_at - self.paced_from, 0.001)

    @property
    def eta_seconds(self) -> float | None:
        """Seconds until all records stored so far are done at the recent speed.

        None if the job has ended, or if the recent speed is 0 or was measured too briefly.
        """
        speed = self.puzzles_per_second
        if self.state.final or not speed or self.paced_from is None:
            return None
        recent = self.done - self.paced_after
        needed = min(_ETA_RECORDS, _ETA_SHARE * self.total)
        if recent < needed or self.observed_at - self.paced_from < _ETA_SECONDS:
            return None
        return (self.total - self.done) / speed
