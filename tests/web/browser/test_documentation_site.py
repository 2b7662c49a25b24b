"""The documentation in a real browser, as the web server serves it."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import PATIENCE
from playwright.sync_api import Browser, Page, expect
from werkzeug.serving import WSGIRequestHandler, make_server

from web.app import create_app
from web.pages import documentation
from worker.private_redis import PrivateRedis
from worker.settings import Settings

pytestmark = [pytest.mark.browser, pytest.mark.redis]

WCAG = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


# The page that readers expect first for a query.
FOUND_FIRST = {
    "rate limit": "how-to/secure",
    "killer": "reference/rules",
    "duplicates": "tutorials/puzzle-book",
    "backup": "how-to/backup",
    "hint": "tutorials/one-puzzle",
    "print a book": "how-to/make-a-book",
    "api key": "how-to/secure",
    "webhook": "how-to/webhooks",
    "unique": "tutorials/puzzle-book",
    "difficulty": "explanation/ratings",
    "minimal": "how-to/check-minimality",
    "solve_many": "reference/python",
    "x-wing": "reference/techniques",
}
TOO_WIDE = """[...document.querySelectorAll("html, .md-typeset__scrollwrap")]
    .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)"""


class Quiet(WSGIRequestHandler):
    """Handler without a log."""

    def log(self, type: str, message: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def docs(built_docs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the built site with the web application, and return its URL."""
    redis = PrivateRedis(tmp_path_factory.mktemp("redis"))
    redis.start()
    app = create_app(Settings(redis_url=redis.url))
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documentation, "SITE", built_docs)
        yield f"http://127.0.0.1:{server.port}/docs/"
    server.shutdown()
    thread.join()
    server.server_close()
    app.extensions["sudokuq"].app.close()
    app.extensions["sudokuq"].redis.close()
    redis.stop()


@pytest.fixture(params=["light", "dark", "phone"])
def reader(request: pytest.FixtureRequest, docs: str, browser: Browser) -> Iterator[Page]:
    """Return an empty browser page. Fails on script errors, console messages, and foreign requests.

    With the parameter "dark", it prefers dark colors, and with "phone", it is 390 pixels wide.
    """
    context = browser.new_context(
        base_url=docs,
        color_scheme="dark" if request.param == "dark" else "light",
        viewport={"width": 390 if request.param == "phone" else 1280, "height": 900},
    )
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    page.on("request", lambda sent: wrong.append(sent.url))
    yield page
    context.close()
    # Chromium notes that it didn't focus the search field of a page that is opened at a heading.
    expected = (docs, "data:", "Autofocus processing was blocked")
    assert [entry for entry in wrong if not entry.startswith(expected)] == []


@pytest.mark.parametrize("reader", ["light"], indirect=True)
def test_search_finds_a_rule_without_any_other_host(reader: Page, docs: str) -> None:
    reader.goto(docs)
    reader.locator(".md-search__button").click()
    reader.locator("input:visible").first.fill("skyscraper")
    result = reader.locator("a[href*='reference/rules/']").filter(has_text="visible from that side")
    result.first.click(timeout=PATIENCE)
    expect(reader.locator("h3#skyscraper")).to_be_visible(timeout=PATIENCE)
    assert reader.url.startswith(f"{docs}reference/rules/")


@pytest.mark.parametrize("reader", ["light"], indirect=True)
def test_search_lists_guides_before_the_reference(reader: Page, docs: str) -> None:
    reader.goto(docs)
    reader.locator(".md-search__button").click()
    field = reader.locator("input:visible").first
    first = reader.get_by_role("option").first
    for query, path in FOUND_FIRST.items():
        field.fill(query)
        page = re.compile(f"^{re.escape(docs)}{path}/")
        expect(first).to_have_attribute("href", page, timeout=PATIENCE)


@pytest.mark.parametrize(
    "path", ["", "start/quickstart/", "reference/settings/",
             "reference/errors/", "explanation/ratings/", "contributing/rules/"]
)  # fmt: skip
def test_pages_have_no_obstacles(reader: Page, path: str) -> None:
    reader.goto(path)
    violations = Axe().run(reader, options=WCAG).response["violations"]
    assert [
        (each["id"], node["html"][:200], node["failureSummary"])
        for each in violations
        for node in each["nodes"][:2]
    ] == []


def test_pictures_of_rules_have_no_obstacles(docs: str, browser: Browser) -> None:
    page = browser.new_context().new_page()
    page.goto(f"{docs}reference/rules/")
    violations = Axe().run(page, context=".drawing", options=WCAG).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"][:200]) for each in violations] == []
    page.context.close()


@pytest.mark.parametrize("reader", ["phone"], indirect=True)
@pytest.mark.parametrize("path", ["reference/techniques/", "reference/settings/", "operations/"])
def test_pages_and_their_tables_fit_on_phones(reader: Page, path: str) -> None:
    reader.goto(path)
    expect(reader.locator("h1")).to_be_visible()
    assert reader.evaluate(TOO_WIDE) == []
