"""The chunks of jobs: dispatching, leases, and results. `recovery` finds the lost ones.

A chunk is a block of a job's records, and chunks are numbered from 0. A worker that solves a chunk
holds its lease. The lease expires if the worker doesn't renew it. The holder of a lease is
identified by a name that is unique to one attempt at the chunk.
"""

from dataclasses import dataclass, field
from typing import cast

import msgspec
from redis import Redis

from solver.board.checkpoint import Checkpoint
from solver.formats.format import Context
from worker.job import JobOptions
from worker.records.chunk_result import ChunkResult
from worker.records.selected_block import StoredBlock
from worker.settings import Settings
from worker.store import keys, schema
from worker.store.active_jobs import ActiveJobs
from worker.store.keys import JobKeys
from worker.store.scripts import ScriptReply, Scripts
from worker.store.serialization import pack, pack_checkpoint, unpack_block, unpack_checkpoint
from worker.store.statistics import TIME_SLOTS, bucket_of, counted

# A message counts as lost after this time, or much earlier while all queues are empty.
MESSAGE_TIMEOUT = 60
DEFERRED_SECONDS = 2
# The current speed of a job is measured in the last one or two periods. A period lasts at least
# this many seconds, and until at least this many records are done.
_PACE_SECONDS = 30
_PACE_RECORDS = 10
# After a slow record, the other records of the job are expected to be slow for this time.
_SLOW_EXPECTED_SECONDS = 10.0
# Larger checkpoints aren't stored. The search starts from the beginning instead.
_MAX_CHECKPOINT_BYTES = 16 << 20
_MISSING = "some puzzles of the job are missing in Redis"


class JobPlan(msgspec.Struct, frozen=True):
    """The facts of a job that a worker needs for each of its chunks. They never change.

    `format` is the name of the upload's format, and `context` is what the format needs to parse its
    records. `options` are the job's options. `trace` is the W3C traceparent of the span that covers
    the upload, or "".
    """

    format: str
    context: Context
    options: JobOptions
    trace: str = ""


@dataclass(frozen=True, slots=True)
class AcquiredChunk:
    """A chunk whose lease the caller has acquired, and how far earlier attempts at it came.

    block        the chunk's records as uploaded or as selected from another job, or the numbers of
                 the puzzles to generate
    done         the number of its records that already have a result
    attempts     attempts since the last stored result, including this one, without attempts that
                 released the lease
    one_by_one   whether an attempt crashed, so that its records must be solved one by one
    acquired_at  seconds since 1970 according to the clock of Redis
    slow         whether the next record was suspended as slow, or any record of the job was in
                 the last 10 seconds
    restarts     how often the next record was suspended without a new checkpoint
    checkpoint   the state from which the search for the next record resumes, if it was saved

    The next record is the first record without a result.
    """

    block: StoredBlock
    done: int
    attempts: int
    one_by_one: bool
    acquired_at: float
    slow: bool = False
    restarts: int = 0
    checkpoint: Checkpoint | None = None


@dataclass(frozen=True, slots=True)
class Busy:
    """Reply to an attempt to acquire a lease: another attempt, named `holder`, has it."""

    holder: str


@dataclass(frozen=True, slots=True)
class Newer:
    """Reply to an attempt to acquire a lease: only newer program versions can read the job.

    `schema` is the schema of the job's data. The caller must send the chunk to workers that can
    read it. It counts as sent at `sent_at`, in seconds since 1970 by the clock of Redis.
    """

    schema: int
    sent_at: float


@dataclass(frozen=True, slots=True)
class Dispatch:
    """Numbers of a job's chunks that the caller must send to the workers.

    All of them go to the queue for small jobs if `small` is True, and to the queue for big jobs
    otherwise. They count as sent at `sent_at`, in seconds since 1970 according to the clock of
    Redis. `lost` is how many of them had been sent before and were lost.
    """

    chunks: tuple[int, ...] = ()
    small: bool = False
    sent_at: float = field(default=0.0, compare=False)
    lost: int = field(default=0, compare=False)


