"""Explanations that clients request with GET: at most a few per client at the same time.

Those that were cut are continued, and abandoned requests aren't computed. Requests that wait don't
affect the dispatch of chunks.
"""

import threading
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient
from jobs import GOOD, upload
from services import wait_until

from solver.logic.deduction import split
from solver.preparing import Code
from worker.celery_app import EXPLAIN, EXPLAIN_RECORD, SMALL
from worker.process import celery_worker
from worker.process.chunk_runner import ChunkRunner
from worker.process.compilation import Compilation
from worker.process.explain_record import explain_record
from worker.process.shutdown_flag import ShutdownFlag
from worker.process.watchdog import Watchdog
from worker.records.explanations import StoredExplanation
from worker.service import Service
from worker.store import keys
from worker.store.chunks import Dispatch
from worker.store.explanations import Claim
from worker.store.keys import JobKeys

pytestmark = pytest.mark.redis
ANOTHER = {"REMOTE_ADDR": "203.0.113.9"}
EXPLANATION = StoredExplanation("hodoku", "solved", b"")


@pytest.fixture
def job_id(service: Service, runner: ChunkRunner) -> str:
    """Return the id of a finished job with 40 puzzles."""
    job_id = upload(service, f"{GOOD}\n" * 40)
    runner.run(job_id, 0)
    return job_id


def look(http: FlaskClient, job_id: str, number: int, **environ: Any) -> Any:
    return http.get(f"/api/v1/jobs/{job_id}/puzzles/{number}?wait=0", environ_overrides=environ)


def shown(http: FlaskClient, job_id: str) -> tuple[str, int]:
    """Return the ending and the number of steps of the explanation of a job's first record."""
    explanation = look(http, job_id, 1).json["explanation"]
    return explanation["ending"], len(explanation["deductions"])


def requested(service: Service) -> int:
    return service.dispatcher.queue_depths()[EXPLAIN]


def test_client_that_looks_at_many_results_has_a_few_explanations_under_way(
    http: FlaskClient, service: Service, job_id: str
) -> None:
    for number in range(1, 41):
        answer = look(http, job_id, number)
        assert (answer.status_code, answer.json["explanation"]) == (200, None)
        assert answer.headers["Retry-After"]
    assert requested(service) == service.settings.max_explanations_per_client
    assert service.dispatcher.queue_depths()[SMALL] == 0
    look(http, job_id, 30, **ANOTHER)
    assert requested(service) == service.settings.max_explanations_per_client + 1


def test_explanation_that_is_done_makes_room_for_the_next(
    http: FlaskClient, service: Service, job_id: str
) -> None:
    most = service.settings.max_explanations_per_client
    for number in range(1, 11):
        look(http, job_id, number)
    service.explanations.keep(job_id, 1, EXPLANATION)
    look(http, job_id, most + 1)
    look(http, job_id, most + 2)
    assert requested(service) == most + 1


def test_waiting_request_gets_the_next_free_slot(
    http: FlaskClient, service: Service, job_id: str
) -> None:
    most = service.settings.max_explanations_per_client
    for number in range(1, most + 1):
        look(http, job_id, number)
    path = f"/api/v1/jobs/{job_id}/puzzles/{most + 1}?wait=30"
    waiting = threading.Thread(target=http.get, args=(path,))
    waiting.start()
    service.explanations.keep(job_id, 1, EXPLANATION)
    wait_until(lambda: requested(service) == most + 1)
    service.explanations.keep(job_id, most + 1, EXPLANATION)
    waiting.join(30)
    assert not waiting.is_alive()


def test_record_that_two_clients_look_at_is_requested_once_and_counts_for_the_first(
    service: Service, job_id: str
) -> None:
    claim = service.explanations.claim
    assert claim(job_id, 1, client="one", most=1) is Claim.MINE
    assert claim(job_id, 1, client="one", most=1) is Claim.REQUESTED
    assert claim(job_id, 1, client="two", most=1) is Claim.REQUESTED
    assert claim(job_id, 2, client="one", most=1) is Claim.TOO_MANY
    assert claim(job_id, 2, client="two", most=1) is Claim.MINE


