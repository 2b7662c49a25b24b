"""A deleted job leaves no data, even if others write to it at the same time.

Deleted and expired jobs are counted as ended.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, cast

import pytest
from http_jobs import measures
from jobs import GOOD, answers, finish, open_job, upload
from redis.client import Redis

from solver.board.checkpoint import Checkpoint
from solver.formats.format import Block
from worker.process.chunk_runner import ChunkRunner
from worker.records.explanations import StoredExplanation
from worker.service import Service, connect_service
from worker.settings import Settings
from worker.store import keys
from worker.store.jobs import JobGone
from worker.store.keys import JobKeys

pytestmark = pytest.mark.redis
EXPLANATION = StoredExplanation("hodoku", "solved", b"")
CHECKPOINT = Checkpoint({}, sources="a test")


def left(service: Service, job_id: str) -> list[bytes]:
    """Return the keys of a job, except those that expire within a minute."""
    found = list(service.redis.scan_iter(f"sudokuq:{{{job_id}}}*"))
    return [key for key in found if service.redis.ttl(key) > keys.TAKEN_WITHIN]


def add_chunk(service: Service, job_id: str) -> None:
    service.jobs.add_chunk(job_id, Block(b"x\n", 1, 1))


def commit(service: Service, job_id: str) -> None:
    service.chunks.commit(job_id, 0, done=0, total=2, result=answers(2))


WRITERS: dict[str, Callable[[Service, str], object]] = {
    "an upload": add_chunk,
    "the end of an upload": lambda service, job_id: service.jobs.seal(job_id),
    "a slow upload": lambda service, job_id: service.jobs.touch(job_id),
    "a result": commit,
    "an explanation": lambda service, job_id: service.explanations.keep(job_id, 1, EXPLANATION),
    "images": lambda service, job_id: service.images.replace(job_id, [b"image"]),
    "a lease": lambda service, job_id: service.chunks.acquire(job_id, 1, holder="me"),
    "a heartbeat": lambda service, job_id: service.chunks.renew(job_id, 0, holder="me"),
    "a requeue": lambda service, job_id: service.chunks.requeue(job_id, 0, holder="me"),
    "a checkpoint": lambda service, job_id: service.chunks.defer(
        job_id, 0, holder="me", checkpoint=CHECKPOINT
    ),
    "a failure": lambda service, job_id: service.chunks.fail(job_id, fault="why"),
    "a webhook": lambda service, job_id: service.webhooks.record(job_id, attempts=1),
    "a webhook's redelivery": lambda service, job_id: service.webhooks.request_again(job_id),
    "a cancellation": lambda service, job_id: service.jobs.cancel(job_id),
    "the dispatcher": lambda service, job_id: service.dispatcher.dispatch(job_id),
    "recovery": lambda service, _: service.dispatcher.recover_lost_chunks(),
}


@pytest.fixture
def job_id(service: Service) -> str:
    """Return the id of a job whose first chunk is in progress and whose upload isn't complete."""
    job_id = open_job(service)
    service.dispatcher.dispatch(job_id)
    service.chunks.acquire(job_id, 0, holder="me")
    return job_id


@pytest.mark.parametrize("writer", WRITERS)
def test_nothing_is_written_for_a_deleted_job(writer: str, service: Service, job_id: str) -> None:
    assert service.jobs.delete(job_id)
    with suppress(JobGone):
        WRITERS[writer](service, job_id)
    assert left(service, job_id) == []
    assert service.active_jobs.count("me") == 0
    assert service.active_jobs.count_all() == 0


