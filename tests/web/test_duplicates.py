"""The page that lists the puzzles of a job that are duplicates of others."""

import csv
import io
import json
import re
from collections.abc import Iterator
from html import unescape

import pytest
from flask.testing import FlaskClient
from http_jobs import finished, work
from hypothesis import given
from hypothesis import strategies as st

from solver.board.text_lines import Lines
from web.pages import duplicates
from web.results.duplicate_kinds import kind_of_duplicate
from web.results.duplicates import find_duplicates
from worker.records.chunk_result import ChunkResult
from worker.service import Service

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
OTHER = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
# CLASSIC with its rows from right to left, and with the values 1 and 2 exchanged
MIRRORED = "".join(CLASSIC[row : row + 9][::-1] for row in range(0, 81, 9))
RELABELED = CLASSIC.translate(str.maketrans("12", "21"))
SMALL = "12.4...2....4..1"


def groups_of(page: str) -> list[str]:
    """Return the text of each group on a page of duplicates."""
    text = re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL)
    rows = re.findall(r"<article.*?</p>(.*?)</article>", text, re.DOTALL)
    return [unescape(" ".join(re.sub(r"<[^>]+>", " ", row).split())) for row in rows]


def chunk(forms: list[str]) -> ChunkResult:
    lines = Lines("\n".join(forms))
    none = bytes(8 * len(forms))
    return ChunkResult(
        lines=none, outcomes=bytes(len(forms)), counts=none, steps=none,
        puzzles=lines, solutions=lines, minlex=lines,
    )  # fmt: skip


@given(st.lists(st.lists(st.sampled_from(["", "a", "b", "c"]), min_size=1, max_size=4)))
def test_records_with_the_same_form_are_one_group_in_upload_order(chunks: list[list[str]]) -> None:
    forms = [form for each in chunks for form in each]

    def read() -> Iterator[tuple[int, ChunkResult]]:
        first = 1
        for each in chunks:
            yield first, chunk(each)
            first += len(each)

    found = [[record.number for record in group] for group in find_duplicates(read)]
    every = [[n for n, other in enumerate(forms, 1) if other == form] for form in {*forms} - {""}]
    assert found == sorted(group for group in every if len(group) > 1)


