"""The web server process with interrupted, malformed, and pipelined requests.

Some tests are about HTTP/1.0. `test_slow_connections` has slow and many connections.
"""

import json
import os
import re
import signal
import socket
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest
import zstandard
from connections import TINY, answers, connect, finished_job, head, start
from running import Processes, descendants
from services import wait_until

from web.schemas.problem_types import PROBLEM_TYPES
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service

pytestmark = pytest.mark.redis


def ask(web: tuple[str, int], request: bytes) -> bytes:
    """Send a request, and return everything up to the end of the connection.

    The sending side is closed after the request.
    """
    with socket.create_connection(web, timeout=60) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(1 << 16), b""))


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


def test_pipelined_requests_are_answered_in_order(web: tuple[str, int]) -> None:
    sent = head("GET /healthz") + head("PUT /api/v1/jobs", "Content-Length: 16") + TINY.encode()
    sent += head("GET /nothing") + head("GET /healthz", "Connection: close")
    with connect(web, sent) as connection:
        arrived = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    assert re.findall(rb"HTTP/1.1 (\d+)", arrived) == [b"200", b"202", b"404", b"200"]


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
