"""Webhooks of a running service: a real worker, web server, and receiver."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from documented import documented_program
from jobs import GOOD
from notified import ALLOWED, NotifyingService
from receiver import SECRET, Receiver, receiver
from running import running_on
from services import wait_until

import sudokuq

pytestmark = pytest.mark.redis


@pytest.fixture(scope="module")
def url(redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a service that may send webhooks to this machine, and return its URL."""
    with running_on(redis_url, tmp_path_factory.mktemp("webhooks"), **ALLOWED) as service:
        yield service.url


@pytest.fixture
def hooks() -> Iterator[Receiver]:
    with receiver() as made:
        yield made


@pytest.fixture
def api(url: str, hooks: Receiver) -> NotifyingService:
    return NotifyingService(url, hooks)


def test_notification_is_repeated_until_confirmed_and_its_body_is_the_job(
    api: NotifyingService, hooks: Receiver
) -> None:
    hooks.statuses = [500]
    job = api.submit(f"{GOOD} " * 20)
    webhook = api.await_webhook(job, state="delivered")
    assert webhook["attempts"] == 2
    assert hooks.jobs() == [f"{job['id']} finished"] * 2
    assert {request.id for request in hooks.received} == {webhook["id"]}
    current = httpx.get(api.url_of(job))
    sent = hooks.received[-1]
    assert sent.headers["content-type"] == current.headers["content-type"]
    assert sent.job() | {"webhook": None} == current.json() | {"webhook": None}


def test_test_and_redelivery_are_sent_on_request(api: NotifyingService, hooks: Receiver) -> None:
    job = api.submit()
    webhook = api.await_webhook(job, state="delivered")
    tested = api.post(job, "webhook/test")
    assert tested["webhook"]["last_test"]["error"] is None
    api.post(job, "webhook/redeliver")
    api.await_webhook(job, state="delivered")
    first, test, again = hooks.received
    assert first.id == again.id == webhook["id"]
    assert test.id.startswith("test_")


def test_receivers_that_do_not_respond_delay_no_puzzles(
    api: NotifyingService, hooks: Receiver
) -> None:
    hooks.block()
    jobs = [api.submit() for _ in range(6)]
    wait_until(lambda: len(hooks.received) == len(jobs))
    answer = httpx.post(f"{api.url}/api/v1/solve", json={"puzzle": GOOD})
    assert answer.status_code == 200
    hooks.unblock()
    for job in jobs:
        api.await_webhook(job, state="delivered")


def test_the_documented_receiver_verifies_a_notification_and_reads_the_results(
    url: str, free_port: int, tmp_path: Path
) -> None:
    program = documented_program("how-to/webhooks.md", "BaseHTTPRequestHandler")
    program = program.replace("http://127.0.0.1:8000", url).replace("8080", str(free_port))
    path, log = tmp_path / "receiver.py", tmp_path / "log"
    path.write_text(program)
    hook = {"webhook": f"http://127.0.0.1:{free_port}/", "webhook_secret": SECRET}
    with (
        log.open("w") as output,
        subprocess.Popen(
            [sys.executable, path],
            env=os.environ | {"WEBHOOK_SECRET": SECRET}, stdout=output, stderr=output,
        ) as process,
        sudokuq.Client(url) as client,
    ):  # fmt: skip
        try:
            job = client.submit(GOOD, options=hook)
            wait_until(lambda: "\n1 solved " in log.read_text())
        finally:
            process.terminate()
    assert f"{job['id']} finished {{'solved': 1, " in log.read_text()