class ChunkStore:
    """Leases and results of chunks. Every method can raise redis.RedisError."""

    def __init__(self, redis: Redis, *, settings: Settings) -> None:
        self._redis = redis
        self._lease = settings.lease_seconds
        self._scripts = Scripts(redis)
        self._active = ActiveJobs(redis)

    def plan(self, job_id: str) -> JobPlan | None:
        """Return the facts that workers need to solve a job's chunks.

        Returns None if the job doesn't exist.
        """
        names = ("format", "context", "options", "trace")
        facts = self._redis.hmget(JobKeys(job_id).facts, *names)
        format_, context, options, trace = cast("list[bytes | None]", facts)
        if format_ is None or context is None or options is None:
            return None
        return JobPlan(
            format_.decode(),
            msgspec.json.decode(context),
            msgspec.json.decode(options, type=JobOptions),
            (trace or b"").decode(),
        )

    def dispatch(self, job_id: str, *, quota: int) -> Dispatch:
        """Select the chunks of a job to send now, and record them as sent.

        The caller must send them. `quota` limits how many chunks of a client may be in flight (sent
        and not done). `ActiveJobs.share_of_quota` describes how the client's jobs share it. The
        result has no chunks if the job's share is used up, or if all chunks have been sent.
        """
        room = self._active.share_of_quota(job_id, quota=quota)
        now, small, *chunks = self._scripts.run(
            "dispatch", JobKeys(job_id), quota=room, message_timeout=MESSAGE_TIMEOUT
        )
        return Dispatch(tuple(chunks), small=bool(small), sent_at=float(now))

    def acquire(
        self, job_id: str, chunk: int, *, holder: str, dead: str = ""
    ) -> AcquiredChunk | Busy | Newer | None:
        """Acquire the lease of a chunk for an attempt to solve it.

        holder  the unique name of the attempt (a repeated call with it is not a new attempt)
        dead    the name of a holder that the caller knows to be dead, whose lease is ignored, or ""

        Returns Busy if another holder has the lease. Returns Newer if only a newer program version
        can read the job. Returns None if there is nothing to do, because the chunk is done, or
        because the job has ended or no longer exists. Also returns None if the chunk's puzzles are
        missing in Redis, after marking the job as failed.
        """
        job = JobKeys(job_id)
        word, *rest = self._scripts.run(
            "acquire",
            job,
            chunk=chunk,
            holder=holder,
            lease_seconds=self._lease,
            dead=dead,
            slow_seconds=_SLOW_EXPECTED_SECONDS,
            schema=schema.SCHEMA,
            message_timeout=MESSAGE_TIMEOUT,
        )
        match ScriptReply(word.decode()):
            case ScriptReply.ACQUIRED:
                now, done, attempts, one_by_one, slow, restarts, checkpoint = rest
                blob = cast("bytes | None", self._redis.get(job.input(chunk)))
                if blob is None:  # the job was cancelled or deleted at this moment
                    return None
                # The job must be checked when the lease could have expired, not only in its turn.
                acquired_at = float(now)
                due = {job_id: acquired_at + self._lease}
                self._redis.zadd(keys.ACTIVE, due, xx=True, lt=True)
                return AcquiredChunk(
                    unpack_block(blob),
                    done=done,
                    attempts=attempts,
                    one_by_one=bool(one_by_one),
                    acquired_at=acquired_at,
                    slow=bool(slow),
                    restarts=max(restarts, 0),
                    checkpoint=None if checkpoint is None else unpack_checkpoint(checkpoint),
                )
            case ScriptReply.BUSY:
                return Busy(rest[0].decode())
            case ScriptReply.NEWER:
                job_schema, now = rest
                return Newer(job_schema, sent_at=float(now))
            case ScriptReply.MISSING:
                self.fail(job_id, fault=_MISSING)
                return None
            case _:
                return None

    def renew(self, job_id: str, chunk: int, *, holder: str) -> bool:
        """Renew the lease of a chunk for another `lease_seconds` of the settings.

        Returns False if the job was cancelled or failed, or if `holder` no longer has the lease.
        """
        return bool(
            self._scripts.run(
                "renew", JobKeys(job_id), chunk=chunk, holder=holder, lease_seconds=self._lease
            )
        )

    def commit(
        self,
        job_id: str,
        chunk: int,
        *,
        done: int,
        total: int,
        result: ChunkResult,
        keep_records: bool = False,
        new_digests: bytes = b"",
    ) -> ScriptReply:
        """Store the results of the chunk's next records, and count them in the job's statistics.

        done          the number of the chunk's records that had a result before
        total         the number of records in the chunk
        result        the results of the records that follow the first `done` records
        keep_records  whether the records stay stored when the chunk is complete. They aren't needed
                      if they can be restored from their results.
        new_digests   the packed digests of generated puzzles, if these must be distinct, else b"".
                      `digests` returns them later.

        Returns MORE if the chunk is incomplete, CHUNK_DONE if it is complete now, and JOB_DONE if
        the whole job is, which is then no longer active. Returns STALE without storing anything if
        the job is finished, or if the chunk doesn't have exactly `done` results, because these
        results were already stored. Returns GONE if the job was cancelled or failed, or no longer
        exists.
        """
        job = JobKeys(job_id)
        part = job.new_part()
        with self._redis.pipeline() as pipe:
            pipe.delete(part)  # written by an earlier attempt whose response was lost
            pipe.rpush(part, pack(result))
            pipe.expire(part, keys.TAKEN_WITHIN)
            pipe.execute()
        word = self._scripts.run(
            "commit",
            job,
            chunk=chunk,
            part=part,
            before=done,
            size=len(result),
            all=total,
            keep=int(keep_records),
            added=msgspec.json.encode(counted(result)),
            steps_added=msgspec.json.encode(result.step_counts()),
            bucket=bucket_of(chunk),
            slots=TIME_SLOTS,
            new_digests=new_digests,
            pace_seconds=_PACE_SECONDS,
            pace_records=_PACE_RECORDS,
        )
        verdict = ScriptReply(word.decode())
        if verdict is ScriptReply.JOB_DONE:
            self._active.remove(job_id, counted_as="finished")
        return verdict

    def digests(self, job_id: str, *, start: int) -> list[bytes]:
        """Return the digests that were committed with results of a job, packed by `pack_digests`.

        There is one item for each commit with digests, in order, without the first `start` items.
        Returns an empty list if the job is done.
        """
        return cast("list[bytes]", self._redis.lrange(JobKeys(job_id).digests, start, -1))

    def requeue(self, job_id: str, chunk: int, *, holder: str) -> Dispatch:
        """Release the lease of a chunk, so that the chunk can be sent again immediately.

        Returns a `Dispatch` of the chunk, which the caller must send. It is empty if another holder
        has the lease by now, or if the chunk is no longer in flight. In all cases the attempt
        doesn't count as a crash.
        """
        now = self._scripts.run(
            "requeue", JobKeys(job_id), chunk=chunk, holder=holder, message_timeout=MESSAGE_TIMEOUT
        )
        return Dispatch() if now is None else Dispatch((chunk,), sent_at=float(now))

    def defer(
        self,
        job_id: str,
        chunk: int,
        *,
        holder: str,
        slow: bool = True,
        awaits_code: bool = False,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        """Release the lease of a chunk, and delay the chunk for a few seconds.

        After the delay, the recovery of lost chunks sends it again. Until then, a job that counts
        as small leaves its share of the client's quota to other jobs.

        slow         whether the chunk's next record was suspended because it is slow. If so, the
                     job never counts as small again.
        awaits_code  whether the worker is still compiling code that the chunk needs.
        checkpoint   the checkpoint of that record, stored only if `slow` is True. Without one, or
                     if it is too large, an earlier checkpoint stays in place.

        Does nothing if another holder has the lease by now.
        """
        packed = b"" if checkpoint is None else pack_checkpoint(checkpoint)
        if len(packed) > _MAX_CHECKPOINT_BYTES:
            packed = b""
        again = self._scripts.run(
            "defer", JobKeys(job_id), chunk=chunk, holder=holder, seconds=DEFERRED_SECONDS,
    slow=int(slow), packed=packed, awaits_code=int(awaits_code),
        )  # fmt: skip
        if again is not None:
            self._redis.zadd(keys.ACTIVE, {job_id: float(again)}, xx=True, lt=True)
            self._active.leave_small_jobs(job_id)

    def fail(self, job_id: str, *, fault: str) -> None:
        """Mark a job as failed, unless it has already ended. Results so far are kept.

        `fault` is the reason, as text for the user.
        """
        self._scripts.run("fail", JobKeys(job_id), fault=fault)
        self._active.remove(job_id, counted_as="failed")
