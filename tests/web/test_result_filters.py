"""Filters of results by technique, by name or number, by duplicates, and by a list of numbers.

Files are named after the selection, and selected puzzles run again.
"""

from typing import Any

import pytest
from flask.testing import FlaskClient
from http_jobs import finished

from web.results.number_list import read_numbers, write_numbers
from worker.service import Service

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = "........8..3...4...9..2..6.....79.......612...6.5.2.7...8...5...1.....2.4.5.....3"
SAME = "".join(CLASSIC[start : start + 9][::-1] for start in range(0, 81, 9))
RECORDS = {
    "Alpha": CLASSIC,
    "Beta": HARD,
    "Gamma": "5" + CLASSIC[:-1],
    "Delta 3": f"1{'.' * 80}",
    "ALPHA mirrored": SAME,
}
NUMBERS = {
    "technique=Full+House": [1, 2, 5],
    "technique=full+house,X-Wing&sort=-rating": [2, 1, 5],
    "technique=Full+House&sort=-steps&count=1": [2],
    "technique=Full+House&outcome=multiple": [],
    "search=alpha": [1, 5],
    "search=ALPHA+": [1, 5],
    "search=%233": [3, 4],
    "search=alpha&offset=1": [5],
    "search=alpha&sort=rating": [1, 5],
    "search=a&outcome=solved&sort=-rating": [2, 1, 5],
    "search=none": [],
    "duplicates=only": [5],
    "duplicates=without": [1, 2, 3, 4],
    "duplicates=without&outcome=solved&sort=-rating&count=1": [2],
    "duplicates=only&numbers=1-4": [],
    "numbers=4,1-2": [1, 2, 4],
    "numbers=2,5&sort=-rating": [2, 5],
    "numbers=99": [],
    "rating=1.0..2.0&search=mirrored": [5],
}
BAD = {
    "technique=X-Wig": "Did you mean 'X-Wing'?",
    "duplicates=some": "duplicates",
    "numbers=3-": "'numbers' must be a list such as 3,7,10-20",
    "numbers=1-999999": "up to 10,000 numbers",
    f"search={'x' * 201}": "201 characters",
}


@pytest.fixture
def job(http: FlaskClient, service: Service) -> str:
    """Return the path of a finished job with ratings and canonical forms."""
    text = "puzzle,name\n" + "".join(f"{puzzle},{name}\n" for name, puzzle in RECORDS.items())
    return finished(http, service, text, name="book.csv", rate="true", minlex="true")


def test_results_are_filtered_in_every_combination(http: FlaskClient, job: str) -> None:
    found = {}
    for query in NUMBERS:
        answer: Any = http.get(f"/api/v1{job}/results?format=json&{query}")
        assert answer.status_code == 200, (query, answer.text)
        found[query] = [row["n"] for row in answer.json]
    assert found == NUMBERS


def test_invalid_filters_are_explained(http: FlaskClient, job: str) -> None:
    for query, words in BAD.items():
        answer: Any = http.get(f"/api/v1{job}/results?{query}")
        assert answer.status_code == 422, query
        assert words in answer.json["detail"]


def test_jobs_without_the_options_explain_which_one_a_filter_needs(
    http: FlaskClient, service: Service
) -> None:
    plain = finished(http, service, CLASSIC)
    for query, option in (("technique=X-Wing", "rate"), ("duplicates=only", "minlex")):
        answer: Any = http.get(f"/api/v1{plain}/results?{query}")
        assert answer.status_code == 422
        assert f"without the option {option}" in answer.json["detail"]


def test_files_are_named_after_the_selected_results(http: FlaskClient, job: str) -> None:
    names = {
        "format=csv": "book-results.csv",
        "format=sdm&sort=-rating&count=20": "book-hardest-20.sdm",
        "format=csv&count=3": "book-first-3.csv",
        "format=csv&count=3&offset=3": "book-results.csv",
        "format=txt&outcome=solved&duplicates=without": "book-unique-without-duplicates.txt",
        "format=csv&technique=X-Wing&search=<Al>": "book-x-wing-al.csv",
    }
    for query, name in names.items():
        answer = http.get(f"/api/v1{job}/results?{query}", buffered=True)
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'


def test_first_puzzles_in_an_order_run_again(http: FlaskClient, job: str) -> None:
    fields = {"search": "alpha", "sort": "-rating", "count": "1", "limit": "3", "minlex": "true"}
    answer = http.post(f"{job}/again", data=fields)
    assert answer.status_code == 303
    new: Any = http.get(f"/api/v1{answer.headers['Location']}").json
    assert (new["total"], new["source"]["where"]) == (1, {"numbers": "1"})
    assert "Selection: chosen puzzles." in http.get(answer.headers["Location"]).text


@pytest.mark.parametrize("numbers", [[1], [1, 2, 3], [2, 4, 5, 9], [*range(5, 500), 700]])
def test_lists_of_numbers_are_read_as_they_were_written(numbers: list[int]) -> None:
    assert read_numbers(write_numbers(numbers)) == numbers


@pytest.mark.parametrize("text", ["", "0", "1,", "a", "1--2", "1 2", "1-20000"])
def test_malformed_lists_of_numbers_are_rejected(text: str) -> None:
    assert read_numbers(text) is None
