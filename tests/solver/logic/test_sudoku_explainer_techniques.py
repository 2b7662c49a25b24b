"""Each technique of Sudoku Explainer on positions where it applies and where it doesn't."""

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from paths import DATA

from solver.engines.engine import ABANDON, GO_ON
from solver.logic.deduction_buffer import new_buffer
from solver.logic.sudoku_explainer import solving_order
from solver.logic.sudoku_explainer.rating import new_memory, steps
from solver.logic.sudoku_explainer.techniques import TABLE

# In thousands of puzzles, an easier technique always applied first.
UNMET = {2101}


class Case(NamedTuple):
    """A position and the technique that it tests. A rating of 0.0 means that it doesn't apply.

    `does` describes the technique's effect, or is the code of the technique that applies instead.
    """

    code: int
    rating: float
    values: NDArray[np.uint8]
    left: NDArray[np.int64]
    does: str


def read_case(line: str) -> Case:
    code, rating, values, removed, does = line.split()
    left = np.full(81, 0x1FF, np.int64)
    for value, row, column in (map(int, token) for token in removed.split(",") if token != "-"):
        left[9 * row + column - 10] &= ~(1 << (value - 1))
    grid = np.array([int(symbol) for symbol in values.replace(".", "0")], np.uint8)
    return Case(int(code), 0.0 if rating == "none" else float(rating), grid, left, does)


LINES = (DATA / "explainer" / "techniques.txt").read_text().splitlines()
CASES = [read_case(line) for line in LINES if not line.startswith("#")]


def name(case: Case) -> str:
    return f"{TABLE[case.code].name}{'' if case.rating else ' (not)'}"


@pytest.mark.parametrize("case", [case for case in CASES if case.rating], ids=name)
def test_a_technique_is_found(case: Case) -> None:
    step = next(steps(case.values, left=case.left))
    does = [f"+{v}{c // 9 + 1}{c % 9 + 1}" for c, v in step.deduction.placements]
    does += [f"-{v}{c // 9 + 1}{c % 9 + 1}" for c, v in step.deduction.eliminations]
    assert int(step.deduction.code) == case.code
    assert step.rating == case.rating
    assert ",".join(does) == case.does


@pytest.mark.parametrize("case", [case for case in CASES if not case.rating], ids=name)
def test_a_technique_is_not_found(case: Case) -> None:
    step = next(steps(case.values, left=case.left))
    assert step.deduction.code == case.does != f"{case.code:04}"
    assert step.rating >= TABLE[case.code].rating  # the search did try the technique


def test_every_technique_that_puzzles_need_has_cases() -> None:
    known = {case.code for case in CASES if case.rating}
    assert known == {case.code for case in CASES if not case.rating}
    assert known | UNMET == set(TABLE)
    assert not known & UNMET


def test_a_search_for_nested_chains_is_abandoned() -> None:
    hardest = max(CASES, key=lambda case: case.rating)
    assert hardest.rating >= TABLE[2100].rating
    memory, rating, is_single_step = new_memory(), np.zeros((1, 3), np.int32), True
    for flag, expected in ((ABANDON, 0), (GO_ON, round(10 * hardest.rating))):
        solving_order.start(hardest.values, hardest.left, memory)
        stop = np.full(1, flag, np.uint8)
        solving_order.rate(
            np.zeros((0, 81), np.uint8), memory, new_buffer(), stop, rating, is_single_step
        )
        assert rating[0, 0] == expected
