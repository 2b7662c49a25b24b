"""The job store: the Redis operations of the web server.

`worker.store.chunks` has those of workers.
"""

import math
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import chain, islice
from typing import Any, cast

import msgspec
from redis import Redis
from redis.client import Pipeline
from redis.exceptions import WatchError

from solver.board.layout import MAX_SIZE
from solver.board.result import Outcome
from solver.formats.format import Block, Context
from worker.job import ChunkResult, Job, JobOptions
from worker.settings import Settings
from worker.store import keys, schema
from worker.store.blobs import pack, unpack_result
from worker.store.counters import JOBS, Counters, add_to, labelled
from worker.store.keys import JobKeys
from worker.store.scripts import Scripts
from worker.store.tally import Tally
from worker.store.unfinished import forget_unfinished, note_unfinished

_CHUNKS_A_LOOK = 64
_A_MINUTE = 60


class JobGone(Exception):
    """The job has expired, or was deleted, cancelled, or sealed in the meantime."""


class KeyClaim(msgspec.Struct, frozen=True):
    """The state of an Idempotency-Key: the job that it created, or the request that holds it now.

    With `mine`, the caller holds it until a time that `renew_key` extends.
    """

    mine: bool = False
    holder: str | None = None
    job_id: str | None = None
    digest: str | None = None


