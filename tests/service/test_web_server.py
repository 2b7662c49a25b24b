"""The web server process with slow, interrupted, malformed, and pipelined requests.

Slow or many connections don't delay other clients. Some tests are about HTTP/1.0.
"""

import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import httpx
import pytest
import zstandard
from running import Processes, descendants, find_port
from services import brief_processes, wait_until

from web.commands.command_lines import web_command
from web.schemas.problem_types import PROBLEM_TYPES
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service
from worker.settings import Settings

pytestmark = pytest.mark.redis

TINY = "12.4...2....4..1"


@pytest.fixture(scope="module")
def listening(
    redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, int]]:
    """Return the address of a web server without a worker and with an idle timeout of 60 s."""
    yield from serving(redis_url, tmp_path_factory.mktemp("patient"), patience=60)


@pytest.fixture(scope="module")
def impatient(
    redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, int]]:
    """Return the address of a web server without a worker and with an idle timeout of 2 s."""
    yield from serving(redis_url, tmp_path_factory.mktemp("impatient"), patience=2)


def serving(redis_url: str, logs: Path, *, patience: int) -> Iterator[tuple[str, int]]:
    processes = brief_processes(redis_url, logs)
    processes.environment["SUDOKUQ_CLIENT_PATIENCE"] = str(patience)
    port = find_port()
    start(processes, port)
    yield "127.0.0.1", port
    processes.stop()


@pytest.fixture
def web(listening: tuple[str, int], settings: Settings) -> tuple[str, int]:
    """Return the address of the web server with a long idle timeout, on an empty Redis."""
    del settings
    return listening


def start(processes: Processes, free_port: int) -> subprocess.Popen[bytes]:
    server = processes.web(port=free_port)

    wait_until(lambda: answers(free_port))
    return server


def answers(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def test_an_upload_is_abandoned_when_its_client_disconnects(
    web: tuple[str, int], service: Service
) -> None:
    packed = zstandard.compress(TINY.encode()) + zstandard.compress(b"\n" * (1 << 24)) * 256
    head = f"POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(packed)}\r\n\r\n"
    with socket.create_connection(web) as connection:
        connection.sendall(head.encode() + packed)
        wait_until(lambda: service.redis.keys("sudokuq:{*"))
    wait_until(lambda: not service.redis.keys("sudokuq:{*"), seconds=6)


@pytest.mark.parametrize(("path", "status"), [("/api/v1/jobs", 202), ("/api/v1/solve?wait=0", 202)])
def test_an_upload_is_accepted_from_a_client_that_closes_its_sending_side(
    web: tuple[str, int], path: str, status: int
) -> None:
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(TINY)}\r\n\r\n"
    with socket.create_connection(web, timeout=60) as connection:
        connection.sendall(f"{head}{TINY}".encode())
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(99).startswith(b"HTTP/1.1 %d " % status)


def test_a_download_whose_job_is_deleted_is_aborted_with_one_log_line(
    processes: Processes, free_port: int, service: Service, tmp_path: Path
) -> None:
    start(processes, free_port)
    url = f"http://127.0.0.1:{free_port}/api/v1/jobs"
    job_id = finished_job(url, service)
    with socket.create_connection(("127.0.0.1", free_port), timeout=60) as download:
        download.sendall(head(f"GET /api/v1/jobs/{job_id}/results"))
        arrived = download.recv(99)
        assert httpx.delete(f"{url}/{job_id}", timeout=60).status_code == 204
        while piece := download.recv(1 << 20):
            arrived = arrived[-9:] + piece
    assert not arrived.endswith(b"\r\n0\r\n\r\n")
    said = (tmp_path / "web.log").read_text()
    assert said.count("the job was deleted, or expired, during the download") == 1
    assert "Traceback" not in said


