"""The pages in a real browser on a real service: uploads, results, jobs, and keys.

They also work without JavaScript, without a mouse, and on narrow screens.
"""

import re
from pathlib import Path

import pytest
from browsing import (
    CLASSIC,
    PATIENCE,
    SLOW,
    SLOWEST,
    SOLUTION,
    TWICE,
    choose,
    drawn,
    expect_finished,
    paste,
    solve,
)
from playwright.sync_api import Browser, Page, expect
from running import running_on

pytestmark = [pytest.mark.browser, pytest.mark.redis]


def test_pasted_puzzle_is_solved_and_drawn(page: Page) -> None:
    paste(page, CLASSIC)
    expect_finished(page)
    boards = page.locator("#results svg")
    expect(boards).to_have_count(1)
    assert drawn(boards) == SOLUTION
    found = boards.locator("> .found").first
    expect(found).to_be_hidden()
    page.get_by_role("link", name="Gallery").click()
    expect(boards.locator("> .given").first).to_be_visible()
    expect(found).to_be_hidden()
    page.get_by_role("radio", name="Solutions").check()
    expect(found).to_be_visible()
    expect(page.get_by_role("heading", name="Classic 9×9, 30 givens")).to_be_visible()
    page.get_by_role("link", name="puzzle 1", exact=True).click()
    expect(page.get_by_role("heading", name="Classic 9×9, 30 givens")).to_be_visible()
    board = page.get_by_role("application", name="puzzle 1", exact=True)
    expect(board.locator("> .found").first).to_be_hidden()
    page.get_by_role("radio", name="Solution").check()
    expect(board.locator("> .found").first).to_be_visible()
    assert drawn(board) == SOLUTION
    page.get_by_text("Puzzle as text").click()
    page.get_by_text("Show the solution as text").click()
    expect(page.get_by_role("textbox", name="Solution")).to_have_value(SOLUTION)


def test_file_with_options_is_solved_paged_and_downloaded(page: Page, tmp_path: Path) -> None:
    choose(page, tmp_path, f"{CLASSIC}\n" * 60)
    page.locator("summary", has_text="Options").click()
    page.get_by_label("Solutions to look for").fill("1")
    page.get_by_label("Job name").fill("sixty")
    solve(page)
    expect(page.get_by_role("heading", name="sixty")).to_be_visible()
    expect_finished(page)
    expect(page.locator("#progress")).to_contain_text("60 of 60 puzzles done")
    expect(page.locator("#results tbody tr")).to_have_count(50)
    with page.expect_download() as download:
        page.get_by_text("Download 60 puzzles as …").click()
        page.get_by_role("link", name="Solutions only (txt)").click()
    assert Path(download.value.path()).read_text() == f"{SOLUTION}\n" * 60
    page.get_by_role("link", name="Next").click()
    expect(page.locator("#results tbody tr")).to_have_count(10)
    page.get_by_label("Go to puzzle", exact=True).fill("7")
    page.get_by_role("button", name="Go").click()
    expect(page.locator("#n7")).to_be_in_viewport()


@pytest.mark.parametrize("height", [800, 900])
def test_click_on_the_label_of_an_option_does_not_scroll(
    page: Page, tmp_path: Path, height: int
) -> None:
    page.set_viewport_size({"width": 1280, "height": height})
    choose(page, tmp_path, CLASSIC)
    page.locator("summary", has_text="Options").click()
    page.get_by_text("Rate the difficulty", exact=True).click()
    expect(page.get_by_label("Rate the difficulty")).to_be_checked()
    assert page.evaluate("scrollY") == 0


def test_dropped_file_is_uploaded(page: Page) -> None:
    transfer = page.evaluate_handle(
        """text => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([text], "dropped.txt"));
            return transfer;
        }""",
        CLASSIC,
    )
    for event in ("dragenter", "dragover", "drop"):
        page.locator("#drop").dispatch_event(event, {"dataTransfer": transfer})
    solve(page)
    expect_finished(page)
    expect(page.get_by_role("heading", name="dropped.txt")).to_be_visible()


