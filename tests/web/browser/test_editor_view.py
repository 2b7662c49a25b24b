"""The grid editor as a view of its own, which takes the place of the start page.

Links and the browser's buttons lead to it and from it. On phones, a finger draws.
"""

import json
import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import CLASSIC, PATIENCE, expect_finished, solve
from editing import FOUR, choose_rule, middle_of, open_editor, start_drawing, text_of, verdict
from playwright.sync_api import Browser, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.redis]

WCAG = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
MAX_BYTES = 150_000  # of the editor with its list of rules, compressed


@pytest.fixture(params=[(390, 844), (390, 664), (320, 640)], ids=["phone", "low", "narrow"])
def phone(request: pytest.FixtureRequest, site: str, browser: Browser) -> Iterator[Page]:
    width, height = request.param
    context = browser.new_context(
        base_url=site,
        viewport={"width": width, "height": height},
        has_touch=True,
        is_mobile=True,
    )
    page = context.new_page()
    page.goto("/#editor")
    yield page
    context.close()


def paste(page: Page, text: str) -> None:
    """Paste a text where the focus is."""
    page.evaluate(
        """text => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text", text);
            const options = { clipboardData, bubbles: true, cancelable: true };
            document.activeElement.dispatchEvent(new ClipboardEvent("paste", options));
        }""",
        text,
    )


def draw(page: Page, *cells: tuple[int, int]) -> None:
    """Draw with one finger from cell to cell."""
    box = page.locator("#grid").bounding_box()
    assert box is not None
    finger = page.context.new_cdp_session(page)
    for place, cell in enumerate(cells):
        middle = middle_of(page, *cell)
        point = {"x": box["x"] + middle["x"], "y": box["y"] + middle["y"]}
        kind = "touchMove" if place else "touchStart"
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    finger.detach()


def expect_editor(page: Page) -> None:
    expect(page.locator("#grid")).to_be_visible()
    for other in (".headline", ".door", "#drop", "#samples"):
        expect(page.locator(other)).to_be_hidden()


def expect_start(page: Page) -> None:
    expect(page.locator("#grid")).to_be_hidden()
    for part in (".headline", ".on-start", "#samples"):
        expect(page.locator(part)).to_be_visible()


def test_editor_takes_the_place_of_the_start_page_until_one_goes_back(page: Page) -> None:
    expect_start(page)
    start_drawing(page)
    expect_editor(page)
    expect(page.locator("#grid")).to_be_focused()
    expect(page).to_have_title("Grid editor – sudokuq")
    page.keyboard.press("1")
    page.go_back()
    expect_start(page)
    expect(page).to_have_title("New job – sudokuq")
    page.go_forward()
    expect_editor(page)
    expect(page.locator("#values")).to_have_text("1")
    page.get_by_role("link", name="Start page").click()
    expect_start(page)
    expect(page.locator("#first figure")).to_have_count(1)
    page.get_by_role("link", name="Edit in the grid").click()
    expect_editor(page)


def test_link_opens_the_editor_and_a_reload_keeps_it_with_its_puzzle(page: Page) -> None:
    page.goto("about:blank")
    page.goto("/#editor")
    expect_editor(page)
    page.keyboard.press("5")
    page.wait_for_timeout(500)  # until the draft is saved
    page.reload()
    expect_editor(page)
    expect(page.locator("#values")).to_have_text("5")


def test_changes_to_a_puzzle_of_a_link_survive_a_reload(page: Page) -> None:
    page.get_by_label("Paste puzzles").fill("12.4...2........")
    solve(page)
    expect_finished(page)
    page.goto(f"/?edit={page.url.rpartition('/')[2].partition('?')[0]}/1#editor")
    expect(page.locator("#values text")).to_have_count(4, timeout=PATIENCE)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("3")
    expect(page).to_have_url(re.compile("/#editor$"))
    page.reload()
    expect_editor(page)
    expect(page.locator("#values text")).to_have_count(5)


def test_puzzle_pasted_onto_the_board_takes_its_place_and_can_be_undone(page: Page) -> None:
    open_editor(page, "9")
    page.keyboard.press("7")
    paste(page, CLASSIC)
    expect(page.locator("#values text")).to_have_count(30)
    expect(verdict(page)).to_have_text("One solution", timeout=PATIENCE)
    page.locator("#grid").focus()
    page.keyboard.press("Control+z")
    expect(page.locator("#values")).to_have_text("7")


def test_puzzle_is_drawn_and_solved_by_keys_alone(page: Page) -> None:
    page.get_by_role("link", name="Draw a puzzle").press("Enter")
    page.keyboard.type("123")  # in one cell, where the last digit counts
    assert text_of(page)[0] == "3"
    page.keyboard.press("Control+z")
    page.locator("#symbol-set").press("Tab")
    expect(page.locator("#grid")).to_be_focused()  # the order on the screen
    page.locator("[name=editor-mode]:checked").focus()
    page.keyboard.press("4")
    expect(page.locator("#grid")).to_be_focused()
    solve(page)
    expect_finished(page)


