"""Ratings and steps, compared with the original Sudoku Explainer's.

Ratings of variants are compared with SukakuExplainer's. No step removes a digit of the solution.
"""

from itertools import groupby
from operator import itemgetter

import numpy as np
import pytest
from numpy.typing import NDArray
from paths import DATA, PUBLIC

from solver.board.layout import Layout
from solver.engines.classic.engine import ClassicEngine
from solver.engines.engine import ABANDON, SolveRequest
from solver.logic.sudoku_explainer.rating import Step, rate_many, steps
from solver.logic.sudoku_explainer.techniques import TABLE
from solver.logic.sudoku_explainer.variants import RULES, variant_of
from solver.rules.variants import with_variants

CASES = DATA / "explainer" / "ratings.txt"
VARIANT_CASES = DATA / "explainer" / "variants.txt"
RATED = PUBLIC / "ratings" / "se-rated.tsv"
GO_ON = np.zeros(1, np.uint8)


def grid(text: str) -> NDArray[np.uint8]:
    return np.array([int(c) if c.isdigit() else 0 for c in text], np.uint8)


def cases() -> list[tuple[str, list[int]]]:
    rows = [line.split() for line in CASES.read_text().splitlines() if line[:1] != "#"]
    return [(puzzle, [round(float(x) * 10) for x in rated.split("/")]) for puzzle, rated in rows]


def solution(puzzle: str) -> list[int]:
    request = SolveRequest(layout=Layout.boxed(3, 3), givens=grid(puzzle)[None])
    batch = ClassicEngine().solve_many(request)
    return [int(value) for value in batch.solutions[0]]


@pytest.fixture(scope="module")
def solving_paths() -> list[tuple[str, list[Step]]]:
    return [(puzzle, list(steps(grid(puzzle)))) for puzzle, _ in cases()]


def test_ratings_equal_sudoku_explainers() -> None:
    puzzles, expected = zip(*cases(), strict=True)
    rated = np.array(rate_many(np.array([grid(puzzle) for puzzle in puzzles]), stop=GO_ON)).T
    assert rated.tolist() == list(expected)


def test_ratings_of_variants_equal_sukaku_explainers() -> None:
    lines = [line.split() for line in VARIANT_CASES.read_text().splitlines() if line[:1] != "#"]
    assert {name for names, _, _ in lines for name in names.split(",")} == set(RULES)
    for variant, rows in groupby(lines, key=itemgetter(0)):
        _, puzzles, expected = zip(*rows, strict=True)
        givens = np.array([grid(puzzle) for puzzle in puzzles])
        rated = np.array(rate_many(givens, variant=frozenset(variant.split(",")), stop=GO_ON)).T
        texts = ["/".join(str(tenths / 10) for tenths in row) for row in rated.tolist()]
        assert texts == list(expected), variant


def test_only_boards_with_supported_rules_have_a_variant() -> None:
    classic = Layout.boxed(3, 3)
    assert variant_of(classic) == frozenset()
    assert variant_of(Layout.boxed(2, 3)) is None
    for names in (RULES, RULES[::-1], ("diagonal", "nonconsecutive")):
        layout = with_variants(classic, names)
        assert isinstance(layout, Layout)
        assert variant_of(layout) == frozenset(names)
    for name in ("asterisk", "argyle", "toroidalantiknight"):
        layout = with_variants(classic, ("diagonal", name))
        assert isinstance(layout, Layout)
        assert variant_of(layout) is None


def test_the_hardest_step_gives_the_rating(
    solving_paths: list[tuple[str, list[Step]]],
) -> None:
    for (_, expected), (_, walk) in zip(cases(), solving_paths, strict=True):
        assert round(max(step.rating for step in walk) * 10) == expected[0]
        assert round(walk[0].rating * 10) == expected[2]


def test_no_step_removes_a_digit_of_the_solution(
    solving_paths: list[tuple[str, list[Step]]],
) -> None:
    for puzzle, walk in solving_paths:
        digits = solution(puzzle)
        for _, deduction in walk:
            assert deduction.placements or deduction.eliminations
            assert all(digits[cell] == value for cell, value in deduction.placements)
            assert all(digits[cell] != value for cell, value in deduction.eliminations)


def test_no_step_has_a_lower_rating_than_its_technique(
    solving_paths: list[tuple[str, list[Step]]],
) -> None:
    for _, walk in solving_paths:
        for rating, deduction in walk:
            assert rating >= TABLE[int(deduction.code)].rating


def test_only_the_first_node_of_a_chain_has_no_link(
    solving_paths: list[tuple[str, list[Step]]],
) -> None:
    dependencies = [step for _, walk in solving_paths for step in walk if step.deduction.chains]
    assert dependencies
    for _, deduction in dependencies:
        assert deduction.chains[0][0].link == ""
        assert all(node.link for chain in deduction.chains for node in chain[1:])


def test_an_abandoned_batch_has_fewer_ratings() -> None:
    puzzles = np.array([grid(puzzle) for puzzle, _ in cases()])
    stop = np.full(1, ABANDON, np.uint8)
    assert [len(column) for column in rate_many(puzzles, stop=stop)] == [0, 0, 0]


@pytest.mark.skipif(not RATED.exists(), reason="the public ratings are not here")
def test_public_ratings_agree() -> None:
    rows = [line.split("\t") for line in RATED.read_text().splitlines() if line[:1] != "#"][::7]
    rated = rate_many(np.array([grid(puzzle) for puzzle, _ in rows]), stop=GO_ON)
    expected = [round(float(rating) * 10) for _, rating in rows]
    assert np.mean(rated.er == expected) >= 0.995
