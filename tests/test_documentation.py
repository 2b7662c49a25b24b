"""The documentation cites tests that exist."""

import re
from pathlib import Path

import pytest
from paths import ROOT

PAGES = sorted([*(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").rglob("*.md")])
FILES = sorted((ROOT / "tests").rglob("test_*.py"))
FUNCTIONS = {
    name for file in FILES for name in re.findall(r"def (test_\w+)", file.read_text("utf-8"))
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_cited_test_exists(page: Path) -> None:
    cited = set(re.findall(r"\btest_\w+", page.read_text("utf-8")))
    assert cited <= FUNCTIONS | {file.stem for file in FILES}
