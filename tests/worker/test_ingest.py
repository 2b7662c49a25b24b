import gzip
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from web.http.errors import Problem
from worker.ingest.ingest import ingest
from worker.ingest.stream import Stream, open_stream
from worker.job import JobOptions
from worker.rejection import Rejection, RejectionKind
from worker.service import Service, connect_service
from worker.settings import Settings

GOOD = b"12.4...2....4..1\n"


def dispatch(service: Service, data: bytes, options: JobOptions | None = None) -> str | Rejection:
    return ingest(service, (data,), options=options or JobOptions(), name="a", client="me")


@pytest.mark.parametrize(
    ("data", "options", "kind", "field"),
    [
        (b"hello\n", JobOptions(), RejectionKind.UNREADABLE, None),
        (b"# nothing\n", JobOptions(), RejectionKind.UNREADABLE, None),
        (gzip.compress(GOOD, mtime=0)[:-9], JobOptions(), RejectionKind.UNREADABLE, None),
        (GOOD, JobOptions(format="nope"), RejectionKind.BAD_OPTION, "format"),
        (GOOD, JobOptions(variant="nope"), RejectionKind.BAD_OPTION, "variant"),
        (gzip.compress(GOOD * 1_000, mtime=0), JobOptions(), RejectionKind.TOO_LARGE, None),
        (GOOD * 7, JobOptions(), RejectionKind.TOO_LARGE, None),
    ],
)
def test_rejected_stream_returns_the_reason_and_leaves_nothing(
    data: bytes, options: JobOptions, kind: RejectionKind, field: str | None, service: Service
) -> None:
    settings = replace(service.settings, max_upload_bytes=1_000, max_puzzles=6)
    rejection = dispatch(replace(service, settings=settings), data, options)
    assert isinstance(rejection, Rejection)
    assert (rejection.kind, rejection.field) == (kind, field)
    assert rejection.detail
    assert service.redis.keys("sudokuq:{*") == []


def test_full_store_and_too_many_jobs_are_rejections(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(dispatch(service, GOOD), str)
    few = replace(service, settings=replace(service.settings, max_jobs_per_client=1))
    rejection = dispatch(few, GOOD)
    assert isinstance(rejection, Rejection)
    assert rejection.kind is RejectionKind.TOO_MANY_JOBS
    monkeypatch.setattr(type(service.health), "has_room", lambda _: False)
    rejection = dispatch(service, GOOD)
    assert isinstance(rejection, Rejection)
    assert rejection.kind is RejectionKind.STORE_FULL


def test_job_that_is_cancelled_during_its_upload_is_rejected(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = service.jobs.add_chunks

    def cancel_first(job_id: str, blocks: Any) -> int:
        service.jobs.cancel(job_id)
        return add(job_id, blocks)

    monkeypatch.setattr(service.jobs, "add_chunks", cancel_first)
    rejection = dispatch(service, GOOD)
    assert isinstance(rejection, Rejection)
    assert rejection.kind is RejectionKind.GONE


def test_blocks_get_smaller_where_solutions_are_listed() -> None:
    def blocks(limit: int) -> int:
        options = JobOptions(limit=limit)
        stream = open_stream((GOOD * 20_000,), options=options, settings=Settings())
        assert isinstance(stream, Stream)
        return len(list(stream.blocks()))

    assert blocks(2) < blocks(20)


@pytest.mark.parametrize("kind", list(RejectionKind))
def test_every_rejection_has_an_http_status(kind: RejectionKind) -> None:
    problem = Problem.of(Rejection(kind, "no", line=2, column=3, field="box"))
    assert 400 <= problem.status < 600
    assert (problem.detail, problem.line, problem.column, problem.field) == ("no", 2, 3, "box")
    assert (problem.retry_after is not None) == (problem.status in (409, 429, 503))


def test_upload_that_fills_a_chunk_slowly_is_kept(service: Service) -> None:
    patience = 0.3
    impatient = connect_service(replace(service.settings, upload_patience=patience))

    def trickle() -> Iterator[bytes]:
        yield GOOD * 5_000  # enough to detect the format, so that the job exists
        began = time.monotonic()
        while time.monotonic() < began + 3 * patience:
            time.sleep(0.02)
            impatient.dispatcher.recover_lost_chunks()
            yield GOOD

    job_id = ingest(impatient, trickle(), options=JobOptions(), name="a", client="me")
    assert isinstance(job_id, str)
    job = service.jobs.get(job_id)
    assert job is not None
    assert (job.state, job.chunks) == ("queued", 2)
    impatient.app.close()
    impatient.redis.close()
