"""The grid editor in a real browser: pasted puzzles, undo, touch, and its layout on phones.

It never loses what the user typed, drew, or chose.
"""

import json
from collections.abc import Iterator

import pytest
from browsing import expect_finished, solve
from editing import (
    FOUR,
    add_cage,
    add_rule,
    choose_rule,
    middle_of,
    open_editor,
    start_drawing,
    text_of,
)
from playwright.sync_api import Browser, Dialog, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.redis]

# A killer cage and a thermometer.
_PAYLOAD = (
    "N4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9ljSSyzKKKiBdZQm88l6t%2Bx99754hphw5DqA3iL40xkiROmzxorjMWT5qhf"
    "QYgA1hAA2%2BmBgDGAQzRx4hECZiGw%2BEACUAjAGFXIVG%2FcAmEG0ANzN9AFcrEEQQThAAFwALYwBbAHtkmDjjfFB9CAA"
    "7GEdrPBcAZncy7xcAFkrAunoiIA"
)
LINKS = {
    "sudokupad": f"https://sudokupad.app/fpuzzles{_PAYLOAD}",
    "f-puzzles": f"https://www.f-puzzles.com/?load={_PAYLOAD}",
    "iss": "https://sigh.github.io/Interactive-Sudoku-Solver/?q=.Cage~9~R1C1~R1C2"
    ".Thermo~R3C3~R4C3.AntiKnight",
}


