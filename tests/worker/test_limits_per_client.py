"""Limits per client and for all clients together: below, at, and above each limit."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from web.app import create_app
from worker.ingest.ingest import ingest
from worker.job import JobOptions
from worker.process.chunk_runner import ChunkRunner
from worker.rejection import Rejection
from worker.service import Service
from worker.store import keys

pytestmark = pytest.mark.redis

TINY = "12.4...2....4..1\n"


def limited(service: Service, **bounds: Any) -> FlaskClient:
    """Return a client of the service with changed settings."""
    settings = replace(service.settings, **bounds)
    return create_app(service=replace(service, settings=settings)).test_client()


def submit(http: FlaskClient, puzzles: int, key: str = "") -> Any:
    headers = {"X-API-Key": key} if key else {}
    return http.post("/api/v1/jobs", data=TINY * puzzles, headers=headers)


def test_requests_above_the_limit_get_429_with_the_time_to_retry(service: Service) -> None:
    http = limited(service, max_requests_per_client=3)
    for path in ("/api/v1/formats", "/", "/api/v1/jobs/none"):
        assert http.get(path).status_code in (200, 404)
    rejection = http.get("/api/v1/formats")
    assert rejection.status_code == 429
    assert 0 < int(rejection.headers["Retry-After"]) <= 60
    assert "3 requests" in rejection.get_json()["detail"]
    assert http.get("/").status_code == 429
    assert http.get("/healthz").status_code == 200
    for key in service.redis.scan_iter("sudokuq:requests:*"):
        assert 0 < service.redis.ttl(key) <= 60
        service.redis.delete(key)  # as if a minute had passed
    assert http.get("/api/v1/formats").status_code == 200


def test_requests_are_counted_per_client_and_keys_can_set_a_limit(
    service: Service,
) -> None:
    few = limited(service, api_keys=("few:requests=2", "many"), max_requests_per_client=4)

    def statuses(key: str, count: int) -> list[int]:
        sent = [few.get("/api/v1/formats", headers={"X-API-Key": key}) for _ in range(count)]
        return [answer.status_code for answer in sent]

    assert statuses("few", 3) == [200, 200, 429]
    assert statuses("many", 5) == [200, 200, 200, 200, 429]
    # Requests with wrong keys count toward the IP address, no matter which keys they try.
    assert statuses("wrong", 2) + statuses("guess", 3) == [401, 401, 401, 401, 429]


def test_requests_are_not_counted_without_a_limit(service: Service, http: Any) -> None:
    assert http.get("/api/v1/formats").status_code == 200
    assert not list(service.redis.scan_iter(keys.requests("*").rpartition(":")[0] + "*"))


def test_a_client_can_upload_again_when_waiting_puzzles_are_done(service: Service) -> None:
    http = limited(service, max_puzzles_per_client=5)
    first = submit(http, 3)
    assert (first.status_code, submit(http, 2).status_code) == (202, 202)
    rejection = submit(http, 1)
    assert (rejection.status_code, rejection.headers["Retry-After"]) == (429, "30")
    assert "limit of 5 unsolved puzzles" in rejection.get_json()["detail"]
    ChunkRunner(service, worker="here").run(first.get_json()["id"], 0)
    assert (submit(http, 4).status_code, submit(http, 3).status_code) == (429, 202)


def test_the_limit_of_waiting_puzzles_applies_to_one_upload_and_per_key(
    service: Service,
) -> None:
    http = limited(service, api_keys=("few:waiting=4", "many"))
    assert [submit(http, count, "few").status_code for count in (5, 4, 1)] == [413, 202, 429]
    assert submit(http, 5, "many").status_code == 202
    assert len(service.active_jobs.ids()) == 2  # rejected uploads leave no job


@pytest.mark.parametrize(("limit", "waiting"), [(4, 0), (4, 3), (20_000, 0), (20_000, 19_999)])
def test_an_upload_that_can_never_fit_is_rejected_without_a_retry(
    service: Service, limit: int, waiting: int
) -> None:
    http = limited(service, max_puzzles_per_client=limit)
    assert waiting == 0 or submit(http, waiting).status_code == 202
    rejection = submit(http, limit + 1)  # several chunks, if the limit is large
    assert (rejection.status_code, rejection.headers.get("Retry-After")) == (413, None)
    assert f"limit of {limit:,} unsolved puzzles" in rejection.get_json()["detail"]
    assert "split it" in rejection.get_json()["detail"]
    assert submit(http, limit).status_code == (202 if waiting == 0 else 429)


def test_the_limit_of_unfinished_jobs_applies_to_concurrent_uploads(service: Service) -> None:
    bounded = replace(service, settings=replace(service.settings, max_jobs_per_client=2))
    answers: list[str | Rejection] = []

    def upload(after: int) -> None:
        answers.append(ingest(bounded, pieces(after), options=JobOptions(), name="", client="me"))

    def pieces(after: int) -> Iterator[bytes]:
        if after:
            upload(after - 1)
        yield TINY.encode()

    upload(4)
    assert [isinstance(answer, str) for answer in answers] == [True, True, False, False, False]
    assert len(service.active_jobs.ids()) == 2  # rejected uploads leave no job


def test_the_limit_of_waiting_puzzles_applies_to_concurrent_uploads(service: Service) -> None:
    bounded = replace(service, settings=replace(service.settings, max_puzzles_per_client=17_000))

    def upload(pieces: Iterable[bytes]) -> str | Rejection:
        return ingest(bounded, pieces, options=JobOptions(), name="", client="me")

    def pieces() -> Iterator[bytes]:
        yield TINY.encode() * 16_000  # enough for some chunks to be stored
        assert isinstance(upload([TINY.encode() * 600]), str)
        yield TINY.encode() * 1_000

    assert isinstance(upload(pieces()), Rejection)
    assert len(service.active_jobs.ids()) == 1  # the rejected upload leaves no job
    assert isinstance(upload([TINY.encode() * 16_400]), str)


def test_the_limit_of_unfinished_jobs_of_all_clients_gives_503(service: Service) -> None:
    http = limited(service, api_keys=("one", "other"), max_jobs=2)
    assert submit(http, 1, "one").status_code == 202
    second = submit(http, 1, "other")
    assert second.status_code == 202
    rejection = submit(http, 1, "one")
    assert (rejection.status_code, rejection.headers["Retry-After"]) == (503, "60")
    ChunkRunner(service, worker="here").run(second.get_json()["id"], 0)
    assert submit(http, 1, "one").status_code == 202


def test_the_limit_of_unfinished_jobs_of_all_clients_applies_to_concurrent_uploads(
    service: Service,
) -> None:
    bounded = replace(service, settings=replace(service.settings, max_jobs=2))

    def upload(client: int) -> str | Rejection:
        return ingest(bounded, pieces(client), options=JobOptions(), name="", client=str(client))

    def pieces(client: int) -> Iterator[bytes]:
        if client:
            upload(client - 1)
        yield TINY.encode()

    upload(4)
    assert len(service.active_jobs.ids()) == 2  # rejected uploads leave no job
