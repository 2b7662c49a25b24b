"""How many records all workers together did lately, in stretches of ten seconds."""

from typing import cast

from redis import Redis
from redis.client import Pipeline

from worker.store import keys

STRETCH = 10
STRETCHES = 30


def note_done(pipe: Pipeline, records: int, *, now: float) -> None:
    """Note with the other commands of a pipeline that so many records are done by now.

    That is in seconds since 1970 by the clock of Redis.
    """
    if records:
        key = keys.pace(int(now) // STRETCH)
        pipe.incrby(key, records)
        pipe.expire(key, STRETCH * (STRETCHES + 2))


class Pace:
    """Tells how many records were done when; every method may raise redis.RedisError."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def a_second(self) -> list[float]:
        """Return the records done a second in each of the last stretches, latest last.

        The stretch that is not over yet is left out.
        """
        seconds, _ = self._redis.time()
        now = int(seconds) // STRETCH
        names = [keys.pace(stretch) for stretch in range(now - STRETCHES, now)]
        return [
            int(number or 0) / STRETCH
            for number in cast("list[bytes | None]", self._redis.mget(names))
        ]
