"""Jobs with ratings and explanations: columns, counts, filters, sorted results, and pages."""

import csv
import html
import io
import json
import re
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from http_jobs import post, work
from paths import DATA
from services import wait_until

from solver import solve
from solver.engines.engine import ABANDON, FINISH, GO_ON
from solver.formats import recognize
from solver.formats.format import Block, Recognized
from web.pages.rating_bands import Band, bands_of
from web.results import sort_orders
from web.results.rating_range import RatingRange, read_range
from worker.job import JobOptions
from worker.process.explain_record import explain_record
from worker.process.heartbeat import Heartbeat
from worker.process.solve_block import BlockSolver, parse_block
from worker.service import Service

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
MANY = "1" + "." * 80
# A 5 was entered in r1c3, which makes the puzzle unsolvable.
WRONG_ENTRY = "145678.93..9.41.866...59..456.792.38...563..9923184657...8.7962876925341.9.4.6875"
SMALL = "12.4...2....4..1"
# A killer in which logic fills no cell.
KILLER = "G<<L<K<L<^G>^>^E^^>^IJ<G^<G^>^^I^<>^HC<C^<B^N^^G^<>^>^^E^<DF<^PG^<>^^J<^^<H<<>^>^"


def puzzles() -> list[tuple[str, float]]:
    """Return a few puzzles with ratings up to 2.8, some of them equal, unsorted."""
    rows = [line.split() for line in (DATA / "explainer" / "ratings.txt").read_text().splitlines()]
    rated = [(row[0], float(row[1].split("/")[0])) for row in rows if row[0] != "#"]
    low = [entry for entry in rated if entry[1] <= 2.8]
    return [*low[::-4], *low[:3]]


@pytest.fixture
def rated(http: Any, service: Service) -> str:
    lines = [text for text, _ in puzzles()]
    job = post(http, "\n".join([*lines, MANY, "xx"]), rate="1").json
    work(service)
    return f"/api/v1/jobs/{job['id']}"


def rows(http: Any, url: str, **query: str) -> list[dict[str, Any]]:
    answer = http.get(f"{url}/results", query_string=query)
    assert answer.status_code == 200, answer.json
    return [json.loads(line) for line in answer.text.splitlines()]


def test_results_have_ratings(http: Any, rated: str) -> None:
    answered = rows(http, rated)
    expected = [rating for _, rating in puzzles()]
    assert [row["rating"] for row in answered] == [*expected, None, None]
    first = answered[0]
    assert first["ep"] <= first["rating"]
    assert first["hodoku_score"] > 0
    assert first["hodoku_level"] in ("easy", "medium")
    assert first["difficulty"] in ("easy", "medium")
    assert sum(first["techniques"].values()) >= first["puzzle"].count(".")
    assert answered[-1]["hodoku_level"] is None


def test_csv_has_the_same_columns(http: Any, rated: str) -> None:
    text = http.get(f"{rated}/results?format=csv").text
    answered = list(csv.DictReader(io.StringIO(text)))
    expected = rows(http, rated)
    assert list(answered[0]) == list(expected[0])
    for row, known in zip(answered, expected, strict=True):
        assert row["rating"] == ("" if known["rating"] is None else str(known["rating"]))
        assert row["difficulty"] == (known["difficulty"] or "")
    assert "Hidden Single" in answered[0]["techniques"]


def test_a_job_counts_its_ratings(http: Any, rated: str) -> None:
    counts: dict[str, int] = {}
    for rating in sorted(rating for _, rating in puzzles()):
        counts[str(rating)] = counts.get(str(rating), 0) + 1
    found = http.get(rated).json["ratings"]
    assert found == counts


def test_jobs_that_do_not_rate_have_no_ratings(http: Any, service: Service) -> None:
    job = post(http, EASY).json
    work(service)
    url = f"/api/v1/jobs/{job['id']}"
    assert http.get(url).json["ratings"] == {}
    (row,) = rows(http, url)
    assert row["rating"] is None
    assert "ep" not in row
    for query in ("rating=1..", "sort=rating"):
        answer = http.get(f"{url}/results?{query}")
        assert (answer.status_code, answer.json["field"]) == (422, "rating")


