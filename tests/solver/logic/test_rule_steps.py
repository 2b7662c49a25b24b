"""Steps from rules: the steps that rules allow, and their texts.

Each rule explains a puzzle, no step is unsound, and resumed paths find the same steps. The texts
are true and give minimal reasons. Their wording, for example of repeated rules, is also tested, as
are hints.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from paths import DATA
from sentence_checker.checking import check
from sentence_checker.step import steps_of

from solver import Layout, Puzzle, parse
from solver.engines.engine import GO_ON
from solver.engines.sat.clauses import TooManyLiterals
from solver.explaining import explain
from solver.generating import generate
from solver.logic.board_tables import any_board_of
from solver.logic.deduction import Candidate, Deduction, LineKind, pack, split
from solver.logic.explanation import Explanation
from solver.logic.grid import grid_of
from solver.logic.hint import hint
from solver.logic.rule_path import rule_solving_steps
from solver.logic.rule_steps.conflict_groups import ConflictGroups
from solver.logic.rule_steps.house_search import HouseSearch
from solver.logic.rule_steps.reasons import minimal_domains, with_further_values
from solver.logic.rule_steps.units import rule_units
from solver.logic.sentences.links import peers_of_cells
from solver.logic.sentences.rule_names import demand_of, place_of, reminder_of
from solver.logic.sentences.rules import rules_stated
from solver.logic.sentences.sentence import sentence
from solver.logic.sentences.wording import Wording, paragraph
from solver.rules.neighbors import EVERYWHERE_RULES
from solver.rules.registry import RULES
from solver.solving import solve

LINES = [
    line.split(" ", 1)
    for line in (DATA / "rule-puzzles.txt").read_text().splitlines()
    if not line.startswith("#")
]
# Rules that only exclude candidates or make cells differ, so other techniques cover them.
COVERED = {"odd", "even", "oneof", "different"}
# Rules that no filter describes. A trial or a complete search takes their place.
UNFILTERED = {"fullrank", "fullranktied", "connected", "chaosconstruction", "noties"}
UNFILTERED |= {"chaoscount", "chaosarrow"}  # about variables that have no candidates on the board
UNFILTERED |= {"regionsamevalues", "doppelganger"}  # for boards of other shapes
STEPS = [
    line.split(" ", 1)
    for line in (DATA / "rule-steps.txt").read_text().splitlines()
    if not line.startswith("#")
]
ROW = [f"r1c{column}" for column in range(1, 10)]
DIGITS = range(1, 10)
APART = [number for a in DIGITS for b in DIGITS if abs(a - b) >= 3 for number in (a, b)]
RANDOM = {"thermo": {"count": "5"}, "whisper": {"count": "3"}, "white": {"count": "8"}}


def rules_of(deduction: Deduction) -> Iterator[int]:
    """Yield the constraints that a step uses, as indices."""
    if deduction.rule is not None:
        yield deduction.rule
    for line in deduction.lines:
        if line.kind in (LineKind.BY_RULE, LineKind.BROKEN_RULE):
            yield line.source


def false_texts(explanation: Explanation) -> list[object]:
    """Return the reports about texts of steps from rules and trials that aren't true."""
    steps = [step for step in steps_of(explanation) if step.deduction.code.startswith("4")]
    reports = [(step.text, check(step)) for step in steps]
    return [(text, report) for text, report in reports if report.false]


def test_every_rule_has_a_puzzle() -> None:
    names = {*RULES, *(rule.name for rule in EVERYWHERE_RULES)}
    assert {name for name, _ in LINES} == names - COVERED - UNFILTERED


@pytest.mark.parametrize(("name", "text"), LINES, ids=[name for name, _ in LINES])
def test_each_rule_explains_a_puzzle(name: str, text: str) -> None:
    explanation = explain(text)
    assert explanation.solved
    used = {index for deduction in explanation.deductions for index in rules_of(deduction)}
    names = {explanation.layout.constraints[index].name for index in used}
    assert name in names or "3000" in {deduction.code for deduction in explanation.deductions}
    assert not false_texts(explanation)


