"""Slow records: their time limits, their slots, and how they are suspended and resumed."""

import json
import os
import signal
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest
from jobs import GOOD, MANY, job_of, outcomes, upload
from redis.exceptions import RedisError
from services import wait_until

from solver import solving
from solver.board.result import Batch
from solver.engines.engine import ABANDON, FINISH, GO_ON, StopFlag
from solver.formats import recognize
from solver.formats.format import Block, Recognized
from worker.job import JobOptions
from worker.process import chunk_runner, solve_block
from worker.process import heartbeat as heartbeat_module
from worker.process.heartbeat import Heartbeat
from worker.process.slots import Slots
from worker.service import Service
from worker.store.chunks import AcquiredChunk
from worker.store.keys import JobKeys


def test_cancelled_job_stops_a_running_engine(service: Service) -> None:
    job_id = upload(service, GOOD)
    service.chunks.acquire(job_id, 0, holder="me")
    with Heartbeat(lambda: service.chunks.renew(job_id, 0, holder="me"), lease=0.1) as heartbeat:
        assert heartbeat.flag[0] == GO_ON
        service.jobs.cancel(job_id)
        wait_until(lambda: heartbeat.abandoned)


def test_budget_raises_the_flag_and_keeps_the_lease() -> None:
    renewals: list[int] = []

    def renew() -> bool:
        renewals.append(1)
        return True

    with Heartbeat(renew, lease=0.1) as heartbeat:
        wait_until(lambda: len(renewals) > 2)
        assert heartbeat.flag[0] == GO_ON
        heartbeat.allow(0.01)
        wait_until(lambda: heartbeat.flag[0] == FINISH)
    assert not heartbeat.abandoned


def test_engine_stops_when_redis_is_unavailable_for_the_length_of_the_lease() -> None:
    def renew() -> bool:
        raise RedisError

    with Heartbeat(renew, lease=0.2) as heartbeat:
        assert heartbeat.flag[0] == GO_ON
        wait_until(lambda: heartbeat.abandoned)


LETTERS = "AB.D...B....D..A"


