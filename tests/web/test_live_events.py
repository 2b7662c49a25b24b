import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from redis.exceptions import ConnectionError as RedisIsAway

from web.api import events
from web.http import connection
from worker.job import Job
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service
from worker.store.jobs import JobStore

GOOD = "12.4...2....4..1"


def upload(http: FlaskClient) -> str:
    answer = http.post("/api/v1/jobs", data=GOOD, content_type="text/plain")
    return str(answer.get_json()["id"])


def watch(http: FlaskClient, job_id: str, **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return http.get(f"/api/v1/jobs/{job_id}/events", headers=named, buffered=False)


def jobs(pieces: Iterator[bytes]) -> Iterator[dict[str, Any]]:
    for piece in pieces:
        named = dict(line.split(": ", 1) for line in piece.decode().split("\n") if line)
        yield json.loads(named["data"])


def test_job_is_sent_whenever_it_changes_until_it_is_final(
    http: FlaskClient, service: Service
) -> None:
    job_id = upload(http)
    answer = watch(http, job_id)
    assert answer.mimetype == "text/event-stream"
    told = jobs(answer.iter_encoded())
    assert next(told)["state"] == "queued"
    ChunkRunner(service, worker="here").run(job_id, 0)
    last = next(told)
    assert (last["state"], last["done"], last["outcomes"]["solved"]) == ("finished", 1, 1)
    assert last == http.get(f"/api/v1/jobs/{job_id}").json
    assert list(told) == []


def test_browser_that_has_the_last_event_stops_reconnecting(
    http: FlaskClient, service: Service
) -> None:
    job_id = upload(http)
    ChunkRunner(service, worker="here").run(job_id, 0)
    (event,) = watch(http, job_id).iter_encoded()
    known = event.split(b"\n")[0].removeprefix(b"id: ").decode()
    assert watch(http, job_id, Last_Event_ID=known).status_code == 204
    assert watch(http, job_id, Last_Event_ID="other").status_code == 200


def test_events_continue_after_redis_was_unavailable(
    http: FlaskClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = upload(http)
    told = jobs(watch(http, job_id).iter_encoded())
    assert next(told)["state"] == "queued"
    failures = iter([True, True])
    get = JobStore.get

    def count_and_get(jobs: JobStore, job_id: str) -> Job | None:
        if next(failures, False):
            raise RedisIsAway("away")
        return get(jobs, job_id)

    ChunkRunner(service, worker="here").run(job_id, 0)
    monkeypatch.setattr(JobStore, "get", count_and_get)
    assert next(told)["state"] == "finished"
    assert next(failures, None) is None


def test_events_end_with_the_job(http: FlaskClient) -> None:
    job_id = upload(http)
    told = watch(http, job_id).iter_encoded()
    next(told)
    http.delete(f"/api/v1/jobs/{job_id}")
    assert list(told) == []
    assert watch(http, job_id).status_code == 404


def test_clients_beyond_the_limit_must_poll(
    http: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "_stream_slots", threading.BoundedSemaphore(1))
    job_id = upload(http)
    first = watch(http, job_id)
    second = watch(http, job_id)
    assert (second.status_code, second.headers["Retry-After"]) == (503, "10")
    first.close()
    assert watch(http, job_id).status_code == 200


def test_event_streams_end_when_the_server_stops(
    http: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopping = threading.Event()
    monkeypatch.setattr(events, "stopping", stopping)
    told = watch(http, upload(http)).iter_encoded()
    next(told)
    stopping.set()
    assert list(told) == []
    assert not connection.stopping.is_set()
