"""The audit log records sign-ins, rejections, and deletions with the client, but no secrets.

The access log records requests if it is enabled.
"""

import io
import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from web.app import create_app
from worker.api_keys import digest_of
from worker.logs import LogFormat, start_logging
from worker.settings import Settings

pytestmark = pytest.mark.redis

KEY = "k3y-that-nobody-guesses"
TINY = "12.4...2....4..1"


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """Capture the log in JSON format."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    written = io.StringIO()
    monkeypatch.setattr("sys.stderr", written)
    start_logging(LogFormat.JSON)
    yield written
    root.handlers[:] = handlers
    root.setLevel(level)


def lines(log: io.StringIO, logger: str = "sudokuq.audit") -> list[dict[str, Any]]:
    every = [json.loads(line) for line in log.getvalue().splitlines()]
    return [line for line in every if line["logger"] == logger]


def test_sign_ins_wrong_keys_and_deletions_are_logged(settings: Settings, log: io.StringIO) -> None:
    client = create_app(replace(settings, api_keys=(KEY, "r:read"))).test_client()
    client.post("/sign-in", data={"key": "wrong-and-secret"})
    client.get("/", headers={"X-API-Key": "wrong-and-secret"})
    client.post("/sign-in", data={"key": KEY})
    jobs = [client.post("/api/v1/jobs", data=TINY).get_json()["id"] for _ in range(3)]
    client.post(f"/api/v1/jobs/{jobs[0]}/cancel")
    client.delete(f"/api/v1/jobs/{jobs[1]}")
    client.post(f"/jobs/{jobs[2]}/delete")
    client.delete(f"/api/v1/jobs/{jobs[2]}")  # already deleted
    client.delete(f"/api/v1/jobs/{jobs[0]}", headers={"X-API-Key": "r"})
    client.post("/sign-out")
    client.post("/sign-out")
    found = lines(log)
    assert [line["message"] for line in found] == [
        "wrong API key", "wrong API key", "signed in", "job cancelled", "job deleted",
        "job deleted", "request refused", "signed out",
    ]  # fmt: skip
    assert {line["client"] for line in found} == {"127.0.0.1"}
    assert [line.get("key") for line in found] == [
        None, None, *[digest_of(KEY)[:8]] * 4, digest_of("r")[:8], digest_of(KEY)[:8],
    ]  # fmt: skip
    assert [line["job"][:6] for line in found[3:6]] == [job[:6] for job in jobs]
    assert all("request" in line for line in found)
    for secret in (KEY, "wrong-and-secret", *jobs):
        assert secret not in log.getvalue()


def test_refused_requests_are_logged(http: FlaskClient, log: io.StringIO) -> None:
    http.get("/", headers={"Host": "evil.example"})
    http.post("/jobs", headers={"Origin": "https://evil.example"})
    http.get("/", headers={"X-Forwarded-For": "203.0.113.5"})
    assert [(line["message"], line["status"], line["path"]) for line in lines(log)] == [
        ("request refused", 421, "/"),
        ("request refused", 403, "/jobs"),
        ("request refused", 403, "/"),
    ]


def test_the_access_log_contains_requests_but_no_ids(settings: Settings, log: io.StringIO) -> None:
    client = create_app(replace(settings, access_log=True)).test_client()
    with client.post("/api/v1/jobs", data=TINY) as answer:
        job = answer.get_json()["id"]
    client.get(f"/api/v1/jobs/{job}?a={job}").close()
    client.get(f"/nothing/{job}%0a/x").close()
    found = lines(log, "sudokuq.access")
    assert [(line["method"], line["path"], line["status"]) for line in found] == [
        ("POST", "/api/v1/jobs", 202),
        ("GET", f"/api/v1/jobs/{job[:6]}…", 200),
        ("GET", f"/nothing/{job[:6]}…\n/x", 404),
    ]
    assert all(int(line["milliseconds"]) >= 0 and line["request"] for line in found)
    assert job not in log.getvalue()


def test_requests_are_logged_only_if_the_access_log_is_enabled(
    http: FlaskClient, log: io.StringIO
) -> None:
    assert http.get("/").status_code == 200
    assert lines(log) == lines(log, "sudokuq.access") == []


def test_a_line_of_text_cannot_be_forged(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        start_logging(LogFormat.TEXT)
        client = create_app(replace(settings, access_log=True)).test_client()
        client.get("/x%0a2026-01-01 INFO 1 sudokuq.audit: signed in client=1.1.1.1").close()
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "sudokuq." in line]
    assert 'path="/x\\n2026' in line
    assert line.partition("sudokuq.access: ")[2].startswith("request client=127.0.0.1 method=GET")
