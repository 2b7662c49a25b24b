"""Conflicts, compared with all grids of a small board, and with the engines on larger ones."""

import json
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from naive import solutions
from paths import DATA

from solver import Outcome, Puzzle, conflict, parse, solve
from solver.board.conflict import Conflict
from solver.checks.constraints import are_kept
from solver.conflicting import conflict_in
from solver.engines.engine import ABANDON
from solver.rules.fewer_constraints import without_constraints

GRIDS = list(solutions([0] * 16, (2, 2)))
NAMES = [f"r{row}c{column}" for row in range(1, 5) for column in range(1, 5)]
ROW = [f"r1c{column}" for column in range(1, 5)]
NO_SOLUTION = (Outcome.UNSOLVABLE, Outcome.INVALID)
PUZZLES = [
    (name, puzzle)
    for line in (DATA / "rule-puzzles.txt").read_text().splitlines()
    if not line.startswith("#")
    for name, text in [line.split(" ", 1)]
    for puzzle in parse(text)
    if isinstance(puzzle, Puzzle)
]
RULES = ["thermo", "slowthermo", "palindrome", "renban", "arrow", "between", "regionsum", "white",
         "black", "x", "v", "greater", "different", "zipper", "maximum"]  # fmt: skip
NUMBERS = {"killer": "sum", "whisper": "value", "difference": "value", "ratio": "value"}


def read(constraints: list[dict[str, Any]], puzzle: str = "." * 81, **more: Any) -> Puzzle:
    (made,) = parse(json.dumps({"puzzle": puzzle, "constraints": constraints, **more}))
    assert isinstance(made, Puzzle)
    return made


def grids_of(puzzle: Puzzle, found: Conflict, *, without: object = None) -> list[list[int]]:
    """Return the grids in `GRIDS` that satisfy all members of a conflict except one.

    `without` is that member, ("given", cell) or ("constraint", number). If it is None, all count.
    """
    constraints = [
        puzzle.layout.constraints[number]
        for number in found.constraints
        if without != ("constraint", number)
    ]
    givens = [cell for cell in found.givens if without != ("given", cell)]
    return [
        grid
        for grid in GRIDS
        if all(grid[cell] == puzzle.givens[cell] for cell in givens)
        and are_kept(tuple(constraints), grid, puzzle.layout)
    ]


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    """Return a 4×4 puzzle with random givens and constraints, which usually has no solution."""
    constraints: list[dict[str, Any]] = []
    for kind in draw(st.lists(st.sampled_from([*RULES, *NUMBERS]), min_size=1, max_size=8)):
        two = kind in ("white", "black", "x", "v", "greater", "difference", "ratio")
        start = draw(st.integers(0, 15))
        cells = [start]
        for _ in range(1 if two else draw(st.integers(1, 3))):
            row, column = divmod(cells[-1], 4)
            near = [(row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column)]
            free = [4 * r + c for r, c in near if 0 <= r < 4 and 0 <= c < 4]
            cells.append(draw(st.sampled_from(free)))
        number = {NUMBERS[kind]: draw(st.integers(1, 10))} if kind in NUMBERS else {}
        constraints.append({"type": kind, "cells": [NAMES[cell] for cell in cells], **number})
    givens = draw(st.lists(st.sampled_from("....1234"), min_size=16, max_size=16))
    (made,) = parse(json.dumps({"puzzle": "".join(givens), "constraints": constraints}))
    assume(isinstance(made, Puzzle))
    assert isinstance(made, Puzzle)
    return made


@given(puzzles())
@settings(max_examples=150, deadline=None)
def test_conflict_has_no_solution_and_needs_each_of_its_members(puzzle: Puzzle) -> None:
    found = conflict_in(puzzle)
    everything = Conflict(
        tuple(np.flatnonzero(puzzle.givens).tolist()),
        tuple(range(len(puzzle.layout.constraints))),
        "",
    )
    assert (found is None) == bool(grids_of(puzzle, everything))
    if found is not None:
        assert not grids_of(puzzle, found)
        members = [("given", cell) for cell in found.givens]
        members += [("constraint", number) for number in found.constraints]
        assert all(grids_of(puzzle, found, without=member) for member in members)


