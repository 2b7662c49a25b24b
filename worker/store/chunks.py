"""The chunks of jobs: dispatch, leases, results, and reclaiming of lost ones."""

from dataclasses import dataclass, field
from typing import Literal, cast

import msgspec
from redis import Redis

from solver.board.checkpoint import Checkpoint
from solver.formats.format import Block, Context, DigitBlock
from worker.job import ChunkResult, JobOptions
from worker.settings import Settings
from worker.store import keys, schema
from worker.store.active_jobs import ActiveJobs
from worker.store.clock import redis_time
from worker.store.keys import JobKeys
from worker.store.scripts import ScriptReply, Scripts
from worker.store.serialization import pack, pack_checkpoint, unpack_block, unpack_checkpoint
from worker.store.statistics import TIME_SLOTS, bucket_of, counted

# A message counts as lost after this time, or much earlier while all queues are empty.
MESSAGE_TIMEOUT = 60
# the longest time between the moment that a message counts as sent and its arrival in the queue
MAX_SENDING_SECONDS = 1.0
_DEFERRED_SECONDS = 2
# After a slow record, the other records of the job are expected to be slow for this time.
_SLOW_EXPECTED_SECONDS = 10.0
# Larger checkpoints aren't stored. The search starts from the beginning instead.
_MAX_CHECKPOINT_BYTES = 16 << 20
_MAX_JOBS_PER_CHECK = 100
_SLACK_SECONDS = 1.0
_MISSING = "some puzzles of the job are missing in Redis"
MESSAGE_TIMEOUT_WHEN_EMPTY = 2


class JobPlan(msgspec.Struct, frozen=True):
    """The facts of a job that never change and that its chunks need."""

    format: str
    context: Context
    options: JobOptions
    trace: str = ""


@dataclass(frozen=True, slots=True)
class AcquiredChunk:
    """A chunk whose lease the caller has acquired, and how far earlier attempts at it came.

    done         the number of its records that already have a result
    attempts     attempts since the last result, including this one
    one_by_one   whether an attempt crashed, so that its records must be solved one by one
    acquired_at  seconds since 1970 according to the clock of Redis
    slow         whether the next record, or a record of another chunk of the job, was slow
    restarts     how often the next record was started and then suspended without a checkpoint
    checkpoint   the state from which the search for the next record resumes, if it was saved
    """

    block: Block | DigitBlock
    done: int
    attempts: int
    one_by_one: bool
    acquired_at: float
    slow: bool = False
    restarts: int = 0
    checkpoint: Checkpoint | None = None


@dataclass(frozen=True, slots=True)
class Busy:
    """Reply to an attempt to acquire a lease that another holder has."""

    holder: str


@dataclass(frozen=True, slots=True)
class Newer:
    """Reply to an attempt to acquire a lease of a job that only newer versions can read."""

    schema: int


