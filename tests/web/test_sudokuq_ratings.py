"""Jobs with the sudokuq rating, which boards and rules have that Sudoku Explainer doesn't rate.

A rating is suspended, resumed, and limited in time.
"""

import json
from typing import Any

import pytest
from http_jobs import post, results, work

from solver import Puzzle, parse, solve
from solver.board.checkpoint import Checkpoint
from solver.engines.engine import ABANDON, GO_ON
from solver.logic.rating.own_rating import OwnRating
from solver.rating_by_steps import rate_by_steps
from worker.service import Service

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SMALL = "12.4...2....4..1"
# A killer in which logic fills no cell.
KILLER = "G<<L<K<L<^G>^>^E^^>^IJ<G^<G^>^^I^<>^HC<C^<B^N^^G^<>^>^^E^<DF<^PG^<>^^J<^^<H<<>^>^"


@pytest.fixture
def job(http: Any, service: Service) -> dict[str, Any]:
    """Return a rated job of two puzzles with the sudokuq rating, and of a classic one."""
    thermo = {"puzzle": SMALL, "constraints": [{"type": "thermo", "cells": ["r1c1", "r1c2"]}]}
    lines = [{"puzzle": SMALL}, thermo, {"puzzle": EASY}]
    created = post(http, "\n".join(map(json.dumps, lines)), format="ndjson", rate="1").json
    work(service)
    found: dict[str, Any] = http.get(created["links"]["self"]).json
    return found


def test_only_other_boards_and_rules_have_the_sudokuq_rating(
    http: Any, job: dict[str, Any]
) -> None:
    small, thermo, classic = results(http, job)
    for row in (small, thermo):
        assert row["sudokuq_rating"] >= 4
        assert (row["sudokuq_difficulty"], row["sudokuq_solved"]) == ("easy", 1.0)
        assert row["rating"] is row["difficulty"] is None
    assert classic["rating"] is not None
    assert classic["sudokuq_rating"] is classic["sudokuq_difficulty"] is None
    assert sum(job["sudokuq_ratings"].values()) == 2


def test_rating_alone_and_with_an_explanation_are_equal(http: Any, service: Service) -> None:
    found = []
    for explain in ("0", "1"):
        job = post(http, KILLER, rate="1", explain=explain).json
        work(service)
        found += results(http, job)
    assert found[0] == found[1]
    assert found[0]["sudokuq_rating"] is found[0]["rating"] is None
    assert found[0]["sudokuq_difficulty"] == "not rated by logic"
    assert 0 < found[0]["sudokuq_solved"] < 1


def test_results_are_sorted_and_selected_by_sudokuq_rating(http: Any, job: dict[str, Any]) -> None:
    known = {row["n"]: row["sudokuq_rating"] for row in results(http, job)}
    rated = [n for n in known if known[n] is not None]
    assert [row["n"] for row in results(http, job, sort="sudokuq_rating")] == sorted(
        rated, key=lambda n: known[n]
    )
    assert [row["n"] for row in results(http, job, sudokuq_rating="1..")] == rated
    assert results(http, job, sudokuq_rating="..1") == []
    answer = http.get(f"/api/v1/jobs/{job['id']}/results?sudokuq_rating=x")
    assert (answer.status_code, answer.json["field"]) == (422, "sudokuq_rating")
    page = http.get(f"/jobs/{job['id']}?sort=-sudokuq_rating").text
    assert page.count('<tr id="n') == len(rated)


class _StopsAfter:
    """A stop flag that is ABANDON after it was read `reads` times."""

    def __init__(self, reads: int) -> None:
        self._reads = reads

    def __getitem__(self, _: int) -> int:
        self._reads -= 1
        return GO_ON if self._reads >= 0 else ABANDON


def test_sudokuq_rating_is_suspended_resumed_and_limited() -> None:
    (puzzle,) = parse(SMALL)
    assert isinstance(puzzle, Puzzle)
    solution = solve(puzzle).solution
    assert solution is not None
    going: Any = _StopsAfter(10_000)
    hasty: Any = _StopsAfter(10)
    whole = rate_by_steps(puzzle, solution, seconds=60, stop=going)
    part = rate_by_steps(puzzle, solution, seconds=60, stop=hasty)
    assert isinstance(part, Checkpoint)
    resumed = rate_by_steps(puzzle, solution, seconds=60, stop=going, checkpoint=part)
    assert resumed == whole
    assert isinstance(whole, OwnRating)
    limited = rate_by_steps(puzzle, solution, seconds=0, stop=going)
    assert limited is None


def test_the_time_limit_is_reported_next_to_other_remarks(
    http: Any, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.rating_by_steps.rate_by_steps", lambda *_, **__: None)
    text = f"puzzle,solution\n{SMALL},{SMALL.replace('.', '1')}\n"
    job = post(http, text, rate="1", rate_seconds="7").json
    work(service)
    (row,) = results(http, job)
    assert "the solution in the upload is wrong" in row["detail"]
    assert "not rated within 7 s of CPU time; raise rate_seconds" in row["detail"]