@pytest.mark.redis
def test_page_lists_each_puzzle_with_its_duplicates_and_their_names(
    http: FlaskClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"{CLASSIC} a\n{OTHER}\nxx\n{SMALL}\n{MIRRORED} b\n{SMALL}\n{OTHER}\n{RELABELED} c&d\n"
    path = finished(http, service, text, minlex="true", format="line")
    assert f'href="{path}/duplicates"' in http.get(path).text
    page = http.get(f"{path}/duplicates").text
    assert "8 puzzles, 5 of them different: 3 repeat earlier ones, in 2 groups." in page
    whole = [
        "puzzle 1 a first of them puzzle 5 b turned or mirrored puzzle 8 c&d other digits",
        "puzzle 2 first of them puzzle 7 identical",
    ]
    assert groups_of(page) == whole
    assert page.count('<svg class="board') == 5
    monkeypatch.setattr(duplicates, "GROUPS_PER_PAGE", 1)
    monkeypatch.setattr(duplicates, "MAX_DRAWN", 1)
    monkeypatch.setattr(duplicates, "MAX_LISTED", 1)
    short = groups_of(http.get(f"{path}/duplicates").text)
    assert short == ["puzzle 1 a first of them Also puzzle 5 (b), and 1 more"]
    later = groups_of(http.get(f"{path}/duplicates?offset=1").text)
    assert later == ["puzzle 2 first of them Also puzzle 7"]
    [url] = re.findall(r'href="(/api/[^"]*duplicates=without)"', page)
    downloaded = http.get(unescape(url)).text.replace("0", ".").split()
    assert downloaded == [CLASSIC, OTHER, SMALL, SMALL]


@pytest.mark.redis
@pytest.mark.parametrize("rate", ["true", "false"])
def test_downloads_and_rows_name_the_puzzle_that_is_repeated(
    http: FlaskClient, service: Service, rate: str
) -> None:
    text = f"{CLASSIC}\n{OTHER}\nxx\n{MIRRORED}\n{RELABELED}\n"
    path = finished(http, service, text, minlex="true", rate=rate, format="line")
    results = f"/api/v1{path}/results"
    lines = map(json.loads, http.get(results).text.splitlines())
    assert [line["duplicate_of"] for line in lines] == [None, None, None, 1, 1]
    rows = csv.DictReader(io.StringIO(http.get(f"{results}?format=csv&duplicates=only").text))
    assert [(row["n"], row["duplicate_of"]) for row in rows] == [("4", "1"), ("5", "1")]
    assert 'duplicate of <a href="' in http.get(path).text


@pytest.mark.redis
def test_duplicates_have_no_column_where_they_are_unknown(
    http: FlaskClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = finished(http, service, f"{CLASSIC}\n{CLASSIC}\n")
    assert "duplicate_of" not in http.get(f"/api/v1{plain}/results").text
    compared = finished(http, service, f"{CLASSIC}\n{CLASSIC}\n", minlex="true")
    monkeypatch.setattr("web.results.duplicates.MAX_COMPARED", 1)
    assert "duplicate_of" not in http.get(f"/api/v1{compared}/results?format=csv").text


@pytest.mark.parametrize(
    ("other", "kind"),
    [
        (CLASSIC, "identical"),
        (RELABELED, "other digits"),
        (MIRRORED, "turned or mirrored"),
        (MIRRORED.translate(str.maketrans("12", "21")), "turned or mirrored, other digits"),
        (CLASSIC[9:18] + CLASSIC[:9] + CLASSIC[18:], "rows or columns swapped"),
    ],
)
def test_kind_of_a_duplicate_is_how_it_differs_from_the_first_puzzle(other: str, kind: str) -> None:
    assert kind_of_duplicate(CLASSIC, other) == kind


@pytest.mark.redis
def test_page_explains_why_it_lists_no_duplicates(
    http: FlaskClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = finished(http, service, f"{CLASSIC}\n{OTHER}\n", minlex="true")
    assert "puzzles appears once" in http.get(f"{path}/duplicates").text
    monkeypatch.setattr(duplicates, "MAX_PUZZLES", 1)
    answer = http.get(f"{path}/duplicates")
    assert answer.status_code == 422
    assert "jobs of up to 1 puzzles, but this one has 2" in answer.text


@pytest.mark.redis
def test_page_of_a_job_that_did_not_look_for_duplicates_offers_to_find_them(
    http: FlaskClient, service: Service
) -> None:
    path = finished(http, service, f"{CLASSIC}\n{CLASSIC}\n")
    assert f'href="{path}/duplicates"' not in http.get(path).text
    answer = http.get(f"{path}/duplicates")
    assert answer.status_code == 200
    assert "This job didn’t look for duplicates" in answer.text
    assert f'action="{path}/duplicates" method="post"' in answer.text
    found = http.post(f"{path}/duplicates").headers["Location"]
    work(service)
    assert groups_of(http.get(found).text) == ["puzzle 1 first of them puzzle 2 identical"]


@pytest.mark.redis
def test_page_offers_no_search_for_duplicates_that_would_fail(
    http: FlaskClient, service: Service
) -> None:
    upload = http.post("/api/v1/jobs", data=f"{CLASSIC}\n{CLASSIC}\n", content_type="text/plain")
    running = http.get(f"/jobs/{upload.get_json()['id']}/duplicates").text
    assert "when it has ended" in running
    work(service)
    single = http.get(f"{finished(http, service, CLASSIC)}/duplicates").text
    assert "no two puzzles" in single
    assert '/duplicates" method="post"' not in running + single


@pytest.mark.redis
def test_button_only_looks_for_duplicates_and_leads_to_them(
    http: FlaskClient, service: Service
) -> None:
    path = finished(http, service, f"{CLASSIC}\n{OTHER}\n{MIRRORED}\n", rate="true", name="weekly")
    assert f'action="{path}/duplicates"' in http.get(path).text
    answer = http.post(f"{path}/duplicates", data={"numbers": "1,3"})
    assert answer.status_code == 303
    page = answer.headers["Location"]
    assert page.endswith("/duplicates")
    assert "0 of 2 puzzles are compared" in http.get(page).text
    work(service)
    assert groups_of(http.get(page).text) == ["puzzle 1 first of them puzzle 2 turned or mirrored"]
    assert f'href="{path}?numbers=1' in http.get(page).text
    job = http.get("/api/v1" + page.removesuffix("/duplicates")).get_json()
    assert job["name"] == "Duplicates in weekly"
    assert (job["options"]["minlex"], job["options"]["rate"]) == (True, False)
    again = http.post(page)
    assert again.headers["Location"] == page


@pytest.mark.redis
def test_puzzle_that_repeats_a_duplicate_is_identical_to_that_one(
    http: FlaskClient, service: Service
) -> None:
    path = finished(http, service, f"{CLASSIC}\n{MIRRORED}\n{MIRRORED}\n{CLASSIC}\n", minlex="true")
    assert groups_of(http.get(f"{path}/duplicates").text) == [
        "puzzle 1 first of them puzzle 2 turned or mirrored puzzle 3 identical to puzzle 2 "
        "puzzle 4 identical"
    ]
