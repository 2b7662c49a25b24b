"""The page of a puzzle in a real browser: hints, steps, and typed digits.

Hints and steps are for the position of the solver. The board and texts fit into windows and phones.
Also tested are the themes, and the ways from the start page to a puzzle.
"""

import json
import re
from importlib.resources import files

import httpx
import pytest
from browsing import CLASSIC, PATIENCE, SOLUTION, paste
from playwright.sync_api import Locator, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.redis]


@pytest.fixture(scope="module")
def puzzle(site: str) -> str:
    """Return the path of a puzzle whose explanation is known."""
    with httpx.Client(base_url=site, timeout=60) as http:
        text = f"{CLASSIC}\n{CLASSIC}"
        job_id = http.post("/api/v1/jobs", params={"explain": "true"}, content=text).json()["id"]
        while http.get(f"/api/v1/jobs/{job_id}?wait=20").json()["state"] != "finished":
            pass
    return f"/jobs/{job_id}/puzzles/1"


def test_pasted_puzzle_opens_its_page_when_it_is_solved(page: Page) -> None:
    paste(page, CLASSIC)
    heading = page.get_by_role("heading", name="Classic 9×9, 30 givens")
    expect(heading).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".title .badge")).to_have_text("One solution", timeout=PATIENCE)
    page.locator(".crumbs a").click()
    expect(page.locator("#results tbody tr")).to_have_count(1)


def test_hints_take_typed_digits_into_account(page: Page, puzzle: str) -> None:
    page.goto(puzzle)
    board, hint = page.locator(".whole .board"), page.locator("#hint")
    board.focus()
    # The first empty cell is r1c3, where only 1, 2, or 4 are possible.
    board.press("1")
    expect(board.locator(".entered")).to_have_text("1")
    hint.locator("> summary").click()
    expect(hint).to_contain_text("1 in r1c3 is wrong", timeout=PATIENCE)
    expect(board.locator(".entered.wrong")).to_have_count(1)
    page.keyboard.press("Backspace")  # The keys still belong to the chosen cell.
    expect(board.locator(".entered")).to_have_count(0)
    page.keyboard.press(SOLUTION[2])
    hint.get_by_text("Show a hint").click()
    expect(hint).to_contain_text("Name the technique", timeout=PATIENCE)
    expect(board.locator(".looked")).not_to_have_count(0)
    hint.get_by_text("Hide the hint").click()
    expect(board.locator(".looked")).to_have_count(0)
    page.reload()  # The digits stay.
    expect(page.locator(".whole .entered")).to_have_text(SOLUTION[2])
    page.get_by_role("button", name="Start over").click()
    expect(page.locator(".whole .entered")).to_have_count(0)


def test_step_has_a_reason_and_is_entered_for_the_solver(page: Page, puzzle: str) -> None:
    page.goto(puzzle)
    board, hint = page.locator(".whole .board"), page.locator("#hint")
    hint.locator("> summary").click()
    first = hint.locator("[data-look]").text_content()
    hint.get_by_text("Name the technique").click()
    expect(hint.get_by_role("link")).to_have_attribute("href", re.compile("/techniques#"))
    expect(hint.get_by_role("link")).to_have_attribute("target", "_blank")  # the hint stays open
    expect(hint.get_by_text("Name the technique")).to_be_hidden()
    hint.get_by_text("Show the step").click()
    expect(hint.locator("[data-step]")).to_contain_text("exclude")
    expect(board.locator(".reason")).not_to_have_count(0)
    hint.get_by_role("button", name="Enter it").click()
    expect(board.locator(".entered")).to_have_count(1)
    expect(hint.locator("[data-look]")).not_to_have_text(first or "", timeout=PATIENCE)
    expect(board.locator(".reason, .entered.wrong")).to_have_count(0)
    page.locator("input[name=view][value=steps]").check()
    expect(page.locator("#own")).to_contain_text("Your entry is kept in the view Puzzle.")
    expect(page.locator("#deductions .done")).to_have_count(1)
    page.get_by_role("button", name="Skip to the first new step").click()
    expect(page.locator("#at")).to_contain_text("2 of ")


def test_steps_can_begin_at_the_position_of_the_solver(page: Page, puzzle: str) -> None:
    page.goto(puzzle)
    steps = page.locator("#deductions li[data-technique]")
    number = steps.count()
    board = page.locator(".whole .board")
    board.focus()
    board.press(SOLUTION[2])
    page.locator("input[name=view][value=steps]").check()
    page.get_by_role("button", name="Steps from my position").click()
    expect(page.locator("#stage")).to_be_visible(timeout=PATIENCE)
    expect(page.locator("#own")).to_be_hidden()
    expect(steps).not_to_have_count(number)
    expect(page.locator("h1")).to_contain_text("from a position")


