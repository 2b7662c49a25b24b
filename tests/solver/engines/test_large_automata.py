"""Rules whose automata would be too large have the same solutions without automata.

The SAT engine solves them, but backtracking search tries options of disjunctions. Automata of wide
boards aren't even built, and sets of numbers are listed only up to the usable number.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from naive import solutions

from solver import Layout, Puzzle, parse, solve
from solver.board.budget import forget_tables
from solver.board.number_combinations import adding_up_to
from solver.board.primitive_constraints import Part
from solver.checks.constraints import are_kept
from solver.rules.registry import RULES, with_constraints
from solver.rules.rule import Constraint
from solver.solving import engine_for

FOURS = [tuple(grid) for grid in solutions([0] * 16, (2, 2))]
ALL = "~".join(f"R{row}C{column}" for row in range(1, 5) for column in range(1, 5))
CAGE = ".Cage~6~R1C1~R1C2~R2C1"


@pytest.fixture
def too_large(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Return a patch that makes a rule's automaton builder fail because of its size."""

    def patch(maker: str) -> None:
        monkeypatch.setattr(f"solver.rules.{maker}", lambda *_, **__: "is too large")
        forget_tables()

    yield patch
    forget_tables()


def has_the_right_solutions(puzzle: Puzzle) -> None:
    told = range(len(puzzle.layout.variables))
    expected = {
        grid
        for grid in FOURS
        if are_kept(
            puzzle.layout.constraints, (*grid, *(grid[cell] for cell in told)), puzzle.layout
        )
    }
    listed = solve(puzzle, limit=300).listed
    assert set(listed) == expected
    assert len(listed) == len(expected) > 0


@pytest.mark.parametrize(
    "text",
    [
        ".FullRank~R1~6~.FullRank~C3~~12",
        ".FullRankTies~none.FullRank~R1~1~.FullRank~C4~13~",
        # Equal lines may share the first rank.
        ".FullRankTies~any.FullRank~R4~7~.FullRank~R2~~1.FullRank~R1~1~",
        ".Or.HiddenSkyscraper~R1~2~.HiddenSkyscraper~R1~3~.End.HiddenSkyscraper~C2~~1",
        ".Lunchbox~5~R1C1~R1C2~R1C3~R1C4",
        ".SumLine~5~R1C1~R1C2~R2C2~R2C1~LOOP",
        "~0-3.SumLine~3~R1C1~R1C2~R2C2~R3C2~R3C1~R2C1~LOOP",
        "~0-3.Or.SumLine~3~R1C1~R1C2~R2C2~R3C2~R3C1~R2C1~LOOP.SumLine~6~R4C1~R4C2~LOOP.End",
        ".Or.SumLine~5~R1C1~R1C2~R2C2~R2C1~LOOP.End",
    ],
)
def test_automata_have_the_right_solutions(text: str) -> None:
    (puzzle,) = parse(f".Shape~4x4{text}")
    assert isinstance(puzzle, Puzzle), puzzle
    assert engine_for(puzzle.layout).name == "general"
    has_the_right_solutions(puzzle)


@pytest.mark.parametrize(
    "text",
    [
        f".Or{CAGE}.Renban~R3C3~R3C4~R4C4.End",
        f".Or.~R1C1_1{CAGE}.And.~R4C4_2.X~R1C1~R1C2.End.End",
        ".Or.EqualSum~R1C1~R1C2~-~R4C4.AllDifferent~R1C1~R2C2~R3C3~R4C4.End",
    ],
)
def test_options_without_automata_are_tried(text: str, too_large: Callable[[str], None]) -> None:
    too_large("reification.unroll")
    too_large("option_reification.unroll")
    (puzzle,) = parse(f".Shape~4x4{text}")
    assert isinstance(puzzle, Puzzle), puzzle
    assert engine_for(puzzle.layout).name == "general"
    has_the_right_solutions(puzzle)


