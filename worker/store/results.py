"""Reads the stored results of jobs, part by part."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import cast

from redis import Redis

from worker.records.chunk_result import ChunkResult
from worker.records.selected_block import StoredBlock
from worker.store import keys
from worker.store.keys import JobKeys
from worker.store.serialization import unpack_block, unpack_result
from worker.store.statistics import Statistics

_CHUNKS_PER_READ = 64
_CHUNKS_PER_BATCH = 8  # chunks with their records, which can have some MB


@dataclass(frozen=True, slots=True)
class ChunkWithRecords:
    """A chunk's results, and its records if they can't be restored from the results.

    `first` is the number of the chunk's first record in the job, from 1. `parts` are the results of
    consecutive records, from the first one on.
    """

    first: int
    parts: tuple[ChunkResult, ...]
    records: StoredBlock | None


class ResultStore:
    """Reads the stored results of jobs. Every method can raise redis.RedisError."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._statistics = Statistics(redis)

    def read(
        self, job_id: str, *, offset: int = 0, count: int | None = None
    ) -> Iterator[tuple[int, ChunkResult]]:
        """Yield the available results of a job in upload order.

        Skips the first `offset` records of the job, and covers the next `count` records, or all if
        `count` is None. Records that aren't done are missing. The results come in parts, each with
        the number of its first record in the job (from 1). Only the chunks that contain the
        requested records are read.
        """
        job, last = JobKeys(job_id), None if count is None else offset + count
        holder = self._redis.zrevrangebyscore(job.starts, offset + 1, "-inf", start=0, num=1)
        rank = int(cast("list[bytes]", holder)[0]) if holder else 0
        while True:
            end = rank + _CHUNKS_PER_READ - 1
            found = self._redis.zrange(job.starts, rank, end, withscores=True)
            chunks = cast("list[tuple[bytes, float]]", found)
            for chunk, score in chunks:
                if last is not None and score > last:
                    return
                for first, part in self._parts(job, int(chunk), int(score)):
                    start = max(offset + 1 - first, 0)
                    stop = len(part) if last is None else min(len(part), last + 1 - first)
                    if start < stop:
                        yield first + start, part.slice(start, stop)
            if len(chunks) < _CHUNKS_PER_READ:
                return
            rank += _CHUNKS_PER_READ

    def read_matching(
        self,
        job_id: str,
        *,
        outcomes: Collection[str] = (),
        ratings: Collection[str] | None = None,
        techniques: Collection[str] | None = None,
        steps: Collection[str] | None = None,
        offset: int = 0,
    ) -> tuple[Iterator[tuple[int, ChunkResult]], int]:
        """Return the results in the chunks that contain matching records, from a given match on.

        If `ratings` is given, records with one of these ratings match. Otherwise, if `techniques`
        is given, records that need one of these techniques match, each written as HoDoKu's code
        ("0003"), and a record is counted once for each of them. Otherwise, if `steps` is given,
        records with one of these classes of guesses match, each written as "solved:17" (outcome and
        smallest number in the class). Otherwise, records with one of the `outcomes` match.

        The first returned value yields the results in parts, each with the number of its first
        record in the job (from 1). They are the complete results of these chunks, so the caller
        must filter them. The first chunk is the one that contains the match with the index `offset`
        (from 0). The second returned value is the number of matches before that chunk. If there is
        no such match, nothing is yielded, and the second value is 0.
        """
        among = self.matching_chunks(
            job_id,
            outcomes=outcomes,
            ratings=ratings,
            techniques=techniques,
            steps=steps,
            offset=offset,
        )
        first = next(among, None)
        if first is None:
            return iter(()), 0
        chunk, skipped = first
        return self._parts_of(JobKeys(job_id), chain([chunk], (n for n, _ in among))), skipped

    def matching_chunks(
        self,
        job_id: str,
        *,
        outcomes: Collection[str] = (),
        ratings: Collection[str] | None = None,
        techniques: Collection[str] | None = None,
        steps: Collection[str] | None = None,
        offset: int = 0,
    ) -> Iterator[tuple[int, int]]:
        """Yield the numbers of the chunks that contain matching records, from a given match on.

        The arguments are those of `read_matching`. Each number comes with the number of matches in
        all chunks before it.
        """
        kind, names = next(
            (kind, names)
            for kind, names in (
                (keys.RATING, ratings),
                (keys.TECHNIQUE, techniques),
                (keys.STEPS, steps),
                (keys.OUTCOME, outcomes),
            )
            if names is not None
        )  # fmt: skip
        return self._statistics.chunks_among(job_id, kind, names, offset=offset)

    def read_with_records(self, job_id: str, chunks: Iterable[int]) -> Iterator[ChunkWithRecords]:
        """Yield chunks of a job that has ended, with their records as far as they are stored.

        Chunks that no longer exist are left out.
        """
        job, numbers = JobKeys(job_id), iter(chunks)
        while look := list(islice(numbers, _CHUNKS_PER_BATCH)):
            with self._redis.pipeline(transaction=False) as pipe:
                for chunk in look:
                    pipe.zscore(job.starts, str(chunk))
                    pipe.get(job.input(chunk))
                    pipe.lrange(job.output(chunk), 0, -1)
                found = pipe.execute()
            for first, records, parts in zip(*(found[kind::3] for kind in range(3)), strict=True):
                if first is not None:
                    yield ChunkWithRecords(
                        int(first),
                        tuple(map(unpack_result, parts)),
                        None if records is None else unpack_block(records),
                    )

    def _parts_of(self, job: JobKeys, chunks: Iterator[int]) -> Iterator[tuple[int, ChunkResult]]:
        size = 1
        while look := list(islice(chunks, size)):
            firsts = self._redis.zmscore(job.starts, [str(chunk) for chunk in look])
            for chunk, first in zip(look, firsts, strict=True):
                if first is None:  # the job no longer exists
                    return
                yield from self._parts(job, chunk, int(first))
            size = min(size * 2, _CHUNKS_PER_READ)

    def _parts(self, job: JobKeys, chunk: int, first: int) -> Iterator[tuple[int, ChunkResult]]:
        """Yield the stored results of a chunk in parts, each with the number of its first record.

        `first` is the number of the chunk's first record in the job.
        """
        for blob in cast("list[bytes]", self._redis.lrange(job.output(chunk), 0, -1)):
            part = unpack_result(blob)
            yield first, part
            first += len(part)