@pytest.mark.parametrize(("code", "text"), STEPS)
def test_each_step_replaces_a_search(code: str, text: str) -> None:
    explanation = explain(text)
    codes = {deduction.code for deduction in explanation.deductions}
    assert explanation.solved
    assert code in codes
    assert "4005" not in codes
    assert not false_texts(explanation)


def test_a_resumed_path_finds_the_same_steps() -> None:
    ((_, text),) = STEPS
    (puzzle,) = parse(text)
    assert isinstance(puzzle, Puzzle)
    explanation = explain(puzzle)
    board, stop = any_board_of(puzzle.layout), np.full(1, GO_ON, np.uint8)
    rows = np.frombuffer(explanation.rows, "<i2").astype(np.int32)
    first = [each for each, deduction in enumerate(explanation.deductions) if deduction.rules[1:]]
    taken = np.concatenate(list(split(rows))[: first[1]])
    later = rule_solving_steps(
        puzzle.layout,
        board,
        grid_of(board, puzzle.givens),
        solve(puzzle).solution or (),
        taken=taken,
        stop=stop,
    )
    assert b"".join(map(pack, later)) == explanation.rows[2 * len(taken) :]


def test_variables_that_differ_are_not_cells_that_see_each_other() -> None:
    (puzzle,) = parse(".Var~A~~1.Var~B~~1.AllDifferent~VA~VB.Arrow~VA~R1C2~R1C3")
    assert isinstance(puzzle, Puzzle)
    board, peers = any_board_of(puzzle.layout), peers_of_cells(puzzle.layout)
    assert board.cell_count == len(peers) == 81
    assert max(map(max, peers)) < 81


def test_houses_decide_what_a_rule_leaves() -> None:
    cage = {"type": "killer", "cells": ["r1c1", "r1c2", "r1c3", "r1c4"]}
    line = {"type": "thermo", "cells": ["r1c1", "r1c2", "r1c3", "r2c3"]}
    (puzzle,) = parse(json.dumps({"constraints": [{**cage, "sum": 10}, line]}))
    assert isinstance(puzzle, Puzzle)
    peers = peers_of_cells(puzzle.layout)
    by_cage, by_line = (
        HouseSearch(unit, puzzle.layout, peers) for unit in rule_units(puzzle.layout)
    )
    assert by_cage.filtered([0b1111] * 4) == (0b1111,) * 4
    assert by_cage.is_impossible([0b0011, 0b0011, 0b0011, 0b1111])
    assert by_line.filtered([0b1110, 0b1110, 0b11110, 0b11110]) == (0b10, 0b100, 0b1000, 0b10000)


def test_a_proof_of_an_earlier_search_does_not_relax_later_domains() -> None:
    cells = [f"r{row}c{column}" for row in range(1, 4) for column in range(1, 10)]
    total = {"type": "sum", "cells": cells, "sum": 135}
    (puzzle,) = parse(json.dumps({"puzzle": "." * 81, "constraints": [total]}))
    assert isinstance(puzzle, Puzzle)
    (unit,) = rule_units(puzzle.layout)
    search = HouseSearch(unit, puzzle.layout, peers_of_cells(puzzle.layout))
    three_cells_for_two_values = (3, 3, 3, *unit.full[3:])
    assert search.is_impossible(three_cells_for_two_values)
    without_values = (*unit.full[:-1], 0)
    assert search.is_impossible(without_values)
    assert search.relaxed(without_values) == without_values


@pytest.mark.parametrize(("columns", "others"), [(9, 0), (5, 1)])
def test_a_digit_is_only_where_its_index_can_point_if_the_line_is_a_house(
    columns: int, others: int
) -> None:
    cells = [f"r2c{column}" for column in range(1, columns + 1)]
    index = {"type": "index", "cells": cells, "value": 1}
    (puzzle,) = parse(json.dumps({"puzzle": "." * 81, "constraints": [index]}))
    assert isinstance(puzzle, Puzzle)
    (unit,) = rule_units(puzzle.layout)
    every = (1 << 9) - 1
    left = unit.filtered([0b10100, *[every] * (columns - 1)])
    assert left is not None
    ones = [mask & 1 for mask in left]
    assert ones == [0, others, 1, others, 1, *[others] * (columns - 5)]


