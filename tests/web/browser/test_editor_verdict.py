"""The live verdict on the puzzle in the grid editor, and what people do with it.

They add givens until the puzzle is unique, see true candidates, and are led to contradictions and
hints.
"""

import json
import re

import pytest
from browsing import PATIENCE
from editing import FOUR, add_cage, choose_rule, open_editor, start_drawing, text_of, verdict
from playwright.sync_api import Page, Route, expect

pytestmark = [pytest.mark.browser, pytest.mark.redis]

# Whether an element's upper and lower edge are in the window, with nothing in front of them.
IS_UNCOVERED = """element => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return [top + 2, bottom - 2].every(
        y => element.contains(document.elementFromPoint((left + right) / 2, y)));
}"""
FEW = "12343..........."
TWO = ".2.4.4.221434321"
UNIQUE = "12.4...2....4..1"
SEVERAL = "..2.3...8.....8....31.2.....6..5.27..1.....5.2.4.6..31....8.6.5........3..53...4."
WRONG_GIVEN = "145678.93..9.41.866...59..456.792.38...563..9923184657...8.7962876925341.9.4.6875"


def test_verdict_follows_every_change(page: Page) -> None:
    open_editor(page, "4")
    expect(verdict(page)).to_contain_text("Draw or paste a puzzle")
    page.get_by_label("Paste puzzles").fill(UNIQUE)
    expect(verdict(page)).to_have_text("One solution", timeout=PATIENCE)
    page.get_by_role("checkbox", name="Solution").check()
    expect(page.locator("#values .found")).to_have_count(10)
    page.get_by_role("checkbox", name="Solution").uncheck()
    page.get_by_label("Paste puzzles").fill("1" + "." * 15)
    expect(verdict(page)).to_have_text(re.compile(r"Several solutions: for example, .* r\dc\d"))
    page.get_by_role("checkbox", name="True candidates").check()
    expect(page.locator("#candidates .candidate").first).to_be_attached()
    page.get_by_label("Paste puzzles").fill(FEW)
    expect(page.locator("#candidates rect.once").first).to_be_attached(timeout=PATIENCE)
    page.get_by_role("checkbox", name="A solution").check()
    expect(page.get_by_role("checkbox", name="True candidates")).not_to_be_checked()
    page.get_by_label("Paste puzzles").fill("123...4.........")
    expect(verdict(page)).to_have_text(re.compile("No solution: r1c4 has no candidate left"))
    expect(page.locator("#faulty .conflict")).to_have_count(1)


