"""The page that makes a book, in a real browser."""

import re

import pypdfium2
import pytest
from browsing import PATIENCE, expect_finished
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.redis]

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_book_is_previewed_adjusted_and_downloaded(page: Page) -> None:
    page.get_by_label("Paste puzzles").fill(f"{EASY}\n{EASY}\nnone")
    page.get_by_role("button", name="Solve").click()
    expect_finished(page)
    page.get_by_role("link", name="Make a book").click()
    expect(page.locator(".lead")).to_contain_text("2 of the 3 puzzles of “3 puzzles”")
    expect(page.locator(".lead")).to_contain_text("no grid could be read: puzzle 3.")
    page.get_by_label("Author").fill("Ada")
    page.get_by_role("button", name="Print only puzzles with one solution").click()
    expect(page.get_by_text("2 puzzles of “3 puzzles” (one solution)")).to_be_visible()
    expect(page.get_by_label("Author")).to_have_value("Ada")
    picture = page.get_by_role("img", name="The first pages of the book")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 800
    page.get_by_label("Title").fill("Sudoku for the train")
    page.get_by_label("Solutions").select_option("upside down on the page")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the book").click()
    assert download.value.suggested_filename.endswith(".pdf")
    book = pypdfium2.PdfDocument(download.value.path())
    assert book.get_metadata_value("Title") == "Sudoku for the train"
    expect(page.get_by_role("status").filter(has_text=".pdf has 0.")).to_be_visible()
    page.get_by_label("Cover sheet").uncheck()
    page.get_by_label("Large print").check()
    expect(picture).to_have_attribute("src", re.compile("cover=false.*large_print=true"))
    expect(page.locator("#preview")).not_to_have_attribute("aria-busy", "true", timeout=PATIENCE)
    expect(page.get_by_role("button", name="Update the preview")).to_be_hidden()
    page.reload()
    expect(page.get_by_label("Title")).to_have_value("Sudoku for the train")
    expect(page.get_by_label("Solutions")).to_have_value("upside-down")
    expect(page.get_by_label("Cover sheet")).not_to_be_checked()
    expect(page.get_by_label("Large print")).to_be_checked()
    expect(page.get_by_label("Page numbers")).to_be_checked()
    expect(picture).to_be_visible()
    page.get_by_label("Large print").uncheck()
    page.get_by_label("Made for").select_option("Amazon KDP")
    page.get_by_role("button", name="Download the book").click()
    expect(page.get_by_role("alert").filter(has_text="Amazon KDP prints 24")).to_be_visible(
        timeout=PATIENCE
    )
