"""How many records all workers together did lately, in stretches of ten seconds."""

from typing import cast

from redis import Redis

from worker.store import keys

STRETCH = 10
STRETCHES = 30


class Pace:
    """Counts records by when they were done; every method may raise redis.RedisError."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def add(self, records: int) -> None:
        """Note that so many records are done now."""
        key = keys.pace(self._now())
        with self._redis.pipeline() as pipe:
            pipe.incrby(key, records)
            pipe.expire(key, STRETCH * (STRETCHES + 2))
            pipe.execute()

    def a_second(self) -> list[float]:
        """Return the records done a second in each of the last stretches, latest last.

        The stretch that is not over yet is left out.
        """
        now = self._now()
        names = [keys.pace(bucket) for bucket in range(now - STRETCHES, now)]
        return [
            int(number or 0) / STRETCH
            for number in cast("list[bytes | None]", self._redis.mget(names))
        ]

    def _now(self) -> int:
        seconds, _ = self._redis.time()
        return int(seconds) // STRETCH
