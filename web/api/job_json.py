"""Conversion of jobs to the API's schema."""

import hashlib
from datetime import UTC, datetime

from flask import url_for

from solver.logic.technique_table import name_of
from web.schemas import responses
from worker.job import Job


def job_json(job: Job) -> responses.Job:
    """Convert a job to its schema in the API."""
    speed, eta = job.puzzles_per_second, job.eta_seconds
    return responses.Job(
        id=job.id,
        name=job.title,
        state=job.state,
        format=job.format,
        created_at=moment(job.created_at),
        started_at=None if job.started_at is None else moment(job.started_at),
        finished_at=None if job.ended_at is None else moment(job.ended_at),
        expires_at=moment(job.expires_at),
        total=job.total,
        done=job.done,
        outcomes=job.outcomes,
        ratings=job.ratings,
        fault=job.fault,
        techniques={name_of(code): number for code, number in job.techniques.items()},
        puzzles_per_second=None if speed is None else round(speed, 1),
        eta_seconds=None if eta is None else round(eta, 1),
        metadata=job.metadata,
        options=job.options,
        links=responses.Links(
            itself=url_for("api.get_job", job_id=job.id, _external=True),
            results=url_for("api.get_results", job_id=job.id, _external=True),
            page=url_for("pages.job", job_id=job.id, _external=True),
        ),
    )


def etag(job: Job) -> str:
    """Return a job's ETag, which changes with the job's state or progress."""
    facts = (job.id, job.state, job.total, job.done)
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:24]


def results_etag(job: Job, query: bytes) -> str:
    """Return the ETag of the results of a job that has ended, for a query string.

    Such results never change.
    """
    return hashlib.sha256(job.id.encode() + b"\0" + query).hexdigest()[:24]


def moment(seconds: float) -> str:
    """Format a Unix time as RFC 3339 in UTC with milliseconds."""
    text = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")
