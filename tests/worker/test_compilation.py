"""While code is being compiled, only the requests that need it wait."""

from unittest.mock import Mock

import pytest
from http_jobs import post

from solver import Layout
from solver.preparing import Code, needed
from web.app import create_app
from worker.node.chunk_runner import ChunkRunner
from worker.node.node import add_node
from worker.node.notice import Notice
from worker.node.preparation import Preparation, shares
from worker.node.watchdog import Watchdog
from worker.service import Service
from worker.store import chunks

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SMALL = "12.4...2....4..1"


def test_other_boards_and_candidates_need_the_general_engine() -> None:
    assert needed(Layout.boxed(3, 3)) is Code.CLASSIC
    assert needed(Layout.boxed(3, 3), candidates=True) is Code.GENERAL
    assert needed(Layout.boxed(2, 2)) is Code.GENERAL


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        (CLASSIC, {}, Code.CLASSIC),
        (CLASSIC, {"minlex": "1"}, Code.MINLEX),
        (SMALL, {}, Code.GENERAL),
        (SMALL, {"rate": "1"}, Code.LOGIC),
    ],
)
def test_a_chunk_waits_for_its_code(
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    options: dict[str, str],
    code: Code,
) -> None:
    http = create_app(service=service).test_client()
    monkeypatch.setattr(chunks, "_PARKING_SECONDS", 0)
    job_id = post(http, text, **options).json["id"]
    ready = [code - 1]
    runner = ChunkRunner(service, worker="test", is_ready=lambda asked: asked <= ready[0])
    runner.run(job_id, 0)
    assert _done(service, job_id) == 0
    ready[0] = code
    runner.run(job_id, 0)
    assert _done(service, job_id) == 1


def _done(service: Service, job_id: str) -> int:
    job = service.jobs.get(job_id)
    assert job is not None
    return job.done


def test_a_worker_says_what_it_compiles_until_everything_is_ready() -> None:
    preparation = Preparation()
    assert preparation.says() == "plain 9×9 puzzles (1 of 4)"
    preparation.reach(Code.CLASSIC)
    preparation.reach(Code.MINLEX)
    assert preparation.has(Code.MINLEX)
    assert not preparation.has(Code.GENERAL)
    assert preparation.says() == "all other boards (3 of 4)"
    preparation.reach(Code.GENERAL)
    assert preparation.says() == "ratings and explanations (4 of 4)"
    preparation.reach(Code.LOGIC)
    assert preparation.says() == ""


def test_code_is_ready_only_with_all_that_comes_before_it() -> None:
    preparation = Preparation()
    preparation.reach(Code.CLASSIC)
    preparation.reach(Code.LOGIC)
    assert not preparation.has(Code.LOGIC)
    preparation.reach(Code.GENERAL)
    preparation.reach(Code.MINLEX)
    assert preparation.has(Code.LOGIC)


def test_two_processors_compile_ratings_beside_all_else() -> None:
    missing = [Code.MINLEX, Code.GENERAL, Code.LOGIC]
    assert shares(missing, processors=1) == [missing]
    assert shares(missing, processors=2) == [[Code.MINLEX, Code.GENERAL], [Code.LOGIC]]
    assert shares([Code.GENERAL], processors=2) == [[Code.GENERAL]]
    assert shares([], processors=2) == []


def test_a_worker_is_known_as_soon_as_it_takes_chunks(service: Service) -> None:
    """Heartbeats begin a second later, but clients needn't wait for the first one."""
    notice = Notice(grace=1.0)
    add_node(
        service,
        name="here",
        concurrency=2,
        notice=notice,
        watchdog=Watchdog(lambda: True, notice=notice, grace=1.0),
        preparation=Preparation(),
    )
    [step] = service.app.steps["consumer"]
    step(None).start(Mock())  # Celery's consumer, here with a timer that never fires
    assert [worker.name for worker in service.registry.workers()] == ["here"]
