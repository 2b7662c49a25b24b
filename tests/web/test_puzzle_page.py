"""The page of a puzzle: its board, its solutions, and where they differ.

It also offers givens that leave one solution, and corrections of invalid puzzles.
"""

import html
import json
import re
from importlib.resources import files

import numpy as np
import pytest
from flask.testing import FlaskClient
from http_jobs import finished, submit_form

from solver import solve
from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.rules.registry import RULES, with_constraints
from solver.rules.rule import Constraint
from web.boards.several_values import several_values
from web.pages.board_drawing import LARGEST_SMALL_BOARD
from worker.service import Service

GOOD = "12.4...2....4..1"
SOLVED = "1234341221434321"
CONFLICT = "11.............."
TWO = "534678912672195348198342567859760420426850790713924850961537284287419630345286179"
THREE = "....7....6..195....98....6.8...6....4..8.3..17...2...6.6....28....419..5....8..79"
MANY = "5...7....6..195..........6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def differences_on(page: str) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Return the cells (row, column from 0) that a page marks as different and as found."""
    overlay = re.search(r'<g class="overlay differences">(.*?)</g>', page)
    assert overlay is not None
    cells: dict[bool, set[tuple[int, int]]] = {True: set(), False: set()}
    for kind, places, y in re.findall(r'<text class="([^"]*)" x="([^"]*)" y="([^"]*)"', overlay[1]):
        cells[kind == "found"] |= {
            (int(float(y)) // 20, int(float(x)) // 20) for x in places.split()
        }
    return cells[False], cells[True]


def test_true_candidates_are_a_view_of_the_puzzle(http: FlaskClient, service: Service) -> None:
    usual, asked = (
        finished(http, service, GOOD.replace("4", "."), limit="10", **options)
        for options in ({}, {"true_candidates": "true"})
    )
    assert "True candidates" not in http.get(f"{usual}/puzzles/1").text
    assert "True candidates" in http.get(f"{asked}/puzzles/1").text
    answer = http.get(f"/api/v1{asked}/puzzles/1").json
    assert answer is not None
    assert answer["true_candidates"]["r1c1"] == {"1": answer["solutions"]}


def test_givens_that_leave_one_solution_are_offered(http: FlaskClient, service: Service) -> None:
    text = "12.4...2....4..."  # has two solutions
    path = finished(http, service, text, limit="50", true_candidates="true")
    page = http.get(f"{path}/puzzles/1").text
    link = re.search(r'<a href="(/\?edit=[^"]*given=[^"]*)#editor">(\d) in (r\dc\d)</a>', page)
    assert link is not None
    edited = http.get(html.unescape(link[1])).text
    written = re.search(r'<textarea id="text"[^>]*>([^<]*)</textarea>', edited)
    assert written is not None
    assert written[1].count(".") == text.count(".") - 1
    result = solve(written[1])
    assert result.unique is True


def test_puzzles_that_need_two_more_givens_are_reported(
    http: FlaskClient, service: Service
) -> None:
    path = finished(http, service, "12......2......1", limit="50", true_candidates="true")
    page = http.get(f"{path}/puzzles/1").text
    assert "the puzzle needs at least two more" in page
    assert re.search(r'href="/\?edit=[^"]*#editor">grid editor</a> can add givens', page)


def test_regions_that_were_found_are_drawn(http: FlaskClient, service: Service) -> None:
    text = ".Shape~4x4.NoBoxes.ChaosConstruction.~R1C1_1~R1C2_2~R1C3_3~R1C4_4~R2C1_2"
    pages = [
        finished(http, service, text + rest, limit="1")
        # the first row is a region; unsolvable
        for rest in (".SameValues~4~CC1~CC2~CC3~CC4", ".~R1C2_1")
    ]
    cut, uncut = (http.get(f"/api/v1{page}/puzzles/1").json for page in pages)
    assert cut is not None
    assert cut["regions"][:5] == [1, 1, 1, 1, 2]
    assert uncut is not None
    assert "regions" not in uncut
    assert ['class="thick"' in http.get(f"{page}/puzzles/1").text for page in pages] == [
        True,
        False,
    ]


def test_puzzle_page_shows_the_solution(http: FlaskClient, service: Service) -> None:
    path = finished(http, service, f"{GOOD}\n{CONFLICT}\nxx\n")
    page = http.get(f"{path}/puzzles/1").text
    assert SOLVED in page
    assert ">One solution</span>" in page
    assert "1 twice in row 1" in http.get(f"{path}/puzzles/2").text
    assert "The record as uploaded" in http.get(f"{path}/puzzles/3").text
    assert http.get(f"{path}/puzzles/4").status_code == 404


def test_requested_solutions_are_drawn(http: FlaskClient, service: Service) -> None:
    path = finished(http, service, "." * 16, limit="20")
    page = http.get(f"{path}/puzzles/1").text
    assert "Solutions 1–20 of 20 or more" in page
    assert "20 or more" in page
    assert page.count("<figure>") == 20


@pytest.mark.parametrize("puzzle", ["1..4............", "12..34..........", "." * 16])
@pytest.mark.parametrize("limit", [3, 7, 20, 1000])
@pytest.mark.parametrize("options", [{}, {"true_candidates": "true"}], ids=["listed", "candidates"])
def test_only_proven_differences_between_solutions_are_shown(
    http: FlaskClient, service: Service, puzzle: str, limit: int, options: dict[str, str]
) -> None:
    path = finished(http, service, puzzle, limit=str(limit), **options)
    page = http.get(f"{path}/puzzles/1").text
    grids = np.array(solve(puzzle, limit=1000).listed)
    truly = {divmod(int(cell), 4) for cell in np.flatnonzero((grids != grids[0]).any(axis=0))}
    differing, found = differences_on(page)
    assert differing <= truly
    assert not found & truly
    is_complete = bool(options) or limit > len(grids)
    assert (differing == truly) or not is_complete
    assert ("Empty cells may differ as well" in page) != is_complete


def test_number_of_compared_solutions_is_shown(
    http: FlaskClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.pages.puzzle._MAX_COMPARED", 0)
    path = finished(http, service, "." * 16, limit="1000")
    page = http.get(f"{path}/puzzles/1").text
    assert "Based on 50 of 288 solutions." in page
    assert "Solutions 1–50 of 288</h2>" in page
    assert differences_on(page)[1] == set()


def test_single_requested_solution_is_not_called_unique(
    http: FlaskClient, service: Service
) -> None:
    path = finished(http, service, GOOD, limit="1")
    page = http.get(f"{path}/puzzles/1").text
    assert "Has a solution (uniqueness was not checked)." in page
    assert "exactly one" not in page


@pytest.mark.parametrize("box", ["1x1", "2x3", "4x4", "5x5", "6x6"])
def test_board_of_every_size_is_shown(http: FlaskClient, service: Service, box: str) -> None:
    rows, columns = map(int, box.split("x"))
    size = rows * columns
    text = " ".join(["1"] + ["."] * (size**2 - 1))
    puzzle = f'{{"puzzle": "{text}"}}'
    path = finished(http, service, puzzle, box=box, limit="1", step_limit="50")
    assert "<svg" in http.get(f"{path}/puzzles/1").text
    assert ('<svg class="board' in http.get(f"{path}?n=1").text) == (size <= LARGEST_SMALL_BOARD)


def test_invalid_puzzle_can_be_corrected_in_the_editor(http: FlaskClient, service: Service) -> None:
    path = finished(http, service, CONFLICT)
    page = http.get(f"{path}/puzzles/1").text
    link = re.search(r'href="([^"]+)">Correct it in the grid editor', page)
    assert link
    assert link[1] == f"/?edit={path.split('/')[-1]}/1#editor"


def test_page_of_an_unsolved_puzzle_leads_back_to_its_job(http: FlaskClient) -> None:
    path = submit_form(http, GOOD)
    answer = http.get(f"{path}/puzzles/1")
    assert answer.status_code == 409
    assert re.search(
        rf'href="{path.removeprefix("http://localhost")}">Back to the job<', answer.text
    )


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        (GOOD, "", ["Sudoku 4×4, 6 givens", "Rating …"]),
        (f"puzzle,name\n{GOOD},Alpha\n", "", ["Alpha", "6 givens · 4×4"]),
        (f"puzzle,name\n{GOOD},Alpha\n", "Book", ["Book <small>Alpha</small>", "6 givens · 4×4"]),
        (f"{GOOD}\n{GOOD}\n", "", ["Puzzle 1", "6 givens · 4×4"]),
    ],
)
def test_the_only_puzzle_of_a_job_has_the_title_of_the_job(
    http: FlaskClient, service: Service, text: str, name: str, expected: list[str]
) -> None:
    page = http.get(f"{finished(http, service, text, name=name)}/puzzles/1").text
    (heading,) = re.findall("<h1>(.*?)</h1>", page)
    (facts,) = re.findall(r'<p class="summary">(.*?)</p>', page, re.DOTALL)
    assert [heading, re.findall("<span[^>]*>(.*?)</span>", facts)[-1]] == expected


