"""A job as the API shows it."""

import hashlib
from datetime import UTC, datetime
from typing import Any

import msgspec
from flask import url_for

from worker.job import Job


def job_json(job: Job) -> dict[str, Any]:
    """Return the members of a job's JSON."""
    speed, eta = job.puzzles_per_second, job.eta_seconds
    return {
        "id": job.id,
        "name": job.name,
        "state": str(job.state),
        "format": job.format,
        "created_at": moment(job.created_at),
        "started_at": moment(job.started_at),
        "finished_at": moment(job.ended_at),
        "expires_at": moment(job.expires_at),
        "total": job.total,
        "done": job.done,
        "outcomes": job.outcomes,
        "puzzles_per_second": None if speed is None else round(speed, 1),
        "eta_seconds": None if eta is None else round(eta, 1),
        "options": msgspec.to_builtins(job.options),
        "links": {
            "self": url_for("api.show_job", job_id=job.id, _external=True),
            "results": url_for("api.show_results", job_id=job.id, _external=True),
            "page": url_for("pages.job", job_id=job.id, _external=True),
        },
    }


def etag(job: Job) -> str:
    """Return what changes when state or progress of a job change."""
    facts = (job.id, job.state, job.total, job.done)
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:24]


def moment(seconds: float | None) -> str | None:
    """Return a time as RFC 3339 in UTC, to the millisecond."""
    if seconds is None:
        return None
    text = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")
