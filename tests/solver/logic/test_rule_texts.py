"""Texts of steps from a rule give the reason why one of its cells must have a digit."""

import json
from dataclasses import replace
from typing import Any

import pytest
from sentence_checker.checking import check
from sentence_checker.step import Step, names_of

from solver import Puzzle, parse
from solver.logic.deduction import Candidate, Deduction
from solver.logic.sentences.sentence import sentence
from solver.logic.sentences.wording import Wording

ROW = [f"r1c{column}" for column in range(1, 6)]
RENBAN = {"type": "renban", "cells": ROW}
SHORT_RENBAN = {"type": "renban", "cells": ROW[:3]}


def candidates(value: int, *cells: int) -> tuple[Candidate, ...]:
    return tuple(Candidate(cell, value) for cell in cells)


def required(value: int, places: tuple[int, ...], cells: int, absent: Any = ()) -> Deduction:
    return Deduction(
        "4002", eliminations=candidates(value, 8), fins=candidates(value, *places),
        cells=tuple(range(cells)), rule=0, absent=absent,
    )  # fmt: skip


CASES = {
    "digits that every run includes": (
        RENBAN,
        required(5, (0, 1, 2, 3, 4), 5),
        "Any 5 consecutive digits include 5. So one of its 5 cells must be 5. Remove 5 from r1c9.",
    ),
    "the only places of such a digit": (
        RENBAN,
        required(5, (0, 1), 5, candidates(5, 2, 3, 4)),
        "Any 5 consecutive digits include 5, which fits only in r1c1 and r1c2. Remove 5 from r1c9.",
    ),
    "the places in a cage, in reading order": (
        {"type": "killer", "cells": ROW[:3], "sum": 24},
        required(9, (1, 0), 3, candidates(9, 2)),
        "Its 3 cells always contain 9, which fits only in r1c1 and r1c2. Remove 9 from r1c9.",
    ),
    "the runs that are left": (
        SHORT_RENBAN,
        required(3, (1, 2), 3, tuple(Candidate(0, value) for value in range(3, 10))),
        "r1c1 is at most 2. That leaves only {123} or {234}. So one of r1c2 and r1c3 must be "
        "3. Remove 3 from r1c9.",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_required_digit_has_a_reason(name: str) -> None:
    constraint, deduction, expected = CASES[name]
    (puzzle,) = parse(json.dumps({"puzzle": "." * 81, "constraints": [constraint]}))
    assert isinstance(puzzle, Puzzle)
    words = Wording(puzzle.layout, puzzle.symbols, (511,) * 81)
    assert sentence(deduction, words).endswith(f". {expected}")


@pytest.mark.parametrize(
    ("constraint", "removed", "expected", "false"),
    [
        (
            {"type": "whisper", "cells": ["r1c1", "r1c2", "r1c3"]},
            candidates(4, 1),
            "If r1c2 were 4, r1c1 and r1c3 would both have to be 9, but they see each other. "
            "Remove 4 from r1c2.",
            ("both have to be 9", "both have to be 8"),
        ),
        (
            {"type": "x", "cells": ["r1c1", "r1c2"]},
            candidates(5, 0, 1),
            "For example, if r1c1 were 5, r1c2 would have to be 5, but they see each other. "
            "Remove 5 from r1c1 and r1c2.",
            ("r1c1 were 5", "r1c1 were 6"),
        ),
    ],
)
def test_a_digit_that_needs_another_one_twice_has_this_reason(
    constraint: dict[str, Any],
    removed: tuple[Candidate, ...],
    expected: str,
    false: tuple[str, str],
) -> None:
    (puzzle,) = parse(json.dumps({"puzzle": "." * 81, "constraints": [constraint]}))
    assert isinstance(puzzle, Puzzle)
    cells = tuple(range(len(constraint["cells"])))
    deduction = Deduction("4001", eliminations=removed, cells=cells, rule=0)
    text = sentence(deduction, Wording(puzzle.layout, puzzle.symbols, (511,) * 81))
    assert text.endswith(expected)
    names = names_of(puzzle.layout, puzzle.symbols)
    step = Step(names, (0,) * 81, (511,) * 81, deduction, text)
    assert not check(step).false
    assert check(replace(step, text=text.replace(*false))).false
