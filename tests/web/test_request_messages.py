"""The messages for requests that are almost right name what to send instead."""

from typing import Any

import pytest

GOOD = "12.4...2....4..1"


@pytest.mark.parametrize("option", ["rate", "limit", "expires_in", "metadata"])
def test_the_error_for_an_option_next_to_the_puzzles_shows_its_place(
    option: str, http: Any
) -> None:
    answer = http.post("/api/v1/jobs", json={"puzzles": [GOOD], option: 1})
    assert (answer.status_code, answer.json["field"]) == (422, option)
    assert answer.json["detail"] == (
        f"'{option}' is an option, which belongs in 'options': "
        f'{{"puzzles": […], "options": {{"{option}": …}}}}'
    )


@pytest.mark.parametrize(
    ("path", "member"), [("jobs", '"puzzles": […]'), ("solve", '"puzzle": "…"')]
)
def test_a_json_body_that_is_not_an_object_gets_an_example(
    path: str, member: str, http: Any
) -> None:
    answer = http.post(f"/api/v1/{path}", json=[GOOD])
    assert answer.json["detail"] == (
        f'a JSON body must be an object such as {{{member}, "options": {{…}}}}'
    )


@pytest.mark.parametrize("kind", ["multipart/form-data", "application/x-www-form-urlencoded"])
@pytest.mark.parametrize("name", ["puzzle", "puzzles"])
def test_a_form_with_another_name_for_the_puzzles_gets_the_right_ones(
    kind: str, name: str, http: Any
) -> None:
    answer = http.post("/api/v1/jobs", data={name: GOOD}, content_type=kind)
    assert (answer.status_code, answer.json["field"]) == (422, name)
    assert answer.json["detail"] == (
        f"Unknown form field {name!r}. Send puzzles as 'text', or a file as 'file'"
    )


def test_the_error_for_a_negative_offset_gives_the_minimum(http: Any) -> None:
    job = http.post("/api/v1/jobs", data=GOOD).json
    answer = http.get(f"/api/v1/jobs/{job['id']}/results?partial=1&offset=-1")
    assert answer.json["detail"] == "'offset' must be a whole number of 0 or more, not '-1'"


def test_an_unknown_path_is_named_in_the_error(http: Any) -> None:
    answer = http.get("/api/v1/job")
    assert answer.json["detail"] == "There is no /api/v1/job; /api/docs lists all requests"
    assert "There is no /jbos." in http.get("/jbos").text
