"""The form that makes puzzles, its cards with examples, and the gallery of made puzzles."""

import re
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient
from http_jobs import results, work

from web.pages.request_cards import request_cards
from worker.service import Service

pytestmark = pytest.mark.redis


def test_the_form_creates_a_job_with_the_requested_puzzles(
    http: FlaskClient, service: Service
) -> None:
    typed = {"count": "3", "seed": "4", "symmetry": "180", "box": "2x3", "name": "small"}
    answer = http.post("/make", data=typed)
    assert answer.status_code == 303
    work(service)
    job = http.get(answer.headers["Location"].replace("/jobs/", "/api/v1/jobs/")).get_json()
    assert (job["name"], job["format"], job["outcomes"]["solved"]) == ("small", "generated", 3)


def test_the_form_creates_random_boards(http: FlaskClient, service: Service) -> None:
    typed = {"count": "2", "seed": "4", "box": "2x3", "regions": "random"}
    typed |= {"random_constraints": "killer", "constraint_count": "10..14"}
    answer = http.post("/make", data=typed)
    assert answer.status_code == 303
    work(service)
    rows = results(http, {"id": answer.headers["Location"].rpartition("/")[2]})
    assert [row["outcome"] for row in rows] == ["solved"] * 2
    assert all(set(row["puzzle"]) == {"."} for row in rows)


@pytest.mark.parametrize(("typed", "givens"), [({}, 300), ({"givens": "350..360"}, 350)])
def test_the_form_creates_large_puzzles_with_many_givens(
    http: FlaskClient, service: Service, typed: dict[str, str], givens: int
) -> None:
    answer = http.post("/make", data={"count": "1", "seed": "4", "box": "5x5", **typed})
    assert answer.status_code == 303
    work(service)
    (row,) = results(http, {"id": answer.headers["Location"].rpartition("/")[2]})
    assert row["outcome"] == "solved"
    assert sum(sign != "." for sign in row["puzzle"]) == givens


def test_the_form_creates_puzzles_for_statistics(http: FlaskClient, service: Service) -> None:
    typed = {"count": "2", "seed": "4", "box": "2x2", "sampling": "controlled-bias"}
    answer = http.post("/make", data=typed)
    assert answer.status_code == 303
    work(service)
    rows = results(http, {"id": answer.headers["Location"].rpartition("/")[2]})
    assert [row["outcome"] for row in rows] == ["solved"] * 2


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ({"count": "9" * 5000}, "count"),
        ({"count": "x"}, "count"),
        ({"hardest": "X-Win"}, "hardest"),
        ({"require": "X-Wing", "hardest": "Naked Pair"}, "require"),
        ({"random_constraints": "killer", "constraint_count": "x"}, "constraint_count"),
        ({"rating_from": "7", "rating_to": "x"}, "rating_from"),
        ({"distinct": "true", "variant": "diagonal"}, "distinct"),
        ({"sampling": "controlled-bias", "regions": "random", "box": "2x3"}, "sampling"),
    ],
)
def test_an_invalid_field_is_explained_next_to_it(
    http: FlaskClient, typed: dict[str, str], fault: str
) -> None:
    answer = http.post("/make", data=typed)
    assert answer.status_code == 422
    assert f'id="{fault}-fault"' in answer.text
    assert ('more-options" open' in answer.text) == (typed.keys() != {"count"})


def test_made_puzzles_open_as_a_gallery_with_their_difficulty(
    http: FlaskClient, service: Service
) -> None:
    form = http.get("/make").text
    assert 'name="rate" type="checkbox" value="true" checked' in form
    answer = http.post("/make", data={"count": "2", "difficulty": "easy", "rate": "true"})
    work(service)
    page = http.get(answer.headers["Location"]).text
    assert page.count('<span class="rating"><small class="level level-1">easy</small>') == 2
    assert "Each has exactly one solution and is easy." in page
    assert 'id="outcomes"' not in page  # all numbers would be the same
    assert '<table class="desk">' in http.get(f"{answer.headers['Location']}?view=table").text


def test_gallery_of_unrated_puzzles_has_their_givens_and_offers_to_rate_them(
    http: FlaskClient, service: Service
) -> None:
    answer = http.post("/make", data={"count": "2", "symmetry": "180"})
    work(service)
    page = http.get(answer.headers["Location"]).text
    patterns = re.findall(r'<span class="legend">(\d\d) givens, (.*?)</span>', page)
    assert [symmetry for _, symmetry in patterns] == ["half turn", "half turn"]
    assert "Rate the 2 puzzles" in page


def test_each_card_fills_in_a_form_that_makes_the_puzzles(
    http: FlaskClient, service: Service
) -> None:
    cards = request_cards()
    page = http.get("/make").text
    for card in cards:
        address = f"/make?{urlencode(card.fields)}"
        assert address.replace("&", "&amp;") in page
        form = http.get(address).text
        assert f'name="count" type="number" value="{card.fields["count"]}"' in form
        assert 'name="rate" type="checkbox" value="true" checked' in form
        answer = http.post("/make", data={**card.fields, "count": "1", "seed": "1"})
        work(service)
        (row,) = results(http, {"id": answer.headers["Location"].rpartition("/")[2]})
        assert row["outcome"] == "solved", card.title


def test_unknown_names_in_the_query_leave_the_form_as_it_is(http: FlaskClient) -> None:
    assert http.get("/make?source=mail").text == http.get("/make").text
