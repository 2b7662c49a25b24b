"""The grid editor in a real browser never loses what the user typed, drew, or chose."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import CLASSIC, PATIENCE, choose, expect_finished, solve
from playwright.sync_api import Browser, Dialog, Locator, Page, Route, expect

from solver.rules.registry import RULES

pytestmark = [pytest.mark.browser, pytest.mark.redis]

FOUR = ".34.4......41..."
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


def open_editor(page: Page, size: str = "4") -> None:
    page.locator("#editor summary").click()
    page.get_by_label("Size").select_option(size)
    page.locator("#grid").focus()


def text_of(page: Page) -> str:
    return page.get_by_label("Paste puzzles").input_value()


def choose_rule(page: Page, rule: str) -> None:
    page.locator(".modes").get_by_text("Rules").click()
    page.locator(f"#rule-list [value='{rule}']").check()


def add_rule(page: Page, rule: str, value: str = "") -> None:
    choose_rule(page, rule)
    if value:
        page.locator("#number").fill(value)
    page.get_by_role("button", name="Add", exact=True).click()


def verdict(page: Page) -> Locator:
    return page.locator("#verdict")


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
        name = {"empty": "New puzzle", "remove": "Remove"}[way]
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


def test_touch_selects_and_unselects_cells_for_each_rule(touched: Page) -> None:
    page = touched
    page.locator("#editor summary").tap()
    page.get_by_label("Size").select_option("4")
    choose_rule(page, "killer")
    box = page.locator("#grid").bounding_box()
    assert box is not None

    def tap(row: int, column: int) -> None:
        place = {"x": box["width"] * (column - 0.5) / 4, "y": box["height"] * (row - 0.5) / 4}
        page.locator("#grid").tap(position=place)  # type: ignore[arg-type]

    tap(1, 1)  # the first cell is selected initially, so a tap deselects it
    for cages in (((1, 2), (1, 3)), ((3, 1), (3, 2), (4, 1))):
        for cell in cages:
            tap(*cell)
        page.locator("#number").fill("7")
        page.get_by_role("button", name="Add", exact=True).tap()
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
    page.locator("#editor summary").tap()
    page.locator("#grid").scroll_into_view_if_needed()
    page.locator("#grid").tap(position={"x": 100, "y": 100})
    key = page.locator("#pad button").nth(4)
    expect(key).to_be_in_viewport()
    expect(page.locator("#grid")).to_be_in_viewport()
    key.tap()
    expect(page.locator("#values")).to_have_text("5")


def test_rules_that_cannot_be_used_are_marked_and_the_others_stay_drawn(page: Page) -> None:
    open_editor(page)
    add_cage(page)
    expect(page.locator("#under .cage")).to_be_attached()
    page.keyboard.press("ArrowDown")
    add_rule(page, "regex", "1(2")
    fault = page.locator("#added li .fault")
    expect(fault).to_contain_text("regex", timeout=PATIENCE)
    expect(page.locator("#faulty rect")).to_have_count(1)
    expect(page.locator("#under .cage")).to_be_attached()
    page.locator(".modes").get_by_text("Digits").click()
    page.locator("#grid").focus()
    page.keyboard.press("1")
    expect(page.locator("#values")).to_have_text("1")
    expect(page.locator("#under .cage")).to_be_attached()
    page.get_by_role("button", name="Remove").last.click()
    expect(fault).to_have_count(0)
    expect(page.locator("#faulty rect")).to_have_count(0)
    expect(page.locator("#under .cage")).to_be_attached()


def test_every_rule_can_be_entered_as_in_its_example(page: Page) -> None:
    open_editor(page, "9")
    page.locator(".modes").get_by_text("Rules").click()
    for name, rule in RULES.items():
        example = json.loads(rule.example)
        page.locator(f"#rule-list [value='{name}']").check()
        typed = page.locator(f"#rule-list [value='{name}']").get_attribute("data-example") or ""
        page.get_by_role("button", name="New puzzle").click()
        page.locator("#grid").focus()
        for _ in range(max(rule.least, 1) - 1):
            page.keyboard.press("Shift+ArrowRight")
        add_rule(page, name, typed)
        (added,) = json.loads(text_of(page))["constraints"]
        key = rule.value or ("options" if rule.chooses else None)
        assert key is None or added[key] == example.get(key, rule.usual), name


@pytest.mark.parametrize(
    ("rule", "typed", "fault"),
    [
        ("killer", "abc", "Sum must be a whole number."),
        ("killer", "1 2", "Sum must be a whole number."),
        ("quadruple", "1 x", "Digits must be whole numbers"),
        ("regex", "", "Pattern must be text."),
        ("or", "[{", "Alternatives must be a JSON list of options"),
    ],
)
def test_value_that_does_not_fit_the_rule_is_refused(
    page: Page, rule: str, typed: str, fault: str
) -> None:
    open_editor(page)
    page.keyboard.press("Shift+ArrowRight")
    choose_rule(page, rule)
    if typed:
        page.locator("#number").press_sequentially(typed)
        expect(page.locator("#rule-fault")).to_contain_text(fault)  # before it is added
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("#rule-fault")).to_contain_text(fault)
    expect(page.locator("#added li")).to_have_count(0)
    expect(page.locator("#number")).to_have_value(typed)


def test_late_error_of_a_rule_moves_none_of_the_buttons(page: Page) -> None:
    open_editor(page)
    add_rule(page, "regex", "1(2")
    buttons = [
        page.get_by_role("button", name=name, exact=True)
        for name in ("Add", "Undo", "Redo", "New puzzle")
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


def test_verdict_follows_every_change(page: Page) -> None:
    open_editor(page, "4")
    expect(verdict(page)).to_contain_text("Draw or paste a puzzle")
    page.get_by_label("Paste puzzles").fill("12.4...2....4..1")
    expect(verdict(page)).to_have_text("One solution", timeout=PATIENCE)
    page.get_by_role("checkbox", name="Solution").check()
    expect(page.locator("#values .found")).to_have_count(10)
    page.get_by_role("checkbox", name="Solution").uncheck()
    page.get_by_label("Paste puzzles").fill("1" + "." * 15)
    expect(verdict(page)).to_have_text(
        re.compile(r"At least two solutions: r\dc\d can be \d or \d")
    )
    page.get_by_role("checkbox", name="True candidates").check()
    expect(page.locator("#candidates .candidate").first).to_be_attached()
    expect(page.locator("#candidates .count").first).to_be_attached()
    page.get_by_label("Paste puzzles").fill("123...4.........")
    expect(verdict(page)).to_have_text(re.compile("No solution: r1c4 has no candidate left"))
    expect(page.locator("#faulty .conflict")).to_have_count(1)


def test_text_is_not_solved_for_a_verdict_while_the_editor_is_closed(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_label("Paste puzzles").fill(FOUR)
    expect(page.locator("#first figure")).to_have_count(1)
    page.wait_for_timeout(800)
    assert not any("/solve" in url or "/editor/rules" in url for url in asked)


def test_repeated_digits_turn_red_while_typing(page: Page) -> None:
    page.route("**/api/v1/**", lambda route: route.abort())  # the page finds them itself
    open_editor(page, "4")
    page.keyboard.press("1")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("1")
    expect(page.locator("#values .wrong")).to_have_count(2)
    expect(page.locator("#cell")).to_contain_text("in conflict")


def test_rules_are_grouped_and_found_by_the_names_that_people_use(page: Page) -> None:
    open_editor(page, "9")
    page.locator(".modes").get_by_text("Rules").click()
    expect(page.locator("#rule-list legend")).to_have_text(
        [
            "Lines and arrows",
            "Dots and signs",
            "Cages and groups",
            "Marked cells",
            "Clues outside the grid",
            "Other rules",
            "Whole grid",
        ]
    )
    page.get_by_label("Search rules").fill("hyper")
    expect(page.locator("#rule-list label:visible")).to_have_count(1)
    expect(page.locator("#rule-list svg:visible")).to_have_count(1)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Add", exact=True).click()
    assert json.loads(text_of(page))["variant"] == ["windoku"]


def test_clue_outside_the_grid_is_set_in_its_place_with_the_keyboard(page: Page) -> None:
    open_editor(page, "4")
    choose_rule(page, "xsum")
    page.locator("#grid").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#cell")).to_have_text("Clue for r1c1 to r1c4")
    page.keyboard.press("1")
    page.keyboard.press("0")
    page.keyboard.press("Enter")
    (clue,) = json.loads(text_of(page))["constraints"]
    assert clue == {"type": "xsum", "cells": ["r1c1", "r1c2", "r1c3", "r1c4"], "sum": 10}
    expect(page.locator("#under .clue")).to_have_text("10")


def test_regions_are_painted(page: Page) -> None:
    open_editor(page, "4")
    page.locator(".modes").get_by_text("Regions").click()
    page.locator("#pad button").nth(1).click()
    box = page.locator("#grid").bounding_box()
    assert box is not None
    cell = box["width"] / 4
    page.mouse.move(box["x"] + cell / 2, box["y"] + cell / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + cell / 2, box["y"] + 1.5 * cell)
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
    page.goto(f"{page.url.split('?')[0]}/puzzles/1")
    page.get_by_role("link", name="Edit").click()
    expect(page.locator("#under .cage")).to_be_visible()
    described = json.loads(text_of(page))
    assert [rule["type"] for rule in described["constraints"]] == ["killer"]
    assert described["title"] == "My cage"
    expect(page.locator("#puzzle-title")).to_have_value("My cage")


def test_large_board_is_readable_on_a_desktop(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    open_editor(page, "25")
    box = page.locator("#grid").bounding_box()
    assert box is not None
    assert box["width"] / 25.2 >= 28


def test_verdict_is_undecided_when_the_search_takes_too_long(page: Page) -> None:
    undecided = {"outcome": "step_limit", "solutions": 0, "all_solutions": []}
    page.route("**/api/v1/solve?*", lambda route: route.fulfill(json=undecided))
    open_editor(page, "4")
    page.get_by_label("Paste puzzles").fill(FOUR)
    expect(verdict(page)).to_have_text("Undecided within the time limit", timeout=PATIENCE)


def test_verdict_is_undecided_so_far_after_half_a_second(page: Page) -> None:
    page.route("**/api/v1/solve?*", lambda _: None)
    open_editor(page, "4")
    page.get_by_label("Paste puzzles").fill(FOUR)
    expect(verdict(page)).to_have_text("Undecided so far …", timeout=PATIENCE)


def test_request_for_an_outdated_verdict_is_aborted(page: Page) -> None:
    """The first request gets no response, so the verdict can only come from the second."""
    asked: list[Route] = []
    aborted: list[str | None] = []
    page.on("requestfailed", lambda request: aborted.append(request.post_data))
    answers = {"outcome": "solved", "solutions": 1}

    def respond(route: Route) -> None:
        asked.append(route)
        if len(asked) > 1:
            route.fulfill(json=answers)

    page.route("**/api/v1/solve?*", respond)
    open_editor(page, "4")
    with page.expect_request("**/api/v1/solve?*"):
        page.get_by_label("Paste puzzles").fill("1" + "." * 15)
    page.get_by_label("Paste puzzles").fill(FOUR)
    expect(verdict(page)).to_have_text("One solution", timeout=PATIENCE)
    assert aborted == ["1" + "." * 15]
