"""The list of jobs that each owner created, newest first, for as long as jobs are kept.

The secret that signs the names of owners is stored here, too.
"""

import secrets
from typing import cast

from redis import Redis

from worker.settings import Settings
from worker.store import keys

MAX_JOBS_PER_OWNER = 10_000


class JobOwners:
    """Lists of jobs by owner. Every method can raise redis.RedisError."""

    def __init__(self, redis: Redis, *, settings: Settings) -> None:
        self._redis = redis
        self._retention = max(int(settings.retention), 1)

    def add(self, owner: str, job_id: str, *, created_at: float) -> None:
        """Add a job to an owner's list.

        Jobs that must have expired by now, and the oldest ones beyond `MAX_JOBS_PER_OWNER`, are
        removed from the list. `created_at` is in seconds since 1970.
        """
        key = keys.owned(owner)
        with self._redis.pipeline() as pipe:
            pipe.zadd(key, {job_id: created_at})
            pipe.zremrangebyscore(key, "-inf", created_at - self._retention)
            pipe.zremrangebyrank(key, 0, -MAX_JOBS_PER_OWNER - 1)
            pipe.expire(key, self._retention)
            pipe.execute()

    def jobs(self, owner: str, *, count: int, before: float | None = None) -> dict[str, float]:
        """Return up to `count` of an owner's jobs as {job id: time of creation}, newest first.

        Times are in seconds since 1970. If `before` is given, only jobs created before it are
        returned. Some of the jobs may have been deleted or have expired.
        """
        highest = "+inf" if before is None else f"({before!r}"
        found = self._redis.zrevrangebyscore(
            keys.owned(owner), highest, "-inf", start=0, num=count, withscores=True
        )
        return {job.decode(): at for job, at in cast("list[tuple[bytes, float]]", found)}

    def secret(self) -> str:
        """Return the secret that signs owner names. All processes with the same Redis share it.

        It is created on first use. It expires if it isn't used for as long as jobs are kept,
        because then no owner has jobs any more.
        """
        with self._redis.pipeline() as pipe:
            pipe.set(keys.SIGNING, secrets.token_urlsafe(32), nx=True, ex=self._retention)
            pipe.getex(keys.SIGNING, ex=self._retention)
            _, secret = pipe.execute()
        return cast("bytes", secret).decode()

    def forget(self, owner: str, *jobs: str) -> None:
        """Remove the given jobs from an owner's list, or all jobs if none are given.

        The jobs themselves aren't deleted.
        """
        if jobs:
            self._redis.zrem(keys.owned(owner), *jobs)
        else:
            self._redis.unlink(keys.owned(owner))