def test_verdict_names_and_marks_rules_and_givens_that_contradict_each_other(page: Page) -> None:
    cage = {"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 7}
    thermometer = {"type": "thermo", "cells": ["r1c1", "r2c1", "r3c1"]}
    dot = {"type": "white", "cells": ["r4c3", "r4c4"]}
    open_editor(page, "4")
    page.get_by_label("Paste puzzles").fill(
        json.dumps({"puzzle": "." * 16, "constraints": [dot, cage, thermometer]})
    )
    contradiction = "the cage at r1c1 and the thermometer r1c1–r3c1 contradict each other"
    expect(verdict(page)).to_have_text(f"No solution: {contradiction}", timeout=PATIENCE)
    faulty = page.locator("#added .faulty")
    expect(faulty).to_have_count(2)
    expect(faulty.first).to_contain_text("Part of the contradiction")
    expect(page.locator("#faulty rect")).to_have_count(5)
    faulty.first.get_by_role("button", name="Remove").click()
    expect(verdict(page)).to_contain_text("Several solutions", timeout=PATIENCE)
    expect(faulty).to_have_count(0)
    page.get_by_label("Paste puzzles").fill(
        json.dumps({"puzzle": "....4.........1.", "constraints": [dot, thermometer]})
    )
    expect(verdict(page)).to_have_text(
        "No solution: the 4 in r2c1 and the thermometer r1c1–r3c1 contradict each other",
        timeout=PATIENCE,
    )
    expect(page.locator("#values .wrong")).to_have_text("4")


def test_verdict_marks_the_rules_of_a_long_contradiction(page: Page) -> None:
    dots = [{"type": "white", "cells": [f"r{n}c1", f"r{n}c2"]} for n in range(1, 5)]
    conflict = {"givens": [], "constraints": 3 * dots, "detail": "12 constraints contradict"}
    explanation = {"detail": "the puzzle has no solution", "conflict": conflict}
    page.route(
        "**/api/v1/jobs/*/puzzles/1?*",
        lambda route: route.fulfill(json={"explanation": explanation}),
    )
    open_editor(page, "4")
    page.get_by_label("Paste puzzles").fill(
        json.dumps({"puzzle": "1.............4.", "constraints": [*dots, {"type": "black",
        "cells": ["r1c1", "r1c2"]}, {"type": "greater", "cells": ["r1c1", "r2c1"]}]})
    )  # fmt: skip
    expect(verdict(page)).to_have_text("No solution: 12 constraints contradict", timeout=PATIENCE)
    expect(page.locator("#added .faulty")).to_have_count(4)


def test_verdict_names_a_wrong_given_of_a_long_contradiction(page: Page) -> None:
    start_drawing(page)
    page.get_by_label("Paste puzzles").fill(WRONG_GIVEN)
    expect(verdict(page)).to_have_text(
        "No solution. It would have exactly one without the 5 in r1c3, so check this entry.",
        timeout=PATIENCE,
    )
    expect(page.locator("#values .wrong")).to_have_text("5")


def test_verdict_says_why_there_are_several_solutions_and_marks_the_cells(page: Page) -> None:
    open_editor(page, "4")
    page.get_by_label("Paste puzzles").fill(TWO)
    expect(verdict(page)).to_have_text(
        "Several solutions: 1 and 3 can be swapped in r1c1, r1c3, r2c1, and r2c3 without breaking "
        "a rule (a deadly pattern)",
        timeout=PATIENCE,
    )
    marked, values = page.locator("#tint .open"), page.locator("#candidates .open")
    expect(marked).to_have_count(4)
    expect(values).to_have_text(["1", "3"] * 4)
    sizes = "values => new Set(values.map(value => value.style.fontSize)).size"
    assert values.evaluate_all(sizes) == 1
    cell = verdict(page).get_by_role("button").first
    cell.click()
    expect(page.locator("#grid")).to_be_focused()
    expect(page.locator("#cell")).to_have_text("r1c1: can be 1 or 3")
    page.keyboard.press("1")
    expect(verdict(page)).to_have_text("One solution")
    expect(marked).to_have_count(0)
    expect(values).to_have_count(0)


def test_verdict_names_one_of_many_cells_in_which_two_solutions_differ(page: Page) -> None:
    """Rows that are shifted differ in every cell."""
    rows = ["1234", "3412", "2143", "4321"]
    listed = ["".join(rows), "".join(reversed(rows))]
    result = {"outcome": "multiple", "solutions": 2, "all_solutions": listed}
    page.route("**/api/v1/solve?*", lambda route: route.fulfill(json=result))
    open_editor(page, "4")
    add_cage(page)
    expect(verdict(page)).to_have_text(
        "Several solutions: r1c1 can be 1 or 4, one of 16 cells in which two solutions differ",
        timeout=PATIENCE,
    )
    expect(page.locator("#tint .open")).to_have_count(1)


def test_keys_show_the_numbers_of_solutions_that_true_candidates_leave(page: Page) -> None:
    open_editor(page, "4")
    page.get_by_label("Paste puzzles").fill(TWO)
    page.get_by_role("checkbox", name="True candidates").check()
    keys, note = page.locator("#pad button"), page.locator("#keys-note")
    expect(note).to_have_text("Solutions left with each digit in r1c1:", timeout=PATIENCE)
    expect(keys).to_have_text(["11", "20", "31", "40", "⌫"])
    expect(page.locator("#pad .once")).to_have_text(["11", "31"])
    expect(page.locator("#cell")).to_have_text("r1c1: 1, 3")  # without their numbers again
    page.locator("#grid").focus()
    page.keyboard.press("ArrowRight")  # a given
    expect(note).to_be_empty()  # and keeps its place
    expect(keys).to_have_text(["1", "2", "3", "4", "⌫"])


def test_values_that_the_verdict_names_stay_marked_among_true_candidates(page: Page) -> None:
    start_drawing(page)
    page.get_by_label("Paste puzzles").fill(SEVERAL)
    named = "5 and 6 can be swapped in r3c4, r3c6, r8c4, and r8c6"
    expect(verdict(page)).to_contain_text(named, timeout=PATIENCE)
    marked = page.locator("#candidates .open")
    expect(marked).to_have_text(["5", "6"] * 4)
    page.get_by_role("checkbox", name="True candidates").check()
    expect(page.locator("#candidates .of3").first).to_be_attached(timeout=PATIENCE)
    expect(marked).to_have_text(["5", "6"] * 4)


def test_key_that_is_pressed_while_a_verdict_arrives_writes_its_digit(page: Page) -> None:
    open_editor(page, "4")
    page.get_by_label("Paste puzzles").fill(TWO)
    expect(verdict(page)).to_contain_text("can be swapped", timeout=PATIENCE)
    held: list[Route] = []
    page.route("**/api/v1/solve?*", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/api/v1/solve?*"):
        page.get_by_role("checkbox", name="True candidates").check()
    page.locator("#pad button").first.hover()
    page.mouse.down()
    held[0].continue_()
    expect(page.locator("#pad .once")).to_have_text(["11", "31"], timeout=PATIENCE)
    page.mouse.up()
    assert text_of(page) == "1" + TWO[1:]


def test_true_candidates_keep_clear_of_cages_and_of_each_other(page: Page) -> None:
    cages = [
        {"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 14},
        {"type": "killer", "cells": ["r9c9"]},
    ]
    start_drawing(page)
    page.get_by_label("Paste puzzles").fill(json.dumps({"puzzle": "." * 81, "constraints": cages}))
    page.get_by_role("checkbox", name="True candidates").check()
    candidates = page.locator("#candidates text")
    expect(candidates.nth(80)).to_be_attached(timeout=PATIENCE)
    overlapping = page.locator("#grid").evaluate(
        """grid => {
            const box = text => text.getBBox();
            const cap = ({ x, y, width, height }) => // without the space above and below digits
                ({ x, right: x + width, y: y + .26 * height, bottom: y + .8 * height });
            const boxes = [...grid.querySelectorAll("#candidates text, #under .corner")]
                .map(box).map(cap);
            return boxes.flatMap((one, place) => boxes.slice(place + 1).filter(other =>
                one.x < other.right && other.x < one.right
                && one.y < other.bottom && other.y < one.bottom)).length;
        }"""
    )
    assert overlapping == 0
    inner = candidates.evaluate_all(
        """texts => texts.filter(text => {
            const { x, width } = text.getBBox();
            return (x % 20) < 2.2 || ((x + width) % 20) > 17.8;
        }).length"""
    )
    assert inner == 0


def test_verdict_on_a_unique_puzzle_leads_to_hints(page: Page) -> None:
    open_editor(page, "4")
    hints = page.get_by_role("button", name="Play with hints")
    page.get_by_label("Paste puzzles").fill(TWO)
    expect(verdict(page)).to_contain_text("can be swapped", timeout=PATIENCE)
    expect(hints).to_be_hidden()
    page.get_by_label("Paste puzzles").fill(UNIQUE)
    hints.click(timeout=PATIENCE)
    expect(page.get_by_text("Show a hint")).to_be_visible(timeout=PATIENCE)


def test_true_candidate_is_added_as_a_given_while_rules_are_drawn(page: Page) -> None:
    open_editor(page, "4")
    page.get_by_label("Paste puzzles").fill(TWO)
    page.get_by_role("checkbox", name="True candidates").check()
    choose_rule(page, "killer")
    verdict(page).get_by_role("button").first.click()  # a cell that differs
    expect(page.locator("#cell")).to_have_text(
        re.compile(r"^r\dc\d: 1 \(1 solution\), 3 \(1\)$"), timeout=PATIENCE
    )
    page.locator("#cell").get_by_role("button", name="3 (1)").click()
    expect(verdict(page)).to_have_text("One solution", timeout=PATIENCE)
    expect(page.locator("#grid")).to_be_focused()
    page.keyboard.press("Control+z")
    assert text_of(page) == TWO


def test_digits_reach_the_grid_after_a_mode_was_chosen(page: Page) -> None:
    open_editor(page, "4")
    choose_rule(page, "killer")
    page.locator(".modes").get_by_text("Digits").click()
    page.keyboard.press("2")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("1")
    assert text_of(page) == "21" + "." * 14
    page.locator(".modes").get_by_text("Rules").click()
    page.locator("#rule-search").press("2")  # a text field keeps its digits
    assert text_of(page) == "21" + "." * 14


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_board_and_verdict_are_in_view_together(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    open_editor(page, "9")
    for part in ("#grid", "#verdict", "#pad", "#show-candidates"):
        assert page.locator(part).evaluate(IS_UNCOVERED), part


def test_nothing_covers_the_rules_after_scrolling_to_them(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    open_editor(page, "9")
    page.locator(".modes").get_by_text("Rules").click()
    expect(page.locator("#rule-list [value=killer]")).to_be_checked()
    page.locator("#rule-search").evaluate("field => field.scrollIntoView()")
    for part in ("#rule-search", "#rule-list", "#number", "#add"):
        assert page.locator(part).evaluate(IS_UNCOVERED), part


def test_true_candidates_are_explained_before_they_are_shown(page: Page) -> None:
    open_editor(page, "4")
    expect(page.get_by_role("checkbox", name="True candidates")).to_have_accessible_description(
        "Small digits fit at least one solution, and large light digits fit all solutions. Green "
        "ones leave one solution when added as a given."
    )


def test_pasted_text_is_solved_once_and_needs_no_rules_while_the_editor_is_closed(
    page: Page,
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_label("Paste puzzles").fill(FOUR)
    expect(page.locator("#first figure")).to_have_count(1)
    page.wait_for_timeout(800)
    assert sum("/solve" in url for url in asked) == 1
    assert not any("/editor/rules" in url for url in asked)


def test_repeated_digits_turn_red_while_typing(page: Page) -> None:
    page.route("**/api/v1/**", lambda _: None)  # without any answer: the page finds them itself
    open_editor(page, "4")
    page.keyboard.press("1")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("1")
    expect(page.locator("#values .wrong")).to_have_count(2)
    expect(page.locator("#cell")).to_contain_text("in conflict")


def test_verdict_on_the_previous_puzzle_ends_as_soon_as_the_text_changes(page: Page) -> None:
    open_editor(page, "4")
    page.get_by_label("Paste puzzles").fill(UNIQUE)
    expect(verdict(page)).to_have_text("One solution", timeout=PATIENCE)
    page.route("**/api/v1/look?*", lambda _: None)
    page.get_by_label("Paste puzzles").fill("1" + "." * 15)
    expect(verdict(page)).to_have_text("Checking …")
    expect(page.locator("#values text")).to_have_count(6)  # the grid follows later
    page.unroute("**/api/v1/look?*")
    page.route("**/api/v1/look?*", lambda route: route.fulfill(status=404, body="a proxy"))
    page.get_by_label("Paste puzzles").fill("12" + "." * 14)
    expect(verdict(page)).to_have_text("No verdict, because the service can’t be reached")
    page.unroute("**/api/v1/look?*")
    page.get_by_label("Paste puzzles").fill(UNIQUE)
    expect(verdict(page)).to_have_text("One solution", timeout=PATIENCE)


def test_verdict_is_undecided_when_the_search_takes_too_long(page: Page) -> None:
    undecided = {"outcome": "step_limit", "solutions": 0, "all_solutions": []}
    page.route("**/api/v1/solve?*", lambda route: route.fulfill(json=undecided))
    open_editor(page, "4")
    page.get_by_label("Paste puzzles").fill(FOUR)
    expect(verdict(page)).to_have_text("Undecided within the time limit", timeout=PATIENCE)


def test_verdict_follows_by_itself_when_no_worker_has_begun_yet(page: Page) -> None:
    queued = {"state": "queued", "links": {"self": "/api/v1/jobs/none"}}
    page.route("**/api/v1/solve?*", lambda route: route.fulfill(status=202, json=queued))
    open_editor(page, "4")
    page.get_by_label("Paste puzzles").fill(UNIQUE)
    expect(verdict(page)).to_contain_text("Waiting for a worker", timeout=PATIENCE)
    page.unroute("**/api/v1/solve?*")
    expect(verdict(page)).to_have_text("One solution", timeout=PATIENCE)


def test_verdict_is_undecided_so_far_after_half_a_second(page: Page) -> None:
    page.route("**/api/v1/solve?*", lambda _: None)
    open_editor(page, "4")
    page.get_by_label("Paste puzzles").fill(FOUR)
    expect(verdict(page)).to_have_text("Undecided so far …", timeout=PATIENCE)


def test_request_for_an_outdated_verdict_is_aborted(page: Page) -> None:
    """The first request gets no response, so the verdict can only come from the second."""
    asked: list[Route] = []
    aborted: list[str | None] = []
    page.on("requestfailed", lambda request: aborted.append(request.post_data))
    answers = {"outcome": "solved", "solutions": 1}

    def respond(route: Route) -> None:
        asked.append(route)
        if len(asked) > 1:
            route.fulfill(json=answers)

    page.route("**/api/v1/solve?*", respond)
    open_editor(page, "4")
    with page.expect_request("**/api/v1/solve?*"):
        page.get_by_label("Paste puzzles").fill("1" + "." * 15)
    page.get_by_label("Paste puzzles").fill(FOUR)
    expect(verdict(page)).to_have_text("One solution", timeout=PATIENCE)
    assert aborted == ["1" + "." * 15]


def test_givens_are_added_until_the_puzzle_is_unique_and_undone_in_one_step(page: Page) -> None:
    cage = {"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 5}
    page.get_by_label("Paste puzzles").fill(json.dumps({"puzzle": "." * 16, "constraints": [cage]}))
    start_drawing(page)
    expect(verdict(page)).to_contain_text("Several solutions", timeout=PATIENCE)
    before = text_of(page)
    page.get_by_role("checkbox", name="A solution").check()
    shown = page.locator("#values").text_content()
    page.get_by_role("button", name="Add givens until unique").click()
    expect(page.locator("#givens-note")).to_have_text(re.compile(r"\d givens added\."))
    expect(verdict(page)).to_have_text("One solution", timeout=PATIENCE)
    expect(page.locator("#values .found").first).to_be_attached()
    assert page.locator("#values").text_content() == shown  # the givens are from this solution
    page.get_by_role("button", name="Undo").click()
    assert json.loads(text_of(page))["puzzle"] == json.loads(before)["puzzle"]
    expect(page.locator("#values .given")).to_have_count(0)


def test_adding_givens_is_offered_only_if_there_are_several_solutions(page: Page) -> None:
    open_editor(page, "4")
    button = page.get_by_role("button", name="Add givens until unique")
    expect(button).to_be_hidden()
    page.get_by_label("Paste puzzles").fill(FEW)
    expect(button).to_be_visible(timeout=PATIENCE)
    page.get_by_label("Paste puzzles").fill(UNIQUE)
    expect(verdict(page)).to_have_text("One solution", timeout=PATIENCE)
    expect(button).to_be_hidden()


def test_search_for_givens_that_reaches_its_limit_says_so(page: Page) -> None:
    start_drawing(page)
    page.get_by_label("Paste puzzles").fill("1" + "." * 80)
    expect(verdict(page)).to_contain_text("Several solutions", timeout=PATIENCE)
    undecided = {"outcome": "step_limit", "solutions": 0, "all_solutions": []}
    page.route("**/api/v1/solve?*", lambda route: route.fulfill(json=undecided))
    page.get_by_role("button", name="Add givens until unique").click()
    expect(page.locator("#givens-note")).to_contain_text("Nothing was added, but the puzzle isn’t")


def test_solution_shown_stays_as_long_as_it_fits(page: Page) -> None:
    open_editor(page, "4")
    page.get_by_label("Paste puzzles").fill("1" + "." * 15)
    page.get_by_role("checkbox", name="A solution").check()
    last = page.locator("#values text").last
    first = last.text_content()
    other = "23"[first == "2"]
    page.get_by_label("Paste puzzles").fill("1" + "." * 14 + other)
    expect(page.locator("#values .given")).to_have_count(2)
    expect(page.locator("#values .found")).to_have_count(14)
    shown = page.locator("#values text").all_text_contents()
    page.get_by_label("Paste puzzles").fill("1" + "." * 15)
    expect(page.locator("#values .given")).to_have_count(1)
    expect(page.locator("#values .found")).to_have_count(15)
    assert sorted(page.locator("#values text").all_text_contents()) == sorted(shown)
    assert page.locator("#values text").last.text_content() == other
