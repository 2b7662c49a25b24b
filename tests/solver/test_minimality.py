"""Redundant givens and constraints, compared with puzzles from which each is removed in turn.

Tests that are interrupted resume from a checkpoint.
"""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from naive import count, solutions

from solver import Invalid, Puzzle, minimality, parse, search_series, solve, solve_many
from solver.board.checkpoint import Checkpoint
from solver.board.minimality import Elements, Minimality
from solver.board.result import Batch
from solver.engines.engine import ABANDON, FINISH, GO_ON
from solver.minimizing import minimality_until

GRIDS = list(solutions([0] * 16, (2, 2)))
EASY = "534.7....6..195....98....6.8...6...34..8....17...2...6.6....28....419..5....8..79"
GRID = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
CAGES = [  # that fit the grid
    {"type": "killer", "cells": ["r1c1", "r1c2", "r2c1"], "sum": 6},
    {"type": "killer", "cells": ["r1c3", "r1c4"], "sum": 7},
    {"type": "killer", "cells": ["r3c1", "r4c1"], "sum": 6},
    {"type": "killer", "cells": ["r2c2", "r3c2"], "sum": 5},
    {"type": "killer", "cells": ["r3c3", "r3c4"], "sum": 7},
    {"type": "thermo", "cells": ["r2c3", "r2c4"]},
    {"type": "white", "cells": ["r4c3", "r4c4"]},
    {"type": "white", "cells": ["r1c1", "r1c2"]},
]


def puzzle_of(description: dict[str, Any]) -> Puzzle:
    (puzzle,) = parse(json.dumps(description))
    assert not isinstance(puzzle, Invalid), puzzle.detail
    return puzzle


def has_only_solution(description: dict[str, Any], solution: tuple[int, ...] | None) -> bool:
    result = solve(puzzle_of(description))
    return result.unique is True and result.solution == solution


def without(text: str, cell: int) -> str:
    return f"{text[:cell]}.{text[cell + 1 :]}"


@given(st.sampled_from(GRIDS), st.sets(st.integers(0, 15), min_size=4))
@settings(deadline=None, max_examples=25)
def test_redundant_givens_are_those_without_which_the_puzzle_keeps_one_solution(
    grid: list[int], kept: set[int]
) -> None:
    givens = [value if cell in kept else 0 for cell, value in enumerate(grid)]
    assume(count(givens, (2, 2), limit=2) == 1)
    found = minimality("".join(map(str, givens)), reduce=True)
    left = {cell: [*givens[:cell], 0, *givens[cell + 1 :]] for cell in kept}
    redundant = [cell for cell in sorted(kept) if count(left[cell], (2, 2), limit=2) == 1]
    assert found.redundant == Elements(tuple(redundant))
    assert found.minimal == (not redundant)
    assert not found.undecided
    for cell in range(16):  # one after the other, in reading order
        fewer = [*givens[:cell], 0, *givens[cell + 1 :]]
        givens = fewer if count(fewer, (2, 2), limit=2) == 1 else givens
    assert found.reduced is not None
    assert list(found.reduced.givens) == givens


@given(
    st.lists(st.sampled_from(CAGES), min_size=2, max_size=8, unique_by=str),
    st.sets(st.integers(0, 15), min_size=1, max_size=6),
)
@settings(deadline=None, max_examples=12)
def test_redundant_constraints_are_those_without_which_the_puzzle_keeps_its_solution(
    constraints: list[dict[str, Any]], shown: set[int]
) -> None:
    text = "".join(str(value) if cell in shown else "." for cell, value in enumerate(GRID))
    whole = {"puzzle": text, "constraints": constraints}
    assume(has_only_solution(whole, GRID))
    found = minimality(puzzle_of(whole), reduce=True)
    redundant = [
        number
        for number in range(len(constraints))
        if has_only_solution(
            whole | {"constraints": constraints[:number] + constraints[number + 1 :]}, GRID
        )
    ]
    assert found.redundant.constraints == tuple(redundant)
    assert found.redundant.givens == tuple(
        cell
        for cell in sorted(shown)
        if has_only_solution(whole | {"puzzle": without(text, cell)}, GRID)
    )
    assert found.reduced is not None
    assert solve(found.reduced).solution == GRID
    assert minimality(found.reduced).minimal
    assert found.minimal == (found.reduced == puzzle_of(whole))


def test_dot_is_needed_if_all_dots_are_given() -> None:
    """Without it, the rule about cells without a dot would apply to its cells."""
    pairs = [(cell, cell + 1) for cell in range(16) if cell % 4 < 3]
    pairs += [(cell, cell + 4) for cell in range(12)]
    names = [f"r{cell // 4 + 1}c{cell % 4 + 1}" for cell in range(16)]
    dots = []
    for first, second in pairs:
        low, high = sorted((GRID[first], GRID[second]))
        kind = "white" if high - low == 1 else "black" if high == 2 * low else None
        if kind:
            dots.append({"type": kind, "cells": [names[first], names[second]]})
    text = "".join(map(str, GRID))
    found = minimality(
        puzzle_of({"puzzle": text, "constraints": dots, "variant": "kropkinegative"}), reduce=True
    )
    assert found.redundant.constraints == ()
    assert found.reduced is not None
    assert len(found.reduced.layout.constraints) == len(dots) + 1
    assert minimality(puzzle_of({"puzzle": text, "constraints": dots})).redundant.constraints == (
        *range(len(dots)),
    )


