"""The grid editor in a real browser never loses what the user typed, drew, or chose."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import CLASSIC, PATIENCE, choose, expect_finished, solve
from playwright.sync_api import Browser, Dialog, Page, expect

from solver.rules.registry import RULES

pytestmark = [pytest.mark.browser, pytest.mark.redis]

FOUR = ".34.4......41..."


def open_editor(page: Page, size: str = "4") -> None:
    page.locator("#editor summary").click()
    page.get_by_label("Size").select_option(size)
    page.locator("#grid").focus()


def text_of(page: Page) -> str:
    return page.get_by_label("Paste puzzles").input_value()


def add_rule(page: Page, rule: str, value: str = "") -> None:
    page.get_by_label("Rule for the selected cells").select_option(rule)
    if value:
        page.locator("#number").fill(value)
    page.get_by_role("button", name="Add", exact=True).click()


def add_cage(page: Page, sum_: str = "3") -> None:
    """Add a killer cage around the first two cells."""
    page.locator("#grid").focus()
    page.keyboard.press("Shift+ArrowRight")
    add_rule(page, "killer", sum_)


@pytest.fixture
def touched(site: str, browser: Browser) -> Iterator[Page]:
    """Open a page on an emulated phone."""
    context = browser.new_context(
        base_url=site, viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto("/")
    yield page
    context.close()


def test_pasted_puzzle_is_replaced_only_after_a_question_and_undo_restores_it(page: Page) -> None:
    page.get_by_label("Paste puzzles").fill(FOUR)
    open_editor(page)
    assert text_of(page) == FOUR  # changing the size of an empty grid keeps the text
    questions: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        questions.append(dialog.message)
        dialog.dismiss()

    page.once("dialog", dismiss)
    page.keyboard.press("1")
    assert "Replace it with the puzzle in the grid?" in questions[0]
    assert text_of(page) == FOUR
    expect(page.locator("#values")).to_have_text("")
    page.once("dialog", lambda dialog: dialog.accept())
    page.keyboard.press("1")
    assert text_of(page) == "1..............."
    page.keyboard.press("ArrowRight")
    page.keyboard.press("2")  # no second confirmation
    assert text_of(page) == "12.............."
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert text_of(page) == FOUR
    page.keyboard.press("Control+Shift+Z")
    assert text_of(page) == "1..............."


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
        name = {"empty": "Clear the grid", "remove": "Remove"}[way]
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


def test_draft_survives_a_reload_until_it_is_discarded(page: Page) -> None:
    open_editor(page)
    page.keyboard.press("1")
    add_cage(page)
    page.locator("summary", has_text="Options").click()
    page.get_by_label("Job name").fill("mine")
    before = text_of(page)
    page.reload()
    expect(page.get_by_text("Your draft was restored")).to_be_visible()
    assert text_of(page) == before
    expect(page.get_by_label("Job name")).to_have_value("mine")
    expect(page.locator("#values")).to_have_text("1")
    expect(page.locator("#added li")).to_have_count(1)
    expect(page.locator("#under .cage")).to_be_attached()
    page.locator("#grid").focus()
    page.keyboard.press("2")  # the text still matches the grid, so there is no confirmation
    assert json.loads(text_of(page))["puzzle"][0] == "2"
    page.get_by_role("button", name="Discard the draft").click()
    expect(page.get_by_text("Your draft was restored")).to_be_hidden()
    expect(page.get_by_label("Paste puzzles")).to_have_value("")
    page.reload()
    expect(page.get_by_label("Paste puzzles")).to_have_value("")


def test_pasted_text_survives_a_reload_and_ends_with_its_job(page: Page) -> None:
    page.get_by_label("Paste puzzles").fill(CLASSIC)
    page.reload()
    expect(page.get_by_label("Paste puzzles")).to_have_value(CLASSIC)
    solve(page)
    expect_finished(page)
    page.goto("/")
    expect(page.get_by_label("Paste puzzles")).to_have_value("")


def test_each_cage_on_a_touch_screen_has_its_own_cells(touched: Page) -> None:
    page = touched
    page.locator("#editor summary").tap()
    page.get_by_label("Size").select_option("4")
    page.get_by_label("Select several cells by tapping").check()
    box = page.locator("#grid").bounding_box()
    assert box is not None

    def tap(row: int, column: int) -> None:
        place = {"x": box["width"] * (column - 0.5) / 4, "y": box["height"] * (row - 0.5) / 4}
        page.locator("#grid").tap(position=place)  # type: ignore[arg-type]

    tap(1, 1)  # the first cell is selected initially, so a tap deselects it
    for cages in (((1, 2), (1, 3)), ((3, 1), (3, 2), (4, 1))):
        for cell in cages:
            tap(*cell)
        add_rule(page, "killer", "7")
    tap(2, 2)
    tap(2, 3)
    tap(2, 2)
    add_rule(page, "odd")
    rules = json.loads(text_of(page))["constraints"]
    assert [rule["cells"] for rule in rules] == [
        ["r1c2", "r1c3"], ["r3c1", "r3c2", "r4c1"], ["r2c3"]
    ]  # fmt: skip


def test_rules_that_cannot_be_used_are_marked_and_the_others_stay_drawn(page: Page) -> None:
    open_editor(page)
    add_cage(page)
    expect(page.locator("#under .cage")).to_be_attached()
    page.keyboard.press("ArrowDown")
    add_rule(page, "thermo")  # with a single cell
    fault = page.locator("#added li .fault")
    expect(fault).to_contain_text("needs a list of 2 cells", timeout=PATIENCE)
    expect(page.locator("#under .cage")).to_be_attached()
    page.keyboard.press("1")
    expect(page.locator("#values")).to_have_text("1")
    expect(page.locator("#under .cage")).to_be_attached()
    page.get_by_role("button", name="Remove").last.click()
    expect(fault).to_have_count(0)
    expect(page.locator("#under .cage")).to_be_attached()


def test_every_rule_can_be_entered_as_in_its_example(page: Page) -> None:
    open_editor(page, "9")
    options = page.locator("#rule option")
    for name, rule in RULES.items():
        example = json.loads(rule.example)
        option = options.and_(page.locator(f"[value='{name}']"))
        typed = option.get_attribute("data-example") or ""
        page.get_by_role("button", name="Clear the grid").click()
        emptied = page.get_by_label("Paste puzzles")
        expect(emptied).not_to_have_value(re.compile("constraints"))
        page.locator("#grid").focus()
        page.keyboard.press("Escape")  # select only the current cell
        add_rule(page, name, typed)
        (added,) = json.loads(text_of(page))["constraints"]
        key = rule.value or ("options" if rule.chooses else None)
        assert key is None or added[key] == example.get(key, rule.usual), name


@pytest.mark.parametrize(
    ("rule", "typed", "fault"),
    [
        ("killer", "abc", "sum must be a whole number."),
        ("killer", "1 2", "sum must be a whole number."),
        ("quadruple", "1 x", "values must be whole numbers"),
        ("regex", "", "pattern must be text."),
        ("or", "[{", "options must be a JSON list of options"),
    ],
)
def test_value_that_does_not_fit_the_rule_is_refused(
    page: Page, rule: str, typed: str, fault: str
) -> None:
    open_editor(page)
    page.keyboard.press("Shift+ArrowRight")
    add_rule(page, rule, typed)
    expect(page.locator("#rule-fault")).to_contain_text(fault)
    expect(page.locator("#added li")).to_have_count(0)
    expect(page.locator("#number")).to_have_value(typed)


def test_late_error_of_a_rule_moves_none_of_the_buttons(page: Page) -> None:
    open_editor(page)
    add_rule(page, "thermo")  # with a single cell
    buttons = [
        page.get_by_role("button", name=name, exact=True)
        for name in ("Add", "Undo", "Redo", "Clear the grid")
    ]
    before = [button.bounding_box() for button in buttons]
    expect(page.locator("#added li .fault")).to_be_visible(timeout=PATIENCE)
    assert [button.bounding_box() for button in buttons] == before


def test_chosen_file_is_announced_and_can_be_removed(page: Page, tmp_path: Path) -> None:
    open_editor(page)
    page.keyboard.press("1")
    notice = page.get_by_text("will be solved. The pasted text and the grid are ignored.")
    for name in ("Remove the file", "Use the text or the grid instead"):
        choose(page, tmp_path, CLASSIC, name="chosen.txt")
        expect(notice).to_contain_text("chosen.txt")
        page.get_by_role("button", name=name).click()
        expect(notice).to_be_hidden()
        expect(page.get_by_label("Paste puzzles")).to_be_enabled()
    solve(page)
    expect_finished(page)
    expect(page.get_by_role("heading", name="1 puzzle")).to_be_visible()
    expect(page.locator("#results svg.board .given")).to_have_text("1")