def test_boards_with_many_full_ranks_have_no_conflicts() -> None:
    rows = [[f"r{row}c{column}" for column in range(1, 10)] for row in range(1, 4)]
    ranks = [
        {"type": "fullrank", "cells": row, "rank": 9 * each + 5} for each, row in enumerate(rows)
    ]
    (puzzle,) = parse(json.dumps({"constraints": ranks}))
    assert isinstance(puzzle, Puzzle)
    with pytest.raises(TooManyLiterals):
        ConflictGroups(puzzle.layout)


def test_steps_of_random_variants_are_sound_and_true() -> None:
    for made in generate(count=2, seed=3, random_constraints=RANDOM):
        assert made.puzzle is not None
        assert made.solution is not None
        explanation = explain(made.puzzle)
        assert explanation.solved
        for deduction in explanation.deductions:
            assert all(made.solution[cell] == value for cell, value in deduction.placements)
            assert all(made.solution[cell] != value for cell, value in deduction.eliminations)
        assert not false_texts(explanation)


def test_hints_name_the_place_of_a_step_from_a_rule() -> None:
    places = set()
    for name, text in LINES:
        if name in ("thermo", "clone"):
            explanation = explain(text)
            for number, deduction in enumerate(explanation.deductions):
                if deduction.code.startswith("4"):
                    left = replace(explanation, deductions=explanation.deductions[number:])
                    places.add(hint(left, strength=1))
    assert "Look at the thermometer r2c2–r4c4." in places
    assert any(place.startswith("Look at the candidates of r") for place in places)


def test_long_rules_are_named_by_their_first_cells() -> None:
    cells = [f"r{row}c1" for row in range(1, 6)]
    constraint = {"type": "connected", "cells": cells, "values": [1]}
    (puzzle,) = parse(json.dumps({"puzzle": "." * 81, "constraints": [constraint]}))
    assert isinstance(puzzle, Puzzle)
    named = place_of(0, Wording(puzzle.layout, puzzle.symbols))
    assert named.endswith(" for r1c1, r2c1, and 3 more cells")


@pytest.mark.parametrize(
    ("constraint", "demand"),
    [
        (
            {"type": "index", "cells": [f"r2c{column}" for column in range(1, 10)], "value": 3},
            "The indexing by r2c3 in row 2 means: the digit in r2c3 is the position of the "
            "digit 3.",
        ),
        (
            {"type": "countingcircles", "cells": ["r1c1", "r2c4", "r3c7", "r4c2"]},
            "The rule “Counting circles” for the 4 circles states: the digit in a circle is the "
            "number of circles that contain that digit. The circles are r1c1, r2c4, r3c7, and "
            "r4c2.",
        ),
        (
            {"type": "renban", "cells": ["r1c1", "r1c2", "r2c2"]},
            "The renban line r1c1–r2c2 contains a set of consecutive, non-repeating "
            "digits in any order.",
        ),
        (
            {"type": "different", "cells": ["r1c1", "r2c4", "r3c7"]},
            "In the extra region at r1c1, digits don't repeat.",
        ),
        (
            {
                "type": "or",
                "options": [
                    [{"type": "oneof", "cells": [cell], "values": [4]}] for cell in ("r1c2", "r1c1")
                ],
            },
            "The clue for r1c1 and r1c2 requires 4 in one of them.",
        ),
        (
            {
                "type": "or",
                "options": [
                    [{"type": "numberedroom", "cells": ROW, "value": 5}],
                    [{"type": "xsum", "cells": ROW, "sum": 5}],
                ],
            },
            "The numbered room clue or the X-sum clue at the left of row 1 is 5. Numbered rooms: "
            "the clue is the digit in the Nth cell from that side, where N is the first digit. "
            "X-sum: the first X digits sum to the clue, where X is the first digit.",
        ),
        (
            {"type": "lookandsay", "cells": ["r1c1", "r1c2", "r2c2"], "values": [2, 3, 1, 5]},
            "The cage at r1c1 contains exactly two 3s and one 5.",
        ),
        (
            {"type": "modular", "cells": ["r1c1", "r1c2", "r2c2"], "modulus": 2},
            "On the modular line r1c1–r2c2, odd and even digits alternate.",
        ),
        (
            {"type": "allpairs", "cells": ["r1c1", "r1c2", "r2c2"], "values": APART},
            "In the group at r1c1, any two digits differ by at least 3.",
        ),
    ],
)
def test_rules_are_stated_for_their_place(constraint: dict[str, object], demand: str) -> None:
    (puzzle,) = parse(json.dumps({"puzzle": "." * 81, "constraints": [constraint]}))
    assert isinstance(puzzle, Puzzle)
    words = Wording(puzzle.layout, puzzle.symbols)
    assert paragraph(demand_of(0, words)) == demand


