"""When chunks are dispatched: quotas, the clients' turns, and the recovery of lost chunks."""

from dataclasses import replace
from typing import Any

import pytest
from jobs import answers, finish, open_job, state

from solver.formats.format import Block
from worker.celery_app import BIG
from worker.job import JobState
from worker.service import Service, connect_service
from worker.settings import Settings
from worker.store import chunks, keys, recovery
from worker.store.chunks import Dispatch
from worker.store.jobs import JobGone
from worker.store.keys import JobKeys


def test_quota_limits_the_chunks_in_flight(service: Service) -> None:
    job_id = open_job(service, chunks=5)
    dispatch = service.chunks.dispatch
    assert dispatch(job_id, quota=2) == Dispatch((0, 1))
    assert dispatch(job_id, quota=2) == Dispatch(())
    service.chunks.acquire(job_id, 0, holder="me")
    service.chunks.commit(job_id, 0, done=0, total=2, result=answers(2))
    assert dispatch(job_id, quota=2) == Dispatch((2,))


def test_only_chunk_waits_for_the_end_of_the_upload_and_is_small_then(service: Service) -> None:
    job_id = open_job(service, chunks=1)
    assert service.chunks.dispatch(job_id, quota=4) == Dispatch(())
    service.jobs.seal(job_id)
    assert service.chunks.dispatch(job_id, quota=4) == Dispatch((0,), small=True)


def test_chunk_with_an_expired_lease_is_dispatched_again(settings: Settings) -> None:
    service = connect_service(replace(settings, lease_seconds=0.0))
    job_id = open_job(service)
    service.chunks.dispatch(job_id, quota=1)
    assert service.recovery.recover(job_id, oldest=0.0) == Dispatch(())
    service.chunks.acquire(job_id, 0, holder="me")
    assert service.recovery.recover(job_id, oldest=0.0) == Dispatch((0,))
    service.redis.close()


def test_upload_without_progress_is_deleted(settings: Settings) -> None:
    service = connect_service(replace(settings, upload_patience=0.0))
    job_id = open_job(service)
    service.dispatcher.recover_lost_chunks()
    assert service.jobs.get(job_id) is None
    with pytest.raises(JobGone):
        service.jobs.add_chunk(job_id, Block(b"x", 1, 1))
    with pytest.raises(JobGone):
        service.jobs.seal(job_id)
    service.redis.close()


def depth(service: Service) -> int:
    return sum(service.dispatcher.queue_depths().values())


def test_waiting_message_is_never_sent_again(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "MESSAGE_TIMEOUT", 0)
    monkeypatch.setattr(recovery, "MAX_SENDING_SECONDS", 1e-5)
    jobs = [open_job(service, chunks=4, client=f"{number}") for number in range(5)]
    for job_id in jobs:
        service.dispatcher.dispatch(job_id)
    assert depth(service) == 20
    for _ in range(5):
        make_due(service)
        service.dispatcher.recover_lost_chunks()
    assert depth(service) == 20
    # Messages older than the oldest waiting one are lost: workers took them but began no chunk.
    service.redis.rpop(BIG, 4)
    make_due(service)
    service.dispatcher.recover_lost_chunks()
    assert depth(service) == 20
    service.redis.delete(BIG)
    monkeypatch.setattr(recovery, "MESSAGE_TIMEOUT_WHEN_EMPTY", 0)
    service.dispatcher.recover_lost_chunks()
    assert depth(service) == 20


def make_due(service: Service) -> None:
    service.redis.zadd(keys.ACTIVE, dict.fromkeys(service.active_jobs.ids(), 0.0))


def test_recovery_checks_few_jobs_however_many_there_are(service: Service) -> None:
    for _ in range(300):
        job_id = open_job(service, chunks=2)
        service.dispatcher.dispatch(job_id)
    for _ in range(5):  # each new job is checked once
        service.dispatcher.recover_lost_chunks()
    before = service.redis.info("stats")["total_commands_processed"]
    for _ in range(10):
        service.dispatcher.recover_lost_chunks()
    after = service.redis.info("stats")["total_commands_processed"]
    assert after - before < 200


def test_job_with_a_lease_is_looked_at_when_that_may_have_run_out(service: Service) -> None:
    job_id = open_job(service)
    service.redis.zadd(keys.ACTIVE, {job_id: 9e9})
    service.chunks.acquire(job_id, 0, holder="me")
    due = service.redis.zscore(keys.ACTIVE, job_id)
    seconds, _ = service.redis.time()
    assert due is not None
    assert seconds <= due <= seconds + service.settings.lease_seconds + 60