@pytest.mark.parametrize("text", ["2.0..", "..2.0", "1.5..2.5", "2.6", "9.0.."])
def test_results_are_selected_by_rating(text: str, http: Any, rated: str) -> None:
    wanted = read_range(text)
    assert wanted is not None
    known = [n for n, (_, rating) in enumerate(puzzles(), 1) if rating in wanted]
    assert [row["n"] for row in rows(http, rated, rating=text)] == known
    assert [row["n"] for row in rows(http, rated, rating=text, offset="1", count="2")] == known[1:3]


@pytest.mark.parametrize("most_held", [1, 4, 1000])
@pytest.mark.parametrize("sort", ["rating", "-rating"])
def test_results_are_sorted_by_rating(
    sort: str, most_held: int, http: Any, rated: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sort_orders, "MOST_RATED_HELD", most_held)
    sign = -1 if sort == "-rating" else 1
    scores = {row["n"]: row["hodoku_score"] for row in rows(http, rated)}
    counts = Counter(rating for _, rating in puzzles())
    known = sorted(
        ((rating, n) for n, (_, rating) in enumerate(puzzles(), 1)),
        key=lambda entry: (
            sign * entry[0],
            sign * scores[entry[1]] if counts[entry[0]] <= most_held else 0,
        ),
    )
    everything = [n for _, n in known]
    by_rating = sorted(range(1, len(known) + 1), key=lambda n: sign * puzzles()[n - 1][1])
    assert (everything != by_rating) == (most_held > 1)  # the scores matter
    assert [row["n"] for row in rows(http, rated, sort=sort)] == everything
    for offset, count in ((0, 1), (3, 4), (len(everything) - 1, 5), (500, 1)):
        page = rows(http, rated, sort=sort, offset=str(offset), count=str(count))
        assert [row["n"] for row in page] == everything[offset : offset + count]
    only = [n for rating, n in known if rating <= 2.0]
    assert [row["n"] for row in rows(http, rated, sort=sort, rating="..2.0")] == only
    assert rows(http, rated, sort=sort, outcome="multiple") == []


@pytest.mark.parametrize("query", ["rating=x", "rating=..", "rating=3..2", "sort=name"])
def test_selections_that_cannot_be_are_refused(query: str, http: Any, rated: str) -> None:
    answer = http.get(f"{rated}/results?{query}")
    assert answer.status_code == 422
    assert answer.json["field"] in query


def test_ranges_are_read() -> None:
    assert read_range("7.1..8.0") == RatingRange(7.1, 8.0)
    assert read_range("7.1") == RatingRange(7.1, 7.1)
    assert 7.1 in RatingRange(7.1, 7.1)


def test_bands_have_words() -> None:
    assert bands_of({"1.2": 3, "2.3": 1, "7.1": 2}) == [
        Band("easy", "1.2..2.3", 4),
        Band("very hard", "7.1..7.1", 2),
    ]


def test_rating_needs_a_limit_that_proves_uniqueness(http: Any) -> None:
    for option in ("rate", "explain"):
        answer = post(http, EASY, limit="1", **{option: "1"})
        assert (answer.status_code, answer.json["field"]) == (422, "limit")


def test_explanations_are_kept(http: Any, service: Service) -> None:
    job = post(http, f"{EASY}\n{MANY}\n", explain="1", rate="1").json
    work(service)
    url = f"/api/v1/jobs/{job['id']}"
    answer = http.get(f"{url}/puzzles/1?wait=0")
    explanation = answer.json["explanation"]
    assert "Retry-After" not in answer.headers
    assert explanation["solved"]
    assert answer.json["rating"] == explanation["difficulty"]["rating"]
    first = explanation["deductions"][0]
    assert first["technique"] in explanation["counts"]
    assert first["placements"][0].keys() == {"cell", "value"}
    assert http.get(f"{url}/puzzles/2").json["explanation"] is None


