"""Metadata of jobs: in uploads, in responses and pages, and as a filter of the list."""

import html
import re
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from http_jobs import client_of, work

from web.api import job_list
from web.commands.cli import main
from worker.service import Service

pytestmark = pytest.mark.redis

GOOD = "12.4...2....4..1"
BOOK = {"project": "book", "chapter": "3 & <4>"}
FIELDS = {"metadata[project]": "book", "metadata[chapter]": "3 & <4>"}
JSON = {"puzzles": [GOOD], "options": {"metadata": BOOK, "name": "from JSON"}}

UPLOADS: dict[str, dict[str, Any]] = {
    "query": {"data": GOOD, "query_string": FIELDS, "content_type": "text/plain"},
    "JSON in a query": {
        "data": GOOD,
        "query_string": {"metadata": '{"project": "book", "chapter": "3 & <4>"}'},
        "content_type": "text/plain",
    },
    "form": {"data": FIELDS | {"text": GOOD}, "content_type": "multipart/form-data"},
    "URL-encoded form": {"data": FIELDS | {"text": GOOD}},
    "JSON": {"json": JSON},
    "query and JSON": {
        "query_string": {"metadata[project]": "book"},
        "json": {"puzzles": [GOOD], "options": {"metadata": {"chapter": "3 & <4>"}}},
    },
}


@pytest.mark.parametrize("upload", UPLOADS.values(), ids=UPLOADS)
def test_every_kind_of_upload_takes_metadata(http: FlaskClient, upload: dict[str, Any]) -> None:
    answer = http.post("/api/v1/jobs", **upload)
    assert answer.status_code == 202, answer.text
    assert answer.get_json()["metadata"] == BOOK
    assert http.get(f"/api/v1/jobs/{answer.get_json()['id']}").get_json()["metadata"] == BOOK


def test_metadata_of_one_puzzle_is_kept_with_its_job(http: FlaskClient, service: Service) -> None:
    body = {"puzzle": GOOD, "metadata": BOOK}
    answer = http.post("/api/v1/solve?wait=0", json=body)
    assert answer.get_json()["metadata"] == BOOK
    work(service)


def test_invalid_metadata_creates_no_job(http: FlaskClient, service: Service) -> None:
    options = {"metadata": {"page": 3}}
    answer = http.post("/api/v1/jobs", json={"puzzles": [GOOD], "options": options})
    assert (answer.status_code, answer.get_json()["field"]) == (422, "metadata[page]")
    assert http.post("/api/v1/jobs", data=GOOD, query_string={"metadatum": "x"}).status_code == 422
    assert service.active_jobs.ids() == []


def upload(http: FlaskClient, name: str, **metadata: str) -> str:
    options = {"name": name, "metadata": metadata}
    answer = http.post("/api/v1/jobs", json={"puzzles": [GOOD], "options": options})
    return str(answer.get_json()["id"])


def listed(http: FlaskClient, query: str) -> list[str]:
    answer = http.get(f"/api/v1/jobs?{query}")
    assert answer.status_code == 200, answer.text
    return [job["name"] for job in answer.get_json()["jobs"]]


def test_list_is_filtered_by_state_name_and_metadata(http: FlaskClient, service: Service) -> None:
    upload(http, "First half", project="book")
    upload(http, "second half", project="book", chapter="2")
    work(service)
    cancelled = upload(http, "third", project="app")
    http.post(f"/api/v1/jobs/{cancelled}/cancel")
    upload(http, "fourth")
    assert listed(http, "state=finished") == ["second half", "First half"]
    assert listed(http, "state=cancelled,queued") == ["fourth", "third"]
    assert listed(http, "state=cancelled&state=queued") == ["fourth", "third"]
    assert listed(http, "name=HALF") == ["second half", "First half"]
    assert listed(http, "metadata[project]=book") == ["second half", "First half"]
    assert listed(http, "metadata[project]=book&metadata[chapter]=2") == ["second half"]
    assert listed(http, "metadata[project]=boo") == []
    assert listed(http, "metadata[project]=book&name=first&state=finished") == ["First half"]
    for query, field in (
        ("state=done", "state"), ("metadata=book", "metadata"), ("metadata[=x", "metadata["),
        ("project=book", "project"),
    ):  # fmt: skip
        answer = http.get(f"/api/v1/jobs?{query}")
        assert (answer.status_code, answer.get_json()["field"]) == (422, field)


@pytest.mark.parametrize("path", ["/api/v1/jobs?count=2&", "/my-jobs?"])
def test_pages_of_a_filtered_list_lead_to_every_match(
    http: FlaskClient, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(job_list, "MAX_FILTERED", 4)
    monkeypatch.setattr(job_list, "_BATCH", 3)
    monkeypatch.setattr("web.pages.my_jobs.USUALLY_LISTED", 2)
    for number in range(20):
        upload(http, f"job {number}", parity="even" if number % 7 == 0 else "odd")
    address, seen, pages = f"{path}metadata[parity]=even&name=job", [], 0
    while address:
        answer = http.get(address)
        is_page = path.startswith("/my")
        pattern = r"job \d+(?=</a>)" if is_page else r'(?<="name":")job \d+'
        seen += re.findall(pattern, answer.text)
        pages += 1
        following = re.search(
            r'rel="next" href="([^"]*)"' if is_page else r"<http://localhost([^>]*)>",
            answer.text if is_page else answer.headers.get("Link", ""),
        )
        address = html.unescape(following[1]) if following else ""
    assert seen == ["job 14", "job 7", "job 0"]
    assert 3 < pages < 10


def test_pages_show_metadata_and_link_to_the_jobs_that_share_it(http: FlaskClient) -> None:
    job_id = upload(http, "mine", **BOOK)
    upload(http, "other", project="app")
    for path in (f"/jobs/{job_id}", "/my-jobs"):
        page = http.get(path).text
        assert "<b>chapter</b> 3 &amp; &lt;4&gt;" in page
        address = html.unescape(
            re.findall(r'href="(/my-jobs\?metadata[^"]*chapter[^"]*)"', page)[0]
        )
        filtered = http.get(address).text
        assert "mine</a>" in filtered
        assert "other</a>" not in filtered
    assert "No jobs match" in http.get("/my-jobs?name=nothing").text
    assert "No jobs match" in http.get("/my-jobs?state=failed").text
    assert http.get("/my-jobs?state=nothing").status_code == 422


def test_client_and_command_line_send_metadata(
    http: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with client_of(http, monkeypatch) as client:
        assert client.submit(GOOD, metadata=BOOK)["metadata"] == BOOK
        pairs = ["--metadata", "project=app", "--metadata", "equation=a=b"]
        shown = CliRunner().invoke(main, ["submit", "-", "--name", "cli", *pairs], input=GOOD)
        assert shown.exit_code == 0, shown.output
        assert "metadata  equation=a=b\n" in shown.output
        assert [job["name"] for job in client.jobs(metadata={"project": "app"})] == ["cli"]
        assert len(list(client.jobs(state="queued", metadata={}))) == 2
        wrong = CliRunner().invoke(main, ["submit", "-", "--metadata", "project"], input=GOOD)
        assert (wrong.exit_code, "expected KEY=VALUE, got 'project'" in wrong.output) == (2, True)