def test_hints_continue_after_the_steps_that_were_seen(site: str, puzzle: str) -> None:
    hints = [httpx.post(f"{site}{puzzle}/hints", data={"after": after}).text for after in "01"]
    assert "r5c5 can only be 5." in hints[0]
    assert "r7c6 can only be 7." in hints[1]


def test_whole_board_fits_into_the_window(page: Page, puzzle: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(puzzle)
    box = page.locator(".whole .board").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 800


def test_board_buttons_and_sentence_of_a_step_fit_into_the_window(page: Page, puzzle: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(puzzle)
    page.locator("input[name=view][value=steps]").check()
    page.locator("#forward").click()
    for part in ("#board svg", ".controls", "#explanation", "#deductions [aria-current]"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= 800, part


def test_list_of_steps_has_short_reasons_and_the_whole_one_is_next_to_the_board(
    page: Page, puzzle: str
) -> None:
    page.goto(puzzle)
    page.locator("input[name=view][value=steps]").check()
    page.locator("#forward").click()
    expect(page.locator("#explanation")).to_have_text("Naked Single: r5c5 can only be 5.")
    shown = page.locator("#deductions [aria-current]").inner_text()
    assert shown.strip() == "Place 5 in r5c5. only candidate"


def test_list_of_steps_is_closed_on_phones(page: Page, puzzle: str) -> None:
    page.goto(puzzle)
    page.locator("input[name=view][value=steps]").check()
    steps = page.locator("#deductions")
    expect(steps).to_be_visible()
    expect(page.get_by_text("List of all")).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(steps).to_be_hidden()
    page.get_by_text("List of all").click()
    expect(steps).to_be_visible()
    page.locator("#forward").click()
    buttons = page.locator(".controls").bounding_box()
    page.locator("#forward").click()
    assert page.locator(".controls").bounding_box() == buttons


def test_keys_fill_the_first_empty_cell_at_once_without_taking_the_focus(
    page: Page, puzzle: str
) -> None:
    page.goto(puzzle)
    hint, entered = page.locator("#hint"), page.locator(".whole .entered")
    again = page.get_by_role("button", name="Start over")
    before = hint.bounding_box()
    assert page.evaluate("document.activeElement === document.body && scrollY === 0")
    expect(again).to_be_disabled()
    page.keyboard.press("8")
    expect(entered).to_have_text("8")
    page.locator("#pad").get_by_role("button", name=SOLUTION[2], exact=True).click()
    expect(entered).to_have_text(SOLUTION[2])
    page.get_by_role("button", name="Clear").click()
    expect(entered).to_have_count(0)
    page.keyboard.press("ArrowRight")  # the next empty cell, r1c4
    page.keyboard.press(SOLUTION[3])
    expect(entered).to_have_text(SOLUTION[3])
    assert hint.bounding_box() == before
    again.click()
    expect(entered).to_have_count(0)


def test_arrow_keys_lead_to_the_next_puzzle_until_the_board_is_used(
    page: Page, puzzle: str
) -> None:
    page.goto(puzzle)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Puzzle 2")).to_be_visible()
    page.locator("#pad").get_by_role("button", name=SOLUTION[2], exact=True).click()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", name="Puzzle 2")).to_be_visible()


def test_keys_are_large_and_in_the_first_screen_of_a_phone(page: Page, puzzle: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(puzzle)
    boxes = [box for key in page.locator("#pad button").all() if (box := key.bounding_box())]
    assert len({box["y"] for box in boxes}) == 2  # rows of five
    assert all(box["height"] >= 44 and box["width"] >= 44 for box in boxes)
    expect(page.locator("#hint > summary")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 640)])
def test_board_stays_in_view_with_hints_and_steps_on_a_phone(
    page: Page, puzzle: str, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(puzzle)
    for level in ("Show a hint", "Name the technique", "Show the step"):
        page.locator("#hint").get_by_text(level).click()
        assert_together(page, page.locator(".whole .board"), page.locator("#hints"), level)
    page.locator("input[name=view][value=steps]").check()
    for step in range(3):
        page.locator("#forward").click()
        assert_together(page, page.locator("#board svg"), page.locator(".step-text"), str(step))


def test_large_board_is_scrolled_to_the_cells_of_a_hint(page: Page, site: str) -> None:
    first = next(iter(files("solver").joinpath("samples/25x25.txt").read_text().splitlines()))
    with httpx.Client(base_url=site, timeout=60) as http:
        options = {"explain": "true"}
        job_id = http.post("/api/v1/jobs", params=options, content=first).json()["id"]
        while http.get(f"/api/v1/jobs/{job_id}?wait=20").json()["state"] != "finished":
            pass
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/jobs/{job_id}/puzzles/1")
    page.locator("#hint > summary").click()
    expect(page.locator(".whole .looked").first).to_be_in_viewport()


def test_candidates_of_a_cell_of_a_25x25_board_are_marked_on_the_keys(
    page: Page, site: str
) -> None:
    first = next(iter(files("solver").joinpath("samples/25x25.txt").read_text().splitlines()))
    with httpx.Client(base_url=site, timeout=60) as http:
        options = {"explain": "true"}
        job_id = http.post("/api/v1/jobs", params=options, content=first).json()["id"]
        while http.get(f"/api/v1/jobs/{job_id}?wait=20").json()["state"] != "finished":
            pass
    page.goto(f"/jobs/{job_id}/puzzles/1")
    listed = page.locator("#cell-candidates")
    expect(listed).to_be_hidden()
    page.locator("input[name=view][value=candidates]").check()
    # The first empty cell is chosen.
    expect(listed).to_contain_text(re.compile(r"^r1c\d+: \d+"))
    values = (listed.text_content() or "").partition(": ")[2].split(", ")
    expect(page.locator("#pad .possible")).to_have_text(values)


def test_candidates_of_16x16_boards_are_readable_on_a_phone(page: Page, site: str) -> None:
    first = next(iter(files("solver").joinpath("samples/16x16.txt").read_text().splitlines()))
    with httpx.Client(base_url=site, timeout=60) as http:
        job_id = http.post("/api/v1/jobs", content=first).json()["id"]
        while http.get(f"/api/v1/jobs/{job_id}?wait=20").json()["state"] != "finished":
            pass
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/jobs/{job_id}/puzzles/1")
    page.locator("input[name=view][value=candidates]").check()
    box = page.locator(".candidates text").first.bounding_box()
    assert box is not None
    assert box["height"] >= 8
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def assert_together(page: Page, board: Locator, text: Locator, step: str) -> None:
    """Assert that the whole board is in the window, and the whole text below it."""
    page.wait_for_timeout(100)  # for the scrolling
    (upper, lower) = (board.bounding_box(), text.bounding_box())
    assert upper
    assert lower
    assert page.viewport_size
    assert upper["y"] >= 0, step
    assert lower["y"] >= upper["y"] + upper["height"], step
    assert lower["y"] + lower["height"] <= page.viewport_size["height"], step


def test_repeated_digits_are_marked_while_typing(page: Page, puzzle: str) -> None:
    page.goto(puzzle)
    board = page.locator(".whole .board")
    board.focus()
    board.press("5")  # Row 1 has a 5 already.
    expect(board.locator(".entered.wrong")).to_have_count(1)
    expect(board.locator(".conflict")).to_have_count(2)
    board.press(SOLUTION[2])
    expect(board.locator(".wrong, .conflict")).to_have_count(0)
    page.get_by_text("Solution", exact=True).click()
    expect(page.locator("#hint, #typing-help").first).to_be_hidden()


def test_full_grid_is_checked_at_once(page: Page, puzzle: str) -> None:
    entries = [(cell, int(SOLUTION[cell])) for cell, given in enumerate(CLASSIC) if given == "."]
    wrong = [
        (cell, value) if index else (cell, value % 9 + 1)
        for index, (cell, value) in enumerate(entries)
    ]
    page.goto(puzzle)
    page.evaluate(
        "([key, value]) => sessionStorage.setItem(key, value)",
        [f"typed {puzzle}", json.dumps(wrong)],
    )
    page.reload()
    verdict, board = page.locator("#verdict"), page.locator(".whole .board")
    expect(verdict).to_have_text("5 in r1c3 is wrong. Remove it first.", timeout=PATIENCE)
    board.focus()
    board.press(SOLUTION[2])
    expect(verdict).to_have_text("Solved. All of your entries are correct.", timeout=PATIENCE)
    expect(page.locator("#hint")).to_be_hidden()
    board.press("Backspace")
    expect(verdict).to_be_empty()
    expect(page.locator("#hint")).to_be_visible()


def test_digits_are_entered_by_touch(page: Page, puzzle: str) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(puzzle)
    board = page.locator(".whole .board")
    box = board.bounding_box()
    assert box is not None
    board.click(position={"x": box["width"] * 0.32, "y": box["height"] * 0.11})  # r1c3
    page.locator("#pad").get_by_role("button", name="4", exact=True).click()
    expect(page.locator(".whole .entered")).to_have_text("4")
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_first_hint_works_without_scripts(plain_page: Page, puzzle: str) -> None:
    plain_page.goto(puzzle)
    plain_page.locator("#hint > summary").click()
    expect(plain_page.locator("#hints")).to_contain_text("Look at")


def test_theme_is_chosen_and_kept(page: Page) -> None:
    page.emulate_media(color_scheme="light")
    page.get_by_label("Theme").select_option("dark")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.goto("/formats")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark
    page.get_by_label("Theme").select_option("light")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != dark


def test_each_way_to_start_is_offered_once(page: Page) -> None:
    page.get_by_role("link", name="Draw a puzzle").click()
    expect(page.locator("#grid")).to_be_focused()
    page.go_back()
    for way in ("Type or draw a puzzle", "Paste puzzles", "Choose a file", "Try an example"):
        expect(page.get_by_text(way, exact=True)).to_have_count(1)
        expect(page.get_by_text(way, exact=True)).to_be_visible()
    expect(page.locator(".example")).to_have_count(4)


def test_all_available_steps_are_listed_for_the_position_on_the_board(
    page: Page, puzzle: str
) -> None:
    page.goto(puzzle)
    steps = page.locator("#available")
    steps.locator("> summary").click()
    expect(steps).to_contain_text("steps are available.", timeout=PATIENCE)
    first = steps.locator("li").first.text_content()
    page.locator("input[name=view][value=steps]").check()
    expect(steps.locator("li").first).to_be_hidden()
    for _ in range(3):
        page.locator("#forward").click()
    steps.locator("> summary").click()
    expect(steps.locator("li").first).not_to_have_text(first or "", timeout=PATIENCE)
    next_step = page.locator("#explanation").text_content() or ""
    assert next_step.endswith(steps.locator("li").first.text_content() or "no step")


def test_buttons_on_a_phone_form_rows_that_fill_the_width(page: Page, puzzle: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(puzzle)
    for group in (".choices", "#pad", ".elsewhere"):
        boxes = [box for each in page.locator(f"{group} > *").all() if (box := each.bounding_box())]
        ends = {round(box["y"]): box["x"] + box["width"] for box in boxes}
        outer = page.locator(group).bounding_box()
        assert outer is not None
        assert len(boxes) > len(ends), group
        assert all(abs(end - outer["x"] - outer["width"]) < 2 for end in ends.values()), group


def test_chosen_cell_shows_the_focus(page: Page, puzzle: str) -> None:
    page.goto(puzzle)
    board = page.locator(".whole .board")
    frame = "board => getComputedStyle(board.querySelector('.chosen')).strokeWidth"
    before = board.evaluate(frame)
    page.locator("input[name=view]").first.focus()
    page.keyboard.press("Tab")
    expect(board).to_be_focused()
    assert board.evaluate(frame) != before


def test_open_hint_is_between_the_board_and_the_keys_on_a_phone(page: Page, puzzle: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(puzzle)
    page.locator("#hint > summary").click()
    keys, hint = page.locator("#pad").bounding_box(), page.locator("#hints").bounding_box()
    assert keys
    assert hint
    assert hint["y"] + hint["height"] <= keys["y"]


def test_view_of_the_solution_has_its_legend_next_to_the_board_and_no_next_steps(
    page: Page, puzzle: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(puzzle)
    expect(page.locator("#available")).to_be_visible()
    page.locator("input[name=view][value=solution]").check()
    expect(page.locator("#available, #restart").first).to_be_hidden()
    expect(page.locator(".solution-note")).to_be_in_viewport(ratio=1)


def test_legend_of_a_step_names_its_house(page: Page, puzzle: str) -> None:
    page.goto(puzzle)
    page.locator("input[name=view][value=steps]").check()
    step = page.locator("#deductions li[data-house]").first
    step.click()
    house = step.get_attribute("data-house") or ""
    assert re.match(r"(Row|Column|Box) \d", house)
    expect(page.locator(".keys .house")).to_have_text(house)


def test_everything_in_the_column_next_to_the_board_ends_at_the_same_edge(
    page: Page, puzzle: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(puzzle)
    boxes = [page.locator(part).bounding_box() for part in ("#pad", ".elsewhere", "#details")]
    ends = [box["x"] + box["width"] for box in boxes if box]
    assert ends == pytest.approx([ends[0]] * 3, abs=1)