@pytest.mark.parametrize(
    ("text", "options", "lost"),
    [(f"{GOOD}\n{LETTERS}\n", {}, 4), (f"{GOOD}\n{GOOD}\n", {"true_candidates": True}, 3)],
    ids=["two alternating groups", "candidates after solutions"],
)
def test_little_work_is_lost_at_the_end_of_a_time_slice(
    text: str, options: dict[str, Any], lost: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Puzzles take 10 ms and the chunk has 0.3 s, so about 30 are solved, and few in vain."""
    clock, solved = 0.0, 0

    def takes_long(givens: np.ndarray, *, stop: StopFlag, **options: object) -> Batch:
        nonlocal clock, solved
        batch = solving.solve_many(givens, stop=stop, **options)  # type: ignore[arg-type]
        clock += 0.01 * len(batch)
        solved += len(batch)
        if clock > 0.3:
            stop[0] = FINISH
        return batch

    monkeypatch.setattr(solve_block, "solve_many", takes_long)
    monkeypatch.setattr(solve_block, "time", SimpleNamespace(monotonic=lambda: clock))
    recognized = recognize(f"{GOOD}\n".encode(), final=True)
    assert isinstance(recognized, Recognized)
    solver = solve_block.parse_block(
        Block((text * 100).encode(), 200, 1),
        format=recognized.format.name,
        context=recognized.context,
        options=JobOptions(**options),
    )
    result = solver.solve(0, 200, flag=np.full(1, GO_ON, np.uint8))
    assert 20 < len(result) <= solved <= len(result) + lost


def test_interrupted_chunk_has_a_prefix_of_the_complete_results(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Wherever the flag interrupts the chunk, the results are a prefix of the complete results."""
    text = "".join(f"{GOOD}\n{LETTERS}\nxx\n{MANY}\n" for _ in range(50))
    recognized = recognize(f"{GOOD}\n".encode(), final=True)
    assert isinstance(recognized, Recognized)
    solver = solve_block.parse_block(
        Block(text.encode(), 200, 1),
        format=recognized.format.name,
        context=recognized.context,
        options=JobOptions(),
    )
    real, calls = solving.solve_many, 0

    def counts(givens: np.ndarray, *, stop: StopFlag, **options: object) -> Batch:
        nonlocal calls
        assert stop[0] == GO_ON or calls == 0
        calls += 1
        if calls == most:
            stop[0] = FINISH
        return real(givens, stop=stop, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(solve_block, "solve_many", counts)
    # no time limit per stretch, so that a busy machine makes no difference
    monkeypatch.setattr(solve_block, "_STRETCH_SECONDS", float("inf"))
    most = 1_000
    whole = solver.solve(0, 200, flag=np.full(1, GO_ON, np.uint8))
    assert len(whole) == 200
    assert calls < 20  # although adjacent records always belong to different groups
    for most in range(calls):
        calls = 0
        flag = np.full(1, FINISH if most == 0 else GO_ON, np.uint8)
        part = solver.solve(0, 200, flag=flag)
        assert 0 < len(part) < 200
        wanted = whole.slice(0, len(part))
        assert msgspec.structs.replace(part, kinds=()) == msgspec.structs.replace(wanted, kinds=())
        assert part.kinds == whole.kinds[: len(part.kinds)]
        rest = solver.solve(len(part), 200, flag=np.full(1, GO_ON, np.uint8))
        assert part.outcomes + rest.outcomes == whole.outcomes
        assert [*part.solutions.split(), *rest.solutions.split()] == whole.solutions.split()


def test_long_record_waits_for_a_slot_without_counting_an_attempt(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lasts(givens: np.ndarray, *, stop: StopFlag, **_: object) -> Batch:
        wait_until(lambda: stop[0] == ABANDON)
        return solving.solve_many(givens[:0])

    brief = replace(service.settings, chunk_seconds=0.01)
    runner = chunk_runner.ChunkRunner(
        replace(service, settings=brief), worker="here", slots=Slots(0)
    )
    job_id = upload(service, GOOD)
    monkeypatch.setattr(solve_block, "solve_many", lasts)
    runner.run(job_id, 0)
    for _ in range(5):
        monkeypatch.setattr(solve_block, "solve_many", None)  # solving isn't even attempted
        service.redis.hdel(JobKeys(job_id).once["leases"], "0")
        runner.run(job_id, 0)
    monkeypatch.undo()
    service.redis.hdel(JobKeys(job_id).once["leases"], "0")
    chunk_runner.ChunkRunner(service, worker="here").run(job_id, 0)
    assert outcomes(service, job_id) == bytes([0])


def test_slot_belongs_to_one_process_and_is_released_when_it_dies() -> None:
    slots = Slots(1)
    ready, over = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        os.write(ready[1], b"1" if slots.acquire() and slots.acquire() else b"0")
        os.read(over[0], 1)
        os._exit(0)
    assert os.read(ready[0], 1) == b"1"
    assert not slots.acquire()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert slots.acquire()
    slots.release()


BLANK_25 = "." * 625


# Rated 10.5. Both solving orders take about a second.
ESCARGOT = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
LINES = json.dumps(
    {
        "puzzle": ESCARGOT,
        "constraints": [
            {"type": "thermo", "cells": ["r1c1", "r1c2"]},
            *({"type": "different", "cells": [f"r{row}c1", f"r{row}c9"]} for row in range(1, 10)),
        ],
    }
)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (BLANK_25, {"limit": 4_000}),
        (ESCARGOT, {"rate": True}),
        (ESCARGOT, {"explain": True, "rate": True}),
        ("." * 36, {"true_candidates": True, "limit": 300}),
        (LINES, {"reduce": True}),
    ],
    ids=["search", "rating", "explanation", "true candidates", "minimality"],
)
def test_suspended_record_is_resumed_elsewhere_with_the_same_result(
    service: Service, monkeypatch: pytest.MonkeyPatch, text: str, options: dict[str, Any]
) -> None:
    seconds = 0.002
    whole = upload(service, text, **options)
    chunk_runner.ChunkRunner(service, worker="here").run(whole, 0)
    brief = replace(service, settings=replace(service.settings, chunk_seconds=0.001))
    job_id = upload(service, text, **options)
    job = JobKeys(job_id)
    checkpoints = 0
    while not job_of(service, job_id).state.final:
        seconds *= 1.2  # a single deduction may take longer than the first time slice
        monkeypatch.setattr(heartbeat_module, "SLOW_SECONDS", seconds)
        chunk_runner.ChunkRunner(brief, worker="here", slots=Slots(0)).run(job_id, 0)
        checkpoints += service.redis.exists(job.checkpoint(0))
        assert service.redis.ttl(job.checkpoint(0)) != -1  # every key has an expiry
        # A worker without a free slot doesn't start a record that is known to be slow.
        service.redis.hdel(job.once["leases"], "0")
        service.redis.hdel(job.once["tries"], "long:0")
        service.redis.hdel(job.facts, "long")
    assert checkpoints > 0
    assert not service.redis.exists(job.checkpoint(0))
    (_, expected), (_, result) = *service.results.read(whole), *service.results.read(job_id)
    assert result == expected


def test_results_before_a_long_record_are_kept(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = solving.solve_many

    def lasts(givens: np.ndarray, *, stop: StopFlag, **options: object) -> Batch:
        many = np.flatnonzero(givens[:, 1] == 0)
        if not len(many):
            return real(givens, stop=stop, **options)  # type: ignore[arg-type]
        wait_until(lambda: stop[0] == ABANDON)
        return real(givens[: many[0]], **options)  # type: ignore[arg-type]

    monkeypatch.setattr(solve_block, "solve_many", lasts)
    brief = replace(service, settings=replace(service.settings, chunk_seconds=0.01))
    job_id = upload(service, f"{GOOD}\n{GOOD}\n{MANY}\n")
    chunk_runner.ChunkRunner(brief, worker="here", slots=Slots(0)).run(job_id, 0)
    assert job_of(service, job_id).done == 2
    work = service.chunks.acquire(job_id, 0, holder="waiting")
    assert isinstance(work, AcquiredChunk)
    assert (work.done, work.slow, work.restarts, work.checkpoint) == (2, True, 1, None)


def test_slot_is_yielded_only_to_waiting_processes_and_only_after_a_while() -> None:
    slots = Slots(1)
    assert slots.may_hold(60)
    assert slots.may_hold(0)  # no other process is waiting for the slot
    child = os.fork()
    if child == 0:
        slots._held = None
        os._exit(slots.acquire())
    assert os.waitpid(child, 0)[1] == 0
    assert slots.may_hold(60)
    assert not slots.may_hold(0)
    slots.release()


def test_process_that_ignores_its_stop_flag_is_ended() -> None:
    ended: list[int] = []
    for is_wanted, may_continue, expected in ((True, False, 1), (False, True, 1), (True, True, 0)):
        ended.clear()
        with Heartbeat(
            lambda wanted=is_wanted: wanted,  # type: ignore[misc]
            lease=0.3,
            may_continue=lambda last=may_continue: last,  # type: ignore[misc]
            on_unresponsive=lambda: ended.append(1),
            unresponsive_seconds=0.01,
        ) as heartbeat:
            heartbeat.allow(0.01)
            wait_until(lambda: heartbeat.flag[0] == (ABANDON if expected else FINISH))  # noqa: B023
            wait_until(lambda: len(ended) == expected)  # noqa: B023
        assert heartbeat.must_wait == (not may_continue)
