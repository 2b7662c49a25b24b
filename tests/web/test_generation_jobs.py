"""Jobs whose puzzles are generated, from the request to the results."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from http_jobs import results, work

from solver import generate, parse, solve
from worker.service import Service

pytestmark = pytest.mark.redis


def make(http: FlaskClient, **request: Any) -> dict[str, Any]:
    answer = http.post("/api/v1/generate", json=request)
    assert answer.status_code == 202, answer.text
    job: dict[str, Any] = answer.get_json()
    return job


def made(http: FlaskClient, service: Service, **request: Any) -> list[dict[str, Any]]:
    job = make(http, **request)
    work(service)
    return results(http, job)


def bare(rows: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(row["puzzle"], row["solution"]) for row in rows]


def test_a_job_has_the_puzzles_that_the_function_makes(http: FlaskClient, service: Service) -> None:
    rows = made(http, service, count=40, seed=7, symmetry="180")
    assert [row["n"] for row in rows] == [*range(1, 41)]
    assert all(row["outcome"] == "solved" and row["unique"] for row in rows)
    expected = [str(each.puzzle) for each in generate(count=40, seed=7, symmetry="180")]
    assert [row["puzzle"] for row in rows] == expected


def test_generated_puzzles_have_the_requested_rating(http: FlaskClient, service: Service) -> None:
    rows = made(http, service, count=3, rating="2.0..3.4", options={"rate": True})
    assert all(2.0 <= row["rating"] <= 3.4 for row in rows)


def test_the_parts_of_a_plan_follow_each_other(http: FlaskClient, service: Service) -> None:
    plan = [{"count": 3, "box": "2x2"}, {"count": 2}]
    rows = made(http, service, seed=1, plan=plan)
    assert [len(row["puzzle"]) for row in rows] == [16, 16, 16, 81, 81]


def test_a_puzzle_that_cannot_be_made_is_given_up_with_the_reasons(
    http: FlaskClient, service: Service
) -> None:
    rows = made(http, service, count=2, givens="..16", tries=40)
    assert [row["outcome"] for row in rows] == ["gave_up"] * 2
    assert rows[0]["detail"] == (
        "none of 40 attempts met all conditions; rejected because of: givens 100%"
    )


@pytest.mark.parametrize("board", [{}, {"variant": "diagonal", "box": "2x3"}])
def test_generated_puzzles_can_run_again(
    http: FlaskClient, service: Service, board: dict[str, Any]
) -> None:
    first = make(http, count=12, seed=3, **board)
    work(service)
    body = {"from_job": first["id"], "where": {"outcome": "solved"}, "options": {"minlex": True}}
    second = http.post("/api/v1/jobs", json=body).get_json()
    work(service)
    assert bare(results(http, second)) == bare(results(http, first))


def test_variants_are_part_of_the_puzzles(http: FlaskClient, service: Service) -> None:
    rows = made(http, service, count=2, seed=5, variant="diagonal", box="2x3")
    for row in rows:
        assert solve(row["puzzle"]).outcome.label == "multiple"
        (puzzle,) = parse(row["puzzle"], variant="diagonal")
        assert solve(puzzle).unique


@pytest.mark.parametrize(
    ("request_", "field", "detail"),
    [
        ({"cout": 1}, "cout", "Unknown field 'cout'. Did you mean 'count'?"),
        ({"count": 0}, "count", "'count' must be a whole number from 1 to 10,000,000, not 0"),
        ({"rating": "hard"}, "rating", "'rating' must be a number or a range such as"),
        ({"rating": "3..2"}, "rating", "'rating' must be a number or a range such as"),
        ({"rating": "12.."}, "rating", "no known classic puzzle is rated above 11.9"),
        ({"rating": 3, "box": "2x2"}, "rating", "requires a 9×9 board without other rules"),
        ({"symmetry": "90", "box": "9x9", "shape": "3x4"}, "box", ""),
        ({"pattern": "..."}, "pattern", "'pattern' must have 81 characters"),
        ({"techniques": {"require": ["X-Win"]}}, "techniques", "Did you mean 'X-Wing'?"),
        (
            {"techniques": {"require": ["X-Wing"], "only": ["..Hidden Single"]}},
            "techniques",
            "X-Wing is both required and excluded",
        ),
        ({"minimal": False}, "givens", "must state the fewest givens"),
        ({"plan": [{"count": 1}, {"cuont": 2}]}, "plan", "entry 2 of 'plan': Unknown field"),
        ({"plan": [{}] * 1001}, "plan", "'plan' has 1,001 requests; the limit is 1,000"),
        ({"box": "10x10"}, "box", "on boards of up to 625 cells, not 10,000"),
        ({"givens": 10**400}, "givens", "'givens' must be a number or a range such as"),
        ({"givens": True}, "givens", "'givens' must be a number or a range such as"),
        ({"rating": 6.55}, "rating", "'rating' must be a number or a range such as"),
        ({"symbols": "ABCD"}, "symbols", "Unknown field 'symbols'"),
        ({"box": 7}, "box", "box"),
        ({"size": "x"}, "size", "size"),
        ({"options": {"box": "2x2"}}, "box", "describe the board in the request itself"),
        ({"rate": True}, "rate", "'rate' is an option of the job, so put it into 'options'"),
        ({"webhook": "https://example.com"}, "webhook", "put it into 'options'"),
        ({"options": {"rat": True}}, "rat", "Unknown option 'rat'"),
    ],
)
def test_an_invalid_request_is_rejected_with_its_field(
    http: FlaskClient, request_: dict[str, Any], field: str, detail: str
) -> None:
    answer = http.post("/api/v1/generate", json=request_)
    assert answer.status_code == 422, answer.text
    problem = answer.get_json()
    assert problem["field"] == field
    assert detail in problem["detail"]


def test_a_repeated_request_with_the_same_key_gets_the_same_job(http: FlaskClient) -> None:
    headers = {"Idempotency-Key": "once"}
    jobs = [
        http.post("/api/v1/generate", json={"count": 2}, headers=headers).get_json()["id"]
        for _ in range(2)
    ]
    assert jobs[0] == jobs[1]
    other = http.post("/api/v1/generate", json={"count": 3}, headers=headers)
    assert other.status_code == 422


def test_a_canceled_job_makes_no_more_puzzles(http: FlaskClient, service: Service) -> None:
    job = make(http, count=1_000, givens="..16")
    answer = http.post(f"/api/v1/jobs/{job['id']}/cancel")
    assert answer.get_json()["state"] == "cancelled"
    work(service)
    assert http.get(f"/api/v1/jobs/{job['id']}").get_json()["done"] == 0


def test_each_puzzle_can_have_its_own_board(http: FlaskClient, service: Service) -> None:
    killer = {"killer": {"count": "8..16"}}
    rows = made(http, service, count=3, seed=2, box="2x3", random_constraints=killer)
    assert [row["outcome"] for row in rows] == ["solved"] * 3
    assert all(row["unique"] and not row["puzzle"].strip(".") for row in rows)


@pytest.mark.parametrize(
    ("request_", "name"),
    [
        ({"count": 20, "difficulty": "hard"}, "20 hard 9×9 puzzles"),
        ({"count": 1}, "1 new 9×9 puzzle"),
        ({"count": 3, "box": "2x3", "variant": "diagonal"}, "3 new 6×6 puzzles, Diagonals"),
        (
            {"count": 2, "regions": "random", "random_constraints": {"killer": {}}},
            "2 new 9×9 puzzles, Jigsaw, Killer cage",
        ),
        ({"count": 4, "rating": "6.5..7.5"}, "4 new 9×9 puzzles, rated 6.5 to 7.5"),
        ({"plan": [{"count": 1200}, {"box": "2x3"}]}, "1,201 new puzzles"),
        ({"count": 2, "name": "Sunday"}, "Sunday"),
    ],
)
def test_a_job_without_a_name_is_named_after_its_puzzles(
    http: FlaskClient, request_: dict[str, Any], name: str
) -> None:
    assert make(http, **request_)["name"] == name


def test_the_name_of_a_job_may_be_in_the_query(http: FlaskClient) -> None:
    job = http.post("/api/v1/generate?name=Sunday", json={"count": 2}).get_json()
    assert job["name"] == "Sunday"
