"""Webhooks of jobs: their facts, and the index of those that must be sent.

A notification is pending if its job has ended and it was neither confirmed nor abandoned. These are
facts of the job, which the script that ends the job makes true in one step. The index only says
when to send it. If it has no entry, because a process died, the job's next check adds it. Tests of
webhooks are also in the index.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import msgspec
from redis import Redis
from redis.client import Pipeline

from worker.job import Webhook
from worker.store import keys
from worker.store.clock import redis_time
from worker.store.keys import JobKeys
from worker.store.scripts import Scripts

# A process that has claimed a notification sends it within this time, or has died.
CLAIM_SECONDS = 13.0
# the longest pause between two attempts; later entries are from before the clock was set back
MAX_PAUSE = 3_600.0
_SLACK_SECONDS = 1.0
_TEST = ":test"
_MOMENTS = ("since", "tried_at", "next_at", "delivered_at", "abandoned_at", "tested_at")


@dataclass(frozen=True, slots=True)
class NewWebhook:
    """The webhook that an upload requests, its secret, and the service's URL for the links."""

    url: str
    secret: str
    service_url: str

    def facts(self) -> dict[str, str]:
        """Return the fields to store in the job's facts, with a new random id of the webhook."""
        return {
            "webhook_id": f"msg_{secrets.token_urlsafe(16)}",
            "webhook_url": self.url,
            "webhook_secret": self.secret,
            "webhook_service_url": self.service_url,
        }


@dataclass(frozen=True, slots=True)
class Claim:
    """A notification, or a test of it, that the caller has claimed and must send.

    It is due again at `until`, in seconds since 1970 according to the clock of Redis, unless the
    caller settles it.
    """

    job_id: str
    is_test: bool
    until: float

    @property
    def entry(self) -> str:
        """The entry in the index: the job's id, with a suffix if it is a test."""
        return self.job_id + (_TEST if self.is_test else "")


class WebhookStore:
    """The webhooks of all jobs, and when their notifications and tests are due.

    Callers `claim` those that are due, send them, and `settle` the claims. Every method can raise
    redis.RedisError.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._scripts = Scripts(redis)

    def has_due(self) -> bool:
        """Return whether a notification, or a test, is due now."""
        now = redis_time(self._redis)
        return bool(
            self._redis.zcount(keys.WEBHOOKS, "-inf", now)
            or self._redis.zcount(keys.WEBHOOKS, _latest(now), "+inf")
        )

    def claim(self, *, at_most: int) -> list[Claim]:
        """Claim and return up to `at_most` due notifications and tests, the most overdue first.

        They are due again if the caller doesn't `settle` them within `CLAIM_SECONDS`.
        """
        if at_most <= 0:
            return []
        now = redis_time(self._redis)
        until = now + CLAIM_SECONDS

        entries: list[str] = []

        def take(pipe: Pipeline) -> None:
            due = cast(
                "list[list[bytes]]",
                [
                    pipe.zrangebyscore(keys.WEBHOOKS, first, last, start=0, num=at_most)
                    for first, last in (("-inf", now), (_latest(now), "+inf"))
                ],
            )
            entries[:] = [entry.decode() for some in due for entry in some][:at_most]
            pipe.multi()
            if entries:
                pipe.zadd(keys.WEBHOOKS, dict.fromkeys(entries, until), xx=True)

        self._redis.transaction(take, keys.WEBHOOKS)
        return [Claim(entry.removesuffix(_TEST), entry.endswith(_TEST), until) for entry in entries]

    def settle(self, claim: Claim, *, next_at: float | None = None) -> None:
        """Remove a claimed notification from the index, or plan its next attempt.

        `next_at` is the time of that attempt in seconds since 1970, or None if there is none. Does
        nothing if the notification was claimed or requested again in the meantime.
        """

        def change(pipe: Pipeline) -> None:
            is_current = pipe.zscore(keys.WEBHOOKS, claim.entry) == claim.until
            pipe.multi()
            if is_current and next_at is None:
                pipe.zrem(keys.WEBHOOKS, claim.entry)
            elif is_current and next_at is not None:
                pipe.zadd(keys.WEBHOOKS, {claim.entry: next_at}, xx=True)

        self._redis.transaction(change, keys.WEBHOOKS)

    def secret(self, job_id: str) -> str | None:
        """Return the secret of a job's webhook, or None if there is none."""
        secret = cast("bytes | None", self._redis.hget(JobKeys(job_id).facts, "webhook_secret"))
        return None if secret is None else secret.decode()

    def record(self, job_id: str, **changes: float | str | None) -> bool:
        """Change facts of a job's webhook. They are named as in `Webhook`, and None deletes a fact.

        Returns False if the job doesn't exist or has no webhook, otherwise True.
        """
        texts = {
            f"webhook_{name}": "" if value is None else str(value)
            for name, value in changes.items()
        }
        return bool(
            self._scripts.run("record_webhook", JobKeys(job_id), changes=msgspec.json.encode(texts))
        )

    def request_again(self, job_id: str) -> None:
        """Plan to send the notification of an ended job again now.

        The outcome of earlier attempts is deleted, and attempts are counted from 0 again. Does
        nothing if the job doesn't exist or has no webhook.
        """
        changes: dict[str, float | str | None] = dict.fromkeys(
            ("next_at", "delivered_at", "abandoned_at", "error")
        )
        if self.record(job_id, attempts=0, since=redis_time(self._redis), **changes):
            self._plan(job_id, job_id)

    def request_test(self, job_id: str) -> float:
        """Plan to send the job to its webhook once as a test, and return the time of the request.

        It is in seconds since 1970 according to the clock of Redis. If the job doesn't exist,
        nothing is planned.
        """
        now = redis_time(self._redis)
        self._plan(job_id, job_id + _TEST)
        return now

    def _plan(self, job_id: str, entry: str) -> None:
        expires_at = cast("bytes | None", self._redis.hget(JobKeys(job_id).facts, "expires_at"))
        if expires_at is not None:
            with self._redis.pipeline() as pipe:
                pipe.zadd(keys.WEBHOOKS, {entry: redis_time(self._redis)})
                _keep_until(pipe, float(expires_at))
                pipe.execute()


