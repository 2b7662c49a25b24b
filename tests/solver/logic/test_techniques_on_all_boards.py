"""Techniques on other board sizes and rules never remove a candidate of the solution.

Those that rely on uniqueness are skipped with pencil marks and other rules.
"""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import DATA

from solver import Invalid, Layout, Puzzle, parse, solve
from solver.board.symbols import Symbols
from solver.explaining import explain_unique
from solver.logic.board_tables import Unexplained, board_of
from solver.logic.examples import EXAMPLES
from solver.logic.explanation import Ending, Explanation
from solver.logic.registry import SOLVING_ORDER

LINES = [
    line.split(" ", 1)
    for line in (DATA / "logic-boards.txt").read_text().splitlines()
    if not line.startswith("#")
]
SOLUTION = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)


def explained(puzzle: Puzzle) -> Explanation:
    """Explain a puzzle and check each deduction against its solution."""
    result = solve(puzzle, step_limit=100_000)
    assert result.unique
    assert result.solution is not None
    solution = result.solution
    explanation = explain_unique(puzzle, solution, stop=np.zeros(1, np.uint8))
    for deduction, said in zip(explanation.deductions, explanation.sentences, strict=True):
        assert deduction.placements or deduction.eliminations
        assert all(solution[cell] == value for cell, value in deduction.placements), said
        assert all(solution[cell] != value for cell, value in deduction.eliminations), said
    return explanation


@pytest.mark.parametrize(("codes", "text"), LINES, ids=lambda words: words[:24])
def test_techniques_work_on_other_sizes_and_rules(codes: str, text: str) -> None:
    (puzzle,) = parse(text)
    assert isinstance(puzzle, Puzzle)
    explanation = explained(puzzle)
    assert set(codes.split(",")) <= {deduction.code for deduction in explanation.deductions}


# Slow because of forcing nets and of patterns that only fit on large boards.
LONG = {
    "Raw Spaghetti", "16x16", "16x16: Sudoku X", "16x16: Windoku", "Classic sudoku, hard"
}  # fmt: skip


def test_techniques_are_sound_on_public_variants(public_data: Path) -> None:
    endings = []
    for line in (public_data / "variants" / "puzzles.jsonl").read_text().splitlines():
        record = json.loads(line)
        (puzzle,) = parse("".join(record["input"].split()))
        if record["name"] in LONG:
            continue
        if not isinstance(puzzle, Invalid) and not isinstance(board_of(puzzle.layout), Unexplained):
            endings.append(explained(puzzle).ending)
    assert len(endings) == 26
    assert {*endings} == {Ending.SOLVED}


def test_uniqueness_techniques_are_skipped_with_pencil_marks() -> None:
    (puzzle,) = parse(EXAMPLES["0600"])
    assert isinstance(puzzle, Puzzle)
    solution = solve(puzzle).solution
    assert solution is not None
    swapping = {
        code
        for technique in SOLVING_ORDER
        if technique.relies_on_uniqueness
        for code in technique.codes
    }
    explanation = explained(puzzle)
    assert any(deduction.code in swapping for deduction in explanation.deductions)
    left = list(explanation.start.candidates)
    cell = puzzle.givens.index(0)
    wrong = left[cell] & ~(1 << (solution[cell] - 1))
    left[cell] &= ~(wrong & -wrong)
    left = [mask or 511 for mask in left]  # givens have no stored candidates
    marked = replace(puzzle, candidates=tuple(left))
    assert not any(deduction.code in swapping for deduction in explained(marked).deductions)


@given(more=st.lists(st.sampled_from([0, 0, *range(16)]), min_size=16, max_size=16))
@settings(max_examples=100, deadline=None)
def test_pencil_marks_are_respected(more: list[int]) -> None:
    left = [1 << (value - 1) | other for value, other in zip(SOLUTION, more, strict=True)]
    puzzle = Puzzle(Layout.boxed(2, 2), (0,) * 16, Symbols.usual(4), tuple(left))
    for cell, value in enumerate(SOLUTION):
        if solve(puzzle).unique:
            break
        left[cell] = 1 << (value - 1)  # fewer candidates until there is only one solution
        puzzle = replace(puzzle, candidates=tuple(left))
    explanation = explained(puzzle)
    assert explanation.deductions
    assert all(
        mask & ~own == 0 for mask, own in zip(explanation.start.candidates, left, strict=True)
    )


@pytest.mark.parametrize(
    "constraint",
    ['{"type":"even","cells":["r1c1"]}', '{"type":"killer","cells":["r1c1","r1c2"],"sum":3}'],
)
def test_uniqueness_techniques_are_skipped_with_other_rules(constraint: str) -> None:
    (puzzle,) = parse(f'{{"size":9,"grid":"{"." * 81}","constraints":[{constraint}]}}')
    assert isinstance(puzzle, Puzzle)
    board = board_of(puzzle.layout)
    assert not isinstance(board, Unexplained)
    assert not any(
        technique.applies(board) for technique in SOLVING_ORDER if technique.relies_on_uniqueness
    )
