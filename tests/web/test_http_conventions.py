"""HTTP conventions: compression, ETags, links, CORS, HEAD, and OPTIONS."""

import gzip
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import zstandard
from flask.testing import FlaskClient

from web.app import create_app
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service

GOOD = "12.4...2....4..1"
SITE = "https://a.example"
UNPACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.decompress,
    "zstd": lambda packed: zstandard.ZstdDecompressor().decompressobj().decompress(packed),
}


def finished(http: FlaskClient, service: Service, *, lines: int) -> str:
    """Create a finished job of `lines` puzzles, and return its path in the API."""
    answer = http.post("/api/v1/jobs", data=f"{GOOD}\n" * lines, content_type="text/plain")
    job_id = answer.get_json()["id"]
    job = service.jobs.get(job_id)
    assert job is not None
    for chunk in range(job.chunks):
        ChunkRunner(service, worker="here").run(job_id, chunk)
    return f"/api/v1/jobs/{job_id}"


@pytest.fixture
def job(http: FlaskClient, service: Service) -> str:
    return finished(http, service, lines=200)


@pytest.mark.parametrize("coding", UNPACK)
@pytest.mark.parametrize("path", ["{job}/results", "{job}", "/", "/static/style.css"])
def test_responses_are_compressed_if_the_client_accepts_it(
    http: FlaskClient, job: str, path: str, coding: str
) -> None:
    address = path.format(job=job)
    packed = http.get(address, headers={"Accept-Encoding": f"br, {coding}"}, buffered=True)
    assert packed.headers["Content-Encoding"] == coding
    assert "Accept-Encoding" in packed.headers["Vary"]
    plain = http.get(address, buffered=True)
    assert "Content-Encoding" not in plain.headers
    assert UNPACK[coding](packed.data) == plain.data
    assert len(packed.data) < len(plain.data)


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [("gzip;q=0.5, zstd;q=0.1", "gzip"), ("identity, gzip;q=0.5", None), ("identity, gzip", "gzip"),
     ("identity;q=0.1, gzip;q=0.5", "gzip"), ("*;q=0", None), ("gzip;q=0, zstd;q=0", None),
     ("*", "zstd"), ("br", None), ("", None)],
)  # fmt: skip
def test_answers_are_packed_as_is_liked_best(
    http: FlaskClient, job: str, accepted: str, coding: str | None
) -> None:
    for path in (job, f"{job}/results"):
        answer = http.get(path, headers={"Accept-Encoding": accepted}, buffered=True)
        assert (answer.status_code, answer.headers.get("Content-Encoding")) == (200, coding)


def test_download_that_breaks_off_has_no_end_when_packed(
    http: FlaskClient, service: Service
) -> None:
    path = finished(http, service, lines=9_000)
    headers = {"Accept-Encoding": "gzip"}
    answer = http.get(f"{path}/results", headers=headers, buffered=False)
    pieces = answer.iter_encoded()
    next(iter(pieces))
    http.delete(path)
    with pytest.raises(ConnectionResetError):
        b"".join(pieces)
    answer.close()


def test_results_of_a_final_job_need_not_be_sent_twice(http: FlaskClient, job: str) -> None:
    first = http.get(f"{job}/results?format=csv", buffered=True)
    known = {"If-None-Match": first.headers["ETag"]}
    assert http.get(f"{job}/results?format=csv", headers=known).status_code == 304
    assert http.get(f"{job}/results?format=txt", headers=known, buffered=True).status_code == 200


def test_pages_of_results_lead_on(http: FlaskClient, job: str) -> None:
    seen, address = 0, f"{job}/results?count=90&outcome=solved"
    for expected in (90, 90, 20):
        answer = http.get(address, buffered=True)
        assert len(answer.data.splitlines()) == expected
        seen += expected
        link = answer.headers.get("Link", "")
        assert ('rel="next"' in link) == (seen < 200)
        address = link.partition(">")[0].removeprefix("<http://localhost")


@pytest.mark.parametrize("name", ["_", "_external", "_method", "_scheme", "_anchor"])
def test_links_to_the_next_page_of_results_keep_all_parameters(
    http: FlaskClient, job: str, name: str
) -> None:
    answer = http.get(f"{job}/results?count=1&{name}=a%26b", buffered=True)
    assert answer.status_code == 200
    link = f"<http://localhost{job}/results?count=1&{name}=a%26b&offset=1>"
    assert answer.headers["Link"] == f'{link}; rel="next"'


@pytest.mark.parametrize("path", ["", "/results", "/puzzles/1?wait=0"])
def test_heads_have_no_body(http: FlaskClient, job: str, path: str) -> None:
    head, full = (ask(job + path, buffered=True) for ask in (http.head, http.get))
    assert (head.status_code, head.data) == (200, b"")
    assert head.content_type == full.content_type
    assert {"GET", "HEAD"} <= set(http.options(job + path).headers["Allow"].split(", "))


def of_site(service: Service, **settings: Any) -> FlaskClient:
    changed = replace(service.settings, cors_origins=(SITE,), **settings)
    return create_app(service=replace(service, settings=changed)).test_client()


def test_named_sites_may_use_the_api(service: Service) -> None:
    http = of_site(service, api_keys=("a-key-that-is-long-enough",))
    asked = {"Origin": SITE, "Access-Control-Request-Method": "POST"}
    question = http.options("/api/v1/jobs", headers=asked)
    assert question.status_code == 204
    assert question.headers["Access-Control-Allow-Origin"] == SITE
    assert "Authorization" in question.headers["Access-Control-Allow-Headers"]
    headers = {
        "Origin": SITE,
        "Sec-Fetch-Site": "cross-site",
        "Authorization": "Bearer a-key-that-is-long-enough",
    }
    answer = http.post("/api/v1/jobs", data=GOOD, headers=headers, content_type="text/plain")
    assert answer.status_code == 202
    assert "Location" in answer.headers["Access-Control-Expose-Headers"]


def test_other_sites_and_pages_stay_closed(service: Service, http: FlaskClient) -> None:
    named = of_site(service)
    for client, origin, path in (
        (named, "https://b.example", "/api/v1/jobs"),
        (named, SITE, "/jobs"),
        (http, SITE, "/api/v1/jobs"),
    ):
        headers = {"Origin": origin, "Sec-Fetch-Site": "cross-site"}
        answer = client.post(path, data=GOOD, headers=headers, content_type="text/plain")
        assert answer.status_code == 403
        assert "Access-Control-Allow-Origin" not in answer.headers
