"""Fixtures that tests share: Redis, service processes, data folders, and programs.

All code is compiled before a test can use the private Redis.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from running import Processes, await_slots, find_port
from services import brief_processes

from solver.preparing import Code, is_kept, prepare
from web.app import create_app
from worker.connection import connect
from worker.private_redis import PrivateRedis
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service, connect_service
from worker.settings import Settings

pytest_plugins = ["breaking", "browsing", "built_docs"]

PUBLIC = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture
def public_data() -> Path:
    """Return the folder of public puzzle sets, or skip the test if it is missing.

    The folder isn't part of the repository.
    """
    if not PUBLIC.is_dir():
        pytest.skip(f"the public puzzle sets are missing from {PUBLIC}")
    return PUBLIC


@pytest.fixture(scope="session")
def _compiled() -> None:
    """Compile all code once, so that no test has to wait for a worker that compiles."""
    for code in Code:
        if not is_kept(code):
            prepare(code)


@pytest.fixture(scope="session")
def redis_url(_compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a private Redis for this test run and return its URL."""
    server = PrivateRedis(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server.url
    server.stop()


@pytest.fixture
def settings(redis_url: str) -> Settings:
    """Empty the private Redis, and return settings for it that give a chunk 600 s.

    This is plenty of time, also on a busy machine.
    """
    redis = connect(redis_url)
    redis.flushall()
    redis.close()
    return Settings(redis_url=redis_url, chunk_seconds=600.0)


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    """Connect to the queue on an empty Redis, without any worker."""
    found = connect_service(settings)
    yield found
    found.app.close()
    found.redis.close()


@pytest.fixture
def runner(service: Service) -> ChunkRunner:
    """Return a worker's chunk runner, which the test calls itself."""
    return ChunkRunner(service, worker="here")


@pytest.fixture
def http(service: Service, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """Return a client that calls the web application directly, without a server.

    Without workers, nobody answers a request for an explanation, so no time is spent on waiting.
    """
    monkeypatch.setattr("web.api.routes._EXPLAIN_SECONDS", 0.0)
    monkeypatch.setattr("web.pages.puzzle._EXPLAIN_SECONDS", 0.0)
    return create_app(service=service).test_client()


@pytest.fixture
def processes(settings: Settings, tmp_path: Path) -> Iterator[Processes]:
    """Return a launcher of service processes on an empty Redis.

    Their leases take 2 s and their grace period 1 s. They are stopped after the test.
    """
    assert settings.redis_url is not None
    found = brief_processes(settings.redis_url, tmp_path)
    yield found
    found.stop()


@pytest.fixture
def live(processes: Processes, service: Service, free_port: int) -> str:
    """Start a web server and a worker with two slots, and return the web server's URL."""
    processes.worker()
    processes.web(port=free_port)
    url = f"http://127.0.0.1:{free_port}"
    await_slots(url, 2)
    assert service.registry.slots() == 2
    return url


@pytest.fixture
def free_port() -> int:
    """Return an unused TCP port."""
    return find_port()


@pytest.fixture
def on_path(monkeypatch: pytest.MonkeyPatch, python: str) -> None:
    """Put the `sudokuq` command on the PATH."""
    monkeypatch.setenv("PATH", f"{Path(python).parent}:{os.environ['PATH']}")


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return the path of Chromium or Chrome.

    If neither is installed, skips the test, or fails in CI.
    """
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None and os.environ.get("CI"):
        pytest.fail("CI needs Chromium for the browser tests")
    if found is None:
        pytest.skip("the browser tests need Chromium")
    return found


@pytest.fixture(scope="session")
def nginx() -> str:
    """Return the path of nginx. If it isn't installed, skip the test, or fail in CI."""
    found = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None and os.environ.get("CI"):
        pytest.fail("CI needs nginx for the proxy tests")
    if found is None:
        pytest.skip("the proxy tests need nginx")
    return found


@pytest.fixture
def python() -> str:
    """Return the path of this interpreter."""
    return sys.executable
