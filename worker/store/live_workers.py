"""The registry of live workers and their current tasks, which they report every second."""

from typing import cast

import msgspec
from redis import Redis
from redis.client import Pipeline

from worker.logs import shown_id
from worker.store import keys
from worker.store.clock import redis_time

# A worker counts as gone after this many seconds without a heartbeat.
SILENCE = 5
_SLACK_SECONDS = 1.0


class Doing(msgspec.Struct, frozen=True):
    """The current task of a worker process. `job` is only the beginning of the id."""

    job: str
    chunk: int
    since: float


class WorkerInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A worker's report. `slots` is the number of chunks that it solves concurrently.

    `preparing` names the code that it is still compiling, and the progress. Chunks that need this
    code wait.
    """

    name: str
    slots: int
    started_at: float
    preparing: str = ""
    doing: list[Doing] = []


class Registry:
    """The live workers. Every method can raise redis.RedisError."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def beat(self, worker: WorkerInfo) -> None:
        """Record a worker's heartbeat, and store its report for a few seconds."""
        now = redis_time(self._redis)
        with self._redis.pipeline() as pipe:
            pipe.zremrangebyscore(keys.WORKERS, "-inf", now)
            pipe.zadd(keys.WORKERS, {worker.name: now + SILENCE})
            pipe.expire(keys.WORKERS, SILENCE)
            pipe.set(keys.worker(worker.name), msgspec.json.encode(worker), ex=SILENCE)
            pipe.execute()

    def leave(self, name: str) -> None:
        """Remove a worker from the registry."""
        self._redis.zrem(keys.WORKERS, name)
        self._redis.unlink(keys.worker(name), keys.doing(name))

    def start_task(self, name: str, process: int, *, job_id: str, chunk: int, since: float) -> None:
        """Record the current task of a worker process, and when it started."""
        # The complete id would give access to the job, so only its beginning is shown.
        doing = Doing(shown_id(job_id), chunk, since)
        key = keys.doing(name)
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.hset(key, str(process), msgspec.json.encode(doing))
            pipe.expire(key, 3_600)
            pipe.execute()

    def end_task(self, name: str, process: int, *, pipe: Pipeline | None = None) -> None:
        """Record that a worker process is idle, as part of a pipeline if given."""
        (self._redis if pipe is None else pipe).hdel(keys.doing(name), str(process))

    def workers(self) -> list[WorkerInfo]:
        """Return the live workers, sorted by name."""
        now = redis_time(self._redis)
        # Later entries are from before the clock was set back.
        alive_until = (now, now + SILENCE + _SLACK_SECONDS)
        names = cast("list[bytes]", self._redis.zrangebyscore(keys.WORKERS, *alive_until))
        alive = []
        for name in sorted(name.decode() for name in names):
            report = cast("bytes | None", self._redis.get(keys.worker(name)))
            if report is not None:
                doing = cast("dict[bytes, bytes]", self._redis.hgetall(keys.doing(name)))
                alive.append(
                    msgspec.structs.replace(
                        msgspec.json.decode(report, type=WorkerInfo),
                        doing=[msgspec.json.decode(d, type=Doing) for d in doing.values()],
                    )
                )
        return alive

    def slots(self) -> int:
        """Return how many chunks all workers together solve concurrently."""
        return sum(worker.slots for worker in self.workers())
