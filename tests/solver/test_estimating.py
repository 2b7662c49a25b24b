"""Estimated numbers of solutions, compared with numbers that are known exactly.

Few solutions are counted exactly, and estimates can be abandoned.
"""

import json
from itertools import takewhile

import numpy as np
import pytest

from solver import Puzzle, parse
from solver.engines.engine import ABANDON, GO_ON
from solver.estimating import Estimate, estimates

KNOWN = {
    "4x4": (json.dumps({"shape": "4x4"}), 288),
    "6x6": (json.dumps({"shape": "6x6"}), 28_200_960),  # Pettersen and Jarvis, 2006
    "9x9": (81 * ".", 6_670_903_752_021_072_936_960),  # Felgenhauer and Jarvis, 2005
    # Every value is in r1c1 as often as any other.
    "pencil marks": (
        json.dumps({"shape": "6x6", "candidates": {"r1c1": [1, 2]}}),
        28_200_960 // 3,
    ),
}


def puzzle_of(text: str) -> Puzzle:
    (puzzle,) = parse(text)
    assert isinstance(puzzle, Puzzle)
    return puzzle


def estimate_of(text: str, *, probes: int) -> Estimate:
    stop = np.full(1, GO_ON, np.uint8)
    found = estimates(puzzle_of(text), stop=stop, seed=1)
    *_, last = takewhile(lambda each: each.probes <= probes, found)
    return last


@pytest.mark.parametrize("name", KNOWN)
def test_known_numbers_are_within_three_standard_errors(name: str) -> None:
    text, known = KNOWN[name]
    estimate = estimate_of(text, probes=56)
    assert estimate.relative_error < 0.2
    assert abs(estimate.mean - known) <= 3 * estimate.standard_error


def test_few_solutions_are_counted_exactly() -> None:
    stop = np.full(1, GO_ON, np.uint8)
    text = json.dumps({"shape": "4x4", "givens": [1, 2, 3, 4, *[0] * 12]})
    assert list(estimates(puzzle_of(text), stop=stop)) == [Estimate(12.0, 0.0, 0)]


def test_a_puzzle_without_a_solution_has_the_estimate_zero() -> None:
    stop = np.full(1, GO_ON, np.uint8)
    text = json.dumps({"shape": "4x4", "givens": [1, 1, *[0] * 14]})
    assert list(estimates(puzzle_of(text), stop=stop)) == [Estimate(0.0, 0.0, 0)]


def test_estimates_end_when_they_are_abandoned() -> None:
    stop = np.full(1, GO_ON, np.uint8)
    found = estimates(puzzle_of(81 * "."), stop=stop)
    next(found)
    stop[0] = ABANDON
    assert list(found) == []
