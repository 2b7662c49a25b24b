"""API keys protect every page about jobs, and other sites can't act on a visitor's behalf.

Keys may be limited to reading, to writing, and in their number of jobs.
Responses have security headers, and keys are neither stored nor shown.
"""

import hashlib
import re
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from web.access.authentication import COOKIE
from web.app import create_app
from worker.api_keys import first_key
from worker.private_redis import PrivateRedis
from worker.service import Service
from worker.setting_values import BadSetting
from worker.settings import Settings

pytestmark = pytest.mark.redis

KEY = "k3y-that-nobody-guesses"
TINY = "12.4...2....4..1"


@pytest.fixture
def locked(settings: Settings) -> FlaskClient:
    """Return a client of a service that requires an API key."""
    return create_app(replace(settings, api_keys=("other", KEY))).test_client()


def sign_in(client: FlaskClient, key: str = KEY, *, following: str = "/") -> int:
    return client.post("/sign-in", data={"key": key, "next": following}).status_code


def test_every_route_that_reveals_jobs_requires_a_key(
    locked: FlaskClient,
) -> None:
    open_to_all = set()
    for rule in locked.application.url_map.iter_rules():
        path = re.sub("<int:[^>]*>", "1", rule.rule)
        path = re.sub("<[^>]*>", "x", path)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            answer = locked.open(path, method=method, buffered=True)
            asked = answer.status_code == 401 or "/sign-in" in answer.headers.get("Location", "")
            if not asked or path.startswith("/sign-"):
                open_to_all.add(path)
    assert open_to_all == {
        "/static/x", "/healthz", "/readyz", "/api/docs", "/api/openapi.json", "/sign-in",
        "/sign-out", "/errors", "/errors/x", "/docs/", "/docs/x",
    }  # fmt: skip


@pytest.mark.parametrize(
    "headers", [{"X-API-Key": KEY}, {"Authorization": f"Bearer {KEY}"}, {"X-API-Key": "other"}]
)
def test_a_key_opens_pages_and_api_alike(locked: FlaskClient, headers: dict[str, str]) -> None:
    job = locked.post("/api/v1/jobs", data=TINY, headers=headers).get_json()["id"]
    for path in (f"/jobs/{job}", f"/api/v1/jobs/{job}", "/", "/metrics"):
        assert locked.get(path, headers=headers).status_code == 200
    assert locked.post(f"/jobs/{job}/delete", headers=headers).status_code == 303


def test_a_wrong_key_opens_nothing(locked: FlaskClient) -> None:
    assert locked.get("/", headers={"X-API-Key": KEY[:-1]}).status_code == 401
    assert sign_in(locked, "wrong") == 403
    assert sign_in(locked, "\ud800\u00e9".encode("utf-8", "replace").decode()) == 403
    assert locked.get("/").status_code == 303


def test_a_browser_signs_in_once_and_pages_and_downloads_work(
    locked: FlaskClient, service: Service
) -> None:
    upload = locked.post("/", data={})
    assert upload.status_code in (401, 405)
    answer = locked.get("/jobs/x?offset=50")
    assert answer.headers["Location"] == "/sign-in?next=/jobs/x?offset%3D50"
    assert sign_in(locked) == 303
    cookie = locked.get_cookie(COOKIE)
    assert cookie is not None
    assert cookie.http_only
    assert cookie.same_site == "Lax"
    assert KEY not in cookie.value
    made = locked.post("/jobs", data={"text": TINY}, content_type="multipart/form-data")
    page = made.headers["Location"]
    job = page.rpartition("/")[2]
    assert locked.get(page).status_code == 200
    assert locked.get(f"/api/v1/jobs/{job}/results?partial=1").status_code == 200
    assert locked.post("/sign-out").status_code == 303
    assert locked.get(page).status_code == 303
    assert service.jobs.get(job) is not None


def of_another_signature(cookie: str) -> str:
    """Return the cookie with the first character of its signature changed.

    The last character won't do: some of its bits have no meaning.
    """
    head, dot, signature = cookie.rpartition(".")
    return head + dot + ("B" if signature[0] == "A" else "A") + signature[1:]


@pytest.mark.parametrize("change", [of_another_signature, lambda text: text[:0], str.upper])
def test_a_cookie_that_was_changed_opens_nothing(locked: FlaskClient, change: object) -> None:
    assert sign_in(locked) == 303
    cookie = locked.get_cookie(COOKIE)
    assert cookie is not None
    assert callable(change)
    locked.set_cookie(COOKIE, change(cookie.value))
    assert locked.get("/").status_code == 303


def test_a_cookie_ends_with_its_key(locked: FlaskClient, settings: Settings) -> None:
    assert sign_in(locked) == 303
    cookie = locked.get_cookie(COOKIE)
    assert cookie is not None
    later = create_app(replace(settings, api_keys=("other",))).test_client()
    later.set_cookie(COOKIE, cookie.value)
    assert later.get("/").status_code == 303


@pytest.mark.parametrize(
    "elsewhere", ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:x"]
)
def test_signing_in_leads_to_this_site_only(locked: FlaskClient, elsewhere: str) -> None:
    answer = locked.post("/sign-in", data={"key": KEY, "next": elsewhere})
    assert answer.headers["Location"] == "/"


