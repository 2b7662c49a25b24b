"""The documentation cites tests that exist, and explains every problem type."""

import re
from pathlib import Path

import pytest
from paths import ROOT

from web.schemas.problem_types import PROBLEM_TYPES

PAGES = sorted([*(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").rglob("*.md")])
FILES = sorted((ROOT / "tests").rglob("test_*.py"))
FUNCTIONS = {
    name for file in FILES for name in re.findall(r"def (test_\w+)", file.read_text("utf-8"))
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_cited_test_exists(page: Path) -> None:
    cited = set(re.findall(r"\btest_\w+", page.read_text("utf-8")))
    assert cited <= FUNCTIONS | {file.stem for file in FILES}


def test_the_troubleshooting_page_lists_every_problem_type_with_its_status() -> None:
    page = (ROOT / "docs" / "how-to" / "troubleshoot.md").read_text("utf-8")
    listed = re.findall(r"^\| `(/errors/[\w-]+)` \| (\d+) \|", page, re.MULTILINE)
    assert listed == [(known.uri, str(known.status)) for known in PROBLEM_TYPES.values()]
