"""Hints that a puzzle's page requests for typed digits."""

import json
from typing import Any

import pytest
from http_jobs import finished

from solver import Puzzle
from worker.service import Service

pytestmark = pytest.mark.redis

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@pytest.mark.parametrize("typed", ["2", "2:", ":4", "99:1", "2:10", "2:x", f"{'9' * 5000}:1"])
def test_malformed_digits_are_refused(http: Any, service: Service, typed: str) -> None:
    path = finished(http, service, PUZZLE)
    answer = http.post(f"{path}/puzzles/1/hints", data={"typed": typed})
    assert answer.status_code == 422


def test_wrong_digits_are_named(http: Any, service: Service) -> None:
    path = finished(http, service, PUZZLE)
    answer = http.post(f"{path}/puzzles/1/hints", data={"typed": "2:1,3:6"})
    assert "1 in r1c3 is wrong. Remove it first." in answer.text


def test_hints_after_typed_digits_use_the_pencil_marks_of_the_upload(
    http: Any, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    marked = {"puzzle": ".2.4...2....4..1", "candidates": {"r1c1": [1, 2]}}
    path = finished(http, service, json.dumps(marked))
    explained: list[Puzzle] = []
    monkeypatch.setattr("web.pages.hints._explain", explained.append)
    http.post(f"{path}/puzzles/1/hints", data={"typed": "5:4"})
    (puzzle,) = explained
    assert str(puzzle) == ".2.4.4.2....4..1"
    assert puzzle.candidates is not None
    assert puzzle.candidates[0] == 0b11


def test_steps_from_a_position_need_correct_digits(http: Any, service: Service) -> None:
    path = finished(http, service, PUZZLE)
    for typed in ("2:1", "2:"):
        answer = http.post(f"{path}/puzzles/1/position", data={"typed": typed})
        assert answer.status_code == 422