def test_chosen_file_goes_before_pasted_text(page: Page, tmp_path: Path) -> None:
    page.get_by_label("Paste puzzles").fill("something else")
    choose(page, tmp_path, CLASSIC)
    expect(page.get_by_label("Paste puzzles")).to_be_disabled()
    solve(page)
    expect_finished(page)


def test_results_are_filtered_by_outcome(page: Page) -> None:
    paste(page, f"{CLASSIC}\n{TWICE}\n{CLASSIC}\n")
    expect_finished(page)
    page.get_by_role("link", name="invalid 1").click()
    expect(page.locator("#results tbody tr")).to_have_count(1)
    expect(page.locator("#results")).to_contain_text("5 twice in")
    page.get_by_role("link", name="all 3").click()
    expect(page.locator("#results tbody tr")).to_have_count(3)


def test_upload_that_cannot_be_read_is_refused_on_the_spot(page: Page) -> None:
    paste(page, "hello there")
    expect(page.get_by_role("alert")).to_contain_text(
        "Line 1, column 1: This can’t be read as a puzzle"
    )
    expect(page.get_by_role("alert")).not_to_contain_text("/api/")
    text = page.get_by_label("Paste puzzles")
    expect(text).to_have_value("hello there")
    expect(text).to_have_attribute("aria-invalid", "true")
    with page.expect_navigation():  # An empty text gets the draft if the scripts start later.
        page.get_by_role("link", name="Start with an example").click()
    expect(text).to_have_value(re.compile(r"^[0-9.]{81}"))
    paste(page, "")
    expect(page.get_by_role("alert")).to_contain_text("Choose a file or paste puzzles")


def test_option_that_cannot_be_used_is_pointed_at(page: Page) -> None:
    page.locator("summary", has_text="Options").click()
    page.locator("summary", has_text="More settings").click()
    page.get_by_role("textbox", name="Box").fill("9q9")
    page.locator("summary", has_text="Options").click()
    paste(page, CLASSIC)
    expect(page.get_by_role("alert")).to_contain_text("must be rows x columns")
    expect(page.get_by_role("textbox", name="Box")).to_be_focused()
    page.get_by_role("textbox", name="Box").fill("3x3")
    solve(page)
    expect_finished(page)


def test_large_file_that_cannot_be_read_is_refused_with_its_message(
    page: Page, tmp_path: Path
) -> None:
    choose(page, tmp_path, "no puzzle in here\n" * 2_000_000)
    solve(page)
    expect(page.get_by_role("alert")).to_contain_text(
        "This can’t be read as a puzzle", timeout=PATIENCE
    )


def test_running_job_shows_progress_and_can_be_cancelled(page: Page, tmp_path: Path) -> None:
    # Half a minute of work, even if most puzzles are solved quickly.
    choose(page, tmp_path, (f"{SLOW}\n" * 99 + f"{SLOWEST}\n") * 1_000)
    solve(page)
    expect(page.locator("#state")).to_have_text("running", timeout=PATIENCE)
    expect(page.locator("#results tbody tr")).to_have_count(50, timeout=PATIENCE)
    bar = page.get_by_role("progressbar")
    before = int(bar.get_attribute("value") or 0)
    expect(bar).not_to_have_attribute("value", str(before), timeout=PATIENCE)
    expect(page.locator("#announcement")).to_contain_text("running")
    page.get_by_text("Stop", exact=True).click()
    page.get_by_role("button", name="Stop the job").click()
    expect(page.locator("#state")).to_have_text("cancelled", timeout=PATIENCE)
    page.get_by_text("About this job").click()
    page.get_by_text("Delete …").click()
    page.get_by_role("button", name="Delete this job").click()
    expect(page.get_by_text("The job and its results were deleted.")).to_be_visible()


def test_pages_work_without_javascript(plain_page: Page, tmp_path: Path) -> None:
    page = plain_page
    choose(page, tmp_path, f"{CLASSIC}\n{TWICE}\n")
    solve(page)
    expect(page.get_by_role("heading", name="mine.txt")).to_be_visible()
    expect_finished(page)  # the page reloads itself
    assert drawn(page.locator("#results svg").first) == SOLUTION
    page.get_by_role("link", name="invalid 1").click()
    expect(page.locator("#results tbody tr")).to_have_count(1)
    page.get_by_role("link", name="puzzle 2", exact=True).click()
    expect(page.get_by_text("5 twice in")).to_be_visible()


