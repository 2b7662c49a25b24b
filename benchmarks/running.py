"""Run Redis, workers, and the web server as separate processes, for benchmarks and tests."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from web.commands.command_lines import web_command, worker_command
from worker.private_redis import PrivateRedis

_STOP_SECONDS = 20
_READY_SECONDS = 300


class Processes:
    """Child processes that share one Redis and the same settings, each in its own process group.

    `settings` are environment variables. `logs` is the folder for log files.
    """

    def __init__(self, redis_url: str, logs: Path, **settings: str) -> None:
        self.environment = os.environ | {"REDIS_URL": redis_url} | settings
        self._logs = logs
        self._children: list[subprocess.Popen[bytes]] = []

    def start(
        self, command: Sequence[str], *, log: str, environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a command as a child process, which writes its output to the file `log`.

        `log` is a name in the folder for log files. `environment` has additional variables for this
        process alone.
        """
        with (self._logs / log).open("ab") as file:
            child = subprocess.Popen(
                command, env=self.environment | dict(environment or {}), stdin=subprocess.DEVNULL,
                stdout=file, stderr=file, process_group=0,
            )  # fmt: skip
        self._children.append(child)
        return child

    def worker(self, *, concurrency: int = 2) -> subprocess.Popen[bytes]:
        """Start a worker with `concurrency` slots. Its output goes to worker.log."""
        return self.start(worker_command(concurrency=concurrency), log="worker.log")

    def web(self, *, port: int) -> subprocess.Popen[bytes]:
        """Start a web server on the loopback interface. Its output goes to web.log."""
        return self.start(web_command(address=f"127.0.0.1:{port}"), log="web.log")

    def stop(self) -> None:
        """Stop all processes. Kill those that don't end within 20 s, with their descendants."""
        for child in self._children:
            if child.poll() is None:
                child.terminate()
        for child in self._children:
            try:
                child.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()


@dataclass(frozen=True, slots=True)
class Running:
    """A running web server and its worker.

    `worker` and `web` are process IDs.
    """

    url: str
    redis_url: str
    worker: int
    web: int


@contextmanager
def running_on(
    redis_url: str,
    folder: Path,
    *,
    slots: int = 2,
    worker: Sequence[str] = (),
    **settings: str,
) -> Iterator[Running]:
    """Run a web server and a worker on a Redis until the end of the block.

    The block starts when both are ready. Raises TimeoutError if that takes five minutes. The worker
    has `slots` slots. `worker` replaces the usual worker command, and `settings` are environment
    variables. Logs go to `folder`.
    """
    processes = Processes(redis_url, folder, **settings)
    port = find_port()
    try:
        command = worker or worker_command(concurrency=slots)
        workers = processes.start(command, log="worker.log")
        web = processes.web(port=port)
        url = f"http://127.0.0.1:{port}"
        await_slots(url, slots)
        yield Running(url, redis_url, workers.pid, web.pid)
    finally:
        processes.stop()


@contextmanager
def running(*, slots: int = 2, worker: Sequence[str] = (), **settings: str) -> Iterator[Running]:
    """Run a web server and a worker with a private Redis until the end of the block.

    The parameters are those of `running_on`. All code is compiled first. Otherwise, the worker
    would compile missing code during the measurement.
    """
    subprocess.run(
        [sys.executable, "-m", "worker.process.compilation"], stdout=subprocess.DEVNULL, check=True
    )
    with tempfile.TemporaryDirectory(prefix="sudokuq-") as name:
        redis = PrivateRedis(Path(name))
        redis.start()
        try:
            with running_on(
                redis.url, Path(name), slots=slots, worker=worker, **settings
            ) as service:
                yield service
        finally:
            redis.stop()


def find_port() -> int:
    """Return a free TCP port of 127.0.0.1."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def await_slots(url: str, slots: int) -> None:
    """Wait until the workers have exactly `slots` slots. Raise TimeoutError after five minutes."""
    deadline = time.monotonic() + _READY_SECONDS
    while _slots_ready(url) != slots:
        if time.monotonic() > deadline:
            raise TimeoutError(f"{slots} slots aren't ready at {url}")
        time.sleep(0.05)


def await_web(url: str) -> None:
    """Wait until a web server responds. Raise TimeoutError after five minutes.

    Raises httpx.HTTPStatusError if it responds with an error.
    """
    deadline = time.monotonic() + _READY_SECONDS
    while True:
        try:
            httpx.get(f"{url}/healthz").raise_for_status()
        except httpx.TransportError:
            if time.monotonic() > deadline:
                raise TimeoutError(f"no web server responds at {url}") from None
            time.sleep(0.05)
        else:
            return


def _slots_ready(url: str) -> int:
    try:
        answer = httpx.get(f"{url}/readyz")
    except httpx.TransportError:
        return 0
    return int(answer.json()["slots"]) if answer.is_success else 0


def descendants(process: int) -> Iterator[int]:
    """Yield the ids of all descendants of a process."""
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            yield child
            yield from descendants(child)


def memory_of(process: int, *, peak: bool = False) -> list[float]:
    """Return the resident memory in MiB of a process and of each descendant, now or at its peak."""
    found = []
    for number in (process, *descendants(process)):
        status = Path(f"/proc/{number}/status")
        if status.exists():
            lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
            found.append(int(lines["VmHWM" if peak else "VmRSS"].split()[0]) / 1024)
    return found


def processor_time_of(process: int) -> float:
    """Return the CPU seconds that a process and its running descendants have used."""
    ticks = 0
    for number in (process, *descendants(process)):
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])  # user and system time
    return ticks / os.sysconf("SC_CLK_TCK")
