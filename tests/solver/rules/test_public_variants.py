"""The public variant puzzles are parsed and have the published solutions.

Public jigsaw layouts are filled or proved to be impossible.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy_checks import is_solution

from solver import Invalid, Layout, Outcome, Puzzle, parse, solve, solve_many
from solver.rules.regions import read_regions, with_regions


def records(public_data: Path) -> list[dict[str, Any]]:
    text = (public_data / "variants" / "puzzles.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def read(text: str) -> Puzzle | Invalid:
    return parse("".join(text.split()), format="auto")[0]


# Published as unique, but its rules allow 201 solutions. Interactive Sudoku Solver finds one, yet
# accepts another of the 201 under each rule alone.
AMBIGUOUS = {"0-indexed: Sums and indexing"}


def test_every_public_variant_has_only_its_published_solution(public_data: Path) -> None:
    for record in records(public_data):
        puzzle = read(record["input"])
        assert isinstance(puzzle, Puzzle), puzzle.detail
        letters = {letter: value for value, letter in enumerate("ABCDEFGHIJKLMNOP", 1)}
        lowest = puzzle.layout.lowest
        expected = tuple(
            letters[c] if c in letters else int(c) - lowest + 1 for c in record["solution"]
        )
        givens = np.array(puzzle.givens, np.uint8)
        assert is_solution(puzzle.layout, givens, np.array(expected, np.uint8)), record["name"]
        result = solve(puzzle)
        if record["name"] in AMBIGUOUS:
            assert result.outcome is Outcome.MULTIPLE, record["name"]
            continue
        assert result.outcome is Outcome.SOLVED, record["name"]
        assert result.solution == expected, record["name"]


@pytest.mark.parametrize(
    ("name", "outcome", "count"),
    [("fillable", Outcome.SOLVED, 500), ("unfillable", Outcome.UNSOLVABLE, 52)],
)
def test_jigsaw_layouts_are_filled_or_proved_impossible(
    public_data: Path, name: str, outcome: Outcome, count: int
) -> None:
    text = (public_data / "variants" / f"jigsaw-layouts-{name}.txt").read_text()
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    outcomes: Counter[int] = Counter()
    for line in lines:
        labels = read_regions(line)
        assert not isinstance(labels, str)
        layout = with_regions(Layout.boxed(3, 3), labels)
        assert isinstance(layout, Layout)
        blank = np.zeros((1, 81), np.uint8)
        # Two of the unsolvable layouts take 130,000 and 410,000 guesses.
        batch = solve_many(blank, layout=layout, limit=1, step_limit=50_000)
        outcomes.update(batch.outcomes.tolist())
    left = {Outcome.STEP_LIMIT: len(lines) - count} if len(lines) > count else {}
    assert outcomes == {outcome: count} | left
