"""Find lost chunks: those whose lease expired or whose message disappeared.

Of all workers, one per second looks for lost chunks (`worker.process.celery_worker`) and sends them
again (`worker.dispatch`). `lua/recover.lua` decides which chunks are lost.
"""

from typing import Literal, cast

from redis import Redis

from worker.settings import Settings
from worker.store import chunks, keys, schema
from worker.store.active_jobs import ActiveJobs
from worker.store.chunks import Dispatch
from worker.store.clock import redis_time
from worker.store.keys import JobKeys
from worker.store.scripts import ScriptReply, Scripts

# the longest time between the moment that a message counts as sent and its arrival in the queue
MAX_SENDING_SECONDS = 1.0
MESSAGE_TIMEOUT_WHEN_EMPTY = 2
_MAX_JOBS_PER_CHECK = 100
_SLACK_SECONDS = 1.0


class Recovery:
    """Finds lost chunks. Every method can raise redis.RedisError."""

    def __init__(self, redis: Redis, *, settings: Settings) -> None:
        self._redis = redis
        self._lease = settings.lease_seconds
        self._upload_timeout = settings.upload_patience
        self._scripts = Scripts(redis)
        self._active = ActiveJobs(redis)

    def acquire_turn(self, *, seconds: float) -> bool:
        """Return whether the caller should look for lost chunks now.

        In a period of `seconds`, only the first caller gets True. Workers with different values of
        `schema.SCHEMA` don't affect each other.
        """
        milliseconds, lock = int(seconds * 1000), keys.recovery_lock(schema.SCHEMA)
        with self._redis.pipeline() as pipe:
            pipe.set(lock, 1, nx=True, px=milliseconds)
            # The expiration time is absolute in Redis, so setting the clock back would extend it.
            pipe.pexpire(lock, milliseconds, lt=True)
            is_first, _ = pipe.execute()
        return bool(is_first)

    def due_jobs(self, *, early: bool) -> list[str]:
        """Return the ids of jobs that are due for a check for lost chunks.

        Up to 100 jobs are returned whose planned time of the next check has passed, the most
        overdue ones first. If `early`, the planned times are ignored, and all active jobs count as
        due. If the clock of Redis was set back, some checks are planned much too late. Up to 100
        jobs with such checks follow at the end. Jobs that only a newer program version can read are
        skipped, because workers of that version check them.
        """
        now = redis_time(self._redis)
        # Checks are never planned later than this, so later ones are from before the clock was set
        # back.
        latest = now + chunks.MESSAGE_TIMEOUT + _SLACK_SECONDS
        due = self._due_between("-inf", "+inf" if early else now)
        return list(dict.fromkeys(due + self._due_between(latest, "+inf")))

    def recover(
        self, job_id: str, *, oldest: float | None
    ) -> Dispatch | Literal[ScriptReply.GONE, ScriptReply.INTERRUPTED]:
        """Select the lost chunks of a job, and record them as sent again.

        The caller must send them. A chunk is lost if its lease has expired, or if no worker has
        acquired the lease and the chunk's message has disappeared. Deferred chunks whose delay is
        over are also selected. Also plans the job's next check.

        `oldest` is the time when the oldest waiting message was sent (seconds since 1970), or None
        if no message is waiting. Messages that were sent later can still be waiting, so they don't
        count as lost. Earlier ones count as lost after `chunks.MESSAGE_TIMEOUT` seconds. If no
        message is waiting, they count as lost after `MESSAGE_TIMEOUT_WHEN_EMPTY` seconds.

        Returns GONE if the job has ended or no longer exists, after removing it from the indexes of
        active jobs. Returns INTERRUPTED if the upload was interrupted.
        """
        word, *rest = self._scripts.run(
            "recover",
            JobKeys(job_id),
            message_timeout=chunks.MESSAGE_TIMEOUT,
            timeout_when_empty=MESSAGE_TIMEOUT_WHEN_EMPTY,
            oldest=-1.0 if oldest is None else max(oldest - MAX_SENDING_SECONDS, 0.0),
            upload_timeout=self._upload_timeout,
            lease_seconds=max(self._lease, chunks.DEFERRED_SECONDS),
        )
        match ScriptReply(word.decode()):
            case ScriptReply.RECOVERED:
                now, again, small, lost, *found = rest
                self._redis.zadd(keys.ACTIVE, {job_id: float(again)}, xx=True)
                return Dispatch(tuple(found), bool(small), float(now), lost=lost)
            case ScriptReply.INTERRUPTED:
                return ScriptReply.INTERRUPTED
            case _:  # The process that ended the job may have died before it could count this.
                self._active.remove(job_id, counted_as=rest[0].decode() or "expired")
                return ScriptReply.GONE

    def _due_between(self, first: float | str, last: float | str) -> list[str]:
        found: list[str] = []
        start = 0
        while len(found) < _MAX_JOBS_PER_CHECK:
            some = cast(
                "list[bytes]",
                self._redis.zrangebyscore(
                    keys.ACTIVE, first, last, start=start, num=_MAX_JOBS_PER_CHECK
                ),
            )
            if not some:
                break
            start += len(some)
            jobs = [job_id.decode() for job_id in some]
            with self._redis.pipeline(transaction=False) as pipe:
                for job_id in jobs:
                    pipe.hget(JobKeys(job_id).facts, "schema")
                schemas = [int(stored or 1) for stored in pipe.execute()]
            found += [
                job_id
                for job_id, stored in zip(jobs, schemas, strict=True)
                if stored <= schema.SCHEMA
            ]
        return found[:_MAX_JOBS_PER_CHECK]
