"""The other half of the job store: what workers ask of Redis about chunks."""

from dataclasses import dataclass, field
from typing import Literal, cast

import msgspec
from redis import Redis

from solver.board.result import Standing
from solver.formats.format import Block, Context, DigitBlock
from worker.job import ChunkResult, JobOptions
from worker.settings import Settings
from worker.store import keys, schema
from worker.store.blobs import pack, pack_standing, unpack_block, unpack_standing
from worker.store.keys import JobKeys
from worker.store.scripts import Scripts, Verdict
from worker.store.tally import TIME_SLOTS, counted, stretch_of
from worker.store.unfinished import (
    forget_unfinished,
    leave_small_jobs,
    next_in_turn,
    share_of_window,
)

# A message that waits longer counts as lost; while all queues are empty it need not wait long.
SENT_PATIENCE = 60
# Between the moment that a message counts as sent, and its place in the queue.
SENDING_SECONDS = 1.0
_PARKING_SECONDS = 2
# So long after a record of a job was long, its others are expected to be long, too.
_LONG_EXPECTED_SECONDS = 10.0
# What is larger is not kept: that search begins anew.
_MOST_STANDING_BYTES = 16 << 20
_LOOKS_A_SWEEP = 100
_SLACK_SECONDS = 1.0
_VANISHED = "some of its puzzles are not in Redis any more"
SENT_PATIENCE_WHEN_EMPTY = 2


class JobPlan(msgspec.Struct, frozen=True):
    """What never changes about a job, and what its chunks need to be solved."""

    format: str
    context: Context
    options: JobOptions
    trace: str = ""


@dataclass(frozen=True, slots=True)
class Work:
    """A chunk whose lease the caller has now.

    `done` records have a result already. `tries` counts the attempts since the last result, this
    one included. `careful`: somebody died on this chunk, so go record by record. `long`: the
    next record, or one of another chunk of its job, has turned out to take long. `in_vain`: how
    often that was begun and then set aside, with nothing to go on from; else its search
    goes on from `standing`. It began at `began_at`, in seconds since 1970 by the clock of Redis.
    """

    block: Block | DigitBlock
    done: int
    tries: int
    careful: bool
    began_at: float
    long: bool = False
    in_vain: int = 0
    standing: bytes | None = None


@dataclass(frozen=True, slots=True)
class Busy:
    """Somebody else has the lease."""

    holder: str


@dataclass(frozen=True, slots=True)
class Newer:
    """The job has a newer schema than this process reads; its chunk was left to others."""

    schema: int


@dataclass(frozen=True, slots=True)
class Sending:
    """Chunks of a job that are to be sent to the queue for small or for big jobs.

    `at` is when they count as sent, in seconds since 1970 by the clock of Redis. So many of them
    are `lost`.
    """

    chunks: tuple[int, ...] = ()
    small: bool = False
    at: float = field(default=0.0, compare=False)
    lost: int = field(default=0, compare=False)


