"""Register the live workers, which send a report every second, and their current tasks."""

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
# Time for which a worker's number of done records is kept after its last heartbeat.
_DONE_SECONDS = 3_600


class Doing(msgspec.Struct, frozen=True):
    """The chunk that a worker process is solving, and the time when it started.

    `job` contains only the first characters of the job's id. `since` is in seconds since 1970.
    """

    job: str
    chunk: int
    since: float


class WorkerInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A worker's report about itself.

    `slots` is the number of slow records that it can work on at the same time. One more process
    solves fast records. `started_at` is in seconds since 1970. `missing` has the names of the units
    of code (`solver.preparing.Code`) that it is still compiling. Chunks that need these units wait.
    `preparing` describes them for people, or is "". Older versions have only `preparing`. `doing`
    contains the current tasks of its processes, and `done` is the number of records that it has
    done since its start. They are empty in the report that the worker sends, and `Registry.workers`
    fills them in.
    """

    name: str
    slots: int
    started_at: float
    missing: list[str] = []
    preparing: str = ""
    doing: list[Doing] = []
    done: int = 0


class Registry:
    """The registry of live workers. Every method can raise redis.RedisError."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def beat(self, worker: WorkerInfo) -> None:
        """Record a worker's heartbeat, and store its report for `SILENCE` seconds.

        Workers without a heartbeat for that long are removed.
        """
        now = redis_time(self._redis)
        with self._redis.pipeline() as pipe:
            pipe.zremrangebyscore(keys.WORKERS, "-inf", now)
            pipe.zadd(keys.WORKERS, {worker.name: now + SILENCE})
            pipe.expire(keys.WORKERS, SILENCE)
            pipe.set(keys.worker(worker.name), msgspec.json.encode(worker), ex=SILENCE)
            pipe.expire(keys.done(worker.name), _DONE_SECONDS)
            pipe.execute()

    def leave(self, name: str) -> None:
        """Remove a worker, its report, its current tasks, and its number of done records."""
        self._redis.zrem(keys.WORKERS, name)
        self._redis.unlink(keys.worker(name), keys.doing(name), keys.done(name))

    def start_task(self, name: str, process: int, *, job_id: str, chunk: int, since: float) -> None:
        """Record which chunk a process of the worker `name` is solving.

        `process` is the process ID. `since` is the start of the task, in seconds since 1970. The
        record is kept for at most an hour after the worker's last task began.
        """
        # The complete id would give access to the job, so only its beginning is shown.
        doing = Doing(shown_id(job_id), chunk, since)
        key = keys.doing(name)
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.hset(key, str(process), msgspec.json.encode(doing))
            pipe.expire(key, 3_600)
            pipe.execute()

    def end_task(self, name: str, process: int, *, pipe: Pipeline | None = None) -> None:
        """Record that a process of the worker `name` is idle.

        If a pipeline is given, the command is added to it instead of being executed.
        """
        (self._redis if pipe is None else pipe).hdel(keys.doing(name), str(process))

    def count_done(self, name: str, records: int, *, pipe: Pipeline) -> None:
        """Add commands to a pipeline that count records as done by the worker `name`."""
        if records:
            pipe.incrby(keys.done(name), records)
            pipe.expire(keys.done(name), _DONE_SECONDS)

    def workers(self) -> list[WorkerInfo]:
        """Return the reports of the live workers with their current tasks, sorted by name."""
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
                        done=int(cast("bytes | None", self._redis.get(keys.done(name))) or 0),
                    )
                )
        return alive

    def slots(self) -> int:
        """Return the total number of slots of all live workers, 0 without any. See `WorkerInfo`."""
        return sum(worker.slots for worker in self.workers())
