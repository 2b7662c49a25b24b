"""Steps from sums show why numbers are impossible, and the checker tests each kind of reason."""

import json
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from sentence_checker.checking import check
from sentence_checker.mutations import mutations
from sentence_checker.step import Step, names_of

from solver import Puzzle, parse
from solver.engines.engine import GO_ON
from solver.explaining import explain_position
from solver.logic.deduction import Candidate, Deduction
from solver.logic.sentences.sentence import sentence
from solver.logic.sentences.wording import Wording, count_in_words

CAGE = {"type": "killer", "cells": ["r1c1", "r1c2", "r2c1"]}
PAIR = {"type": "killer", "cells": ["r1c1", "r1c2"]}
ARROW = {"type": "arrow", "cells": ["r1c1", "r1c2", "r2c2"]}
DIAGONAL = {"type": "littlekiller", "cells": ["r1c1", "r2c2", "r3c3", "r4c4"]}
MOST_UNREPORTED = 0.05


@dataclass(frozen=True)
class Case:
    """A constraint with the numbers of its cells, the removed numbers, and the reason for them."""

    name: str
    constraint: dict[str, Any]
    numbers: tuple[str, ...]
    removed: dict[str, str]
    reason: str


CASES = [
    Case(
        "combinations without the removed numbers",
        CAGE | {"sum": 6}, ("12349", "1234", "1234"), {"r1c1": "49"},
        "The cage (r1c1, r1c2, r2c1) sums to 6: only 1+2+3.",
    ),
    Case(
        "arrangements in the order of the cells",
        PAIR | {"sum": 9}, ("1258", "45678"), {"r1c2": "56"},
        "The cage (r1c1, r1c2) sums to 9: in this order, only 1+8, 2+7, or 5+4.",
    ),
    Case(
        "equations in the order of the cells",
        ARROW, ("6789", "56", "2389"), {"r1c1": "6", "r2c2": "89"},
        "On the arrow r1c1–r2c2, r1c1 = r1c2+r2c2: only 7 = 5+2, 8 = 5+3, 8 = 6+2, "
        "or 9 = 6+3.",
    ),
    Case(
        "a single arrangement",
        ARROW, ("69", "478", "35"), {"r1c1": "6", "r1c2": "78", "r2c2": "3"},
        "On the arrow r1c1–r2c2, r1c1 = r1c2+r2c2: only r1c1 = 9, r1c2 = 4, and r2c2 = 5 "
        "fit.",
    ),
    Case(
        "a bound that uses that cells differ",
        ARROW, ("23456789", "123456", "123456"), {"r1c1": "2"},
        "On the arrow r1c1–r2c2, r1c1 = r1c2+r2c2. So r1c1 is at least 1+2 = 3.",
    ),
    Case(
        "a number that no other cell can be",
        CAGE | {"sum": 14}, ("123456789", "23679", "23679"), {"r1c1": "8"},
        "The cage (r1c1, r1c2, r2c1) sums to 14. If r1c1 were 8, r1c2 and r2c1 would need "
        "1+5 or 2+4, but neither can be 1 or 4.",
    ),
    Case(
        "different obstacles",
        CAGE | {"sum": 15}, ("1345678", "2569", "4589"), {"r1c1": "7"},
        "The cage (r1c1, r1c2, r2c1) sums to 15. If r1c1 were 7, r1c2 and r2c1 would need "
        "2+6 (but r2c1 cannot be any of these) or 3+5 (but neither can be 3).",
    ),
    Case(
        "the same obstacle for several cells and for several sets",
        CAGE | {"sum": 17}, ("567", "23456789", "23456789"), {"r1c2": "5", "r2c1": "5"},
        "The cage (r1c1, r1c2, r2c1) sums to 17. If one of r1c2 and r2c1 were 5, the other two "
        "cells would need 3+9 or 4+8, but r1c1 cannot be any of these.",
    ),
    Case(
        "several sets with the same one of two obstacles",
        CAGE | {"sum": 15}, ("123456789", "2378", "45"), {"r1c1": "4"},
        "The cage (r1c1, r1c2, r2c1) sums to 15. If r1c1 were 4, r1c2 and r2c1 would need "
        "2+9 or 3+8 (but r2c1 cannot be any of these), or 5+6 (but r1c2 cannot be any of these).",
    ),
    Case(
        "sets for three other cells",
        {"type": "killer", "cells": ["r1c1", "r1c2", "r1c3", "r2c1"], "sum": 23},
        ("123456789", "12345679", "12345679", "56"), {"r1c1": "4"},
        "The cage (r1c1–r1c3, r2c1) sums to 23. If r1c1 were 4, r1c2, r1c3, and r2c1 would need "
        "5+6+8, but none can be 8.",
    ),
    Case(
        "a cell that lacks a number, whichever one another cell has",
        ARROW, ("3678", "12345", "157"), {"r1c2": "4"},
        "On the arrow r1c1–r2c2, r1c1 = r1c2+r2c2. If r1c2 were 4, r1c1 would have to be 5, 9, "
        "or 11, because r2c2 is 1, 5, or 7, but it cannot be any of these.",
    ),
    Case(
        "the sum that all cells would have",
        {"type": "killer", "cells": ["r1c1", "r1c2", "r1c3", "r2c1"], "sum": 16},
        ("23", "4578", "1234", "5678"), {"r1c3": "4"},
        "The cage (r1c1–r1c3, r2c1) sums to 16. If r1c3 were 4, these cells would sum to at "
        "least 2+4+5+6 = 17.",
    ),
    Case(
        "two cells that cannot have the sum",
        CAGE | {"sum": 15}, ("12345678", "24689", "24"), {"r1c1": "68"},
        "The cage (r1c1, r1c2, r2c1) sums to 15. If r1c1 were 6 or 8, r1c2 and r2c1 would "
        "sum to 9 or 7, but r1c2 can only be 2, 4, 6, 8, or 9 and r2c1 only 2 or 4.",
    ),
    Case(
        "a last cell that cannot have the number",
        {"type": "arrow", "cells": ["r5c5", "r1c2", "r2c2"]}, ("345679", "1", "23568"),
        {"r5c5": "5"},
        "On the arrow r5c5–r2c2, r5c5 = r1c2 (1) + r2c2. If r5c5 were 5, r2c2 would have "
        "to be 4, but it cannot.",
    ),
    Case(
        "a bound with the numbers that it follows from",
        CAGE | {"sum": 20}, ("123456789", "12345678", "34567"), {"r1c1": "1234"},
        "The cage (r1c1, r1c2, r2c1) sums to 20. So r1c1 is at least 20−8−7 = 5.",
    ),
    Case(
        "a bound with cells on both sides of the equation",
        ARROW, ("3456", "12345678", "2345678"), {"r1c2": "5678"},
        "On the arrow r1c1–r2c2, r1c1 = r1c2+r2c2. So r1c2 is at most 6−2 = 4.",
    ),
    Case(
        "a bound of a cell with a factor",
        {"type": "pillarrow", "cells": ["r1c1", "r1c2", "r2c1", "r2c2"], "pill": 2},
        ("123456789", "12345678", "123456789", "123456789"), {"r1c1": "23456789"},
        "On the pill arrow r1c1–r2c2, r2c1 + r2c2 = 10 × r1c1 + r1c2. So 10 × r1c1 is at "
        "most 9+8−1 = 16.",
    ),
    Case(
        "the least numbers of cells that differ in parts",
        {"type": "arrow", "cells": ["r5c5", "r1c1", "r1c2", "r2c4", "r2c5", "r3c7", "r4c9"]},
        ("123456789", "1234", "1234", "1235", "1236", "127", "128"),
        {"r1c1": "4", "r1c2": "4", "r2c4": "5", "r2c5": "6", "r3c7": "7", "r4c9": "8"},
        "On the arrow r5c5–r4c9, r5c5 = r1c1+r1c2+r2c4+r2c5+r3c7+r4c9. These cells hold at "
        "least 1+2 in r1c1 and r1c2, 1+2 in r2c4 and r2c5, 1 in r3c7, and 1 in r4c9, so they "
        "sum to at least 8. They sum to at most 9, so each part can be at most 1 larger.",
    ),
    Case(
        "the greatest numbers of cells that differ in parts",
        {"type": "littlekiller", "sum": 54,
         "cells": ["r1c1", "r2c2", "r3c3", "r4c4", "r5c5", "r6c6", "r7c7"]},
        ("123456789", "2456789", "34567", "3689", "356789", "36789", "89"),
        {"r1c1": "1234", "r2c2": "24", "r3c3": "3", "r4c4": "3", "r5c5": "3", "r6c6": "3"},
        "The little killer diagonal r1c1–r7c7 sums to 54. These cells hold at most 9+8+7 in "
        "r1c1, r2c2, and r3c3; 9+8+7 in r4c4, r5c5, and r6c6; and 9 in r7c7, so they sum to at "
        "most 57. Their sum is 54, so each part can be at most 3 smaller.",
    ),
    Case(
        "sides that can't be equal",
        ARROW, ("234567", "356", "1234"), {"r2c2": "3"},
        "On the arrow r1c1–r2c2, r1c1 = r1c2+r2c2. If r2c2 were 3, r1c1 would be at most 7, but "
        "r1c2+r2c2 at least 3+5 = 8.",
    ),
    Case(
        "a bound of a cell that must equal another one",
        {"type": "arrow", "cells": ["r1c1", "r2c4"]}, ("5689", "356789"), {"r2c4": "3"},
        "On the arrow r1c1–r2c4, r2c4 = r1c1. So r2c4 is at least 5.",
    ),
    Case(
        "a digit that only one of two equal cells can be",
        {"type": "arrow", "cells": ["r1c1", "r2c4"]}, ("5689", "56789"), {"r2c4": "7"},
        "On the arrow r1c1–r2c4, r2c4 = r1c1. If r2c4 were 7, r1c1 would have to be 7, but it "
        "cannot.",
    ),
    Case(
        "a last cell that cannot have the same number",
        {"type": "zipper", "cells": ["r1c2", "r5c5", "r2c2"]}, ("1234567", "8", "1234567"),
        {"r1c2": "4"},
        "On the zipper line r1c2–r2c2, r5c5 (8) = r1c2 + r2c2. If r1c2 were 4, r2c2 would "
        "have to be 4, but they see each other.",
    ),
    Case(
        "two cells whose combinations need no list",
        PAIR | {"sum": 10}, ("12346789", "1234789"), {"r1c1": "4"},
        "The cage (r1c1, r1c2) sums to 10. If r1c1 were 4, r1c2 would have to be 6, but it "
        "cannot.",
    ),
    Case(
        "a longer list",
        DIAGONAL | {"sum": 21}, ("13579", "13579", "135789", "246"), {"r3c3": "8"},
        "The little killer diagonal r1c1–r4c4 sums to 21: only 1+4+7+9, 1+5+6+9, 2+3+7+9, "
        "3+4+5+9, or 3+5+6+7.",
    ),
]  # fmt: skip


