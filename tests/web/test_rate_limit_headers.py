"""The headers RateLimit-Policy and RateLimit, and the overview of the caller's limits."""

import re
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient
from http_jobs import post, work
from redis.exceptions import ConnectionError as RedisDown

from web.app import create_app
from worker.service import Service
from worker.store.active_jobs import ActiveJobs

pytestmark = pytest.mark.redis

GOOD = "12.4...2....4..1"
# A list of structured fields (RFC 9651): strings with parameters that are integers or strings.
ITEM = r'"(\w+)"((?:;[a-z]+=(?:\d{1,15}|"[\w-]+"))+)'
POLICY, STATE = "RateLimit-Policy", "RateLimit"


def limited(service: Service, **bounds: Any) -> FlaskClient:
    """Return a client of the service with changed settings."""
    settings = replace(service.settings, **bounds)
    return create_app(service=replace(service, settings=settings)).test_client()


def read(header: str) -> dict[str, dict[str, int | str]]:
    """Return the items of a header with their parameters."""
    assert re.fullmatch(rf"{ITEM}(?:, {ITEM})*", header)
    items = {}
    for name, parameters in re.findall(ITEM, header):
        pairs = (each.split("=") for each in parameters.split(";")[1:])
        items[name] = {
            key: value.strip('"') if '"' in value else int(value) for key, value in pairs
        }
    return items


def test_requests_left_are_in_every_response_while_they_are_limited(service: Service) -> None:
    http = limited(service, max_requests_per_client=3)
    for path, left in (("/api/v1/formats", 2), ("/api/v1/jobs/none", 1), ("/", 0), ("/", 0)):
        answer = http.get(path)
        assert read(answer.headers[POLICY]) == {"requests": {"q": 3, "w": 60}}
        state = read(answer.headers[STATE])["requests"]
        assert state["r"] == left
        assert 0 < int(state["t"]) <= 60
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == str(state["t"])
    assert POLICY not in http.get("/healthz").headers


def test_uploads_report_the_jobs_and_puzzles_that_are_left(service: Service) -> None:
    http = limited(service, max_jobs_per_client=2, max_puzzles_per_client=5)
    policies = {
        "active_jobs": {"q": 2, "qu": "concurrent-requests"},
        "unsolved_puzzles": {"q": 5, "qu": "puzzles"},
    }
    for status, jobs, puzzles in ((202, 1, 4), (202, 0, 3), (429, 0, 3)):
        answer = post(http, GOOD)
        assert answer.status_code == status
        assert read(answer.headers[POLICY]) == policies
        state = read(answer.headers[STATE])
        assert state == {"active_jobs": {"r": jobs}, "unsolved_puzzles": {"r": puzzles}}
    work(service)
    assert read(http.post("/api/v1/solve?wait=0", json={"puzzle": GOOD}).headers[STATE]) == {
        "active_jobs": {"r": 1}, "unsolved_puzzles": {"r": 4},
    }  # fmt: skip
    for answer in (http.get("/api/v1/jobs"), http.post("/jobs", data={"text": GOOD})):
        assert POLICY not in answer.headers
    assert POLICY not in limited(service, api_keys=("key",)).post("/api/v1/jobs").headers


def test_headers_show_the_limits_of_the_key(service: Service) -> None:
    http = limited(service, api_keys=("few:requests=9:jobs=7",), max_requests_per_client=1)
    answer = http.post("/api/v1/jobs", data=GOOD, headers={"X-API-Key": "few"})
    assert {name: each["q"] for name, each in read(answer.headers[POLICY]).items()} == {
        "requests": 9, "active_jobs": 7,
    }  # fmt: skip


def test_numbers_fit_into_structured_fields(service: Service) -> None:
    answer = post(limited(service, max_jobs_per_client=1 << 53), GOOD)
    assert read(answer.headers[POLICY])["active_jobs"]["q"] == 10**15 - 1


def test_response_is_sent_without_headers_if_redis_fails(
    http: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> int:
        raise RedisDown

    monkeypatch.setattr(ActiveJobs, "count", fail)
    answer = http.post("/api/v1/jobs", json={})
    assert answer.status_code == 422
    assert POLICY not in answer.headers


def test_limits_are_listed_with_their_use(service: Service) -> None:
    http = limited(service, max_jobs_per_client=9, max_requests_per_client=5, retention=60.0)
    post(http, f"{GOOD}\n{GOOD}")
    limits = http.get("/api/v1/limits").get_json()
    quotas = {quota.pop("name"): quota for quota in limits["quotas"]}
    assert list(quotas) == ["requests", "active_jobs", "explanations"]
    assert 0 < quotas["requests"].pop("resets_in_seconds") <= 60
    assert quotas["requests"] == {"limit": 5, "used": 2, "remaining": 3, "window_seconds": 60}
    assert quotas["active_jobs"] == {
        "limit": 9, "used": 1, "remaining": 8, "window_seconds": None, "resets_in_seconds": None,
    }  # fmt: skip
    assert limits["maximums"]["expires_in"] == 60
    assert limits["maximums"]["step_limit"] == service.settings.max_step_limit
    few = limited(service, max_puzzles_per_client=9).get("/api/v1/limits").get_json()["quotas"]
    assert [(each["name"], each["used"]) for each in few if each["limit"] == 9] == [
        ("unsolved_puzzles", 2)
    ]


def test_pending_explanations_are_counted(service: Service, http: FlaskClient) -> None:
    job_id = post(http, GOOD).get_json()["id"]
    work(service)
    http.get(f"/api/v1/jobs/{job_id}/puzzles/1?wait=0")
    quotas = http.get("/api/v1/limits").get_json()["quotas"]
    assert [each["used"] for each in quotas if each["name"] == "explanations"] == [1]