@pytest.mark.parametrize("way", ["finished", "sealed last", "cancelled", "deleted", "failed"])
def test_count_of_unfinished_jobs_follows_every_way_to_end(service: Service, way: str) -> None:
    job_id = open_job(service)
    assert service.active_jobs.count("me") == 1
    match way:
        case "finished":
            service.jobs.seal(job_id)
            finish(service, job_id)
        case "sealed last":
            finish(service, job_id)
            service.jobs.seal(job_id)
        case "cancelled":
            service.jobs.cancel(job_id)
        case "deleted":
            service.jobs.delete(job_id)
        case "failed":
            service.chunks.fail(job_id, fault="why")
    assert service.active_jobs.count("me") == 0
    assert job_id not in service.active_jobs.ids()


def test_indexes_last_as_long_as_the_jobs_in_them(service: Service, settings: Settings) -> None:
    open_job(service)
    brief = connect_service(replace(settings, retention=10.0))
    open_job(brief)
    for index in (keys.ACTIVE, keys.client("me")):
        assert service.redis.ttl(index) > 1_000
    brief.redis.close()


def on_their_way(service: Service, jobs: list[str]) -> int:
    return sum(service.redis.zcard(JobKeys(job_id).once["flight"]) for job_id in jobs)


@pytest.mark.parametrize("chunks_each", [1, 5])
def test_quota_of_a_client_does_not_depend_on_its_number_of_jobs(
    service: Service, chunks_each: int
) -> None:
    many = [open_job(service, chunks=chunks_each, client="many") for _ in range(20)]
    few = [open_job(service, chunks=4, client="few")]
    for job_id in many + few:
        service.jobs.seal(job_id)
        service.dispatcher.dispatch(job_id)
    assert on_their_way(service, few) == 4
    # The first job had the whole window, the second one half of it, and so on.
    assert on_their_way(service, many) == (4 if chunks_each == 1 else 4 + 2 + 1 + 1)
    for number, job_id in enumerate(many):  # in order, without a recovery
        assert on_their_way(service, [job_id]) > 0, number
        for chunk in range(chunks_each):
            service.dispatcher.dispatch(job_id)
            service.chunks.acquire(job_id, chunk, holder="me")
            service.chunks.commit(job_id, chunk, done=0, total=2, result=answers(2))
        assert state(service, job_id) is JobState.FINISHED
        service.dispatcher.dispatch_others(job_id)


def test_jobs_that_end_concurrently_all_free_their_quota(service: Service) -> None:
    jobs = [open_job(service, chunks=1) for _ in range(8)]
    for job_id in jobs:
        service.jobs.seal(job_id)
        service.dispatcher.dispatch(job_id)
    for job_id in jobs[:3]:
        finish(service, job_id, chunks=1)
    for job_id in jobs[:3]:
        service.dispatcher.dispatch_others(job_id)
    assert on_their_way(service, jobs[3:]) == 4


def test_job_that_ends_during_its_dispatch_frees_its_quota(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes dispatch the job.

    One sends the chunk, which is done before the other continues.
    """
    job_id = open_job(service, chunks=1)
    service.jobs.seal(job_id)
    service.dispatcher.dispatch(job_id)
    read = service.redis.hmget

    def read_before_it_ends(*arguments: Any) -> Any:
        known = read(*arguments)
        monkeypatch.undo()
        finish(service, job_id, chunks=1)
        return known

    monkeypatch.setattr(service.redis, "hmget", read_before_it_ends)
    service.dispatcher.dispatch(job_id)
    assert state(service, job_id) is JobState.FINISHED
    assert service.redis.zcard(keys.turns("me", small=True)) == 0


def test_small_jobs_of_a_client_do_not_wait_for_its_big_ones(service: Service) -> None:
    big = [open_job(service, chunks=5) for _ in range(20)]
    for job_id in big:
        service.dispatcher.dispatch(job_id)
    small = open_job(service, chunks=1)
    service.jobs.seal(small)
    service.dispatcher.dispatch(small)
    assert on_their_way(service, [small]) == 1


def test_jobs_that_expired_unfinished_use_no_quota(service: Service) -> None:
    for _ in range(10):
        job_id = open_job(service)
        service.dispatcher.dispatch(job_id)
        index = keys.turns("me", small=False)
        service.redis.zadd(index, {job_id: 1.0})
        service.redis.delete(JobKeys(job_id).facts)
    job_id = open_job(service)
    service.dispatcher.dispatch(job_id)
    assert on_their_way(service, [job_id]) == 3
