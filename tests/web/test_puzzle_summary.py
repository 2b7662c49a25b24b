"""The line of facts at the top of a puzzle's page."""

import re
from typing import Any

import pytest
from http_jobs import post, work

from worker.service import Service

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@pytest.mark.parametrize(
    ("text", "options", "summary"),
    [
        (CLASSIC, {"explain": "1"}, "Easy (SE 1.2) · 30 givens"),
        (CLASSIC, {"rate": "1"}, "Easy (SE 1.2) · 30 givens"),
        (CLASSIC, {"limit": "1"}, "Has a solution · 30 givens"),
        ("1" + "." * 15, {}, "At least 2 solutions · 1 given · 4×4"),
        ("1" + "." * 15, {"limit": "100"}, "72 solutions · 1 given · 4×4"),
        ("123....4........", {}, "4 givens · 4×4"),
        ("5" + CLASSIC[:-1], {}, ""),
    ],
)
def test_a_puzzle_page_begins_with_its_facts(
    http: Any, service: Service, text: str, options: dict[str, str], summary: str
) -> None:
    job = post(http, text, name="named", **options).json
    work(service)
    page = http.get(f"/jobs/{job['id']}/puzzles/1").text
    shown = [
        re.sub("<.*?>", "", line) for line in re.findall(r'<p class="summary">(.*?)</p>', page)
    ]
    assert shown == ([summary] if summary else [])
