"""User flows in a real browser: preview, type, watch progress, step through, and compare."""

import re
from pathlib import Path

import pytest
from browsing import (
    CLASSIC,
    PATIENCE,
    SOLUTION,
    TWICE,
    drawn,
    expect_finished,
    paste,
    solve,
)
from editing import middle_of, start_drawing
from playwright.sync_api import Browser, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.redis]

# Without four cells in which two digits can be exchanged.
OPEN = (3, 4, 30, 31)
WITH_TWO_SOLUTIONS = "".join("." if cell in OPEN else SOLUTION[cell] for cell in range(81))
TOP = "element => element.getBoundingClientRect().top"
# Replaces EventSource with one whose connection is always closed, as some proxies do.
NO_EVENTS = """window.EventSource = class {
    static CLOSED = 2;
    readyState = 2;
    constructor() { setTimeout(() => this.onerror()); }
    close() {}
}"""


def test_pasted_puzzles_are_previewed_immediately(page: Page) -> None:
    page.get_by_label("Paste puzzles").fill(f"{CLASSIC}\n{TWICE}\nxx\n")
    expect(page.locator("#preview")).to_have_text(
        "3 puzzles in the format “Puzzle lines”. 2 have errors."
    )
    expect(page.locator("#first svg")).to_have_count(2)
    expect(page.locator("#troubles li").last).to_contain_text("Line 3: ")
    page.get_by_label("Paste puzzles").fill(TWICE)
    expect(page.locator("#preview")).to_have_text(
        re.compile(r"Classic 9×9, \d+ givens. It has an error.")
    )
    expect(page.locator("#look")).not_to_contain_text("Puzzle lines")
    page.get_by_label("Paste puzzles").fill("hello")
    expect(page.locator("#preview")).to_contain_text("Not a puzzle yet. Line 1, column 1: ")
    page.get_by_label("Paste puzzles").fill("")
    expect(page.locator("#look")).to_be_hidden()


def test_verdict_on_a_pasted_puzzle_is_above_its_preview(page: Page) -> None:
    pasted, verdict = page.get_by_label("Paste puzzles"), page.locator("#pasted-verdict")
    pasted.fill(CLASSIC)
    expect(verdict).to_contain_text("One solution")
    expect(page.locator("#preview")).to_have_text("Classic 9×9, 30 givens")
    expect(verdict).to_have_text("One solution · easy (SE 1.2)", timeout=PATIENCE)
    expect(page.get_by_text("Its solution stays hidden until you ask for it.")).to_be_visible()
    submit = page.locator("#upload .submit button:visible")
    expect(submit).to_have_text(["Open the puzzle"], use_inner_text=True)
    pasted.fill(WITH_TWO_SOLUTIONS)
    expect(verdict).to_have_text(
        "Several solutions: 6 and 7 can be swapped in r1c4, r1c5, r4c4, and r4c5 without breaking "
        "a rule (a deadly pattern)"
    )
    expect(page.get_by_text("its page has hints and all steps.")).to_be_visible()
    pasted.fill(f"{CLASSIC}\n{CLASSIC}\n")
    expect(page.locator("#preview")).to_contain_text("2 puzzles")
    expect(verdict).to_be_hidden()


def test_chosen_options_are_named_next_to_the_button(page: Page) -> None:
    tasks = page.locator("#tasks")
    expect(tasks).to_have_text("This counts the solutions of each puzzle.")
    page.get_by_label("Rate the difficulty").check()
    expect(tasks).to_have_text("This counts the solutions of each puzzle and rates the difficulty.")
    page.get_by_label("Find duplicates").check()
    expect(tasks).to_have_text(
        "This counts the solutions of each puzzle, rates the difficulty, and finds duplicates."
    )


def test_pasted_puzzle_is_played_with_its_solution_hidden(page: Page) -> None:
    page.get_by_label("Paste puzzles").fill(CLASSIC)
    page.get_by_role("button", name="Open the puzzle").press("Enter", timeout=PATIENCE)
    expect(page.get_by_text("Show a hint")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("radio", name="Puzzle")).to_be_checked()


def test_puzzle_is_typed_into_the_grid_by_keys_alone(page: Page) -> None:
    page.get_by_role("link", name="Draw a puzzle").press("Enter")
    expect(page.locator("#grid")).to_be_focused()
    for symbol in CLASSIC:  # at the end of a row, the cursor continues in the next one
        page.keyboard.press("Backspace" if symbol == "." else symbol)
        page.keyboard.press("ArrowRight")
    expect(page.get_by_label("Paste puzzles")).to_have_value(CLASSIC)
    solve(page)
    expect_finished(page)
    assert drawn(page.locator("#results svg.board")) == SOLUTION