def test_unneeded_cage_and_line_of_a_9x9_puzzle_are_redundant_and_reduced_last() -> None:
    solution = solve(EASY).solution
    assert solution is not None
    cages = [
        {"type": "killer", "cells": ["r1c4", "r1c5"], "sum": solution[3] + solution[4]},
        {"type": "thermo", "cells": ["r9c1", "r9c2"][:: 1 if solution[72] < solution[73] else -1]},
    ]
    puzzle = puzzle_of({"puzzle": EASY, "constraints": cages})
    found = minimality(puzzle, reduce=True)
    assert found.redundant.constraints == (0, 1)
    assert found.reduced is not None
    assert sum(map(bool, found.reduced.givens)) < sum(map(bool, puzzle.givens))
    again = minimality(found.reduced, reduce=True)
    assert again.minimal
    assert again.reduced == found.reduced


def test_given_with_pencil_marks_is_removed_together_with_its_mark() -> None:
    every = {f"r{row}c{column}": [1, 2, 3, 4] for row in (1, 2, 3, 4) for column in (1, 2, 3, 4)}
    marked = every | {"r1c1": [1], "r4c4": [1, 2]}
    puzzle = puzzle_of({"puzzle": "1..4...2....4..1", "candidates": marked})
    plain = "1..4...2....4..1"
    assert [cell for cell in range(16) if plain[cell] != "."] == list(np.flatnonzero(puzzle.givens))
    assert minimality(puzzle).redundant == Elements()


def test_element_that_the_step_limit_leaves_open_is_undecided() -> None:
    hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    puzzle = puzzle_of({"puzzle": hard})
    result = solve(puzzle)
    assert result.solution is not None
    finished = minimality_until(
        [(puzzle, result.solution)],
        reduce=True,
        step_limit=0,
        stop=np.full(1, GO_ON, np.uint8),
    )
    (found,) = finished.results
    assert found.minimal is None
    assert found.undecided
    assert found.reduced == puzzle


@pytest.mark.parametrize("text", ["1...............", "11..............", "no puzzle"])
def test_puzzle_without_exactly_one_solution_raises_an_error(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  the message depends on the text
        minimality(text)


class Interrupting:
    """Solves only a few puzzles per call, and then raises the stop flag."""

    def __init__(self, stop: np.ndarray, signal: int, rows: int) -> None:
        self.stop = stop
        self.signal = signal
        self.rows = rows
        self.calls = 0

    def __call__(self, givens: np.ndarray, **options: Any) -> Batch:
        self.calls += 1
        self.stop.fill(self.signal)
        return solve_many(givens[: self.rows], **options | {"stop": None})


@pytest.mark.parametrize("rows", [1, 3, 50])
@pytest.mark.parametrize("constraints", [[], CAGES])
def test_interrupted_test_resumes_from_its_checkpoint_with_the_same_result(
    monkeypatch: pytest.MonkeyPatch, constraints: list[dict[str, Any]], rows: int
) -> None:
    description = {"puzzle": "12.4...2....4..1", "constraints": constraints}
    puzzle = puzzle_of(description if constraints else {"puzzle": EASY})
    solution = solve(puzzle).solution
    assert solution is not None
    expected = minimality(puzzle, reduce=True)
    stop = np.full(1, GO_ON, np.uint8)
    interrupting = Interrupting(stop, ABANDON, rows)
    monkeypatch.setattr(search_series, "solve_many", interrupting)
    checkpoint, results = None, list[Minimality]()
    while not results:
        stop.fill(GO_ON)
        finished = minimality_until(
            [(puzzle, solution)], reduce=True, step_limit=1_000, stop=stop, checkpoint=checkpoint
        )
        results = finished.results
        if not results:
            assert finished.checkpoint is not None
            checkpoint = Checkpoint.unpack(finished.checkpoint.pack())
    assert results == [expected]
    assert interrupting.calls > 1


def test_first_puzzle_is_finished_when_the_time_is_up_and_others_only_if_they_already_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    puzzle = puzzle_of({"puzzle": EASY})
    solution = solve(puzzle).solution
    assert solution is not None
    stop = np.full(1, GO_ON, np.uint8)
    monkeypatch.setattr(search_series, "solve_many", Interrupting(stop, FINISH, 5))
    finished = minimality_until([(puzzle, solution)] * 3, reduce=False, step_limit=1_000, stop=stop)
    assert finished.results == [minimality(puzzle)]
    assert finished.checkpoint is None
