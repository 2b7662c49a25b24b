"""The endpoints for tests and repeated deliveries of webhooks."""

from typing import Annotated

import msgspec
from flask import Blueprint, Response, jsonify
from msgspec import Meta

from web.api import webhooks
from web.api.job_json import accepted, job_json
from web.http import request_context
from web.schemas.operation import as_json, operation
from worker.job_document import Job

webhook_api = Blueprint("webhook_api", __name__, url_prefix="/api/v1/jobs/<job_id>/webhook")

_TEST_SECONDS = 15.0


class TestParameters(msgspec.Struct):
    """Query parameters of a request for a test."""

    wait: Annotated[
        float,
        Meta(
            ge=0,
            le=30,
            description="Maximum number of seconds to wait for the outcome.",
            examples=[0],
        ),
    ] = _TEST_SECONDS


@webhook_api.post("/test")
@operation(
    "Jobs",
    {
        200: as_json("The job. `webhook.last_test` has the outcome.", Job),
        202: as_json("The job, if no worker has sent the test within `wait`.", Job),
    },
    problems=("job-not-found", "webhook-not-found"),
    query=TestParameters,
)
def test_webhook(job_id: str) -> Response:
    """Send a job to its webhook now, as a test.

    The test contains the job in its current state. It changes neither the job nor the notification
    at its end.
    """
    seconds = request_context.seconds_to_wait(default=_TEST_SECONDS)
    job = webhooks.send_test(job_id, seconds=seconds)
    return accepted(request_context.find_job(job_id)) if job is None else jsonify(job_json(job))


@webhook_api.post("/redeliver")
@operation(
    "Jobs",
    {202: as_json("The job. A worker sends the notification.", Job)},
    problems=("job-not-found", "webhook-not-found", "job-not-finished"),
)
def redeliver_webhook(job_id: str) -> Response:
    """Send the notification of an ended job once more, with the same id."""
    webhooks.redeliver(job_id)
    return accepted(request_context.find_job(job_id))
