"""The tutorials, the quickstart, and the README's first command work exactly as printed."""

from pathlib import Path

import pytest
from paths import ROOT
from tutorial_runner import matches, run_page, steps_of

DOCS = ROOT / "docs"
PAGES = [
    DOCS / "start" / "quickstart.md",
    DOCS / "how-to" / "python-client.md",
    DOCS / "how-to" / "variants-json.md",
    *sorted((DOCS / "tutorials").glob("*.md")),
]
WITH_SERVICE = {"app", "python-client", "quickstart"}
WITHOUT_SERVICE = [page for page in PAGES if page.stem not in WITH_SERVICE]


@pytest.mark.usefixtures("_compiled", "on_path")
@pytest.mark.parametrize("page", WITHOUT_SERVICE, ids=lambda page: page.stem)
def test_page_works_as_printed(page: Path, tmp_path: Path) -> None:
    assert len(steps_of(page)) >= 3
    clone = tmp_path / "clone"  # a page may make a folder next to it
    clone.mkdir()
    run_page(page, clone)


@pytest.mark.redis
@pytest.mark.usefixtures("on_path")
def test_pages_that_use_the_service_work_as_printed(live: str, tmp_path: Path) -> None:
    for name in sorted(WITH_SERVICE):
        folder = tmp_path / name
        folder.mkdir()
        (page,) = (page for page in PAGES if page.stem == name)
        run_page(page, folder, url=live)


def test_the_readme_shows_the_output_of_the_quickstart() -> None:
    quickstart = {command: output for _, command, output in steps_of(PAGES[0])}
    _, command, output = steps_of(ROOT / "README.md")[0]
    assert quickstart[command] == output


@pytest.mark.parametrize(
    ("expected", "found", "is_match"),
    [
        ("a", "a", True),
        ("a", "b", False),
        ("a …", "a b c", True),
        ("a …", "a b\nc", False),
        ("a\n…\nd", "a\nb\nc\nd", True),
        ("a\n…\nd", "a\nd", True),
        ("a\n…", "a\nb\nc", True),
        ("a\n…\nd", "a\nb\nc", False),
        ("jobs/HaI-OhIWNUsvnshKG_3YPA", "jobs/RliA7nEBiuI5_BZmRT01dg", True),
        ("jobs/HaI-OhIWNUsvnshKG_3YPA", "jobs/RliA7nEBiuI5", False),
        ("1.5", "125", False),
    ],
)
def test_marks_match_varying_output(expected: str, found: str, *, is_match: bool) -> None:
    assert matches(expected, found) is is_match
