import os

import numpy as np
import pytest

from solver import solving
from solver.engines.engine import ABANDON, FINISH, GO_ON
from solver.formats import Splitter, recognise
from solver.formats.format import Recognised
from worker.job import Job, JobOptions
from worker.node import chunk_runner, solve_block
from worker.node.heartbeat import Heartbeat
from worker.service import Service
from worker.settings import Settings

GOOD = "12.4...2....4..1"
MANY = "1..............."


def upload(service: Service, text: str, *, per_chunk: int = 100, limit: int = 2) -> str:
    data = text.encode()
    recognised = recognise(data, final=True)
    assert isinstance(recognised, Recognised)
    job_id = service.store.open_job(
        name="a",
        options=JobOptions(limit=limit),
        format=recognised.format.name,
        context=recognised.context,
        client="me",
    )
    splitter = Splitter(recognised, max_records=per_chunk)
    for block in (*splitter.feed(data), *splitter.close()):
        service.store.add_chunk(job_id, block)
    service.store.seal(job_id)
    return job_id


def job_of(service: Service, job_id: str) -> Job:
    job = service.store.job(job_id)
    assert job is not None
    return job


def outcomes(service: Service, job_id: str) -> bytes:
    return b"".join(part.outcomes for _, part in service.store.results(job_id))


@pytest.fixture
def runner(service: Service) -> chunk_runner.ChunkRunner:
    return chunk_runner.ChunkRunner(service, worker="here")


def test_chunk_is_solved_and_its_input_dropped(
    service: Service, runner: chunk_runner.ChunkRunner
) -> None:
    job_id = upload(service, f"{GOOD}\n{MANY}\n12\n")
    runner.run(job_id, 0)
    job = job_of(service, job_id)
    assert (job.state, job.total) == ("finished", 3)
    assert {k: v for k, v in job.outcomes.items() if v} == {
        "solved": 1, "multiple": 1, "invalid": 1,
    }  # fmt: skip
    assert service.redis.keys("*:in:*") == []
    runner.run(job_id, 0)
    assert job_of(service, job_id).done == 3


def test_chunk_beyond_its_time_is_continued_later(settings: Settings) -> None:
    from dataclasses import replace

    from worker.service import connect_service

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
        for _, part in service.store.results(job_id)
        for step in part.integers(part.steps).tolist()
    }
    assert len(steps) == 1
    service.app.close()
    service.redis.close()


def test_error_in_the_solver_costs_one_record(
    service: Service, runner: chunk_runner.ChunkRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = solving.solve_many

    def breaks(givens: np.ndarray, **options: object) -> object:
        if (givens[:, 1] == 4).any():
            raise ZeroDivisionError
        return real(givens, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(solve_block, "solve_many", breaks)
    job_id = upload(service, f"{GOOD}\n34{MANY[2:]}\n{MANY}\n")
    runner.run(job_id, 0)
    assert outcomes(service, job_id) == bytes([0, 5, 1])
    (_, failed), *_ = service.store.results(job_id, offset=1, count=1)
    assert "report" in failed.details[0]
    assert failed.puzzles == "34.............."


def test_record_that_kills_its_worker_is_given_up_after_three_deaths(
    service: Service, runner: chunk_runner.ChunkRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = solving.solve_many
    deaths = 0

    class Death(BaseException):
        pass

    def kills(givens: np.ndarray, **options: object) -> object:
        nonlocal deaths
        if (givens[:, 1] == 4).any():
            deaths += 1
            raise Death
        return real(givens, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(solve_block, "solve_many", kills)
    monkeypatch.setattr(chunk_runner, "_is_dead", lambda _: True)
    job_id = upload(service, f"{GOOD}\n34{MANY[2:]}\n{MANY}\n")
    for life in range(10):
        monkeypatch.setattr(os, "getpid", lambda life=life: 1_000_000 + life)
        try:
            runner.run(job_id, 0)
        except Death:
            continue
        break
    # One death may have been another record's; then three on this one alone.
    assert deaths == 4
    assert outcomes(service, job_id) == bytes([0, 5, 1])


def test_all_solutions_are_kept_where_they_are_asked_for(
    service: Service, runner: chunk_runner.ChunkRunner
) -> None:
    job_id = upload(service, f"{GOOD}\n{MANY}\n", limit=100)
    runner.run(job_id, 0)
    ((_, part),) = service.store.results(job_id)
    assert len(part.listed[0]) == 1
    assert len(set(part.listed[1])) == 72


def test_cancelled_job_stops_a_running_engine(service: Service) -> None:
    job_id = upload(service, GOOD)
    service.chunks.begin(job_id, 0, holder="me")
    with Heartbeat(
        lambda: service.chunks.renew(job_id, 0, holder="me"), budget=60, interval=0.01
    ) as heartbeat:
        assert heartbeat.flag[0] == GO_ON
        service.store.cancel(job_id)
        from conftest import wait_until

        wait_until(lambda: heartbeat.flag[0] == ABANDON)
    assert heartbeat.lost


def test_budget_raises_the_flag_and_keeps_the_lease() -> None:
    from conftest import wait_until

    renewals: list[int] = []

    def renew() -> bool:
        renewals.append(1)
        return True

    with Heartbeat(renew, budget=0.01, interval=0.01) as heartbeat:
        wait_until(lambda: heartbeat.flag[0] == FINISH and len(renewals) > 2)
    assert not heartbeat.lost
