"""Buttons on the pages of a job that run its puzzles again, and how the pages name the new job."""

import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from http_jobs import post, work

from worker.service import Service

pytestmark = pytest.mark.redis

UNIQUE = "12.4...2....4..1"
MANY = "1..............."
CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARDER = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
HARDEST = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."


def presets(page: str) -> list[str]:
    return re.findall(r'title="Creates a new job"[^>]*>([^<]*)<', page)


def press(http: FlaskClient, path: str, label: str) -> Any:
    """Press a button on a page that runs a job's puzzles again, and return the new job."""
    forms = re.findall(r'<form[^>]* action="([^"]*/again)"[^>]*>(.*?)</form>',
                       http.get(path).text, re.DOTALL)  # fmt: skip
    [(action, form)] = [each for each in forms if f">{label}</button>" in each[1]]
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="(\w+)"', form))
    answer = http.post(action, data=fields)
    assert answer.status_code == 303, answer.text
    return http.get("/api/v1" + answer.headers["Location"]).get_json()


def test_a_job_that_runs_again_is_named_by_its_purpose_and_links_to_the_first(
    http: FlaskClient, service: Service
) -> None:
    first = post(http, f"{UNIQUE}\n{UNIQUE}\n", name="weekly.txt").json
    work(service)
    url = f"/jobs/{first['id']}/again"
    options = {"limit": "2", "step_limit": "1000"}
    names = []
    for added in ({"rate": "true"}, {"minlex": "true"}, {"explain": "true"}, {}):
        page = http.post(url, data=options | added, follow_redirects=True).text
        assert re.search(rf'href="/jobs/{first["id"]}">weekly.txt</a> and were run again', page)
        names.append(re.findall(r"<h1>(.*?)</h1>", page)[0])
    assert names == [
        "weekly.txt, rated",
        "Duplicates in weekly.txt",
        "weekly.txt, explained",
        "weekly.txt, again",
    ]


def test_a_search_for_duplicates_is_named_by_the_number_of_puzzles_without_a_name(
    http: FlaskClient, service: Service
) -> None:
    first = post(http, f"{UNIQUE}\n{UNIQUE}\n").json
    work(service)
    page = http.post(f"/jobs/{first['id']}/duplicates", follow_redirects=True).text
    assert "Duplicates in 2 puzzles</a>" in page


def test_page_of_a_job_runs_the_shown_puzzles_again(http: FlaskClient, service: Service) -> None:
    first = post(http, f"{UNIQUE}\n{MANY}\n{UNIQUE}\n", minlex="true", name="mine").json
    assert "Run again" not in http.get(f"/jobs/{first['id']}").text
    work(service)
    assert "Run these 3 puzzles again" in http.get(f"/jobs/{first['id']}").text
    assert "Run this puzzle again" in http.get(f"/jobs/{first['id']}?outcome=multiple").text
    form = {"outcome": "solved", "limit": "3", "step_limit": "7", "count_only": "true"}
    answer = http.post(f"/jobs/{first['id']}/again", data=form)
    assert answer.status_code == 303, answer.text
    job = http.get("/api/v1" + answer.headers["Location"]).get_json()
    assert (job["total"], job["source"]["where"]) == (2, {"outcome": "solved"})
    changed = {"limit": 3, "step_limit": 7, "count_only": True, "minlex": False}
    assert job["options"] == first["options"] | changed
    page = http.get(answer.headers["Location"]).text
    assert f'href="/jobs/{first["id"]}?outcome=solved"' in page
    assert http.get("/api/v1/jobs").get_json()["jobs"][0]["id"] == job["id"]
    wrong = http.post(f"/jobs/{first['id']}/again", data={"step_limit": "many"})
    assert wrong.status_code == 422
    assert http.post("/jobs/unknown/again").status_code == 404


def test_the_button_that_rates_all_puzzles_has_a_short_label(
    http: FlaskClient, service: Service
) -> None:
    first = post(http, f"{CLASSIC}\n{CLASSIC}\n").json
    work(service)
    assert presets(http.get(f"/jobs/{first['id']}").text)[0] == "Rate the 2 puzzles"


def test_presets_on_a_job_page_run_the_puzzles_with_an_outcome_again(
    http: FlaskClient, service: Service
) -> None:
    text = f"{CLASSIC}\n{HARDER}\n{CLASSIC}\n{HARDEST}\n"
    first = post(http, text, step_limit="10", minlex="true").json
    path = f"/jobs/{first['id']}"
    assert presets(http.get(path).text) == []
    work(service)
    rate = "Rate the 3 puzzles with one solution"
    raise_limit = "Allow 100 guesses for the undecided puzzle"
    assert presets(http.get(path).text) == [rate, raise_limit]
    assert presets(http.get(f"{path}?outcome=solved").text) == [rate]
    assert presets(http.get(f"{path}?outcome=multiple").text) == []
    job = press(http, path, rate)
    assert (job["total"], job["source"]["where"]) == (3, {"outcome": "solved"})
    assert job["options"] == first["options"] | {"rate": True}
    work(service)
    assert presets(http.get(f"/jobs/{job['id']}").text) == []
    job = press(http, path, raise_limit)
    assert (job["total"], job["source"]["where"]) == (1, {"outcome": "step_limit"})
    assert job["options"] == first["options"] | {"step_limit": 100}


def test_buttons_in_a_report_run_the_puzzles_again_for_what_it_lacks(
    http: FlaskClient, service: Service
) -> None:
    first = post(http, f"{CLASSIC}\n{HARDER}\n", limit="3").json
    work(service)
    path = f"/jobs/{first['id']}/report"
    rated = press(http, path, "Rate the puzzles")
    assert (rated["total"], rated["options"]) == (2, first["options"] | {"rate": True})
    tested = press(http, path, "Test the minimality")
    assert (tested["total"], tested["options"]) == (2, first["options"] | {"minimal": True})
    work(service)
    assert ">Rate the puzzles</button>" not in http.get(f"/jobs/{rated['id']}/report").text


def test_presets_fit_the_options_and_boards_of_the_job(http: FlaskClient, service: Service) -> None:
    small = post(http, f"{UNIQUE}\n").json
    first_solution = post(http, f"{CLASSIC}\n{CLASSIC}\n", limit="1").json
    work(service)
    assert presets(http.get(f"/jobs/{small['id']}").text) == []
    label = "Check the 2 solved puzzles for uniqueness"
    assert presets(http.get(f"/jobs/{first_solution['id']}").text) == [label, "Find duplicates"]
    assert press(http, f"/jobs/{first_solution['id']}", label)["options"]["limit"] == 2
