"""Results in a real browser: charts, keyboard sorting, long names, images, and printing.

Puzzles of a job are listed as duplicates and run again.
"""

import json
import re

import httpx
import pytest
from browsing import CLASSIC, PATIENCE, SLOW, SOLUTION, TWICE, drawn, expect_finished, paste, solve
from editing import start_drawing
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.redis]

LONG_NAMES = ("n" * 200, "🐸" * 100, "שלום " * 40)


def tab_to(page: Page, name: str) -> None:
    """Press Tab until an element whose text begins with `name` has the focus, at most 60 times."""
    for _ in range(60):
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.textContent")
        if focused.startswith(name):
            return
    pytest.fail(f"60 presses of Tab did not reach {name}")


def test_steps_and_time_are_plotted_and_results_sorted_by_keys_alone(page: Page) -> None:
    paste(page, f"{CLASSIC}\n{SLOW}\n1{'.' * 80}\n{CLASSIC}\n")
    expect_finished(page)
    guesses = page.locator(".bars", has_text="Puzzles by number of guesses")
    expect(guesses).to_be_hidden()
    page.get_by_text("Charts").click()
    expect(guesses.locator("tbody tr").first).to_have_text("02")
    steps = page.locator("#results tbody td.guesses")
    tab_to(page, "Guesses")
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="Guesses")).to_have_attribute(
        "aria-sort", "descending"
    )
    most_first = [int(text.replace("guesses: ", "")) for text in steps.all_text_contents()]
    assert most_first == sorted(most_first, reverse=True)
    tab_to(page, "Guesses")
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="Guesses")).to_have_attribute(
        "aria-sort", "ascending"
    )
    page.locator("#outcomes").get_by_role("link", name="one solution").click()
    expect(page).to_have_url(re.compile("outcome=solved&sort=steps$"))


def test_number_of_a_column_appears_for_the_mouse_and_for_the_keyboard(
    page: Page, site: str
) -> None:
    job = httpx.post(f"{site}/api/v1/jobs?rate=true", content=f"{CLASSIC}\n" * 3, timeout=60).json()
    page.goto(f"/jobs/{job['id']}?outcome=")
    expect_finished(page)
    page.get_by_text("Charts").click()
    column = page.get_by_role("link", name="3 rated 1.0 to 1.4")
    number = column.locator("text")
    expect(number).to_be_hidden()
    column.hover()
    expect(number).to_have_text("3")
    expect(number).to_be_visible()
    page.mouse.move(0, 0)
    expect(number).to_be_hidden()
    column.focus()
    expect(number).to_be_visible()
    column.press("Enter")
    expect(page).to_have_url(re.compile("rating=1.0..1.4"))


def test_duplicates_of_puzzles_are_listed_on_a_page_of_the_job(page: Page) -> None:
    same = "".join(CLASSIC[start : start + 9][::-1] for start in range(0, 81, 9))
    text = f"{CLASSIC} first\n{SLOW}\n{same} mirrored\n"
    page.get_by_label("Paste puzzles").fill(text)
    page.locator("summary", has_text="Options").click()
    page.get_by_label("Find duplicates").check()
    solve(page)
    expect_finished(page)
    page.get_by_role("link", name="Duplicates in groups").click()
    expect(page.get_by_role("heading", name="Duplicates")).to_be_visible()
    group = page.get_by_role("article", name="Puzzle 1 and its duplicates")
    expect(group).to_contain_text(re.compile(r"puzzle 3 mirrored\s*turned or mirrored"))
    page.get_by_role("link", name="puzzle 3").click()
    expect(page.get_by_role("heading", name="Puzzle 3")).to_be_visible()


def test_shown_puzzles_run_again_with_other_options(page: Page) -> None:
    paste(page, f"{CLASSIC}\n{TWICE}\n1{'.' * 80}\n{CLASSIC}\n")
    expect_finished(page)
    page.locator("#outcomes").get_by_role("link", name="one solution").click()
    page.get_by_text("About this job").click()
    page.get_by_text("Run again with other options …").click()
    page.get_by_label("Rate the difficulty").check()
    page.get_by_role("button", name="Run these 2 puzzles again").click()
    expect_finished(page)
    expect(page.locator("#total")).to_have_text("2")
    expect(page.locator("#results tbody td.rating").first).to_contain_text("1.2")
    page.get_by_role("link", name="was puzzle 4").click()
    expect(page.get_by_role("heading", name="Puzzle 4")).to_be_visible()


def test_first_key_leads_past_the_navigation_and_the_focus_is_seen(page: Page) -> None:
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to main content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    assert skip.evaluate("link => getComputedStyle(link).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#main :focus")).to_be_in_viewport()


