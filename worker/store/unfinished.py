"""The indexes of jobs that are not final: of all, by when to look at them, and of each client.

An entry that somebody died before he could take out goes with its job's expiry at the latest.
"""

from typing import cast

from redis import Redis
from redis.client import Pipeline

from worker.store import keys
from worker.store.keys import JobKeys


def note_unfinished(
    pipe: Pipeline, job_id: str, *, client: str, now: float, expires_at: float
) -> None:
    """Put a new job into the indexes."""
    for index, score in ((keys.ACTIVE, now), (keys.client(client), expires_at)):
        pipe.zadd(index, {job_id: score})
        # An index lasts as long as what is in it, also when later jobs are kept for less long.
        pipe.pexpireat(index, int(expires_at * 1000), nx=True)
        pipe.pexpireat(index, int(expires_at * 1000), gt=True)


def forget_unfinished(redis: Redis, job_id: str) -> None:
    """Take a job out of the indexes, while its facts are there."""
    client = cast("bytes | None", redis.hget(JobKeys(job_id).facts, "client"))
    redis.zrem(keys.ACTIVE, job_id)
    redis.zrem(keys.client((client or b"").decode()), job_id)
