"""Webhooks are delivered at least once, with one id, whatever part of the service fails.

The tests share a service, and each repairs what it has broken.
"""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from breaking import kill
from notified import ALLOWED, NotifyingService
from receiver import Receiver, receiver
from redis import Redis
from running import Processes, await_slots, descendants, find_port
from services import wait_until

from worker.connection import connect
from worker.private_redis import PrivateRedis

pytestmark = [pytest.mark.redis, pytest.mark.chaos]
SLOTS = 2


class Crew:
    """The processes of a service: a private Redis, a worker, and a web server, which it starts.

    `redis` is a connection to the private Redis.
    """

    def __init__(self, folder: Path) -> None:
        self.server = PrivateRedis(folder / "redis")
        self.server.start()
        self.redis: Redis = connect(self.server.url)
        self._processes = Processes(
            self.server.url, folder, SUDOKUQ_LEASE_SECONDS="2", SUDOKUQ_GRACE_SECONDS="1", **ALLOWED
        )
        self.start_worker()
        self.start_web()

    def start_worker(self) -> None:
        self.worker = self._processes.worker(concurrency=SLOTS)

    def start_web(self) -> None:
        """Start a web server on a new port, because processes of a killed one may still listen."""
        port = find_port()
        self.web = self._processes.web(port=port)
        self.url = f"http://127.0.0.1:{port}"
        await_slots(self.url, SLOTS)

    def stop(self) -> None:
        self._processes.stop()
        self.redis.close()
        self.server.stop()


@pytest.fixture(scope="module")
def crew(_compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crew]:
    started = Crew(tmp_path_factory.mktemp("webhooks"))
    yield started
    started.stop()


@pytest.fixture
def hooks() -> Iterator[Receiver]:
    with receiver() as made:
        yield made


@pytest.fixture
def api(crew: Crew, hooks: Receiver) -> NotifyingService:
    return NotifyingService(crew.url, hooks)


@pytest.fixture
def pending(api: NotifyingService, hooks: Receiver) -> Any:
    """Return a job whose notification is being sent, to a receiver that doesn't respond yet."""
    hooks.block()
    job = api.submit()
    wait_until(lambda: hooks.received)
    return job


def check_delivered(crew: Crew, job: Any, hooks: Receiver) -> None:
    """Check that the notification is delivered, and that all attempts have its id."""
    hooks.unblock()
    webhook = NotifyingService(crew.url, hooks).await_webhook(job, state="delivered")
    assert set(hooks.jobs()) == {f"{job['id']} finished"}
    assert {request.id for request in hooks.received} == {webhook["id"]}


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its descendants in the same process group."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_killed_worker_process_is_replaced_and_the_notification_delivered(
    crew: Crew, pending: Any, hooks: Receiver
) -> None:
    for process in descendants(crew.worker.pid):
        os.kill(process, signal.SIGKILL)
    check_delivered(crew, pending, hooks)
    assert crew.worker.poll() is None


def test_notification_survives_the_death_of_the_worker(
    crew: Crew, pending: Any, hooks: Receiver
) -> None:
    kill_group(crew.worker)
    await_slots(crew.url, 0)
    crew.start_worker()
    await_slots(crew.url, SLOTS)
    check_delivered(crew, pending, hooks)


def test_notification_survives_the_death_of_the_web_server(
    crew: Crew, pending: Any, hooks: Receiver
) -> None:
    kill_group(crew.web)
    crew.start_web()
    check_delivered(crew, pending, hooks)


@pytest.mark.parametrize("way", ["stopped", "killed"])
def test_notification_survives_a_restart_of_redis(
    way: str, crew: Crew, pending: Any, hooks: Receiver
) -> None:
    # Redis syncs its append-only file every second. If it is killed, it may lose the last second.
    assert crew.redis.waitaof(1, 0, 5_000)[0] == 1
    if way == "killed":
        kill(crew.server)
        hooks.unblock()  # The worker can't record that the receiver confirmed the notification.
    crew.server.restart()
    check_delivered(crew, pending, hooks)


def test_unreachable_receiver_is_diagnosed_and_gets_the_notification_when_it_is_back(
    crew: Crew,
) -> None:
    with receiver() as away:
        pass
    api = NotifyingService(crew.url, away)
    job = api.submit()
    wait_until(lambda: api.webhook(job)["attempts"] == 2)
    webhook = api.webhook(job)
    assert webhook["last_error"] == "the connection failed: Connection refused"
    assert webhook["next_attempt_at"] > webhook["last_attempt_at"]
    with receiver(port=away.port) as back:
        check_delivered(crew, job, back)
