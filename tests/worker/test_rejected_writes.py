"""A Redis that answers reads but rejects writes, as with full memory or a full disk.

Workers also wait while Redis is unavailable, and warn of one that may delete jobs.
"""

from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from jobs import GOOD, upload
from running import Processes
from services import wait_until

from web.app import create_app
from worker.private_redis import PrivateRedis
from worker.process.celery_worker import is_usable
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service

pytestmark = pytest.mark.redis


@pytest.fixture
def finished(queue: Service) -> str:
    """Return the id of a finished job on a Redis that rejects all writes from now on.

    It is in the list of jobs of 127.0.0.1, with the id of another job that doesn't exist.
    """
    job_id = upload(queue, f"{GOOD}\n")
    ChunkRunner(queue, worker="here").run(job_id, 0)
    queue.job_owners.add("127.0.0.1", job_id, created_at=1.0)
    queue.job_owners.add("127.0.0.1", "gone", created_at=2.0)
    queue.redis.config_set("maxmemory", 1)
    return job_id


@pytest.fixture
def browser(queue: Service) -> FlaskClient:
    """Return a client whose requests are counted, which takes a write."""
    settings = replace(queue.settings, max_requests_per_client=1_000)
    return create_app(service=replace(queue, settings=settings)).test_client()


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/jobs", "/api/v1/jobs/{}", "/api/v1/jobs/{}/results", "/api/v1/jobs/{}/puzzles/1",
        "/api/v1/workers", "/metrics", "/", "/my-jobs", "/workers", "/jobs/{}?view=table",
        "/jobs/{}/puzzles/1",
    ],
)  # fmt: skip
def test_existing_results_are_served_while_redis_is_full(
    path: str, finished: str, browser: FlaskClient
) -> None:
    answer = browser.get(path.format(finished))
    assert answer.status_code == 200
    assert finished in answer.text or "{}" not in path or "1234341221434321" in answer.text


def test_full_redis_rejects_uploads_but_deletes_jobs(
    finished: str, browser: FlaskClient, queue: Service
) -> None:
    assert browser.post("/api/v1/jobs", data=GOOD).status_code == 503
    assert browser.get("/readyz").status_code == 503
    assert browser.get("/healthz").status_code == 200
    assert browser.delete(f"/api/v1/jobs/{finished}").status_code == 204
    assert browser.get(f"/api/v1/jobs/{finished}").status_code == 404
    assert queue.jobs.get(finished) is None


def test_worker_that_waits_for_redis_does_not_count_as_stuck(
    finished: str, queue: Service, server: PrivateRedis
) -> None:
    assert queue.jobs.get(finished) is not None
    assert not is_usable(queue)
    queue.redis.config_set("maxmemory", 0)
    assert is_usable(queue)
    server.stop()
    assert not is_usable(queue)


def test_worker_warns_if_redis_may_evict_jobs(
    queue: Service, crew: Processes, tmp_path: Path
) -> None:
    queue.redis.config_set("maxmemory-policy", "volatile-lru")
    crew.worker(concurrency=1)
    log = tmp_path / "worker.log"
    wait_until(
        lambda: "set its maxmemory-policy to noeviction (it is volatile-lru)" in log.read_text()
    )


def test_worker_without_redis_waits_and_stops_without_a_traceback(
    server: PrivateRedis, crew: Processes, tmp_path: Path
) -> None:
    server.stop()
    worker = crew.worker(concurrency=1)
    log = tmp_path / "worker.log"
    wait_until(lambda: "Trying again" in log.read_text())
    worker.terminate()
    assert worker.wait(60) == 0
    assert "Traceback" not in log.read_text()
