"""Which jobs somebody made, newest first, as long as these are kept."""

import secrets
from typing import cast

from redis import Redis

from worker.settings import Settings
from worker.store import keys

MOST_OWNED = 10_000


class OwnedStore:
    """Lists of jobs by their owners; every method may raise redis.RedisError."""

    def __init__(self, redis: Redis, *, settings: Settings) -> None:
        self._redis = redis
        self._retention = max(int(settings.retention), 1)

    def add(self, owner: str, job_id: str, *, created_at: float) -> None:
        """Note that somebody made a job; beyond `MOST_OWNED` the oldest are left out."""
        key = keys.owned(owner)
        with self._redis.pipeline() as pipe:
            pipe.zadd(key, {job_id: created_at})
            pipe.zremrangebyscore(key, "-inf", created_at - self._retention)
            pipe.zremrangebyrank(key, 0, -MOST_OWNED - 1)
            pipe.expire(key, self._retention)
            pipe.execute()

    def jobs(self, owner: str, *, count: int, before: float | None = None) -> dict[str, float]:
        """Return the jobs made before a time, newest first, and when each was."""
        highest = "+inf" if before is None else f"({before!r}"
        found = self._redis.zrevrangebyscore(
            keys.owned(owner), highest, "-inf", start=0, num=count, withscores=True
        )
        return {job.decode(): at for job, at in cast("list[tuple[bytes, float]]", found)}

    def secret(self) -> str:
        """Return what signs the names of owners; all that share this Redis have the same.

        It is made when it is first asked for, and again when nobody has for as long as jobs are
        kept: no list is left by then.
        """
        with self._redis.pipeline() as pipe:
            pipe.set(keys.SIGNING, secrets.token_urlsafe(32), nx=True, ex=self._retention)
            pipe.getex(keys.SIGNING, ex=self._retention)
            _, secret = pipe.execute()
        return cast("bytes", secret).decode()

    def forget(self, owner: str, *jobs: str) -> None:
        """Forget some jobs of somebody, or all of them; the jobs themselves stay."""
        if jobs:
            self._redis.zrem(keys.owned(owner), *jobs)
        else:
            self._redis.unlink(keys.owned(owner))
