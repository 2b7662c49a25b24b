"""The documentation cites files and tests that exist, and explains every problem type."""

import re
from pathlib import Path

import pytest
from paths import ROOT

from web.schemas.problem_types import PROBLEM_TYPES

FOLDERS = (ROOT / "docs", ROOT / "benchmarks")
PAGES = sorted(
    [
        *(page for folder in FOLDERS for page in folder.rglob("*.md")),
        ROOT / "CONTRIBUTING.md",
        ROOT / "README.md",
    ]
)
CODE = {
    "/" + path.relative_to(ROOT).as_posix()
    for package in ("solver", "worker", "web", "tests", "benchmarks", "docs_build")
    for suffix in ("py", "lua")
    for path in (ROOT / package).rglob(f"*.{suffix}")
}
FILES = sorted((ROOT / "tests").rglob("test_*.py"))
FUNCTIONS = {
    name for file in FILES for name in re.findall(r"def (test_\w+)", file.read_text("utf-8"))
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_cited_test_exists(page: Path) -> None:
    cited = set(re.findall(r"\btest_\w+", page.read_text("utf-8")))
    assert cited <= FUNCTIONS | {file.stem for file in FILES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_cited_module_and_script_exists(page: Path) -> None:
    cited = re.findall(r"`([\w/-]+\.(?:py|lua))`", page.read_text("utf-8"))
    assert [name for name in cited if not any(path.endswith("/" + name) for path in CODE)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_cited_folder_of_the_code_exists(page: Path) -> None:
    packages = "|".join(("solver", "worker", "web", "tests", "benchmarks"))
    cited = re.findall(rf"`((?:{packages})/[\w/-]*/)`", page.read_text("utf-8"))
    assert [name for name in cited if not (ROOT / name).is_dir()] == []


def test_the_troubleshooting_page_lists_every_problem_type_with_its_status() -> None:
    page = (ROOT / "docs" / "how-to" / "troubleshoot.md").read_text("utf-8")
    listed = re.findall(r"^\| `(/errors/[\w-]+)` \| (\d+) \|", page, re.MULTILINE)
    assert listed == [(known.uri, str(known.status)) for known in PROBLEM_TYPES.values()]