def test_boards_of_any_size_are_explained_but_not_rated(http: Any, service: Service) -> None:
    job = post(http, SMALL, explain="1", rate="1").json
    work(service)
    answer = http.get(f"/api/v1/jobs/{job['id']}/puzzles/1?wait=0").json
    assert answer["rating"] is None
    assert answer["hodoku_score"] is None
    assert answer["explanation"]["solved"]


def test_puzzle_is_explained_on_demand(http: Any, service: Service) -> None:
    job = post(http, EASY).json
    work(service)
    url = f"/api/v1/jobs/{job['id']}/puzzles/1"
    answer = http.get(f"{url}?wait=0")
    assert answer.json["explanation"] is None
    assert answer.headers["Retry-After"]
    depths = service.dispatcher.queue_depths()
    assert (depths["sudokuq.small"], depths["sudokuq.explain"]) == (1, 1)  # "small" has the chunk
    http.get(f"{url}?wait=0")
    assert service.dispatcher.queue_depths() == depths  # a second GET doesn't request it again
    explain_record(service, job["id"], 1)
    answer = http.get(f"{url}?wait=0")
    assert answer.json["explanation"]["solved"]
    assert answer.json["rating"] == answer.json["explanation"]["difficulty"]["rating"]
    assert http.delete(f"/api/v1/jobs/{job['id']}").status_code == 204
    assert service.explanations.explanation(job["id"], 1) is None


def test_page_of_an_unsolvable_puzzle_names_the_wrong_entry(http: Any, service: Service) -> None:
    job = post(http, WRONG_ENTRY).json
    work(service)
    url = f"/jobs/{job['id']}/puzzles/1"
    assert "Looking for the reason." in http.get(url).text
    assert service.dispatcher.queue_depths()["sudokuq.explain"] == 1
    explain_record(service, job["id"], 1)
    page = http.get(url).text
    expected = "It would have exactly one without the 5 in r1c3, so check this entry."
    assert f"The puzzle has no solution. {expected}" in page
    assert '<text class="wrong" x="50" y="15">5</text>' in page
    assert "How a person would solve it" not in page
    explanation = http.get(f"/api/v1{url}?wait=0").json["explanation"]
    assert (explanation["ending"], explanation["deductions"]) == ("refused", [])
    assert explanation["detail"] == f"the puzzle has no solution. {expected.removesuffix('.')}"


def test_search_for_a_wrong_entry_goes_on_after_the_time_slice(http: Any, service: Service) -> None:
    job = post(http, WRONG_ENTRY).json
    work(service)
    hasty = replace(service, settings=replace(service.settings, chunk_seconds=0.0))
    explain_record(hasty, job["id"], 1)
    explanation = http.get(f"/api/v1/jobs/{job['id']}/puzzles/1?wait=0").json["explanation"]
    assert "without the 5 in r1c3" in explanation["detail"]


def test_unsolvable_puzzle_without_a_single_wrong_entry_is_searched_once(
    http: Any, service: Service
) -> None:
    job = post(http, "123....4........").json
    work(service)
    explain_record(service, job["id"], 1)
    page = http.get(f"/jobs/{job['id']}/puzzles/1").text
    assert "no solution (proved)" in page
    assert "It would have exactly one" not in page
    assert "Looking for the reason" not in page


def test_rules_that_are_kept_as_constraints_are_known_again(http: Any, service: Service) -> None:
    puzzle = {
        "size": 4,
        "grid": SMALL,
        "constraints": [{"type": "thermo", "cells": ["r1c1", "r1c2"]}],
    }
    job = post(http, json.dumps(puzzle), format="ndjson").json
    work(service)
    explain_record(service, job["id"], 1)
    answer = http.get(f"/api/v1/jobs/{job['id']}/puzzles/1?wait=0").json
    assert answer["outcome"] == "solved"
    assert answer["explanation"]["solved"]