class ChunkStore:
    """Leases and results of chunks; every method may raise redis.RedisError."""

    def __init__(self, redis: Redis, *, settings: Settings) -> None:
        self._redis = redis
        self._lease = settings.lease_seconds
        self._upload_patience = settings.upload_patience
        self._scripts = Scripts(redis)

    def plan(self, job_id: str) -> JobPlan | None:
        """Return how the chunks of a job are to be solved; None if there is no such job."""
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

    def take(self, job_id: str, *, window: int) -> Sending:
        """Take the chunks that may be sent now, so that at most `window` are on their way.

        That is the window of a client; its jobs share it.
        """
        window = share_of_window(self._redis, job_id, window=window)
        now, small, *chunks = self._scripts.run(
            "take", JobKeys(job_id), window=window, patience=SENT_PATIENCE
        )
        return Sending(tuple(chunks), small=bool(small), at=float(now))

    def next_in_turn(self, job_id: str, *, window: int) -> list[str]:
        """Return the jobs that may send chunks because this one is final, or waits."""
        return next_in_turn(self._redis, job_id, window=window)

    def begin(
        self, job_id: str, chunk: int, *, holder: str, dead: str = ""
    ) -> Work | Busy | Newer | None:
        """Take the lease of a chunk; None if there is nothing to do.

        `holder` names one attempt, so the same holder again isn't a new attempt. `dead` names a
        holder that the caller knows to be dead: its lease does not count.
        """
        job = JobKeys(job_id)
        word, *rest = self._scripts.run(
            "begin",
            job,
            chunk=chunk,
            holder=holder,
            lease_seconds=self._lease,
            dead=dead,
            long_seconds=_LONG_EXPECTED_SECONDS,
            schema=schema.SCHEMA,
            parking_seconds=_PARKING_SECONDS,
        )
        match Verdict(word.decode()):
            case Verdict.WORK:
                now, done, tries, careful, long, in_vain, standing = rest
                blob = cast("bytes | None", self._redis.get(job.input(chunk)))
                if blob is None:  # the job was cancelled or deleted this very moment
                    return None
                # The job is looked at when the lease may have run out, not only in its turn.
                began_at = float(now)
                due = {job_id: began_at + self._lease}
                self._redis.zadd(keys.ACTIVE, due, xx=True, lt=True)
                return Work(
                    unpack_block(blob),
                    done=done,
                    tries=tries,
                    careful=bool(careful),
                    began_at=began_at,
                    long=bool(long),
                    in_vain=max(in_vain, 0),
                    standing=None if standing is None else unpack_standing(standing),
                )
            case Verdict.BUSY:
                return Busy(rest[0].decode())
            case Verdict.NEWER:
                self._redis.zadd(keys.ACTIVE, {job_id: float(rest[1])}, xx=True, lt=True)
                return Newer(rest[0])
            case Verdict.VANISHED:
                self.fail(job_id, fault=_VANISHED)
                return None
            case _:
                return None

    def renew(self, job_id: str, chunk: int, *, holder: str) -> bool:
        """Keep a lease; False if the job was cancelled or the lease is somebody else's."""
        return bool(
            self._scripts.run(
                "renew", JobKeys(job_id), chunk=chunk, holder=holder, lease_seconds=self._lease
            )
        )

    def commit(
        self, job_id: str, chunk: int, *, done: int, total: int, result: ChunkResult
    ) -> Verdict:
        """Store the results that follow the first `done` of the chunk's `total` records.

        Returns MORE, CHUNK or JOB for what is complete now, STALE if these results were there
        already, GONE if nobody wants them any more.
        """
        job = JobKeys(job_id)
        part = job.new_part()
        with self._redis.pipeline() as pipe:
            pipe.delete(part)  # what a first try wrote whose answer was lost
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
            stretch=stretch_of(chunk),
            slots=TIME_SLOTS,
        )
        verdict = Verdict(word.decode())
        if verdict is Verdict.JOB:
            forget_unfinished(self._redis, job_id, counted_as="finished")
        return verdict

    def put_back(self, job_id: str, chunk: int, *, holder: str) -> Sending:
        """Give up the lease of a chunk, and return the chunk to be sent again.

        Returns nothing to send if somebody else has the lease by now. In both cases the holder's
        attempt doesn't count as a death.
        """
        now = self._scripts.run(
            "put_back", JobKeys(job_id), chunk=chunk, holder=holder, patience=SENT_PATIENCE
        )
        return Sending() if now is None else Sending((chunk,), at=float(now))

    def park(
        self,
        job_id: str,
        chunk: int,
        *,
        holder: str,
        long: bool = True,
        standing: Standing | None = None,
    ) -> None:
        """Let a chunk wait; the sweep sends it after a while.

        `long`: because its next record is; then `standing` says where the search of that stands.
        """
        packed = b"" if standing is None else pack_standing(standing)
        if len(packed) > _MOST_STANDING_BYTES:
            packed = b""
        again = self._scripts.run(
            "park", JobKeys(job_id), chunk=chunk, holder=holder, seconds=_PARKING_SECONDS,
            long=int(long), packed=packed,
        )  # fmt: skip
        if again is not None:
            self._redis.zadd(keys.ACTIVE, {job_id: float(again)}, xx=True, lt=True)
            leave_small_jobs(self._redis, job_id)

    def fail(self, job_id: str, *, fault: str) -> None:
        """Say that nothing can be done for a job, and why; what is done already stays."""
        self._scripts.run("fail", JobKeys(job_id), fault=fault)
        forget_unfinished(self._redis, job_id, counted_as="failed")

    def active_jobs(self) -> list[str]:
        """Return the jobs that are not final."""
        active = cast("list[bytes]", self._redis.zrange(keys.ACTIVE, 0, -1))
        return [job_id.decode() for job_id in active]

    def count_active_jobs(self) -> int:
        """Return how many jobs are neither final nor expired."""
        seconds, microseconds = self._redis.time()
        return self._redis.zcount(keys.UNFINISHED, seconds + microseconds / 1e6, "+inf")

    def due_jobs(self, *, early: bool) -> list[str]:
        """Return some of the jobs that are to be looked at now, or early, those due first.

        Jobs that only a newer version reads are left to its sweep, however many there are.
        """
        seconds, microseconds = self._redis.time()
        now = seconds + microseconds / 1e6
        # No look is planned for later, except by a clock that was set back since.
        latest = now + SENT_PATIENCE + _SLACK_SECONDS
        due = self._due_between("-inf", "+inf" if early else now)
        return list(dict.fromkeys(due + self._due_between(latest, "+inf")))

    def _due_between(self, first: float | str, last: float | str) -> list[str]:
        found: list[str] = []
        start = 0
        while len(found) < _LOOKS_A_SWEEP:
            some = cast(
                "list[bytes]",
                self._redis.zrangebyscore(
                    keys.ACTIVE, first, last, start=start, num=_LOOKS_A_SWEEP
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
        return found[:_LOOKS_A_SWEEP]

    def lost(
        self, job_id: str, *, oldest: float | None
    ) -> Sending | Literal[Verdict.GONE, Verdict.BROKEN]:
        """Return the chunks of which nobody is heard, to be sent again.

        `oldest` is when the oldest message that waits was sent, None if none waits: what waits
        is not lost. GONE: nothing is left to watch. BROKEN: the upload has fallen silent.
        """
        word, *rest = self._scripts.run(
            "lost",
            JobKeys(job_id),
            patience=SENT_PATIENCE,
            patience_when_empty=SENT_PATIENCE_WHEN_EMPTY,
            oldest=-1.0 if oldest is None else max(oldest - SENDING_SECONDS, 0.0),
            upload_patience=self._upload_patience,
            lease_seconds=max(self._lease, _PARKING_SECONDS),
        )
        match Verdict(word.decode()):
            case Verdict.LOST:
                now, again, small, vanished, *chunks = rest
                self._redis.zadd(keys.ACTIVE, {job_id: float(again)}, xx=True)
                return Sending(tuple(chunks), bool(small), float(now), lost=vanished)
            case Verdict.BROKEN:
                return Verdict.BROKEN
            case _:  # whoever ended the job may have died before he could say so
                forget_unfinished(self._redis, job_id, counted_as=rest[0].decode() or "expired")
                return Verdict.GONE

    def may_sweep(self, *, seconds: float) -> bool:
        """Return True to one caller in `seconds`, of those that read the same schemas.

        Redis keeps the end of a lifetime, so a clock that is set back would make it longer.
        """
        milliseconds, lock = int(seconds * 1000), keys.sweep(schema.SCHEMA)
        with self._redis.pipeline() as pipe:
            pipe.set(lock, 1, nx=True, px=milliseconds)
            pipe.pexpire(lock, milliseconds, lt=True)
            is_first, _ = pipe.execute()
        return bool(is_first)