def test_a_web_server_killed_during_an_upload_frees_its_idempotency_key(
    processes: Processes, free_port: int, service: Service
) -> None:
    processes.environment["SUDOKUQ_UPLOAD_PATIENCE"] = "2"
    server = start(processes, free_port)
    fields = "Host: localhost\r\nContent-Length: 99999\r\nIdempotency-Key: k"
    begun = f"PUT /api/v1/jobs HTTP/1.1\r\n{fields}\r\n\r\n".encode() + b"1" * 20_000
    with socket.create_connection(("127.0.0.1", free_port)) as connection:
        connection.sendall(begun)
        wait_until(lambda: service.redis.keys("sudokuq:request:*"))
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
    start(processes, free_port)

    def send() -> int:
        url, headers = f"http://127.0.0.1:{free_port}/api/v1/jobs", {"Idempotency-Key": "k"}
        return httpx.put(url, content=TINY, headers=headers).status_code

    assert send() in (409, 202)
    wait_until(lambda: send() == 202, seconds=10)


def ask(web: tuple[str, int], request: bytes) -> bytes:
    """Send a request, and return everything up to the end of the connection.

    The sending side is closed after the request.
    """
    with socket.create_connection(web, timeout=60) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(1 << 16), b""))


# Servers take seconds to start, so the tests share one and loop over their cases.
CHUNKED = ["zz\r\nabc\r\n0\r\n\r\n", "5\r\n12", "-1\r\n", "3;" + "x" * 9_000]


def test_malformed_chunked_bodies_are_rejected(web: tuple[str, int]) -> None:
    for path in ("/api/v1/jobs", "/jobs", "/api/v1/solve", "/sign-in"):
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
        kind = "Content-Type: multipart/form-data; boundary=x\r\n" if path == "/sign-in" else ""
        for body in CHUNKED:
            answer = ask(web, f"{head}{kind}\r\n{body}".encode())
            assert answer.split()[1] in (b"400", b"403"), (path, body)


