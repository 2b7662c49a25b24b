"""All steps that are available at a position of a puzzle, in the API and on its page."""

from typing import Any

import pytest
from http_jobs import finished

from solver import all_steps
from worker.process.explain_record import explain_record
from worker.service import Service
from worker.store import keys
from worker.store.explanations import Claim
from worker.store.keys import JobKeys

pytestmark = pytest.mark.redis

PUZZLE = "12.4...2....4..1"
AFTER = "after=3"


@pytest.fixture
def path(http: Any, service: Service) -> str:
    """Return the path of a finished job whose explanations are stored."""
    return finished(http, service, PUZZLE, explain="true")


def job_id(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def ask(http: Any, path: str, query: str) -> Any:
    return http.get(f"/api/v1{path}/puzzles/1?wait=0&{query}")


def test_api_lists_all_steps_after_some_steps(http: Any, service: Service, path: str) -> None:
    late = ask(http, path, f"steps=all&{AFTER}")
    assert late.json["available_steps"] is None
    assert late.headers["Retry-After"]
    assert explain_record(service, job_id(path), 1, position=AFTER)
    answer = ask(http, path, f"steps=all&{AFTER}")
    assert "Retry-After" not in answer.headers
    listed = answer.json["available_steps"]
    expected = [step.sentence for step in all_steps(PUZZLE, after=3).steps]
    assert [step["sentence"] for step in listed["deductions"]] == expected
    assert (listed["after"], listed["complete"]) == (3, True)
    assert listed["deductions"][0] == answer.json["explanation"]["deductions"][3]


@pytest.mark.parametrize(
    ("query", "detail"),
    [
        ("steps=some", "'steps' must be all, not 'some'"),
        ("after=1", "'after' needs steps=all"),
        ("steps=all&after=x", "'after' must be a whole number, not 'x'"),
        ("steps=all&after=99", "'after' must be from 0 to 10, the number of steps, not 99"),
    ],
)
def test_invalid_positions_are_rejected(http: Any, path: str, query: str, detail: str) -> None:
    answer = ask(http, path, query)
    assert (answer.status_code, answer.json["detail"]) == (422, detail)


def test_page_lists_the_steps_after_typed_digits(http: Any, service: Service, path: str) -> None:
    explain_record(service, job_id(path), 1, position="2:3")
    body = http.post(f"{path}/puzzles/1/available-steps", data={"typed": "2:3"}).text
    assert "steps are available." in body
    assert "In row 1" not in body  # its last cell was filled


def test_page_names_wrong_digits_instead_of_steps(http: Any, path: str) -> None:
    body = http.post(f"{path}/puzzles/1/available-steps", data={"typed": "2:1"}).text
    assert "1 in r1c3 is wrong. Remove it first." in body


@pytest.mark.parametrize("form", [{"typed": "x"}, {"after": "-1"}, {"after": "9" * 9}])
def test_malformed_positions_of_the_page_are_rejected(
    http: Any, path: str, form: dict[str, str]
) -> None:
    assert http.post(f"{path}/puzzles/1/available-steps", data=form).status_code == 422


def test_listed_steps_expire_and_complete_their_request(service: Service, path: str) -> None:
    job = job_id(path)
    claim = service.explanations.claim(job, 1, client="one", most=1, position=AFTER)
    assert claim is Claim.MINE
    assert service.explanations.is_awaited(job, 1, AFTER)
    assert not service.explanations.is_awaited(job, 1)
    explain_record(service, job, 1, position=AFTER)
    assert not service.explanations.is_awaited(job, 1, AFTER)
    assert not service.redis.exists(keys.explaining("one"))
    key = JobKeys(job).available(keys.position_of(1, AFTER))
    assert 0 < service.redis.ttl(key) <= 600
