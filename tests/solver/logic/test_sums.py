"""Sums in logic: implied sums of houses and candidate removal, compared with brute force."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.board.layout import Layout
from solver.logic.board_tables import Unexplained, board_of
from solver.logic.deduction import Candidate, read
from solver.logic.deduction_buffer import new_buffer, written
from solver.logic.grid import grid_of
from solver.logic.sums import BOTH_CODE, INNIES_CODE, OUTIES_CODE, Equation, equations
from solver.logic.techniques.sums import SUM
from solver.rules.registry import read_constraint, with_constraints

SMALL = Layout.boxed(2, 2)


def layout_with(*constraints: dict[str, Any]) -> Layout:
    read_constraints = []
    for constraint in constraints:
        known = read_constraint(constraint, layout=SMALL)
        assert not isinstance(known, str)
        read_constraints.append(known)
    layout = with_constraints(SMALL, tuple(read_constraints))
    assert isinstance(layout, Layout)
    return layout


def cage(total: int, *cells: str) -> dict[str, Any]:
    return {"type": "killer", "cells": [*cells], "sum": total}


def known_of(layout: Layout, code: int) -> list[Equation]:
    return [equation for equation in equations(layout) if equation.code == code]


def test_a_layout_without_sums_has_no_equations() -> None:
    assert equations(SMALL) == []


def test_cages_inside_a_row_leave_the_sum_of_its_innies() -> None:
    layout = layout_with(cage(3, "r1c1", "r1c2"))
    row = Equation(INNIES_CODE, ((2, 1), (3, 1)), 7, (0,))
    box = Equation(INNIES_CODE, ((4, 1), (5, 1)), 7, (8,))
    assert {row, box} <= set(known_of(layout, INNIES_CODE))


def test_a_row_without_a_complete_cage_has_no_equation() -> None:
    layout = layout_with(cage(3, "r1c1", "r1c2"), cage(8, "r2c1", "r2c2", "r3c1"))
    assert {(1,), (2,), (3,)}.isdisjoint(known.houses for known in known_of(layout, INNIES_CODE))


def test_cages_around_a_row_give_the_sum_of_its_outies() -> None:
    layout = layout_with(cage(7, "r1c1", "r1c2", "r2c1"), cage(8, "r1c3", "r1c4", "r2c4"))
    assert Equation(OUTIES_CODE, ((4, 1), (7, 1)), 5, (0,)) in known_of(layout, OUTIES_CODE)


def test_a_cage_mostly_inside_a_row_links_an_innie_with_an_outie() -> None:
    layout = layout_with(cage(8, "r1c1", "r1c2", "r1c3", "r2c1"))
    assert Equation(BOTH_CODE, ((3, 1), (4, -1)), 2, (0,)) in known_of(layout, BOTH_CODE)


def test_totals_account_for_numbers_from_zero() -> None:
    from dataclasses import replace

    zero = replace(layout_with(cage(1, "r1c1", "r1c2")), lowest=0)
    assert Equation(INNIES_CODE, ((2, 1), (3, 1)), 5, (0,)) in known_of(zero, INNIES_CODE)


@pytest.mark.parametrize(
    "constraint",
    [
        cage(6, "r1c1", "r1c2", "r2c3"),
        {"type": "sum", "cells": ["r1c1", "r2c3", "r3c1"], "sum": 8},
        {"type": "arrow", "cells": ["r1c1", "r2c2", "r3c3"]},
        {"type": "zipper", "cells": ["r1c1", "r2c3", "r3c2", "r4c4"]},
    ],
    ids=lambda constraint: constraint["type"],
)
@given(candidates=st.lists(st.integers(1, 15), min_size=16, max_size=16))
@settings(max_examples=60, deadline=None)
def test_candidates_outside_all_combinations_are_removed(
    *, constraint: dict[str, Any], candidates: list[int]
) -> None:
    layout = layout_with(constraint)
    board = board_of(layout)
    assert not isinstance(board, Unexplained)
    grid = grid_of(board, [0] * 16, candidates=candidates)
    buffer = new_buffer()
    SUM.all_steps(board, grid, buffer)
    removed, placed = set[Candidate](), set[Candidate]()
    for deduction in read(written(buffer)):
        removed.update(deduction.eliminations)
        placed.update(deduction.placements)
    (part,) = layout.sums
    ways = []
    for values in product(range(1, 5), repeat=len(part.cells)):
        chosen = dict(zip(part.cells, values, strict=True))
        possible = all(candidates[cell] >> (value - 1) & 1 for cell, value in chosen.items())
        differ = all(not board.sees[a, b] or chosen[a] != chosen[b] for a in chosen for b in chosen)
        total = sum(factor * chosen[c] for c, factor in zip(part.cells, part.factors, strict=True))
        if possible and differ and total == part.target:
            ways.append(chosen)
    expected = {
        Candidate(cell, value)
        for cell in range(16)
        for value in range(1, 5)
        if candidates[cell] >> (value - 1) & 1
        and ways
        and all(_rules_out(board, way, cell, value) for way in ways)
    }
    conclusions = {candidate for candidate in expected if candidate.cell in part.cells}
    assert conclusions <= removed <= expected
    assert not placed


def _rules_out(board: Any, way: dict[int, int], cell: int, value: int) -> bool:
    """Return whether one way to make up a sum excludes a candidate."""
    if cell in way:
        return way[cell] != value
    return any(other == value and board.sees[cell, at] for at, other in way.items())
