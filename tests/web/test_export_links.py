"""A puzzle's page links to the programs that support all of its rules."""

import pytest
from browsing import CLASSIC
from flask.testing import FlaskClient
from http_jobs import finished

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