@pytest.fixture
def touched(site: str, browser: Browser) -> Iterator[Page]:
    """Open the home page on an emulated phone."""
    context = browser.new_context(
        base_url=site, viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto("/")
    yield page
    context.close()


def test_pasted_puzzle_appears_in_the_grid_and_can_be_changed_and_undone(page: Page) -> None:
    open_editor(page, "9")
    page.get_by_label("Paste puzzles").fill(FOUR)
    expect(page.locator("#values text")).to_have_count(5)
    expect(page.get_by_label("Size")).to_have_value("4")
    assert text_of(page) == FOUR
    page.locator("#grid").focus()
    page.keyboard.press("1")
    assert text_of(page) == "1" + FOUR[1:]
    page.keyboard.press("Control+z")
    assert text_of(page) == FOUR
    page.keyboard.press("Control+z")
    assert text_of(page) == ""
    expect(page.get_by_label("Size")).to_have_value("9")
    page.keyboard.press("Control+Shift+Z")
    page.keyboard.press("Control+Shift+Z")
    assert text_of(page) == "1" + FOUR[1:]
    page.get_by_label("Paste puzzles").fill("")
    expect(page.locator("#values text")).to_have_count(0)


def test_several_puzzles_are_replaced_only_after_a_question(page: Page) -> None:
    text = f"{FOUR}\n{FOUR}"
    page.get_by_label("Paste puzzles").fill(text)
    open_editor(page)
    expect(page.locator("#first figure")).to_have_count(2)
    questions: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        questions.append(dialog.message)
        dialog.dismiss()

    page.once("dialog", dismiss)
    page.keyboard.press("1")
    assert "Replace it with the puzzle in the grid?" in questions[0]
    assert text_of(page) == text
    page.once("dialog", lambda dialog: dialog.accept())
    page.keyboard.press("1")
    assert text_of(page) == "1..............."
    page.keyboard.press("ArrowRight")
    page.keyboard.press("2")  # no second confirmation
    assert text_of(page) == "12.............."
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert text_of(page) == text


@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_pasted_link_is_edited_with_its_rules(page: Page, link: str) -> None:
    open_editor(page, "9")
    page.get_by_label("Paste puzzles").fill(link)
    expect(page.locator("#added li")).not_to_have_count(0)
    before = page.locator("#added li").count()
    page.locator("#grid").focus()
    page.keyboard.press("7")
    described = json.loads(text_of(page))
    assert len(described["constraints"]) + len(described.get("variant", [])) == before
    assert described["puzzle"][0] == "7"
    page.keyboard.press("Control+z")
    assert text_of(page) == link


@pytest.mark.parametrize("way", ["size", "empty", "symbols", "remove"])
def test_everything_in_the_grid_can_be_undone_and_redone(page: Page, way: str) -> None:
    open_editor(page)
    page.keyboard.press("1")
    add_cage(page)
    before = text_of(page)
    assert "killer" in before
    if way == "size":
        page.get_by_label("Size").select_option("9")
    elif way == "symbols":
        page.locator("#symbol-set").select_option("Letters")
    else:
        name = {"empty": "Clear board", "remove": "Remove"}[way]
        page.get_by_role("button", name=name, exact=True).click()
    after = text_of(page)
    assert after != before
    page.get_by_role("button", name="Undo").click()
    assert text_of(page) == before
    expect(page.get_by_label("Size")).to_have_value("4")
    expect(page.locator("#symbol-set")).to_have_value("")
    expect(page.locator("#added li")).to_have_count(1)
    expect(page.locator("#under .cage")).to_be_attached()
    page.get_by_role("button", name="Redo").click()
    assert text_of(page) == after


def test_touch_selects_and_unselects_cells_for_each_rule(touched: Page) -> None:
    page = touched
    start_drawing(page)
    page.get_by_label("Size").select_option("4")
    choose_rule(page, "killer")

    def tap(row: int, column: int) -> None:
        page.locator("#grid").tap(position=middle_of(page, row, column))

    for cages in (((1, 2), (1, 3)), ((3, 1), (3, 2), (4, 1))):
        for cell in cages:
            tap(*cell)
        page.locator("#number").fill("7")
        page.locator("#add").tap()
    tap(2, 2)
    tap(2, 3)
    tap(2, 2)
    add_rule(page, "odd")
    rules = json.loads(text_of(page))["constraints"]
    assert [rule["cells"] for rule in rules] == [
        ["r1c2", "r1c3"], ["r3c1", "r3c2", "r4c1"], ["r2c3"]
    ]  # fmt: skip


def test_keys_are_in_reach_of_the_grid_on_a_phone(touched: Page) -> None:
    page = touched
    start_drawing(page)
    page.locator("#grid").scroll_into_view_if_needed()
    page.locator("#grid").tap(position={"x": 100, "y": 100})
    key = page.locator("#pad button").nth(4)
    expect(key).to_be_in_viewport()
    expect(page.locator("#grid")).to_be_in_viewport()
    key.tap()
    expect(page.locator("#values")).to_have_text("5")


def test_drawing_on_a_phone_begins_with_the_board_its_verdict_and_keys_in_view(
    touched: Page,
) -> None:
    touched.get_by_role("link", name="Draw a puzzle").tap()
    for part in ("#grid", "#verdict", "#pad", "#undo", "#show-candidates"):
        expect(touched.locator(part)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("width", [390, 320])
@pytest.mark.parametrize("size", ["9", "16", "25"])
def test_modes_and_keys_fit_on_a_phone(touched: Page, width: int, size: str) -> None:
    page = touched
    page.set_viewport_size({"width": width, "height": 700})
    start_drawing(page)
    page.get_by_label("Size").select_option(size)
    page.locator("#grid").evaluate("grid => grid.scrollIntoView()")
    for parts in (page.locator(".modes label"), page.locator("#pad button")):
        boxes = [box for part in parts.all() if (box := part.bounding_box())]
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
        assert all(box["y"] + box["height"] <= 700 and box["width"] >= 24 for box in boxes)
        assert parts.evaluate_all("all => all.every(one => one.scrollWidth <= one.clientWidth)")
    tops = "labels => labels.map(label => label.getBoundingClientRect().top)"
    assert len(set(page.locator(".modes label").evaluate_all(tops))) == 1


def test_board_stays_in_view_while_a_rule_is_added_on_a_phone(touched: Page) -> None:
    page = touched
    start_drawing(page)
    page.locator(".modes").get_by_text("Rules").tap()
    page.locator("#add").scroll_into_view_if_needed()
    expect(page.locator("#add")).to_be_in_viewport(ratio=1)
    expect(page.get_by_label("Sum", exact=True)).to_be_in_viewport(ratio=1)
    expect(page.locator("#grid")).to_be_in_viewport(ratio=0.99)


def test_keys_of_the_grid_are_explained_where_there_is_a_keyboard(
    page: Page, touched: Page
) -> None:
    open_editor(page)
    expect(page.get_by_text("Hold Shift to select several cells")).to_be_visible()
    open_editor(touched)
    expect(touched.get_by_text("Hold Shift to select several cells")).to_be_hidden()


def test_regions_are_painted(page: Page) -> None:
    open_editor(page, "4")
    page.locator(".modes").get_by_text("Regions").click()
    page.locator("#pad button").nth(1).click()
    box = page.locator("#grid").bounding_box()
    assert box is not None
    for row in (1, 2):
        middle = middle_of(page, row, 1)
        page.mouse.move(box["x"] + middle["x"], box["y"] + middle["y"])
        if row == 1:
            page.mouse.down()
    page.mouse.up()
    regions = json.loads(text_of(page))["regions"]
    assert [row[0] for row in regions] == ["2", "2", "3", "3"]
    expect(page.locator("#pad .incomplete")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()  # one stroke
    assert text_of(page) == ""


def test_puzzle_of_a_job_is_edited_with_its_rules_and_words(page: Page) -> None:
    open_editor(page, "4")
    add_cage(page)
    page.locator(".modes").get_by_text("Title").click()
    page.get_by_label("Title", exact=True).last.fill("My cage")
    solve(page)
    expect_finished(page)
    job = page.url.split("?")[0]
    page.get_by_role("link", name="New job").click()
    expect(page.get_by_label("Paste puzzles")).to_have_value("")
    page.goto(f"{job}/puzzles/1")
    page.get_by_role("link", name="Edit").click()
    expect(page.locator("#under .cage")).to_be_visible()
    described = json.loads(text_of(page))
    assert [rule["type"] for rule in described["constraints"]] == ["killer"]
    assert described["title"] == "My cage"
    expect(page.locator("#puzzle-title")).to_have_value("My cage")


def test_large_board_is_readable_on_a_desktop(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    open_editor(page, "25")
    assert middle_of(page, 1, 2)["x"] - middle_of(page, 1, 1)["x"] >= 28
    labels = page.locator("#labels text")
    expect(labels).to_have_count(50)
    expect(labels.nth(24)).to_have_text("c25")