def test_a_rule_is_stated_where_a_step_lists_all_ways_to_satisfy_it() -> None:
    circles = {"type": "countingcircles", "cells": ROW}
    (puzzle,) = parse(json.dumps({"puzzle": "." * 81, "constraints": [circles]}))
    assert isinstance(puzzle, Puzzle)
    words = Wording(puzzle.layout, puzzle.symbols)
    step = Deduction("4006", rules=(0,), eliminations=(Candidate(0, 1),))
    rule = "the digit in a circle is the number of circles that contain that digit"
    assert rule in sentence(step, words)
    known = replace(words, stated=frozenset(rules_stated(step, words)))
    assert rule not in sentence(step, known)


def test_rules_are_stated_in_full_only_where_they_are_used_first() -> None:
    explanation = explain(dict(LINES)["thermo"])
    lines = "digits strictly increase from the bulb to the tip"
    texts = [text for text in explanation.sentences if "the thermometer r" in text.lower()]
    assert lines in texts[0]
    assert texts[1].startswith("Use the thermometer r")
    assert not any(lines in text for text in texts[1:])


def test_lines_with_different_numbers_are_named_with_their_numbers() -> None:
    def reminder(second: int) -> str:
        lines = [
            {"type": "whisper", "cells": ["r1c1", "r1c2"], "value": 5},
            {"type": "whisper", "cells": ["r2c1", "r2c2"], "value": second},
        ]
        (puzzle,) = parse(json.dumps({"puzzle": "." * 81, "constraints": lines}))
        assert isinstance(puzzle, Puzzle)
        return reminder_of(1, Wording(puzzle.layout, puzzle.symbols))

    assert reminder(5) == "use the whisper line r2c1–r2c2"
    assert reminder(3) == "use the whisper line r2c1–r2c2 (difference at least 3)"


def test_a_broken_rule_names_a_cell_that_it_leaves_without_candidates() -> None:
    trials = [text for text in explain(dict(LINES)["clone"]).sentences if "Suppose" in text]
    assert any("would have to be" in text for text in trials)
    assert not any("cannot be satisfied" in text for text in trials)


def test_a_placement_names_the_candidates_of_which_its_rule_leaves_one() -> None:
    explanation = explain(dict(LINES)["nonconsecutive"])
    chosen = [step for step in steps_of(explanation) if " fits. Place" in step.text]
    assert chosen
    for step in chosen:
        without = re.sub(r"Of [^.]* fits\. ", "", step.text)
        assert check(replace(step, text=without)).false, without


def test_reasons_are_minimal() -> None:
    (puzzle,) = parse('{"constraints":[{"type":"thermo","cells":["r1c1","r1c2","r1c3"]}]}')
    assert isinstance(puzzle, Puzzle)
    (unit,) = rule_units(puzzle.layout)
    # r1c1 is 4 or 6, and r1c2 is 5, 7, or 9. To exclude 5 from r1c3, r1c1 ≥ 4 suffices.
    domains = [0b101000, 0b101010000, 0b111111111]

    def proves(facts: Sequence[int]) -> bool:
        return unit.filtered((*facts[:2], 0b10000)) is None

    assert minimal_domains(domains, unit.full, proves, target=2) == (0b111111000, 511, 511)