def _drawn(svg: str) -> dict[tuple[int, int], str]:
    """Return the candidates in a part of a picture by cell (row, column from 0)."""
    cells: dict[tuple[int, int], str] = {}
    texts = re.findall(r'<text class="candidate[^>]* x="([^"]*)" y="([^"]*)">([^<]*)<', svg)
    for places, y, symbols in texts:
        for x, symbol in zip(places.split(), symbols, strict=True):
            cell = int(float(y)) // 20, int(float(x)) // 20
            cells[cell] = "".join(sorted(cells.get(cell, "") + symbol))
    return cells


def test_candidates_of_variants_are_those_that_each_rule_leaves(
    http: FlaskClient, service: Service
) -> None:
    killer = files("solver").joinpath("samples/killer.jsonl").read_text().splitlines()[0]
    path = finished(http, service, killer, explain="true")
    page = http.get(f"{path}/puzzles/1").text
    overlay = re.search(r'<g class="overlay candidates">(.*?)</g>', page)
    assert overlay is not None
    cells = _drawn(overlay[1])
    assert cells[8, 0] == cells[8, 1] == cells[8, 2] == "124"  # The cage has the sum 7.
    assert (8, 8) not in cells  # any value
    texts = re.findall(r'<text class="any-value" x="(\d+)" y="([\d.]+)">1–9</text>', overlay[1])
    assert (170, 172) in [(int(x), int(float(y))) for x, y in texts]
    assert "1–9: any value" in page
    # The first step removes 1, 2, and 6 from r1c1. The other cells have their pencil marks.
    first = re.search(r'<li value="1" .*?</svg>', page, re.DOTALL)
    assert first is not None
    step = _drawn(first[0])
    assert (cells[0, 0], step[0, 0]) == ("345789", "123456789")
    assert {cell: step[cell] for cell in step if cells.get(cell) != step[cell]}.keys() == {
        (0, 0),
        (1, 0),
    }


