"""Helpers for browser tests of the grid editor."""

from playwright.sync_api import Locator, Page, Position

FOUR = ".34.4......41..."


def start_drawing(page: Page) -> None:
    page.get_by_role("link", name="Draw a puzzle").click()


def open_editor(page: Page, size: str = "4") -> None:
    start_drawing(page)
    page.get_by_label("Size").select_option(size)
    page.locator("#grid").focus()


def middle_of(page: Page, row: int, column: int) -> Position:
    """Return the middle of a cell, relative to the upper left corner of the drawing.

    `row` and `column` count from 1.
    """
    middle: Position = page.locator("#grid").evaluate(
        """(grid, [row, column]) => {
            const { left, top } = grid.getBoundingClientRect();
            const { x, y } = new DOMPoint(20 * column - 10, 20 * row - 10)
                .matrixTransform(grid.getScreenCTM());
            return { x: x - left, y: y - top };
        }""",
        [row, column],
    )
    return middle


def text_of(page: Page) -> str:
    return page.get_by_label("Paste puzzles").input_value()


def choose_rule(page: Page, rule: str) -> None:
    page.locator(".modes").get_by_text("Rules").click()
    page.locator(f"#rule-list [value='{rule}']").check()


def add_rule(page: Page, rule: str, value: str = "") -> None:
    choose_rule(page, rule)
    if value:
        page.locator("#number").fill(value)
    page.locator("#add").click()


def verdict(page: Page) -> Locator:
    return page.locator("#verdict")


def add_cage(page: Page, sum_: str = "3") -> None:
    """Add a killer cage around the selected cell and the one on its right.

    `sum_` is its sum.
    """
    page.locator("#grid").focus()
    page.keyboard.press("Shift+ArrowRight")
    add_rule(page, "killer", sum_)
