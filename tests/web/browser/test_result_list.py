"""The results on a job's page in a real browser: rows, filters, order, selection, and views."""

from collections.abc import Iterator

import httpx
import pytest
from browsing import CLASSIC, SLOW, TWICE
from playwright.sync_api import Browser, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.redis]

SAME = "".join(CLASSIC[start : start + 9][::-1] for start in range(0, 81, 9))
RECORDS = {
    "Alpha": CLASSIC,
    "Beta": SLOW,
    "Gamma": TWICE,
    "Delta": f"1{'.' * 80}",
    "Alpha mirrored": SAME,
}


@pytest.fixture(scope="module")
def job(site: str) -> str:
    """Return the path of a finished job with named puzzles, ratings, and canonical forms."""
    text = "puzzle,name\n" + "".join(f"{puzzle},{name}\n" for name, puzzle in RECORDS.items())
    return finished(site, text, name="book.csv", rate="true", minlex="true")


def finished(site: str, text: str, **options: str) -> str:
    with httpx.Client(base_url=site, timeout=60) as http:
        job_id = http.post("/api/v1/jobs", params=options, content=text.encode()).json()["id"]
        while http.get(f"/api/v1/jobs/{job_id}?wait=20").json()["state"] != "finished":
            pass
    return f"/jobs/{job_id}"


