"""Conflicts are described with all of their cells, and candidates are what the givens leave."""

from dataclasses import replace

import numpy as np
import pytest
from naive import solutions

from solver import Layout
from solver.board.symbols import Symbols
from solver.checks.givens import candidates, find_conflict
from solver.rules.registry import RULES, with_constraints
from solver.rules.rule import Constraint
from solver.rules.variants import with_variants

BOARD = Layout.boxed(3, 3)
LETTERS = Symbols(tuple("ABCDEFGHI"))


def conflict(layout: Layout, **values: int) -> str | None:
    """Return the description of the first conflict of givens by cell name, or None."""
    givens = np.zeros(layout.cells, np.uint8)
    for name, value in values.items():
        cell = layout.cell_named(name)
        assert cell is not None
        givens[cell] = value
    return find_conflict(layout, givens, LETTERS)


def variant(name: str, layout: Layout = BOARD) -> Layout:
    found = with_variants(layout, (name,))
    assert isinstance(found, Layout)
    return found


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"r1c1": 1, "r1c9": 1}, "A twice in row 1: r1c1, r1c9"),
        ({"r1c1": 9, "r9c1": 9}, "I twice in column 1: r1c1, r9c1"),
        ({"r7c7": 2, "r9c9": 2}, "B twice in box 9: r7c7, r9c9"),
        ({"r4c1": 3, "r4c2": 3, "r4c9": 3}, "C 3 times in row 4: r4c1, r4c2, r4c9"),
        ({"r2c1": 8, "r2c2": 8, "r2c5": 7, "r2c6": 7}, "G twice in row 2: r2c5, r2c6"),
        ({"r1c1": 1, "r2c4": 1, "r4c2": 1, "r5c5": 2}, None),
    ],
)
def test_first_conflict_is_described(values: dict[str, int], text: str | None) -> None:
    assert conflict(BOARD, **values) == text


def test_conflict_of_a_pair_is_described() -> None:
    knights = variant("antiknight")
    assert conflict(knights, r1c3=5, r2c5=5) == "E twice, a knight's move apart: r1c3, r2c5"
    assert conflict(knights, r1c3=5, r2c5=6) is None
    assert conflict(BOARD, r1c3=5, r2c5=5) is None
    assert conflict(variant("noties"), r1c3=5) is None  # its pairs are of auxiliary cells
    cage = with_constraints(BOARD, (Constraint(RULES["killer"], (0, 12), 9),))
    assert isinstance(cage, Layout)
    assert conflict(cage, r1c1=5, r2c4=5) == "E twice, in a cage: r1c1, r2c4"


def test_candidates_exclude_the_givens_of_all_houses_and_pairs() -> None:
    layout = variant("antiknight", Layout.boxed(2, 2))
    givens = np.array([[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]], np.uint8)[0]
    left = candidates(layout, givens)
    assert left[0] == left[15] == ()
    assert left[1] == (2, 3, 4)  # the row and the box have 1
    assert left[3] == (3, 4)  # the row has 1, and the column 2
    assert left[6] == (3, 4)  # a knight's move from both
    assert left[10] == (1, 3, 4)  # the box has 2
    assert left[5] == (2, 3, 4)


def test_candidates_include_every_value_of_a_solution() -> None:
    givens = np.array([1, 0, 0, 0, 0, 0, 3, 0, 0, 2, 0, 0, 0, 0, 0, 4], np.uint8)
    layout = Layout.boxed(2, 2)
    left = candidates(layout, givens)
    for grid in solutions(givens.tolist(), (2, 2)):
        for cell, value in enumerate(grid):
            assert givens[cell] or value in left[cell]


def test_holes_have_no_candidates() -> None:
    layout = replace(Layout.grid(3, 3, size=4, box=None), holes=frozenset({4}))
    left = candidates(layout, np.zeros(9, np.uint8))
    assert left[4] == ()
    assert left[0] == (1, 2, 3, 4)
