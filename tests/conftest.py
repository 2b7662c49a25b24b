"""Fixtures that tests share: a real Redis, worker, web server, and browser."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from running import Processes, await_slots, find_port

from solver.preparing import Code, is_kept, prepare
from web.app import create_app
from worker.connection import connect
from worker.job import Job
from worker.node.chunk_runner import ChunkRunner
from worker.private_redis import PrivateRedis
from worker.service import Service, connect_service
from worker.settings import Settings

pytest_plugins = ["breaking", "browsing"]

DATA = Path(__file__).parent / "data"
PUBLIC = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture
def public_data() -> Path:
    """Return the folder of public puzzle sets, which isn't part of the repository."""
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
    """Empty Redis and return settings that give a chunk plenty of time on a busy machine."""
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
def http(service: Service) -> FlaskClient:
    """Return a client that calls the web application directly, without a server."""
    return create_app(service=service).test_client()


def brief_processes(redis_url: str, logs: Path) -> Processes:
    """Return a launcher of service processes with short leases and a short grace period."""
    return Processes(redis_url, logs, SUDOKUQ_LEASE_SECONDS="2", SUDOKUQ_GRACE_SECONDS="1")


@pytest.fixture
def processes(settings: Settings, tmp_path: Path) -> Iterator[Processes]:
    """Return a launcher of service processes on an empty Redis."""
    assert settings.redis_url is not None
    found = brief_processes(settings.redis_url, tmp_path)
    yield found
    found.stop()


@pytest.fixture
def live(processes: Processes, service: Service, free_port: int) -> str:
    """Start a web server and a worker, and return the web server's URL."""
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


def start_up(folder: Path, port: int, *arguments: str) -> subprocess.Popen[str]:
    """Run `sudokuq up` with a data folder."""
    return subprocess.Popen(
        ["sudokuq", "up", *arguments],
        env=os.environ | {"SUDOKUQ_DATA": str(folder), "PORT": str(port), "REDIS_URL": ""},
        stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
        # When the tests run as a background job of a shell, they and their children ignore Ctrl-C.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )  # fmt: skip


def read_until(process: subprocess.Popen[str], text: str) -> str:
    """Return a process's stderr up to and including the line that contains `text`."""
    said = ""
    assert process.stderr is not None
    while text not in said:
        line = process.stderr.readline()
        assert line, said
        said += line
    return said


def processes_of(folder: Path) -> list[int]:
    """Return the ids of all processes that `sudokuq up` started for a data folder, at any depth."""
    mark = f"SUDOKUQ_DATA={folder}\0".encode()
    numbers = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (entry / "environ").read_bytes():
                numbers.append(int(entry.name))
        except OSError:  # the process has ended
            continue
    return numbers


def wait_until(true: Callable[[], Any], *, seconds: float = 90.0) -> None:
    """Wait until a condition is true, and fail after a timeout."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"the condition was still false after {seconds} s"
        time.sleep(0.02)


def wait_for_job(service: Service, job_id: str, *, seconds: float = 90.0) -> Job:
    """Wait until a job is in a final state and return it."""

    def final() -> bool:
        job = service.store.job(job_id)
        return job is not None and job.state.final

    wait_until(final, seconds=seconds)
    job = service.store.job(job_id)
    assert job is not None
    return job


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return the path of Chromium. If it isn't installed, skip the test, or fail in CI."""
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
