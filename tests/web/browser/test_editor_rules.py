"""Rules in the grid editor: how they are found, entered, refused, and marked."""

import json

import pytest
from browsing import PATIENCE
from editing import add_cage, add_rule, choose_rule, middle_of, open_editor, text_of
from playwright.sync_api import Page, expect

from solver.rules.registry import RULES

pytestmark = [pytest.mark.browser, pytest.mark.redis]


def test_rules_are_grouped_and_found_by_the_names_that_people_use(page: Page) -> None:
    open_editor(page, "9")
    page.locator(".modes").get_by_text("Rules").click()
    expect(page.locator("#rule-list legend")).to_have_text(
        [
            "Common rules",
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
    page.locator("#add").click()
    assert json.loads(text_of(page))["variant"] == ["windoku"]


def test_button_says_what_it_adds(page: Page) -> None:
    open_editor(page, "9")
    choose_rule(page, "killer")
    add = page.locator("#add")
    expect(add).to_have_text("Add cage of 1 cell")
    page.locator("#grid").press("Shift+ArrowRight")
    expect(add).to_have_text("Add cage of 2 cells")
    for rule, text in (("thermo", "line of 2 cells"), ("white", "rule for 2 cells")):
        choose_rule(page, rule)
        expect(add).to_have_text(f"Add {text}")
    for rule, text in (("diagonal", "rule"), ("sandwich", "clue"), ("or", "rule")):
        choose_rule(page, rule)
        expect(add).to_have_text(f"Add {text}")


def test_every_rule_can_be_entered_as_in_its_example(page: Page) -> None:
    open_editor(page, "9")
    page.locator(".modes").get_by_text("Rules").click()
    for name, rule in RULES.items():
        example = json.loads(rule.example)
        page.locator(f"#rule-list [value='{name}']").check()
        typed = page.locator(f"#rule-list [value='{name}']").get_attribute("data-example") or ""
        page.get_by_role("button", name="Clear board").click()
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
    page.locator("#add").click()
    expect(page.locator("#rule-fault")).to_contain_text(fault)
    expect(page.locator("#added li")).to_have_count(0)
    expect(page.locator("#number")).to_have_value(typed)


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


def test_late_error_of_a_rule_moves_none_of_the_buttons(page: Page) -> None:
    open_editor(page)
    add_rule(page, "regex", "1(2")
    buttons = [
        page.locator("#add"),
        *(
            page.get_by_role("button", name=name, exact=True)
            for name in ("Undo", "Redo", "Clear board")
        ),
    ]
    before = [button.bounding_box() for button in buttons]
    expect(page.locator("#added li .fault")).to_be_visible(timeout=PATIENCE)
    after = [button.bounding_box() for button in buttons]
    # The browser rounds positions to fractions of a pixel.
    assert after == [pytest.approx(box, abs=0.1) for box in before]


def test_thermometers_and_cages_are_drawn_with_the_mouse(page: Page) -> None:
    open_editor(page, "9")
    page.locator(".modes").get_by_text("Rules").click()

    def draw(*cells: tuple[int, int]) -> None:
        # A field that has the focus scrolls the page, and the button Solve can cover the grid.
        page.locator("#editor").evaluate("editor => editor.scrollIntoView()")
        box = page.locator("#grid").bounding_box()
        assert box is not None
        for place, cell in enumerate(cells):
            middle = middle_of(page, *cell)
            page.mouse.move(box["x"] + middle["x"], box["y"] + middle["y"], steps=5)
            if place == 0:
                page.mouse.down()
        page.mouse.up()

    page.get_by_label("Search rules").fill("dot")
    page.get_by_label("Search rules").fill("cage")  # several names end with it
    expect(page.locator("#rule-list [value=killer]")).to_be_checked()
    page.get_by_label("Search rules").fill("thermo")  # the best match is chosen
    draw((1, 1), (2, 2), (3, 2), (2, 2), (3, 3))  # diagonally, and back by one cell
    page.get_by_label("Search rules").fill("killer")
    draw((5, 5), (5, 6))
    page.keyboard.press("1")
    page.keyboard.press("9")
    page.keyboard.press("Backspace")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    assert json.loads(text_of(page))["constraints"] == [
        {"type": "thermo", "cells": ["r1c1", "r2c2", "r3c3"]},
        {"type": "killer", "cells": ["r5c5", "r5c6"], "sum": 11},
    ]


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


def test_labels_of_rows_and_columns_are_outside_the_clues(page: Page) -> None:
    open_editor(page, "4")
    labels = page.locator("#labels text")
    expect(labels).to_have_text(["c1", "c2", "c3", "c4", "r1", "r2", "r3", "r4"])
    before = float(labels.last.get_attribute("x") or 0)
    choose_rule(page, "xsum")
    assert float(labels.last.get_attribute("x") or 0) == before - 20  # the width of a cell


def test_only_rules_with_an_order_ask_for_the_cells_in_order(page: Page) -> None:
    open_editor(page)
    choose_rule(page, "killer")
    expect(page.locator("#rule-cells")).to_have_text(
        "Select the cells, type the sum, and press Enter or Add."
    )
    choose_rule(page, "greater")
    expect(page.locator("#rule-cells")).to_contain_text("Select the cells in order")


def test_list_of_rules_is_scrolled_to_the_chosen_one(page: Page) -> None:
    open_editor(page)
    page.locator(".modes").get_by_text("Rules").click()
    chosen = page.locator("#rule-list label", has=page.locator("[value=killer]"))
    page.locator("#rule-list").evaluate("list => list.scrollIntoView({ block: 'center' })")
    expect(chosen).to_be_in_viewport()
    expect(page.locator("#rule-list [value=killer]")).to_be_checked()


def test_rule_on_the_cells_of_another_one_of_its_kind_replaces_it(page: Page) -> None:
    open_editor(page, "9")
    choose_rule(page, "killer")
    grid, add, field = page.locator("#grid"), page.locator("#add"), page.locator("#number")
    grid.press("Shift+ArrowRight")
    grid.press("Shift+ArrowRight")
    add_rule(page, "killer", "15")
    before = text_of(page)
    expect(field).to_have_value("")
    # The cells are selected in another order, and the first digit replaces the sum.
    grid.press("Escape")
    for _ in range(2):
        grid.press("Shift+ArrowLeft")
    expect(add).to_have_text("Change cage of 3 cells")
    expect(field).to_have_value("15")
    page.keyboard.press("7")
    page.keyboard.press("Enter")
    cage = {"type": "killer", "cells": ["r1c3", "r1c2", "r1c1"], "sum": 7}
    assert json.loads(text_of(page))["constraints"] == [cage]
    page.get_by_role("button", name="Undo").click()
    assert text_of(page) == before
    expect(add).to_have_text("Add")


def test_line_on_the_cells_of_another_one_is_changed_only_in_their_order(page: Page) -> None:
    open_editor(page, "9")
    choose_rule(page, "whisper")
    add, field = page.locator("#add"), page.locator("#number")
    page.locator("#grid").press("Shift+ArrowRight")
    page.locator("#grid").press("Shift+ArrowDown")
    add_rule(page, "whisper", "4")
    page.locator("#grid").press("Escape")
    for key in ("ArrowUp", "ArrowLeft"):  # backward
        page.locator("#grid").press(f"Shift+{key}")
    expect(add).to_have_text("Change line of 3 cells")
    expect(field).to_have_value("4")
    choose_rule(page, "renban")
    expect(add).to_have_text("Add line of 3 cells")


def test_line_of_one_cell_is_not_added(page: Page) -> None:
    open_editor(page, "9")
    choose_rule(page, "thermo")
    expect(page.locator("#add")).to_be_disabled()
    expect(page.locator("#rule-cells")).to_contain_text("Select 2 or more cells: 1 is selected.")
    page.locator("#grid").press("Shift+ArrowRight")
    expect(page.locator("#add")).to_be_enabled()