@pytest.mark.parametrize("seconds", [-60, 3_600])
def test_request_that_no_worker_answered_may_be_made_again(
    seconds: float, service: Service, job_id: str
) -> None:
    """This also holds if the clock has been set back since the request."""
    claim = service.explanations.claim
    assert claim(job_id, 1, client="one", most=1) is Claim.MINE
    service.redis.zincrby(keys.explaining("one"), seconds, f"{job_id}:1")
    service.redis.delete(JobKeys(job_id).asked("1"))
    assert claim(job_id, 2, client="one", most=1) is Claim.MINE


def test_requests_leave_nothing_that_does_not_expire(service: Service, job_id: str) -> None:
    service.explanations.claim(job_id, 1, client="one", most=1)
    ours = list(service.redis.scan_iter("sudokuq:*"))
    assert [key for key in ours if service.redis.ttl(key) < 0] == []
    service.explanations.keep(job_id, 1, EXPLANATION)
    assert not service.redis.exists(keys.explaining("one"), JobKeys(job_id).asked("1"))


def test_explanation_that_was_cut_is_continued_when_it_is_requested_a_minute_later(
    http: FlaskClient, service: Service, job_id: str
) -> None:
    explain_record(service, job_id, 2)  # the same puzzle
    whole = service.explanations.explanation(job_id, 2)
    assert whole is not None
    first, second, *others = split(np.frombuffer(whole.rows, "<i2"))
    exchanged = second.tobytes() + first.tobytes()
    service.explanations.keep(job_id, 1, StoredExplanation("hodoku", "cut", exchanged))
    assert shown(http, job_id) == ("cut", 2)
    assert requested(service) == 0
    key = JobKeys(job_id).cut(1)
    assert 0 < service.redis.ttl(key) <= 60
    service.redis.delete(key)  # as after its minute
    assert shown(http, job_id) == ("cut", 2)
    assert requested(service) == 1
    explain_record(service, job_id, 1)
    assert shown(http, job_id) == ("solved", 2 + len(others))
    stored = service.explanations.explanation(job_id, 1)
    assert stored is not None
    assert stored.rows.startswith(exchanged)


def test_explanation_that_waits_is_as_old_as_it_is(
    http: FlaskClient, service: Service, job_id: str
) -> None:
    look(http, job_id, 1)
    assert requested(service) == 1
    assert 0 <= service.dispatcher.oldest_wait() < 60


def test_chunks_that_wait_are_not_sent_again_because_an_explanation_waits(
    http: FlaskClient, service: Service, job_id: str
) -> None:
    look(http, job_id, 1)
    other = upload(service, GOOD)
    service.dispatcher.dispatch(other)
    flight = JobKeys(other).once["flight"]
    service.redis.zincrby(flight, -30, "0")  # overdue even if all queues were empty
    service.redis.zadd(keys.ACTIVE, {other: 1})
    service.dispatcher.recover_lost_chunks()
    assert service.dispatcher.queue_depths()[SMALL] == 1


def test_message_without_its_time_neither_alarms_nor_has_others_sent_again(
    service: Service,
) -> None:
    job_id = upload(service, GOOD)
    service.dispatcher.dispatch(job_id)
    service.redis.delete(SMALL)
    service.app.send_task("sudokuq.solve_chunk", args=["gone", 0], queue=SMALL)
    assert service.dispatcher.oldest_wait() == 0
    service.redis.zincrby(JobKeys(job_id).once["flight"], -30, "0")
    assert service.recovery.recover(job_id, oldest=0.0) == Dispatch(small=True)


def test_abandoned_explanation_request_is_not_computed(
    service: Service, job_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutdown, compilation = ShutdownFlag(grace=1), Compilation()
    for code in Code:
        compilation.mark_ready(code)
    celery_worker.add_tasks(
        service, name="here", concurrency=1, shutdown=shutdown, compilation=compilation,
        watchdog=Watchdog(lambda: True, shutdown=shutdown, grace=1),
    )  # fmt: skip
    made: list[int] = []
    monkeypatch.setattr(
        celery_worker, "explain_record", lambda _, __, number, **___: made.append(number)
    )
    monkeypatch.setattr(type(service.dispatcher), "request_explanation", lambda *_, **__: None)
    service.explanations.claim(job_id, 2, client="me", most=1)
    for number in (1, 2):
        service.app.tasks[EXPLAIN_RECORD](job_id, number)
    assert made == [2]
