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


@pytest.mark.parametrize(
    ("constraint", "deduction", "domains", "expected", "false"),
    [
        (
            {"type": "globalentropy"},
            Deduction("4000", eliminations=candidates(9, 10), cells=(0, 1, 9, 10), rule=0,
                      absent=(*candidates(1, 0, 1), *candidates(2, 0, 1), *candidates(3, 0, 1),
                              *candidates(1, 9), *candidates(2, 9), *candidates(3, 9))),
            {0: "4", 1: "78", 9: "56"},
            "In the 2×2 square at r1c1, r1c1 is 4, r1c2 is at least 7, and r2c1 is at least 5.",
            ("square at r1c1", "square at r1c2"),
        ),
        (
            {"type": "antitaxicab"},
            Deduction("4000", eliminations=candidates(3, 11), cells=(0, 11), rule=0,
                      absent=tuple(Candidate(0, value) for value in (1, 2, 4, 5, 6, 7, 8, 9))),
            {0: "3"},
            "r1c1 and r2c3 are 3 steps apart. r1c1 is 3.",
            ("are 3 steps", "are 4 steps"),
        ),
        (
            {"type": "nfa", "cells": ROW[:3], "automaton": "0>1,2: 0-1-1 1-2-1 1-5-2 2-9-2"},
            Deduction("4000", eliminations=candidates(9, 2), cells=(0, 1, 2), rule=0),
            {0: "123", 1: "249", 2: "579"},
            "On the line r1c1–r1c3, only certain sequences of digits are allowed. Its candidates "
            "allow only 1-2-5.",
            ("only 1-2-5", "only 1-2-5 or 1-2-7"),
        ),
        (
            {"type": "clone", "cells": ["r1c1", "r1c2", "r5c5", "r5c6"]},
            Deduction("4000", eliminations=candidates(9, 40), cells=(0, 40), rule=0,
                      absent=candidates(9, 0)),
            {0: "12345678"},
            "states: r1c1 and r1c2 contain the same digits as r5c5 and r5c6, in the same order. "
            "r1c1 is at most 8.",
            ("at most 8", "at most 7"),
        ),
    ],
    ids=["square", "distance", "sequences", "groups"],
)  # fmt: skip
def test_a_rule_for_many_cells_names_those_that_the_step_needs(
    constraint: dict[str, Any],
    deduction: Deduction,
    domains: dict[int, str],
    expected: str,
    false: tuple[str, str],
) -> None:
    (puzzle,) = parse(json.dumps({"size": 9, "grid": "." * 81, "constraints": [constraint]}))
    assert isinstance(puzzle, Puzzle)
    masks = [sum(1 << (int(n) - 1) for n in domains.get(cell, "123456789")) for cell in range(81)]
    text = sentence(deduction, Wording(puzzle.layout, puzzle.symbols, tuple(masks)))
    assert expected in text
    names = names_of(puzzle.layout, puzzle.symbols)
    step = Step(names, (0,) * 81, tuple(masks), deduction, text)
    assert not check(step).false
    assert check(replace(step, text=text.replace(*false))).false


def test_the_cells_of_a_dot_are_in_reading_order() -> None:
    dot = {"type": "white", "cells": ["r2c1", "r1c1"]}
    (puzzle,) = parse(json.dumps({"size": 9, "grid": "." * 81, "constraints": [dot]}))
    assert isinstance(puzzle, Puzzle)
    deduction = Deduction(
        "4000", eliminations=candidates(9, 0), cells=(9, 0), rule=0, absent=candidates(8, 9)
    )
    text = sentence(deduction, Wording(puzzle.layout, puzzle.symbols, (511,) * 81))
    assert text.startswith("The white dot between r1c1 and r2c1 means: ")
