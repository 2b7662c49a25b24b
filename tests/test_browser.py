"""The pages in a real browser, on a real service."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

pytestmark = pytest.mark.browser

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic",
    "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
]  # fmt: skip
CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def page(browser: Browser, live: str) -> Iterator[Page]:
    """Return a page that must stay free of errors and ask no other host for anything."""
    context = browser.new_context(base_url=live)
    found = context.new_page()
    wrong: list[str] = []
    found.on("pageerror", lambda error: wrong.append(str(error)))
    asked: list[str] = []
    found.on("request", lambda request: asked.append(request.url))
    found.goto("/")
    yield found
    assert wrong == []
    assert [url for url in asked if not url.startswith((live, "data:"))] == []
    context.close()


def solution_shown(page: Page) -> str:
    cells = page.locator("table.grid").first.locator("td").all_inner_texts()
    return "".join(cells)


def test_pasted_puzzle_is_solved_and_drawn(page: Page) -> None:
    page.get_by_label("Paste puzzles").fill(CLASSIC)
    page.get_by_role("button", name="Solve").click()
    expect(page.locator("#state")).to_have_text("finished", timeout=20_000)
    expect(page.locator("table.grid")).to_have_count(1)
    assert solution_shown(page) == SOLUTION
    page.get_by_role("link", name="1", exact=True).click()
    expect(page.get_by_role("heading", name="Puzzle 1")).to_be_visible()
    assert solution_shown(page) == SOLUTION


def test_file_with_options_is_solved_and_downloaded(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text(f"{CLASSIC}\n" * 50 + "xx\n")
    page.get_by_text("Options").click()
    page.get_by_label("Stop at so many solutions").fill("1")
    page.get_by_label("or choose a file").set_input_files(file)
    page.get_by_role("button", name="Solve").click()
    expect(page.get_by_role("heading", name="mine.txt")).to_be_visible()
    expect(page.locator("#state")).to_have_text("finished", timeout=20_000)
    with page.expect_download() as download:
        page.get_by_role("link", name="txt", exact=True).click()
    assert Path(download.value.path()).read_text() == f"{SOLUTION}\n" * 50 + "\n"
    page.get_by_role("link", name=re.compile("next")).click()
    expect(page.get_by_text("21–40 of 51")).to_be_visible()
    page.get_by_role("link", name=re.compile("invalid")).click()
    expect(page.get_by_text("2 cells, expected 81")).to_be_visible()
    expect(page.get_by_text("1–1 of 1")).to_be_visible()


def test_dropped_file_is_uploaded(page: Page) -> None:
    data = page.evaluate_handle(
        """text => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([text], "dropped.txt"));
            return transfer;
        }""",
        CLASSIC,
    )
    page.locator("#drop").dispatch_event("drop", {"dataTransfer": data})
    page.get_by_role("button", name="Solve").click()
    expect(page.get_by_role("heading", name="dropped.txt")).to_be_visible()


def test_upload_that_cannot_be_read_is_refused_on_the_spot(page: Page) -> None:
    page.get_by_label("Paste puzzles").fill("hello there")
    page.get_by_role("button", name="Solve").click()
    expect(page.get_by_role("alert")).to_contain_text("Line 1, column 1: no puzzle is recognised")
    expect(page.get_by_label("Paste puzzles")).to_have_value("hello there")


def test_running_job_shows_progress_and_can_be_cancelled(page: Page, tmp_path: Path) -> None:
    hard = "........8..3...4...9..2..6.....79.......612...6.5.2.7...8...5...1.....2.4.5.....3"
    file = tmp_path / "many.txt"
    file.write_text(f"{hard}\n" * 40_000)
    page.get_by_label("or choose a file").set_input_files(file)
    page.get_by_role("button", name="Solve").click()
    expect(page.locator("#state")).to_have_text("running", timeout=20_000)
    expect(page.locator("#count-solved")).not_to_have_text("0", timeout=20_000)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#state")).to_have_text("cancelled", timeout=20_000)
    page.get_by_text("Delete", exact=True).click()
    page.get_by_role("button", name="Delete the job").click()
    expect(page.get_by_role("heading", name="Solve a batch")).to_be_visible()


def test_pages_work_without_javascript(browser: Browser, live: str) -> None:
    context = browser.new_context(base_url=live, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    page.get_by_label("Paste puzzles").fill(CLASSIC)
    page.get_by_role("button", name="Solve").click()
    expect(page.locator("#state")).to_have_text("finished", timeout=20_000)
    assert solution_shown(page) == SOLUTION
    page.goto("/")
    page.get_by_label("Paste puzzles").fill("hello there")
    page.get_by_role("button", name="Solve").click()
    expect(page.get_by_role("alert").first).to_contain_text("no puzzle is recognised")
    context.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_its_window(browser: Browser, live: str, width: int) -> None:
    context = browser.new_context(base_url=live, viewport={"width": width, "height": 800})
    page = context.new_page()
    for path in ("/", "/api/docs", "/jobs/nothing"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
