"""The list of the caller's own jobs, in the API and as a page.

One test is about the workers and their speed, in both places.
"""

import html
import json
import re
from dataclasses import replace
from typing import Any

import jobs
import pytest
from flask.testing import FlaskClient
from http_jobs import finished, submit_form, work
from itsdangerous import TimestampSigner

from web.app import create_app
from web.pages import my_jobs
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service
from worker.store import job_owners
from worker.store.job_owners import JobOwners

GOOD = "12.4...2....4..1"
CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
KEYS = ("a-key-that-is-long-enough", "another-that-is-long-enough")


def upload(http: FlaskClient, name: str, **headers: str) -> None:
    answer = http.post(
        "/api/v1/jobs", data=GOOD, query_string={"name": name}, headers=headers,
        content_type="text/plain",
    )  # fmt: skip
    assert answer.status_code == 202


def listed(http: FlaskClient, address: str = "/api/v1/jobs", **headers: str) -> list[str]:
    return [job["name"] for job in http.get(address, headers=headers).get_json()["jobs"]]


def with_settings(service: Service, **settings: Any) -> FlaskClient:
    changed = replace(service, settings=replace(service.settings, **settings))
    return create_app(service=changed).test_client()


def test_jobs_are_listed_newest_first_page_by_page(http: FlaskClient) -> None:
    names = [f"job {number}" for number in range(7)]
    for name in names:
        upload(http, name)
    seen, address = [], "/api/v1/jobs?count=3"
    while address:
        answer = http.get(address)
        seen += [job["name"] for job in answer.get_json()["jobs"]]
        following = re.fullmatch(
            r"<http://localhost(.*)>; rel=\"next\"", answer.headers.get("Link", "")
        )
        assert (following is None) == (answer.get_json()["cursor"] is None)
        address = following[1] if following else ""
    assert seen == names[::-1]
    for nonsense in ("nonsense", "nan", "-NaN"):
        assert http.get(f"/api/v1/jobs?cursor={nonsense}").status_code == 422


def test_page_lists_them_and_forgets_them(http: FlaskClient) -> None:
    assert "No jobs yet" in http.get("/my-jobs").text
    http.post("/samples/16x16.txt")
    assert ">10 puzzles, 16×16</a>" in http.get("/my-jobs").text
    assert http.get("/jobs").location == "/my-jobs"
    assert http.post("/my-jobs/forget").status_code == 303
    assert "No jobs yet" in http.get("/my-jobs").text


