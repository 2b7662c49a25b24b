"""Which workers are alive and what they are doing, as they say themselves every second."""

from typing import cast

import msgspec
from redis import Redis
from redis.client import Pipeline

from worker.logs import shown_id
from worker.store import keys

# A worker that has been silent for so many seconds counts as gone.
SILENCE = 5
_SLACK_SECONDS = 1.0


class Doing(msgspec.Struct, frozen=True):
    """What one process of a worker is doing; `job` is only the beginning of the id."""

    job: str
    chunk: int
    since: float


class WorkerInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker says of itself: `slots` is the number of chunks it solves at a time.

    `preparing` is for whom it still compiles, and how far it is; what needs that waits.
    """

    name: str
    slots: int
    started_at: float
    preparing: str = ""
    doing: list[Doing] = []


class Registry:
    """The workers alive; every method may raise redis.RedisError."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def beat(self, worker: WorkerInfo) -> None:
        """Say that a worker is alive."""
        now = self._now()
        with self._redis.pipeline() as pipe:
            pipe.zremrangebyscore(keys.WORKERS, "-inf", now)
            pipe.zadd(keys.WORKERS, {worker.name: now + SILENCE})
            pipe.expire(keys.WORKERS, SILENCE)
            pipe.set(keys.worker(worker.name), msgspec.json.encode(worker), ex=SILENCE)
            pipe.execute()

    def leave(self, name: str) -> None:
        """Say that a worker is gone."""
        self._redis.zrem(keys.WORKERS, name)
        self._redis.unlink(keys.worker(name), keys.doing(name))

    def begin(self, name: str, process: int, *, job_id: str, chunk: int, since: float) -> None:
        """Say what a process of a worker is doing, and since when."""
        # The id of a job is the permission to see it, so only its beginning is shown.
        doing = Doing(shown_id(job_id), chunk, since)
        key = keys.doing(name)
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.hset(key, str(process), msgspec.json.encode(doing))
            pipe.expire(key, 3_600)
            pipe.execute()

    def end(self, name: str, process: int, *, pipe: Pipeline | None = None) -> None:
        """Say that a process does nothing; with the other commands of a pipeline, if given."""
        (self._redis if pipe is None else pipe).hdel(keys.doing(name), str(process))

    def workers(self) -> list[WorkerInfo]:
        """Return the workers that are alive, by name."""
        now = self._now()
        # What counts as alive for longer was noted before the clock was set back.
        alive_until = (now, now + SILENCE + _SLACK_SECONDS)
        names = cast("list[bytes]", self._redis.zrangebyscore(keys.WORKERS, *alive_until))
        alive = []
        for name in sorted(name.decode() for name in names):
            said = cast("bytes | None", self._redis.get(keys.worker(name)))
            if said is not None:
                doing = cast("dict[bytes, bytes]", self._redis.hgetall(keys.doing(name)))
                alive.append(
                    msgspec.structs.replace(
                        msgspec.json.decode(said, type=WorkerInfo),
                        doing=[msgspec.json.decode(d, type=Doing) for d in doing.values()],
                    )
                )
        return alive

    def slots(self) -> int:
        """Return how many chunks all workers together solve at a time."""
        return sum(worker.slots for worker in self.workers())

    def _now(self) -> float:
        seconds, microseconds = self._redis.time()
        return seconds + microseconds / 1e6