def add_pending(redis: Redis, job_id: str) -> None:
    """Add the webhook of an ended job to the index, as due now, if its notification is pending.

    An entry that the index already has isn't changed.
    """
    names = ("webhook_url", "webhook_delivered_at", "webhook_abandoned_at", "expires_at")
    facts = redis.hmget(JobKeys(job_id).facts, *names)
    url, delivered_at, abandoned_at, expires_at = cast("list[bytes | None]", facts)
    if url is None or expires_at is None or delivered_at is not None or abandoned_at is not None:
        return
    with redis.pipeline() as pipe:
        pipe.zadd(keys.WEBHOOKS, {job_id: redis_time(redis)}, nx=True)
        _keep_until(pipe, float(expires_at))
        pipe.execute()


def read_webhook(facts: Mapping[bytes, bytes]) -> Webhook | None:
    """Return the webhook in the facts of a job, given by field, or None if it has none.

    It doesn't contain the secret.
    """

    def text(name: str) -> str | None:
        value = facts.get(f"webhook_{name}".encode())
        return None if value is None else value.decode()

    url = text("url")
    if url is None:
        return None
    moments = {name: text(name) for name in _MOMENTS}
    return Webhook(
        id=text("id") or "",
        url=url,
        service_url=text("service_url") or "",
        attempts=int(text("attempts") or 0),
        error=text("error"),
        test_error=text("test_error"),
        **{name: None if value is None else float(value) for name, value in moments.items()},
    )


def _keep_until(pipe: Pipeline, expires_at: float) -> None:
    """Add commands to a pipeline that keep the index at least until this time.

    It is in seconds since 1970. An index that is kept for longer isn't shortened.
    """
    pipe.pexpireat(keys.WEBHOOKS, int(expires_at * 1000), nx=True)
    pipe.pexpireat(keys.WEBHOOKS, int(expires_at * 1000), gt=True)


def _latest(now: float) -> float:
    return now + MAX_PAUSE + _SLACK_SECONDS
