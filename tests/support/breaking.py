"""Fixtures for a private queue that a test can break, puzzles for it, and checks of its jobs.

The leases of all launched processes take 2 s and their grace periods 1 s.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from proxy import Proxy
from running import Processes
from services import brief_processes

from solver import solve
from solver.board.symbols import Symbols
from worker.ingest.ingest import ingest
from worker.job import Job, JobOptions
from worker.private_redis import PrivateRedis
from worker.service import Service, connect_service
from worker.settings import Settings

TINY = "12.4...2....4..1\n"
# The general engine solves this in 2 to 3 ms, so RECORDS copies keep two workers busy for seconds.
HARD = (
    ".9..FAE.....1B..7.BG1..6C......F.2.6438.E.B...A.38.....D5...2.6."
    "E....F.2.....D...3....1....DE.8.F.A.....67.14.59..D9.4..8.E....."
    "..5.9.....F..G.4......68.14...D..BF..7...8A.9..3...2.54.7......A"
    "....B.....97..F8.E.B..A..G.CD.91......D1..8....5.G.5.6..1A...C7.\n"
)
RECORDS = 4_000


def endless() -> str:
    """Return a 49×49 puzzle that no search finishes during a test. It is always the same."""
    dice = random.Random(1)

    def shuffled() -> list[int]:
        bands = dice.sample(range(7), 7)
        return [7 * band + line for band in bands for line in dice.sample(range(7), 7)]

    rows, columns, values = shuffled(), shuffled(), dice.sample(range(1, 50), 49)
    lines = [
        " ".join(
            str(values[(7 * (r % 7) + r // 7 + c) % 49]) if dice.random() < 0.4 else "0"
            for c in columns
        )
        for r in rows
    ]
    return "\n".join(lines) + "\n"


@pytest.fixture
def server(_compiled: None, tmp_path: Path) -> Iterator[PrivateRedis]:
    """Start a private Redis that the test may kill, and stop it after the test."""
    server = PrivateRedis(tmp_path / "redis")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def queue(server: PrivateRedis) -> Iterator[Service]:
    """Return the service with its queue on the private Redis, without any worker.

    Leases take 2 s.
    """
    service = connect_service(Settings(redis_url=server.url, lease_seconds=2.0))
    yield service
    service.app.close()
    service.redis.close()


@pytest.fixture
def crew(server: PrivateRedis, tmp_path: Path) -> Iterator[Processes]:
    """Return a launcher of service processes on the private Redis. Stops them after the test."""
    processes = brief_processes(server.url, tmp_path)
    yield processes
    processes.stop()


@pytest.fixture
def hasty(server: PrivateRedis, tmp_path: Path) -> Iterator[Processes]:
    """Return a launcher like `crew`, whose workers requeue chunks after a time slice of 0.1 s."""
    crew = Processes(
        server.url, tmp_path, SUDOKUQ_LEASE_SECONDS="2", SUDOKUQ_GRACE_SECONDS="1",
        SUDOKUQ_CHUNK_SECONDS="0.1",
    )  # fmt: skip
    yield crew
    crew.stop()


@pytest.fixture
def network(server: PrivateRedis) -> Iterator[Proxy]:
    """Return a TCP proxy in front of the private Redis, whose connections the test can cut."""
    proxy = Proxy(server.url.removeprefix("unix://").partition("?")[0])
    yield proxy
    proxy.close()


def kill(server: PrivateRedis) -> None:
    assert server._process is not None
    server._process.kill()
    server._process.wait()


def submit(service: Service, text: str, *, client: str = "me", steps: int = 10**8) -> str:
    options = JobOptions(step_limit=steps)
    job_id = ingest(service, [text.encode()], options=options, name="a", client=client)
    assert isinstance(job_id, str), job_id
    return job_id


def job_of(service: Service, job_id: str) -> Job:
    job = service.jobs.get(job_id)
    assert job is not None
    return job


def check_results(service: Service, job_id: str, *, records: int = RECORDS) -> None:
    """Check that each of `records` copies of HARD has one result, in order, and the correct one.

    Also checks that every Redis key of the service has an expiry time.
    """
    lines: list[int] = []
    solutions: set[str] = set()
    for first, part in service.results.read(job_id):
        assert first == len(lines) + 1
        lines += part.integers(part.lines).tolist()
        solutions.update(part.solutions.split())
    assert lines == list(range(1, records + 1))
    assert solutions == {Symbols.usual(16).write(solve(HARD).solution or ())}
    assert job_of(service, job_id).outcomes["solved"] == records
    ours = list(service.redis.scan_iter("sudokuq:*"))
    assert [key for key in ours if service.redis.ttl(key) == -1] == []


def busy(service: Service) -> int:
    return sum(len(worker.doing) for worker in service.registry.workers())
