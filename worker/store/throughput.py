"""Counts the records that all workers together have done recently, in periods of ten seconds."""

from typing import cast

from redis import Redis
from redis.client import Pipeline

from worker.store import keys

PERIOD_SECONDS = 10
PERIODS = 30


def count_done(pipe: Pipeline, records: int, *, now: float) -> None:
    """Add commands to a pipeline that count records as done in the current period.

    `now` is in seconds since 1970 according to the clock of Redis.
    """
    if records:
        key = keys.pace(int(now) // PERIOD_SECONDS)
        pipe.incrby(key, records)
        pipe.expire(key, PERIOD_SECONDS * (PERIODS + 2))


class Throughput:
    """Reads the recent throughput of all workers. The method can raise redis.RedisError."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def per_second(self) -> list[float]:
        """Return the records done per second in each of the last 30 complete periods.

        A period has `PERIOD_SECONDS`. The oldest one comes first.
        """
        seconds, _ = self._redis.time()
        now = int(seconds) // PERIOD_SECONDS
        names = [keys.pace(bucket) for bucket in range(now - PERIODS, now)]
        return [
            int(number or 0) / PERIOD_SECONDS
            for number in cast("list[bytes | None]", self._redis.mget(names))
        ]