def test_keys_are_written_nowhere_in_redis(locked: FlaskClient, service: Service) -> None:
    headers = {"X-API-Key": KEY, "Idempotency-Key": "once"}
    assert locked.post("/api/v1/jobs", data=TINY, headers=headers).status_code == 202
    for name in service.redis.scan_iter():
        assert KEY.encode() not in name
        assert KEY.encode() not in (service.redis.dump(name) or b"")


@pytest.mark.parametrize("path", ["/jobs", "/api/v1/jobs", "/api/v1/solve", "/sign-in"])
@pytest.mark.parametrize(
    "headers",
    [{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "null"},
     {"Origin": "https://evil.example"}, {"Origin": "http://localhost.evil.example"},
     {"Origin": "http://["}, {"Origin": ""}],
)  # fmt: skip
def test_requests_from_other_sites_are_refused(
    http: FlaskClient, path: str, headers: dict[str, str]
) -> None:
    answer = http.post(path, data={"text": TINY}, headers=headers)
    assert answer.status_code == 403


@pytest.mark.parametrize(
    "headers",
    [{}, {"Sec-Fetch-Site": "same-origin", "Origin": "null"}, {"Sec-Fetch-Site": "none"},
     {"Origin": "http://localhost"}, {"Origin": "https://localhost"}],
)  # fmt: skip
def test_requests_from_here_and_from_programs_are_taken(
    http: FlaskClient, headers: dict[str, str]
) -> None:
    assert http.post("/api/v1/jobs", data=TINY, headers=headers).status_code == 202


def test_links_from_other_sites_are_followed(http: FlaskClient) -> None:
    assert http.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


def test_data_of_the_private_redis_is_readable_only_by_its_owner(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    server = PrivateRedis(folder)
    server.start()
    try:
        assert folder.stat().st_mode & 0o777 == 0o700
        files = [path for path in folder.rglob("*") if path.is_file()]
        assert files
        assert {path.stat().st_mode & 0o077 for path in files if path.name != "lock"} == {0}
    finally:
        server.stop()


@pytest.mark.parametrize(
    "path", ["/", "/nothing", "/api/v1/formats", "/api/v1/jobs/x", "/healthz", "/static/style.css"]
)
def test_every_response_has_security_headers(http: FlaskClient, path: str) -> None:
    with http.get(path) as answer:
        headers = answer.headers
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["form-action"] == "'self'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "public" not in headers["Cache-Control"]
    assert "Strict-Transport-Security" not in headers


def test_browsers_that_use_tls_get_hsts(http: FlaskClient) -> None:
    answer = http.get("/", base_url="https://localhost")
    assert answer.headers["Strict-Transport-Security"].startswith("max-age=")


def test_a_key_may_be_for_reading_or_for_writing_alone(settings: Settings) -> None:
    digest = hashlib.sha256(b"secret").hexdigest()
    keys = ("r:read", "w:write", f"sha256={digest}", "few:jobs=1")
    client = create_app(replace(settings, api_keys=keys)).test_client()

    def status(method: str, path: str, key: str) -> int:
        return client.open(path, method=method, data=TINY, headers={"X-API-Key": key}).status_code

    job = client.post("/api/v1/jobs", data=TINY, headers={"X-API-Key": "w"}).get_json()["id"]
    assert status("GET", f"/api/v1/jobs/{job}", "r") == 200
    for method, path in (
        ("POST", "/api/v1/jobs"), ("POST", "/api/v1/solve"), ("PUT", "/api/v1/jobs"),
        ("POST", f"/api/v1/jobs/{job}/cancel"), ("DELETE", f"/api/v1/jobs/{job}"),
        ("POST", f"/jobs/{job}/delete"), ("POST", "/jobs"),
    ):  # fmt: skip
        assert status(method, path, "r") == 403
    for path in (f"/api/v1/jobs/{job}", f"/api/v1/jobs/{job}/results", f"/jobs/{job}", "/metrics"):
        assert status("GET", path, "w") == 403
    assert status("GET", f"/api/v1/jobs/{job}", "secret") == 200
    assert status("GET", f"/api/v1/jobs/{job}", digest) == 401
    assert sign_in(client, "r") == 303
    assert client.get(f"/jobs/{job}").status_code == 200
    assert client.post(f"/jobs/{job}/delete").status_code == 403
    assert status("DELETE", f"/api/v1/jobs/{job}", "w") == 204
    assert status("POST", "/api/v1/jobs", "few") == 202
    assert status("POST", "/api/v1/jobs", "few") == 429
    assert status("POST", "/api/v1/jobs", "w") == 202


@pytest.mark.parametrize("text", ["k:all", "k:jobs=x", "k:jobs=", "k:", "sha256=12:admin"])
def test_unreadable_key_prevents_the_start_and_is_not_shown(text: str) -> None:
    settings = Settings(api_keys=("fine:read:jobs=3", f"hush-{text}"))
    with pytest.raises(BadSetting, match="key 2") as raised:
        settings.check_access("127.0.0.1")
    assert "hush" not in str(raised.value)
    assert first_key(["sha256=" + "0" * 64, "k:read"]) == "k"
