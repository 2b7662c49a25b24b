"""The page of a job: its results in pages, its filters, and its end."""

import re

import jobs
import pytest
from flask.testing import FlaskClient
from http_jobs import finished, submit_form, work

from worker.process.chunk_runner import ChunkRunner
from worker.service import Service

GOOD = "12.4...2....4..1"
CONFLICT = "11.............."
CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
TWICE = "5" + CLASSIC[:-1]


def numbers(page: str) -> list[int]:
    """Return the numbers of the puzzles in a page's table."""
    return [int(number) for number in re.findall(r'<tr id="n(\d+)"', page)]


def test_running_job_reloads_itself_without_scripts(http: FlaskClient, service: Service) -> None:
    path = submit_form(http, GOOD)
    page = http.get(path).text
    assert '<noscript><meta http-equiv="refresh"' in page
    assert "Stop the job" in page
    assert "Download" not in page
    work(service)
    page = http.get(f"{path}?n=1").text
    assert "refresh" not in page
    assert "Download" in page


def test_only_the_large_numbers_count_results_while_a_job_runs(
    http: FlaskClient, service: Service
) -> None:
    job_id = jobs.upload(service, f"{CLASSIC}\n" * 120, per_chunk=60, rate=True)
    ChunkRunner(service, worker="here").run(job_id, 0)
    page = http.get(f"/jobs/{job_id}").text
    assert re.search(r"<span>One solution</span> <b[^>]*>60</b>", page)
    assert "<span>All</span>" not in page
    assert ">the results so far as …</span>" in page
    assert "<span>1–50</span>" in page
    assert "(60)" not in page
    ChunkRunner(service, worker="here").run(job_id, 1)
    page = http.get(f"/jobs/{job_id}").text
    assert re.search(r"<span>All</span> <b[^>]*>120</b>", page)
    assert ">120 puzzles as …</span>" in page
    assert "1–50 of 120" in page
    assert "(120)" in page


def test_job_with_one_puzzle_opens_its_page(http: FlaskClient, service: Service) -> None:
    path = finished(http, service, GOOD)
    answer = http.get(path)
    assert (answer.status_code, answer.location) == (303, f"{path}/puzzles/1")
    # The list of results is still there, and linked from the puzzle.
    assert f'href="{path}?n=1"' in http.get(answer.location).text
    assert numbers(http.get(f"{path}?n=1").text) == [1]
    assert http.get(finished(http, service, f"{GOOD}\n{GOOD}")).status_code == 200


def test_results_are_paginated(http: FlaskClient, service: Service) -> None:
    path = finished(http, service, f"{CLASSIC}\n" * 120)
    assert numbers(http.get(path).text) == list(range(1, 51))
    last = http.get(f"{path}?offset=100").text
    assert numbers(last) == list(range(101, 121))
    assert 'rel="next"' not in last
    assert 'rel="prev"' in last


@pytest.mark.parametrize("offset", ["-5", "x", "9" * 30, "0"])
def test_no_offset_breaks_the_page(http: FlaskClient, service: Service, offset: str) -> None:
    path = finished(http, service, GOOD)
    assert http.get(f"{path}?offset={offset}").status_code == 200


def test_downloads_are_labeled_with_their_contents(http: FlaskClient, service: Service) -> None:
    page = http.get(f"{finished(http, service, GOOD)}?n=1").text
    labels = dict(re.findall(r"results\?format=(\w+)[^>]*>([^<]*)</a>", page))
    assert labels["txt"] == "Solutions only (txt)"
    assert labels["sdm"] == "Puzzles only (sdm)"
    assert labels["grid"] == "Drawn solutions (grid)"


def test_empty_page_of_a_running_job_has_no_pages_to_turn(http: FlaskClient) -> None:
    page = http.get(submit_form(http, f"{CLASSIC}\n" * 120)).text
    assert "The results of puzzles 1–50 appear here as soon as they are done." in page
    assert "of 120</span>" not in page.split('id="paging"')[1]
    assert 'rel="next"' not in page


def test_filter_of_a_running_job_without_matches_is_named(http: FlaskClient) -> None:
    page = http.get(submit_form(http, CLASSIC) + "?outcome=multiple").text
    assert "No puzzles found so far: " in page
    assert "appear here" not in page


def test_puzzle_is_found_by_its_number(http: FlaskClient, service: Service) -> None:
    path = finished(http, service, f"{CLASSIC}\n" * 120)
    answer = http.get(f"{path}?n=77")
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"{path}?offset=50#n77"
    assert http.get(f"{path}?n=121").status_code == 200


def test_results_are_filtered_by_outcome(http: FlaskClient, service: Service) -> None:
    path = finished(http, service, f"{CLASSIC}\n{TWICE}\n" * 60)
    page = http.get(f"{path}?outcome=invalid&offset=50").text
    assert numbers(page) == list(range(102, 121, 2))
    assert "51–60 of 60" in page
    assert "outcome=invalid" in page
    assert numbers(http.get(f"{path}?outcome=nonsense").text) == list(range(1, 51))


def test_invalid_records_have_a_reason(http: FlaskClient, service: Service) -> None:
    path = finished(http, service, f"{GOOD}\n{CONFLICT}\n<script>\n")
    page = http.get(path).text
    assert "1 twice in row 1: r1c1, r1c2" in page
    assert '<text class="wrong" x="10 30" y="15">11</text>' in page
    assert "&lt;script&gt;" in page


def test_job_is_cancelled_and_deleted(http: FlaskClient) -> None:
    path = submit_form(http, GOOD)
    answer = http.post(f"{path}/cancel")
    assert (answer.status_code, answer.headers["Location"]) == (303, path)
    assert "cancelled" in http.get(path).text
    answer = http.post(f"{path}/delete")
    assert answer.status_code == 303
    assert "were deleted" in http.get(answer.headers["Location"]).text
    assert http.get(path).status_code == 404
