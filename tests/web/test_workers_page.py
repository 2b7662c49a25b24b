"""The page about the workers: their state and throughput, and advice if something is wrong."""

import re
import time

import pytest
from flask.testing import FlaskClient
from http_jobs import submit_form

from worker.process.chunk_runner import ChunkRunner
from worker.service import Service
from worker.store.clock import redis_time
from worker.store.live_workers import WorkerInfo
from worker.store.throughput import count_done

pytestmark = pytest.mark.redis

GOOD = "12.4...2....4..1"
WORKER = WorkerInfo(name="sudokuq-7@here", slots=2, started_at=1e9)


def words(page: str, element: str) -> list[str]:
    """Return the texts of all elements of a page whose tag begins with `element`."""
    found = re.findall(rf"<{element}[^>]*>(.*?)</{element.split(maxsplit=1)[0]}>", page, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", "", text).split()) for text in found]


def status(http: FlaskClient) -> str:
    return words(http.get("/workers").text, 'section class="status')[0]


def test_status_says_what_is_wrong_and_what_to_do(http: FlaskClient, service: Service) -> None:
    assert "No workers are running" in status(http)
    assert "“sudokuq worker” starts another worker" in status(http)
    service.registry.beat(WORKER)
    assert status(http).startswith("Ready Nothing is wrong.")
    submit_form(http, GOOD)
    assert status(http).startswith("Ready Nothing is wrong.")
    service.registry.start_task(WORKER.name, 1, job_id="x" * 22, chunk=0, since=time.time())
    assert status(http).startswith("Working Nothing is wrong. Jobs take turns")


def test_job_that_waits_for_idle_workers_is_reported(
    http: FlaskClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.registry.beat(WORKER)
    submit_form(http, GOOD)
    now = redis_time(service.redis)
    monkeypatch.setattr("web.pages.workers.redis_time", lambda _: now + 61)
    assert status(http).startswith("Jobs wait, but the workers are idle Restart the workers.")


def test_worker_shows_what_it_does_and_how_much_it_has_done(
    http: FlaskClient, service: Service
) -> None:
    submit_form(http, f"{GOOD}\n" * 3)
    (job_id,) = service.active_jobs.ids()
    ChunkRunner(service, worker=WORKER.name).run(job_id, 0)
    service.registry.beat(WORKER)
    page = http.get("/workers").text
    assert words(page, "h3") == ["Worker 1 on here"]
    assert words(page, 'p class="state') == ["Idle"]
    assert words(page, 'p class="total"') == ["3 puzzles done since 2001-09-09 01:46 UTC"]
    assert http.get("/api/v1/workers").get_json()["workers"][0]["done"] == 3
    since = redis_time(service.redis) - 75
    service.registry.start_task(WORKER.name, 1, job_id=job_id, chunk=4, since=since)
    page = http.get("/workers").text
    assert words(page, 'p class="state') == ["Working"]
    assert "hard puzzle for 1 min 15 s" in words(page, 'p class="now"')[0]
    shown, details = page.split("Technical details")
    assert "sudokuq-7" not in shown
    assert job_id[:6] not in shown
    assert "chunk 5, for 1 min 15 s" in details
    service.registry.leave(WORKER.name)
    service.registry.beat(WORKER)
    assert http.get("/api/v1/workers").get_json()["workers"][0]["done"] == 0


def test_waiting_tasks_are_named(http: FlaskClient) -> None:
    assert "Waiting:" not in http.get("/workers").text
    submit_form(http, GOOD)
    assert "Waiting: 1 part of small jobs" in http.get("/workers").text


def test_speed_is_shown_only_if_there_was_work(http: FlaskClient, service: Service) -> None:
    assert "puzzles per minute" not in http.get("/workers").text
    assert len(http.get("/api/v1/workers").get_json()["lately"]) == 30
    with service.redis.pipeline() as pipe:
        count_done(pipe, 500, now=redis_time(service.redis) - 10)
        pipe.execute()
    page = http.get("/workers").text
    assert "3,000 puzzles per minute now, 3,000 at the peak" in page
    assert "<dt>Puzzles in 5 minutes</dt><dd>500</dd>" in page
    assert all(service.redis.ttl(key) > 0 for key in service.redis.keys("sudokuq:pace:*"))
