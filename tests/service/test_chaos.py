"""Real servers and workers that are killed, paused, or cut off (run with `make chaos`).

Killed and restarted Redis servers, paused workers, and dead connections lose no results. Killing
`sudokuq up` or a worker leaves no process behind. The watchdog ends a worker that makes no progress
or stops too slowly. Without any failure, small jobs don't wait for long records.
"""

import os
import signal
import threading
import time
from pathlib import Path

import httpx
import pytest
from breaking import HARD, RECORDS, TINY, busy, check_results, endless, job_of, kill, submit
from proxy import Proxy
from running import Processes
from services import brief_processes, processes_of, read_until, start_up, wait_for_job, wait_until

from web.commands.command_lines import worker_command
from worker.connection import connect
from worker.private_redis import PrivateRedis
from worker.process.shutdown_flag import ShutdownFlag
from worker.process.watchdog import Watchdog
from worker.service import Service
from worker.store.live_workers import Registry

pytestmark = pytest.mark.redis


def test_idle_process_continues_after_redis_is_killed_during_a_long_record(
    server: PrivateRedis, queue: Service, crew: Processes
) -> None:
    worker = crew.worker(concurrency=2)
    wait_until(lambda: queue.registry.slots() == 2)
    submit(queue, endless())
    wait_until(lambda: busy(queue) == 1)
    for _ in range(2):
        kill(server)
        server.restart()
        job = wait_for_job(queue, submit(queue, TINY), seconds=60)
        assert job.outcomes["solved"] == 1
    assert worker.poll() is None


def test_small_job_does_not_wait_for_long_records_and_cancelling_frees_their_slot(
    queue: Service, crew: Processes
) -> None:
    crew.worker(concurrency=2)
    wait_until(lambda: queue.registry.slots() == 2)
    long = [submit(queue, endless()) for _ in range(4)]
    wait_until(lambda: all(job_of(queue, job_id).started_at for job_id in long))
    for _ in range(3):
        assert wait_for_job(queue, submit(queue, TINY * 10), seconds=30).outcomes["solved"] == 10
    for job_id in long:
        assert job_of(queue, job_id).state == "running"
        queue.jobs.cancel(job_id)
    wait_until(lambda: busy(queue) == 0, seconds=10)


@pytest.mark.chaos
@pytest.mark.parametrize("seconds", [1, 10, 60])
def test_redis_outage_loses_nothing(
    seconds: float, server: PrivateRedis, queue: Service, crew: Processes
) -> None:
    crew.worker(concurrency=2)
    wait_until(lambda: queue.registry.slots() == 2)
    job_id = submit(queue, HARD * RECORDS)
    wait_until(lambda: job_of(queue, job_id).done > 0)
    time.sleep(1.5)  # Redis may lose the last second's writes, which would include the upload.
    kill(server)
    time.sleep(seconds)
    server.restart()
    done, back = job_of(queue, job_id).done, time.monotonic()
    assert done < RECORDS
    wait_until(lambda: job_of(queue, job_id).done > done)
    print(f"recovered after {time.monotonic() - back:.1f} s")
    wait_for_job(queue, job_id)
    check_results(queue, job_id)


@pytest.mark.chaos
def test_worker_paused_longer_than_its_lease_duplicates_nothing(
    queue: Service, crew: Processes
) -> None:
    sleeper, other = crew.worker(concurrency=1), crew.worker(concurrency=1)
    wait_until(lambda: queue.registry.slots() == 2)
    job_id = submit(queue, HARD * RECORDS)
    wait_until(lambda: busy(queue) == 2)
    os.killpg(sleeper.pid, signal.SIGSTOP)
    wait_until(lambda: queue.registry.slots() == 1)
    os.killpg(sleeper.pid, signal.SIGCONT)
    wait_until(lambda: queue.registry.slots() == 2)
    wait_for_job(queue, job_id)
    check_results(queue, job_id)
    assert (sleeper.poll(), other.poll()) == (None, None)