def test_rejected_upload_keeps_the_form_contents_without_javascript(plain_page: Page) -> None:
    page = plain_page
    page.locator("summary", has_text="Options").click()
    page.get_by_label("Job name").fill("my name")
    paste(page, "hello there")
    expect(page.get_by_role("alert")).to_contain_text(
        "Line 1, column 1: This can’t be read as a puzzle"
    )
    expect(page.get_by_label("Paste puzzles")).to_have_value("hello there")
    expect(page.get_by_label("Job name")).to_have_value("my name")


def test_upload_needs_no_mouse(page: Page) -> None:
    page.get_by_label("Paste puzzles").focus()
    page.keyboard.type(CLASSIC)
    solve_button = page.locator("#upload .primary")
    for _ in range(7):  # The options, and the file or two links in its place, come before it.
        page.keyboard.press("Tab")
        if solve_button.evaluate("(button) => button === document.activeElement"):
            break
    expect(solve_button).to_be_focused()
    page.keyboard.press("Enter")
    expect_finished(page)


@pytest.mark.parametrize(("width", "height"), [(1280, 740), (390, 844), (320, 640)])
def test_text_field_and_solve_are_on_the_first_screen(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    expect(page.get_by_label("Paste puzzles")).to_be_in_viewport(ratio=0.2)
    expect(page.get_by_role("button", name="Solve", exact=True)).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_its_window(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.locator("summary", has_text="Options").click()
    page.get_by_label("Solutions to look for").fill("1")
    numbers = " ".join(["1", "."] * 512)
    paste(page, f"{CLASSIC}\n{numbers}\n{'x' * 300}\n{' '.join(['1'] + ['.'] * 624)}\n")
    expect_finished(page)
    job = page.url
    for address in (
        "/",
        "/api/docs",
        "/jobs/nothing",
        job,
        *(f"{job}/puzzles/{n}" for n in range(1, 5)),
    ):
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address


@pytest.mark.parametrize("scripts", [True, False])
def test_where_keys_are_on_a_browser_signs_in_and_everything_works(
    redis_url: str, browser: Browser, tmp_path: Path, *, scripts: bool
) -> None:
    key = "a-key-that-is-long-enough"
    with running_on(redis_url, tmp_path, SUDOKUQ_API_KEYS=f"other,{key}") as service:
        url = service.url
        context = browser.new_context(base_url=url, java_script_enabled=scripts)
        page = context.new_page()
        page.goto("/?example=line")
        for typed in ("wrong", key):
            page.get_by_label("API key").fill(typed)
            page.get_by_role("button", name="Sign in").click()
        assert page.url == f"{url}/?example=line"
        paste(page, f"{CLASSIC}\n{CLASSIC}")
        page.wait_for_url("**/jobs/*")
        job_page = page.url
        for _ in range(100):
            if page.locator("#state").text_content() == "finished":
                break
            page.wait_for_timeout(200)
            page.goto(job_page)
        with page.expect_download() as download:
            page.get_by_text("Download 2 puzzles as …").click()
            page.get_by_role("link", name="Solutions only (txt)").click()
        assert download.value.path().read_text() == f"{SOLUTION}\n" * 2
        page.get_by_role("button", name="Sign out").click()
        page.goto(job_page)
        expect(page.get_by_label("API key")).to_be_visible()
        context.close()


def test_narrow_phones_keep_navigation_in_one_row_and_the_field_for_puzzles_free(
    page: Page,
) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto("/")
    links = page.locator(".top nav a").all()
    assert len({box["y"] for link in links if (box := link.bounding_box())}) == 1
    field, button = (page.locator(name).bounding_box() for name in ("#text", ".submit"))
    assert field
    assert button
    assert field["y"] + field["height"] <= button["y"]
    assert page.evaluate("document.documentElement.scrollWidth") == 320
