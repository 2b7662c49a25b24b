"""Lines of trials name sums, equations, and decided cells, and the checker verifies them."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from sentence_checker.checking import check
from sentence_checker.mutations import mutations
from sentence_checker.step import Step, names_of

from solver import Layout, Puzzle, parse
from solver.board.symbols import Symbols
from solver.logic.deduction import Candidate, Deduction, LineKind, ProofLine, sum_of_houses
from solver.logic.sentences.sentence import sentence
from solver.logic.sentences.trials import lines_in_words
from solver.logic.sentences.wording import Wording

R1C1, R1C2, R1C4, R1C8, R1C9, R2C1, R2C9 = 0, 1, 3, 7, 8, 9, 17
MOST_UNREPORTED = 0.1
ROW = [f"r1c{column}" for column in range(1, 8)]
CAGES = [
    {"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 9},
    {"type": "killer", "cells": ["r1c1", "r2c1"], "sum": 5},
]


def without(cell: int, *values: int) -> tuple[Candidate, ...]:
    return tuple(Candidate(cell, value) for value in values)


def decided(kind: LineKind, source: int, cell: int, gone: int, absent: Any) -> ProofLine:
    return ProofLine(kind, source, removals=without(cell, gone), absent=absent, premises=(0,))


CASES = {
    "cages": (
        CAGES,
        {R1C1: "12", R1C2: "578", R2C1: "45"},
        (
            ProofLine(LineKind.ASSUMPTION, 0, placements=without(R1C4, 8)),
            decided(LineKind.BY_RULE, 0, R1C1, 1, without(R1C2, 8)),
            ProofLine(LineKind.LAST_CANDIDATE, 0, placements=without(R1C1, 2), premises=(1,)),
            ProofLine(
                LineKind.BROKEN_RULE, 1, without(R2C1, 3), without(R2C1, 4, 5),
                without(R1C1, 3, 4, 5), (2,),
            ),
        ),
        "Suppose r1c4 is 8.\n"
        "1. r1c1 is 2, not 1: r1c2 is at most 7 (cage at r1c1, sum 9).\n"
        "r2c1 would have to be 3 (cage at r1c1, sum 5), but it cannot. Remove 8 from r1c4.",
    ),
    "houses": (
        [{"type": "killer", "cells": ROW, "sum": 30}],
        {R1C8: "67", R1C9: "679"},
        (
            ProofLine(LineKind.ASSUMPTION, 0, placements=without(R2C9, 9)),
            decided(LineKind.BY_SUM, sum_of_houses([0]), R1C8, 6, without(R1C9, 9)),
            ProofLine(LineKind.LAST_CANDIDATE, 0, placements=without(R1C8, 7), premises=(1,)),
            ProofLine(
                LineKind.BROKEN_SUM, sum_of_houses([0]), without(R1C9, 8), without(R1C9, 6),
                without(R1C8, 1, 2, 3, 4, 5, 6, 8, 9), (0, 2),
            ),
        ),
        "Suppose r2c9 is 9.\n"
        "1. r1c8 is 7, not 6: r1c9 is at most 7 (r1c8+r1c9 = 15, the sum of row 1).\n"
        "r1c9 would have to be 8 (r1c8+r1c9 = 15), but it is 6. "
        "Remove 9 from r2c9.",
    ),
}  # fmt: skip


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> tuple[Step, str]:
    """Return a step with the text that the project gives it, and the expected text."""
    constraints, numbers, lines, expected = CASES[request.param]
    (puzzle,) = parse(json.dumps({"size": 9, "grid": "." * 81, "constraints": constraints}))
    assert isinstance(puzzle, Puzzle)
    domains = [511] * 81
    for cell, own in numbers.items():
        domains[cell] = sum(1 << (int(number) - 1) for number in own)
    deduction = Deduction("4004", eliminations=lines[0].placements, lines=lines)
    text = sentence(deduction, Wording(puzzle.layout, puzzle.symbols, tuple(domains)))
    names = names_of(puzzle.layout, puzzle.symbols)
    return Step(names, (0,) * 81, tuple(domains), deduction, text), expected


def test_a_trial_names_what_its_lines_need(case: tuple[Step, str]) -> None:
    step, expected = case
    assert step.text == expected
    assert not check(step).false


def test_wrong_numbers_in_a_trial_are_reported(case: tuple[Step, str]) -> None:
    step, _ = case
    changed = list(mutations(step))
    unreported = [other.text for other in changed if not check(other).false]
    assert len(unreported) <= MOST_UNREPORTED * len(changed), unreported


def test_a_placement_must_name_the_values_that_its_rule_excludes(case: tuple[Step, str]) -> None:
    step, _ = case
    text = re.sub(r", not \d:", ":", step.text)
    assert check(replace(step, text=text)).false


def test_cells_that_a_line_fills_with_the_same_value_are_listed_together() -> None:
    lines = (
        ProofLine(LineKind.ASSUMPTION, 0, placements=without(R2C9, 9)),
        ProofLine(
            LineKind.LAST_CANDIDATE, 0, placements=(*without(R1C1, 5), *without(R1C4, 5)),
            premises=(0,),
        ),
        ProofLine(LineKind.NO_CANDIDATE, R1C8, premises=(1,)),
    )  # fmt: skip
    words = Wording(Layout.boxed(3, 3), Symbols.usual(9))
    assert lines_in_words(lines, words)[1] == "1. r1c1 and r1c4 are 5 (last candidates)."


def test_a_contradiction_of_the_assumption_is_called_that() -> None:
    (puzzle,) = parse(json.dumps({"givens": "." * 81, "constraints": CAGES}))
    assert isinstance(puzzle, Puzzle)
    lines = (
        ProofLine(LineKind.ASSUMPTION, 0, placements=without(R1C2, 8)),
        ProofLine(
            LineKind.BROKEN_RULE, 0, removals=without(R1C2, 8), absent=without(R1C1, 1),
            premises=(0,),
        ),
    )  # fmt: skip
    words = Wording(puzzle.layout, puzzle.symbols)
    assert lines_in_words(lines, words)[1] == (
        "r1c2 cannot be 8, because r1c1 is at least 2 (cage at r1c1, sum 9), contrary to the "
        "assumption."
    )


def test_a_needed_value_that_the_cell_sees_is_named_with_its_cell() -> None:
    dots = [
        {"type": "white", "cells": ["r1c4", "r1c5"]},
        {"type": "black", "cells": ["r1c5", "r1c6"]},
    ]
    (puzzle,) = parse(json.dumps({"size": 9, "grid": "." * 81, "constraints": dots}))
    assert isinstance(puzzle, Puzzle)
    others = without(4, 2, 3, 4, 5, 6, 7, 8, 9)
    kinds = LineKind.ASSUMPTION, LineKind.BY_RULE, LineKind.LAST_CANDIDATE, LineKind.BROKEN_RULE
    lines = (
        ProofLine(kinds[0], 0, placements=without(4, 1)),
        ProofLine(kinds[1], 0, removals=without(3, 3), absent=others, premises=(0,)),
        ProofLine(kinds[2], 0, placements=without(3, 2), premises=(1,)),
        ProofLine(kinds[3], 1, without(5, 2), without(5, 4, 6), others, (0, 2)),
    )
    domains = [511] * 81
    domains[3:6] = [0b110, 0b11, 0b101010]
    deduction = Deduction("4004", eliminations=lines[0].placements, lines=lines)
    text = sentence(deduction, Wording(puzzle.layout, puzzle.symbols, tuple(domains)))
    end = "r1c6 would have to be 2 (black dot r1c5–r1c6), but it sees the 2 in r1c4."
    start = "Suppose r1c5 is 1.\n1. r1c4 is 2 (white dot r1c4–r1c5).\n"
    assert text == f"{start}{end} Remove 1 from r1c5."
    names = names_of(puzzle.layout, puzzle.symbols)
    step = Step(names, (0,) * 81, tuple(domains), deduction, text)
    assert not check(step).false
    for wrong in ("the 2 in r1c5", "the 4 in r1c4"):
        assert check(replace(step, text=text.replace("the 2 in r1c4", wrong))).false