def test_page_of_a_puzzle_lists_and_draws_deductions(http: Any, service: Service) -> None:
    job = post(http, EASY, explain="1").json
    work(service)
    page = http.get(f"/jobs/{job['id']}/puzzles/1").text
    number = len(http.get(f"/api/v1/jobs/{job['id']}/puzzles/1").json["explanation"]["deductions"])
    assert page.count("board w1 explained") == number + 1  # and the puzzle before the first step
    assert re.search(r'<text class="placed"', page)
    assert "style=" not in page


def test_page_of_a_puzzle_offers_hints_before_it_shows_the_solution(
    http: Any, service: Service
) -> None:
    job = post(http, EASY, explain="1").json
    work(service)
    page = http.get(f"/jobs/{job['id']}/puzzles/1").text
    views = re.findall(r'name="view" value="(\w+)"( checked)?', page)
    assert views == [("puzzle", " checked"), ("candidates", ""), ("steps", ""), ("solution", "")]
    assert page.index("Show a hint") < page.index("Show the solution as text")
    assert page.index("Show a hint") < page.index('id="deductions"')
    assert '<input type="range" id="place" min="0" value="0"' in page


def test_killer_that_needs_trials_is_explained_but_not_rated(http: Any, service: Service) -> None:
    job = post(http, KILLER, explain="1", rate="1").json
    work(service)
    (row,) = rows(http, f"/api/v1/jobs/{job['id']}")
    assert row["outcome"] == "solved"
    assert row["hodoku_level"] is row["difficulty"] is None
    page = http.get(f"/jobs/{job['id']}/puzzles/1").text
    assert "not rated by logic" in page
    assert "diabolical" not in page


def test_page_of_a_job_selects_by_difficulty(http: Any, rated: str) -> None:
    job_page = rated.replace("/api/v1", "")
    page = http.get(job_page).text
    levels = re.findall(r'href="([^"]+)" title="rated [^"]+"><small [^>]+>\w+</small> (\d+)<', page)
    assert sum(int(count) for _, count in levels) == len(puzzles())
    for url, count in levels:
        chosen = http.get(html.unescape(url)).text
        assert chosen.count('<tr id="n') == int(count)
        assert 'title="Show all difficulties" aria-current="page"' in chosen
        assert '<input type="hidden" name="rating"' in chosen
    assert "hardest first" in page
    hardest = http.get(f"{job_page}?sort=-rating&rating=2.6..").text
    expected = sum(rating >= 2.6 for _, rating in puzzles())
    assert hardest.count('<tr id="n') == expected
    assert 'aria-current="page">rated 2.6 to </a>' in hardest


def test_sorting_by_rating_keeps_the_outcome_and_describes_the_results(
    http: Any, rated: str
) -> None:
    job_page = rated.replace("/api/v1", "")
    number = len(puzzles())
    solved = http.get(f"{job_page}?outcome=solved").text
    assert f'href="{job_page}?outcome=solved&amp;sort=-rating"' in solved
    page = http.get(f"{job_page}?outcome=solved&sort=rating").text
    assert f"Outcome one solution, easiest first, 1–{number} of {number}</caption>" in page
    assert "unrated" not in page
    page = http.get(f"{job_page}?sort=-rating").text
    assert f"Rated results, hardest first, 1–{number} of {number}</caption>" in page
    assert "Without the 2 unrated" in page
    assert f"All results, from puzzle 1 to {number + 2}</caption>" in http.get(job_page).text


def block_solver(text: str, **options: Any) -> BlockSolver:
    data = text.encode()
    recognized = recognize(data, final=True)
    assert isinstance(recognized, Recognized)
    return parse_block(
        Block(data, 1, text.count("\n") + 1),
        format=recognized.format.name,
        context=recognized.context,
        options=JobOptions(**options),
    )


