"""The site builds without warnings, is complete, and needs no other host.

Its pages obey the web server's security policy. A broken link, or a version of the generator that
isn't supported, fails the build.
"""

import os.path
import re
import shutil
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from paths import ROOT

from docs_build import site
from docs_build.policy import Unexpected, follow_policy
from docs_build.search import rank_pages
from docs_build.site import BuildFailed, build
from solver.formats import FORMATS

LOADED = re.compile(r'<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)="([^"]*)"')
LINK = re.compile(r'<a\b[^>]*\bhref="([^"]*)"')


def pages(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.html"))


def targets(page: Path, folder: Path) -> set[Path]:
    """Return the pages in the folder of the site that a page links to."""
    found = set()
    for url in LINK.findall(page.read_text("utf-8")):
        parts = urlsplit(url)
        if not parts.scheme and parts.path:
            path = Path(os.path.normpath(page.parent / parts.path))
            found.add(path / "index.html" if path.is_dir() else path)
    return {path for path in found if path.is_relative_to(folder) and path.suffix == ".html"}


def test_every_written_page_is_in_the_site(built_docs: Path) -> None:
    for source in (ROOT / "docs").rglob("*.md"):
        name = source.relative_to(ROOT / "docs").with_suffix("")
        folder = name.parent if name.name == "index" else name
        assert (built_docs / folder / "index.html").is_file(), name


def test_descriptions_of_formats_are_shown_as_they_are(built_docs: Path) -> None:
    page = unescape((built_docs / "reference" / "formats" / "index.html").read_text("utf-8"))
    assert [each.name for each in FORMATS if f"<p>{each.description}</p>" not in page] == []


def test_every_link_has_a_target(built_docs: Path) -> None:
    missing = {
        (page.relative_to(built_docs), target.relative_to(built_docs))
        for page in pages(built_docs)
        for target in targets(page, built_docs)
        if not target.is_file()
    }
    assert missing == set()


def test_every_page_is_three_clicks_from_the_index(built_docs: Path) -> None:
    seen = reached = {built_docs / "index.html"}
    for _ in range(3):
        reached = {target for page in reached for target in targets(page, built_docs)} - seen
        seen = seen | reached
    assert set(pages(built_docs)) - seen == set()


def test_each_header_leads_to_the_service(built_docs: Path) -> None:
    for page in pages(built_docs):
        up = "../" * len(page.relative_to(built_docs).parts)
        text = page.read_text("utf-8")
        assert text.count(f'<a href="{up}" title="To the service"') == 2
        assert f'<a href="{up}">Open the app</a>' in text


def test_cells_of_wide_tables_have_the_headings_as_labels(built_docs: Path) -> None:
    page = (built_docs / "reference" / "result-fields" / "index.html").read_text("utf-8")
    before, _, after = page.partition("<code>line</code>")
    row = before.rpartition("<tr>")[2] + after.partition("</tr>")[0]
    labels = ["member", "type", "given", "meaning"]
    assert re.findall(r'<td data-label="(\w+)"', row) == labels


def test_pages_load_nothing_from_other_hosts(built_docs: Path) -> None:
    for page in pages(built_docs):
        for url in LOADED.findall(page.read_text("utf-8")):
            assert not urlsplit(url).netloc, page


def test_pages_obey_the_content_security_policy(built_docs: Path) -> None:
    for page in pages(built_docs):
        text = page.read_text("utf-8")
        assert not re.search(r"<script>|<style|<[^>]* (style|on[a-z]+)=", text), page


def test_generated_parts_are_filled(built_docs: Path) -> None:
    for page in pages(built_docs):
        assert "This part is generated" not in page.read_text("utf-8"), page


def test_a_broken_link_fails_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("docs/assets", "web/static"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "docs" / "index.md").write_text("# Index\n\n[A page](none.md)\n")
    (tmp_path / "zensical.toml").write_text('[project]\nsite_name = "test"\n')
    monkeypatch.setattr(site, "ROOT", tmp_path)
    with pytest.raises(BuildFailed, match=r"none\.md"):
        build(tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_another_version_of_the_generator_is_noticed(built_docs: Path, tmp_path: Path) -> None:
    again = shutil.copytree(built_docs, tmp_path / "site")
    with pytest.raises(Unexpected, match="0 matches"):
        follow_policy(again)
    with pytest.raises(Unexpected, match="0 matches"):
        rank_pages(again)
