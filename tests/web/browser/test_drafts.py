"""Drafts of uploads survive a reload, and files take the place of texts.

The given in a link to the editor is chosen and marked.
"""

import json
from pathlib import Path

import pytest
from browsing import CLASSIC, PATIENCE, TWICE, choose, expect_finished, solve
from editing import add_cage, open_editor, text_of
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.redis]


def test_draft_survives_a_reload_until_it_is_discarded(page: Page) -> None:
    open_editor(page)
    page.keyboard.press("1")
    add_cage(page)
    page.go_back()
    page.locator("summary", has_text="Options").click()
    page.get_by_label("Job name").fill("mine")
    before = text_of(page)
    page.reload()
    expect(page.get_by_text("Your draft was restored")).to_be_visible()
    assert text_of(page) == before
    expect(page.get_by_label("Job name")).to_have_value("mine")
    page.get_by_role("link", name="Edit in the grid").click()
    expect(page.locator("#values")).to_have_text("1")
    expect(page.locator("#added li")).to_have_count(1)
    expect(page.locator("#under .cage")).to_be_attached()
    page.locator("#grid").focus()
    page.keyboard.press("2")  # the text still matches the grid, so there is no confirmation
    assert json.loads(text_of(page))["puzzle"][0] == "2"
    page.get_by_role("button", name="Clear the draft").click()
    expect(page.get_by_text("Your draft was restored")).to_be_hidden()
    expect(page.get_by_label("Paste puzzles")).to_have_value("")
    page.reload()
    expect(page.get_by_label("Paste puzzles")).to_have_value("")


def test_pasted_text_survives_a_reload_and_ends_with_its_job(page: Page) -> None:
    page.get_by_label("Paste puzzles").fill(CLASSIC)
    page.reload()
    expect(page.get_by_label("Paste puzzles")).to_have_value(CLASSIC)
    page.get_by_label("Paste puzzles").click()
    page.keyboard.insert_text(TWICE)  # as by pasting, which replaces the draft
    expect(page.get_by_label("Paste puzzles")).to_have_value(TWICE)
    expect(page.get_by_text("Your draft was restored")).to_be_hidden()
    page.get_by_label("Paste puzzles").fill(CLASSIC)
    solve(page)
    expect_finished(page)
    page.goto("/")
    expect(page.get_by_label("Paste puzzles")).to_have_value("")


def test_puzzle_of_a_link_becomes_a_draft_only_after_a_change(page: Page) -> None:
    page.goto("/?rule=thermo#editor")
    expect(page.locator("#added li").first).to_be_visible(timeout=PATIENCE)
    page.wait_for_timeout(500)  # longer than the pause before a draft is saved
    page.goto("/")
    expect(page.get_by_label("Paste puzzles")).to_have_value("")
    expect(page.locator("#drop")).to_be_visible()
    page.goto("/?rule=thermo#editor")
    expect(page.locator("#added li").first).to_be_visible(timeout=PATIENCE)
    page.locator("#grid").focus()
    page.keyboard.press("5")
    page.goto("/")
    expect(page.get_by_text("Your draft was restored")).to_be_visible()


def test_chosen_file_is_announced_and_can_be_removed(page: Page, tmp_path: Path) -> None:
    open_editor(page)
    page.keyboard.press("1")
    notice = page.get_by_text("The pasted text and the grid are ignored.")
    chosen = page.locator("#drop").get_by_role("status")
    for name in ("Remove the file", "Use the text or the grid instead"):
        choose(page, tmp_path, CLASSIC, name="chosen.txt")
        expect(chosen).to_have_text("chosen.txt", use_inner_text=True)
        expect(notice).to_be_visible()
        page.get_by_role("button", name=name).click()
        expect(notice).to_be_hidden()
        expect(chosen).to_have_text("Drop a file here", use_inner_text=True)
        expect(page.get_by_label("Paste puzzles")).to_be_enabled()
    solve(page)
    expect_finished(page)
    expect(page.get_by_role("heading", name="Sudoku 4×4, 1 given")).to_be_visible()
    expect(page.locator("#results svg.board .given")).to_have_text("1")


def test_only_a_text_that_exists_is_said_to_be_ignored(page: Page, tmp_path: Path) -> None:
    choose(page, tmp_path, CLASSIC, name="chosen.txt")
    expect(page.get_by_text("chosen.txt")).to_be_visible()
    expect(page.get_by_text("The pasted text and the grid are ignored.")).to_be_hidden()


def test_preview_leaves_solve_in_view_and_the_link_to_the_editor_as_high_as_before(
    page: Page, tmp_path: Path
) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    door = page.get_by_role("link", name="Type or draw a puzzle")
    before = door.bounding_box()
    invalid = "55" + "." * 79
    choose(page, tmp_path, "\n".join([CLASSIC] * 6 + [invalid] * 7), name="chosen.txt")
    expect(page.locator("#preview")).to_contain_text("7 have errors")
    expect(page.locator("#troubles li").last).to_have_text("and more")
    expect(page.get_by_role("button", name="Solve", exact=True)).to_be_in_viewport(ratio=1)
    assert door.bounding_box() == before


def test_given_of_a_link_to_the_editor_is_chosen_and_marked(page: Page) -> None:
    page.get_by_label("Paste puzzles").fill("12.4...2........")
    solve(page)
    expect_finished(page)
    job = page.url.rpartition("/")[2].partition("?")[0]
    page.goto(f"/?edit={job}/1&given=r4c4:1#editor")
    expect(page.locator("#cell")).to_have_text("r4c4: 1", timeout=PATIENCE)
    expect(page.locator("#chosen .fresh")).to_have_count(1)
    page.locator("#grid").focus()
    page.keyboard.press("Backspace")
    expect(page.locator("#chosen .fresh")).to_have_count(0)