@pytest.mark.parametrize("options", [{"rate": True}, {"explain": True}])
def test_chunk_that_runs_out_of_time_returns_its_finished_results(options: dict[str, bool]) -> None:
    texts = [text for text, _ in puzzles()[:5]]
    solver = block_solver("\n".join(texts), **options)
    whole = solver.solve(0, 5, flag=np.full(1, GO_ON, np.uint8))
    assert len(whole) == 5
    assert len(whole.difficulties) + len(whole.explanations) == 5
    parts, done = [], 0
    while done < 5:
        part = _one_piece(solver, done)
        assert len(part) >= 1
        parts.append(part)
        done += len(part)
    assert len(parts) == 5
    assert [part.solutions.text for part in parts] == whole.solutions.split()
    assert [{0: entry} for entry in whole.difficulties.values()] == [
        part.difficulties for part in parts if part.difficulties
    ]


def _one_piece(solver: BlockSolver, start: int) -> Any:
    """Return the result of a time slice that ends as soon as solving is done, before the rating."""
    from worker.process import rating, solve_block

    flag = np.full(1, GO_ON, np.uint8)

    def rate_and_stop(*arguments: Any, **named: Any) -> Any:
        flag[0] = FINISH
        return rating.rate_and_explain(*arguments, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solve_block, "rate_and_explain", rate_and_stop)
        return solver.solve(start, 5, flag=flag)


def test_an_abandoned_piece_answers_nothing() -> None:
    from worker.process import rating, solve_block

    flag = np.full(1, GO_ON, np.uint8)

    def rate_and_stop(*arguments: Any, **named: Any) -> Any:
        flag[0] = ABANDON
        return rating.rate_and_explain(*arguments, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solve_block, "rate_and_explain", rate_and_stop)
        assert len(block_solver(EASY, explain=True).solve(0, 1, flag=flag)) == 0


def test_only_puzzles_with_a_unique_solution_are_rated() -> None:
    result = block_solver(f"{MANY}\n{EASY}", rate=True).solve(0, 2, flag=np.zeros(1, np.uint8))
    assert list(result.difficulties) == [1]
    assert solve(EASY).unique


def test_puzzles_of_variants_are_rated_if_sudoku_explainer_supports_them() -> None:
    cases = (DATA / "explainer" / "variants.txt").read_text().splitlines()
    puzzle, rating = next(line.split()[1:] for line in cases if line.startswith("diagonal "))
    lines = [json.dumps({"puzzle": puzzle, "variant": [name]}) for name in ("diagonal", "argyle")]
    result = block_solver("\n".join(lines), rate=True).solve(0, 2, flag=np.zeros(1, np.uint8))
    assert [*result.difficulties] == [0]
    tenths = result.difficulties[0].ratings
    assert tenths is not None
    assert [each / 10 for each in tenths] == [float(each) for each in rating.split("/")]


def test_techniques_are_listed(http: Any) -> None:
    listed = http.get("/api/v1/techniques").json
    names = {entry["name"]: entry for entry in listed["hodoku"]}
    assert names["X-Wing"]["score"] == 140
    assert names["X-Wing"]["rating"] == 3.2
    assert "Y-Wing" in names["XY-Wing"]["other_names"]
    assert {entry["name"] for entry in listed["explainer"]} >= {"Aligned Pair Exclusion"}


def test_explanation_that_takes_long_makes_room_unless_it_may_last(
    http: Any, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = post(http, EASY).json
    work(service)
    with monkeypatch.context() as patch:
        patch.setattr("worker.process.heartbeat.SLOW_SECONDS", 0.01)
        hasty = replace(service, settings=replace(service.settings, chunk_seconds=0.01))
        patch.setattr("worker.process.explain_record._explain", _waits_and_finds_nothing)
        assert not explain_record(hasty, job["id"], 1, may_continue=lambda: False)
    assert service.explanations.explanation(job["id"], 1) is None
    assert explain_record(service, job["id"], 1, may_continue=lambda: True)
    assert service.explanations.explanation(job["id"], 1) is not None


def _waits_and_finds_nothing(_: object, __: object, heartbeat: Heartbeat) -> None:
    wait_until(lambda: heartbeat.flag[0] == ABANDON)
