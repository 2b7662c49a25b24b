"""`sudokuq bridge` with a page in a real browser, which behaves like the userscript."""

from collections.abc import Iterator
from typing import Any

import pytest
from bridges import ORIGIN, board, packed
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
# The page connects to localhost, numbers its requests, and ignores responses to earlier ones.
PAGE = """<!doctype html><title>Editor</title><script>
let nonce = 0, socket = null, received = [];
window.connect = port => new Promise(resolve => {
  socket = new WebSocket("ws://localhost:" + port);
  socket.onopen = () => resolve("open");
  socket.onclose = () => resolve("closed");
  socket.onmessage = message => {
    const response = JSON.parse(message.data);
    if (response.nonce === nonce) received.push(response);
  };
});
window.send = (command, data) => {
  nonce++;
  received = [];
  const message = { nonce, command };
  if (data) { message.dataType = "fpuzzles"; message.data = data; }
  socket.send(JSON.stringify(message));
};
window.next = () => new Promise(resolve => {
  const look = () => received.length ? resolve(received.shift()) : setTimeout(look, 10);
  look();
});
</script>"""


def open_editor(browser: Browser, origin: str) -> Page:
    """Open the page at an origin, without a request to the real site."""
    context = browser.new_context()
    # Without this permission, Chromium blocks connections from public pages to this machine.
    context.grant_permissions(["local-network-access"], origin=origin)
    page = context.new_page()
    page.route("**/*", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
    page.goto(f"{origin}/")
    return page


@pytest.fixture
def editor(browser: Browser, bridge_port: int) -> Iterator[Page]:
    page = open_editor(browser, ORIGIN)
    assert page.evaluate("port => connect(port)", bridge_port) == "open"
    yield page
    page.context.close()


def ask(page: Page, command: str, puzzle: dict[str, Any] | None = None) -> dict[str, Any]:
    """Send a request, and return the first response to it."""
    page.evaluate("([command, data]) => send(command, data)", [command, puzzle and packed(puzzle)])
    response = page.evaluate("() => next()")
    assert isinstance(response, dict)
    return response


def test_a_page_of_f_puzzles_gets_responses_to_all_commands(editor: Page) -> None:
    for command, kind in (
        ("truecandidates", "truecandidates"),
        ("solve", "solved"),
        ("check", "count"),
        ("count", "count"),
        ("estimate", "estimate"),
        ("solvepath", "logical"),
        ("step", "logical"),
    ):
        assert ask(editor, command, board(EASY))["type"] == kind
    assert ask(editor, "estimate", board())["type"] == "estimate"
    assert ask(editor, "cancel")["type"] == "canceled"


def test_only_the_latest_of_several_edits_gets_its_candidates(editor: Page) -> None:
    for givens in ("1", "12", "123"):
        data = packed(board(givens))
        editor.evaluate("data => send('truecandidates', data)", data)
    response = editor.evaluate("() => next()")
    assert response["type"] == "truecandidates"
    assert response["solutionsPerCandidate"][:27].count(1) == 3


def test_a_page_of_another_site_is_not_connected(browser: Browser, bridge_port: int) -> None:
    page = open_editor(browser, "https://f-puzzles.example")
    assert page.evaluate("port => connect(port)", bridge_port) == "closed"
    page.context.close()