class JobStore:
    """Jobs and their results. Every method raises redis.RedisError if Redis is unavailable."""

    def __init__(self, redis: Redis, *, settings: Settings) -> None:
        self._redis = redis
        self._settings = settings
        self._scripts = Scripts(redis)
        self._tally = Tally(redis)

    def check(self) -> None:
        """Raise redis.RedisError if Redis doesn't respond or rejects writes because it is full."""
        self._redis.set(keys.CHECK, 1, ex=1)

    def has_room(self) -> bool:
        """Return whether the memory use of Redis is below the watermark."""
        memory = cast("dict[str, int]", self._redis.info("memory"))
        limit = memory.get("maxmemory", 0)
        return limit == 0 or memory["used_memory"] < limit * self._settings.memory_watermark

    def eviction_policy(self) -> str:
        """Return which keys Redis evicts when it is full, such as "noeviction"."""
        memory = cast("dict[str, str]", self._redis.info("memory"))
        return memory.get("maxmemory_policy", "noeviction")

    def open_job(
        self,
        *,
        name: str,
        options: JobOptions,
        format: str,
        context: Context,
        client: str,
        trace: str = "",
    ) -> str:
        """Create a job that accepts chunks, and return its id.

        `trace` is the span of its upload.
        """
        job_id = _new_id()
        now = self._now()
        expires_at = now + self._settings.retention
        facts: dict[Any, Any] = {
            "schema": schema.SCHEMA,
            "created_at": now,
            "expires_at": expires_at,
            "name": name,
            "options": msgspec.json.encode(options),
            "format": format,
            "context": msgspec.json.encode(context),
            "client": client,
            "trace": trace,
            "chunks": 0,
            "total": 0,
            "done": 0,
        }
        key, expires_ms = JobKeys(job_id).facts, int(expires_at * 1000)
        with self._redis.pipeline() as pipe:
            note_unfinished(pipe, job_id, client=client, now=now, expires_at=expires_at)
            pipe.hset(key, mapping=facts)
            pipe.pexpireat(key, expires_ms)
            add_to(pipe, {labelled(JOBS, "opened"): 1})
            pipe.execute()
        return job_id

    def add_chunk(self, job_id: str, block: Block) -> int:
        """Store a block as the job's next chunk and return its number from 0.

        Raises JobGone if the job doesn't accept chunks.
        """
        job = JobKeys(job_id)
        part = job.new_part()
        self._redis.set(part, pack(block), ex=keys.TAKEN_WITHIN)
        chunk = self._scripts.run(
            "add_chunk", job, part=part, inputs=job.inputs, records=block.records
        )
        if chunk < 0:
            raise JobGone(job_id)
        return int(chunk)

    def seal(self, job_id: str) -> None:
        """Mark the upload as complete. Raises JobGone if the job doesn't accept chunks."""
        match self._scripts.run("seal", JobKeys(job_id)):
            case 0:
                raise JobGone(job_id)
            case 2:
                forget_unfinished(self._redis, job_id, counted_as="finished")

    def job(self, job_id: str) -> Job | None:
        """Return the facts of a job, or None. Takes one round trip, whatever the size of the job.

        Raises StoredByNewer if this version can't read the job.
        """
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.time()
            pipe.hgetall(JobKeys(job_id).facts)
            (seconds, microseconds), facts = pipe.execute()
        return _job(job_id, facts, observed_at=seconds + microseconds / 1e6) if facts else None

    def cancel(self, job_id: str) -> bool:
        """Cancel a job unless it is final. Returns False if it doesn't exist."""
        job = JobKeys(job_id)
        chunks = self._scripts.run("cancel", job)
        for name in (job.input, job.standing):
            self._unlink(name(chunk) for chunk in range(max(chunks, 0)))
        forget_unfinished(self._redis, job_id, counted_as="cancelled")
        return bool(chunks >= 0)

    def delete(self, job_id: str, *, counted_as: str = "deleted") -> bool:
        """Delete all data of a job, and count why. Returns False if it doesn't exist."""
        job = JobKeys(job_id)
        known = self._scripts.run("delete", job, kept_seconds=keys.TAKEN_WITHIN)
        if known is None:
            return False
        client, chunks = known
        forget_unfinished(self._redis, job_id, client=client.decode())
        for name in (job.input, job.output, job.standing):
            self._unlink(name(chunk) for chunk in range(chunks))
        self._redis.unlink(job.once["deleted"])
        Counters(self._redis).add({labelled(JOBS, counted_as): 1})
        return True

    def keep_pictures(self, job_id: str, pictures: list[bytes]) -> None:
        """Replace the images that are drawn for the values, from 1."""
        job = JobKeys(job_id)
        part = job.new_part()
        if pictures:
            with self._redis.pipeline() as pipe:
                pipe.delete(part)  # written by an earlier attempt whose response was lost
                pipe.rpush(part, *pictures)
                pipe.expire(part, keys.TAKEN_WITHIN)
                pipe.execute()
        self._scripts.run("keep_pictures", job, part=part)

    def picture(self, job_id: str, value: int) -> bytes | None:
        """Return the image of a value (from 1), or None."""
        if not 1 <= value <= MAX_SIZE:
            return None
        return cast("bytes | None", self._redis.lindex(JobKeys(job_id).pictures, value - 1))

    def count_pictures(self, job_id: str) -> int:
        """Return the number of values that have images."""
        return self._redis.llen(JobKeys(job_id).pictures)

    def results(
        self, job_id: str, *, offset: int = 0, count: int | None = None
    ) -> Iterator[tuple[int, ChunkResult]]:
        """Yield the available results for `count` records after `offset`, in upload order.

        Each part comes with the number of its first record, from 1. Records that aren't done are
        missing. Only the chunks that contain these records are read.
        """
        job, last = JobKeys(job_id), None if count is None else offset + count
        holder = self._redis.zrevrangebyscore(job.starts, offset + 1, "-inf", start=0, num=1)
        rank = int(cast("list[bytes]", holder)[0]) if holder else 0
        while True:
            batch = self._redis.zrange(job.starts, rank, rank + _CHUNKS_A_LOOK - 1, withscores=True)
            for chunk, score in cast("list[tuple[bytes, float]]", batch):
                if last is not None and score > last:
                    return
                for first, part in self._parts(job, int(chunk), int(score)):
                    start = max(offset + 1 - first, 0)
                    stop = len(part) if last is None else min(len(part), last + 1 - first)
                    if start < stop:
                        yield first + start, part.slice(start, stop)
            if len(cast("list[object]", batch)) < _CHUNKS_A_LOOK:
                return
            rank += _CHUNKS_A_LOOK

    def results_among(
        self,
        job_id: str,
        *,
        outcomes: Collection[str] = (),
        ratings: Collection[str] | None = None,
        steps: Collection[str] | None = None,
        offset: int = 0,
    ) -> tuple[Iterator[tuple[int, ChunkResult]], int]:
        """Return the parts of chunks that contain matching records.

        If `ratings` is given, records with one of these ratings match. If `steps` is given, records
        with one of these classes of guesses match, each written as "solved:17" (outcome and class).
        Otherwise records with one of the outcomes match. The parts start with the chunk that
        contains the match after `offset`. The second result is the number of matches before these
        parts. No other chunk is read.
        """
        kind, names = next(
            (kind, names)
            for kind, names in (
                (keys.RATING, ratings), (keys.STEPS, steps), (keys.OUTCOME, outcomes)
            )
            if names is not None
        )  # fmt: skip
        among = self._tally.chunks_among(job_id, kind, names, offset=offset)
        first = next(among, None)
        if first is None:
            return iter(()), 0
        chunk, skipped = first
        return self._parts_of(JobKeys(job_id), chain([chunk], (n for n, _ in among))), skipped

    def _parts_of(self, job: JobKeys, chunks: Iterator[int]) -> Iterator[tuple[int, ChunkResult]]:
        size = 1
        while look := list(islice(chunks, size)):
            firsts = self._redis.zmscore(job.starts, [str(chunk) for chunk in look])
            for chunk, first in zip(look, firsts, strict=True):
                if first is None:  # the job no longer exists
                    return
                yield from self._parts(job, chunk, int(first))
            size = min(size * 2, _CHUNKS_A_LOOK)

    def _parts(self, job: JobKeys, chunk: int, first: int) -> Iterator[tuple[int, ChunkResult]]:
        """Yield the results of a chunk, each with the number of its first record."""
        for blob in cast("list[bytes]", self._redis.lrange(job.output(chunk), 0, -1)):
            part = unpack_result(blob)
            yield first, part
            first += len(part)

    def touch(self, job_id: str) -> None:
        """Record that a job's upload is still in progress.

        Does nothing if the job doesn't exist.
        """
        self._scripts.run("touch", JobKeys(job_id))

    def unfinished_jobs(self, client: str) -> int:
        """Return the number of active jobs of a client."""
        index = keys.client(client)
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.zremrangebyscore(index, "-inf", self._now())
            pipe.zcard(index)
            return int(pipe.execute()[1])

    def unfinished_before(self, job_id: str, *, client: str) -> int:
        """Return the number of active jobs of a client that come before this one."""
        return cast("int | None", self._redis.zrank(keys.client(client), job_id)) or 0

    def waiting_records(self, job_id: str, *, client: str) -> int:
        """Return the number of records of a client without a result, including those of this job.

        Jobs that were created after this one count only if their upload is complete.
        """
        index = cast("list[bytes]", self._redis.zrange(keys.client(client), 0, -1))
        jobs = [entry.decode() for entry in index]
        with self._redis.pipeline(transaction=False) as pipe:
            for each in jobs:
                pipe.hmget(JobKeys(each).facts, "total", "done", "sealed_at")
            facts = pipe.execute()
        before = jobs.index(job_id) if job_id in jobs else len(jobs)
        return sum(
            int(total or 0) - int(done or 0)
            for place, (total, done, sealed_at) in enumerate(facts)
            if place <= before or sealed_at is not None
        )

    def count_request(self, client: str) -> tuple[int, float]:
        """Count a request of a client.

        Returns the requests in this minute and the time until it ends.

        A minute starts with its first request. The time is in seconds.
        """
        key = keys.requests(client)
        with self._redis.pipeline() as pipe:
            pipe.incr(key)
            pipe.expire(key, _A_MINUTE, nx=True)
            pipe.pttl(key)
            sent, _, milliseconds = pipe.execute()
        return sent, milliseconds / 1000

    def claim_key(self, key: str, *, client: str) -> KeyClaim:
        """Claim an Idempotency-Key for a request, or return what it led to.

        A key whose job no longer exists is available again.
        """
        name = keys.request(key, client=client)
        claim = KeyClaim(holder=secrets.token_urlsafe(16))
        lease = math.ceil(self._settings.upload_patience)
        while True:
            if self._redis.set(name, msgspec.json.encode(claim), nx=True, ex=lease):
                return msgspec.structs.replace(claim, mine=True)
            stored = cast("bytes | None", self._redis.get(name))
            if stored is None:  # it has just expired
                continue
            known = msgspec.json.decode(stored, type=KeyClaim)
            if known == claim:  # set by an earlier attempt whose response was lost
                return msgspec.structs.replace(claim, mine=True)
            if known.job_id is None or self._redis.exists(JobKeys(known.job_id).facts):
                return known
            self._while_unchanged(name, stored, lambda pipe: pipe.delete(name))

    def renew_key(self, key: str, claim: KeyClaim, *, client: str) -> None:
        """Extend the claim on a key. Does nothing if it was lost."""
        name, lease = keys.request(key, client=client), math.ceil(self._settings.upload_patience)
        self._while_unchanged(name, _stored(claim), lambda pipe: pipe.expire(name, lease))

    def fulfil_key(
        self, key: str, claim: KeyClaim, *, client: str, job_id: str, digest: str
    ) -> bool:
        """Store what a claimed key led to, for as long as the job.

        Returns False if the claim was lost.
        """
        name = keys.request(key, client=client)
        fulfilled = msgspec.json.encode(KeyClaim(job_id=job_id, digest=digest))
        seconds = max(int(self._settings.retention), 1)
        return self._while_unchanged(
            name, _stored(claim), lambda pipe: pipe.set(name, fulfilled, ex=seconds)
        )

    def release_key(self, key: str, claim: KeyClaim, *, client: str) -> None:
        """Release a claimed key whose request failed."""
        name = keys.request(key, client=client)
        self._while_unchanged(name, _stored(claim), lambda pipe: pipe.delete(name))

    def _while_unchanged(self, name: str, value: bytes, do: Callable[[Pipeline], object]) -> bool:
        """Run a command on a key atomically if the key has this value."""
        with self._redis.pipeline() as pipe:
            pipe.watch(name)  # type: ignore[no-untyped-call]
            if pipe.get(name) != value:
                return False
            pipe.multi()
            do(pipe)
            try:
                pipe.execute()
            except WatchError:
                return False
            return True

    def _now(self) -> float:
        seconds, microseconds = self._redis.time()
        return seconds + microseconds / 1e6

    def _unlink(self, names: Iterator[str]) -> None:
        batch: list[str] = []
        for name in names:
            batch.append(name)
            if len(batch) == 1_000:
                self._redis.unlink(*batch)
                batch.clear()
        if batch:
            self._redis.unlink(*batch)