def test_cells_of_large_grids_are_large_enough_for_a_finger(site: str, browser: Browser) -> None:
    context = browser.new_context(
        base_url=site, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto("/")
    start_drawing(page)
    page.get_by_label("Size").select_option("25")
    grid = page.locator("#grid")
    assert round(middle_of(page, 1, 2)["x"] - middle_of(page, 1, 1)["x"], 2) >= 24
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    grid.tap(position=middle_of(page, 1, 25))
    expect(page.locator("#cell")).to_contain_text("r1c25")
    context.close()


def test_cage_and_line_are_set_by_selecting_cells(page: Page) -> None:
    start_drawing(page)
    page.get_by_label("Size").select_option("4")
    page.locator("#grid").focus()
    page.keyboard.press("Shift+ArrowRight")
    page.locator(".modes").get_by_text("Rules").click()
    page.get_by_label("Sum", exact=True).fill("3")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+ArrowDown")
    page.locator("#rule-list [value=thermo]").check()
    page.locator("#add").click()
    expect(page.locator("#added li")).to_have_count(2)
    expect(page.locator("#under .cage")).to_be_attached()
    expect(page.locator("#under .thermo").first).to_be_attached()
    solve(page)
    expect_finished(page)
    expect(page.locator("#results svg title")).to_have_text("Killer cage, Thermometer")


def test_extra_rule_is_ticked(page: Page) -> None:
    page.locator("summary", has_text="Options").click()
    page.locator(".extra-rules summary").click()
    page.get_by_role("checkbox", name="diagonal", exact=False).first.check()
    page.get_by_label("Paste puzzles").fill(CLASSIC)
    expect(page.locator("#first svg title")).to_have_text("Diagonals")


def test_sample_is_watched_until_it_is_finished(page: Page) -> None:
    page.get_by_role("button", name="500 mixed and rated").click()
    expect_finished(page)
    expect(page.locator("[data-count=solved]")).to_have_text("500")
    assert float(page.locator("#shares .solved").get_attribute("width") or 0) == 1000
    expect(page.locator("#results tbody tr")).to_have_count(50)


def test_progress_is_polled_if_events_are_blocked(page: Page) -> None:
    page.add_init_script(NO_EVENTS)
    paste(page, f"{CLASSIC}\n" * 3)
    expect_finished(page)
    expect(page.locator("#done")).to_have_text("3")


def test_explanation_is_stepped_through_by_keys(page: Page) -> None:
    paste(page, CLASSIC)
    expect_finished(page)
    page.get_by_role("link", name="puzzle 1", exact=True).click()
    hint = page.get_by_text("Show a hint")
    expect(hint).to_be_visible(timeout=PATIENCE)
    expect(page.locator("#explained")).to_be_hidden()  # it would spoil the puzzle
    hint.click()
    page.get_by_text("Name the technique").click()
    expect(page.get_by_text("Show the step")).to_be_visible()
    page.get_by_role("radio", name="Steps").check()
    expect(page.get_by_role("img", name="puzzle 1", exact=True)).to_be_hidden()
    at, explanation = page.locator("#at"), page.locator("#explanation")
    expect(at).to_contain_text("0 of ", timeout=PATIENCE)
    expect(page.locator("#board svg .placed")).to_have_count(0)
    first = explanation.text_content()
    page.locator("#place").focus()
    page.keyboard.press("ArrowRight")
    expect(at).to_contain_text("1 of ")
    expect(page.locator(".keys .placed")).to_be_visible()
    expect(page.locator(".keys .fin")).to_be_hidden()
    assert explanation.text_content() != first
    page.keyboard.press("End")
    expect(page.get_by_role("button", name="Next step")).to_have_attribute("aria-disabled", "true")
    expect(page.locator("#board svg .found").first).to_be_visible()  # from earlier steps
    page.keyboard.press("Home")
    expect(explanation).to_have_text(first or "")
    page.get_by_role("button", name="Play").click()
    expect(at).to_contain_text("2 of ", timeout=PATIENCE)
    expect(page.locator("#board svg .placed")).to_be_attached()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("radio", name="Puzzle").check()
    expect(page.locator("#stage")).to_be_hidden()


def test_views_of_a_puzzle_and_keys_to_its_neighbors(page: Page) -> None:
    paste(page, f"{CLASSIC}\n{TWICE}\n")
    expect_finished(page)
    page.get_by_role("link", name="puzzle 1", exact=True).click()
    board = page.locator(".whole svg")
    found, candidates = board.locator("> .found").first, board.locator(".overlay.candidates")
    expect(found).to_be_hidden()
    page.get_by_role("radio", name="Solution").check()
    expect(found).to_be_visible()
    page.get_by_role("radio", name="Candidates").check()
    expect(found).to_be_hidden()
    expect(candidates).to_be_visible()
    page.get_by_role("heading", level=1).click()
    page.wait_for_load_state()  # the page may be visible before its key listener is installed
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Puzzle 2")).to_be_visible()
    expect(page.locator(".conflict")).to_be_attached()
    page.wait_for_load_state()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", name="Puzzle 1")).to_be_visible()


def test_where_solutions_differ_is_shown(page: Page) -> None:
    paste(page, "1..4............")
    expect_finished(page)
    page.get_by_role("link", name="puzzle 1", exact=True).click()
    page.get_by_role("button", name="Show where the solutions differ").click()
    expect_finished(page)
    page.get_by_role("link", name="puzzle 1", exact=True).click()
    expect(page.get_by_role("radio", name="Differences")).to_be_checked()
    expect(page.locator(".views .differs")).to_be_visible()
    expect(page.locator(".gallery figure").nth(2)).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    outcome, facts = (page.locator(part).bounding_box() for part in (".title .badge", ".summary"))
    assert outcome is not None
    assert facts is not None
    assert outcome["y"] < facts["y"] + facts["height"] / 2 < outcome["y"] + outcome["height"]
    boxes = [label.bounding_box() for label in page.locator(".choices label").all()]
    labels = [box for box in boxes if box]
    assert [box["y"] == labels[0]["y"] for box in labels] == [True, True, False, False]


def test_requests_are_tried_where_they_are_described(page: Page) -> None:
    page.goto("/api/docs")
    upload = page.locator("#post-api-v1-jobs")
    upload.locator("summary").click()
    upload.get_by_label("name", exact=False).first.fill("from the docs")
    upload.get_by_role("button", name="Send").click()
    expect(upload.get_by_role("status")).to_contain_text("202 ")
    expect(upload.get_by_role("status")).to_contain_text("curl -X POST")
    job = page.locator("#get-api-v1-jobs-job_id")
    job.locator("summary").click()
    job.get_by_label("wait").fill("20")
    job.get_by_role("button", name="Send").click()
    expect(job.get_by_role("status")).to_contain_text('"from the docs"', timeout=PATIENCE)


def test_examples_of_the_api_are_copied(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/api/docs")
    page.get_by_role("button", name="Copy the request: Upload puzzles").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("curl http")
    assert copied.endswith("}'")
    job = page.locator("#get-api-v1-jobs-job_id")
    job.locator("summary").click()
    job.get_by_role("button", name="Copy the example").click()
    assert '\n  "state": "finished",' in page.evaluate("navigator.clipboard.readText()")


def test_jobs_of_a_browser_are_listed_for_it(page: Page) -> None:
    page.get_by_role("button", name="25×25").click()
    expect(page.get_by_role("heading", name="3 puzzles, 25×25")).to_be_visible()
    page.get_by_role("link", name="My jobs").click()
    expect(page.get_by_role("link", name="3 puzzles, 25×25").first).to_be_visible()
    page.get_by_role("link", name="Workers").click()
    expect(page.get_by_text("puzzles done since")).to_be_visible()


def test_single_pasted_puzzle_is_drawn_beside_its_text(page: Page, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    solve_button = page.locator("#upload .primary")
    before = solve_button.evaluate(TOP)
    page.get_by_label("Paste puzzles").fill(CLASSIC)
    expect(page.locator("#first svg")).to_be_in_viewport(ratio=1)
    expect(page.locator("#drop")).to_be_hidden()
    assert solve_button.evaluate(TOP) == before
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Use a file").click()
    file = tmp_path / "mine.txt"
    file.write_text(CLASSIC)
    chooser.value.set_files(file)
    expect(page.locator("#drop")).to_be_visible()
    page.get_by_role("button", name="Remove the file").click()
    page.get_by_label("Paste puzzles").fill(f"{CLASSIC}\n{CLASSIC}")
    expect(page.locator("#first figure")).to_have_count(2)
    expect(page.locator("#drop")).to_be_visible()
