"""Jobs with distinct puzzles give the same results whatever workers make them and however often."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, islice
from typing import Any

import msgspec
import pytest
from redis.exceptions import ConnectionError as NoConnection

from solver import generate as generate_puzzles
from solver.generation.request import GenerationRequest, read_request
from worker.ingest.generate import generate
from worker.job import JobOptions
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service
from worker.store.keys import JobKeys

pytestmark = pytest.mark.redis

MOST_SLICES = 2_000
COUNT = 40  # There are 36 classes of minimal 4×4 puzzles.
WISH: dict[str, Any] = {"count": COUNT, "seed": 2, "box": "2x2", "distinct": True, "tries": 60}


def submit(service: Service, wish: dict[str, Any] = WISH) -> str:
    request = read_request(wish)
    assert isinstance(request, GenerationRequest), request
    text = msgspec.json.encode(wish).decode()
    job_id = generate(service, request, text, options=JobOptions(), name="", client="me")
    assert isinstance(job_id, str)
    return job_id


def runners(service: Service, count: int) -> list[ChunkRunner]:
    return [ChunkRunner(service, worker=f"worker {number}") for number in range(count)]


def in_flight(service: Service, job_id: str) -> list[int]:
    """Return the numbers of the chunks that are in flight."""
    chunks: Any = service.redis.zrange(JobKeys(job_id).once["flight"], 0, -1)
    return [int(chunk) for chunk in chunks]


def run(service: Service, job_id: str, workers: Sequence[ChunkRunner]) -> None:
    """Run the chunks that are in flight, each time slice by the next worker, until the job ends."""
    for worker in islice(cycle(workers), MOST_SLICES):
        chunks = in_flight(service, job_id)
        assert len(chunks) <= 1
        for chunk in chunks:
            worker.run(job_id, chunk)
        job = service.jobs.get(job_id)
        if job is not None and job.state.final:
            return
        if not in_flight(service, job_id):
            # A worker that got no answer from Redis leaves the next chunk to the periodic check.
            service.dispatcher.dispatch(job_id)
    pytest.fail("the job didn't end")


def results(service: Service, job_id: str) -> list[tuple[str, str]]:
    """Return the puzzle and the details of each record."""
    return [
        (puzzle, part.details.get(place, ""))
        for _, part in service.results.read(job_id)
        for place, puzzle in enumerate(part.puzzles.text.split("\n"))
    ]


@pytest.fixture(scope="module")
def expected() -> list[str]:
    """Return the puzzles that one process makes, "" for those that were given up."""
    made = generate_puzzles(**WISH)
    return ["" if each.puzzle is None else str(each.puzzle) for each in made]


def test_a_job_has_the_puzzles_that_one_process_makes(
    service: Service, expected: list[str]
) -> None:
    job_id = submit(service)
    run(service, job_id, runners(service, 1))
    found = results(service, job_id)
    assert [puzzle for puzzle, _ in found] == expected
    assert 0 < sum(puzzle == "" for puzzle in expected) < COUNT
    assert all("distinct" in detail for puzzle, detail in found if not puzzle)


def test_a_chunk_is_sent_when_the_chunk_before_it_is_done(service: Service) -> None:
    job_id = submit(service)
    assert service.chunks.dispatch(job_id, quota=8).chunks == ()
    (first,) = runners(service, 1)
    first.run(job_id, 0)
    assert in_flight(service, job_id) == [1]


def test_workers_that_alternate_make_the_same_puzzles(
    service: Service, expected: list[str]
) -> None:
    hasty = replace(service, settings=replace(service.settings, chunk_seconds=0.01))
    job_id = submit(hasty)
    run(hasty, job_id, runners(hasty, 3))
    assert [puzzle for puzzle, _ in results(hasty, job_id)] == expected


def test_a_worker_that_dies_before_or_after_a_commit_changes_no_puzzle(
    service: Service, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = submit(service)
    commit = service.chunks.commit
    deaths = iter(["before", "after", "", "before"])

    def dying(*arguments: Any, **options: Any) -> Any:
        death = next(deaths, "")
        if death == "before":
            raise NoConnection
        verdict = commit(*arguments, **options)
        if death == "after":
            raise NoConnection
        return verdict

    monkeypatch.setattr(type(service.chunks), "commit", lambda _, *a, **o: dying(*a, **o))
    run_with_new_processes(service, job_id)
    assert [puzzle for puzzle, _ in results(service, job_id)] == expected
    assert next(deaths, None) is None


def run_with_new_processes(service: Service, job_id: str) -> None:
    for _ in range(50):
        chunks = in_flight(service, job_id)
        if not chunks:
            # The process died before it could send the next chunk.
            service.dispatcher.dispatch(job_id)
        for chunk in chunks:
            runners(service, 1)[0].run(job_id, chunk)
    assert not service.redis.exists(JobKeys(job_id).digests)
