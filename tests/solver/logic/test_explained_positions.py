"""Explanations of positions, whose puzzles can have several solutions.

No step removes a value of a solution. Techniques can be excluded, and abandoned explanations are
cut.
"""

import json

import numpy as np

from solver import Puzzle, parse, solve
from solver.candidates import true_candidates
from solver.engines.engine import ABANDON, GO_ON
from solver.explaining import explain_position
from solver.logic.explanation import Ending

# Two solutions: 1 and 3 can be swapped in r4c6, r4c9, r5c6, and r5c9.
TWO_SOLUTIONS = "534678912672195348198342567859760420426850790713924850961537284287419630345286179"
HARD = "000000010400000000020000000000050407008000300001090000300400200050100000000806000"
KILLER = {
    "shape": "6x6",
    "constraints": [
        {"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 3},
        {"type": "killer", "cells": ["r2c1", "r3c1", "r4c1"], "sum": 15},
        {"type": "thermo", "cells": ["r6c1", "r6c2", "r6c3", "r6c4"]},
    ],
}


def go_on() -> "np.ndarray[tuple[int], np.dtype[np.uint8]]":
    return np.full(1, GO_ON, np.uint8)


def puzzle_of(text: str) -> Puzzle:
    (puzzle,) = parse(text)
    assert isinstance(puzzle, Puzzle)
    return puzzle


def test_no_step_removes_a_value_of_any_solution() -> None:
    for text in (TWO_SOLUTIONS, json.dumps(KILLER)):
        puzzle = puzzle_of(text)
        explanation = explain_position(puzzle, None, stop=go_on())
        assert explanation.ending is Ending.STUCK
        *_, last = explanation.positions
        true = true_candidates(puzzle)
        assert true.solvable
        for cell, domain in enumerate(last.domains):
            possible = sum(1 << value for value in true.values(cell))
            assert possible & ~domain == 0


def test_a_puzzle_with_one_solution_is_explained_to_the_end_with_a_trial_if_needed() -> None:
    puzzle = puzzle_of(HARD)
    explanation = explain_position(puzzle, solve(puzzle).solution, stop=go_on())
    assert explanation.solved


def test_excluded_techniques_are_not_used() -> None:
    puzzle = puzzle_of(json.dumps(KILLER))
    used = {one.code for one in explain_position(puzzle, None, stop=go_on()).deductions}
    assert "4000" in used
    others = explain_position(puzzle, None, excluded={"4000"}, stop=go_on()).deductions
    assert "4000" not in {one.code for one in others}


def test_an_abandoned_explanation_is_cut() -> None:
    stop = np.full(1, ABANDON, np.uint8)
    explanation = explain_position(puzzle_of(HARD), None, stop=stop)
    assert explanation.ending is Ending.CUT
    assert explanation.deductions == ()
