"""A chunk is processed from its lease to its results, even if something fails on the way."""

import json
import os
import signal
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from breaking import HARD
from jobs import GOOD, MANY, job_of, outcomes, upload
from services import wait_until

from solver import solving
from solver.board.result import Batch
from solver.engines.engine import ABANDON, StopFlag
from worker.process import chunk_runner, solve_block
from worker.process.shutdown_flag import ShutdownFlag
from worker.records.chunk_result import ChunkResult
from worker.service import Service, connect_service
from worker.settings import Settings
from worker.store.chunks import AcquiredChunk, JobPlan
from worker.store.keys import JobKeys

NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_chunk_is_solved_once_although_it_is_delivered_twice(
    service: Service, runner: chunk_runner.ChunkRunner
) -> None:
    job_id = upload(service, f"{GOOD}\n{MANY}\n12\n")
    runner.run(job_id, 0)
    job = job_of(service, job_id)
    assert (job.state, job.total) == ("finished", 3)
    assert {k: v for k, v in job.outcomes.items() if v} == {
        "solved": 1, "multiple": 1, "invalid": 1,
    }  # fmt: skip
    runner.run(job_id, 0)
    assert job_of(service, job_id).done == 3


def test_record_with_too_many_large_constraints_does_not_affect_others(
    service: Service, runner: chunk_runner.ChunkRunner
) -> None:
    cells = [f"r{row}c{column}" for row in range(1, 10) for column in range(1, 10)]
    constraints = [
        {"type": "regex", "cells": cells, "pattern": f".*[{n % 8 + 1}9].{{{50 + n // 8}}}.*"}
        for n in range(230)
    ]
    records: list[dict[str, Any]] = [{"puzzle": NINE}] * 20
    records += [{"puzzle": NINE, "constraints": constraints}, *records]
    job_id = upload(service, "\n".join(map(json.dumps, records)))
    runner.run(job_id, 0)
    assert outcomes(service, job_id) == bytes([0] * 20 + [4] + [0] * 20)


def test_chunk_is_continued_after_its_time_slice(settings: Settings) -> None:
    service = connect_service(replace(settings, chunk_seconds=0.0))
    runner = chunk_runner.ChunkRunner(service, worker="here")
    hard = "........8..3...4...9..2..6.....79.......612...6.5.2.7...8...5...1.....2.4.5.....3"
    job_id = upload(service, f"{hard}\n" * 40)
    runs = 0
    while not job_of(service, job_id).state.final:
        runner.run(job_id, 0)
        runs += 1
        assert runs <= 40
    assert outcomes(service, job_id) == bytes(40)
    steps = {
        step
        for _, part in service.results.read(job_id)
        for step in part.integers(part.steps).tolist()
    }
    assert len(steps) == 1
    service.app.close()
    service.redis.close()