def step_of(case: Case) -> Step:
    """Return the step of a case with the text that the project gives it."""
    (puzzle,) = parse(json.dumps({"size": 9, "grid": "." * 81, "constraints": [case.constraint]}))
    assert isinstance(puzzle, Puzzle)
    layout = puzzle.layout
    domains = [511] * layout.cells
    (constraint,) = layout.constraints
    for cell, numbers in zip(constraint.cells, case.numbers, strict=True):
        domains[cell] = sum(1 << (int(number) - 1) for number in numbers)
    (part,) = layout.sums
    removed = [
        Candidate(layout.cell_named(name) or 0, int(number))
        for name, numbers in case.removed.items()
        for number in numbers
    ]
    deduction = Deduction(
        "3000",
        eliminations=tuple(removed),
        terms=tuple(zip(part.cells, part.factors, strict=True)),
        total=part.target,
    )
    text = sentence(deduction, Wording(layout, puzzle.symbols, tuple(domains)))
    names = names_of(layout, puzzle.symbols)
    return Step(names, (0,) * layout.cells, tuple(domains), deduction, text)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_sum_shows_why_numbers_are_impossible(case: Case) -> None:
    step = step_of(case)
    assert step.text.split(" Remove ")[0] == case.reason
    report = check(step)
    assert not report.false
    assert not report.unparsed


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_wrong_numbers_in_the_reason_of_a_sum_are_reported(case: Case) -> None:
    changed = list(mutations(step_of(case)))
    reports = [(step.text, check(step)) for step in changed]
    unreported = [text for text, report in reports if not (report.false or report.unparsed)]
    assert len(unreported) <= MOST_UNREPORTED * len(changed), unreported


