"""Indexes of active jobs, which are the jobs that are neither finished, cancelled, nor failed.

One index orders all active jobs by the time of their next check for lost chunks, and one by the
time when they expire. The others contain the active jobs of one client. If a process dies before it
removes an entry, the job's next check removes it.
"""

import time
from typing import cast

from redis import Redis
from redis.client import Pipeline

from worker.store import keys
from worker.store.clock import redis_time
from worker.store.counters import JOBS, add_to, labeled
from worker.store.keys import JobKeys
from worker.store.webhooks import add_pending

_SIZES = (False, True)  # whether the jobs are small
_LARGEST_CLOCK_DIFFERENCE = 3_600.0  # seconds between the clocks of two machines
# jobs at the end of the quota to check after another job has left it
_CHECKED_AT_THE_END = 16


class ActiveJobs:
    """The indexes of active jobs. Every method can raise redis.RedisError."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def ids(self) -> list[str]:
        """Return the ids of all active jobs, including jobs that expired since their last check."""
        active = cast("list[bytes]", self._redis.zrange(keys.ACTIVE, 0, -1))
        return [job_id.decode() for job_id in active]

    def count_all(self) -> int:
        """Return the number of active jobs of all clients, without expired ones."""
        return self._redis.zcount(keys.UNFINISHED, redis_time(self._redis), "+inf")

    def count(self, client: str) -> int:
        """Return the number of active jobs of a client, without expired ones.

        Expired ones are also removed from the client's index.
        """
        index = keys.client(client)
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.zremrangebyscore(index, "-inf", redis_time(self._redis))
            pipe.zcard(index)
            return int(pipe.execute()[1])

    def count_before(self, job_id: str, *, client: str) -> int:
        """Return how many of a client's active jobs come before the job `job_id`.

        A job comes before it if it expires earlier or was created earlier. Each job counts once.
        Expiry alone isn't enough: concurrent jobs, each expiring before the others, could then
        exceed a limit. Returns 0 if `job_id` isn't an active job of the client.
        """
        jobs = self._of_client(client)
        if job_id not in jobs:
            return 0
        rank = jobs.index(job_id)
        with self._redis.pipeline(transaction=False) as pipe:
            for each in jobs[rank:]:
                pipe.hget(JobKeys(each).facts, "created_at")
            own, *others = (float(created_at or "inf") for created_at in pipe.execute())
        return rank + sum(created_at < own for created_at in others)

    def waiting_records(self, job_id: str, *, client: str) -> int:
        """Return how many records of a client's active jobs have no result yet.

        The job `job_id` and the jobs that expire before it count as far as they have been uploaded.
        Jobs that expire later count only if their upload is complete.
        """
        jobs = self._of_client(client)
        before = jobs.index(job_id) if job_id in jobs else len(jobs)
        return sum(
            records
            for position, (records, is_sealed) in enumerate(self._waiting_records(jobs))
            if position <= before or is_sealed
        )

    def all_waiting_records(self, *, client: str) -> int:
        """Return the number of records without a result in all of a client's active jobs.

        Jobs whose upload is incomplete count as far as they have been uploaded.
        """
        return sum(records for records, _ in self._waiting_records(self._of_client(client)))

    def _waiting_records(self, jobs: list[str]) -> list[tuple[int, bool]]:
        """Return (records without a result, whether the upload is complete) for each job."""
        with self._redis.pipeline(transaction=False) as pipe:
            for each in jobs:
                pipe.hmget(JobKeys(each).facts, "total", "done", "sealed_at")
            return [
                (int(total or 0) - int(done or 0), sealed_at is not None)
                for total, done, sealed_at in pipe.execute()
            ]

    def _of_client(self, client: str) -> list[str]:
        """Return the ids of a client's active jobs. Those that expire first come first."""
        index = cast("list[bytes]", self._redis.zrange(keys.client(client), 0, -1))
        return [job_id.decode() for job_id in index]

    def add(
        self, pipe: Pipeline, job_id: str, *, client: str, now: float, expires_at: float
    ) -> None:
        """Add commands to a pipeline that enter a new job in the indexes, except the quota's.

        `now` is the time of its creation. Both times are in seconds since 1970. `share_of_quota`
        enters it in the indexes of jobs that share a quota.
        """
        _add(pipe, keys.ACTIVE, job_id, score=now, expires_at=expires_at)
        _add(pipe, keys.UNFINISHED, job_id, score=expires_at, expires_at=expires_at)
        _add(pipe, keys.client(client), job_id, score=expires_at, expires_at=expires_at)

    def remove(
        self, job_id: str, *, client: str | None = None, counted_as: str | None = None
    ) -> None:
        """Remove a job from the indexes. Does nothing if it isn't in them.

        If the job was in the index of all active jobs, and `counted_as` is one of the `JOB_EVENTS`,
        such as "finished", this event is counted. `client` is needed only if the job's facts no
        longer exist. Without it, the job's webhook is also added to the index of webhooks, if its
        notification is pending.
        """
        if client is None:
            client = self._client(job_id)
            # First, because the job's next check repeats this method if the process dies here.
            add_pending(self._redis, job_id)
        was_there = self._redis.zrem(keys.ACTIVE, job_id)
        with self._redis.pipeline(transaction=False) as pipe:
            if counted_as is not None and was_there:
                add_to(pipe, {labeled(JOBS, counted_as): 1})
            pipe.zrem(keys.UNFINISHED, job_id)
            pipe.zrem(keys.client(client), job_id)
            for small in _SIZES:
                pipe.zrem(keys.turns(client, small=small), job_id)
            pipe.execute()

    def share_of_quota(self, job_id: str, *, quota: int) -> int:
        """Return how many chunks of a job may be in flight (sent and not done).

        A client may have `quota` chunks of small jobs in flight, and `quota` chunks of big jobs. A
        job is small if it has one chunk, and none of its records has turned out to be slow. The
        client's jobs of the same size share the quota equally. Only the `quota` jobs that expire
        first get a share, so that a client doesn't get more chunks by having more jobs. Usually,
        these are the oldest ones.

        Adds the job to the index of the jobs that share the quota. Returns 0 if the job gets no
        share, doesn't exist, has ended, or is a still incomplete upload with a single chunk.
        """
        names = ("client", "expires_at", "chunks", "sealed_at", "long")
        facts = self._redis.hmget(JobKeys(job_id).facts, *names)
        client, expires_at, chunks, sealed_at, long = cast("list[bytes | None]", facts)
        if client is None or expires_at is None or (chunks == b"1" and sealed_at is None):
            return 0
        index = keys.turns(client.decode(), small=chunks == b"1" and long is None)
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.zremrangebyscore(index, "-inf", time.time() - _LARGEST_CLOCK_DIFFERENCE)
            _add(pipe, index, job_id, score=float(expires_at), expires_at=float(expires_at))
            pipe.zrank(index, job_id)
            pipe.zcard(index)
            pipe.hmget(JobKeys(job_id).facts, "created_at", "finished_at", "cancelled_at")
            *_, rank, jobs, (created_at, finished_at, cancelled_at) = pipe.execute()
        if created_at is None or finished_at is not None or cancelled_at is not None:
            # The job has become final in the meantime, and may have been removed from the indexes
            # before it was added here. Nothing else would free its share of the quota.
            self._redis.zrem(index, job_id)
            return 0
        return 0 if rank is None or rank >= quota else max(quota // min(jobs, quota), 1)

    def leave_small_jobs(self, job_id: str) -> None:
        """Remove a job from its client's small jobs, so that another gets its share of the quota.

        The next call of `share_of_quota` adds the job again, or adds it to the big jobs if one of
        its records has turned out to be slow.
        """
        self._redis.zrem(keys.turns(self._client(job_id), small=True), job_id)

    def next_in_quota(self, job_id: str, *, quota: int) -> list[str]:
        """Return jobs that may send chunks now because another job gave up its share of the quota.

        They are jobs of the client that created the job `job_id`, which gave it up. `quota` is the
        number passed to `share_of_quota`. All jobs near the end of the quota that have no chunk in
        flight are returned, and not only the last one. If two jobs end at the same time, two others
        move up, and each caller may see both or neither of them.
        """
        client = self._client(job_id)
        first = max(quota - _CHECKED_AT_THE_END, 0)
        with self._redis.pipeline(transaction=False) as pipe:
            for small in _SIZES:
                pipe.zrange(keys.turns(client, small=small), first, quota - 1)
            last = [entry.decode() for entries in pipe.execute() for entry in entries]
            for entry in last:
                pipe.zcard(JobKeys(entry).once["flight"])
            return [entry for entry, sent in zip(last, pipe.execute(), strict=True) if not sent]

    def _client(self, job_id: str) -> str:
        client = cast("bytes | None", self._redis.hget(JobKeys(job_id).facts, "client"))
        return (client or b"").decode()


def _add(pipe: Pipeline, index: str, job_id: str, *, score: float, expires_at: float) -> None:
    """Add commands that enter a job in an index with a score, unless it is in there.

    The index lasts at least until `expires_at`, in seconds since 1970.
    """
    pipe.zadd(index, {job_id: score}, nx=True)
    # An index lasts as long as its entries, even if later jobs are kept for a shorter time.
    pipe.pexpireat(index, int(expires_at * 1000), nx=True)
    pipe.pexpireat(index, int(expires_at * 1000), gt=True)
