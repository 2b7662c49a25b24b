"""No result is lost or duplicated by a full Redis or disk, or by wrong clocks.

This is also true if all workers are killed at once, or if chunks are delivered several times. A
download resumes after the death of its web server.
"""

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from breaking import HARD, RECORDS, TINY, busy, check_results, job_of, submit
from redis.exceptions import OutOfMemoryError
from running import Processes, await_slots
from services import brief_processes, wait_for_job, wait_until

from worker.celery_app import BIG, SOLVE_CHUNK
from worker.connection import connect
from worker.private_redis import PrivateRedis
from worker.service import Service, connect_service
from worker.settings import Settings

pytestmark = [pytest.mark.redis, pytest.mark.chaos, pytest.mark.usefixtures("_compiled")]

FULL_SECONDS = 25  # longer than a worker may stall
MB = 1 << 20
# A worker whose clocks are all wrong by the same number of seconds.
WRONG_CLOCK = """
import time
right = time.time
time.time = lambda: right() + {seconds}
from web.commands.cli import main
main(["worker", "--concurrency", "1"])
"""


@contextlib.contextmanager
def queue_in(
    folder: Path, logs: Path, **bounds: int
) -> Iterator[tuple[PrivateRedis, Service, Processes]]:
    """Yield a Redis that stores its files in a folder, its queue, and a launcher of processes."""
    server = PrivateRedis(folder, **bounds)
    server.start()
    service = connect_service(Settings(redis_url=server.url, lease_seconds=2.0))
    crew = brief_processes(server.url, logs)
    try:
        yield server, service, crew
    finally:
        crew.stop()
        service.app.close()
        service.redis.close()
        server.stop()


@dataclass(frozen=True)
class Begun:
    """A job that is partly done, with the web server's URL and the worker."""

    job_id: str
    url: str
    worker: subprocess.Popen[bytes]

    def get(self, path: str) -> int:
        return httpx.get(self.url + path.format(self.job_id), timeout=60).status_code


def begin(queue: Service, crew: Processes, port: int) -> Begun:
    """Start a web server, a worker, and a job, and wait for the first results."""
    worker = crew.worker(concurrency=2)
    crew.web(port=port)
    url = f"http://127.0.0.1:{port}"
    await_slots(url, 2)
    job_id = submit(queue, HARD * RECORDS)
    wait_until(lambda: job_of(queue, job_id).done > 0)
    return Begun(job_id, url, worker)