def _stored(claim: KeyClaim) -> bytes:
    return msgspec.json.encode(msgspec.structs.replace(claim, mine=False))


def _job(job_id: str, facts: Mapping[bytes, bytes], *, observed_at: float) -> Job:
    if int(facts.get(b"schema", 1)) > schema.SCHEMA:
        raise schema.StoredByNewer(int(facts[b"schema"]))

    def moment(field: bytes) -> float | None:
        return float(facts[field]) if field in facts else None

    fault = facts.get(b"fault")
    return Job(
        id=job_id,
        name=facts[b"name"].decode(),
        options=msgspec.json.decode(facts[b"options"], type=JobOptions),
        format=facts[b"format"].decode(),
        context=msgspec.json.decode(facts[b"context"]),
        created_at=float(facts[b"created_at"]),
        expires_at=float(facts[b"expires_at"]),
        observed_at=observed_at,
        sealed_at=moment(b"sealed_at"),
        started_at=moment(b"started_at"),
        finished_at=moment(b"finished_at"),
        cancelled_at=moment(b"cancelled_at"),
        fault=fault.decode() if fault is not None else None,
        total=int(facts[b"total"]),
        chunks=int(facts[b"chunks"]),
        outcomes={
            outcome.label: int(facts.get((keys.OUTCOME + outcome.label).encode(), 0))
            for outcome in Outcome
        },
        ratings=_counted(facts, keys.RATING),
        techniques=_counted(facts, keys.TECHNIQUE),
    )


def _counted(facts: Mapping[bytes, bytes], kind: str) -> dict[str, int]:
    """Return the number of records by rating or technique, lowest first."""
    counts = {
        field.decode().removeprefix(kind): int(number)
        for field, number in facts.items()
        if field.startswith(kind.encode())
    }
    return dict(sorted(counts.items(), key=lambda entry: float(entry[0])))


def _new_id() -> str:
    """Return an unguessable id that a command line can't mistake for an option."""
    job_id = "-"
    while job_id.startswith("-"):
        job_id = secrets.token_urlsafe(16)
    return job_id
