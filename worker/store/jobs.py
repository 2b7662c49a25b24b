"""Store the facts of jobs, from creation to deletion."""

import contextlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, cast

import msgspec
from redis import Redis

from solver.board.result import Outcome
from solver.formats.format import Context
from worker.folders import Folders
from worker.job import Job, JobOptions, JobSource
from worker.records.selected_block import StoredBlock
from worker.settings import Settings
from worker.store import keys, schema
from worker.store.active_jobs import ActiveJobs
from worker.store.clock import redis_time
from worker.store.counters import JOBS, Counters, add_to, labeled
from worker.store.keys import JobKeys
from worker.store.scripts import Scripts
from worker.store.serialization import pack
from worker.store.webhooks import NewWebhook, read_webhook

_KEYS_PER_COMMAND = 1_000


class JobGone(Exception):
    """A job doesn't accept chunks.

    It expired, or was deleted, cancelled, failed, or sealed.
    """


class JobStore:
    """Creates, reads, and deletes jobs. Every method can raise redis.RedisError."""

    def __init__(self, redis: Redis, *, settings: Settings) -> None:
        self._redis = redis
        self._retention = settings.retention
        self._scripts = Scripts(redis)
        self._active = ActiveJobs(redis)

    def create(
        self,
        *,
        name: str,
        metadata: Mapping[str, str] | None = None,
        expires_in: int | None = None,
        options: JobOptions,
        format: str,
        context: Context,
        client: str,
        source: JobSource | None = None,
        block_records: int | None = None,
        in_order: bool = False,
        trace: str = "",
        webhook: NewWebhook | None = None,
    ) -> str:
        """Create a job without chunks, which accepts chunks, and return its id.

        name           the job's name for display
        metadata       the client's own keys and values
        expires_in     seconds until the job is deleted, or None for the retention in the settings
        options        how the job's puzzles are solved
        format         the name of the upload's format
        context        what the format needs to parse the job's records
        client         whose quota and limits apply to the job
        source         where the records come from if they aren't uploaded, or None
        block_records  the number of records per chunk that suits the puzzles, or None
        in_order       whether a chunk is only sent when all chunks before it are done
        trace          the W3C traceparent of the span that covers the upload, or ""
        webhook        the webhook that gets a notification when the job ends, or None

        The event "opened" is counted.
        """
        job_id = _new_id()
        now = redis_time(self._redis)
        expires_at = now + (self._retention if expires_in is None else expires_in)
        facts: dict[Any, Any] = {
            "schema": schema.SCHEMA,
            "created_at": now,
            "expires_at": expires_at,
            "name": name,
            "metadata": msgspec.json.encode(metadata or {}),
            "options": msgspec.json.encode(options),
            "format": format,
            "context": msgspec.json.encode(context),
            "client": client,
            "trace": trace,
            "chunks": 0,
            "total": 0,
            "done": 0,
        } | ({} if webhook is None else webhook.facts())
        if source is not None:
            facts["source"] = msgspec.json.encode(source)
        if block_records is not None:
            facts["block_records"] = block_records
        if in_order:
            facts["in_order"] = 1
        key, expires_ms = JobKeys(job_id).facts, int(expires_at * 1000)
        with self._redis.pipeline() as pipe:
            self._active.add(pipe, job_id, client=client, now=now, expires_at=expires_at)
            pipe.hset(key, mapping=facts)
            pipe.pexpireat(key, expires_ms)
            add_to(pipe, {labeled(JOBS, "opened"): 1})
            pipe.execute()
        return job_id

    def add_chunk(self, job_id: str, block: StoredBlock) -> int:
        """Store a block as the job's next chunk and return its number from 0.

        Raises JobGone if the job doesn't accept chunks.
        """
        return self.add_chunks(job_id, (block,))

    def add_chunks(self, job_id: str, blocks: Sequence[StoredBlock]) -> int:
        """Store blocks as the job's next chunks, and return the number of the last one, from 0.

        Either all or none of them are added. Raises JobGone if the job doesn't accept chunks.
        """
        job = JobKeys(job_id)
        parts = [job.new_part() for _ in blocks]
        with self._redis.pipeline(transaction=False) as pipe:
            for part, block in zip(parts, blocks, strict=True):
                pipe.set(part, pack(block), ex=keys.TAKEN_WITHIN)
            pipe.execute()
        chunk = self._scripts.run(
            "add_chunks",
            job,
            parts=" ".join(parts),
            inputs=job.inputs,
            records=" ".join(str(block.records) for block in blocks),
        )
        if chunk < 0:
            raise JobGone(job_id)
        return int(chunk)

    def seal(self, job_id: str, *, folders: Folders | None = None) -> None:
        """Mark a job's upload as complete. If all records are done already, the job is finished.

        `folders` are those of the upload, if it is an archive with several folders. Raises JobGone
        if the job was cancelled, failed, or no longer exists.
        """
        stored = b"" if folders is None else msgspec.json.encode(folders)
        match self._scripts.run("seal", JobKeys(job_id), folders=stored):
            case 0:
                raise JobGone(job_id)
            case 2:
                self._active.remove(job_id, counted_as="finished")

    def get(self, job_id: str) -> Job | None:
        """Return a job, or None if it doesn't exist.

        Raises StoredByNewer if this program version can't read the job. Takes one round trip,
        regardless of the job's size.
        """
        observed_at, (facts,) = self._read(job_id)
        return _job(job_id, facts, observed_at=observed_at) if facts else None

    def get_many(self, job_ids: Sequence[str]) -> dict[str, Job | None]:
        """Return jobs by id, in this order, in one round trip. The jobs that don't exist are None.

        Jobs that this version can't read are left out.
        """
        observed_at, facts = self._read(*job_ids)
        jobs: dict[str, Job | None] = {}
        for job_id, known in zip(job_ids, facts, strict=True):
            with contextlib.suppress(schema.StoredByNewer):
                jobs[job_id] = _job(job_id, known, observed_at=observed_at) if known else None
        return jobs

    def _read(self, *job_ids: str) -> tuple[float, list[dict[bytes, bytes]]]:
        """Return the time of Redis in seconds since 1970, and the facts of these jobs in order.

        The facts are empty if a job doesn't exist.
        """
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.time()
            for job_id in job_ids:
                pipe.hgetall(JobKeys(job_id).facts)
            (seconds, microseconds), *facts = pipe.execute()
        return seconds + microseconds / 1e6, facts

    def cancel(self, job_id: str) -> bool:
        """Cancel a job, unless it has already ended. Returns False only if the job doesn't exist.

        Deletes its remaining puzzles and checkpoints. Its results so far are kept, and so are all
        puzzles of chunks with results, so that they can run again.
        """
        job = JobKeys(job_id)
        chunk_count = self._scripts.run("cancel", job)
        chunks = range(max(chunk_count, 0))
        begun = {int(chunk) for chunk in cast("list[bytes]", self._redis.hkeys(job.once["done"]))}
        self._unlink(job.input(chunk) for chunk in chunks if chunk not in begun)
        self._unlink(job.checkpoint(chunk) for chunk in chunks)
        self._active.remove(job_id, counted_as="cancelled")
        return bool(chunk_count >= 0)

    def rename(self, job_id: str, name: str) -> bool:
        """Change the name of a job. Returns False if the job doesn't exist."""
        return bool(self._scripts.run("rename", JobKeys(job_id), name=name))

    def delete(self, job_id: str, *, counted_as: str = "deleted") -> bool:
        """Delete all data of a job. Returns False if it doesn't exist.

        `counted_as` is the job event to count, one of `JOB_EVENTS` in `worker.store.counters`.
        """
        job = JobKeys(job_id)
        known = self._scripts.run("delete", job, kept_seconds=keys.TAKEN_WITHIN)
        if known is None:
            return False
        client, chunks = known
        self._active.remove(job_id, client=client.decode())
        for name in (job.input, job.output, job.checkpoint):
            self._unlink(name(chunk) for chunk in range(chunks))
        self._redis.unlink(job.once["deleted"])
        Counters(self._redis).add({labeled(JOBS, counted_as): 1})
        return True

    def touch(self, job_id: str) -> None:
        """Record that a job's upload is still in progress, so that it doesn't count as interrupted.

        Does nothing if the job doesn't exist.
        """
        self._scripts.run("touch", JobKeys(job_id))

    def _unlink(self, names: Iterable[str]) -> None:
        left = iter(names)
        while batch := list(islice(left, _KEYS_PER_COMMAND)):
            self._redis.unlink(*batch)


