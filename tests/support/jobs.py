"""Helpers that create jobs for tests, from a text or with dummy chunks and results.

Also helpers that read a job's state and outcomes, and two 4×4 puzzles: `GOOD` has one solution,
`MANY` has several.
"""

from typing import Any

import msgspec
import numpy as np

from solver.board.text_lines import Lines
from solver.formats import Splitter, recognize
from solver.formats.format import Block, Recognized
from worker.job import Job, JobOptions, JobState
from worker.records.chunk_result import ChunkResult
from worker.service import Service
from worker.store.chunks import AcquiredChunk

GOOD = "12.4...2....4..1"
MANY = "1..............."


def upload(
    service: Service,
    text: str,
    *,
    per_chunk: int = 100,
    is_complete: bool = True,
    **options: Any,
) -> str:
    """Store a text as a new job, in chunks of `per_chunk` records, and return the job's id.

    `options` are fields of `JobOptions`. If not `is_complete`, the job stays in the state
    `uploading`.
    """
    data = text.encode()
    recognized = recognize(data, final=True)
    assert isinstance(recognized, Recognized)
    job_id = service.jobs.create(
        name="a",
        options=msgspec.convert(options, JobOptions),
        format=recognized.format.name,
        context=recognized.context,
        client="me",
    )
    splitter = Splitter(recognized, max_records=per_chunk)
    for block in (*splitter.feed(data), *splitter.close()):
        service.jobs.add_chunk(job_id, block)
    if is_complete:
        service.jobs.seal(job_id)
    return job_id


def job_of(service: Service, job_id: str) -> Job:
    job = service.jobs.get(job_id)
    assert job is not None
    return job


def outcomes(service: Service, job_id: str) -> bytes:
    return b"".join(part.outcomes for _, part in service.results.read(job_id))


def open_job(service: Service, *, chunks: int = 3, records: int = 2, client: str = "me") -> str:
    job_id = service.jobs.create(
        name="a", options=JobOptions(), format="line", context={}, client=client
    )
    for chunk in range(chunks):
        number = service.jobs.add_chunk(job_id, Block(b"x\n" * records, records, 1 + chunk))
        assert number == chunk
    return job_id


def answers(count: int, *, first: int = 1) -> ChunkResult:
    numbers = np.arange(first, first + count, dtype="<i8").tobytes()
    return ChunkResult(
        lines=numbers,
        outcomes=bytes(count),
        counts=numbers,
        steps=numbers,
        puzzles=Lines("\n".join(f"p{n}" for n in range(first, first + count))),
        solutions=Lines("\n".join(f"s{n}" for n in range(first, first + count))),
        details={0: "first"},
    )


def finish(service: Service, job_id: str, *, chunks: int = 3, records: int = 2) -> None:
    for chunk in range(chunks):
        assert isinstance(service.chunks.acquire(job_id, chunk, holder="me"), AcquiredChunk)
        first = 1 + chunk * records
        service.chunks.commit(
            job_id, chunk, done=0, total=records, result=answers(records, first=first)
        )


def state(service: Service, job_id: str) -> JobState | None:
    job = service.jobs.get(job_id)
    return None if job is None else job.state
