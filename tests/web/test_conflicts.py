"""Givens and constraints that contradict each other, in the API and on the page of a puzzle."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from http_jobs import post, work

from worker.process.explain_record import explain_record
from worker.service import Service

CAGE = {"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 7}
THERMOMETER = {"type": "thermo", "cells": ["r1c1", "r2c1", "r3c1"]}
DOT = {"type": "white", "cells": ["r4c3", "r4c4"]}
# r1c1 is 3 or 4 in the cage, and at most 2 on the thermometer.
RULES = json.dumps({"puzzle": "." * 16, "constraints": [DOT, CAGE, THERMOMETER]})
GIVEN = json.dumps({"puzzle": "....4.........1.", "constraints": [DOT, THERMOMETER]})
DETAIL = "the cage at r1c1 and the thermometer r1c1–r3c1 contradict each other"


def test_rules_that_contradict_each_other_are_in_the_explanation(
    http: Any, service: Service
) -> None:
    job = post(http, RULES).json
    work(service)
    explain_record(service, job["id"], 1)
    explanation = http.get(f"/api/v1/jobs/{job['id']}/puzzles/1?wait=0").json["explanation"]
    assert explanation["conflict"] == {
        "givens": [], "constraints": [CAGE, THERMOMETER], "detail": DETAIL
    }  # fmt: skip
    assert explanation["detail"] == f"the puzzle has no solution. T{DETAIL[1:]}"


def test_page_names_the_contradiction_and_marks_its_givens(http: Any, service: Service) -> None:
    job = post(http, GIVEN).json
    work(service)
    explain_record(service, job["id"], 1)
    page = http.get(f"/jobs/{job['id']}/puzzles/1").text
    detail = "The 4 in r2c1 and the thermometer r1c1–r3c1 contradict each other."
    assert f"The puzzle has no solution. {detail}" in page
    assert '<text class="wrong" x="10" y="35">4</text>' in page
    assert page.count('class="wrong"') == 1


def test_solvable_puzzle_has_no_conflict(http: Any, service: Service) -> None:
    job = post(http, "12.4...2....4..1").json
    work(service)
    explain_record(service, job["id"], 1)
    explanation = http.get(f"/api/v1/jobs/{job['id']}/puzzles/1?wait=0").json["explanation"]
    assert explanation["conflict"] is None


def test_solve_states_where_its_result_can_be_explained(http: Any, service: Service) -> None:
    with ThreadPoolExecutor(1) as threads:
        pending = threads.submit(http.post, "/api/v1/solve?wait=30", json={"puzzle": RULES})
        while not pending.done():
            work(service)
        answer = pending.result()
    assert (answer.status_code, answer.json["outcome"]) == (200, "unsolvable")
    assert http.get(answer.headers["Content-Location"]).json["puzzle"] == answer.json["puzzle"]
