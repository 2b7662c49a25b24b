"""Leases and attempts survive lost Redis replies and a clock that is set back."""

import os
import socket
from typing import Any, cast

import pytest
from jobs import GOOD, job_of, open_job, outcomes, upload
from redis.client import Redis
from redis.exceptions import ConnectionError as ConnectionLost
from services import wait_until

from worker.process import chunk_runner
from worker.process.solve_block import BlockSolver
from worker.service import Service
from worker.store import keys
from worker.store.chunks import AcquiredChunk, Busy, Dispatch
from worker.store.keys import JobKeys
from worker.store.live_workers import WorkerInfo
from worker.store.schema import SCHEMA

pytestmark = pytest.mark.redis
HOUR = 3_600.0

_SEND: Any = Redis.execute_command


def sent_twice(redis: Redis, *words: Any, **options: Any) -> Any:
    """Send a command twice, as the client does if the first reply is lost.

    Returns the second reply.
    """
    _SEND(redis, *words, **options)
    return _SEND(redis, *words, **options)


def begun(service: Service, job_id: str, *, holder: str, dead: str = "") -> AcquiredChunk:
    work = service.chunks.acquire(job_id, 0, holder=holder, dead=dead)
    assert isinstance(work, AcquiredChunk)
    return work


def set_back(service: Service, job_id: str) -> None:
    """Shift all times of a job as if the clock had been set back by an hour."""
    redis, job = service.redis, JobKeys(job_id)
    for index in (job.once["flight"], keys.ACTIVE, keys.WORKERS):
        for name in cast("list[bytes]", redis.zrange(index, 0, -1)):
            redis.zincrby(index, HOUR, name)
    for field in ("created_at", "touched_at"):
        if redis.hexists(job.facts, field):
            redis.hincrbyfloat(job.facts, field, HOUR)
    redis.pexpire(keys.recovery_lock(SCHEMA), int(HOUR * 1000))


