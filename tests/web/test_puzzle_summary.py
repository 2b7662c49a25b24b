"""The line of facts at the top of a puzzle's page."""

import re
from typing import Any

import pytest
from http_jobs import post, work

from worker.service import Service

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
FOLLOWS = "Rating …"


@pytest.mark.parametrize(
    ("text", "options", "facts"),
    [
        (CLASSIC, {"explain": "1"}, ["One solution", "Easy · SE 1.2", "30 givens"]),
        (CLASSIC, {"rate": "1"}, ["One solution", "Easy · SE 1.2", "30 givens"]),
        (CLASSIC, {"limit": "1"}, ["Has a solution", FOLLOWS, "30 givens"]),
        ("1" + "." * 15, {}, ["At least 2 solutions", "1 given · 4×4"]),
        ("1" + "." * 15, {"limit": "100"}, ["72 solutions", "1 given · 4×4"]),
        ("123....4........", {}, ["No solution", "4 givens · 4×4"]),
        ("5" + CLASSIC[:-1], {}, ["Invalid"]),
    ],
)
def test_a_puzzle_page_begins_with_its_facts(
    http: Any, service: Service, text: str, options: dict[str, str], facts: list[str]
) -> None:
    job = post(http, text, name="named", **options).json
    work(service)
    page = http.get(f"/jobs/{job['id']}/puzzles/1").text
    (line,) = re.findall(r'<p class="summary">(.*?)</p>', page, re.DOTALL)
    shown = re.findall(r"<span[^>]*>(.*?)</span>", line)
    assert [re.sub("<.*?>", "", fact) for fact in shown] == facts


def test_the_outcome_is_stated_only_once(http: Any, service: Service) -> None:
    job = post(http, "1" + "." * 15).json
    work(service)
    page = http.get(f"/jobs/{job['id']}/puzzles/1").text
    assert page.count("At least 2 solutions") == 1
    assert "<dt>Outcome</dt>" not in page
    assert "<dt>Solutions</dt>" not in page