def test_skip_link_leads_to_the_grid_and_not_out_of_the_editor(page: Page) -> None:
    start_drawing(page)
    page.locator(".skip").press("Enter")
    expect_editor(page)
    expect(page.locator("#grid")).to_be_focused()


def test_address_of_the_editor_shows_the_start_page_without_scripts(plain_page: Page) -> None:
    plain_page.goto("/#editor")
    expect_start(plain_page)
    expect(plain_page.get_by_label("Paste puzzles")).to_be_visible()


def test_board_verdict_and_keys_are_on_the_first_screen_of_a_phone(phone: Page) -> None:
    for part in ("#grid", "#verdict", ".modes", "#pad", "#undo", ".primary", ".back"):
        expect(phone.locator(part)).to_be_in_viewport(ratio=0.99)
    assert phone.evaluate("document.documentElement.scrollWidth") == phone.viewport_size["width"]  # type: ignore[index]


def test_finger_selects_and_draws_on_the_board(phone: Page) -> None:
    page = phone
    draw(page, (2, 2), (2, 3), (2, 4))
    # Chromium sometimes makes no click from a tap right after strokes that were sent to it.
    page.locator("#pad button").nth(6).click()
    assert text_of(page)[9:18] == ".777....."
    page.get_by_role("button", name="Undo").tap()
    choose_rule(page, "thermo")
    page.evaluate("scrollTo(0, 0)")
    draw(page, (1, 1), (2, 2), (3, 2), (2, 2), (3, 3))
    assert json.loads(text_of(page))["constraints"] == [
        {"type": "thermo", "cells": ["r1c1", "r2c2", "r3c3"]}
    ]


@pytest.mark.parametrize("style", ["light", "dark", "phone"])
@pytest.mark.parametrize("mode", ["Digits", "Rules", "Regions", "Title"])
def test_editor_has_no_obstacle(site: str, browser: Browser, style: str, mode: str) -> None:
    context = browser.new_context(
        base_url=site,
        color_scheme="dark" if style == "dark" else "light",
        viewport={"width": 320 if style == "phone" else 1280, "height": 800},
    )
    page = context.new_page()
    page.goto("/#editor")
    paste(page, FOUR)
    expect(page.locator("#values text")).to_have_count(5)
    expect(page.locator("#rule-list fieldset").first).to_be_attached(timeout=PATIENCE)
    page.locator(".modes").get_by_text(mode).click()
    violations = Axe().run(page, options=WCAG).response["violations"]
    context.close()
    assert [(each["id"], each["nodes"][0]["html"]) for each in violations] == []


def test_editor_is_light_and_loads_only_files_of_the_service(site: str, browser: Browser) -> None:
    """The requests are counted as they arrive, compressed."""
    context = browser.new_context(base_url=site)
    page = context.new_page()
    network = context.new_cdp_session(page)
    sizes: list[int] = []
    asked: list[str] = []
    network.on("Network.loadingFinished", lambda done: sizes.append(done["encodedDataLength"]))
    network.send("Network.enable")
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/#editor")
    expect(page.locator("#rule-list fieldset").first).to_be_attached(timeout=PATIENCE)
    page.wait_for_load_state("networkidle")
    context.close()
    assert all(url.startswith(site) for url in asked)
    assert 0 < sum(sizes) < MAX_BYTES


def test_empty_cells_of_a_row_lead_to_the_text_field(page: Page) -> None:
    open_editor(page, "9")
    line = page.locator("#cell")
    for key in "0. ":
        page.keyboard.press("ArrowRight")
        expect(line).to_have_text(re.compile(": empty$"))
        page.keyboard.press(key)
        expect(line).to_contain_text("empty. To type whole rows, use Puzzle as text below.")
    page.keyboard.press("5")
    expect(line).to_have_text("r1c4: 5")
    page.keyboard.press("0")
    expect(line).to_have_text("r1c4: empty")


def test_puzzle_that_is_brought_into_the_editor_has_nothing_to_undo(page: Page) -> None:
    page.get_by_label("Paste puzzles").fill(FOUR)
    start_drawing(page)
    expect(page.locator("#values text")).to_have_count(5)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    page.keyboard.press("1")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    assert text_of(page) == FOUR


def test_green_candidates_are_explained_only_where_there_are_some(page: Page) -> None:
    page.get_by_label("Paste puzzles").fill(FOUR)
    start_drawing(page)
    expect(page.locator("#values text")).to_have_count(5)
    page.get_by_role("checkbox", name="True candidates").check()
    legend = page.locator("#candidates-note .if-green")
    expect(legend).to_be_hidden()
    expect(page.locator("#editor .once").first).to_be_visible(timeout=PATIENCE)
    expect(legend).to_be_visible()
