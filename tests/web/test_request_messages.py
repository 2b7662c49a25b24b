"""The messages for requests that are almost right name what to send instead."""

from typing import Any

import pytest

GOOD = "12.4...2....4..1"


@pytest.mark.parametrize("option", ["rate", "limit", "expires_in", "metadata"])
def test_an_option_next_to_the_puzzles_is_told_where_it_belongs(option: str, http: Any) -> None:
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
