"""The web server process with clients that are slow, idle, or many: they don't delay others."""

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from connections import TINY, answers, connect, finished_job, head
from running import Processes
from services import wait_until

from web.commands.command_lines import web_command
from worker.service import Service

pytestmark = pytest.mark.redis

PUT = head("PUT /api/v1/jobs", "Content-Length: 100000")
SLOW = {
    "head": b"GET / HTTP/1.1\r\nHost: localhost\r\nA",
    "nothing": b"",
    "body": PUT + b"1",
    "long body": PUT + b"1" * 17_000,
    "chunked": head("POST /jobs", "Transfer-Encoding: chunked") + b"5\r\n1",
    "reader": head("GET /api/openapi.json") * 200,
    "next head": head("GET /healthz") + b"G",
    "next body": head("GET /healthz") + PUT + b"1",
    "body of a page": head("GET /", "Content-Length: 100000") + b"1" * 17_000,
    "asked body": head("DELETE /api/v1/jobs/x", "Content-Length: 9", "Expect: 100-continue"),
}


def test_hundreds_of_slow_connections_delay_no_other_client(web: tuple[str, int]) -> None:
    url = f"http://{web[0]}:{web[1]}"
    slow = [connect(web, begun, address="127.0.0.2") for begun in SLOW.values() for _ in range(70)]
    try:
        for path in ("/healthz", "/", "/api/v1/formats"):
            assert httpx.get(f"{url}{path}", timeout=20).status_code == 200
        assert httpx.put(f"{url}/api/v1/jobs", content=TINY, timeout=20).status_code == 202
    finally:
        for connection in slow:
            connection.close()


def test_unread_downloads_block_no_pages_however_their_path_is_encoded(
    web: tuple[str, int], service: Service
) -> None:
    url = f"http://{web[0]}:{web[1]}"
    path = f"/api/v1/jobs/{finished_job(f'{url}/api/v1/jobs', service)}/results"
    spelled = (path.replace("results", "result%73"), "/" + path[1:].replace("/", "%2F"), f"/{path}")
    begun = [
        connect(web, head(f"GET {way}"), address="127.0.0.2") for way in spelled for _ in range(40)
    ]
    try:
        time.sleep(1)
        assert httpx.get(url, timeout=20).status_code == 200
    finally:
        for connection in begun:
            connection.close()


def test_slow_connections_are_closed_even_if_they_send_a_byte_per_second(
    impatient: tuple[str, int],
) -> None:
    left = {connect(impatient, begun) for begun in SLOW.values() for _ in range(3)}
    deadline = time.monotonic() + 60
    while left and time.monotonic() < deadline:
        time.sleep(1)
        closed = {connection for connection in left if is_closed(connection)}
        left -= closed
        for connection in closed:
            connection.close()
    assert not left


def test_truncated_requests_are_answered_or_closed_immediately(
    web: tuple[str, int],
) -> None:
    for kind in ("head", "body", "chunked", "next head", "next body"):
        with connect(web, SLOW[kind]) as connection:
            connection.settimeout(20)
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(1 << 12):
                pass


def test_a_steady_upload_may_take_longer_than_the_idle_timeout(
    impatient: tuple[str, int],
) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(5):
            time.sleep(0.5)
            yield f"{TINY}\n".encode() * 100

    url = f"http://{impatient[0]}:{impatient[1]}/api/v1/jobs"
    answer = httpx.post(url, content=pieces(), timeout=60)
    assert (answer.status_code, answer.json()["total"]) == (202, 500)


def test_health_is_answered_while_all_upload_threads_wait(web: tuple[str, int]) -> None:
    slow = [connect(web, SLOW["body"]) for _ in range(200)]
    try:
        assert httpx.get(f"http://{web[0]}:{web[1]}/healthz", timeout=2.5).status_code == 200
    finally:
        for connection in slow:
            connection.close()


def test_many_clients_waiting_for_a_job_delay_no_pages(web: tuple[str, int]) -> None:
    url = f"http://{web[0]}:{web[1]}"
    job = httpx.post(f"{url}/api/v1/jobs", content=TINY).json()

    def follow(_: int) -> float:
        began = time.monotonic()
        answer = httpx.get(f"{job['links']['self']}?wait=5", timeout=60)
        assert answer.json()["state"] == "queued"
        return time.monotonic() - began

    with ThreadPoolExecutor(45) as clients:
        waited = clients.map(follow, range(45))
        time.sleep(1)
        assert httpx.get(url, timeout=3).status_code == 200
        assert min(waited) >= 5


def test_the_longest_waiting_connections_are_closed_when_connections_run_out(
    processes: Processes, free_port: int
) -> None:
    command = web_command(address=f"127.0.0.1:{free_port}")
    command[command.index("--worker-connections") + 1] = "120"
    processes.start(command, log="web.log")
    wait_until(lambda: answers(free_port))
    for kind in ("nothing", "long body", "reader"):
        begun = [
            connect(("127.0.0.1", free_port), SLOW[kind], address="127.0.0.2") for _ in range(300)
        ]
        try:
            for _ in range(20):
                assert answers(free_port)
            assert any(is_closed(connection) for connection in begun)
            assert kind != "nothing" or not is_closed(begun[-1])
        finally:
            for connection in begun:
                connection.close()


def is_closed(connection: socket.socket) -> bool:
    """Return whether the server has closed the connection, by sending it a byte."""
    try:
        connection.sendall(b"1")
        connection.settimeout(0.001)
        while connection.recv(100):
            return False
    except TimeoutError:
        return False
    except OSError:
        return True
    return True