def _job(job_id: str, facts: Mapping[bytes, bytes], *, observed_at: float) -> Job:
    """Return the job that the fields of its hash in Redis describe. Missing times are None.

    `observed_at` is the time when the fields were read. Raises StoredByNewer if a newer version
    stored the job in a way that this one can't read.
    """
    if int(facts.get(b"schema", 1)) > schema.SCHEMA:
        raise schema.StoredByNewer(int(facts[b"schema"]))

    def moment(field: bytes) -> float | None:
        return float(facts[field]) if field in facts else None

    fault = facts.get(b"fault")
    started_at = moment(b"started_at")
    solving_at = moment(b"solving_at") or started_at
    pace = facts.get(b"pace", b"").split()
    return Job(
        id=job_id,
        name=facts[b"name"].decode(),
        metadata=msgspec.json.decode(facts.get(b"metadata", b"{}"), type=dict[str, str]),
        options=msgspec.json.decode(facts[b"options"], type=JobOptions),
        format=facts[b"format"].decode(),
        context=msgspec.json.decode(facts[b"context"]),
        source=_source(facts.get(b"source")),
        block_records=int(facts[b"block_records"]) if b"block_records" in facts else None,
        folders=_folders(facts.get(b"folders")),
        created_at=float(facts[b"created_at"]),
        expires_at=float(facts[b"expires_at"]),
        observed_at=observed_at,
        sealed_at=moment(b"sealed_at"),
        started_at=started_at,
        solving_at=solving_at,
        paced_from=float(pace[0]) if pace else solving_at,
        paced_after=int(pace[1]) if pace else 0,
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
        sudokuq_ratings=_counted(facts, keys.OWN_RATING),
        techniques=_counted(facts, keys.TECHNIQUE),
        webhook=read_webhook(facts),
    )


def _source(stored: bytes | None) -> JobSource | None:
    return None if stored is None else msgspec.json.decode(stored, type=JobSource)


def _folders(stored: bytes | None) -> Folders | None:
    return None if stored is None else msgspec.json.decode(stored, type=Folders)


def _counted(facts: Mapping[bytes, bytes], kind: str) -> dict[str, int]:
    """Return the number of records for each rating or technique, sorted numerically.

    `facts` are the fields of a job's facts. `kind` is the prefix of the fields to return, such as
    `rating:`. The prefix is removed, so the keys are ratings ("7.1") or technique codes ("0003").
    """
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
