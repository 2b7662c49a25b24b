"""The web server as it runs, and clients that do not behave."""

import os
import signal
import socket
import subprocess

import httpx
import pytest
import zstandard
from conftest import Processes, wait_until

from worker.service import Service

pytestmark = pytest.mark.redis

TINY = "12.4...2....4..1"


@pytest.fixture
def web(processes: Processes, free_port: int) -> tuple[str, int]:
    """Return where a web server listens that has no worker behind it."""
    start(processes, free_port)
    return "127.0.0.1", free_port


def start(processes: Processes, free_port: int) -> subprocess.Popen[bytes]:
    server = processes.web(port=free_port)

    def answers() -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{free_port}/healthz").is_success
        except httpx.TransportError:
            return False

    wait_until(answers)
    return server


def test_an_upload_is_given_up_when_its_client_is_gone(
    web: tuple[str, int], service: Service
) -> None:
    packed = zstandard.compress(TINY.encode()) + zstandard.compress(b"\n" * (1 << 24)) * 256
    head = f"POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: {len(packed)}\r\n\r\n"
    with socket.create_connection(web) as connection:
        connection.sendall(head.encode() + packed)
        wait_until(lambda: service.redis.keys("sudokuq:{*"))
    wait_until(lambda: not service.redis.keys("sudokuq:{*"), seconds=6)


def test_a_web_that_is_killed_in_an_upload_gives_its_idempotency_key_back(
    processes: Processes, free_port: int, service: Service
) -> None:
    processes.environment["SUDOKUQ_UPLOAD_PATIENCE"] = "2"
    server = start(processes, free_port)
    head = "PUT /api/v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nIdempotency-Key: k\r\n\r\n"
    with socket.create_connection(("127.0.0.1", free_port)) as connection:
        connection.sendall(head.encode() + b"1")
        wait_until(lambda: service.redis.keys("sudokuq:request:*"))
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
    start(processes, free_port)

    def send() -> int:
        url, headers = f"http://127.0.0.1:{free_port}/api/v1/jobs", {"Idempotency-Key": "k"}
        return httpx.put(url, content=TINY, headers=headers).status_code

    assert send() in (409, 202)
    wait_until(lambda: send() == 202, seconds=10)