def test_reasons_contain_only_the_values_that_matter() -> None:
    (puzzle,) = parse('{"constraints":[{"type":"white","cells":["r1c1","r1c2"]}]}')
    assert isinstance(puzzle, Puzzle)
    (unit,) = rule_units(puzzle.layout)
    # r1c1 is 1, 4, or 8. To exclude 6 from r1c2, it only matters that r1c1 is neither 5 nor 7.
    facts = with_further_values(
        [0b10001001, 511], unit.full, lambda facts: unit.filtered((facts[0], 0b100000)) is None
    )
    assert facts == (511 & ~0b1010000, 511)


def test_classic_puzzles_have_no_steps_from_rules() -> None:
    assert rule_units(Layout.boxed(3, 3)) == ()


def test_many_placements_by_a_rule_share_a_sentence_about_their_candidates() -> None:
    step = Deduction("4000", placements=(Candidate(0, 1), Candidate(1, 2)), cells=(0, 1, 2), rule=0)
    thermo = {"type": "thermo", "cells": ["r1c1", "r1c2", "r1c3"]}
    (puzzle,) = parse(json.dumps({"puzzle": "." * 81, "constraints": [thermo]}))
    assert isinstance(puzzle, Puzzle)
    text = sentence(step, Wording(puzzle.layout, puzzle.symbols, (511,) * 81))
    assert "Of the candidates in each of r1c1 and r1c2, only one fits. Place 1 in r1c1" in text


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (
            {"type": "oneof", "cells": ["r2c1", "r2c2"], "values": [5]},
            "r1c2 is 7, or r2c1 and r2c2 are 5, or both.",
        ),
        (
            {"type": "x", "cells": ["r2c1", "r2c2"]},
            "At least one of these holds: r1c2 is 7, or the X between r2c1 and r2c2.",
        ),
    ],
)
def test_two_alternatives_are_joined_by_or(other: dict[str, object], expected: str) -> None:
    options = [[{"type": "oneof", "cells": ["r1c2"], "values": [7]}], [other]]
    choice = {"type": "or", "options": options}
    (puzzle,) = parse(json.dumps({"puzzle": "." * 81, "constraints": [choice]}))
    assert isinstance(puzzle, Puzzle)
    assert paragraph(reminder_of(0, Wording(puzzle.layout, puzzle.symbols))) == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            [{"type": "skyscraper", "cells": ["r1c9", "r1c1"], "value": clue} for clue in (2, 4)],
            "The skyscraper clue for r1c9 to r1c1 is 2 or 4.",
        ),
        (
            [{"type": "arrow", "cells": cells} for cells in (["r1c1", "r1c3"], ["r2c1", "r2c3"])],
            "At least one of the arrows r1c1–r1c3 and r2c1–r2c3 holds.",
        ),
    ],
)
def test_alternatives_of_one_kind_name_it_once(
    options: list[dict[str, object]], expected: str
) -> None:
    choice = {"type": "or", "options": [[option] for option in options]}
    (puzzle,) = parse(json.dumps({"puzzle": "." * 81, "constraints": [choice]}))
    assert isinstance(puzzle, Puzzle)
    assert paragraph(reminder_of(0, Wording(puzzle.layout, puzzle.symbols))) == expected


def test_cells_of_facts_that_are_in_a_cage_with_others_say_so() -> None:
    cages = [
        {"type": "killer", "cells": ["r1c1", "r1c2", "r1c3"], "sum": 12},
        {"type": "killer", "cells": ["r1c4", "r2c4"], "sum": 12},
    ]
    (puzzle,) = parse(json.dumps({"puzzle": "." * 81, "constraints": cages}))
    assert isinstance(puzzle, Puzzle)
    words = Wording(puzzle.layout, puzzle.symbols)
    step = Deduction("4006", base=(0,), rules=(0,), eliminations=(Candidate(0, 1),))
    assert "Cells in a cage must differ." not in sentence(step, words)
    outside = replace(step, absent=(Candidate(12, 3),))  # r2c4 is in a cage with r1c4
    assert "Cells in a cage must differ." in sentence(outside, words)
