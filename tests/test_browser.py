"""The pages in a real browser, on a real service."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from solver import explain
from web.commands.servers import web_command, worker_command

pytestmark = [pytest.mark.browser, pytest.mark.redis]

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic",
    "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
]  # fmt: skip
PATIENCE = 30_000  # ms
CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
TWICE = "5" + CLASSIC[:-1]
SLOW = "........8..3...4...9..2..6.....79.......612...6.5.2.7...8...5...1.....2.4.5.....3"

# The symbols of a board in reading order, by the places where they are drawn.
READ_BOARD = """board => [...board.querySelectorAll("text")]
    .flatMap(text => text.getAttribute("x").split(" ").map((x, i) => ({
        x: Number(x), y: Number(text.getAttribute("y")), symbol: text.textContent[i] })))
    .sort((one, other) => one.y - other.y || one.x - other.x)
    .map(({ symbol }) => symbol).join("")"""


def is_ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz").is_success
    except httpx.TransportError:
        return False


@contextmanager
def service(redis_url: str, folder: Path, **settings: str) -> Iterator[str]:
    """Run a web server with a worker behind it, and return its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = os.environ | {"REDIS_URL": redis_url} | settings
    log = (folder / "log").open("wb")
    commands = (worker_command(concurrency=2), web_command(host="127.0.0.1", port=port))
    children = [
        subprocess.Popen(command, env=environment, stdout=log, stderr=log) for command in commands
    ]
    url = f"http://127.0.0.1:{port}"

    deadline = time.monotonic() + 90
    try:
        while not is_ready(url):
            assert time.monotonic() < deadline, "the service did not get ready"
            time.sleep(0.05)
        yield url
    finally:
        for child in children:
            child.terminate()
        for child in children:
            child.wait(30)
        log.close()


