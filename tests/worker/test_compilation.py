"""While code is being compiled, only the requests that need it wait.

Workers report what they compile.
"""

from unittest.mock import Mock

import pytest
from http_jobs import post

from solver import Layout
from solver.preparing import Code, needed
from web.app import create_app
from worker.process.celery_worker import add_tasks
from worker.process.chunk_runner import ChunkRunner
from worker.process.compilation import Compilation, shares
from worker.process.shutdown_flag import ShutdownFlag
from worker.process.watchdog import Watchdog
from worker.service import Service
from worker.store import chunks

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SMALL = "12.4...2....4..1"


def test_other_boards_and_candidates_need_the_general_engine() -> None:
    assert needed(Layout.boxed(3, 3)) is Code.CLASSIC
    assert needed(Layout.boxed(3, 3), candidates=True) is Code.GENERAL
    assert needed(Layout.boxed(2, 2)) is Code.GENERAL


@pytest.mark.parametrize(
    ("text", "options", "needed"),
    [
        (CLASSIC, {}, {Code.CLASSIC}),
        (CLASSIC, {"minlex": "1"}, {Code.CLASSIC, Code.MINLEX}),
        (CLASSIC, {"rate": "1"}, {Code.CLASSIC, Code.LOGIC}),
        (SMALL, {}, {Code.GENERAL}),
        (SMALL, {"rate": "1"}, {Code.GENERAL, Code.LOGIC}),
    ],
)
def test_a_chunk_waits_for_the_code_that_it_needs_and_for_no_other(
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    options: dict[str, str],
    needed: set[Code],
) -> None:
    http = create_app(service=service).test_client()
    monkeypatch.setattr(chunks, "DEFERRED_SECONDS", 0)
    job_id = post(http, text, **options).json["id"]
    ready: set[Code] = set()
    runner = ChunkRunner(service, worker="test", are_ready=ready.issuperset)
    for code in needed:
        runner.run(job_id, 0)
        assert _done(service, job_id) == 0
        ready.add(code)
    runner.run(job_id, 0)
    assert _done(service, job_id) == 1


def _done(service: Service, job_id: str) -> int:
    job = service.jobs.get(job_id)
    assert job is not None
    return job.done


def test_a_worker_reports_its_compilations_until_everything_is_ready() -> None:
    compilation = Compilation()
    assert compilation.missing() == list(Code)
    compilation.mark_ready(Code.CLASSIC)
    compilation.mark_ready(Code.MINLEX)
    assert compilation.are_ready([Code.CLASSIC, Code.MINLEX])
    assert not compilation.are_ready([Code.CLASSIC, Code.GENERAL])
    assert compilation.missing() == [Code.GENERAL, Code.LOGIC, Code.GENERATION]
    compilation.mark_ready(Code.GENERAL)
    compilation.mark_ready(Code.GENERATION)
    assert compilation.missing() == [Code.LOGIC]
    compilation.mark_ready(Code.LOGIC)
    assert compilation.missing() == []


def test_two_cores_compile_ratings_at_the_same_time_as_the_rest() -> None:
    missing = [Code.MINLEX, Code.GENERAL, Code.LOGIC]
    assert shares(missing, processors=1) == [missing]
    assert shares(missing, processors=2) == [[Code.MINLEX, Code.GENERAL], [Code.LOGIC]]
    assert shares([Code.GENERAL], processors=2) == [[Code.GENERAL]]
    assert shares([], processors=2) == []


def test_a_worker_is_listed_as_soon_as_it_accepts_chunks(service: Service) -> None:
    """Heartbeats begin a second later, but clients needn't wait for the first one."""
    shutdown = ShutdownFlag(grace=1.0)
    add_tasks(
        service,
        name="here",
        concurrency=2,
        shutdown=shutdown,
        watchdog=Watchdog(lambda: True, shutdown=shutdown, grace=1.0),
        compilation=Compilation(),
    )
    [step] = service.app.steps["consumer"]
    step(None).start(Mock())  # Celery's consumer, here with a timer that never fires
    assert [worker.name for worker in service.registry.workers()] == ["here"]