def test_candidates_of_a_variant_without_pencil_marks_say_something(
    http: FlaskClient, service: Service
) -> None:
    cage = {"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 3}
    row = json.dumps({"puzzle": "." * 16, "box": "2x2", "constraints": [cage]})
    path = finished(http, service, row)
    assert 'value="candidates"' not in http.get(f"{path}/puzzles/1").text


@pytest.mark.parametrize(
    ("puzzle", "kinds"),
    [
        (TWO, {"pair"}),
        (THREE, {"four"}),
        (MANY, {"candidate of3"}),
    ],
    ids=["two values", "up to three values", "up to seven values"],
)
def test_values_of_differing_cells_are_equally_large(
    http: FlaskClient, service: Service, puzzle: str, kinds: set[str]
) -> None:
    path = finished(http, service, puzzle, limit="1000")
    page = http.get(f"{path}/puzzles/1").text
    overlay = re.search(r'<g class="overlay differences">(.*?)</g>', page)
    assert overlay is not None
    assert {*re.findall(r'<text class="([^"]*)"', overlay[1])} - {"found"} == kinds


@pytest.mark.parametrize(("most", "kind"), [(2, "pair"), (3, "three"), (4, "candidate of3 caged")])
def test_values_of_differing_cells_leave_space_for_sums_of_cages(most: int, kind: str) -> None:
    cage = Constraint(RULES["killer"], (0, 1), 3)
    layout = with_constraints(Layout.boxed(3, 3), (cage,))
    assert isinstance(layout, Layout)
    values = [range(1, most + 1), *[range(0)] * 80]
    texts = several_values(layout, Symbols.usual(9), values)
    assert {text.kind for text in texts} == {kind}


@pytest.mark.parametrize(
    ("puzzle", "reason"),
    [
        (TWO, "1 and 3 can be swapped in r4c6, r4c9, r5c6, and r5c9 without breaking a rule "
              "(a deadly pattern)."),
        (THREE, "For example, r1c1, r1c2, r1c3, r9c1, r9c2, and r9c3 can be filled with 3, 4, "
                "and 5 in two ways that fit all givens and rules."),
    ],
)  # fmt: skip
def test_page_says_why_there_are_several_solutions(
    http: FlaskClient, service: Service, puzzle: str, reason: str
) -> None:
    path = finished(http, service, puzzle, limit="1000")
    assert reason in http.get(f"{path}/puzzles/1").text


def test_new_job_counts_up_to_1000_solutions(http: FlaskClient, service: Service) -> None:
    path = finished(http, service, MANY)
    page = http.get(f"{path}/puzzles/1").text
    assert '<input type="hidden" name="limit" value="1000">' in page
    counted = finished(http, service, MANY, limit="1000", true_candidates="true")
    page = http.get(f"{counted}/puzzles/1").text
    assert '<span class="badge multiple">67 solutions</span>' in page
    assert "Solutions 1–50 of 67</h2>" in page
