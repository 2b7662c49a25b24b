"""True candidates from solutions are the same as those from a search for each candidate."""

import json

import numpy as np
import pytest

from solver import Puzzle, parse
from solver.candidates import true_candidates
from solver.candidates_from_solutions import candidates_from_solutions
from solver.engines.engine import ABANDON, FINISH, GO_ON

STEPS = 1_000_000
CAGE = {"type": "killer", "cells": ["r1c1", "r1c2", "r2c1"], "sum": 6}
PUZZLES: dict[str, dict[str, object]] = {
    "one solution": {"shape": "4x4", "givens": [1, 2, 0, 4, *[0] * 3, 2, *[0] * 4, 4, 0, 0, 1]},
    "no solution": {"shape": "4x4", "givens": [1, 1, *[0] * 14]},
    "288 solutions": {"shape": "4x4"},
    "pencil marks": {"shape": "6x6", "candidates": {"r1c1": [1, 2], "r1c2": [1, 2, 3]}},
    "a cage": {"shape": "6x6", "constraints": [CAGE]},
    "a thermometer": {
        "shape": "9x9",
        "constraints": [{"type": "thermo", "cells": ["r1c1", "r2c1", "r3c1", "r4c1", "r5c1"]}],
    },
    "a classic board": {"shape": "9x9", "givens": [1, 2, 3, 4, 5, 6, *[0] * 75]},
}


def puzzle_of(described: dict[str, object]) -> Puzzle:
    (puzzle,) = parse(json.dumps(described))
    assert isinstance(puzzle, Puzzle)
    return puzzle


@pytest.mark.parametrize("name", PUZZLES)
@pytest.mark.parametrize("bound", [1, 3])
def test_counts_are_those_of_separate_searches(name: str, bound: int) -> None:
    puzzle = puzzle_of(PUZZLES[name])
    expected = true_candidates(puzzle, bound=bound)
    stop = np.full(1, GO_ON, np.uint8)
    quick = candidates_from_solutions(puzzle, bound=bound, step_limit=STEPS, stop=stop)
    assert quick is not None
    assert np.array_equal(quick.counts, expected.counts)
    assert quick.decided.all()


def test_counts_are_complete_when_the_time_of_a_chunk_is_over() -> None:
    puzzle = puzzle_of(PUZZLES["a cage"])
    expected = true_candidates(puzzle, bound=3)
    stop = np.full(1, FINISH, np.uint8)
    quick = candidates_from_solutions(puzzle, bound=3, step_limit=STEPS, stop=stop)
    assert quick is not None
    assert np.array_equal(quick.counts, expected.counts)


def test_a_stopped_search_has_no_result() -> None:
    stop = np.full(1, ABANDON, np.uint8)
    puzzle = puzzle_of(PUZZLES["a cage"])
    assert candidates_from_solutions(puzzle, bound=1, step_limit=STEPS, stop=stop) is None


def test_values_that_the_step_limit_leaves_open_stay_undecided() -> None:
    puzzle = puzzle_of(PUZZLES["a thermometer"])
    stop = np.full(1, GO_ON, np.uint8)
    quick = candidates_from_solutions(puzzle, bound=1, step_limit=0, stop=stop)
    assert quick is not None
    assert not quick.decided.all()
