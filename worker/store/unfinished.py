"""Indexes of active jobs: of all jobs, by the time of their next check, and per client.

If a process dies before it removes an entry, the job's next check removes it.
"""

import time
from typing import cast

from redis import Redis
from redis.client import Pipeline

from worker.store import keys
from worker.store.counters import JOBS, add_to, labelled
from worker.store.keys import JobKeys

_KINDS = (False, True)  # whether the jobs are small
_CLOCKS_APART = 3_600.0
# jobs at the end of the window to check after another job has left it
_LAST = 16


def note_unfinished(
    pipe: Pipeline, job_id: str, *, client: str, now: float, expires_at: float
) -> None:
    """Add a new job to the indexes."""
    _note(pipe, keys.ACTIVE, job_id, score=now, expires_at=expires_at)
    _note(pipe, keys.UNFINISHED, job_id, score=expires_at, expires_at=expires_at)
    _note(pipe, keys.client(client), job_id, score=expires_at, expires_at=expires_at)


def forget_unfinished(
    redis: Redis, job_id: str, *, client: str | None = None, counted_as: str | None = None
) -> None:
    """Remove a job from the indexes, and count how it ended if it was in them.

    `client` is needed only if the job's facts no longer exist.
    """
    client = _client(redis, job_id) if client is None else client
    was_there = redis.zrem(keys.ACTIVE, job_id)
    with redis.pipeline(transaction=False) as pipe:
        if counted_as is not None and was_there:
            add_to(pipe, {labelled(JOBS, counted_as): 1})
        pipe.zrem(keys.UNFINISHED, job_id)
        pipe.zrem(keys.client(client), job_id)
        for small in _KINDS:
            pipe.zrem(keys.turns(client, small=small), job_id)
        pipe.execute()


def share_of_window(redis: Redis, job_id: str, *, window: int) -> int:
    """Return how many chunks of a job can be in flight.

    Its client has a window of `window` chunks, which its oldest jobs share, small and big jobs
    separately. At most `window` jobs share it, so that no client gets more by having many jobs. A
    small job has one chunk, in which no record has turned out to be long.
    """
    names = ("client", "expires_at", "chunks", "sealed_at", "long")
    known = redis.hmget(JobKeys(job_id).facts, *names)
    client, expires_at, chunks, sealed_at, long = cast("list[bytes | None]", known)
    if client is None or expires_at is None or (chunks == b"1" and sealed_at is None):
        return 0
    index = keys.turns(client.decode(), small=chunks == b"1" and long is None)
    with redis.pipeline(transaction=False) as pipe:
        pipe.zremrangebyscore(index, "-inf", time.time() - _CLOCKS_APART)
        _note(pipe, index, job_id, score=float(expires_at), expires_at=float(expires_at))
        pipe.zrank(index, job_id)
        pipe.zcard(index)
        pipe.hmget(JobKeys(job_id).facts, "created_at", "finished_at", "cancelled_at")
        *_, rank, jobs, (created_at, finished_at, cancelled_at) = pipe.execute()
    if created_at is None or finished_at is not None or cancelled_at is not None:
        # The job has become final in the meantime, and may have been removed from the indexes
        # before it was added here. Nothing else would free its place in the window.
        redis.zrem(index, job_id)
        return 0
    return 0 if rank is None or rank >= window else max(window // min(jobs, window), 1)


def leave_small_jobs(redis: Redis, job_id: str) -> None:
    """Remove a job from its client's small jobs because one of its records is long."""
    redis.zrem(keys.turns(_client(redis, job_id), small=True), job_id)


def next_in_turn(redis: Redis, job_id: str, *, window: int) -> list[str]:
    """Return the jobs of the same client that have room now because this job left the window.

    These are not only the last in the window: if two jobs end at the same time, two move up, and
    each caller may see both or neither.
    """
    client = _client(redis, job_id)
    with redis.pipeline(transaction=False) as pipe:
        for small in _KINDS:
            pipe.zrange(keys.turns(client, small=small), max(window - _LAST, 0), window - 1)
        last = [entry.decode() for entries in pipe.execute() for entry in entries]
        for entry in last:
            pipe.zcard(JobKeys(entry).once["flight"])
        return [entry for entry, flying in zip(last, pipe.execute(), strict=True) if not flying]


def _note(pipe: Pipeline, index: str, job_id: str, *, score: float, expires_at: float) -> None:
    pipe.zadd(index, {job_id: score}, nx=True)
    # An index lasts as long as its entries, even if later jobs are kept for a shorter time.
    pipe.pexpireat(index, int(expires_at * 1000), nx=True)
    pipe.pexpireat(index, int(expires_at * 1000), gt=True)


def _client(redis: Redis, job_id: str) -> str:
    client = cast("bytes | None", redis.hget(JobKeys(job_id).facts, "client"))
    return (client or b"").decode()
