"""Expiry of single jobs: every key of a job expires at the time that the client chose.

The server limits this time. A client can't exceed other limits with it.
"""

import re
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from http_jobs import post, work

from web.app import create_app
from web.commands import remote
from web.commands.cli import main
from worker.ingest.ingest import ingest
from worker.job import JobOptions
from worker.rejection import Rejection
from worker.service import Service
from worker.store import keys

pytestmark = pytest.mark.redis

GOOD = "12.4...2....4..1"
HOUR = 3_600


def deadlines(service: Service, job_id: str) -> set[int]:
    """Return the seconds until each key of a job expires, rounded to minutes."""
    found = list(service.redis.scan_iter(f"sudokuq:{{{job_id}}}:*"))
    assert found
    return {60 * round(service.redis.ttl(key) / 60) for key in found}


def test_all_data_of_a_job_expires_when_the_client_chose(http: Any, service: Service) -> None:
    job = post(http, GOOD, expires_in=str(HOUR), rate="true").json
    assert deadlines(service, job["id"]) == {HOUR}
    work(service)
    assert http.get(f"/api/v1/jobs/{job['id']}").json["expires_at"] == job["expires_at"]
    assert http.get(f"/api/v1/jobs/{job['id']}").json["state"] == "finished"
    assert deadlines(service, job["id"]) == {HOUR}
    usual = post(http, GOOD).json
    assert deadlines(service, usual["id"]) == {7 * 24 * HOUR}
    assert usual["expires_at"] > job["expires_at"]


def test_expiry_above_the_limit_of_the_server_is_rejected(service: Service) -> None:
    settings = replace(service.settings, retention=float(HOUR))
    http = create_app(service=replace(service, settings=settings)).test_client()
    answer = post(http, GOOD, expires_in=str(HOUR + 1))
    assert (answer.status_code, answer.json["field"]) == (422, "expires_in")
    assert "from 1 to 3,600, not 3,601" in answer.json["detail"]
    assert post(http, GOOD, expires_in=str(HOUR)).status_code == 202
    body = {"puzzles": [GOOD], "options": {"expires_in": 60}}
    assert http.post("/api/v1/jobs", json=body).status_code == 202


def test_form_offers_lifetimes_within_the_limit(http: FlaskClient, service: Service) -> None:
    page = http.get("/").text
    (choices,) = re.findall(r'<select id="expires_in".*?</select>', page, re.DOTALL)
    assert re.findall(r"<option[^>]*>(.*?)</option>", choices) == ["7 days", "1 day", "1 hour"]
    answer = http.post("/jobs", data={"text": GOOD, "expires_in": str(HOUR)})
    job = service.jobs.get(answer.headers["Location"].rpartition("/")[2])
    assert job is not None
    assert round(job.expires_at - job.created_at) == HOUR
    data = {"text": "hello", "expires_in": str(HOUR)}
    wrong = http.post("/jobs", data=data, content_type="multipart/form-data")
    assert f'value="{HOUR}" selected' in wrong.text


def test_command_line_sends_the_expiry(http: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[dict[str, Any]] = []

    class Recorder:
        def submit(self, file: object, **options: Any) -> dict[str, Any]:
            del file
            sent.append(options)
            return post(http, GOOD).json  # type: ignore[no-any-return]

    monkeypatch.setattr(remote, "connect", lambda *_: Recorder())
    shown = CliRunner().invoke(
        main, ["submit", "-", "--name", "x", "--expires-in", "60"], input=GOOD
    )
    assert shown.exit_code == 0, shown.output
    assert sent[0]["expires_in"] == 60
    assert CliRunner().invoke(main, ["submit", "-", "--expires-in", "1h"]).exit_code == 2


def test_concurrent_jobs_cannot_exceed_a_limit_by_expiring_before_others(service: Service) -> None:
    bounded = replace(service, settings=replace(service.settings, max_jobs_per_client=2))
    answers: list[str | Rejection] = []

    def upload(expires_in: int) -> None:
        answers.append(
            ingest(bounded, pieces(expires_in), options=JobOptions(), name="", client="me",
                   expires_in=expires_in)
        )  # fmt: skip

    def pieces(expires_in: int) -> Any:
        if expires_in < 5 * HOUR:  # The others are created while this one is being uploaded.
            upload(expires_in + HOUR)
        yield GOOD.encode()

    upload(HOUR)
    assert sum(isinstance(answer, str) for answer in answers) == 2
    assert len(service.active_jobs.ids()) == 2
    assert service.redis.zcard(keys.client("me")) == 2