CAGE: dict[str, Any] = {"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 17}
THERMOMETER: dict[str, Any] = {"type": "thermo", "cells": ["r1c1", "r2c1", "r3c1"]}
HARMLESS: list[dict[str, Any]] = [
    {"type": "killer", "cells": ["r5c5", "r5c6", "r6c5"], "sum": 12},
    {"type": "thermo", "cells": ["r9c9", "r8c9", "r7c9"]},
    {"type": "white", "cells": ["r4c7", "r4c8"]},
]


def test_two_rules_that_contradict_each_other_are_named() -> None:
    found = conflict(read([*HARMLESS, THERMOMETER, CAGE], "." * 80 + "1"))
    assert found == Conflict(
        (), (3, 4), "the thermometer r1c1–r3c1 and the cage at r1c1 contradict each other"
    )


def test_rules_in_the_same_place_are_named_in_the_plural() -> None:
    cages = [{"type": "killer", "cells": ["r1c1", "r1c2"], "sum": sum_} for sum_ in (5, 16)]
    found = conflict(read(cages))
    assert found is not None
    assert found.detail == "the cages at r1c1 contradict each other"


def test_given_that_contradicts_a_rule_is_named() -> None:
    found = conflict(read([*HARMLESS, THERMOMETER], ".........9" + "." * 71))
    assert found is not None
    assert found.detail == ("the 9 in r2c1 and the thermometer r1c1–r3c1 contradict each other")


def test_many_givens_are_counted() -> None:
    rows = ["1234.....", *["........."] * 2, *[f"........{value}" for value in "56789"], "." * 9]
    found = conflict("".join(rows))
    assert found is not None
    assert found.givens == (0, 1, 2, 3, 35, 44, 53, 62, 71)
    assert found.detail == "9 givens contradict each other"


def test_single_rule_can_be_impossible() -> None:
    found = conflict(read([*HARMLESS, CAGE | {"sum": 18}]))
    assert found == Conflict((), (3,), "the cage at r1c1 is impossible on its own")


def test_board_itself_can_be_impossible() -> None:
    found = conflict(read([], "1...", size=2, box="none", variant=["diagonal"]))
    assert found == Conflict((), (), "even the empty board has no solution")


def test_solvable_puzzle_has_no_conflict() -> None:
    assert conflict(read([*HARMLESS, THERMOMETER])) is None
    with pytest.raises(ValueError, match="No puzzle format matches"):
        conflict("1")


def test_board_that_is_too_large_has_no_conflict() -> None:
    assert conflict(" ".join(["1", "."] + ["."] * 622 + ["2"])) is None


def test_pencil_marks_are_not_part_of_a_conflict() -> None:
    puzzle = read([THERMOMETER])
    assert conflict(replace(puzzle, candidates=(1 << 8,) + (511,) * 80)) is None


def test_interrupted_search_finds_no_conflict() -> None:
    puzzle = read([THERMOMETER, CAGE])
    assert conflict_in(puzzle, stop=np.full(1, ABANDON, np.uint8)) is None


def outcome(puzzle: Puzzle, givens: Collection[int], constraints: Collection[int]) -> Outcome:
    """Return the outcome of a puzzle with only these givens and constraints."""
    removed = {*range(len(puzzle.layout.constraints))}.difference(constraints)
    layout = without_constraints(puzzle.layout, removed)
    assert not isinstance(layout, str)
    kept = tuple(value if n in givens else 0 for n, value in enumerate(puzzle.givens))
    return solve(replace(puzzle, layout=layout, givens=kept), limit=1).outcome


@pytest.mark.parametrize("kind", ["thermo", "whisper", "killer", "arrow", "sandwich", "quadruple"])
def test_engines_confirm_conflicts_on_larger_boards(kind: str) -> None:
    puzzle = next(puzzle for name, puzzle in PUZZLES if name == kind)
    solution = solve(puzzle).solution
    assert solution is not None
    cell = puzzle.givens.index(0)
    for value in {*range(1, 10)} - {solution[cell]}:
        wrong = replace(puzzle, givens=(*puzzle.givens[:cell], value, *puzzle.givens[cell + 1 :]))
        found = conflict(wrong)
        assert found is not None
        assert outcome(wrong, found.givens, found.constraints) in NO_SOLUTION
        for given_ in found.givens:
            rest = {*found.givens} - {given_}
            assert outcome(wrong, rest, found.constraints) not in NO_SOLUTION
        for constraint in found.constraints:
            rest = {*found.constraints} - {constraint}
            assert outcome(wrong, found.givens, rest) not in NO_SOLUTION
