"""The service only accepts its own host names, which prevents DNS rebinding."""

from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest
from browsing import FLAGS
from flask.testing import FlaskClient
from playwright.sync_api import Playwright
from running import await_web, find_port
from services import brief_processes

from web.access.hosts import is_allowed
from web.app import create_app
from worker.settings import Settings

HERE = ["localhost", "localhost:8000", "LOCALHOST.", "sudoku.localhost:1", "127.0.0.1",
        "127.9.9.9:80", "[::1]", "[::1]:8000"]  # fmt: skip
ELSEWHERE = ["evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.e",
             "0.0.0.0", "192.168.1.7", "[2001:db8::1]", "x", "", "localhost@evil.example",
             "localhost,evil.example", "evillocalhost", "[::1].evil.example"]  # fmt: skip


@pytest.mark.parametrize("host", HERE)
def test_loopback_is_always_allowed(host: str) -> None:
    assert is_allowed(host, Settings())
    assert is_allowed(host, Settings(hosts=("a.example",), api_keys=("k",)))


@pytest.mark.parametrize("host", ELSEWHERE)
def test_nothing_else_is_allowed_without_keys(host: str) -> None:
    assert not is_allowed(host, Settings())
    assert not is_allowed(host, Settings(hosts=("a.example",), open_to_all=True))
    assert is_allowed(host, Settings(api_keys=("k",)))
    assert is_allowed(host, Settings(open_to_all=True))
    assert is_allowed(host, Settings(hosts=("*",)))


@pytest.mark.parametrize(
    ("host", "allowed"),
    [("a.example", True), ("A.Example.:81", True), ("b.a.example", False), ("example", False),
     ("x.b.example", True), ("b.example", False), ("xb.example", False)],
)  # fmt: skip
def test_names_of_the_setting_are_allowed(host: str, *, allowed: bool) -> None:
    assert is_allowed(host, Settings(hosts=("a.example", "*.B.example"))) is allowed


@pytest.mark.redis
def test_a_request_for_another_name_is_refused(http: FlaskClient, settings: Settings) -> None:
    other = {"Host": "evil.example"}
    for method, path in (("GET", "/"), ("GET", "/api/v1/jobs"), ("POST", "/api/v1/jobs"),
                         ("GET", "/metrics"), ("DELETE", "/api/v1/jobs/x")):  # fmt: skip
        answer = http.open(path, method=method, headers=other)
        assert answer.status_code == 421
        assert "SUDOKUQ_HOSTS" in answer.text
    assert http.get("/healthz", headers=other).status_code == 200
    known = create_app(replace(settings, hosts=("evil.example",))).test_client()
    assert known.get("/api/v1/jobs", headers=other).status_code == 200


@pytest.mark.redis
@pytest.mark.parametrize(
    ("sent", "status"),
    [({"Origin": "https://sudoku.example"}, 403), ({"Referer": "https://sudoku.example/jobs"}, 403),
     ({"Origin": "http://localhost"}, 202), ({"Referer": "http://localhost:8000/"}, 202),
     ({"Origin": "null"}, 202), ({}, 202)],
)  # fmt: skip
def test_proxy_that_replaces_host_is_detected_by_browser_headers(
    http: FlaskClient, settings: Settings, sent: dict[str, str], status: int
) -> None:
    headers = {"Sec-Fetch-Site": "same-origin"} | sent
    tiny = "12.4...2....4..1"
    assert http.post("/api/v1/jobs", data=tiny, headers=headers).status_code == status
    shared = create_app(replace(settings, open_to_all=True)).test_client()
    assert shared.post("/api/v1/jobs", data=tiny, headers=headers).status_code == 202


@pytest.fixture(scope="module")
def own_site(redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Return the port of a web server on the loopback interface without API keys."""
    processes = brief_processes(redis_url, tmp_path_factory.mktemp("hosts"))
    port = find_port()
    processes.web(port=port)
    await_web(f"http://127.0.0.1:{port}")
    yield port
    processes.stop()


@pytest.mark.redis
@pytest.mark.browser
def test_site_whose_name_resolves_to_loopback_cannot_read_or_delete_jobs(
    own_site: int, playwright: Playwright, chromium: str
) -> None:
    url = f"http://127.0.0.1:{own_site}/api/v1/jobs"
    job = httpx.post(url, content="12.4...2....4..1").json()["id"]
    assert httpx.get(url).json()["jobs"][0]["id"] == job
    rebound = "--host-resolver-rules=MAP evil.example 127.0.0.1"
    browser = playwright.chromium.launch(executable_path=chromium, args=[*FLAGS, rebound])
    page = browser.new_page()
    page.goto(f"http://evil.example:{own_site}/healthz")
    attack = """async job => {
        const list = await fetch("/api/v1/jobs");
        const gone = await fetch("/api/v1/jobs/" + job, { method: "DELETE" });
        return [list.status, await list.text(), gone.status];
    }"""
    status, text, deleted = page.evaluate(attack, job)
    page.goto(f"http://localhost:{own_site}/")
    assert page.locator("form").count()
    browser.close()
    assert (status, deleted) == (421, 421)
    assert job not in text
    assert httpx.get(f"{url}/{job}").status_code == 200
