"""Processes with older and newer data schemas share a queue and lose or corrupt no data."""

import hashlib
import logging
import re
from typing import Any, get_type_hints

import pytest
from jobs import GOOD, MANY, job_of, outcomes, state, upload

from solver.formats.format import Block
from worker.celery_app import BIG, left_queue
from worker.job import Job, JobOptions
from worker.process.chunk_runner import ChunkRunner
from worker.process.explain_record import explain_record
from worker.records.boards import StoredBoard
from worker.records.chunk_result import ChunkResult
from worker.records.explanations import StoredDifficulty, StoredExplanation
from worker.records.minimality import StoredMinimality
from worker.records.true_candidates import StoredCandidates
from worker.service import Service
from worker.store import keys, schema
from worker.store.keys import JobKeys

pytestmark = pytest.mark.redis
TEXT = f"{GOOD}\n{MANY}\n" * 2
# The digest of `shapes` for each schema version.
SHAPES = {1: "b913c8b06e7dbe26"}
MODULE = re.compile(r"(?:\w+\.)+")
STORED = (
    Block, ChunkResult, Job, JobOptions, StoredBoard, StoredCandidates, StoredDifficulty,
    StoredExplanation, StoredMinimality,
)  # fmt: skip


class Versions:
    """Switch this process between a newer version and its real one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        self._own = schema.SCHEMA

    def newer(self) -> None:
        self._monkeypatch.setattr(schema, "SCHEMA", self._own + 1)

    def older(self) -> None:
        self._monkeypatch.setattr(schema, "SCHEMA", self._own)


@pytest.fixture
def versions(monkeypatch: pytest.MonkeyPatch) -> Versions:
    return Versions(monkeypatch)


@pytest.fixture
def newer_job(service: Service, versions: Versions) -> str:
    """Return a job of two chunks that has a newer schema and has been dispatched.

    The second chunk is stored in a form that no version can read.
    """
    versions.newer()
    job_id = upload(service, TEXT, per_chunk=2)
    service.dispatcher.dispatch(job_id)
    service.redis.set(JobKeys(job_id).input(1), b"stored in another way", keepttl=True)
    versions.older()
    return job_id


def look_later(service: Service, job_id: str) -> None:
    """Recover lost chunks as if every timeout of a job had passed."""
    for chunk in (0, 1):
        service.redis.zadd(JobKeys(job_id).once["flight"], {str(chunk): 1}, xx=True)
    service.redis.zadd(keys.ACTIVE, {job_id: 1}, xx=True)
    service.dispatcher.recover_lost_chunks()


def waiting(service: Service) -> int:
    return sum(service.dispatcher.queue_depths().values())


def test_chunk_of_a_newer_version_is_left_to_newer_workers_with_a_log_message(
    service: Service,
    runner: ChunkRunner,
    newer_job: str,
    versions: Versions,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        for chunk in (0, 1, 1):
            runner.run(newer_job, chunk)
    assert "left a chunk to newer workers" in caplog.text
    versions.newer()
    assert state(service, newer_job) == "queued"
    assert outcomes(service, newer_job) == b""
    assert service.redis.llen(left_queue(schema.SCHEMA)) == 3


def test_chunk_left_to_newer_workers_does_not_return_to_the_queue_of_older_ones(
    service: Service, runner: ChunkRunner, newer_job: str, versions: Versions
) -> None:
    service.redis.delete(BIG)
    runner.run(newer_job, 1)
    versions.newer()
    service.dispatcher.recover_lost_chunks()
    assert (service.redis.llen(BIG), service.redis.llen(left_queue(schema.SCHEMA))) == (0, 1)


def test_chunk_that_an_older_worker_left_is_recovered_by_the_newer_version_alone(
    service: Service, runner: ChunkRunner, newer_job: str, versions: Versions
) -> None:
    service.redis.delete(BIG)
    for chunk in (0, 1):
        runner.run(newer_job, chunk)
    look_later(service, newer_job)
    assert waiting(service) == 0
    versions.newer()
    look_later(service, newer_job)
    assert waiting(service) == 2
    runner.run(newer_job, 0)
    assert outcomes(service, newer_job) == bytes([0, 1])


def test_each_version_recovers_lost_chunks_by_itself(service: Service, versions: Versions) -> None:
    assert service.recovery.acquire_turn(seconds=60)
    assert not service.recovery.acquire_turn(seconds=60)
    versions.newer()
    assert service.recovery.acquire_turn(seconds=60)


def test_older_version_finds_its_own_jobs_among_any_number_of_newer_ones(
    service: Service, versions: Versions
) -> None:
    versions.newer()
    for _ in range(250):
        upload(service, GOOD)
    versions.older()
    own = upload(service, GOOD)
    assert service.recovery.due_jobs(early=False) == [own]


def test_rollback_during_a_job_loses_nothing(
    service: Service, runner: ChunkRunner, versions: Versions
) -> None:
    versions.newer()
    job_id = upload(service, TEXT, per_chunk=2)
    service.dispatcher.dispatch(job_id)
    runner.run(job_id, 0)
    versions.older()
    own = upload(service, TEXT, per_chunk=2)
    for chunk in (0, 1):
        runner.run(job_id, chunk)
        runner.run(own, chunk)
    assert job_of(service, own).state == "finished"
    look_later(service, job_id)
    versions.newer()
    assert (job_of(service, job_id).state, job_of(service, job_id).done) == ("running", 2)
    look_later(service, job_id)
    runner.run(job_id, 1)
    assert job_of(service, job_id).state == "finished"
    assert outcomes(service, job_id) == outcomes(service, own) == bytes([0, 1, 0, 1])


def test_chunk_that_a_newer_worker_has_is_not_touched(
    service: Service, runner: ChunkRunner, newer_job: str, versions: Versions
) -> None:
    versions.newer()
    service.chunks.acquire(newer_job, 0, holder="newer")
    versions.older()
    runner.run(newer_job, 0)
    assert service.chunks.renew(newer_job, 0, holder="newer")


def test_newer_version_continues_jobs_of_an_older_one(
    service: Service, runner: ChunkRunner, versions: Versions
) -> None:
    job_id = upload(service, TEXT, per_chunk=2)
    runner.run(job_id, 0)
    # as in jobs from before schema versions existed
    service.redis.hdel(JobKeys(job_id).facts, "schema")
    versions.newer()
    runner.run(job_id, 1)
    assert outcomes(service, job_id) == bytes([0, 1, 0, 1])


def test_older_web_server_answers_503_for_newer_jobs_and_keeps_them_in_the_list(
    http: Any, versions: Versions
) -> None:
    own = http.post("/api/v1/jobs", data=GOOD).json["id"]
    versions.newer()
    newer = http.post("/api/v1/jobs", data=GOOD).json["id"]
    versions.older()
    for path in ("", "/results", "/puzzles/1"):
        answer = http.get(f"/api/v1/jobs/{newer}{path}")
        assert answer.status_code == 503
        assert answer.headers["Retry-After"]
        assert "newer version" in answer.json["detail"]
    assert http.get(f"/jobs/{newer}").status_code == 503
    assert [job["id"] for job in http.get("/api/v1/jobs").json["jobs"]] == [own]
    assert http.get("/api/v1/workers").status_code == 200
    assert http.get("/metrics").status_code == 200
    versions.newer()
    assert [job["id"] for job in http.get("/api/v1/jobs").json["jobs"]] == [newer, own]
    assert http.delete(f"/api/v1/jobs/{newer}").status_code == 204


def test_explanation_for_a_newer_job_is_left_to_others(
    service: Service, newer_job: str, versions: Versions
) -> None:
    assert not explain_record(service, newer_job, 1)
    versions.newer()
    assert explain_record(service, newer_job, 1)


def shapes() -> str:
    """Return the names and types of all stored fields, without the modules of the types."""
    lines = [
        f"{type_.__name__}.{name}: {MODULE.sub('', str(annotation))}"
        for type_ in STORED
        for name, annotation in sorted(get_type_hints(type_).items())
    ]
    return "\n".join(lines)


def test_format_of_stored_data_changes_only_with_the_schema() -> None:
    """Older workers must not read a newer layout. See `worker.store.schema`."""
    digest = hashlib.sha256(shapes().encode()).hexdigest()[:16]
    assert SHAPES.get(schema.SCHEMA) == digest, (
        f"the stored fields have changed (digest {digest}): raise SCHEMA if schema "
        f"{schema.SCHEMA} has been released, and record the digest in SHAPES"
    )