NO_REQUESTS = [
    (b"nonsense\r\n\r\n", 400),
    (b"GET / HTTP/9.9\r\n\r\n", 400),
    (b"GET /" + b"x" * 9_000 + b" HTTP/1.1\r\n\r\n", 414),
    (b"GET / HTTP/1.1\r\nA: " + b"x" * 9_000 + b"\r\n\r\n", 431),
    (b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nTransfer-Encoding: rot13\r\n\r\n", 501),
    (b"x" * 100_000, 414),
]


def test_malformed_requests_get_a_problem_document(web: tuple[str, int]) -> None:
    for sent, status in NO_REQUESTS:
        head, _, body = ask(web, sent).partition(b"\r\n\r\n")
        assert b"application/problem+json" in head, sent[:50]
        problem = json.loads(body)
        assert problem["status"] == status == int(head.split()[1])
        assert problem["type"] in {kind.uri for kind in PROBLEM_TYPES.values()}
        assert f"X-Request-Id: {problem['request_id']}".encode() in head


def test_a_small_download_over_http_1_0_has_a_content_length(
    web: tuple[str, int], service: Service
) -> None:
    url = f"http://{web[0]}:{web[1]}/api/v1"
    job_id = httpx.post(f"{url}/jobs", content=f"{TINY}\n" * 50).json()["id"]
    ChunkRunner(service, worker="here").run(job_id, 0)
    whole = httpx.get(f"{url}/jobs/{job_id}/results").content
    request = f"GET /api/v1/jobs/{job_id}/results HTTP/1.0\r\n\r\n"
    head, _, body = ask(web, request.encode()).partition(b"\r\n\r\n")
    assert f"content-length: {len(whole)}".encode() in head.lower()
    assert body == whole


@pytest.mark.parametrize("deleted", [False, True])
def test_an_interrupted_download_over_http_1_0_does_not_look_complete(
    web: tuple[str, int], service: Service, *, deleted: bool
) -> None:
    url = f"http://{web[0]}:{web[1]}/api/v1/jobs"
    job_id = finished_job(url, service)
    whole = httpx.get(f"{url}/{job_id}/results", timeout=60).content
    request = f"GET /api/v1/jobs/{job_id}/results HTTP/1.0\r\n\r\n".encode()
    with connect(web, request) as connection:
        arrived = connection.recv(1 << 12)
        assert b"content-length" not in arrived.lower()
        if deleted:
            assert httpx.delete(f"{url}/{job_id}", timeout=60).status_code == 204
            with pytest.raises(ConnectionResetError):
                list(iter(lambda: connection.recv(1 << 20), b""))
        else:
            arrived += b"".join(iter(lambda: connection.recv(1 << 20), b""))
            assert arrived.partition(b"\r\n\r\n")[2] == whole


def test_a_download_over_http_1_0_does_not_look_complete_when_the_web_server_is_killed(
    processes: Processes, free_port: int, service: Service
) -> None:
    server = start(processes, free_port)
    job_id = finished_job(f"http://127.0.0.1:{free_port}/api/v1/jobs", service)
    request = f"GET /api/v1/jobs/{job_id}/results HTTP/1.0\r\n\r\n".encode()
    with connect(("127.0.0.1", free_port), request) as connection:
        connection.recv(1 << 12)
        for process in [*descendants(server.pid), server.pid]:
            os.kill(process, signal.SIGKILL)
        server.wait()
        with pytest.raises(ConnectionResetError):
            list(iter(lambda: connection.recv(1 << 20), b""))


def connect(web: tuple[str, int], start: bytes, *, address: str = "127.0.0.1") -> socket.socket:
    """Connect from `address` with a small receive buffer, and send the start of a request."""
    connection = socket.socket()
    # The buffer must be small from the start. If it shrank later, the server's kernel would wait
    # for half of the original window, and would send a few KiB per 200 ms probe.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(60)
    connection.bind((address, 0))
    connection.connect(web)
    connection.sendall(start)
    return connection


def head(line: str, *fields: str) -> bytes:
    return "\r\n".join([f"{line} HTTP/1.1", "Host: localhost", *fields, "", ""]).encode()


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


def finished_job(url: str, service: Service) -> str:
    """Return the id of a finished job with several MiB of results."""
    job_id: str = httpx.post(url, content=f"{TINY}\n" * 60_000, timeout=60).json()["id"]
    for chunk in range(service.jobs.get(job_id).chunks):  # type: ignore[union-attr]
        ChunkRunner(service, worker="here").run(job_id, chunk)
    return job_id


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


def test_pipelined_requests_are_answered_in_order(web: tuple[str, int]) -> None:
    sent = head("GET /healthz") + head("PUT /api/v1/jobs", "Content-Length: 16") + TINY.encode()
    sent += head("GET /nothing") + head("GET /healthz", "Connection: close")
    with connect(web, sent) as connection:
        arrived = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    assert re.findall(rb"HTTP/1.1 (\d+)", arrived) == [b"200", b"202", b"404", b"200"]


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


def test_kept_alive_connections_survive_many_other_requests(web: tuple[str, int]) -> None:
    kept = HTTPConnection(*web, timeout=60)
    kept.request("GET", "/healthz")
    assert kept.getresponse().read()
    connection = kept.sock
    for _ in range(30):
        for _ in range(5):
            assert answers(web[1])
        kept.request("GET", "/healthz")
        assert kept.getresponse().read()
        assert kept.sock is connection
    kept.close()


@pytest.mark.parametrize(
    ("path", "size", "status"),
    [("/api/v1/jobs?limit=x", 9, 422), ("/api/v1/jobs?limit=x", 9 << 20, 422),
     ("/api/v1/solve", 9 << 20, 413), ("/api/v1/formats", 9 << 20, 405)],
)  # fmt: skip
@pytest.mark.parametrize("chunked", [False, True])
def test_response_to_an_unread_body_states_whether_the_connection_is_kept(
    web: tuple[str, int], path: str, size: int, status: int, *, chunked: bool
) -> None:
    connection = HTTPConnection(*web, timeout=60)
    body = b"." * size
    connection.request(
        "POST", path, body=iter([body]) if chunked else body, encode_chunked=chunked,
        headers={"Transfer-Encoding": "chunked"} if chunked else {},
    )  # fmt: skip
    answer = connection.getresponse()
    assert answer.status == status
    answer.read()
    if answer.headers["Connection"] == "keep-alive":
        assert connection.sock is not None
        connection.request("GET", "/healthz")
        assert connection.getresponse().status == 200
    else:
        assert (answer.headers["Connection"], size > 9) == ("close", True)
    connection.close()
