"""Problem documents have stable types with working URLs, and request ids that are in the log."""

import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from web.api import catalog
from web.app import create_app
from web.schemas import responses
from web.schemas.problem_types import PROBLEM_TYPES, default_type
from worker.logs import LogFormat, start_logging
from worker.settings import Settings

GOOD = "12.4...2....4..1"


@pytest.mark.parametrize(
    ("method", "path", "headers", "name"),
    [("GET", "/api/nowhere", {}, "not-found"),
     ("GET", "/api/v1/jobs/x", {}, "job-not-found"),
     ("PUT", "/api/v1/formats", {}, "method-not-allowed"),
     ("GET", "/api/v1/jobs?count=x", {}, "invalid-value"),
     ("POST", "/api/v1/jobs", {"Content-Type": "image/png"}, "unsupported-type"),
     ("POST", "/api/v1/jobs", {}, "unreadable-upload"),
     ("POST", "/api/v1/jobs", {"Idempotency-Key": ""}, "bad-request"),
     ("POST", "/api/v1/jobs", {"Sec-Fetch-Site": "cross-site"}, "forbidden")],
)  # fmt: skip
def test_every_problem_has_a_type_that_resolves(
    http: FlaskClient, method: str, path: str, headers: dict[str, str], name: str
) -> None:
    answer = http.open(path, method=method, headers=headers)
    document: dict[str, Any] = answer.get_json()
    kind = PROBLEM_TYPES[name]
    assert document["type"] == f"/errors/{name}"
    assert (answer.status_code, document["status"]) == (kind.status, kind.status)
    assert document["title"] == kind.title
    page = http.get(document["type"])
    assert page.status_code == 200
    assert kind.title in page.text


def test_every_type_has_a_page_and_a_place_in_the_list(http: FlaskClient) -> None:
    every = http.get("/errors").text
    for kind in PROBLEM_TYPES.values():
        assert f'href="{kind.uri}"' in every
        assert http.get(kind.uri).status_code == 200
    assert http.get("/errors/other").status_code == 404


def test_the_pages_of_types_need_no_key(settings: Settings) -> None:
    from dataclasses import replace

    http = create_app(replace(settings, api_keys=("secret",))).test_client()
    refused = http.get("/api/v1/jobs", headers={"X-API-Key": "wrong"})
    assert (refused.status_code, refused.get_json()["type"]) == (401, "/errors/unknown-api-key")
    assert refused.headers["WWW-Authenticate"] == "Bearer"
    assert http.get("/api/v1/jobs").get_json()["type"] == "/errors/api-key-required"
    assert http.get("/errors/unknown-api-key").status_code == 200


@pytest.mark.parametrize("status", [400, 404, 418, 431, 500, 503, 504])
def test_every_status_has_a_type(status: int) -> None:
    kind = default_type(status)
    assert kind.status // 100 == status // 100
    assert re.fullmatch("[a-z-]+", kind.name)


@pytest.mark.parametrize(
    "path", ["/", "/static/style.css", "/healthz", "/api/v1/formats", "/api/v1/jobs/x", "/nowhere"]
)
def test_every_response_has_a_request_id(http: FlaskClient, path: str) -> None:
    ids = [http.get(path, buffered=True).headers["X-Request-Id"] for _ in range(2)]
    assert len(set(ids)) == 2
    assert re.fullmatch("[0-9a-f]{16}", ids[0])


@pytest.mark.parametrize("sent", ["from-proxy.1:2", "x" * 64])
def test_a_harmless_request_id_is_kept(http: FlaskClient, sent: str) -> None:
    answer = http.get("/api/v1/jobs/x", headers={"X-Request-Id": sent})
    assert (answer.headers["X-Request-Id"], answer.get_json()["request_id"]) == (sent, sent)


@pytest.mark.parametrize("sent", ["a b", "x" * 65, "", "a=1"])
def test_any_other_request_id_is_replaced(http: FlaskClient, sent: str) -> None:
    answer = http.get("/api/v1/jobs/x", headers={"X-Request-Id": sent})
    assert answer.headers["X-Request-Id"] == answer.get_json()["request_id"] != sent


@pytest.fixture
def _log_on_stderr() -> Iterator[None]:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)


@pytest.mark.usefixtures("_log_on_stderr")
@pytest.mark.parametrize("format_", list(LogFormat))
def test_a_bug_is_reported_with_an_id_that_is_in_the_log(
    format_: LogFormat,
    http: FlaskClient,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def broken(*_: object) -> responses.Formats:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(catalog, "_described", broken)
    start_logging(format_)
    answer = http.get("/api/v1/variants", buffered=True)
    found = answer.headers["X-Request-Id"]
    assert (answer.status_code, answer.get_json()["type"]) == (500, "/errors/internal-error")
    assert answer.get_json()["request_id"] == found
    assert answer.get_json()["detail"].count(found) == 1
    logged = capsys.readouterr().err
    assert "on purpose" in logged
    assert found in logged
    logging.getLogger("another").warning("after it")
    assert found not in capsys.readouterr().err


def test_error_pages_show_the_id(http: FlaskClient) -> None:
    answer = http.get("/jobs/none")
    assert answer.headers["X-Request-Id"] in answer.text
