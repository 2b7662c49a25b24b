"""Let workers test webhooks and deliver them again, for the API and the pages."""

from web.http import request_context
from web.http.errors import Problem
from worker.job import Job, Webhook


def send_test(job_id: str, *, seconds: float) -> Job | None:
    """Let a worker send a job to its webhook as a test, and return the job after that.

    Returns None if no worker has sent it within `seconds`. Raises Problem if the job doesn't exist
    or has no webhook.
    """
    _find(job_id)
    service = request_context.service()
    requested_at = service.webhooks.request_test(job_id)
    service.dispatcher.request_webhooks()

    def tested() -> Job | None:
        job, webhook = _find(job_id)
        return job if (webhook.tested_at or 0.0) >= requested_at else None

    return request_context.poll(tested, seconds)


def redeliver(job_id: str) -> None:
    """Let a worker send the notification of a job again, and return immediately.

    Raises Problem if the job doesn't exist, has no webhook, or hasn't ended.
    """
    job, _ = _find(job_id)
    if not job.state.final:
        detail = f"the job is {job.state}; its webhook is sent when it ends"
        raise Problem(409, detail, kind="job-not-finished")
    service = request_context.service()
    service.webhooks.request_again(job_id)
    service.dispatcher.request_webhooks()


def _find(job_id: str) -> tuple[Job, Webhook]:
    job = request_context.find_job(job_id)
    if job.webhook is None:
        raise Problem(404, "the job was created without a webhook", kind="webhook-not-found")
    return job, job.webhook
