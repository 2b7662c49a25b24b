"""Fixtures and helpers for tests that drive a real browser on a real service."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from notified import ALLOWED
from playwright.sync_api import Browser, Locator, Page, Playwright, expect, sync_playwright
from running import running_on

from solver import explain
from worker.private_redis import PrivateRedis

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
# Unsolvable, which takes more than a million guesses to prove. By Peter Norvig,
# https://norvig.com/sudoku.html
SLOWEST = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."

# Returns a board's symbols in reading order, according to where they are drawn.
READ_BOARD = """board => [...board.querySelectorAll(":scope > text")]
    .flatMap(text => text.getAttribute("x").split(" ").map((x, i) => ({
        x: Number(x), y: Number(text.getAttribute("y")), symbol: text.textContent[i] })))
    .sort((one, other) => one.y - other.y || one.x - other.x)
    .map(({ symbol }) => symbol).join("")"""


@pytest.fixture(scope="session")
def site(_compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the URL of a service with a private Redis, shared by all browser tests.

    Puzzle pages request an explanation from a worker, so the techniques are compiled first. The
    service may send webhooks to this machine.
    """
    assert explain(CLASSIC).solved
    folder = tmp_path_factory.mktemp("site")
    redis = PrivateRedis(folder)
    redis.start()
    with running_on(redis.url, folder, **ALLOWED) as service:
        yield service.url
    redis.stop()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Return the launcher of browsers, of which a process can have only one."""
    with sync_playwright() as found:
        yield found


@pytest.fixture(scope="session")
def browser(playwright: Playwright, chromium: str) -> Iterator[Browser]:
    found = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
    yield found
    found.close()


@pytest.fixture
def page(site: str, browser: Browser) -> Iterator[Page]:
    """Open the home page, and fail on script errors, console messages, and foreign requests.

    Messages about resources with a 4xx status are allowed. Foreign requests are those to another
    host than the service's.
    """
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
    """Open the home page with JavaScript disabled."""
    context = browser.new_context(base_url=site, java_script_enabled=False)
    found = context.new_page()
    found.goto("/")
    yield found
    context.close()


def solve(page: Page) -> None:
    page.locator("#upload .primary").click()


def paste(page: Page, text: str) -> None:
    page.get_by_label("Paste puzzles").fill(text)
    # The preview can move the button while the mouse is pressed. Then there is no click.
    page.locator("#upload .primary").press("Enter")


def choose(page: Page, tmp_path: Path, text: str, *, name: str = "mine.txt") -> None:
    file = tmp_path / name
    file.write_text(text)
    page.get_by_label("file").set_input_files(file)


def expect_finished(page: Page) -> None:
    """Wait until the job is finished, at most 30 s, and open its page.

    A job with one puzzle shows the puzzle's page at first.
    """
    expect(page.locator("#state:text('finished'), .puzzle")).to_be_visible(timeout=PATIENCE)
    if page.locator(".puzzle").count():
        page.locator(".crumbs a").click()
    expect(page.locator("#state")).to_have_text("finished", timeout=PATIENCE)


def drawn(board: Locator) -> str:
    symbols: str = board.evaluate(READ_BOARD)
    return symbols
