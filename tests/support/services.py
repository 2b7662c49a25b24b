"""Helpers that start the service's processes and wait for them."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from running import Processes

from worker.job import Job
from worker.service import Service


def brief_processes(redis_url: str, logs: Path) -> Processes:
    """Return a launcher of service processes with leases of 2 s and a grace period of 1 s."""
    return Processes(redis_url, logs, SUDOKUQ_LEASE_SECONDS="2", SUDOKUQ_GRACE_SECONDS="1")


def start_up(folder: Path, port: int, *arguments: str) -> subprocess.Popen[str]:
    """Start `sudokuq up` with this data folder and port, and with a Redis of its own.

    Its stderr is a pipe.
    """
    return subprocess.Popen(
        ["sudokuq", "up", *arguments],
        env=os.environ | {"SUDOKUQ_DATA": str(folder), "PORT": str(port), "REDIS_URL": ""},
        stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
        # When the tests run as a background job of a shell, they and their children ignore Ctrl-C.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )  # fmt: skip


def read_until(process: subprocess.Popen[str], text: str) -> str:
    """Wait for `text` in a process's stderr, and return the lines up to and including it.

    Fails if stderr ends before that.
    """
    output = ""
    assert process.stderr is not None
    while text not in output:
        line = process.stderr.readline()
        assert line, output
        output += line
    return output


def processes_of(folder: Path) -> list[int]:
    """Return the ids of `sudokuq up` with a data folder, and of all processes that it started."""
    mark = f"SUDOKUQ_DATA={folder}\0".encode()
    numbers = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (entry / "environ").read_bytes():
                numbers.append(int(entry.name))
        except OSError:  # the process has ended
            continue
    return numbers


def wait_until(true: Callable[[], Any], *, seconds: float = 90.0) -> None:
    """Wait until `true` returns a true value. Fails after a timeout."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"the condition was still false after {seconds} s"
        time.sleep(0.02)


def wait_for_job(service: Service, job_id: str, *, seconds: float = 90.0) -> Job:
    """Wait until a job is final, and return it. Fails after a timeout."""

    def final() -> bool:
        job = service.jobs.get(job_id)
        return job is not None and job.state.final

    wait_until(final, seconds=seconds)
    job = service.jobs.get(job_id)
    assert job is not None
    return job
