"""True candidates, compared with a list of all solutions.

The command `sudokuq candidates` prints them.
"""

import json

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import solutions

from solver import Invalid, Puzzle, parse, true_candidates
from web.commands.cli import main


def puzzle_of(cells: list[int]) -> Puzzle:
    (puzzle,) = parse(json.dumps({"shape": "4x4", "givens": [cell or None for cell in cells]}))
    assert not isinstance(puzzle, Invalid)
    return puzzle


@given(
    st.lists(st.sampled_from([0, 0, 0, 0, 1, 2, 3, 4]), min_size=16, max_size=16),
    st.integers(1, 5),
)
@settings(deadline=None, max_examples=50)
def test_counts_are_those_of_all_solutions_up_to_the_bound(cells: list[int], bound: int) -> None:
    every = [
        grid
        for grid in solutions([0] * 16, (2, 2))
        if all(given in (0, value) for given, value in zip(cells, grid, strict=True))
    ]
    true = true_candidates(puzzle_of(cells), bound=bound)
    for cell in range(16):
        for value in range(1, 5):
            expected = sum(grid[cell] == value for grid in every)
            assert true.counts[cell, value - 1] == min(expected, bound)
    assert true.decided.all()
    assert true.solvable == bool(every)
    same = {c: every[0][c] for c in range(16) if every and len({g[c] for g in every}) == 1}
    assert true.same_in_all == same


def test_candidates_that_the_step_limit_leaves_open_are_not_excluded() -> None:
    text = json.dumps(
        {
            "shape": "9x9",
            "constraints": [
                {"type": "killer", "cells": ["r1c1", "r2c2", "r3c3", "r4c4"], "sum": 20}
            ],
        }
    )
    (puzzle,) = parse(text)
    assert isinstance(puzzle, Puzzle)
    true = true_candidates(puzzle, step_limit=0)
    assert not true.decided.all()
    assert true.solvable is None
    assert true.same_in_all == {}


def test_bound_below_1_raises_an_error() -> None:
    with pytest.raises(ValueError, match="bound must be 1 or more"):
        true_candidates(puzzle_of([0] * 16), bound=0)


def test_command_prints_true_candidates_as_json() -> None:
    text = "1...............\n"
    answer = CliRunner().invoke(main, ["candidates", text, "--bound", "3"])
    assert answer.exit_code == 0, answer.output
    written = json.loads(answer.output)
    assert written["candidates"]["r1c1"] == {"1": 3}
    assert written["candidates"]["r1c2"] == {"2": 3, "3": 3, "4": 3}
    assert written["same_in_all"] == {"r1c1": "1"}
    assert CliRunner().invoke(main, ["candidates", "no puzzle"]).exit_code == 2
    stuck = CliRunner().invoke(main, ["candidates", "123...4........."])
    assert stuck.exit_code == 1