@pytest.fixture
def phone(site: str, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(base_url=site, viewport={"width": 390, "height": 844})
    yield context.new_page()
    context.close()


def expect_names(page: Page, *names: str) -> None:
    expect(page.locator("#results .name")).to_have_text(list(names))


def top_of(page: Page, selector: str) -> float:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["y"]


def test_results_are_on_the_first_screen_in_compact_rows(page: Page, job: str) -> None:
    page.set_viewport_size({"width": 1200, "height": 900})
    page.goto(job)
    assert top_of(page, "#results tbody tr") < 460
    widths = [page.locator(part).bounding_box() for part in ("#results table", "#outcomes")]
    assert [box and box["width"] for box in widths] == [1048, 1048]
    rows = page.locator("#results tbody tr").all()
    heights = [box["height"] for row in rows if (box := row.bounding_box())]
    assert len(heights) == len(RECORDS)
    assert max(heights) <= 48
    expect(page.get_by_role("group", name="Histogram of ratings")).to_be_hidden()


def test_results_begin_in_the_upper_half_of_a_phone(phone: Page, job: str) -> None:
    for path, first in ((job, "#results tbody tr"), (f"{job}?view=gallery", "#results li")):
        phone.goto(path)
        assert top_of(phone, first) < 422
        assert phone.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("width", [320, 390])
def test_actions_on_a_phone_take_one_row(site: str, browser: Browser, job: str, width: int) -> None:
    context = browser.new_context(base_url=site, viewport={"width": width, "height": 844})
    phone = context.new_page()
    phone.goto(job)
    buttons = phone.locator("#actions summary.button:visible, .switch:visible").all()
    rows = {round(box["y"] + box["height"] / 2) for each in buttons if (box := each.bounding_box())}
    expect(phone.get_by_text("Download 5 puzzles as …")).to_be_attached()
    expect(phone.get_by_role("link", name="Make a book")).to_be_hidden()
    phone.get_by_text("More", exact=True).click()
    expect(phone.get_by_role("link", name="Make a book")).to_be_in_viewport(ratio=1)
    expect(phone.get_by_role("link", name="Report", exact=True)).to_be_hidden()
    phone.get_by_label("What can be done with this job").click()
    expect(phone.get_by_role("link", name="Report", exact=True)).to_be_in_viewport(ratio=1)
    expect(phone.get_by_role("link", name="Make a book")).to_be_hidden()
    context.close()
    assert len(buttons) == 3
    assert len(rows) == 1


def test_rating_in_the_gallery_replaces_the_outcome(page: Page, job: str) -> None:
    page.goto(f"{job}?view=gallery")
    cards = page.locator("#results .boards li")
    expect(cards.nth(0).locator(".rating")).to_contain_text("easy")
    expect(cards.nth(0).locator(".badge")).to_have_count(0)
    expect(cards.nth(3).locator(".badge")).to_have_text("Several solutions")


def test_variants_in_the_table_are_told_apart_by_their_rules(page: Page, site: str) -> None:
    killer = (
        '{"puzzle": "................", "constraints": '
        '[{"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 3}]}'
    )
    mixed = '{"puzzle": "12.4...2....4..1", "variant": "diagonal"}'
    page.goto(finished(site, f"{killer}\n{mixed}\n"))
    rows = page.locator("#results td.what")
    expect(rows.nth(0)).to_have_text("Killer cage")
    expect(rows.nth(1)).to_have_text("Diagonals 6 givens")


def test_large_numbers_lead_to_the_puzzles_that_they_count(page: Page, job: str) -> None:
    page.goto(job)
    numbers = page.locator("#outcomes")
    for label, expected in (
        ("One solution 3", ["Alpha", "Beta", "Alpha mirrored"]),
        ("Several solutions 1", ["Delta"]),
        ("Invalid 1", ["Gamma"]),
        ("All 5", list(RECORDS)),
    ):
        link = numbers.get_by_role("link", name=label)
        link.click()
        expect(link).to_have_attribute("aria-current", "page")
        expect_names(page, *expected)


def test_numbers_and_headings_filter_and_sort_the_results(page: Page, job: str) -> None:
    page.goto(job)
    page.get_by_role("link", name="Rating").click()
    page.wait_for_url("**?sort=-rating")
    expect(page.get_by_role("link", name="Rating, hardest first")).to_be_visible()
    expect(page.locator("#results .name").first).to_have_text("Beta")
    easy = page.get_by_role("link", name="easy 2")
    easy.click()
    page.wait_for_url("**?rating=*&sort=-rating")
    expect_names(page, "Alpha", "Alpha mirrored")
    expect(easy).to_have_attribute("aria-current", "page")
    easy.click()
    page.wait_for_url("**?sort=-rating")
    expect(page.locator("#results .name").first).to_have_text("Beta")
    page.get_by_role("link", name="No.").click()
    page.wait_for_url(job)
    expect_names(page, *RECORDS)


def test_filters_on_a_phone_are_behind_a_button_that_counts_them(phone: Page, job: str) -> None:
    phone.goto(job)
    expect(phone.get_by_label("Technique")).to_be_hidden()
    phone.get_by_text("Filter", exact=True).click()
    phone.get_by_label("Technique").select_option("Full House")
    phone.wait_for_url("**?technique=*")
    expect(phone.locator(".more-filters summary")).to_have_text("Filter (1)")


def test_gallery_keeps_the_filter(page: Page, job: str) -> None:
    page.goto(f"{job}?outcome=solved")
    page.get_by_role("link", name="Gallery").click()
    page.wait_for_url("**?outcome=solved&view=gallery")
    expect(page.locator("#results li svg")).to_have_count(3)
    page.get_by_label("Order", exact=True).select_option("hardest first")
    page.wait_for_url("**?sort=-rating&outcome=solved&view=gallery")
    expect(page.locator("#results .name").first).to_have_text("Beta")


def test_filters_work_without_javascript(plain_page: Page, job: str) -> None:
    plain_page.goto(job)
    plain_page.get_by_label("Without duplicates").check()
    plain_page.get_by_role("button", name="Apply").click()
    expect_names(plain_page, "Alpha", "Beta", "Gamma", "Delta")
    plain_page.get_by_role("link", name="Invalid 1").click()
    expect_names(plain_page, "Gamma")


def test_puzzles_are_searched_by_name_and_number(page: Page, job: str) -> None:
    page.goto(job)
    page.get_by_label("Name or number").fill("alpha")
    page.get_by_label("Name or number").press("Enter")
    page.wait_for_url("**?search=alpha")
    expect_names(page, "Alpha", "Alpha mirrored")
    page.get_by_label("Name or number").fill("4")
    page.get_by_label("Name or number").press("Enter")
    page.wait_for_url("**?search=4")
    expect_names(page, "Delta")
    page.get_by_role("link", name="Clear", exact=True).click()
    expect_names(page, *RECORDS)


def test_back_leads_to_the_results_before_a_field_was_typed_in(page: Page, job: str) -> None:
    page.goto(job)
    field = page.get_by_label("Name or number")
    field.press_sequentially("alp")
    expect_names(page, "Alpha", "Alpha mirrored")
    field.press_sequentially("ha m")
    expect_names(page, "Alpha mirrored")
    page.get_by_label("Show at most").fill("3")
    page.wait_for_url("**?search=alpha+m&first=3")
    page.go_back()
    expect(page.get_by_label("Show at most")).to_have_value("")
    page.go_back()
    expect_names(page, *RECORDS)
    expect(field).to_have_value("")
    page.go_forward()
    expect_names(page, "Alpha mirrored")
    expect(field).to_have_value("alpha m")


def test_puzzles_are_selected_by_technique_and_duplicates(page: Page, job: str) -> None:
    page.goto(job)
    page.get_by_label("Technique").select_option("Full House")
    page.wait_for_url("**?technique=Full*")
    expect_names(page, "Alpha", "Beta", "Alpha mirrored")
    page.get_by_label("Without duplicates").check()
    page.wait_for_url("**duplicates=without")
    expect_names(page, "Alpha", "Beta")
    page.locator("#outcomes").get_by_role("link", name="Duplicates 1").click()
    expect_names(page, "Alpha mirrored")
    expect(page.locator("#results .remarks")).to_have_text("duplicate of puzzle 1")


def test_neighbors_of_a_puzzle_are_those_of_the_list(page: Page, job: str) -> None:
    page.goto(f"{job}?sort=-rating&outcome=solved")
    page.get_by_role("link", name="puzzle 2", exact=True).click()
    expect(page.get_by_role("link", name="Previous puzzle")).to_have_count(0)
    for number in (1, 5):
        page.get_by_role("link", name="Next puzzle").click()
        expect(page.get_by_role("heading", name=f"Puzzle {number}")).to_be_visible()
    expect(page.get_by_role("link", name="Next puzzle")).to_have_count(0)
    page.get_by_role("link", name="book.csv").click()
    expect(page).to_have_url(f"{page.url.split('?')[0]}?outcome=solved&sort=-rating#n5")
    expect(page.locator("#results .name").first).to_have_text("Beta")


def test_first_puzzles_in_an_order_are_downloaded_under_their_name(page: Page, job: str) -> None:
    page.goto(f"{job}?sort=-rating&duplicates=without")
    page.get_by_label("Show at most").fill("1")
    page.get_by_label("Show at most").press("Enter")
    page.wait_for_url("**first=1*")
    expect_names(page, "Beta")
    page.get_by_text("Download 1 puzzle as …").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Puzzles only (sdm)").click()
    assert download.value.suggested_filename == "book-without-duplicates-hardest-1.sdm"
    assert download.value.path().read_text() == SLOW.replace(".", "0") + "\n"


def test_number_takes_effect_while_it_is_typed_so_that_the_next_click_counts(
    page: Page, job: str
) -> None:
    page.goto(f"{job}?sort=-rating&duplicates=without")
    field = page.get_by_label("Show at most")
    field.click()
    page.keyboard.type("1")
    expect(page.locator("#actions")).to_have_attribute("aria-busy", "true")  # still of all puzzles
    expect_names(page, "Beta")
    expect(page.locator("#actions")).not_to_have_attribute("aria-busy", "true")
    expect(field).to_be_focused()
    assert "first=1" in page.url
    page.get_by_text("Download 1 puzzle as …").click()
    expect(page.get_by_role("link", name="Puzzles only (sdm)")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_label("Name or number").click()
    page.keyboard.type("alp")
    expect_names(page, "Alpha")
    expect(page.get_by_role("link", name="Clear", exact=True)).to_be_visible()


def test_ticked_puzzles_are_downloaded_and_run_again(page: Page, site: str) -> None:
    text = f"{CLASSIC}\n" * 60 + f"{SLOW}\n"
    page.goto(finished(site, text))
    page.get_by_label("Tick puzzle 2", exact=True).check()
    page.get_by_label("Tick puzzle 3", exact=True).check()
    page.get_by_role("link", name="Next", exact=True).click()
    page.get_by_label("Tick puzzle 61", exact=True).check()
    page.get_by_text("Download 3 puzzles as …").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Puzzles only (sdm)").click()
    assert download.value.suggested_filename.endswith("-selected.sdm")
    assert len(download.value.path().read_text().splitlines()) == 3
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Rate these").click()
    expect(page.locator("#total")).to_have_text("3")
    page.go_back()
    expect(page.get_by_label("Tick puzzle 61", exact=True)).to_be_checked()
    page.get_by_role("button", name="Clear ticks").click()
    expect(page.get_by_text("Download 61 puzzles as …")).to_be_visible()


def test_ticked_puzzles_replace_every_filter_of_the_list(page: Page, job: str) -> None:
    page.goto(job)
    page.get_by_label("Tick puzzle 1", exact=True).check()
    page.get_by_label("Tick puzzle 2", exact=True).check()
    page.goto(f"{job}?finding=level:1/2&first=1")
    page.get_by_text("Download 2 puzzles as …").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Puzzles only (sdm)").click()
    assert len(download.value.path().read_text().splitlines()) == 2
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Make a book").click()
    expect(page.get_by_text("2 puzzles of “book.csv”")).to_be_visible()


def test_puzzles_are_opened_by_their_name_and_keep_their_text_as_the_tooltip(
    page: Page, job: str
) -> None:
    page.goto(job)
    row = page.locator("#n1 .what a")
    expect(row).to_have_text("Alpha 30 givens, half turn")
    expect(row).to_have_attribute("title", CLASSIC)
    row.click()
    expect(page.get_by_role("heading", name="Puzzle 1")).to_be_visible()
    page.goto(f"{job}?view=gallery")
    page.locator("#n2").get_by_text("Beta").click()
    expect(page.get_by_role("heading", name="Puzzle 2")).to_be_visible()
