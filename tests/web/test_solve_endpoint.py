"""The endpoint that solves one puzzle while the client waits."""

import gzip
import io
from typing import Any

import pytest

GOOD = "12.4...2....4..1"
SOLVED = "1234341221434321"


def test_description_of_solve_matches_its_response(http: Any) -> None:
    document = http.get("/api/openapi.json").json
    ok = document["paths"]["/api/v1/solve"]["post"]["responses"]["200"]
    assert ok["content"]["application/json"]["schema"]["$ref"].endswith("/Puzzle")


@pytest.mark.parametrize(
    "request_",
    [
        {"data": {"text": GOOD}},
        {"data": {"file": (io.BytesIO(GOOD.encode()), "mine.txt")}},
        {"data": {"text": GOOD}, "content_type": "application/x-www-form-urlencoded"},
        {"data": GOOD, "content_type": "application/x-www-form-urlencoded"},
        {"data": gzip.compress(GOOD.encode())},
    ],
)
def test_solve_takes_one_puzzle_in_every_wrapping(request_: dict[str, Any], http: Any) -> None:
    answer = http.post("/api/v1/solve?wait=0&limit=1", **request_)
    assert answer.status_code == 202, answer.data
    assert (answer.json["total"], answer.json["options"]["limit"]) == (1, 1)


def test_solve_reports_unreadable_input(http: Any) -> None:
    answer = http.post("/api/v1/solve", data=GOOD, content_type="application/pdf")
    assert answer.status_code == 415


def test_solve_gives_the_job_where_it_takes_longer(http: Any) -> None:
    answer = http.post("/api/v1/solve?wait=0", json={"puzzle": GOOD})
    assert answer.status_code == 202
    assert http.post("/api/v1/solve?wait=0", json={"puzzle": f"{GOOD}\n{GOOD}"}).status_code == 422
    assert http.post("/api/v1/solve?wait=0", json={"nothing": 1}).status_code == 422
