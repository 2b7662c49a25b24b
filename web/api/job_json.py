"""Convert jobs to JSON for the API, and compute their ETags."""

import hashlib

from flask import Response, jsonify, url_for

from worker import job_document
from worker.job import Job
from worker.job_document import Links

# Seconds until a client should poll a job that was accepted.
POLL_SECONDS = 1


def job_json(job: Job) -> job_document.Job:
    """Convert a job to its schema in the API.

    Its links are absolute URLs, with the host of the current request.
    """
    links = Links(
        itself=url_for("api.get_job", job_id=job.id, _external=True),
        results=url_for("api.get_results", job_id=job.id, _external=True),
        page=url_for("pages.job", job_id=job.id, _external=True),
    )
    return job_document.job_document(job, links)


def accepted(job: Job) -> Response:
    """Return a response with the job and status 202.

    The headers have the job's URL (Location) and the seconds until the client should ask again
    (Retry-After).
    """
    response = jsonify(job_json(job))
    response.status_code = 202
    response.headers["Location"] = url_for("api.get_job", job_id=job.id)
    response.headers["Retry-After"] = str(POLL_SECONDS)
    return response


def etag(job: Job) -> str:
    """Return a job's ETag, which changes with the job's state, progress, or webhook."""
    facts = (job.id, job.state, job.total, job.done, job.webhook)
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:24]


def results_etag(job: Job, query: bytes) -> str:
    """Return the ETag of the results of a job that has ended, for a query string.

    Such results never change.
    """
    return hashlib.sha256(job.id.encode() + b"\0" + query).hexdigest()[:24]
