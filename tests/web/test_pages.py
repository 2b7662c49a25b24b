"""All pages: the list of formats, missing pages, outside hosts, and how numbers are shown."""

import re

import pytest
from flask.testing import FlaskClient
from http_jobs import finished, submit_form

from solver.formats import FORMATS
from web.pages.filters import show_bytes, show_duration, show_number
from worker.service import Service

GOOD = "12.4...2....4..1"


def formats_on(page: str) -> list[str]:
    return re.findall(r'<details class="entry" id="(\w+)"', page)


def test_page_of_formats_shows_every_one(http: FlaskClient) -> None:
    assert {*formats_on(http.get("/formats").text)} == {format_.name for format_ in FORMATS}
    assert "curl -T puzzles.txt http://localhost/api/v1/jobs/" in http.get("/").text


def test_formats_are_found_by_any_words_without_scripts(http: FlaskClient) -> None:
    assert formats_on(http.get("/formats?q=Interactive+SOLVER+thermo").text) == ["iss"]
    nothing = http.get("/formats?q=nothing+like+<that>").text
    assert formats_on(nothing) == []
    assert "Show all" in nothing
    assert "&lt;that&gt;" in nothing


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/jobs/none", "This job isn’t here"),
        ("/jobs/none/puzzles/1", "This job isn’t here"),
        ("/nowhere", "This page doesn’t exist"),
    ],
)
def test_missing_page_is_friendly(http: FlaskClient, path: str, title: str) -> None:
    answer = http.get(path)
    assert answer.status_code == 404
    assert f"<h1>{title}</h1>" in answer.text
    assert "check that its end isn’t missing" in answer.text
    assert ("kept for a limited time" in answer.text) == (path != "/nowhere")
    assert 'class="button primary" href="/">Solve puzzles</a>' in answer.text


def test_missing_puzzle_leads_back_to_its_job(http: FlaskClient, service: Service) -> None:
    job = finished(http, service, f"{GOOD}\n{GOOD}\n")
    answer = http.get(f"{job}/puzzles/9")
    assert answer.status_code == 404
    assert f'href="{job}">Back to 2 puzzles</a>' in answer.text
    assert f'href="{job}/puzzles/2">Show the last puzzle, 2</a>' in answer.text


def test_pages_have_no_inline_script_or_style_and_no_outside_host(
    http: FlaskClient, service: Service
) -> None:
    running = submit_form(http, GOOD)
    job = finished(http, service, f"{GOOD}\nxx\n")
    for path in ("/", running, job, f"{job}/puzzles/1", f"{job}/puzzles/2", "/jobs/none"):
        answer = http.get(path)
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=", answer.text), path
        # Links may lead to other hosts, but no resource may be loaded from one.
        loaded = re.sub(r'<a [^>]*rel="noopener noreferrer">', "", answer.text)
        for address in re.findall(r'(?:src|href|action)="([^"]*)"', loaded):
            assert not re.match(r"(?:https?:)?//", address), address


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.01, "under 0.1 s"), (3.14, "3.1 s"), (75, "1 min 15 s"), (3600, "1 h"), (604_800, "7 d"),
     (59.7, "1 min"), (90_061, "1 d 1 h")],
)  # fmt: skip
def test_duration_is_shown_in_two_units(seconds: float, shown: str) -> None:
    assert show_duration(seconds) == shown


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0, "0"), (7, "7"), (0.25, "0.2"), (12.5, "12"), (1_234_567.8, "1,234,568")],
)
def test_number_is_shown_with_commas(number: float, shown: str) -> None:
    assert show_number(number) == shown


@pytest.mark.parametrize(
    ("number", "shown"),
    [(4 << 30, "4 GiB"), (1 << 20, "1 MiB"), (1536, "1,536 bytes"), (0, "0 bytes")],
)
def test_bytes_are_shown_in_the_largest_whole_unit(number: int, shown: str) -> None:
    assert show_bytes(number) == shown
