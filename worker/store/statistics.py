"""Statistics of a job's results: by outcome, rating, technique, and guesses, and over time.

Redis counts records in fields such as `outcome:solved`, `rating:7.1`, `technique:0003`, and
`steps:solved:17` (solved, in the class of guess counts from 17). These hashes contain the counts:

    facts          the whole job, except by guesses, which have many classes
    steps          the whole job by guesses: field "solved:17"
    sums           each bucket of consecutive chunks: field "BUCKET:FIELD"
    counts         each chunk, except by guesses: {field: number} as JSON
    chunk_steps    each chunk by guesses: {"solved": {"17": number}} as JSON

To find the chunk with the ten-thousandth match, it is enough to read the sums and the chunks of one
bucket.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import cast

import msgspec
from redis import Redis

from worker.records.chunk_result import ChunkResult
from worker.store import keys
from worker.store.keys import JobKeys

# Maximum number of slots in `Times`. When they run out, adjacent slots are merged.
TIME_SLOTS = 128
_CHUNKS_PER_BUCKET = 128
# Up to this many byte strings, searching a chunk for them is faster than decoding it.
_FEW = 8


@dataclass(frozen=True, slots=True)
class Times:
    """The number of records done in each time slot since the job began.

    `width` is the length of a slot in seconds. `records` has a number for each slot, oldest first.
    """

    width: float
    records: tuple[int, ...]


def bucket_of(chunk: int) -> int:
    """Return the number of the bucket (a group of consecutive chunks) that contains a chunk."""
    return chunk // _CHUNKS_PER_BUCKET


def counted(result: ChunkResult) -> dict[str, int]:
    """Return a chunk's numbers of records by outcome, both ratings, and technique.

    The keys are the names of fields in the job's statistics, such as `rating:7.1`.
    """
    kinds = {
        keys.OUTCOME: result.outcome_counts(),
        keys.RATING: result.rating_counts(),
        keys.OWN_RATING: result.sudokuq_counts(),
        keys.TECHNIQUE: result.technique_counts(),
    }
    return {prefix + name: n for prefix, counts in kinds.items() for name, n in counts.items()}


class Statistics:
    """Reads the statistics of jobs. Every method can raise redis.RedisError."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def steps(self, job_id: str) -> dict[str, dict[int, int]]:
        """Count the records by outcome and by guesses, as {outcome: {class of guesses: count}}.

        Numbers of guesses are grouped into classes. A class is named by the smallest number in it.
        The classes ascend. Results that older versions stored without numbers of guesses aren't
        counted.
        """
        fields = cast("dict[bytes, bytes]", self._redis.hgetall(JobKeys(job_id).steps))
        by_outcome: dict[str, dict[int, int]] = {}
        for field, number in fields.items():
            outcome, least = field.decode().split(":")
            by_outcome.setdefault(outcome, {})[int(least)] = int(number)
        return {outcome: dict(sorted(counts.items())) for outcome, counts in by_outcome.items()}

    def times(self, job_id: str) -> Times | None:
        """Return the numbers of a job's records done over time, or None before any is done."""
        slots = cast("dict[bytes, bytes]", self._redis.hgetall(JobKeys(job_id).times))
        width = slots.pop(b"width", None)
        if width is None:
            return None
        records = {int(slot): int(number) for slot, number in slots.items()}
        return Times(float(width), tuple(records.get(slot, 0) for slot in range(max(records) + 1)))

    def chunks_among(
        self, job_id: str, kind: str, names: Collection[str], *, offset: int
    ) -> Iterator[tuple[int, int]]:
        """Yield the chunks of a job that contain matching records, from a given match on.

        A record matches if it is counted in a field of the statistics whose name is `kind` followed
        by one of the `names`. `kind` is one of the prefixes OUTCOME, RATING, TECHNIQUE, and STEPS
        in `worker.store.keys`. The first chunk is the one that contains the match with the index
        `offset` (from 0).

        Yields (chunk number, number of matches in all chunks before it). Chunks are skipped with
        the help of the sums of buckets, unless these are incomplete because an older version stored
        some results.
        """
        if not names:
            return
        job = JobKeys(job_id)
        chunks = int(cast("bytes | None", self._redis.hget(job.facts, "chunks")) or 0)
        buckets = range(bucket_of(chunks - 1) + 1)
        sums = self._sums(job, [kind + name for name in names], buckets)
        reliable = sum(sums) == self._total(job, kind, names)
        before = 0
        for bucket in buckets:
            if reliable and (sums[bucket] == 0 or before + sums[bucket] <= offset):
                before += sums[bucket]
                continue
            for chunk, number in self._chunks_of(job, kind, names, bucket):
                if number and before + number > offset:
                    yield chunk, before
                before += number

    def _total(self, job: JobKeys, kind: str, names: Collection[str]) -> int:
        """Return how many records of a job are counted in the fields, as in `chunks_among`.

        It is the total for the whole job, which is stored independently of the sums of buckets.
        """
        if kind == keys.STEPS:
            totals = self._redis.hmget(job.steps, list(names))
        else:
            totals = self._redis.hmget(job.facts, [kind + name for name in names])
        return sum(int(number or 0) for number in cast("list[bytes | None]", totals))

    def _sums(self, job: JobKeys, fields: Collection[str], buckets: range) -> list[int]:
        """Return the number of records in each bucket that are counted in any of the given fields.

        A record that is counted in several fields counts several times. A bucket is a range of
        chunks.
        """
        names = [f"{bucket}:{field}" for bucket in buckets for field in fields]
        numbers = cast("list[bytes | None]", self._redis.hmget(job.sums, names)) if names else []
        ends = range(len(fields), len(numbers) + 1, len(fields))
        return [sum(int(n or 0) for n in numbers[end - len(fields) : end]) for end in ends]

    def _chunks_of(
        self, job: JobKeys, kind: str, names: Collection[str], bucket: int
    ) -> Iterator[tuple[int, int]]:
        """Yield (chunk number, number of its matching records) for the chunks of a bucket.

        `kind` and `names` are those of `chunks_among`. Chunks without results, and some chunks
        without matching records, are skipped.
        """
        if kind == keys.STEPS:
            pairs = [name.split(":") for name in names]
            marks = {f'"{least}":'.encode() for _, least in pairs}
            for chunk, raw in self._values_of_bucket(job.chunk_steps, bucket, marks):
                steps = msgspec.json.decode(raw, type=dict[str, dict[str, int]])
                yield chunk, sum(steps.get(outcome, {}).get(least, 0) for outcome, least in pairs)
        else:
            fields = [kind + name for name in names]
            marks = {f'"{field}":'.encode() for field in fields}
            for chunk, raw in self._values_of_bucket(job.counts, bucket, marks):
                counts = msgspec.json.decode(raw, type=dict[str, int])
                yield chunk, sum(counts.get(field, 0) for field in fields)

    def _values_of_bucket(
        self, key: str, bucket: int, marks: Collection[bytes]
    ) -> Iterator[tuple[int, bytes]]:
        """Yield (chunk number, value in the hash `key`) for the chunks of a bucket.

        The values aren't decoded. Chunks without a value are skipped. If there are at most 8
        `marks`, chunks whose value contains none of these byte strings are skipped, too.
        """
        chunks = range(bucket * _CHUNKS_PER_BUCKET, (bucket + 1) * _CHUNKS_PER_BUCKET)
        values = cast("list[bytes | None]", self._redis.hmget(key, list(map(str, chunks))))
        for chunk, value in zip(chunks, values, strict=True):
            if value is None:
                continue
            if len(marks) > _FEW or any(mark in value for mark in marks):
                yield chunk, value
