"""The speed of a job and its remaining time, which follow its recent progress."""

import pytest
from http_jobs import post
from jobs import answers, job_of, open_job

from solver.preparing import Code
from web.app import create_app
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service
from worker.store import chunks
from worker.store.keys import JobKeys

CHUNK = 100
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def pass_time(service: Service, job_id: str, seconds: float) -> None:
    """Move the beginning of a job, and of the measurement of its speed, to the past."""
    facts = JobKeys(job_id).facts
    for field in ("started_at", "solving_at"):
        service.redis.hincrbyfloat(facts, field, -seconds)
    pace = service.redis.hget(facts, "pace")
    if pace is not None:
        first, records, middle, later = pace.split()
        moved = (float(first) - seconds, int(records), float(middle) - seconds, int(later))
        service.redis.hset(facts, "pace", "{:f} {} {:f} {}".format(*moved))


def solve(service: Service, job_id: str, chunk: int) -> None:
    service.chunks.acquire(job_id, chunk, holder="me")
    service.chunks.commit(job_id, chunk, done=0, total=CHUNK, result=answers(CHUNK))


def test_speed_forgets_what_was_slow_a_few_minutes_ago(service: Service) -> None:
    job_id = open_job(service, chunks=8, records=CHUNK)
    service.jobs.seal(job_id)
    service.chunks.acquire(job_id, 0, holder="me")
    pass_time(service, job_id, 3_600)
    for chunk in range(5):
        solve(service, job_id, chunk)
        pass_time(service, job_id, 50)
    job = job_of(service, job_id)
    assert job.puzzles_per_second is not None
    assert 1 <= job.puzzles_per_second + 0.1 <= CHUNK / 50
    assert job.eta_seconds == pytest.approx(300 / job.puzzles_per_second)


def test_speed_of_a_fast_job_is_measured_over_half_a_minute_and_more(service: Service) -> None:
    job_id = open_job(service, chunks=60, records=CHUNK)
    for chunk in range(60):
        solve(service, job_id, chunk)
        pass_time(service, job_id, 2)
        job = job_of(service, job_id)
        assert job.paced_from is not None
        assert job.observed_at - job.paced_from < 70
        if chunk > 15:
            assert job.observed_at - job.paced_from > 30
        if chunk > 1:
            assert job.puzzles_per_second == pytest.approx(CHUNK / 2, rel=0.1)


def test_no_time_left_is_shown_before_it_can_be_estimated(service: Service) -> None:
    job_id = open_job(service, chunks=2, records=CHUNK)
    service.jobs.seal(job_id)
    assert job_of(service, job_id).eta_seconds is None
    service.chunks.acquire(job_id, 0, holder="me")
    service.chunks.commit(job_id, 0, done=0, total=CHUNK, result=answers(5))
    assert job_of(service, job_id).puzzles_per_second
    assert job_of(service, job_id).eta_seconds is None  # too early
    pass_time(service, job_id, 10)
    assert job_of(service, job_id).eta_seconds is None  # too few
    service.chunks.commit(job_id, 0, done=5, total=CHUNK, result=answers(5, first=6))
    assert job_of(service, job_id).eta_seconds == pytest.approx(190, rel=0.1)


def test_waiting_for_compilation_counts_neither_for_speed_nor_time_left(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "DEFERRED_SECONDS", 0)
    http = create_app(service=service).test_client()
    job_id = post(http, EASY, name="one").json["id"]
    ready: set[Code] = set()
    runner = ChunkRunner(service, worker="test", are_ready=ready.issuperset)
    runner.run(job_id, 0)
    pass_time(service, job_id, 337)
    job = job_of(service, job_id)
    assert (job.puzzles_per_second, job.eta_seconds) == (None, None)
    ready.update(Code)
    runner.run(job_id, 0)
    job = job_of(service, job_id)
    assert job.seconds_compiling == pytest.approx(337, abs=5)
    assert job.puzzles_per_second is not None
    assert job.puzzles_per_second > 0.1
    page = http.get(f"/jobs/{job_id}?view=table").text
    assert "(including 5 min 37 s waiting for code to be compiled)" in page


def test_a_job_that_was_not_delayed_mentions_no_compilation(service: Service) -> None:
    http = create_app(service=service).test_client()
    job_id = post(http, EASY, name="one").json["id"]
    runner = ChunkRunner(service, worker="test")
    runner.run(job_id, 0)
    assert job_of(service, job_id).seconds_compiling == 0
    page = http.get(f"/jobs/{job_id}?view=table").text
    assert "done in" in page
    assert "compiling" not in page
