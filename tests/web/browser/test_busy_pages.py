"""Every page works on a busy service, for jobs of all kinds in all states."""

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

import jobs
import pytest
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from web.http.errors import FOR_PROGRAMS
from worker.job import JobState
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service
from worker.store.chunks import AcquiredChunk
from worker.store.live_workers import WorkerInfo

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
MANY = "1" + "." * 80
NONE = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
KILLER = json.dumps(
    {
        "puzzle": "12.4...2....4..1",
        "constraints": [{"type": "killer", "cells": ["r2c1", "r2c2"], "sum": 7}],
    }
)
# The record that each chunk of a job repeats, and the job's options.
KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "classic": (CLASSIC, {}),
    "rated": (CLASSIC, {"rate": True}),
    "explained": (CLASSIC, {"explain": True}),
    "canonical": (CLASSIC, {"minlex": True}),
    "general": (KILLER, {}),
    "diagonal": (MANY, {"variant": "diagonal"}),
    "listed": (MANY, {"limit": 5}),
    "counted": (MANY, {"limit": 5, "count_only": True}),
    "candidates": ("1" + "." * 15, {"limit": 500, "true_candidates": True}),
    "stopped": (NONE, {"step_limit": 1}),
    "invalid": ("5" + CLASSIC[:-1], {}),
    "unreadable": ("xx", {}),
}
CHUNKS = 3
WORKER = "busy"


def make_busy(service: Service, kind: str, state: str) -> str:
    """Store a job of a given kind and state, and return its id.

    None of its chunks is done if it is queued, all if it is finished, and otherwise one.
    """
    record, options = KINDS[kind]
    # An upload of unreadable records alone is rejected, so a readable one comes first.
    text = f"{CLASSIC}\n{record}\n" if kind == "unreadable" else f"{record}\n{record}\n"
    job_id = jobs.upload(
        service, text * CHUNKS, per_chunk=2, is_complete=state != "uploading", **options
    )
    runner = ChunkRunner(service, worker=WORKER)
    for chunk in range({"queued": 0, "finished": CHUNKS}.get(state, 1)):
        runner.run(job_id, chunk)
    if state == "running":
        assert isinstance(service.chunks.acquire(job_id, 1, holder=WORKER), AcquiredChunk)
        process = [*KINDS].index(kind)
        service.registry.start_task(WORKER, process, job_id=job_id, chunk=1, since=1e9)
    if state == "cancelled":
        service.jobs.cancel(job_id)
    if state == "failed":
        service.chunks.fail(job_id, fault="Redis lost a chunk")
    assert jobs.state(service, job_id) == JobState(state)
    return job_id


def page_rules(http: FlaskClient) -> list[Rule]:
    """Return the routes of all pages, including any added later."""
    return [
        rule
        for rule in http.application.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.rule.startswith((*FOR_PROGRAMS, "/static/"))
    ]


def addresses(rules: list[Rule], job_ids: list[str]) -> Iterator[str]:
    """Yield the URLs of all routes with each combination of a few values of their arguments.

    Some of these values don't exist.
    """
    values: dict[str, list[Any]] = {
        "job_id": job_ids,
        "number": [1, 2, 2 * CHUNKS, 999],
        "value": [1],
        "step": [1, 999],
        "name": ["unknown-host", "no-such-type"],
        "path": ["start/quickstart/", "no-such-page"],
    }
    for rule in rules:
        names = sorted(rule.arguments)
        for combination in itertools.product(*(values[name] for name in names)):
            address = rule.rule
            for name, value in zip(names, combination, strict=True):
                address = re.sub(rf"<(\w+:)?{name}>", str(value), address)
            yield address


@pytest.mark.parametrize(
    "state", ["uploading", "queued", "running", "finished", "cancelled", "failed"]
)
def test_no_page_fails_while_jobs_of_every_kind_are_in_a_state(
    http: FlaskClient, service: Service, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    monkeypatch.setattr("web.pages.puzzle._EXPLAIN_SECONDS", 0.0)
    worker = WorkerInfo(name=WORKER, slots=2, started_at=1e9)
    job_ids = [make_busy(service, kind, state) for kind in KINDS]
    is_over = state in ("finished", "cancelled", "failed")
    needs_results = re.compile("/puzzles/|/report")
    answers = {}
    for address in addresses(page_rules(http), job_ids):
        service.registry.beat(worker)
        answers[address] = http.get(address, buffered=True)
    assert {
        address: answer.status
        for address, answer in answers.items()
        if answer.status_code not in (200, 302, 303, 404)
        and not (answer.status_code == 409 and needs_results.search(address) and not is_over)
        # A book without puzzles has no preview.
        and not (state == "queued" and address.endswith("/book/preview.png"))
    } == {}
    done = state != "queued"
    for job_id in job_ids:
        assert answers[f"/jobs/{job_id}"].status_code == 200
        assert (answers[f"/jobs/{job_id}/puzzles/1"].status_code == 200) == done
        for outcome, sort in itertools.product(("solved", "invalid", ""), ("steps", "-rating")):
            answer = http.get(f"/jobs/{job_id}", query_string={"outcome": outcome, "sort": sort})
            assert answer.status_code < 500
    assert ("chunk 2, for" in answers["/workers"].text) == (state == "running")
