"""Pencil marks: the candidates that the givens and each rule on its own leave."""

import json
from importlib.resources import files
from typing import Any

import pytest

from solver import Puzzle, explain, parse, solve
from solver.logic.explanation import start_position
from solver.logic.rule_steps.pencil_marks import pencil_marks

EMPTY = "." * 81
ALL = "123456789"


def _puzzle(text: str) -> Puzzle:
    (puzzle,) = parse(text)
    assert isinstance(puzzle, Puzzle)
    return puzzle


def _with_rule(puzzle: str, **rule: Any) -> Puzzle:
    return _puzzle(json.dumps({"puzzle": puzzle, "constraints": [rule]}))


def _marks(puzzle: Puzzle) -> dict[str, str]:
    """Return the marks of each cell by its name, such as "12"."""
    start = start_position(puzzle.layout, puzzle.givens)
    marks = pencil_marks(puzzle.layout, start.domains)
    return {
        puzzle.layout.cell_name(cell): "".join(d for v, d in enumerate(ALL) if mask >> v & 1)
        for cell, mask in enumerate(marks)
    }


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ({"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 3}, ["12", "12"]),
        ({"type": "killer", "cells": ["r1c1", "r1c2", "r1c3"], "sum": 24}, ["789", "789", "789"]),
        ({"type": "thermo", "cells": ["r1c1", "r1c2", "r1c3"]}, ["1234567", "2345678", "3456789"]),
        # 4 needs 9 on both sides, and 6 needs 1, but these cells see each other.
        ({"type": "whisper", "cells": ["r1c1", "r1c2", "r1c3"]},
         ["12346789", "1237" "89", "12346789"]),
        ({"type": "arrow", "cells": ["r1c1", "r1c2", "r1c3"]}, ["3456789", "12345678", "12345678"]),
    ],
)  # fmt: skip
def test_marks_are_what_each_rule_leaves(rule: dict[str, Any], expected: list[str]) -> None:
    marks = _marks(_with_rule(EMPTY, **rule))
    assert [marks[cell] for cell in rule["cells"]] == expected
    assert {value for cell, value in marks.items() if cell not in rule["cells"]} == {ALL}


def test_givens_restrict_the_marks_of_their_peers_and_of_their_rules() -> None:
    killer = {"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 5}
    marks = _marks(_with_rule("........1" + "." * 72, **killer))
    assert (marks["r1c1"], marks["r1c2"], marks["r1c9"]) == ("23", "23", "1")


def test_marks_of_a_rule_that_nothing_satisfies_are_all_candidates() -> None:
    killer = {"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 3}
    marks = _marks(_with_rule("........1" + "." * 72, **killer))
    assert (marks["r1c1"], marks["r1c2"]) == ("23456789", "23456789")


@pytest.mark.parametrize("name", ["killer.jsonl", "thermo.jsonl"])
def test_marks_contain_the_solution(name: str) -> None:
    for line in files("solver").joinpath("samples", name).read_text().splitlines()[:10]:
        puzzle = _puzzle(line)
        solution = solve(puzzle).solution
        assert solution is not None
        marks = pencil_marks(puzzle.layout, start_position(puzzle.layout, puzzle.givens).domains)
        assert all(mask >> (value - 1) & 1 for mask, value in zip(marks, solution, strict=True))


def test_explanations_of_boards_with_rules_have_marks_but_start_from_all_candidates() -> None:
    line = files("solver").joinpath("samples/killer.jsonl").read_text().splitlines()[0]
    explanation = explain(line)
    assert explanation.pencil_marks is not None
    before = sum(mask.bit_count() for mask in explanation.start.candidates)
    assert before == 729
    assert sum(mask.bit_count() for mask in explanation.pencil_marks) < before
    assert explain(EMPTY).pencil_marks is None
