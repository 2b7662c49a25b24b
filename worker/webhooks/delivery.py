"""Delivers the webhooks that are due, several at the same time, and records the outcomes."""

import asyncio
import logging
import random
import ssl
import time

import msgspec
from redis.exceptions import RedisError

from worker.job import Job, Webhook
from worker.job_document import Links, job_document
from worker.logs import logging_about
from worker.service import Service
from worker.store.clock import redis_time
from worker.store.counters import WEBHOOKS, labeled
from worker.store.schema import StoredByNewer
from worker.store.webhooks import MAX_PAUSE, Claim
from worker.webhooks.sending import AttemptResult, send, tls_context
from worker.webhooks.signing import read_secret, sign
from worker.webhooks.targets import read_target

logger = logging.getLogger(__name__)

# The pause after the first failed attempt. It doubles with each attempt.
_FIRST_PAUSE = 2.0
# The share of a pause that is random, so that receivers aren't called by all jobs at once.
_JITTER = 0.5
_MAX_DOUBLINGS = 20
# Maximum number of notifications that a process sends at the same time.
_MAX_SENDING = 50
# Seconds after which a process that is still sending looks for others that are due.
_CLAIM_SECONDS = 0.25


def deliver_due(service: Service) -> None:
    """Send all notifications that are due, and tests of webhooks.

    Returns when none is due. If Redis fails, or the process dies, they are due again after a while.
    """
    asyncio.run(_deliver(service))


async def _deliver(service: Service) -> None:
    """Send due notifications until none is left, including those that become due in between.

    At most `_MAX_SENDING` are sent at the same time. If Redis fails, this is logged, and those that
    are being sent are still completed.
    """
    tls = tls_context()
    sending: set[asyncio.Task[None]] = set()
    while True:
        claims: list[Claim] = []
        try:
            claims = service.webhooks.claim(at_most=_MAX_SENDING - len(sending))
        except RedisError as error:
            logger.warning("could not look for webhooks that are due: %s", error)
        sending |= {asyncio.create_task(_deliver_one(service, claim, tls=tls)) for claim in claims}
        if not sending:
            return
        _, sending = await asyncio.wait(
            sending, timeout=_CLAIM_SECONDS, return_when=asyncio.FIRST_COMPLETED
        )


async def _deliver_one(service: Service, claim: Claim, *, tls: ssl.SSLContext) -> None:
    """Send a claimed notification or test, unless the job is gone or its webhook is settled.

    Errors are only logged. Then the claim isn't settled, so the notification becomes due again.
    """
    with logging_about(claim.job_id):
        try:
            job = service.jobs.get(claim.job_id)
            webhook = None if job is None else job.webhook
            if job is None or webhook is None:
                service.webhooks.settle(claim)
            elif claim.is_test:
                await _test(service, claim, job, webhook, tls=tls)
            elif webhook.is_settled:
                service.webhooks.settle(claim)
            else:
                await _attempt(service, claim, job, webhook, tls=tls)
        except StoredByNewer as error:
            logger.warning("left a webhook to newer workers: %s", error)
        except RedisError as error:
            logger.warning("could not record the delivery of a webhook: %s", error)
        except Exception:  # It must not affect the other webhooks, and is tried again.
            logger.exception("internal error while delivering a webhook")


async def _attempt(
    service: Service, claim: Claim, job: Job, webhook: Webhook, *, tls: ssl.SSLContext
) -> None:
    """Send a notification, record the outcome, and plan the next attempt, if any.

    A failed attempt is the last one if the receiver rejects further attempts, or if the next one
    would come too late. The log has a warning for each failed attempt.
    """
    result = await _send(service, job, webhook, message_id=webhook.id, tls=tls)
    now, attempts = redis_time(service.redis), webhook.attempts + 1
    next_at = delivered_at = abandoned_at = None
    if result.error is None:
        event, delivered_at = "delivered", now
    else:
        seconds = pause(attempts)
        until = (webhook.since or job.ended_at or now) + service.settings.webhook_seconds
        if result.is_final or now + seconds > until:
            event, abandoned_at = "abandoned", now
            plan = "this was the last one"
        else:
            event, next_at = "retried", now + seconds
            plan = f"the next one is in {seconds:.0f} s"
        logger.warning(
            "attempt %d to deliver a webhook failed (%s); %s", attempts, result.error, plan
        )
    service.webhooks.record(
        job.id,
        attempts=attempts,
        tried_at=now,
        error=result.error,
        next_at=next_at,
        delivered_at=delivered_at,
        abandoned_at=abandoned_at,
    )
    service.webhooks.settle(claim, next_at=next_at)
    service.counters.add({labeled(WEBHOOKS, event): 1})


async def _test(
    service: Service, claim: Claim, job: Job, webhook: Webhook, *, tls: ssl.SSLContext
) -> None:
    """Send the job in its current state once, and record the outcome as the outcome of a test.

    The message id begins with `test_`, so that receivers recognize it. A failed test isn't
    repeated.
    """
    message_id = f"test_{webhook.id}_{claim.until:.0f}"
    result = await _send(service, job, webhook, message_id=message_id, tls=tls)
    service.webhooks.record(job.id, tested_at=redis_time(service.redis), test_error=result.error)
    service.webhooks.settle(claim)


def pause(attempts: int) -> float:
    """Return the seconds to wait after this number of failed attempts (at least 1).

    They are random, from half of a limit to the limit. The limit is 2 seconds after the first
    attempt, and doubles with each further one, up to `MAX_PAUSE`.
    """
    longest = min(_FIRST_PAUSE * 2.0 ** min(attempts - 1, _MAX_DOUBLINGS), MAX_PAUSE)
    return random.uniform(longest * (1 - _JITTER), longest)  # noqa: S311 (not a secret)


async def _send(
    service: Service, job: Job, webhook: Webhook, *, message_id: str, tls: ssl.SSLContext
) -> AttemptResult:
    """Send the job document to the URL of its webhook, with a signature, and return the outcome.

    The outcome is an error without any attempt if the URL isn't allowed or the secret is missing.
    """
    settings = service.settings
    target = read_target(webhook.url, settings.hosts_for_webhooks())
    if isinstance(target, str):
        return AttemptResult(target)
    key = read_secret(service.webhooks.secret(job.id) or "")
    if key is None:
        return AttemptResult("the job has no valid secret")
    body = msgspec.json.encode(job_document(job, _links(webhook.service_url, job.id)))
    timestamp = int(time.time())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "sudokuq-webhook",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": sign(key, message_id=message_id, timestamp=timestamp, body=body),
    }
    return await send(target, body, headers, allowed=settings.networks_for_webhooks(), tls=tls)


def _links(service_url: str, job_id: str) -> Links:
    """Return the URLs of a job, its results, and its page."""
    itself = f"{service_url}/api/v1/jobs/{job_id}"
    return Links(itself=itself, results=f"{itself}/results", page=f"{service_url}/jobs/{job_id}")
