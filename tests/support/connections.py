"""Web servers for tests, and connections to them that send any bytes at any time."""

import socket
import subprocess
from http.client import HTTPConnection, HTTPException

import httpx
from running import Processes
from services import wait_until

from worker.process.chunk_runner import ChunkRunner
from worker.service import Service

TINY = "12.4...2....4..1"


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


def finished_job(url: str, service: Service) -> str:
    """Return the id of a finished job with several MiB of results."""
    job_id: str = httpx.post(url, content=f"{TINY}\n" * 60_000, timeout=60).json()["id"]
    for chunk in range(service.jobs.get(job_id).chunks):  # type: ignore[union-attr]
        ChunkRunner(service, worker="here").run(job_id, chunk)
    return job_id
