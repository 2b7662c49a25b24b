"""The preview of an upload before the job is created."""

import gzip
import json
from typing import Any

import pytest
from flask.testing import FlaskClient

import web.uploads.preview
from solver.formats import FORMATS
from worker.service import Service

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
TWICE = "5" + CLASSIC[:-1]


def look(http: FlaskClient, body: str | bytes, **query: str) -> Any:
    answer = http.post(
        "/api/v1/look", data=body, query_string=query, content_type="application/octet-stream"
    )
    return answer.get_json() | {"status_code": answer.status_code}


def test_preview_shows_format_count_first_puzzles_and_first_problems(http: FlaskClient) -> None:
    said = look(http, f"# two good ones\n{CLASSIC}\n{TWICE}\nxx\n{CLASSIC}\n")
    assert (said["format"], said["records"], said["checked"], said["problems"]) == ("line", 4, 4, 2)
    assert [trouble["line"] for trouble in said["troubles"]] == [3, 4]
    assert said["troubles"][0]["detail"].startswith("5 twice in")
    assert [(first["line"], first["puzzle"]) for first in said["first"]] == [
        (2, CLASSIC), (3, TWICE), (5, CLASSIC)
    ]  # fmt: skip
    assert all(first["drawing"].lstrip().startswith("<svg") for first in said["first"])


def test_drawing_highlights_the_cells_of_its_problem(http: FlaskClient) -> None:
    drawings = [first["drawing"] for first in look(http, f"{CLASSIC}\n{TWICE}\n")["first"]]
    assert ['class="wrong"' in drawing for drawing in drawings] == [False, True]


def test_nothing_is_kept_of_it(http: FlaskClient, service: Service) -> None:
    look(http, CLASSIC)
    assert service.redis.keys("*") == []


@pytest.mark.parametrize("format_", FORMATS, ids=lambda format_: format_.name)
def test_every_example_is_known_and_drawn(http: FlaskClient, format_: Any) -> None:
    said = look(http, format_.example, format=format_.name)
    assert said["format"] == format_.name
    assert said["first"][0]["drawing"]


def test_preview_parses_some_records_and_counts_all(http: FlaskClient) -> None:
    said = look(http, f"{CLASSIC}\n" * 10_000)
    assert said["records"] == 10_000
    assert len(said["first"]) == 6
    assert 12 <= said["checked"] <= 10_000


def test_beginning_of_a_file_has_no_last_record(http: FlaskClient) -> None:
    beginning = f"{CLASSIC}\n" * 100 + CLASSIC[:40]
    assert look(http, beginning)["problems"] == 1
    assert look(http, beginning, cut="1")["problems"] == 0


def test_beginning_of_a_packed_file_is_enough(http: FlaskClient) -> None:
    lines = "".join(f"{CLASSIC} {n * n}\n" for n in range(20_000))
    said = look(http, gzip.compress(lines.encode())[:60_000], cut="1")
    assert said["format"] == "line"
    assert said["problems"] == 0
    assert len(said["first"]) == 6


def test_options_are_those_of_a_job(http: FlaskClient) -> None:
    said = look(http, CLASSIC, variant="diagonal,antiknight")
    assert said["first"][0]["rules"] == ["diagonal", "antiknight"]
    refused = look(http, CLASSIC, box="9q9")
    assert (refused["status_code"], refused["field"]) == (422, "box")


def test_unreadable_text_is_rejected_with_its_position(http: FlaskClient) -> None:
    refused = look(http, "hello there")
    assert (refused["status_code"], refused["line"], refused["column"]) == (400, 1, 1)
    assert look(http, "1" * (1 << 20) + "2")["status_code"] == 413


def test_puzzle_with_too_many_large_constraints_is_invalid(http: FlaskClient) -> None:
    cells = [f"r{row}c{column}" for row in range(1, 10) for column in range(1, 10)]
    constraints = [
        {"type": "regex", "cells": cells, "pattern": f".*[{n % 8 + 1}9].{{{50 + n // 8}}}.*"}
        for n in range(230)
    ]
    records = [{"puzzle": CLASSIC}, {"puzzle": CLASSIC, "constraints": constraints}]
    said = look(http, "\n".join(map(json.dumps, records)), format="ndjson")
    assert (said["records"], said["problems"]) == (2, 1)
    assert "Together, the constraints of this puzzle need" in said["troubles"][0]["detail"]


def test_expensive_puzzles_are_read_for_a_bounded_time(
    http: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web.uploads.preview, "_SECONDS", 0.0)
    assert look(http, f"{CLASSIC}\n" * 100)["checked"] == 100
    monkeypatch.setattr(web.uploads.preview, "_MAX_CPU_SECONDS", 0.0)
    said = look(http, f"{CLASSIC}\n" * 100)
    assert (said["records"], said["checked"], len(said["first"])) == (100, 1, 1)
