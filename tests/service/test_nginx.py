"""The service behind a real nginx that is configured as documented."""

import grp
import os
import pwd
import re
import shutil
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from paths import ROOT
from running import await_web, find_port
from services import brief_processes

from worker.process.chunk_runner import ChunkRunner
from worker.service import Service

pytestmark = pytest.mark.redis

KEY = "k3y"
TINY = "12.4...2....4..1"
NAME = "sudoku.example"
_HTTP = """
user {user} {group}; daemon off; worker_processes 1;
pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    {servers}
}}
"""
# nginx's defaults, except that responses aren't buffered on disk.
_PLAIN = """
server {{
    listen 127.0.0.1:{port}; proxy_max_temp_file_size 0;
    location / {{ proxy_pass http://127.0.0.1:{web}; }}
}}
"""

Start = Callable[..., "Site"]


class Site:
    """A service behind nginx, over TLS as documented and over HTTP with nginx's defaults."""

    def __init__(self, tls: int, plain: int) -> None:
        self.url = f"https://127.0.0.1:{tls}"
        self.plain_url = f"http://127.0.0.1:{plain}"

    def ask(self, method: str, path: str, *, address: str = "127.0.0.1", **options: Any) -> Any:
        """Send a request over TLS from a loopback address, for the host NAME.

        The certificate isn't checked.
        """
        headers = {"Host": NAME} | options.pop("headers", {})
        trust = ssl.create_default_context()
        trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
        transport = httpx.HTTPTransport(verify=trust, local_address=address)
        with httpx.Client(transport=transport, base_url=self.url, timeout=60) as client:
            return client.request(method, path, headers=headers, **options)


@pytest.fixture
def start(nginx: str, redis_url: str, settings: Any, tmp_path: Path) -> Iterator[Start]:
    """Return a function that starts a service behind nginx, configured as the documentation shows.

    The function's arguments are environment variables of the service. Without openssl, the test is
    skipped, except in CI.
    """
    del settings  # the fixture empties Redis
    processes = brief_processes(redis_url, tmp_path)
    certificate = ["-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "pem")]
    openssl = shutil.which("openssl")
    if openssl is None and not os.environ.get("CI"):
        pytest.skip("the proxy tests need openssl")
    subprocess.run(
        [openssl or "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
         "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={NAME}", *certificate],
        check=True, capture_output=True,
    )  # fmt: skip

    def begin(**environment: str) -> Site:
        ports: set[int] = set()
        while len(ports) < 3:  # find_port may return the same port twice
            ports.add(find_port())
        web, tls, plain = ports
        processes.environment.update(environment)
        processes.web(port=web)
        await_web(f"http://127.0.0.1:{web}")
        documented = (ROOT / "docs" / "how-to" / "secure.md").read_text()
        server = documented.partition("```nginx\n")[2].partition("```")[0]
        for found, put in (
            ("listen 443 ssl;", f"listen 127.0.0.1:{tls} ssl;"),
            ("/etc/ssl/sudoku.example.pem", str(tmp_path / "pem")),
            ("/etc/ssl/sudoku.example.key", str(tmp_path / "key")),
            ("127.0.0.1:8000", f"127.0.0.1:{web}"),
        ):
            assert found in server
            server = server.replace(found, put)
        servers = server + _PLAIN.format(port=plain, web=web)
        configuration = tmp_path / "nginx.conf"
        # If root starts nginx, its workers run as another user by default, who can't write to the
        # folder.
        user, group = pwd.getpwuid(os.getuid())[0], grp.getgrgid(os.getgid())[0]
        configuration.write_text(
            _HTTP.format(folder=tmp_path, servers=servers, user=user, group=group)
        )
        # nginx opens its default log file before it reads the configuration.
        command = [nginx, "-e", f"{tmp_path}/nginx.log", "-c", str(configuration)]
        processes.start(command, log="nginx.out")
        await_web(f"http://127.0.0.1:{plain}")
        return Site(tls, plain)

    yield begin
    processes.stop()


def test_links_and_cookies_use_tls_and_visitors_are_distinguished(start: Start) -> None:
    site = start(
        SUDOKUQ_API_KEYS=KEY, SUDOKUQ_TRUSTED_PROXIES="127.0.0.1", SUDOKUQ_HOSTS=NAME
    )  # fmt: skip
    signed_in = site.ask("POST", "/sign-in", data={"key": KEY})
    assert signed_in.status_code == 303
    assert "Secure" in signed_in.headers["Set-Cookie"]
    assert "Strict-Transport-Security" in signed_in.headers
    key = {"X-API-Key": KEY}
    job = site.ask("POST", "/api/v1/jobs", content=f"{TINY}\n" * 200_000, headers=key).json()
    assert job["links"]["self"] == f"https://{NAME}/api/v1/jobs/{job['id']}"
    assert site.ask("GET", "/", headers={"Host": "evil.example"}).status_code == 421


def test_a_visitor_cannot_spoof_an_address(start: Start) -> None:
    site = start(
        SUDOKUQ_OPEN="true", SUDOKUQ_TRUSTED_PROXIES="127.0.0.1", SUDOKUQ_MAX_REQUESTS="3"
    )  # fmt: skip

    def ask(address: str, **headers: str) -> int:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        status: int = site.ask("GET", "/api/v1/formats", address=address, headers=named).status_code
        return status

    assert [ask("127.0.0.2", X_Forwarded_For=f"9.9.9.{n}") for n in range(4)] == [200] * 3 + [429]
    assert ask("127.0.0.2", Forwarded="for=9.9.9.9") == 429
    assert ask("127.0.0.3") == 200


def test_headers_of_an_untrusted_proxy_are_ignored(start: Start) -> None:
    site = start(SUDOKUQ_OPEN="true", SUDOKUQ_TRUSTED_PROXIES="192.0.2.1")
    job = site.ask("POST", "/api/v1/jobs", content=TINY).json()
    assert job["links"]["self"].startswith(f"http://{NAME}/")


def test_without_keys_visitors_behind_a_proxy_are_rejected(start: Start) -> None:
    site = start()
    for host in (NAME, "localhost"):
        answer = site.ask("POST", "/api/v1/jobs", content=TINY, headers={"Host": host})
        assert answer.status_code == 403
        assert "SUDOKUQ_API_KEYS" in answer.json()["detail"]


def test_downloads_over_http_1_0_are_complete(start: Start, service: Service) -> None:
    site = start(SUDOKUQ_OPEN="true")
    job = site.ask("POST", "/api/v1/jobs", content=f"{TINY}\n" * 300_000).json()["id"]
    for chunk in range(service.jobs.get(job).chunks):  # type: ignore[union-attr]
        ChunkRunner(service, worker="here").run(job, chunk)
    path = f"/api/v1/jobs/{job}/results"
    by_default = httpx.get(f"{site.plain_url}{path}", timeout=60)
    assert by_default.content == site.ask("GET", path).content
    assert re.findall(rb'"n":(\d+)', by_default.content)[-1] == b"300000"
    with httpx.stream("GET", f"{site.plain_url}{path}", timeout=60) as interrupted:
        pieces = interrupted.iter_raw()
        next(pieces)
        assert site.ask("DELETE", f"/api/v1/jobs/{job}").status_code == 204
        with pytest.raises(httpx.RemoteProtocolError):
            list(pieces)
