"""The link to the puzzle in the grid editor, which opens its page for anyone."""

import json
import re
from collections.abc import Iterator

import pytest
from browsing import PATIENCE
from editing import FOUR, add_cage, open_editor, start_drawing, text_of
from playwright.sync_api import Browser, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.redis]

UNIQUE = "12.4...2....4..1"


@pytest.fixture
def stranger(site: str, browser: Browser) -> Iterator[Page]:
    """Return a page of a browser without any cookie of the service."""
    context = browser.new_context(base_url=site)
    yield context.new_page()
    context.close()


def copy_link(page: Page) -> str:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#link-note")).to_contain_text("With this link, anyone can play the puzzle")
    link: str = page.evaluate("navigator.clipboard.readText()")
    return link


def test_copied_link_opens_the_puzzle_with_its_rules_and_words(page: Page, stranger: Page) -> None:
    open_editor(page, "4")
    add_cage(page)
    page.locator(".modes").get_by_text("Title").click()
    page.get_by_label("Title", exact=True).last.fill("My <cage>")
    page.get_by_label("Author").fill("Ann")
    page.get_by_label("Rules in words").fill("Normal rules apply.\nCages show sums.")
    link = copy_link(page)
    expect(page.locator("#grid")).to_be_visible()  # the puzzle is still in the editor
    stranger.goto(link)
    expect(stranger.locator(".whole .cage")).to_be_visible(timeout=PATIENCE)
    expect(stranger.get_by_role("heading", level=1)).to_have_text("My <cage> by Ann")
    expect(stranger.locator(".own-words")).to_have_text("Normal rules apply.\nCages show sums.")
    expect(stranger.get_by_role("button", name="Copy link")).to_be_visible()
    stranger.get_by_role("link", name="Edit", exact=True).click()
    expect(stranger.locator("#puzzle-title")).to_have_value("My <cage>", timeout=PATIENCE)
    assert json.loads(text_of(stranger)) == json.loads(text_of(page))


def test_unchanged_puzzle_keeps_its_link(page: Page) -> None:
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    open_editor(page, "4")
    page.keyboard.press("1")
    first = copy_link(page)
    assert copy_link(page) == first
    assert sum(url.endswith("/api/v1/jobs") for url in requested) == 1
    page.keyboard.press("2")
    expect(page.locator("#link-note")).to_be_empty()
    assert copy_link(page) != first


def test_solving_a_puzzle_keeps_its_words(page: Page) -> None:
    open_editor(page, "4")
    page.get_by_label("Paste puzzles").fill(json.dumps({"puzzle": UNIQUE, "author": "Ann"}))
    expect(page.locator("#puzzle-author")).to_have_value("Ann")
    page.get_by_role("button", name="Play with hints").click(timeout=PATIENCE)
    expect(page.get_by_role("heading", level=1)).to_have_text(
        re.compile("by Ann"), timeout=PATIENCE
    )


def test_link_is_offered_as_soon_as_there_is_a_puzzle(page: Page) -> None:
    start_drawing(page)
    button = page.get_by_role("button", name="Copy link")
    expect(button).to_be_hidden()
    page.keyboard.press("1")
    expect(button).to_be_visible()
    page.get_by_label("Paste puzzles").fill(f"{FOUR}\n{FOUR}")
    expect(button).to_be_hidden()


def test_no_link_is_offered_to_a_puzzle_that_is_not_valid(page: Page) -> None:
    open_editor(page, "4")
    page.keyboard.press("1")
    button = page.get_by_role("button", name="Copy link")
    expect(button).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("1")
    expect(page.locator("#verdict")).to_contain_text("Not a valid puzzle yet", timeout=PATIENCE)
    expect(button).to_be_hidden()


def test_link_that_cannot_be_created_is_explained(page: Page) -> None:
    start_drawing(page)
    page.keyboard.press("1")
    full = {"status": 503, "detail": "The queue is full. Try again in a minute."}
    page.route("**/api/v1/jobs", lambda route: route.fulfill(status=429, json=full))
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#link-note")).to_have_text(
        "There is no link: The queue is full. Try again in a minute."
    )