@pytest.mark.parametrize("writer", WRITERS)
def test_writes_during_the_deletion_of_a_job_leave_nothing(
    writer: str, service: Service, job_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process writes before each command of the deletion."""
    send: Any = Redis.execute_command
    other = connect_service(service.settings)

    def writes_first(redis: Redis, *words: Any, **options: Any) -> Any:
        if redis is service.redis:
            with suppress(JobGone):
                WRITERS[writer](other, job_id)
        return send(redis, *words, **options)

    monkeypatch.setattr(Redis, "execute_command", writes_first)
    service.jobs.delete(job_id)
    monkeypatch.undo()
    assert left(service, job_id) == []
    other.redis.close()


@pytest.mark.parametrize("writer", ["an explanation", "images", "a result", "an upload"])
def test_work_that_started_before_the_deletion_of_a_job_leaves_nothing(
    writer: str, service: Service, job_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job is deleted just before the last command of a writer."""
    send: Any = Redis.execute_command
    sent = 0

    def counted(redis: Redis, *words: Any, **options: Any) -> Any:
        nonlocal sent
        sent += 1
        return send(redis, *words, **options)

    monkeypatch.setattr(Redis, "execute_command", counted)
    WRITERS[writer](service, job_id)
    before_last = sent - 1
    assert before_last >= 0

    def deleted_meanwhile(redis: Redis, *words: Any, **options: Any) -> Any:
        nonlocal sent
        if redis is service.redis and sent == before_last:
            other = connect_service(service.settings)
            other.jobs.delete(again)
            other.redis.close()
        if redis is service.redis:
            sent += 1
        return send(redis, *words, **options)

    again = open_job(service)
    service.chunks.acquire(again, 0, holder="me")
    sent = 0
    monkeypatch.setattr(Redis, "execute_command", deleted_meanwhile)
    with suppress(JobGone):
        WRITERS[writer](service, again)
    monkeypatch.undo()
    assert left(service, again) == []


def test_deletion_with_a_lost_reply_leaves_nothing(
    service: Service, job_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    send: Any = Redis.execute_command

    def twice(redis: Redis, *words: Any, **options: Any) -> Any:
        send(redis, *words, **options)
        return send(redis, *words, **options)

    monkeypatch.setattr(Redis, "execute_command", twice)
    assert service.jobs.delete(job_id)
    monkeypatch.undo()
    assert service.redis.keys(f"sudokuq:{{{job_id}}}*") == []
    assert not service.jobs.delete(job_id)


def test_deletion_removes_all_keys_of_a_job(service: Service, job_id: str) -> None:
    once = JobKeys(job_id).once
    for name in set(once) - {"facts", "deleted"}:
        service.redis.delete(once[name])
        service.redis.set(once[name], "x", ex=1_000)
    service.jobs.delete(job_id)
    assert service.redis.keys(f"sudokuq:{{{job_id}}}*") == []


def test_every_end_of_a_job_is_counted(http: Any, settings: Settings) -> None:
    service = connect_service(replace(settings, upload_patience=1.0))
    runner = ChunkRunner(service, worker="here")
    done = upload(service, GOOD)
    runner.run(done, 0)
    service.jobs.delete(done)
    service.jobs.delete(upload(service, GOOD))
    service.jobs.delete("never")
    silent = open_job(service)
    expired = open_job(service)
    service.redis.hincrbyfloat(JobKeys(silent).facts, "touched_at", -60)
    service.redis.delete(JobKeys(expired).facts)
    service.dispatcher.recover_lost_chunks()
    seen = measures(http)
    ends = {"opened": 4, "finished": 1, "deleted": 2, "broken": 1, "expired": 1, "cancelled": 0}
    assert {event: seen[f"sudokuq_jobs_total {event}"] for event in ends} == ends
    assert seen["sudokuq_active_jobs"] == 0
    service.redis.close()


def test_expired_jobs_do_not_count_as_unfinished_even_without_a_recovery(
    settings: Settings,
) -> None:
    brief = connect_service(replace(settings, retention=1.0))
    long = connect_service(settings)
    open_job(long)
    for _ in range(3):
        open_job(brief)
    for job in cast("list[bytes]", long.redis.zrange(keys.UNFINISHED, 0, 2)):
        long.redis.zincrby(keys.UNFINISHED, -2, job)  # as if two seconds had passed
    assert long.active_jobs.count_all() == 1
    finish(long, open_job(long))
    assert long.active_jobs.count_all() == 2
    for each in (brief, long):
        each.redis.close()
