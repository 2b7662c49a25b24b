"""Boards on the page of a puzzle: their size in each view, large boards, and touch targets."""

from importlib.resources import files

import httpx
import pytest
from browsing import CLASSIC
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.redis]

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
SEVERAL = "....7....6..195....98....6.8...6....4..8.3..17...2...6.6....28....419..5....8..79"
# Links in texts may be lower.
LOW_TARGETS = """() => [...document.querySelectorAll("main :is(a, button, summary, label, input)")]
  .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height > 0)
  .filter((each) => !each.matches("p a, dt a, label input, label[for]"))
  .filter((each) => each.getBoundingClientRect().height < 39.5)
  .map((each) => `${each.tagName} ${each.className}: ${each.textContent}`)"""


def _solved(site: str, text: str, **options: str) -> str:
    """Solve and explain a puzzle, and return the path of its page."""
    with httpx.Client(base_url=site, timeout=60) as http:
        params = {"explain": "true"} | options
        job_id = http.post("/api/v1/jobs", params=params, content=text).json()["id"]
        while http.get(f"/api/v1/jobs/{job_id}?wait=20").json()["state"] != "finished":
            pass
    return f"/jobs/{job_id}/puzzles/1"


def _first(name: str) -> str:
    return files("solver").joinpath("samples", name).read_text().splitlines()[0]


@pytest.fixture(scope="module")
def paths(site: str) -> dict[str, str]:
    return {
        "classic": _solved(site, CLASSIC),
        "killer": _solved(site, _first("killer.jsonl")),
        "16x16": _solved(site, _first("16x16.txt")),
        "25x25": _solved(site, _first("25x25.txt")),
        "several": _solved(site, SEVERAL, limit="1000", true_candidates="true"),
    }