@pytest.mark.parametrize(
    ("error", "reason"),
    [(ZeroDivisionError, "report"), (MemoryError, "SUDOKUQ_WORKER_MEMORY_BYTES")],
)
def test_error_in_the_solver_fails_only_one_record(
    service: Service,
    runner: chunk_runner.ChunkRunner,
    monkeypatch: pytest.MonkeyPatch,
    error: type[Exception],
    reason: str,
) -> None:
    real = solving.solve_many

    def breaks(givens: np.ndarray, **options: object) -> object:
        if (givens[:, 1] == 4).any():
            raise error
        return real(givens, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(solve_block, "solve_many", breaks)
    job_id = upload(service, f"{GOOD}\n34{MANY[2:]}\n{MANY}\n")
    runner.run(job_id, 0)
    assert outcomes(service, job_id) == bytes([0, 5, 1])
    (_, failed), *_ = service.results.read(job_id, offset=1, count=1)
    assert reason in failed.details[0]
    assert failed.puzzles.text == "34.............."


def run_in_child(runner: chunk_runner.ChunkRunner, job_id: str) -> int:
    """Run the first chunk of a job in a child process, and return its exit code.

    It is 0, also after an exception, or negative if a signal killed the process.
    """
    child = os.fork()
    if child == 0:
        try:
            runner.run(job_id, 0)
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_record_that_kills_four_processes_fails_alone(
    service: Service, runner: chunk_runner.ChunkRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = solving.solve_many

    def kill_on_the_second_record(givens: np.ndarray, **options: object) -> object:
        if (givens[:, 1] == 4).any():
            os.kill(os.getpid(), signal.SIGKILL)
        return real(givens, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(solve_block, "solve_many", kill_on_the_second_record)
    job_id = upload(service, f"{GOOD}\n34{MANY[2:]}\n{MANY}\n")
    exit_codes = [run_in_child(runner, job_id) for _ in range(5)]
    # Another record may have caused the first crash. After it, records are solved one by one, and
    # the second record fails once it alone has caused three crashes.
    assert exit_codes == [-signal.SIGKILL] * 4 + [0]
    assert outcomes(service, job_id) == bytes([0, 5, 1])


def test_all_solutions_are_stored_on_request(
    service: Service, runner: chunk_runner.ChunkRunner
) -> None:
    job_id = upload(service, f"{GOOD}\n{MANY}\n", limit=100)
    runner.run(job_id, 0)
    ((_, part),) = service.results.read(job_id)
    assert len(part.listed[0]) == 1
    assert len(set(part.listed[1])) == 72


def test_solutions_that_are_only_counted_are_not_stored(
    service: Service, runner: chunk_runner.ChunkRunner
) -> None:
    job_id = upload(service, f"{GOOD}\n{MANY}\n", limit=100, count_only=True)
    runner.run(job_id, 0)
    ((_, part),) = service.results.read(job_id)
    assert part.listed == {}
    assert ChunkResult.integers(part.counts).tolist() == [1, 72]


def test_canonical_forms_are_stored_for_valid_classic_puzzles(
    service: Service, runner: chunk_runner.ChunkRunner
) -> None:
    turned = "".join(NINE[9 * (cell % 9) + cell // 9] for cell in range(81))
    texts = [NINE, turned, "55" + 79 * ".", "nonsense", MANY]
    job_id = upload(service, "".join(f"{text}\n" for text in texts), minlex=True)
    runner.run(job_id, 0)
    ((_, part),) = service.results.read(job_id)
    one, other, *none = part.minlex.split()
    assert one == other
    assert one.count(".") == NINE.count(".")
    assert none == ["", "", ""]
    assert part.slice(1, 3).minlex.split() == [other, ""]


def test_stopping_worker_requeues_a_long_record(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lasts(givens: np.ndarray, *, stop: StopFlag, **_: object) -> Batch:
        wait_until(lambda: stop[0] == ABANDON)
        return solving.solve_many(givens[:0])

    shutdown = ShutdownFlag(grace=0)
    runner = chunk_runner.ChunkRunner(service, worker="here", shutdown=shutdown)
    job_id = upload(service, GOOD)
    shutdown.set()
    for _ in range(5):  # more often than workers may die on a record
        with monkeypatch.context() as patch:
            patch.setattr(solve_block, "solve_many", lasts)
            runner.run(job_id, 0)
    assert job_of(service, job_id).done == 0
    chunk_runner.ChunkRunner(service, worker="here").run(job_id, 0)
    assert outcomes(service, job_id) == bytes([0])


def test_chunk_that_a_live_holder_loses_counts_no_attempt(
    service: Service,
) -> None:
    job_id = upload(service, GOOD)
    begin = service.chunks.acquire
    begin(job_id, 0, holder="slow")
    for _ in range(5):
        assert isinstance(begin(job_id, 0, holder="other", dead="slow"), AcquiredChunk)
        assert service.chunks.requeue(job_id, 0, holder="slow").chunks == ()
        assert service.chunks.requeue(job_id, 0, holder="other").chunks == (0,)
        begin(job_id, 0, holder="slow")
    service.chunks.requeue(job_id, 0, holder="slow")
    work = begin(job_id, 0, holder="me")
    assert isinstance(work, AcquiredChunk)
    assert work.attempts == 1


def test_job_with_lost_or_unreadable_puzzles_fails_with_the_reason(
    service: Service, runner: chunk_runner.ChunkRunner
) -> None:
    def lose(key: str) -> None:
        service.redis.delete(key)

    def spoil(key: str) -> None:
        service.redis.set(key, b"what is this", keepttl=True)

    for harm, words in ((lose, "missing in Redis"), (spoil, "can't be read")):
        job_id = upload(service, f"{GOOD}\n" * 3, per_chunk=1)
        runner.run(job_id, 1)
        runner.run(job_id, 1)  # a second delivery of a finished chunk does no harm
        assert job_of(service, job_id).state == "running"
        harm(JobKeys(job_id).input(2))
        runner.run(job_id, 2)
        job = job_of(service, job_id)
        assert (job.state, job.done) == ("failed", 1)
        assert words in (job.fault or "")
        assert job.ended_at is not None
        runner.run(job_id, 0)
        assert job_of(service, job_id).done == 1
        assert job_id not in service.active_jobs.ids()


def test_block_that_kills_its_worker_during_parsing_fails(
    service: Service, runner: chunk_runner.ChunkRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Death(BaseException):
        pass

    def kills(*_: object) -> None:
        raise Death

    monkeypatch.setattr(chunk_runner, "_parse", kills)
    job_id = upload(service, f"{GOOD}\n{GOOD}\n")
    for _ in range(4):
        with pytest.raises(Death):
            runner.run(job_id, 0)
    runner.run(job_id, 0)
    assert outcomes(service, job_id) == bytes([5, 5])


def test_chunk_that_continues_in_the_same_process_is_parsed_once(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = connect_service(replace(settings, chunk_seconds=0.0))
    runner = chunk_runner.ChunkRunner(service, worker="here")
    real = chunk_runner._parse
    read: list[int] = []

    def counted(work: AcquiredChunk, plan: JobPlan) -> chunk_runner.Solver | None:
        read.append(work.block.line)
        return real(work, plan)

    monkeypatch.setattr(chunk_runner, "_parse", counted)
    job_id = upload(service, HARD * 40)
    turns = 0
    while not job_of(service, job_id).state.final:
        runner.run(job_id, 0)
        turns += 1
    assert turns > 1
    assert len(read) == 1
    assert outcomes(service, job_id) == bytes(40)
    assert not runner._parsed
    service.app.close()
    service.redis.close()


def test_only_some_parsed_chunks_stay_in_memory(settings: Settings) -> None:
    service = connect_service(replace(settings, chunk_seconds=0.0))
    runner = chunk_runner.ChunkRunner(service, worker="here")
    jobs = [upload(service, HARD * 40) for _ in range(chunk_runner._MAX_PARSED + 2)]
    for job_id in jobs:
        runner.run(job_id, 0)
    assert [*runner._parsed] == [(job_id, 0) for job_id in jobs[2:]]
    while not job_of(service, jobs[0]).state.final:
        runner.run(jobs[0], 0)
    assert outcomes(service, jobs[0]) == bytes(40)
    service.app.close()
    service.redis.close()


def test_lease_is_renewed_while_a_block_is_parsed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = connect_service(replace(settings, lease_seconds=0.5))
    runner = chunk_runner.ChunkRunner(service, worker="here")
    real = chunk_runner._parse
    silence: list[float | None] = []

    def slow(work: AcquiredChunk, plan: JobPlan) -> chunk_runner.Solver | None:
        flight = JobKeys(job_id).once["flight"]
        first = service.redis.zscore(flight, "0")
        wait_until(lambda: service.redis.zscore(flight, "0") != first)
        silence.append(first)
        return real(work, plan)

    monkeypatch.setattr(chunk_runner, "_parse", slow)
    job_id = upload(service, GOOD)
    runner.run(job_id, 0)
    assert silence
    assert outcomes(service, job_id) == bytes([0])
    service.app.close()
    service.redis.close()