@pytest.mark.parametrize(
    ("maker", "text"),
    [
        # the pattern (1|2|3.)*4?
        ("regular_lines.limited", ".Regex~KDF8MnwzLikqND8~R1C1~R1C2~R1C3~R1C4~~R2C1~R2C2~R2C3"),
        ("connected_cells.unroll", ".ConnectedValues~~1_2_4"),
        ("connected_cells.unroll",
         f".ConnectedValues~~1_2_4.LookAndSay~41~{ALL}.LookAndSay~44~{ALL}"),
        ("connected_cells.unroll", ".Var~S~~2x4.ConnectedValues~VS~1_2" + "".join(
            f".Palindrome~VS{4 * row + column - 4}~R{row}C{column}"
            for row in (1, 2) for column in (1, 2, 3, 4))),
        ("option_reification.unroll", f".Or.Or{CAGE}.X~R2C1~R2C2.End.Renban~R3C3~R3C4~R4C4.End"),
        (
            "reification.unroll",
            f".Or.Or.~R1C1_1~R2C2_3{CAGE}.End.Thermo~R2C1~R3C1.End.WhiteDot~R1C1~R1C2",
        ),
        (
            "reification.unroll",
            ".Or.Or.EqualSum~R1C1~R1C2~-~R4C4.X~R2C1~R2C2.End"
            ".AllDifferent~R1C1~R2C2~R3C3~R4C4.End",
        ),
        # Constraints with auxiliary variables can't be reified, however small they are.
        ("none", ".Or.ConnectedValues~~1_2.CountDistinct~R1C1~R2C2~R3C3.End"),
        ("none", ".Or.CountingCircles~R1C1~R2C2~R3C3.Lunchbox~3~R1C1~R2C2~R3C4.End"),
    ],
)  # fmt: skip
def test_clauses_have_the_same_solutions(
    maker: str, text: str, too_large: Callable[[str], None]
) -> None:
    if maker != "none":
        too_large(maker)
    (puzzle,) = parse(text if text.startswith(".Shape") else f".Shape~4x4{text}")
    assert isinstance(puzzle, Puzzle), puzzle
    if "Counting" not in text:
        assert engine_for(puzzle.layout).name == "sat"
    has_the_right_solutions(puzzle)


def test_regions_of_wide_boards_are_rejected_as_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> str:
        raise AssertionError

    monkeypatch.setattr("solver.rules.connected_cells.unroll", never)
    (puzzle,) = parse(".Shape~16x16.ConnectedValues~~1_2_4")
    assert isinstance(puzzle, Puzzle)
    assert engine_for(puzzle.layout).name == "sat"


def test_nested_disjunctions_are_compiled_once() -> None:
    calls = 0

    def parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
        nonlocal calls
        calls += 1
        return hides.parts(constraint, layout)

    hides = RULES["countdistinct"]
    chosen = Constraint(replace(hides, parts=parts), (0, 5, 10))
    other = Constraint(RULES["x"], (0, 1))
    for _ in range(20):
        chosen = Constraint(RULES["or"], (0, 1, 5, 10), 0, ((chosen,), (other,)))
    assert isinstance(with_constraints(Layout.boxed(2, 2), (chosen,)), Layout)
    assert calls < 50  # about once per disjunction


def test_sets_with_a_sum_are_listed_up_to_the_usable_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Hundreds of millions of subsets of 36 numbers have half of their total as sum."""
    found = 0

    def counted(*numbers: Any) -> Iterator[tuple[int, ...]]:
        nonlocal found
        for each in adding_up_to(*numbers):
            found += 1
            assert found < 10_000
            yield each

    monkeypatch.setattr("solver.rules.outside.adding_up_to", counted)
    row = Constraint(RULES["xsum"], tuple(range(36)), 333)
    refused = with_constraints(Layout.boxed(6, 6), (row,))
    assert isinstance(refused, str)
    assert refused.startswith("the constraint 'xsum' at r1c1 is too large")
    assert "300,000 transitions" in refused
    assert found > 0


@pytest.mark.parametrize(
    ("cells", "total"),
    [
        ([9, 1, 7, 12, 4, 16], 23),
        ([9, 16, 12, 7, 4, 1], 23),
        ([4, 16, 10, 13, 1, 8], 23),
        ([3, 2, 9, 11, 5, 14, 8], 25),
        ([8, 15, 5, 9, 11, 1, 2], 25),
    ],
)
def test_lunchboxes_with_too_many_fillings_to_list_are_supported(
    cells: list[int], total: int
) -> None:
    others = [number for number in range(1, 17) if number not in cells]
    names = [f"r1c{column}" for column in range(1, len(cells) + 1)]
    for said in (total - 1, total, total + 1):
        lunchbox = {"type": "lunchbox", "cells": names, "sum": said}
        row = {"shape": "1x16", "givens": [*cells, *others], "constraints": [lunchbox]}
        assert solve(json.dumps(row)).solutions == (said == total)