def test_acquiring_a_chunk_twice_counts_one_attempt(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = open_job(service, chunks=1)
    monkeypatch.setattr(Redis, "execute_command", sent_twice)
    for _ in range(5):
        assert begun(service, job_id, holder="me").attempts == 1
    monkeypatch.undo()
    work = begun(service, job_id, holder="you", dead="me")
    assert (work.attempts, work.one_by_one) == (2, True)


def test_repeatedly_lost_replies_to_acquire_fail_no_record(
    service: Service, runner: chunk_runner.ChunkRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(redis: Redis, *words: Any, **options: Any) -> Any:
        answer = sent_twice(redis, *words, **options)
        if isinstance(answer, list) and answer[:1] == [b"acquired"]:
            raise ConnectionLost
        return answer

    job_id = upload(service, GOOD)
    monkeypatch.setattr(Redis, "execute_command", lost)
    for _ in range(6):
        runner.run(job_id, 0)
    monkeypatch.undo()
    runner.run(job_id, 0)
    assert outcomes(service, job_id) == bytes([0])


def test_chunk_requeued_twice_after_a_lost_reply_counts_no_attempt(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = open_job(service, chunks=1)
    begun(service, job_id, holder="died")
    begun(service, job_id, holder="me", dead="died")
    monkeypatch.setattr(Redis, "execute_command", sent_twice)
    assert service.chunks.requeue(job_id, 0, holder="me") == Dispatch((0,))
    monkeypatch.undo()
    # the first holder's attempt counts because it died
    assert begun(service, job_id, holder="me").attempts == 2


def test_requeueing_a_chunk_that_was_not_acquired_still_counts_deaths(service: Service) -> None:
    job_id = open_job(service, chunks=1)
    begun(service, job_id, holder="died")
    begun(service, job_id, holder="died-too", dead="died")
    service.chunks.requeue(job_id, 0, holder="never-began")
    assert begun(service, job_id, holder="me", dead="died-too").attempts == 3


def test_chunk_deferred_twice_after_a_lost_reply_is_deferred_once(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = open_job(service, chunks=1)
    service.redis.zadd(keys.ACTIVE, {job_id: 1e12})
    begun(service, job_id, holder="me")
    monkeypatch.setattr(Redis, "execute_command", sent_twice)
    service.chunks.defer(job_id, 0, holder="me", slow=False)
    monkeypatch.undo()
    due = service.redis.zscore(keys.ACTIVE, job_id)
    assert due == service.redis.zscore(JobKeys(job_id).once["flight"], "0")
    assert begun(service, job_id, holder="you", dead="waiting").attempts == 1


def test_process_that_dies_under_a_reused_pid_counts_as_a_death(
    service: Service, runner: chunk_runner.ChunkRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Death(BaseException):
        pass

    def kills(*_: object, **__: object) -> None:
        raise Death

    job_id = upload(service, GOOD)
    with monkeypatch.context() as patch:
        patch.setattr(BlockSolver, "solve", kills)
        for _ in range(3):  # each process has the same pid on the same host
            with pytest.raises(Death):
                runner.run(job_id, 0)
    assert isinstance(service.chunks.acquire(job_id, 0, holder="x"), Busy)
    runner.run(job_id, 0)
    assert outcomes(service, job_id) == bytes([5])


@pytest.mark.parametrize(
    "holder",
    [f"{socket.gethostname()}:1:ab", f"elsewhere:{os.getpid()}:ab", "waiting"],
    ids=["this machine", "another machine", "waiting"],
)
def test_lease_of_a_process_that_may_be_alive_is_respected(
    holder: str, service: Service, runner: chunk_runner.ChunkRunner
) -> None:
    job_id = upload(service, GOOD)
    service.chunks.acquire(job_id, 0, holder=holder)
    runner.run(job_id, 0)
    assert outcomes(service, job_id) == b""
    assert service.chunks.renew(job_id, 0, holder=holder)


@pytest.mark.parametrize("notice", ["recovery", "begin"])
def test_lease_of_a_dead_worker_expires_in_time_after_the_clock_is_set_back(
    notice: str, service: Service
) -> None:
    job_id = open_job(service, chunks=1)
    service.jobs.seal(job_id)
    service.dispatcher.dispatch(job_id)
    begun(service, job_id, holder="dead")
    set_back(service, job_id)
    if notice == "recovery":
        assert service.recovery.due_jobs(early=False) == [job_id]
        service.dispatcher.recover_lost_chunks()
    else:
        assert service.chunks.acquire(job_id, 0, holder="me") == Busy("dead")
    seconds, microseconds = service.redis.time()
    now = seconds + microseconds / 1e6
    flight = JobKeys(job_id).once["flight"]
    ends = service.redis.zscore(flight, "0")
    assert ends is not None
    assert ends <= now + service.settings.lease_seconds
    service.redis.zadd(flight, {"0": now - 1})  # as if the lease had expired
    assert begun(service, job_id, holder="me").attempts == 2


def test_lost_message_is_sent_again_after_the_clock_is_set_back(
    service: Service,
) -> None:
    job_id = open_job(service, chunks=1)
    service.jobs.seal(job_id)
    service.chunks.dispatch(job_id, quota=4)  # the process dies before it sends the chunk
    set_back(service, job_id)
    service.dispatcher.recover_lost_chunks()
    flight = JobKeys(job_id).once["flight"]
    counts_as_lost = service.redis.zscore(flight, "0")
    seconds, _ = service.redis.time()
    assert counts_as_lost is not None
    assert counts_as_lost < seconds + 62
    assert job_of(service, job_id).state == "queued"


def is_recovery_due(service: Service) -> bool:
    return service.recovery.acquire_turn(seconds=0.05)


def test_setting_the_clock_back_neither_stops_recovery_nor_keeps_dead_workers_listed(
    service: Service,
) -> None:
    job_id = open_job(service, chunks=1)
    service.registry.beat(WorkerInfo(name="dead", slots=2, started_at=1.0))
    assert is_recovery_due(service)
    assert service.registry.slots() == 2
    set_back(service, job_id)
    wait_until(lambda: is_recovery_due(service), seconds=5)
    assert service.registry.slots() == 0