@pytest.mark.chaos
@pytest.mark.parametrize("whole", [False, True], ids=["connections", "the network"])
def test_dead_connection_between_worker_and_redis_is_noticed(
    *, whole: bool, network: Proxy, queue: Service, tmp_path: Path
) -> None:
    crew = brief_processes(f"redis://127.0.0.1:{network.port}/0", tmp_path)
    try:
        crew.worker(concurrency=2)
        wait_until(lambda: queue.registry.slots() == 2)
        job_id = submit(queue, HARD * RECORDS)
        wait_until(lambda: busy(queue) > 0)
        network.cut(whole=whole)
        done = job_of(queue, job_id).done
        assert done < RECORDS
        if whole:
            wait_until(lambda: queue.registry.slots() == 0)
            network.heal()
        healed = time.monotonic()
        wait_until(lambda: job_of(queue, job_id).done > done)
        print(f"recovered after {time.monotonic() - healed:.1f} s")
        job = wait_for_job(queue, job_id)
        assert job.outcomes["solved"] == job.total == RECORDS
        check_results(queue, job_id)
    finally:
        network.close()
        crew.stop()


@pytest.mark.chaos
def test_idle_worker_notices_that_its_connections_are_dead(
    network: Proxy, queue: Service, tmp_path: Path
) -> None:
    crew = brief_processes(f"redis://127.0.0.1:{network.port}/0", tmp_path)
    try:
        crew.worker(concurrency=2)
        wait_until(lambda: queue.registry.slots() == 2)
        wait_for_job(queue, submit(queue, TINY))
        network.cut()
        cut = time.monotonic()
        wait_for_job(queue, submit(queue, TINY))
        print(f"recovered after {time.monotonic() - cut:.1f} s")
    finally:
        network.close()
        crew.stop()


@pytest.mark.chaos
@pytest.mark.usefixtures("on_path")
def test_killing_up_leaves_no_process_even_during_a_long_record(
    tmp_path: Path, free_port: int
) -> None:
    folder = tmp_path / "data"
    up = start_up(folder, free_port)
    read_until(up, "Ctrl-C")
    httpx.put(f"http://127.0.0.1:{free_port}/api/v1/jobs/x", content=endless(), timeout=60)
    (redis,) = (connect(f"unix://{path}?db=0") for path in folder.glob("redis.sock"))
    wait_until(lambda: any(worker.doing for worker in Registry(redis).workers()))
    redis.close()
    assert len(processes_of(folder)) > 5
    up.kill()
    up.communicate()
    wait_until(lambda: not processes_of(folder), seconds=60)
    again = start_up(folder, free_port)
    read_until(again, "Ctrl-C")
    (job,) = httpx.get(f"http://127.0.0.1:{free_port}/api/v1/jobs").json()["jobs"]
    assert (job["state"], job["total"]) == ("running", 1)
    assert httpx.delete(f"http://127.0.0.1:{free_port}/api/v1/jobs/{job['id']}").is_success
    again.send_signal(signal.SIGINT)
    again.communicate(timeout=60)
    assert processes_of(folder) == []


def check_worker(crew: Processes) -> int:
    """Return the exit code of the container's health check, with 1 for any failure."""
    command = [*worker_command(concurrency=1), "--check"]
    return min(crew.start(command, log="check.log").wait(60), 1)


def test_killing_a_worker_ends_its_processes(queue: Service, crew: Processes) -> None:
    worker = crew.worker(concurrency=1)
    wait_until(lambda: queue.registry.slots() == 1)
    job_id = submit(queue, endless())
    wait_until(lambda: busy(queue) == 1)
    children = Path(f"/proc/{worker.pid}/task/{worker.pid}/children").read_text().split()
    assert len(children) >= 2  # one more process than slots
    worker.kill()
    worker.wait()
    wait_until(lambda: not any(Path(f"/proc/{child}").exists() for child in children))
    wait_until(lambda: queue.registry.slots() == 0)
    assert check_worker(crew) == 1
    crew.worker(concurrency=1)
    wait_until(lambda: queue.registry.slots() == 1)
    assert check_worker(crew) == 0
    queue.jobs.cancel(job_id)


def test_worker_without_progress_is_ended_while_redis_answers() -> None:
    answers, ended = False, threading.Event()
    dog = Watchdog(
        lambda: answers, shutdown=ShutdownFlag(grace=1), grace=1, end=ended.set, check_seconds=0.005
    )
    dog.start()
    assert not ended.wait(0.2)  # no heartbeat yet
    dog.beat()
    assert not ended.wait(0.2)  # Redis is unavailable
    answers = True
    assert ended.wait(30)


def test_worker_is_ended_when_it_takes_too_long_to_stop() -> None:
    shutdown, ended = ShutdownFlag(grace=0), threading.Event()
    Watchdog(lambda: True, shutdown=shutdown, grace=0, end=ended.set, check_seconds=0.001).start()
    assert not ended.wait(0.1)
    shutdown.set()
    assert ended.wait(60)