@dataclass(frozen=True, slots=True)
class Dispatch:
    """Chunks of a job to send, all to the queue for small jobs or to that for big jobs.

    The chunks count as sent at `sent_at`, by the clock of Redis. `lost` of them had been sent
    before and were lost.
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
        self._upload_timeout = settings.upload_patience
        self._scripts = Scripts(redis)
        self._active = ActiveJobs(redis)

    def plan(self, job_id: str) -> JobPlan | None:
        """Return the facts that are needed to solve a job's chunks, or None if it doesn't exist."""
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

        At most `quota` chunks are in flight per client. The jobs of a client share this quota. The
        caller must send the chunks.
        """
        room = self._active.share_of_quota(job_id, quota=quota)
        now, small, *chunks = self._scripts.run(
            "dispatch", JobKeys(job_id), quota=room, message_timeout=MESSAGE_TIMEOUT
        )
        return Dispatch(tuple(chunks), small=bool(small), sent_at=float(now))

    def acquire(
        self, job_id: str, chunk: int, *, holder: str, dead: str = ""
    ) -> AcquiredChunk | Busy | Newer | None:
        """Acquire the lease of a chunk. Returns None if there is nothing to do.

        holder  names one attempt, so a repeated call with the same holder is not a new attempt
        dead    names a holder that the caller knows to be dead; its lease is ignored

        Returns Busy if another holder has the lease, and Newer if only a newer version can read the
        job. If the chunk's puzzles are missing in Redis, marks the job as failed and returns None.
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
            deferred_seconds=_DEFERRED_SECONDS,
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
                self._redis.zadd(keys.ACTIVE, {job_id: float(rest[1])}, xx=True, lt=True)
                return Newer(rest[0])
            case ScriptReply.MISSING:
                self.fail(job_id, fault=_MISSING)
                return None
            case _:
                return None

    def renew(self, job_id: str, chunk: int, *, holder: str) -> bool:
        """Renew a lease. Returns False if the job was cancelled or another holder has the lease."""
        return bool(
            self._scripts.run(
                "renew", JobKeys(job_id), chunk=chunk, holder=holder, lease_seconds=self._lease
            )
        )

    def commit(
        self, job_id: str, chunk: int, *, done: int, total: int, result: ChunkResult
    ) -> ScriptReply:
        """Store the results that follow the first `done` of the chunk's `total` records.

        Returns CHUNK_DONE or JOB_DONE if the chunk or the whole job is complete now, MORE if
        neither is, STALE if these results were already stored, or GONE if they are no longer
        wanted.
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
            added=msgspec.json.encode(counted(result)),
            steps_added=msgspec.json.encode(result.step_counts()),
            bucket=bucket_of(chunk),
            slots=TIME_SLOTS,
        )
        verdict = ScriptReply(word.decode())
        if verdict is ScriptReply.JOB_DONE:
            self._active.remove(job_id, counted_as="finished")
        return verdict

    def requeue(self, job_id: str, chunk: int, *, holder: str) -> Dispatch:
        """Release the lease of a chunk, and return a `Dispatch` that sends the chunk again.

        The `Dispatch` is empty if another holder has the lease by now. In both cases the attempt
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
        checkpoint: Checkpoint | None = None,
    ) -> None:
        """Release the lease of a chunk, which is sent again as lost after a few seconds.

        While the chunk is waiting, a small job doesn't take part in its client's quota.

        slow        whether the chunk's next record was suspended because it is slow. If so, the job
                    never counts as small again.
        checkpoint  the checkpoint of that record, stored only if `slow` is True. Without one, or if
                    it is too large, an earlier checkpoint stays in place.

        Does nothing if another holder has the lease by now.
        """
        packed = b"" if checkpoint is None else pack_checkpoint(checkpoint)
        if len(packed) > _MAX_CHECKPOINT_BYTES:
            packed = b""
        again = self._scripts.run(
            "defer", JobKeys(job_id), chunk=chunk, holder=holder, seconds=_DEFERRED_SECONDS,
    slow=int(slow), packed=packed,
        )  # fmt: skip
        if again is not None:
            self._redis.zadd(keys.ACTIVE, {job_id: float(again)}, xx=True, lt=True)
            self._active.leave_small_jobs(job_id)

    def fail(self, job_id: str, *, fault: str) -> None:
        """Mark a job as failed, with the reason. Results so far are kept."""
        self._scripts.run("fail", JobKeys(job_id), fault=fault)
        self._active.remove(job_id, counted_as="failed")

    def due_jobs(self, *, early: bool) -> list[str]:
        """Return up to 100 jobs that are due for a check for lost chunks, the most overdue first.

        If `early`, all jobs count as due. Jobs that only a newer version can read are left to
        workers of that version, however many there are.
        """
        now = redis_time(self._redis)
        # Checks are never planned later than this, so later ones are from before the clock was set
        # back.
        latest = now + MESSAGE_TIMEOUT + _SLACK_SECONDS
        due = self._due_between("-inf", "+inf" if early else now)
        return list(dict.fromkeys(due + self._due_between(latest, "+inf")))

    def _due_between(self, first: float | str, last: float | str) -> list[str]:
        found: list[str] = []
        start = 0
        while len(found) < _MAX_JOBS_PER_CHECK:
            some = cast(
                "list[bytes]",
                self._redis.zrangebyscore(
                    keys.ACTIVE, first, last, start=start, num=_MAX_JOBS_PER_CHECK
                ),
            )
            if not some:
                break
            start += len(some)
            jobs = [job_id.decode() for job_id in some]
            with self._redis.pipeline(transaction=False) as pipe:
                for job_id in jobs:
                    pipe.hget(JobKeys(job_id).facts, "schema")
                schemas = [int(stored or 1) for stored in pipe.execute()]
            found += [
                job_id
                for job_id, stored in zip(jobs, schemas, strict=True)
                if stored <= schema.SCHEMA
            ]
        return found[:_MAX_JOBS_PER_CHECK]

    def reclaim(
        self, job_id: str, *, oldest: float | None
    ) -> Dispatch | Literal[ScriptReply.GONE, ScriptReply.INTERRUPTED]:
        """Select the lost chunks of a job, and record them as sent again.

        The caller must send them. A chunk is lost if its lease has expired, or if no worker has
        acquired the lease and the chunk's message has disappeared. Deferred chunks whose delay is
        over are also selected. Also plans the job's next check.

        `oldest` is the time when the oldest waiting message was sent (seconds since 1970), or None
        if no message is waiting. Messages that were sent later can still be waiting, so they don't
        count as lost. Earlier ones count as lost after `MESSAGE_TIMEOUT` seconds. If no message is
        waiting, they count as lost after `MESSAGE_TIMEOUT_WHEN_EMPTY` seconds.

        Returns GONE if the job has ended or no longer exists, after removing it from the indexes of
        active jobs. Returns INTERRUPTED if the upload was interrupted.
        """
        word, *rest = self._scripts.run(
            "reclaim",
            JobKeys(job_id),
            message_timeout=MESSAGE_TIMEOUT,
            timeout_when_empty=MESSAGE_TIMEOUT_WHEN_EMPTY,
            oldest=-1.0 if oldest is None else max(oldest - MAX_SENDING_SECONDS, 0.0),
            upload_timeout=self._upload_timeout,
            lease_seconds=max(self._lease, _DEFERRED_SECONDS),
        )
        match ScriptReply(word.decode()):
            case ScriptReply.RECLAIMED:
                now, again, small, lost, *chunks = rest
                self._redis.zadd(keys.ACTIVE, {job_id: float(again)}, xx=True)
                return Dispatch(tuple(chunks), bool(small), float(now), lost=lost)
            case ScriptReply.INTERRUPTED:
                return ScriptReply.INTERRUPTED
            case _:  # The process that ended the job may have died before it could count this.
                self._active.remove(job_id, counted_as=rest[0].decode() or "expired")
                return ScriptReply.GONE

    def acquire_recovery(self, *, seconds: float) -> bool:
        """Return whether the caller should recover lost chunks.

        Only one worker should every `seconds`, for each schema that workers read.
        """
        milliseconds, lock = int(seconds * 1000), keys.recovery_lock(schema.SCHEMA)
        with self._redis.pipeline() as pipe:
            pipe.set(lock, 1, nx=True, px=milliseconds)
            # The expiration time is absolute in Redis, so setting the clock back would extend it.
            pipe.pexpire(lock, milliseconds, lt=True)
            is_first, _ = pipe.execute()
        return bool(is_first)
