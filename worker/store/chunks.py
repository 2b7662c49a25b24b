"""The other half of the job store: what workers ask of Redis about chunks."""

from dataclasses import dataclass
from typing import Literal, cast

import msgspec
from redis import Redis

from solver.formats.format import Block, Context
from worker.job import ChunkResult, JobOptions
from worker.settings import Settings
from worker.store import keys
from worker.store.blobs import pack, unpack_block
from worker.store.keys import JobKeys
from worker.store.scripts import Scripts

# A message that waits longer counts as lost; while all queues are empty it need not wait long.
SENT_PATIENCE = 60
SENT_PATIENCE_WHEN_EMPTY = 2


class JobPlan(msgspec.Struct, frozen=True):
    """What never changes about a job, and what its chunks need to be solved."""

    format: str
    context: Context
    options: JobOptions


@dataclass(frozen=True, slots=True)
class Work:
    """A chunk whose lease the caller has now.

    `done` records have a result already. `tries` counts the starts since the last result, this
    one included. `careful`: somebody died on this chunk, so go record by record.
    """

    block: Block
    done: int
    tries: int
    careful: bool


@dataclass(frozen=True, slots=True)
class Busy:
    """Somebody else has the lease."""

    holder: str


@dataclass(frozen=True, slots=True)
class Sending:
    """Chunks of a job that are to be sent to the queue for small or for big jobs."""

    chunks: tuple[int, ...]
    small: bool = False


class ChunkStore:
    """Leases and results of chunks; every method may raise redis.RedisError."""

    def __init__(self, redis: Redis, *, settings: Settings) -> None:
        self._redis = redis
        self._lease = settings.lease_seconds
        self._upload_patience = settings.upload_patience
        self._scripts = Scripts(redis)

    def plan(self, job_id: str) -> JobPlan | None:
        """Return how the chunks of a job are to be solved; None if there is no such job."""
        found = self._redis.hmget(JobKeys(job_id).facts, "format", "context", "options")
        format_, context, options = cast("list[bytes | None]", found)
        if format_ is None or context is None or options is None:
            return None
        return JobPlan(
            format_.decode(),
            msgspec.json.decode(context),
            msgspec.json.decode(options, type=JobOptions),
        )

    def take(self, job_id: str, *, window: int) -> Sending:
        """Take the chunks that may be sent now, so that at most `window` are on their way."""
        small, *chunks = self._scripts.run("take", JobKeys(job_id), window, SENT_PATIENCE)
        return Sending(tuple(chunks), small=bool(small))

    def begin(self, job_id: str, chunk: int, *, holder: str, dead: str = "") -> Work | Busy | None:
        """Take the lease of a chunk; None if there is nothing to do.

        `dead` names a holder that the caller knows to be dead: its lease does not count.
        """
        job = JobKeys(job_id)
        answer = self._scripts.run("begin", job, chunk, holder, self._lease, job.input(chunk), dead)
        if answer[0] == b"gone":
            return None
        if answer[0] == b"busy":
            return Busy(answer[1].decode())
        _, blob, done, tries, careful = answer
        return Work(unpack_block(blob), done=done, tries=tries, careful=bool(careful))

    def renew(self, job_id: str, chunk: int, *, holder: str) -> bool:
        """Keep a lease; False if the job was cancelled or the lease is somebody else's."""
        return bool(self._scripts.run("renew", JobKeys(job_id), chunk, holder, self._lease))

    def commit(self, job_id: str, chunk: int, *, done: int, total: int, result: ChunkResult) -> str:
        """Store the results that follow the first `done` of the chunk's `total` records.

        Returns "more", "chunk" or "job" for what is complete now, "stale" if these results
        were there already, "gone" if nobody wants them any more.
        """
        job = JobKeys(job_id)
        counts = [
            item
            for label, number in result.outcome_counts().items()
            for item in (f"outcome:{label}", number)
        ]
        answer = self._scripts.run(
            "commit", job, chunk, done, len(result), total, pack(result),
            job.input(chunk), job.output(chunk), *counts,
        )  # fmt: skip
        if answer == b"job":
            self._redis.zrem(keys.ACTIVE, job_id)
        return cast("bytes", answer).decode()

    def put_back(self, job_id: str, chunk: int, *, holder: str) -> bool:
        """Give up the lease of a chunk that the caller is going to send again."""
        return bool(self._scripts.run("put_back", JobKeys(job_id), chunk, holder, SENT_PATIENCE))

    def active_jobs(self) -> list[str]:
        """Return the jobs that are not final, oldest first."""
        found = cast("list[bytes]", self._redis.zrange(keys.ACTIVE, 0, -1))
        return [job_id.decode() for job_id in found]

    def lost(self, job_id: str, *, queues_empty: bool) -> Sending | Literal["gone", "broken"]:
        """Return the chunks of which nobody is heard, to be sent again.

        "gone": nothing is left to watch. "broken": the upload has fallen silent.
        """
        answer = self._scripts.run(
            "lost",
            JobKeys(job_id),
            SENT_PATIENCE,
            SENT_PATIENCE_WHEN_EMPTY if queues_empty else SENT_PATIENCE,
            self._upload_patience,
        )
        if answer[0] == b"broken":
            return "broken"
        if answer[0] == b"gone":
            self._redis.zrem(keys.ACTIVE, job_id)
            return "gone"
        return Sending(tuple(answer[2:]), small=bool(answer[1]))

    def may_sweep(self, *, seconds: float) -> bool:
        """Return True to one caller in so many seconds."""
        return bool(self._redis.set(keys.SWEEP, 1, nx=True, px=int(seconds * 1000)))
