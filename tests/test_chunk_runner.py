import os
import signal
from dataclasses import replace

import msgspec
import numpy as np
import pytest
from conftest import wait_until
from redis.exceptions import RedisError

from solver import solving
from solver.board.result import Batch
from solver.engines.engine import ABANDON, FINISH, GO_ON, StopFlag
from solver.formats import Splitter, recognise
from solver.formats.format import Block, Recognised
from web.results import rows
from worker.job import ChunkResult, Job, JobOptions
from worker.node import chunk_runner, solve_block
from worker.node import heartbeat as heartbeat_module
from worker.node.heartbeat import Heartbeat
from worker.node.notice import Notice
from worker.node.permits import Permits
from worker.service import Service, connect_service
from worker.settings import Settings
from worker.store.chunks import JobPlan, Work
from worker.store.keys import JobKeys

GOOD = "12.4...2....4..1"
MANY = "1..............."
NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def upload(service: Service, text: str, *, per_chunk: int = 100, **options: int | bool) -> str:
    data = text.encode()
    recognised = recognise(data, final=True)
    assert isinstance(recognised, Recognised)
    job_id = service.store.open_job(
        name="a",
        options=msgspec.convert(options, JobOptions),
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


def test_solutions_that_are_only_counted_are_not_kept(
    service: Service, runner: chunk_runner.ChunkRunner
) -> None:
    job_id = upload(service, f"{GOOD}\n{MANY}\n", limit=100, count_only=True)
    runner.run(job_id, 0)
    ((_, part),) = service.store.results(job_id)
    assert part.listed == {}
    assert ChunkResult.integers(part.counts).tolist() == [1, 72]


def test_canonical_forms_are_kept_of_plain_puzzles_without_conflict(
    service: Service, runner: chunk_runner.ChunkRunner
) -> None:
    turned = "".join(NINE[9 * (cell % 9) + cell // 9] for cell in range(81))
    texts = [NINE, turned, "55" + 79 * ".", "nonsense", MANY]
    job_id = upload(service, "".join(f"{text}\n" for text in texts), minlex=True)
    runner.run(job_id, 0)
    ((_, part),) = service.store.results(job_id)
    one, other, *none = part.minlex.split("\n")
    assert one == other
    assert one.count(".") == NINE.count(".")
    assert none == ["", "", ""]
    assert part.slice(1, 3).minlex == f"{other}\n"


def test_true_candidates_are_counted_in_a_worker(
    service: Service, runner: chunk_runner.ChunkRunner
) -> None:
    job_id = upload(service, f"{GOOD}\n{MANY}\n11..............\n", limit=10, true_candidates=True)
    runner.run(job_id, 0)
    ((_, part),) = service.store.results(job_id)
    one, many = (rows((1, part), limit=10, listed=False)[n].true_candidates for n in (0, 1))
    assert isinstance(one, dict)
    assert isinstance(many, dict)
    solution = part.solutions.split("\n")[0]
    assert [list(values.items()) for values in one.values()] == [[(each, 1)] for each in solution]
    assert many["r1c1"] == {"1": 10}
    assert set(many["r4c4"]) == {"1", "2", "3", "4"}
    assert list(part.true_candidates) == [0, 1]


@pytest.mark.parametrize(("signal", "answered"), [(FINISH, 1), (ABANDON, 0)])
def test_true_candidates_end_with_the_time_of_a_chunk(signal: int, answered: int) -> None:
    """One record is done in any case, but where the job is not wanted any more."""
    text = f"{MANY}\n{MANY}\n"
    recognised = recognise(text.encode(), final=True)
    assert isinstance(recognised, Recognised)
    solver = solve_block.BlockSolver(
        Block(text.encode(), 2, 1),
        format=recognised.format.name,
        context=recognised.context,
        options=JobOptions(true_candidates=True),
    )
    flag = np.full(1, signal, np.uint8)
    assert len(solver.solve(0, 2, flag=flag)) == answered


def test_cancelled_job_stops_a_running_engine(service: Service) -> None:
    job_id = upload(service, GOOD)
    service.chunks.begin(job_id, 0, holder="me")
    with Heartbeat(lambda: service.chunks.renew(job_id, 0, holder="me"), lease=0.1) as heartbeat:
        assert heartbeat.flag[0] == GO_ON
        service.store.cancel(job_id)
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


def test_engine_is_stopped_when_redis_is_silent_for_as_long_as_the_lease() -> None:
    def renew() -> bool:
        raise RedisError

    with Heartbeat(renew, lease=0.2) as heartbeat:
        assert heartbeat.flag[0] == GO_ON
        wait_until(lambda: heartbeat.abandoned)


def test_worker_that_is_told_to_stop_hands_a_long_record_back(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lasts(givens: np.ndarray, *, stop: StopFlag, **_: object) -> Batch:
        wait_until(lambda: stop[0] == ABANDON)
        return solving.solve_many(givens[:0])

    notice = Notice(grace=0)
    runner = chunk_runner.ChunkRunner(service, worker="here", notice=notice)
    job_id = upload(service, GOOD)
    notice.give()
    for _ in range(5):  # more often than workers may die on it
        with monkeypatch.context() as patch:
            patch.setattr(solve_block, "solve_many", lasts)
            runner.run(job_id, 0)
    assert job_of(service, job_id).done == 0
    chunk_runner.ChunkRunner(service, worker="here").run(job_id, 0)
    assert outcomes(service, job_id) == bytes([0])


def test_chunk_whose_lease_went_to_another_while_its_holder_lived_costs_no_try(
    service: Service,
) -> None:
    job_id = upload(service, GOOD)
    begin = service.chunks.begin
    begin(job_id, 0, holder="slow")
    for _ in range(5):
        assert isinstance(begin(job_id, 0, holder="other", dead="slow"), Work)
        assert service.chunks.put_back(job_id, 0, holder="slow").chunks == ()
        assert service.chunks.put_back(job_id, 0, holder="other").chunks == (0,)
        begin(job_id, 0, holder="slow")
    service.chunks.put_back(job_id, 0, holder="slow")
    work = begin(job_id, 0, holder="me")
    assert isinstance(work, Work)
    assert work.tries == 1


def test_job_whose_puzzles_are_lost_or_unreadable_is_failed_and_says_why(
    service: Service, runner: chunk_runner.ChunkRunner
) -> None:
    def lose(key: str) -> None:
        service.redis.delete(key)

    def spoil(key: str) -> None:
        service.redis.set(key, b"what is this", keepttl=True)

    for harm, words in ((lose, "not in Redis"), (spoil, "cannot be read")):
        job_id = upload(service, f"{GOOD}\n" * 3, per_chunk=1)
        runner.run(job_id, 1)
        runner.run(job_id, 1)  # a second delivery of what is done is no loss
        assert job_of(service, job_id).state == "running"
        harm(JobKeys(job_id).input(2))
        runner.run(job_id, 2)
        job = job_of(service, job_id)
        assert (job.state, job.done) == ("failed", 1)
        assert words in (job.fault or "")
        assert job.ended_at is not None
        runner.run(job_id, 0)
        assert job_of(service, job_id).done == 1
        assert job_id not in service.chunks.active_jobs()


def test_block_that_kills_its_worker_while_it_is_read_is_given_up(
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


def test_long_reading_keeps_its_lease(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    service = connect_service(replace(settings, lease_seconds=0.5))
    runner = chunk_runner.ChunkRunner(service, worker="here")
    real = chunk_runner._parse
    silence: list[float | None] = []

    def slow(work: Work, plan: JobPlan) -> solve_block.BlockSolver | None:
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


LETTERS = "AB.D...B....D..A"


def test_time_that_is_over_ends_a_chunk_between_two_groups(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever the flag interrupts, the answers are the first of those that all would be."""
    text = "".join(f"{GOOD}\n{LETTERS}\nxx\n{MANY}\n" for _ in range(50))
    recognised = recognise(f"{GOOD}\n".encode(), final=True)
    assert isinstance(recognised, Recognised)
    solver = solve_block.BlockSolver(
        Block(text.encode(), 200, 1),
        format=recognised.format.name,
        context=recognised.context,
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
    most = 1_000
    whole = solver.solve(0, 200, flag=np.full(1, GO_ON, np.uint8))
    assert len(whole) == 200
    assert calls < 20  # although no two neighbours are of one group
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
        assert f"{part.solutions}\n{rest.solutions}" == whole.solutions


def test_long_record_waits_for_a_permit_and_costs_no_try(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lasts(givens: np.ndarray, *, stop: StopFlag, **_: object) -> Batch:
        wait_until(lambda: stop[0] == ABANDON)
        return solving.solve_many(givens[:0])

    brief = replace(service.settings, chunk_seconds=0.01)
    runner = chunk_runner.ChunkRunner(
        replace(service, settings=brief), worker="here", permits=Permits(0)
    )
    job_id = upload(service, GOOD)
    monkeypatch.setattr(solve_block, "solve_many", lasts)
    runner.run(job_id, 0)
    for _ in range(5):
        monkeypatch.setattr(solve_block, "solve_many", None)  # it is not even begun
        service.redis.hdel(JobKeys(job_id).once["leases"], "0")
        runner.run(job_id, 0)
    monkeypatch.undo()
    service.redis.hdel(JobKeys(job_id).once["leases"], "0")
    chunk_runner.ChunkRunner(service, worker="here").run(job_id, 0)
    assert outcomes(service, job_id) == bytes([0])


def test_permit_belongs_to_one_process_and_comes_back_when_that_dies() -> None:
    permits = Permits(1)
    ready, over = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        os.write(ready[1], b"1" if permits.take() and permits.take() else b"0")
        os.read(over[0], 1)
        os._exit(0)
    assert os.read(ready[0], 1) == b"1"
    assert not permits.take()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert permits.take()
    permits.give_back()


BLANK_25 = "." * 625


def test_long_record_is_set_aside_and_gone_on_with_elsewhere(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat_module, "LONG_SECONDS", 0.02)
    text = f"{BLANK_25}\n"
    whole = upload(service, text, limit=4_000)
    chunk_runner.ChunkRunner(service, worker="here").run(whole, 0)
    brief = replace(service, settings=replace(service.settings, chunk_seconds=0.01))
    job_id = upload(service, text, limit=4_000)
    job = JobKeys(job_id)
    set_aside = 0
    while not job_of(service, job_id).state.final:
        chunk_runner.ChunkRunner(brief, worker="here", permits=Permits(0)).run(job_id, 0)
        set_aside += service.redis.exists(job.standing(0))
        assert service.redis.ttl(job.standing(0)) != -1  # no key without an expiry
        # Whoever has no permit does not begin what is known to be long.
        service.redis.hdel(job.once["leases"], "0")
        service.redis.hdel(job.once["tries"], "long:0")
        service.redis.hdel(job.facts, "long")
    assert set_aside > 0
    assert not service.redis.exists(job.standing(0))
    (_, expected), (_, result) = *service.store.results(whole), *service.store.results(job_id)
    assert result == expected


def test_what_is_answered_before_a_long_record_is_kept(
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
    chunk_runner.ChunkRunner(brief, worker="here", permits=Permits(0)).run(job_id, 0)
    assert job_of(service, job_id).done == 2
    work = service.chunks.begin(job_id, 0, holder="waiting")
    assert isinstance(work, Work)
    assert (work.done, work.long, work.in_vain, work.standing) == (2, True, 1, None)


def test_permit_gives_way_to_others_only_and_only_after_a_while() -> None:
    permits = Permits(1)
    assert permits.last(60)
    assert permits.last(0)  # nobody else wants it
    child = os.fork()
    if child == 0:
        permits._held = None
        os._exit(permits.take())
    assert os.waitpid(child, 0)[1] == 0
    assert permits.last(60)
    assert not permits.last(0)
    permits.give_back()


def test_what_has_to_wait_and_does_not_hear_of_it_is_ended() -> None:
    ended: list[int] = []
    for is_wanted, may_last, expected in ((True, False, 1), (False, True, 1), (True, True, 0)):
        ended.clear()
        with Heartbeat(
            lambda wanted=is_wanted: wanted,  # type: ignore[misc]
            lease=0.3,
            may_last=lambda last=may_last: last,  # type: ignore[misc]
            when_deaf=lambda: ended.append(1),
            deaf_seconds=0.01,
        ) as heartbeat:
            heartbeat.allow(0.01)
            wait_until(lambda: heartbeat.flag[0] == (ABANDON if expected else FINISH))  # noqa: B023
            wait_until(lambda: len(ended) == expected)  # noqa: B023
        assert heartbeat.has_to_wait == (not may_last)