def test_page_groups_jobs_by_the_day_of_their_creation(
    http: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload(http, "first")
    upload(http, "second")
    days = iter(("2026-01-02", "2026-01-01"))
    monkeypatch.setattr(my_jobs, "_day", lambda _job: next(days))
    page = http.get("/my-jobs").text
    places = [page.index(part) for part in (">2026-01-02<", ">second<", ">2026-01-01<", ">first<")]
    assert places == sorted(places)


def test_a_job_with_one_puzzle_is_named_after_what_it_holds_on_all_pages(
    http: FlaskClient, service: Service
) -> None:
    thermo = {"puzzle": "." * 81, "constraints": [{"type": "thermo", "cells": ["r1c1", "r1c2"]}]}
    for puzzle, title in (
        (json.dumps(thermo), "Thermometer 9×9"),
        (json.dumps(thermo | {"title": "My thermo"}), "My thermo"),
        (json.dumps({"puzzle": CLASSIC, "title": "x" * 200}), "x" * 100 + "…"),
        (json.dumps({"puzzle": CLASSIC, "id": "17"}), "Classic 9×9, 30 givens"),
        (GOOD, "Sudoku 4×4, 6 givens"),
        ("12.4...2....4..11", "1 puzzle"),
    ):
        path = submit_form(http, puzzle)
        assert f'href="{path}">1 puzzle</a>' in http.get("/my-jobs").text
        work(service)
        assert f'href="{path}">{title}</a>' in http.get("/my-jobs").text
        for page in ("?outcome=", "/puzzles/1", "/report", "/duplicates", "/book"):
            assert title in http.get(f"{path}{page}").text
    named = finished(http, service, GOOD, name="given by hand")
    assert f'href="{named}">given by hand</a>' in http.get("/my-jobs").text
    several = finished(http, service, f"{GOOD}\n{GOOD}\n")
    assert f'href="{several}">2 puzzles</a>' in http.get("/my-jobs").text


def test_the_page_searches_in_the_titles_that_it_shows(http: FlaskClient, service: Service) -> None:
    for puzzle in (CLASSIC, GOOD):
        finished(http, service, puzzle)
    for name, shown in (("classic", 1), ("6 GIVENS", 1), ("givens", 2), ("1 puzzle", 0)):
        page = http.get("/my-jobs", query_string={"name": name}).text
        assert page.count('class="name"') == shown
    assert len(http.get("/api/v1/jobs?name=1 puzzle").get_json()["jobs"]) == 2


def test_deleted_jobs_leave_the_list(http: FlaskClient) -> None:
    upload(http, "gone")
    upload(http, "kept")
    job_id = http.get("/api/v1/jobs").get_json()["jobs"][1]["id"]
    http.delete(f"/api/v1/jobs/{job_id}")
    assert listed(http) == ["kept"]


@pytest.mark.parametrize("address", ["/api/v1/jobs?count=3", "/my-jobs"])
def test_pages_are_full_after_deletions(
    http: FlaskClient, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr(my_jobs, "USUALLY_LISTED", 3)
    for number in range(20):
        upload(http, f"job {number}")
    # Delete the five newest jobs, all but one of the next page, and the oldest ones.
    kept = (14, 11, 9, 8, 7, 4)
    for job in http.get("/api/v1/jobs").get_json()["jobs"]:
        if int(job["name"].split()[1]) not in kept:
            http.delete(f"/api/v1/jobs/{job['id']}")
    pages = []
    while address:
        answer = http.get(address)
        is_page = address.startswith("/my-jobs")
        pages.append(
            re.findall(r"job \d+(?=</a>)" if is_page else r'(?<="name":")job \d+', answer.text)
        )
        following = re.search(
            r'rel="next" href="([^"]*)"' if is_page else r"<http://localhost([^>]*)>",
            answer.text if is_page else answer.headers.get("Link", ""),
        )
        address = html.unescape(following[1]) if following else ""
    assert "No older jobs" in http.get("/my-jobs?cursor=1").text
    assert pages == [["job 14", "job 11", "job 9"], ["job 8", "job 7", "job 4"]]


def test_each_key_has_its_own_list(service: Service) -> None:
    http = with_settings(service, api_keys=KEYS)
    mine, other = ({"Authorization": f"Bearer {key}"} for key in KEYS)
    upload(http, "mine", **mine)
    assert listed(http, **mine) == ["mine"]
    assert listed(http, **other) == []
    assert http.get("/api/v1/jobs").status_code == 401


def test_each_browser_has_its_own_list_if_no_key_is_required(service: Service) -> None:
    http = with_settings(service, open_to_all=True)
    upload(http, "first")
    upload(http, "second")
    assert listed(http) == ["second", "first"]
    cookie = http.get_cookie("sudokuq_owner")
    assert cookie is not None
    assert cookie.http_only
    # A client with the same IP address but without the cookie.
    other = with_settings(service, open_to_all=True)
    assert listed(other) == []
    # Any web process on the same Redis accepts the cookie, but a forged one owns no jobs.
    other.set_cookie("sudokuq_owner", cookie.value)
    assert listed(other) == ["second", "first"]
    name, *signature = cookie.value.split(".")
    for forged in (name, f"{name}x.{'.'.join(signature)}", "", "x" * 3000):
        other.set_cookie("sudokuq_owner", forged)
        assert listed(other) == []


def test_cookie_lasts_as_long_as_the_latest_job_and_is_deleted_with_the_list(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    retention, now = int(service.settings.retention), 1_800_000_000
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda _: now)
    http = with_settings(service, open_to_all=True)
    upload(http, "early")
    now += retention - 1
    upload(http, "late")
    now += retention - 1
    assert listed(http) == ["late", "early"]
    now += 2
    assert listed(http) == []
    now -= 2
    http.post("/my-jobs/forget")
    assert http.get_cookie("sudokuq_owner") is None


def test_list_has_an_end_and_expires(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_owners, "MAX_JOBS_PER_OWNER", 3)
    store = JobOwners(service.redis, settings=service.settings)
    for number in range(5):
        store.add("me", f"job{number}", created_at=1e9 + number)
    assert list(store.jobs("me", count=9)) == ["job4", "job3", "job2"]
    assert all(service.redis.ttl(key) > 0 for key in service.redis.keys("sudokuq:owned:*"))


@pytest.mark.redis
@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (GOOD, {}, "One solution"),
        (GOOD, {"explain": "true"}, "One solution, easy"),
        (CLASSIC, {"rate": "true"}, "One solution, easy"),
        ("1" + "." * 15, {}, "At least 2 solutions"),
        ("11" + "." * 14, {}, "Invalid"),
    ],
)
def test_verdict_on_a_single_puzzle_is_listed_in_words(
    http: FlaskClient, service: Service, text: str, options: dict[str, str], words: str
) -> None:
    finished(http, service, f"{text}\n", **options)
    finished(http, service, f"{text}\n{text}\n")
    assert re.findall(r'class="in-words \w+">([^<]*)<', http.get("/my-jobs").text) == [words]


@pytest.mark.redis
@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{GOOD}\n{GOOD}\n", "all with one solution"),
        (f"{GOOD}\n{'1' + '.' * 15}\n{'11' + '.' * 14}\n", "1 with several solutions, 1 invalid"),
    ],
)
def test_puzzles_without_one_solution_are_counted_in_the_list(
    http: FlaskClient, service: Service, text: str, words: str
) -> None:
    finished(http, service, text)
    assert f'class="exceptions">{words}<' in http.get("/my-jobs").text


@pytest.mark.redis
def test_canceled_job_in_the_list_says_how_many_puzzles_were_done(service: Service) -> None:
    job_id = jobs.upload(service, f"{GOOD}\n{GOOD}\n{'1' + '.' * 15}\n", per_chunk=2)
    ChunkRunner(service, worker="here").run(job_id, 0)
    service.jobs.cancel(job_id)
    words = my_jobs._exceptions(jobs.job_of(service, job_id))
    assert words == "2 done, all with one solution"