class Ballast:
    """Fill a Redis from its creation until `stop()`, even if others free memory.

    The keys `ballast:*` remain.
    """

    def __init__(self, url: str) -> None:
        self._redis = connect(url)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._fill)
        self._thread.start()

    def _fill(self) -> None:
        size = MB
        for number in itertools.count():
            try:
                self._redis.set(f"ballast:{number}", bytes(size))
                size = min(2 * size, MB)
            except OutOfMemoryError:
                size = max(size // 2, 1)
            if self._over.wait(0 if size > 1 else 0.001):
                return

    def stop(self) -> None:
        if not self._over.is_set():
            self._over.set()
            self._thread.join()
            self._redis.close()


def fill(file: Path) -> None:
    """Write to a file until the disk is full, which raises OSError."""
    with file.open("wb", buffering=0) as ballast:
        while True:
            ballast.write(bytes(1 << 12))


def is_up(url: str) -> bool:
    try:
        return httpx.get(f"{url}/healthz").is_success
    except httpx.TransportError:
        return False


def check_recovery(queue: Service, begun: Begun, mend: Callable[[], None]) -> None:
    """Check that uploads are rejected and polls work, and that all jobs finish after `mend`."""
    url, job_id = begun.url, begun.job_id
    wait_until(lambda: httpx.post(f"{url}/api/v1/jobs", content=TINY).status_code == 503)
    for _ in range(FULL_SECONDS):  # long enough for every worker to notice the failure
        for path in ("/healthz", "/api/v1/jobs/{}", "/jobs/{}", "/api/v1/jobs/{}/puzzles/1"):
            assert begun.get(path) == 200
        time.sleep(1)
    done = job_of(queue, job_id).done
    assert done < RECORDS
    mend()
    mended = time.monotonic()
    wait_until(lambda: job_of(queue, job_id).done > done)
    print(f"recovered after {time.monotonic() - mended:.1f} s")
    wait_for_job(queue, job_id)
    check_results(queue, job_id)
    assert httpx.post(f"{url}/api/v1/solve", content=TINY, timeout=60).status_code == 200
    assert begun.worker.poll() is None


def test_full_redis_rejects_uploads_and_loses_nothing(tmp_path: Path, free_port: int) -> None:
    with queue_in(tmp_path / "redis", tmp_path, max_memory=64 * MB) as (server, queue, crew):
        begun = begin(queue, crew, free_port)
        ballast = Ballast(server.url)

        def mend() -> None:
            ballast.stop()
            for key in list(queue.redis.scan_iter("ballast:*", count=1_000)):
                queue.redis.unlink(key)

        try:
            check_recovery(queue, begun, mend)
        finally:
            ballast.stop()


def test_full_disk_rejects_uploads_and_loses_nothing(tmp_path: Path, free_port: int) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a small disk")
    try:
        with queue_in(folder / "redis", tmp_path) as (_, queue, crew):
            begun = begin(queue, crew, free_port)
            ballast = folder / "ballast"
            with pytest.raises(OSError, match="No space"):
                fill(ballast)
            check_recovery(queue, begun, ballast.unlink)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_all_workers_killed_at_once_lose_nothing(queue: Service, crew: Processes) -> None:
    workers = [crew.worker(concurrency=1) for _ in range(2)]
    wait_until(lambda: queue.registry.slots() == 2)
    job_id = submit(queue, HARD * RECORDS)
    wait_until(lambda: busy(queue) == 2)
    for worker in workers:
        os.killpg(worker.pid, signal.SIGKILL)
    for worker in workers:
        worker.wait()
    done = job_of(queue, job_id).done
    wait_until(lambda: queue.registry.slots() == 0)
    crew.worker(concurrency=2)
    wait_until(lambda: queue.registry.slots() == 2)
    back = time.monotonic()
    wait_until(lambda: job_of(queue, job_id).done > done)
    print(f"recovered {time.monotonic() - back:.1f} s after a worker was there")
    wait_for_job(queue, job_id)
    check_results(queue, job_id)


def test_chunks_delivered_three_times_are_solved_once(queue: Service, crew: Processes) -> None:
    for _ in range(2):
        crew.worker(concurrency=2)
    wait_until(lambda: queue.registry.slots() == 4)
    job_id = submit(queue, HARD * RECORDS)
    chunks = job_of(queue, job_id).chunks
    assert chunks > 1
    while not job_of(queue, job_id).state.final:
        for chunk in [*range(chunks), *range(chunks)]:
            queue.app.send_task(SOLVE_CHUNK, args=[job_id, chunk], queue=BIG)
        time.sleep(0.5)
    check_results(queue, job_id)


def test_clocks_an_hour_apart_change_nothing(queue: Service, crew: Processes) -> None:
    for seconds in (-3_600, 3_600):
        program = WRONG_CLOCK.format(seconds=seconds)
        crew.start([sys.executable, "-c", program], log="worker.log")
    wait_until(lambda: queue.registry.slots() == 2)
    job_id = submit(queue, HARD * RECORDS)
    wait_until(lambda: busy(queue) == 2)
    began = time.monotonic()
    assert wait_for_job(queue, submit(queue, TINY)).outcomes["solved"] == 1
    print(f"a small job took {time.monotonic() - began:.1f} s")
    wait_for_job(queue, job_id)
    check_results(queue, job_id)


def test_download_resumes_where_its_web_server_was_killed(
    queue: Service, crew: Processes, free_port: int
) -> None:
    web = crew.web(port=free_port)
    crew.worker(concurrency=2)
    job_id = submit(queue, TINY * 300_000)
    wait_for_job(queue, job_id)
    url = f"http://127.0.0.1:{free_port}"
    wait_until(lambda: is_up(url))
    address, plain = f"{url}/api/v1/jobs/{job_id}/results", {"Accept-Encoding": "identity"}
    whole = httpx.get(address, headers=plain, timeout=60).content
    arrived = b""
    with httpx.stream("GET", address, headers=plain) as answer:
        pieces = answer.iter_raw()
        arrived += next(pieces)
        os.killpg(web.pid, signal.SIGKILL)
        web.wait()
        with contextlib.suppress(httpx.TransportError):
            for piece in pieces:
                arrived += piece
    assert 0 < len(arrived) < len(whole)
    crew.web(port=free_port)
    wait_until(lambda: is_up(url))
    headers = plain | {"Range": f"bytes={len(arrived)}-", "If-Range": answer.headers["ETag"]}
    rest = httpx.get(address, headers=headers, timeout=60)
    assert rest.status_code == 206
    assert arrived + rest.content == whole
