"""Convert a job to JSON, and define the schema.

The API responds with it, and webhooks send it.
"""

from datetime import UTC, datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from solver.logic.technique_table import name_of
from worker import job as facts
from worker.job import JobOptions, JobSource, JobState, WebhookState

Moment = Annotated[
    str, Meta(description="RFC 3339, in UTC", extra_json_schema={"format": "date-time"})
]


class Links(msgspec.Struct, frozen=True, kw_only=True):
    """URLs of the job, its results, and its page."""

    itself: Annotated[str, Meta(description="URL of the job.")] = msgspec.field(name="self")
    results: Annotated[str, Meta(description="URL of its results.")]
    page: Annotated[str, Meta(description="URL of its web page.")]


class WebhookTest(msgspec.Struct, frozen=True, kw_only=True):
    """The last test of a webhook: when it was sent, and why it failed."""

    sent_at: Moment
    error: Annotated[str | None, Meta(description="Why it failed, or null if it succeeded.")]


class Webhook(msgspec.Struct, frozen=True, kw_only=True):
    """The webhook of a job: a notification that is sent to `url` when the job ends.

    `attempts` counts the attempts since the end of the job, or since a user requested another
    delivery.
    """

    id: Annotated[
        str,
        Meta(
            description="Id of the notification, as in its header `webhook-id`. It's the same in "
            "all attempts."
        ),
    ]
    url: Annotated[str, Meta(description="URL that the notification is sent to.")]
    state: Annotated[
        WebhookState,
        Meta(
            description="waiting (for the end of the job), pending (until the receiver confirms "
            "it), delivered, or failed."
        ),
    ]
    attempts: Annotated[int, Meta(description="Number of attempts to deliver it.")]
    last_attempt_at: Annotated[Moment | None, Meta(description="When it was last sent, or null.")]
    last_error: Annotated[
        str | None, Meta(description="Why the last attempt failed, or null if it didn't.")
    ]
    next_attempt_at: Annotated[
        Moment | None, Meta(description="When it will be sent again after a failure, or null.")
    ]
    delivered_at: Annotated[
        Moment | None,
        Meta(description="When the receiver confirmed it with a status 2xx, or null."),
    ]
    last_test: Annotated[WebhookTest | None, Meta(description="The last test, or null.")]


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """The state and progress of a job.

    `outcomes` counts records by outcome. `ratings` and `techniques` count them by rating and by
    technique, if the job has these options.
    """

    id: Annotated[
        str,
        Meta(description="Id of the job. Anyone who has it can see, cancel, and delete the job."),
    ]
    name: Annotated[
        str, Meta(description="Name given at the upload, or the name of the uploaded file.")
    ]
    state: Annotated[
        JobState,
        Meta(
            description="uploading, queued, running, finished, cancelled, or failed. The last "
            "three are final."
        ),
    ]
    format: Annotated[str, Meta(description="Format in which the puzzles were read.")]
    created_at: Moment
    started_at: Annotated[
        Moment | None,
        Meta(description="When a worker started to solve the first puzzles, or null."),
    ]
    finished_at: Annotated[Moment | None, Meta(description="When the job ended, or null.")]
    expires_at: Moment
    total: Annotated[
        int,
        Meta(description="Number of records uploaded so far. It's complete when the upload is."),
    ]
    done: Annotated[int, Meta(description="Number of records that have a result.")]
    outcomes: Annotated[dict[str, int], Meta(description="Number of results with each outcome.")]
    ratings: Annotated[
        dict[str, int],
        Meta(
            description="Number of results with each Sudoku Explainer rating, with the option "
            "`rate`."
        ),
    ]
    sudokuq_ratings: Annotated[
        dict[str, int],
        Meta(
            description="Number of results with each sudokuq rating, with the option `rate`. These "
            "are puzzles whose board or rules Sudoku Explainer doesn't rate."
        ),
    ]
    fault: Annotated[str | None, Meta(description="Why the job failed, or null.")]
    techniques: Annotated[
        dict[str, int],
        Meta(
            description="Number of puzzles that need each technique, by its name, with the "
            "option `rate`."
        ),
    ]
    puzzles_per_second: Annotated[
        float | None,
        Meta(
            description="Speed in the last minute or so, or null before the first result. When the "
            "job has ended, the average speed. Time spent waiting for code to be compiled before "
            "the first puzzle doesn't count."
        ),
    ]
    eta_seconds: Annotated[
        float | None,
        Meta(
            description="Estimated seconds until all puzzles are done, or null if too few are done "
            "to estimate it."
        ),
    ]
    metadata: Annotated[
        dict[str, str], Meta(description="The keys and values given at the upload, unchanged.")
    ]
    source: Annotated[
        JobSource | None,
        Meta(
            description="The job whose puzzles this job solves again, and the filter that selected "
            "them, or null."
        ),
    ]
    options: JobOptions
    webhook: Annotated[
        Webhook | None, Meta(description="Webhook of the job and its delivery, or null.")
    ]
    links: Links


def job_document(job: facts.Job, links: Links) -> Job:
    """Convert a job's facts to the JSON document of the API and of webhooks.

    Techniques are named instead of coded. The speed and the remaining seconds are rounded to one
    decimal.
    """
    speed, eta = job.puzzles_per_second, job.eta_seconds
    return Job(
        id=job.id,
        name=job.title,
        state=job.state,
        format=job.format,
        created_at=moment(job.created_at),
        started_at=_moment(job.started_at),
        finished_at=_moment(job.ended_at),
        expires_at=moment(job.expires_at),
        total=job.total,
        done=job.done,
        outcomes=job.outcomes,
        ratings=job.ratings,
        sudokuq_ratings=job.sudokuq_ratings,
        fault=job.fault,
        techniques={name_of(code): number for code, number in job.techniques.items()},
        puzzles_per_second=None if speed is None else round(speed, 1),
        eta_seconds=None if eta is None else round(eta, 1),
        metadata=job.metadata,
        source=job.source,
        options=job.options,
        webhook=None if job.webhook is None else _webhook(job.webhook, job.webhook_state),
        links=links,
    )


def moment(seconds: float) -> str:
    """Format a Unix time as RFC 3339 in UTC with milliseconds."""
    text = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def _moment(seconds: float | None) -> str | None:
    return None if seconds is None else moment(seconds)


def _webhook(webhook: facts.Webhook, state: WebhookState) -> Webhook:
    tested_at = webhook.tested_at
    return Webhook(
        id=webhook.id,
        url=webhook.url,
        state=state,
        attempts=webhook.attempts,
        last_attempt_at=_moment(webhook.tried_at),
        last_error=webhook.error,
        next_attempt_at=_moment(webhook.next_at),
        delivered_at=_moment(webhook.delivered_at),
        last_test=None
        if tested_at is None
        else WebhookTest(sent_at=moment(tested_at), error=webhook.test_error),
    )