@pytest.mark.parametrize("name", ["classic", "killer", "16x16", "25x25"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_board_stays_where_it_is_in_all_views(
    page: Page, paths: dict[str, str], name: str, size: dict[str, int]
) -> None:
    page.set_viewport_size({"width": size["width"], "height": size["height"]})
    page.goto(paths[name])
    frames = []
    for view in ("puzzle", "candidates", "steps", "solution"):
        page.locator(f"input[name=view][value={view}]").check()
        frame = page.locator("#board" if view == "steps" else ".whole > .scroll")
        box = frame.bounding_box()
        assert box is not None
        board = frame.locator(".board").bounding_box()
        assert board is not None
        width = board["width"] if size is DESKTOP else box["width"]
        frames.append([box["x"], box["y"], width])
    for frame_of_view in frames[1:]:
        assert frame_of_view == pytest.approx(frames[0], abs=1)


@pytest.mark.parametrize("name", ["16x16", "25x25"])
def test_buttons_and_sentence_of_a_step_are_next_to_a_large_board(
    page: Page, paths: dict[str, str], name: str
) -> None:
    page.set_viewport_size({"width": DESKTOP["width"], "height": DESKTOP["height"]})
    page.goto(paths[name])
    page.locator("input[name=view][value=steps]").check()
    page.locator("#forward").click()
    for part in (".controls", "#explanation", "#deductions [aria-current]"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    page.mouse.wheel(0, 300)
    expect(page.locator(".controls")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("name", ["16x16", "25x25"])
@pytest.mark.parametrize("view", ["puzzle", "candidates", "steps"])
def test_large_board_is_as_high_as_a_desktop_window(
    page: Page, paths: dict[str, str], name: str, view: str
) -> None:
    page.set_viewport_size({"width": DESKTOP["width"], "height": DESKTOP["height"]})
    page.goto(paths[name])
    page.locator(f"input[name=view][value={view}]").check()
    board = page.locator("#board .board" if view == "steps" else ".whole .board")
    expect(board).to_be_in_viewport(ratio=1)
    box = board.bounding_box()
    assert box is not None
    assert box["height"] > 0.85 * DESKTOP["height"]


@pytest.mark.parametrize(("name", "view"), [("16x16", "candidates"), ("25x25", "puzzle")])
def test_phones_say_that_a_large_board_scrolls_and_show_it_whole(
    page: Page, paths: dict[str, str], name: str, view: str
) -> None:
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    page.goto(paths[name])
    board = page.locator(".whole .board")
    note = page.get_by_text("Scroll in both directions").first
    assert note.is_visible() == (name == "25x25")  # The view Puzzle is first.
    page.locator(f"input[name=view][value={view}]").check()
    cells = name.replace("x", "×")
    expect(note).to_have_text(f"Scroll in both directions to see all {cells} cells.")
    wide = board.bounding_box()
    page.locator(".whole").get_by_label("Show the whole board").check()
    whole = board.bounding_box()
    assert wide is not None
    assert whole is not None
    assert wide["width"] > PHONE["width"] >= whole["width"]
    expect(note).to_be_hidden()


def _rows_and_columns_in(page: Page, frame: str) -> set[str]:
    """Return the labels in the strips of a board that are in the visible part of its frame."""
    shown: list[str] = page.locator(frame).evaluate(
        """frame => {
            const { left, right, top, bottom } = frame.getBoundingClientRect();
            return [...frame.querySelectorAll(".strip text")].filter(text => {
                const box = text.getBoundingClientRect();
                const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
                return x > left && x < right && y > top && y < bottom
                    && document.elementFromPoint(x, y)?.closest("svg") === text.closest("svg");
            }).map(text => text.textContent);
        }"""
    )
    return {*shown}


@pytest.mark.parametrize(
    ("name", "view", "frame"),
    [
        ("16x16", "candidates", ".whole > .scroll"),
        ("16x16", "steps", "#board"),
        ("25x25", "puzzle", ".whole > .scroll"),
    ],
)
def test_labels_stay_in_view_while_a_board_scrolls_on_a_phone(
    page: Page, paths: dict[str, str], name: str, view: str, frame: str
) -> None:
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    page.goto(paths[name])
    page.locator(f"input[name=view][value={view}]").check()
    if view == "steps":
        page.locator("#forward").click()  # The picture is replaced.
    page.locator(frame).scroll_into_view_if_needed()
    page.locator(frame).evaluate("frame => frame.scrollTo(0, 0)")
    expect(page.locator(f"{frame}.cut")).to_be_visible()
    assert {"r1", "r5", "c1", "c5"} <= _rows_and_columns_in(page, frame)
    page.locator(frame).evaluate("frame => frame.scrollTo(9999, 9999)")
    last = int(name.partition("x")[0])
    shown = _rows_and_columns_in(page, frame)
    assert {f"r{last}", f"r{last - 4}", f"c{last}", f"c{last - 4}"} <= shown
    assert not {"r1", "c1"} & shown


def test_chosen_cell_is_kept_in_view_on_a_phone(page: Page, paths: dict[str, str]) -> None:
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    page.goto(paths["16x16"])
    page.locator(".whole .board").click(position={"x": 350, "y": 60})
    page.locator("input[name=view][value=candidates]").check()
    chosen = page.locator(".whole .chosen")
    expect(chosen).to_be_in_viewport(ratio=0.9)
    for _ in range(12):
        page.keyboard.press("ArrowDown")
    expect(chosen).to_be_in_viewport(ratio=0.9)


def test_board_of_a_step_is_scrolled_to_its_cells_on_a_phone(
    page: Page, paths: dict[str, str]
) -> None:
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    page.goto(paths["25x25"])
    page.locator("input[name=view][value=steps]").check()
    for _ in range(5):
        page.locator("#forward").click()
        expect(page.locator("#board .placed").first).to_be_in_viewport()


def test_any_step_of_the_list_can_be_chosen(page: Page, paths: dict[str, str]) -> None:
    page.goto(paths["25x25"])
    page.locator("input[name=view][value=steps]").check()
    last = page.locator("#deductions li[data-technique]").last
    expect(last.locator("summary")).to_have_count(0)  # Its picture is loaded later.
    last.click()
    expect(last).to_have_attribute("aria-current", "step")
    expect(page.locator("#forward")).to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize("name", ["classic", "killer", "16x16", "25x25", "several"])
def test_targets_are_40_pixels_high_on_phones(page: Page, paths: dict[str, str], name: str) -> None:
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    page.goto(paths[name])
    views = page.locator("input[name=view]")
    for number in range(views.count()):
        views.nth(number).check()
        for summary in ("#hint", "#details", "#as-text", "#all-steps", ".counts"):
            closed = page.locator(f"{summary}:not([open]) > summary")
            if closed.count() and closed.first.is_visible():
                closed.first.click()
        assert page.evaluate(LOW_TARGETS) == []
