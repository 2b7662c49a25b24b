"""Metrics, and logs that contain the job id."""

import json
import logging
from typing import Any

import pytest
from http_jobs import measures
from jobs import GOOD, MANY, upload

from worker.logs import LogFormat, logging_about, start_logging
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service


def test_jobs_and_records_are_counted_by_outcome(http: Any, service: Service) -> None:
    runner = ChunkRunner(service, worker="here")
    for _ in range(2):
        job_id = upload(service, f"{GOOD}\n{MANY}\n{MANY}\n")
        runner.run(job_id, 0)
        runner.run(job_id, 0)  # a second delivery isn't counted
    cancelled = upload(service, GOOD)
    for _ in range(2):
        service.jobs.cancel(cancelled)
    lost = upload(service, GOOD)
    service.chunks.fail(lost, fault="a test")
    seen = measures(http)
    assert seen["sudokuq_jobs_total opened"] == 4
    assert seen["sudokuq_jobs_total finished"] == 2
    assert seen["sudokuq_jobs_total cancelled"] == 1
    assert seen["sudokuq_jobs_total failed"] == 1
    assert seen["sudokuq_records_total solved"] == 2
    assert seen["sudokuq_records_total multiple"] == 4
    assert seen["sudokuq_chunk_seconds_count"] == 2
    assert seen["sudokuq_chunk_seconds_bucket +Inf"] == 2
    assert 0 < seen["sudokuq_engine_seconds_total"] <= seen["sudokuq_chunk_seconds_sum"]
    assert seen["sudokuq_active_jobs"] == 0
    assert seen["sudokuq_redis_memory_bytes"] > 0


def test_first_failure_is_an_increase(http: Any, service: Service) -> None:
    seen = measures(http)
    assert (seen["sudokuq_records_total failed"], seen["sudokuq_jobs_total failed"]) == (0, 0)
    service.chunks.fail(upload(service, GOOD), fault="a test")
    assert measures(http)["sudokuq_jobs_total failed"] == 1


def test_waiting_and_lost_chunks_are_measured(http: Any, service: Service) -> None:
    job_id = upload(service, GOOD)
    service.dispatcher.dispatch(job_id)
    seen = measures(http)
    assert seen["sudokuq_queue_depth sudokuq.small"] == 1
    assert seen["sudokuq_queue_oldest_seconds"] >= 0
    assert seen["sudokuq_sent_again_total"] == 0
    service.chunks.acquire(job_id, 0, holder="dead")
    service.redis.zadd(f"sudokuq:{{{job_id}}}:flight", {"0": 1})
    service.redis.zadd("sudokuq:active", {job_id: 1})
    service.dispatcher.recover_lost_chunks()
    assert measures(http)["sudokuq_sent_again_total"] == 1


def test_errors_while_counting_are_ignored(service: Service, monkeypatch: Any) -> None:
    service.redis.set("no hash", "a text")
    monkeypatch.setattr("worker.store.keys.COUNTERS", "no hash")
    service.counters.add({"anything": 1})
    assert service.redis.get("no hash") == b"a text"


@pytest.fixture
def _logging_as_before() -> Any:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.mark.usefixtures("_logging_as_before")
def test_log_lines_name_their_job_and_chunk(capsys: pytest.CaptureFixture[str]) -> None:
    start_logging(LogFormat.JSON)
    log = logging.getLogger("somewhere")
    with logging_about("0123456789abcdef", chunk=7):
        log.warning("it took %d s", 3)
    try:
        raise ValueError("bad")
    except ValueError:
        log.exception("an error")
    first, second = map(json.loads, capsys.readouterr().err.splitlines())
    assert (first["job"], first["chunk"]) == ("012345…", 7)
    assert (first["level"], first["message"]) == ("warning", "it took 3 s")
    assert "job" not in second
    assert "ValueError: bad" in second["error"]
    start_logging(LogFormat.TEXT)
    with logging_about("0123456789abcdef"):
        log.warning("as text")
    assert capsys.readouterr().err.rstrip().endswith("somewhere: as text job=012345…")
