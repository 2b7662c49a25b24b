"""The web server serves the documentation site under /docs."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from web.pages import documentation

pytestmark = pytest.mark.redis


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the site with a small one, next to a file that isn't part of it."""
    for name in ("index.html", "start/index.html", "search.json"):
        (tmp_path / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / name).write_text(name)
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(documentation, "SITE", tmp_path / "site")


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/docs/", "index.html"),
        ("/docs/index.html", "index.html"),
        ("/docs/start/", "start/index.html"),
        ("/docs/search.json", "search.json"),
    ],
)
def test_files_and_folders_have_urls(http: FlaskClient, path: str, expected: str) -> None:
    answer = http.get(path, buffered=True)
    assert (answer.status_code, answer.text) == (200, expected)


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize(("path", "target"), [("/docs", "/docs/"), ("/docs/start", "/docs/start/")])
def test_a_folder_has_a_trailing_slash(http: FlaskClient, path: str, target: str) -> None:
    assert http.get(path, buffered=True).headers["Location"] == target


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize(
    "path", ["/docs/none", "/docs/../secret.txt", "/docs/%2e%2e/secret.txt", "/docs//etc/passwd",
             "/docs/start/%00", "/docs/search.json/x"]
)  # fmt: skip
def test_nothing_else_has_a_url(http: FlaskClient, path: str) -> None:
    answer = http.get(path, buffered=True)
    assert answer.status_code in (308, 404)
    assert "secret" not in answer.text


@pytest.mark.usefixtures("built")
def test_an_unchanged_page_is_not_sent_again(http: FlaskClient) -> None:
    tag = http.get("/docs/", buffered=True).headers["ETag"]
    assert http.get("/docs/", headers={"If-None-Match": tag}, buffered=True).status_code == 304


def test_without_a_site_a_page_leads_to_the_reference_and_explains_how_to_build_it(
    http: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documentation, "SITE", tmp_path)
    for path, source in (
        ("/docs/", "docs/index.md"),
        ("/docs/start/quickstart/", "docs/start/quickstart.md"),
    ):
        answer = http.get(path, buffered=True)
        assert answer.status_code == 404
        assert ">make docs</pre>" in answer.text
        assert f"<code>{source}</code>" in answer.text
        for page in ("/rules", "/formats", "/techniques", "/api/docs", "/errors"):
            assert f'<a class="door" href="{page}">' in answer.text
    assert "as Markdown" not in http.get("/docs/%2e%2e/README", buffered=True).text


def test_pages_link_to_the_documentation(http: FlaskClient) -> None:
    assert '<a href="/docs/">Docs</a>' in http.get("/").text