@pytest.mark.parametrize(("count", "words"), [(0, "no"), (2, "two"), (9, "nine"), (15, "15")])
def test_any_number_of_other_cells_can_be_written(count: int, words: str) -> None:
    assert count_in_words(count) == words


def test_a_reason_that_a_listed_combination_contradicts_is_reported() -> None:
    step = step_of(CASES[5])
    false = step.text.replace("neither can be 1 or 4", "neither can be 1")
    assert check(replace(step, text=false)).false


def test_a_sum_places_the_only_numbers_that_fit() -> None:
    grid = f"{'.' * 36}9{'.' * 44}"
    (puzzle,) = parse(json.dumps({"size": 9, "grid": grid, "constraints": [PAIR | {"sum": 17}]}))
    assert isinstance(puzzle, Puzzle)
    stop = np.full(1, GO_ON, np.uint8)
    (text,) = explain_position(puzzle, None, most_deductions=1, stop=stop).sentences
    assert text.endswith("only r1c1 = 8 and r1c2 = 9 fit. Place 8 in r1c1 and 9 in r1c2.")


def test_a_step_from_a_rule_that_is_a_sum_has_the_reason_of_the_sum() -> None:
    case = next(case for case in CASES if case.name.startswith("the least numbers"))
    step = step_of(case)
    cells = tuple(cell for cell, _ in step.deduction.terms)
    deduction = Deduction("4001", eliminations=step.deduction.eliminations, cells=cells, rule=0)
    words = Wording(step.layout, step.names.symbols, step.domains)
    own = replace(step, deduction=deduction, text=sentence(deduction, words))
    assert own.text == step.text
    assert not check(own).false
    assert check(replace(own, text=own.text.replace("1 larger", "2 larger"))).false


def test_a_search_whose_result_a_sum_does_not_prove_has_no_reason_of_the_sum() -> None:
    case = Case("", ARROW, ("56789", "123456789", "123456789"), {}, "")
    step = step_of(case)
    search = Deduction("4005", placements=(Candidate(step.deduction.terms[0][0], 9),))
    words = Wording(step.layout, step.names.symbols, step.domains)
    assert sentence(search, words).startswith("No technique applies here")
