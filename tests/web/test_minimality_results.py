"""Redundant givens and constraints in downloads, on pages, and in the API."""

import csv
import io
import json

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from http_jobs import finished

from web.commands.cli import main
from worker.service import Service

GOOD = "12.4...2....4..1"
MINIMAL = "1..4...2....4..1"
MANY = "1..............."
CAGES = [
    {"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 3},
    {"type": "killer", "cells": ["r4c3", "r4c4"], "sum": 3},
]
WITH_CAGES = json.dumps({"puzzle": GOOD, "constraints": CAGES})


def test_results_name_redundant_givens_and_constraints(http: FlaskClient, service: Service) -> None:
    text = f"{WITH_CAGES}\n{json.dumps({'puzzle': MANY})}\n"
    url = finished(http, service, text, reduce="true")
    lines = http.get(f"/api/v1{url}/results").text.splitlines()
    row, many = map(json.loads, lines)
    assert row["minimal"] is False
    assert row["redundant"]["constraints"] == CAGES
    assert "r1c2" in row["redundant"]["givens"]
    assert json.loads(row["reduced"])["puzzle"].count(".") > GOOD.count(".")
    assert not {"minimal", "redundant", "reduced"} & many.keys()


def test_tables_have_columns_for_redundant_givens_and_constraints(
    http: FlaskClient, service: Service
) -> None:
    url = finished(http, service, f"{GOOD}\n{MANY}\n{MINIMAL}\n", minimal="true")
    table = http.get(f"/api/v1{url}/results?format=csv").text
    found = [
        (row["minimal"], row["redundant"]) for row in csv.DictReader(io.StringIO(table, newline=""))
    ]
    assert found == [("false", "r1c2, r2c4"), ("", ""), ("true", "")]
    stored = pq.read_table(io.BytesIO(http.get(f"/api/v1{url}/results?format=parquet").data))
    assert stored.column("minimal").to_pylist() == [False, None, True]
    assert stored.column("redundant").to_pylist() == ["r1c2, r2c4", None, ""]
    assert "reduced" not in stored.column_names


def test_puzzle_page_names_redundant_parts(http: FlaskClient, service: Service) -> None:
    url = finished(http, service, f"{WITH_CAGES}\n", reduce="true")
    page = http.get(f"{url}/puzzles/1").text
    assert "2 constraints aren&#39;t needed: Killer cage (r1c1 r1c2), Killer cage" in page
    assert "Show the minimal puzzle as text" in page
    url = finished(http, service, MINIMAL, minimal="true")
    assert "yes: No given and no constraint is redundant." in http.get(f"{url}/puzzles/1").text
    url = finished(http, service, MINIMAL)
    assert "<dt>Minimal</dt>" not in http.get(f"{url}/puzzles/1").text


def test_undecided_elements_are_not_reported_as_needed(http: FlaskClient, service: Service) -> None:
    hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    url = finished(http, service, hard, minimal="true", step_limit="30")
    row = json.loads(http.get(f"/api/v1{url}/results").text)
    if row["unique"]:
        assert row["minimal"] is None
        assert row["redundant"]["undecided_givens"]


@pytest.mark.parametrize("option", ["minimal", "reduce"])
def test_limit_of_one_solution_is_rejected_with_the_reason(http: FlaskClient, option: str) -> None:
    answer = http.post(f"/api/v1/jobs?limit=1&{option}=true", data=GOOD)
    assert answer.status_code == 422
    assert answer.json is not None
    assert "proven unique solution" in answer.json["detail"]


def test_command_writes_redundant_parts_below_the_solution() -> None:
    written = CliRunner().invoke(main, ["solve", GOOD, "--reduce"])
    assert "2 givens aren't needed: r1c2, r2c4." in written.output
    assert "Minimal puzzle: 1..4" in written.output
