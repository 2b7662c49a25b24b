"""The checker of sentences reports false, unproven, and unknown ones, and true texts pass.

Several tests are about the facts that texts of steps from rules must state.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from paths import DATA
from sentence_checker.checking import check
from sentence_checker.mutations import mutations
from sentence_checker.step import Step, steps_of

from solver import Puzzle, parse
from solver.explaining import explain
from solver.logic.examples import EXAMPLES
from solver.logic.technique_table import name_of

MUTATED = (
    *("0000", "0003", "0002", "0100", "0200", "0210", "0300", "0310", "0400", "0402", "0501"),
    *("0601", "0610", "0703", "0706", "0708", "0800", "0801", "0803", "0901", "0902", "1101"),
    *("0709", "1301", "1302", "1303", "2030", "2031", "2040", "2041", "2052", "2063", "2073"),
    *("3000", "3001", "3002", "3003"),
)
# Some wrong numbers make other true claims, such as another house that contains the same cells.
MOST_UNREPORTED = 0.05
FALSE = [
    line.split("|")
    for line in (DATA / "false_sentences.txt").read_text().splitlines()
    if not line.startswith("#")
]


@cache
def first_step(code: str) -> Step:
    """Return the first step of the technique in the explanation of its example."""
    order = "explainer" if code.startswith("2") else "hodoku"
    steps = steps_of(explain(EXAMPLES[code], order=order))
    return next(step for step in steps if step.deduction.code == code)


def steps_of_public(public_data: Path, name: str) -> Iterator[Step]:
    """Yield the steps of the explanation of a public variant, given its name."""
    records = (public_data / "variants" / "puzzles.jsonl").read_text().splitlines()
    (text,) = (json.loads(record)["input"] for record in records if f'"{name}"' in record)
    (puzzle,) = parse(text)
    assert isinstance(puzzle, Puzzle)
    return steps_of(explain(puzzle))


@pytest.mark.parametrize("code", MUTATED, ids=name_of)
def test_texts_with_a_wrong_number_are_reported(code: str) -> None:
    step = first_step(code)
    assert not check(step).false
    changed = list(mutations(step))
    reports = [check(mutation) for mutation in changed]
    unreported = [
        mutation.text
        for mutation, report in zip(changed, reports, strict=True)
        if not (report.false or report.unparsed)
    ]
    assert len(unreported) <= MOST_UNREPORTED * len(changed), unreported


@pytest.mark.parametrize(("code", "true", "false"), FALSE)
def test_false_claims_are_reported(code: str, true: str, false: str) -> None:
    step = first_step(code)
    assert step.text.count(true) == 1, step.text
    report = check(replace(step, text=step.text.replace(true, false)))
    assert report.false, report


def test_a_clue_of_a_row_need_not_say_that_its_digits_differ(public_data: Path) -> None:
    steps = steps_of_public(public_data, "Skyscraper - all 6")
    own = [step for step in steps if step.deduction.code == "4000"]
    assert own
    assert not any("differ" in step.text or check(step).false for step in own)


def test_a_fact_that_another_clue_gives_is_stated(public_data: Path) -> None:
    # Its digits count from 0, and a circle, whose digit counts circles, cannot contain 0.
    steps = list(steps_of_public(public_data, "Hippo Birdie"))
    step = next(step for step in steps if "r1c7 is at least 1" in step.text)
    assert not check(step).false
    without = step.text.replace("r1c7 is at least 1. ", "")
    assert check(replace(step, text=without)).false


def test_a_rule_about_the_grid_states_a_digit_that_a_clue_gives(public_data: Path) -> None:
    # The rank of column 1 gives r1c1, and the step's own rule cannot know it.
    steps = steps_of_public(public_data, "4x4: Full Rank - no ties")
    own = [step for step in steps if step.deduction.code == "4001"]
    assert all(re.search("r1c1 (and r4c4 are|is) 3", step.text) for step in own)
    assert not [step.text for step in own if check(step).false]


def test_a_rank_with_other_rules_says_that_digits_differ(public_data: Path) -> None:
    steps = steps_of_public(public_data, "4x4: Full Rank - with ties")
    own = [step for step in steps if step.deduction.code == "4006"]
    assert any("Cells that see each other differ." in step.text for step in own)
    assert not [step.text for step in own if check(step).false]


def test_a_rule_about_whole_regions_says_that_their_digits_differ(public_data: Path) -> None:
    steps = steps_of_public(public_data, "Con-Set-Cutive")
    own = [step for step in steps if "Regions with the same digits" in step.text]
    assert own
    assert not [step.text for step in own if check(step).false]


def test_a_placement_on_a_long_line_states_all_facts_that_it_needs(public_data: Path) -> None:
    steps = steps_of_public(public_data, "Regex Line [0-indexed]")
    assert not [step.text for step in steps if step.deduction.code == "4001" and check(step).false]


def test_steps_that_need_houses_name_the_cells_that_differ(public_data: Path) -> None:
    steps = steps_of_public(public_data, "German Whispers")
    own = [step for step in steps if " differ (" in step.text]
    assert not [step.text for step in own if check(step).false]
    whole = [step for step in own if "Its cells differ (box 7)." in step.text]
    assert whole
    for step in whole:
        assert check(replace(step, text=step.text.replace("(box 7)", "(box 1)"))).false


def test_an_or_names_the_option_that_is_left(public_data: Path) -> None:
    steps = [*steps_of_public(public_data, "City Planning")]
    first = [step for step in steps if ", or both. r" in step.text and ", so " in step.text]
    again = [step for step in steps if re.match(r"r\d.*, so the skyscraper clue", step.text)]
    assert first
    assert any(step.text.startswith("r3c3 is 7, so the skyscraper clue at the") for step in again)
    for step in (*first, *again):
        assert not check(step).false
        wrong = re.sub(r"must be (\d)", lambda found: f"must be {int(found[1]) % 9 + 1}", step.text)
        assert check(replace(step, text=wrong)).false


def test_an_or_with_two_possible_options_states_what_holds_either_way(public_data: Path) -> None:
    steps = steps_of_public(public_data, "City Planning")
    own = [step for step in steps if "Either way, r1c4 must be 1 or 9." in step.text]
    assert own
    for step in own:
        assert not check(step).false
        assert check(replace(step, text=step.text.replace("1 or 9", "1 or 8"))).false


def test_a_missing_set_of_digits_is_reported(public_data: Path) -> None:
    steps = steps_of_public(public_data, "Elementary")
    step = next(step for step in steps if "That leaves only {" in step.text)
    assert not check(step).false
    assert check(replace(step, text=re.sub(r"only {[^}]*}", "only {1 2}", step.text))).false


def test_a_sentence_without_a_known_claim_is_reported_as_unparsed() -> None:
    step = first_step("0100")
    report = check(replace(step, text=f"This is obvious. {step.text}"))
    assert report.unparsed == ("This is obvious.",)
    assert not report.false


def test_a_reason_that_does_not_imply_the_result_is_reported() -> None:
    step = first_step("0100")
    _, result = step.text.rsplit(". ", 1)
    report = check(replace(step, text=result))
    assert report.false
    assert all("doesn't imply" in complaint for complaint in report.false)
