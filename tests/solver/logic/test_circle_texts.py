"""Texts of steps from counting circles say how many circles a digit needs and can get.

The checker reports wrong numbers in them.
"""

import json
from dataclasses import dataclass

import pytest
from sentence_checker.checking import check
from sentence_checker.mutations import mutations
from sentence_checker.step import Step, names_of

from solver import Puzzle, parse
from solver.logic.deduction import Candidate, Deduction
from solver.logic.sentences.sentence import sentence
from solver.logic.sentences.wording import Wording


@dataclass(frozen=True)
class Case:
    """Circles with the candidates of some cells, what a step removes and places, and the reason."""

    name: str
    circles: tuple[str, ...]
    removed: dict[str, str]
    reason: str
    candidates: dict[str, str]
    placed: dict[str, int]


CASES = [
    Case(
        "too few circles", ("r1c1", "r1c2", "r1c3"), {"r1c1": "2"},
        "2 needs 2 circles, but at most 1 can hold it, one in each row.", {}, {},
    ),
    Case(
        "a circle that sees the others", ("r1c1", "r1c5", "r5c1"), {"r1c1": "2"},
        "2 needs 2 circles, but with 2 in r1c1, no other can hold it.", {}, {},
    ),
    Case(
        "a circle that leaves too few others", ("r1c1", "r1c5", "r5c1", "r5c5"), {"r1c1": "3"},
        "3 needs 3 circles, but at most 2 can hold it, one in each row.", {}, {},
    ),
    Case(
        "the circles of a digit are known", ("r1c1", "r5c5", "r8c8"), {"r1c1": "1"},
        "r5c5 is the 1 circle with 1, so no other circle is 1.", {"r5c5": "1"}, {},
    ),
    Case(
        "the houses of a digit are known", ("r1c1", "r1c2", "r5c5", "r8c8"), {"r5c5": "1"},
        "In row 1, the 1 is in a circle, so no other circle is 1.",
        {f"r1c{column}": "23456789" for column in range(3, 10)}, {},
    ),
    Case(
        "the number of circles", ("r1c1", "r5c5", "r8c8", "r2c7"), {"r8c8": "2"},
        "The different digits in the circles sum to 4, the number of circles: with 1, only 1+3.",
        {"r5c5": "1"}, {},
    ),
    Case(
        "the last circles of a digit", ("r1c1", "r5c5", "r8c8"), {},
        "2 is in 2 circles. Without r1c1, at most 1 could hold it.",
        {"r5c5": "1", "r8c8": "2", "r1c1": "12"}, {"r1c1": 2},
    ),
]  # fmt: skip


def step_of(case: Case) -> Step:
    """Return the step of a case with the text that the project gives it."""
    constraint = {"type": "countingcircles", "cells": [*case.circles]}
    (puzzle,) = parse(json.dumps({"puzzle": "." * 81, "constraints": [constraint]}))
    assert isinstance(puzzle, Puzzle)
    cell = puzzle.layout.cell_named
    domains = [511] * 81
    for name, values in case.candidates.items():
        domains[cell(name) or 0] = sum(1 << (int(value) - 1) for value in values)
    deduction = Deduction(
        "4000",
        placements=tuple(Candidate(cell(name) or 0, value) for name, value in case.placed.items()),
        eliminations=tuple(
            Candidate(cell(name) or 0, int(value))
            for name, values in case.removed.items()
            for value in values
        ),
        cells=tuple(puzzle.layout.constraints[0].cells),
        rule=0,
    )
    text = sentence(deduction, Wording(puzzle.layout, puzzle.symbols, tuple(domains)))
    names = names_of(puzzle.layout, puzzle.symbols)
    return Step(names, (0,) * 81, tuple(domains), deduction, text)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_counting_circles_have_reasons_about_the_number_of_circles(case: Case) -> None:
    step = step_of(case)
    assert f". {case.reason} " in step.text
    assert not check(step).false


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_wrong_numbers_of_circles_are_reported(case: Case) -> None:
    step = step_of(case)
    start, end = (step.text.index(case.reason) + at for at in (0, len(case.reason)))
    for changed in mutations(step):
        if changed.text[:start] == step.text[:start] and changed.text[end:] == step.text[end:]:
            assert check(changed).false, changed.text