def test_puzzle_is_typed_in_letters_and_in_pictures(page: Page) -> None:
    start_drawing(page)
    page.get_by_label("Size").select_option("4")
    symbols = page.locator("#symbol-set")
    symbols.select_option("Letters")
    page.locator("#grid").focus()
    for key in ("b", "ArrowRight", "3"):
        page.keyboard.press(key)
    expect(page.locator("#values")).to_have_text("BC")
    symbols.select_option("Emoji")
    expect(page.locator("#values")).to_have_text("🐱🐭")
    page.get_by_role("button", name="🐶").click()
    expect(page.locator("#cell")).to_have_text("r1c2: 🐶")
    symbols.select_option("own")
    page.get_by_label("Your own symbols").fill("♠♥♦")
    expect(page.locator("#symbols-note")).to_contain_text("Enter 4 different symbols")
    page.get_by_label("Your own symbols").fill("♠♥♦♣")
    expect(page.locator("#values")).to_have_text("♥♠")
    solve(page)
    expect_finished(page)
    expect(page.locator("#results .given").first).to_contain_text("♥")
    assert set(drawn(page.locator("#results svg.board"))) == set("♠♥♦♣")


@pytest.mark.parametrize(("size", "cells"), [("5", 25), ("25", 625)])
def test_grids_have_every_size(page: Page, size: str, cells: int) -> None:
    start_drawing(page)
    page.get_by_label("Size").select_option(size)
    page.locator("#grid").focus()
    for digit in size:
        page.keyboard.press(digit)
    written = page.get_by_label("Paste puzzles").input_value()
    board = json.loads(written)["puzzle"] if "{" in written else written
    assert len(board.split() if " " in board else board) == cells
    expect(page.locator("#preview")).to_contain_text(f"{size}×{size}")
    expect(page.locator("#preview")).not_to_contain_text("error")


@pytest.mark.parametrize("width", [390, 1280])
def test_long_names_widen_no_page(site: str, page: Page, width: int) -> None:
    puzzles = [{"name": name, "puzzle": CLASSIC} for name in LONG_NAMES]
    address = f"{site}/api/v1/jobs"
    for name in LONG_NAMES:
        body = {"puzzles": puzzles, "options": {"name": name[:200]}}
        job = httpx.post(address, json=body, timeout=60).json()
    page.set_viewport_size({"width": width, "height": 800})
    for path in ("/my-jobs", f"/jobs/{job['id']}", f"/jobs/{job['id']}/puzzles/1"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_phones_can_sort_results_and_show_large_boards_completely(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.get_by_role("button", name="25×25").click()
    expect_finished(page)
    page.get_by_role("link", name="Guesses").click()
    expect(page).to_have_url(re.compile("sort=-steps"))
    page.get_by_role("link", name="Gallery").click()
    board = page.locator("#results svg.board").first.bounding_box()
    assert board is not None
    assert board["x"] >= 0
    assert board["x"] + board["width"] <= 390
    assert board["width"] > 300


def test_invalid_grid_shows_the_reason_and_marks_the_place(page: Page) -> None:
    paste(page, TWICE)
    expect_finished(page)
    expect(page.locator("#results .badge")).to_have_text("Invalid")
    page.get_by_role("link", name="puzzle 1", exact=True).click()
    expect(page.locator(".problem")).to_contain_text("5 twice in row 1: r1c1, r1c2")
    expect(page.locator(".whole .wrong").first).to_be_visible()


def test_printed_puzzle_has_no_screen_controls(page: Page) -> None:
    paste(page, CLASSIC)
    expect_finished(page)
    page.get_by_role("link", name="puzzle 1", exact=True).click()
    page.emulate_media(media="print")
    expect(page.get_by_role("navigation", name="Site")).to_be_hidden()
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    board = page.locator(".whole svg.board")
    expect(board).to_be_visible()
    assert drawn(board) == SOLUTION


def test_a_puzzle_is_printed_with_its_deductions_as_text(page: Page) -> None:
    paste(page, CLASSIC)
    expect_finished(page)
    page.get_by_role("link", name="puzzle 1", exact=True).click()
    deductions = page.locator("#deductions li[data-technique]")
    expect(deductions.first).to_be_attached(timeout=PATIENCE)
    page.emulate_media(media="print")
    expect(deductions.first.locator(".reason")).to_be_visible()
    expect(deductions.first.locator(".result")).to_be_hidden()
    expect(page.get_by_role("application", name="puzzle 1", exact=True)).to_be_visible()
    for screen in ("#stage", ".hint", "#deductions svg >> nth=0"):
        expect(page.locator(screen)).to_be_hidden()
    whole = "list => list.scrollHeight <= list.clientHeight"
    assert page.locator("#deductions").evaluate(whole)
