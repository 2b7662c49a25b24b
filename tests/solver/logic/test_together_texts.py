"""Texts of steps from several rules show why each candidate is impossible, if few lines suffice."""

import json
from collections.abc import Sequence
from dataclasses import replace

from sentence_checker.checking import check
from sentence_checker.step import Step, names_of

from solver import Puzzle, parse
from solver.logic.deduction import Candidate, Deduction
from solver.logic.explanation import Ending, Explanation, Position
from solver.logic.sentences.sentence import sentence
from solver.logic.sentences.wording import Wording

CAGES = [
    {"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 10},
    {"type": "killer", "cells": ["r1c2", "r2c2"], "sum": 9},
]
R1C1, R1C2, R2C2 = 0, 1, 10
LINES = (
    "Suppose r1c1 is 4.\n"
    "1. r1c2 is 6 (cage at r1c1, sum 10).\n"
    "r2c2 would have to be 3 (cage at r1c2, sum 9), but it cannot."
)


def step_of(*eliminations: Candidate, constraints: Sequence[dict[str, object]] = CAGES) -> Step:
    """Return a step that removes candidates because of two cages, where r2c2 cannot be 3."""
    (puzzle,) = parse(json.dumps({"puzzle": "." * 81, "constraints": [*constraints]}))
    assert isinstance(puzzle, Puzzle)
    domains = tuple(511 & ~0b100 if cell == R2C2 else 511 for cell in range(81))
    deduction = Deduction("4006", eliminations=eliminations, rules=(0, 1))
    text = sentence(deduction, Wording(puzzle.layout, puzzle.symbols, domains))
    return Step(names_of(puzzle.layout, puzzle.symbols), (0,) * 81, domains, deduction, text)


def test_a_candidate_that_a_few_lines_refute_gets_these_lines() -> None:
    step = step_of(Candidate(R1C1, 4))
    assert step.text == f"{LINES} Remove 4 from r1c1."
    assert not check(step).false


def test_each_of_several_candidates_gets_its_own_lines() -> None:
    step = step_of(Candidate(R1C1, 4), Candidate(R1C2, 6))
    assert step.text == (
        f"{LINES}\nSuppose r1c2 is 6.\n"
        "r2c2 would have to be 3 (cage at r1c2, sum 9), but it cannot. Remove 4 from r1c1 and 6 "
        "from r1c2."
    )
    assert not check(step).false


def test_a_missing_or_false_argument_is_reported() -> None:
    step = step_of(Candidate(R1C1, 4), Candidate(R1C2, 6))
    first, _, second = step.text.partition("\nSuppose r1c2")
    result = step.text.rpartition(" Remove ")[2]
    assert check(replace(step, text=f"{first} Remove {result}")).false
    assert check(replace(step, text=f"Suppose r1c2{second}")).false
    assert check(replace(step, text=step.text.replace("1. r1c2 is 6", "1. r1c2 is 7"))).false


def test_many_candidates_only_get_the_number_of_ways_to_satisfy_the_rules() -> None:
    removed = [Candidate(R1C1, value) for value in (1, 4, 5)]
    removed += [Candidate(R1C2, value) for value in (5, 6, 9)]
    step = step_of(*removed)
    reason = "All 6 ways to satisfy the cages at r1c1 and r1c2 give this result."
    assert reason in step.text
    assert not miscounted(step)
    for wrong in ("All 5", "All 7"):
        assert miscounted(replace(step, text=step.text.replace("All 6", wrong)))


def test_only_the_first_of_several_steps_says_that_cells_in_a_cage_differ() -> None:
    removed = [Candidate(R1C1, value) for value in (1, 4, 5)]
    removed += [Candidate(R1C2, value) for value in (5, 6, 9)]
    step = step_of(*removed)
    start = Position((0,) * 81, step.domains)
    explanation = Explanation(
        step.layout, step.names.symbols, start, "hodoku", Ending.STUCK, (step.deduction,) * 2
    )
    first, second = explanation.sentences
    assert first.startswith("Cells in a cage must differ. ")
    assert "differ" not in second


FOURS = [
    {"type": "killer", "cells": [f"r{row}c{column}" for column in range(1, 5)], "sum": 20}
    for row in (1, 2)
]


def test_the_number_of_ways_is_limited() -> None:
    step = step_of(*(Candidate(cell, 9) for cell in range(5)), constraints=FOURS)
    ways = "None of the more than 200 ways to satisfy the cages at r1c1 and r2c1 has"
    assert f"{ways} any of the following candidates, as a search shows." in step.text
    assert not miscounted(step)


def test_a_search_names_the_only_candidate_that_it_excludes() -> None:
    step = step_of(Candidate(R1C1, 9), constraints=FOURS)
    assert " has 9 in r1c1, as a search shows. Remove 9 from r1c1." in step.text
    false = replace(step, text=step.text.replace("9 in r1c1", "8 in r1c1"))
    assert any("excludes" in complaint for complaint in check(false).false)
    assert not any("excludes" in complaint for complaint in check(step).false)


def miscounted(step: Step) -> list[str]:
    """Return the complaints about the number of ways in a step's text, without all others."""
    return [complaint for complaint in check(step).false if "ways" in complaint]
