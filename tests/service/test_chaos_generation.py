"""The same request gives the same puzzles with one worker, with many, and if workers are killed."""

import os
import signal
from typing import Any

import msgspec
import pytest
from breaking import job_of
from running import Processes
from services import wait_until

from solver.generation.request import GenerationRequest, read_request
from worker.ingest.generate import generate
from worker.job import JobOptions
from worker.service import Service

pytestmark = [pytest.mark.redis, pytest.mark.chaos]
WISHES: dict[str, dict[str, Any]] = {
    "few givens": {"count": 200, "seed": 5, "givens": "..23"},
    "distinct": {"count": 40, "seed": 5, "box": "2x2", "distinct": True, "tries": 300},
}


def submit(queue: Service, wish: dict[str, Any]) -> str:
    request = read_request(wish)
    assert isinstance(request, GenerationRequest)
    text = msgspec.json.encode(wish).decode()
    job_id = generate(queue, request, text, options=JobOptions(), name="", client="me")
    assert isinstance(job_id, str)
    return job_id


def await_records(queue: Service, job_id: str, count: int) -> None:
    wait_until(lambda: job_of(queue, job_id).done >= count, seconds=120)


def results(queue: Service, job_id: str) -> list[tuple[int, str, str]]:
    """Wait for a job, and return the number, the puzzle, and the solution of each record."""
    wait_until(lambda: job_of(queue, job_id).state.final, seconds=300)
    return [
        (first + place, puzzle, solution)
        for first, part in queue.results.read(job_id)
        for place, (puzzle, solution) in enumerate(
            zip(part.puzzles.text.split("\n"), part.solutions.text.split("\n"), strict=True)
        )
    ]


@pytest.mark.parametrize("wish", WISHES.values(), ids=WISHES)
def test_workers_and_deaths_do_not_change_the_puzzles(
    queue: Service, hasty: Processes, wish: dict[str, Any]
) -> None:
    count = wish["count"]
    worker = hasty.worker(concurrency=1)
    expected = results(queue, submit(queue, wish))
    assert [number for number, *_ in expected] == [*range(1, count + 1)]
    killed = submit(queue, wish)
    for done in (count // 4, count // 2):
        await_records(queue, killed, done)
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
        worker = hasty.worker(concurrency=1)
    assert results(queue, killed) == expected
    hasty.worker(concurrency=8)
    assert results(queue, submit(queue, wish)) == expected