@pytest.fixture(scope="module")
def site(redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a service that these tests share.

    The page of a puzzle asks a worker to explain it, whose techniques are compiled before.
    """
    assert explain(CLASSIC).solved
    with service(redis_url, tmp_path_factory.mktemp("site")) as url:
        yield url


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def page(site: str, browser: Browser) -> Iterator[Page]:
    """Return a page on which nothing may go wrong, and which may ask no other host."""
    context = browser.new_context(base_url=site)
    found = context.new_page()
    wrong: list[str] = []
    found.on("pageerror", lambda error: wrong.append(str(error)))
    found.on("console", lambda message: wrong.append(message.text))
    found.on("request", lambda request: wrong.append(request.url))
    found.goto("/")
    yield found
    context.close()
    expected = (site, "Failed to load resource: the server responded with a status of 4")
    assert [entry for entry in wrong if not entry.startswith(expected)] == []


@pytest.fixture
def plain_page(site: str, browser: Browser) -> Iterator[Page]:
    """Return a page without JavaScript."""
    context = browser.new_context(base_url=site, java_script_enabled=False)
    found = context.new_page()
    found.goto("/")
    yield found
    context.close()


def solve(page: Page) -> None:
    page.get_by_role("button", name="Solve").click()


def paste(page: Page, text: str) -> None:
    page.get_by_label("Paste puzzles").fill(text)
    solve(page)


def choose(page: Page, tmp_path: Path, text: str, *, name: str = "mine.txt") -> None:
    file = tmp_path / name
    file.write_text(text)
    page.get_by_label("file").set_input_files(file)


def expect_finished(page: Page) -> None:
    expect(page.locator("#state")).to_have_text("finished", timeout=PATIENCE)


def drawn(board: Locator) -> str:
    symbols: str = board.evaluate(READ_BOARD)
    return symbols


def test_pasted_puzzle_is_solved_and_drawn(page: Page) -> None:
    paste(page, CLASSIC)
    expect_finished(page)
    boards = page.locator("#results svg")
    expect(boards).to_have_count(1)
    assert drawn(boards) == SOLUTION
    page.get_by_role("link", name="puzzle 1", exact=True).click()
    expect(page.get_by_role("heading", name="Puzzle 1")).to_be_visible()
    assert drawn(page.get_by_role("img", name="puzzle 1 with its solution")) == SOLUTION
    expect(page.get_by_label("Solution", exact=True)).to_have_value(SOLUTION)


def test_file_with_options_is_solved_paged_and_downloaded(page: Page, tmp_path: Path) -> None:
    choose(page, tmp_path, f"{CLASSIC}\n" * 60)
    page.get_by_text("Options").click()
    page.get_by_label("Solutions to look for").fill("1")
    page.get_by_label("Name of the job").fill("sixty")
    solve(page)
    expect(page.get_by_role("heading", name="sixty")).to_be_visible()
    expect_finished(page)
    expect(page.locator("#progress")).to_contain_text("60 of 60 puzzles done")
    expect(page.locator("#results tbody tr")).to_have_count(50)
    with page.expect_download() as download:
        page.get_by_role("link", name="txt", exact=True).click()
    assert Path(download.value.path()).read_text() == f"{SOLUTION}\n" * 60
    page.get_by_role("link", name="Next").click()
    expect(page.locator("#results tbody tr")).to_have_count(10)
    page.get_by_label("Puzzle", exact=True).fill("7")
    page.get_by_role("button", name="Go").click()
    expect(page.locator("#n7")).to_be_in_viewport()


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
    expect(page.get_by_role("heading", name="dropped.txt")).to_be_visible()
    expect_finished(page)


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
    expect(page.get_by_role("alert")).to_contain_text("Line 1, column 1: no puzzle is recognised")
    expect(page.get_by_label("Paste puzzles")).to_have_value("hello there")
    paste(page, "")
    expect(page.get_by_role("alert")).to_contain_text("choose a file or paste puzzles")


def test_option_that_cannot_be_used_is_pointed_at(page: Page) -> None:
    page.get_by_text("Options").click()
    page.get_by_label("Box").fill("9q9")
    page.get_by_text("Options").click()
    paste(page, CLASSIC)
    expect(page.get_by_role("alert")).to_contain_text("box must be rows x columns")
    expect(page.get_by_label("Box")).to_be_focused()
    page.get_by_label("Box").fill("3x3")
    solve(page)
    expect_finished(page)


def test_large_file_that_cannot_be_read_is_refused_with_its_message(
    page: Page, tmp_path: Path
) -> None:
    choose(page, tmp_path, "no puzzle in here\n" * 2_000_000)
    solve(page)
    expect(page.get_by_role("alert")).to_contain_text("no puzzle is recognised", timeout=PATIENCE)


def test_running_job_shows_progress_and_can_be_cancelled(page: Page, tmp_path: Path) -> None:
    choose(page, tmp_path, f"{SLOW}\n" * 100_000)
    solve(page)
    expect(page.locator("#state")).to_have_text("running", timeout=PATIENCE)
    expect(page.locator("#results tbody tr")).to_have_count(50, timeout=PATIENCE)
    bar = page.get_by_role("progressbar")
    before = int(bar.get_attribute("value") or 0)
    expect(bar).not_to_have_attribute("value", str(before), timeout=PATIENCE)
    expect(page.get_by_role("status")).to_contain_text("running")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#state")).to_have_text("cancelled", timeout=PATIENCE)
    page.get_by_text("Delete …").click()
    page.get_by_role("button", name="Delete this job").click()
    expect(page.get_by_role("status")).to_contain_text("deleted")


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


def test_refused_upload_keeps_what_was_typed_without_javascript(plain_page: Page) -> None:
    page = plain_page
    page.get_by_text("Options").click()
    page.get_by_label("Name of the job").fill("my name")
    paste(page, "hello there")
    expect(page.get_by_role("alert")).to_contain_text("Line 1, column 1: no puzzle is recognised")
    expect(page.get_by_label("Paste puzzles")).to_have_value("hello there")
    expect(page.get_by_label("Name of the job")).to_have_value("my name")


def test_upload_needs_no_mouse(page: Page) -> None:
    page.get_by_label("Paste puzzles").focus()
    page.keyboard.type(CLASSIC)
    for _ in range(3):  # the options, the file, the button
        page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Solve")).to_be_focused()
    page.keyboard.press("Enter")
    expect_finished(page)


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_its_window(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.get_by_text("Options").click()
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
    with service(redis_url, tmp_path, SUDOKUQ_API_KEYS=f"other,{key}") as url:
        context = browser.new_context(base_url=url, java_script_enabled=scripts)
        page = context.new_page()
        page.goto("/?example=line")
        for typed in ("wrong", key):
            page.get_by_label("API key").fill(typed)
            page.get_by_role("button", name="Sign in").click()
        assert page.url == f"{url}/?example=line"
        paste(page, CLASSIC)
        page.wait_for_url("**/jobs/*")
        job_page = page.url
        for _ in range(100):
            if page.locator("#state").text_content() == "finished":
                break
            page.wait_for_timeout(200)
            page.goto(job_page)
        with page.expect_download() as download:
            page.get_by_role("link", name="txt").click()
        assert download.value.path().read_text() == f"{SOLUTION}\n"
        page.get_by_role("button", name="Sign out").click()
        page.goto(job_page)
        expect(page.get_by_label("API key")).to_be_visible()
        context.close()
