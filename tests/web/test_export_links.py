"""A puzzle's page links to the programs that support all of its rules."""

import json

import pytest
from browsing import CLASSIC
from flask.testing import FlaskClient
from http_jobs import finished

from solver import Puzzle, parse
from solver.formats.objects.fpuzzles_writer import write_fpuzzles
from web.pages import export_links
from worker.service import Service

PROGRAMS = ["SudokuPad", "f-puzzles", "Interactive Sudoku Solver"]


@pytest.mark.parametrize(
    ("variant", "offered"),
    [("diagonal,antiknight", PROGRAMS), ("windoku", PROGRAMS[2:]), ("argyle", [])],
)
def test_page_links_to_the_programs_that_support_all_rules(
    http: FlaskClient, service: Service, variant: str, offered: list[str]
) -> None:
    page = http.get(f"{finished(http, service, CLASSIC, variant=variant)}/puzzles/1").text
    assert [name for name in PROGRAMS if f">{name} ↗<" in page] == offered


def test_puzzles_with_long_json_are_not_compressed_for_a_url(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(text: str) -> str:
        raise AssertionError(f"{len(text):,} characters were compressed")

    monkeypatch.setattr(export_links, "compress", fail)
    lines = [[f"r{row}c{n}", f"r{row}c{n + 1}"] for row in range(1, 10) for n in range(1, 9)]
    thermos = [{"type": "thermo", "cells": cells} for cells in lines * 40]
    (puzzle,) = parse(json.dumps({"constraints": thermos}))
    assert isinstance(puzzle, Puzzle)
    assert len(json.dumps(write_fpuzzles(puzzle))) > 1 << 16
    assert "f-puzzles" not in [link.program for link in export_links.export_links(puzzle)]
