"""Boards with more than 64 values are parsed and solved (by a SAT library) like smaller ones.

They support sums and lines, but no candidates.
"""

import json
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import solutions
from numpy_checks import is_solution

from solver import Invalid, Layout, Outcome, Puzzle, parse, solve, solve_many
from solver.board.layout import usual_box
from solver.engines.engine import ABANDON, SolveRequest
from solver.engines.filling import fill, is_fillable
from solver.engines.sat.engine import SatEngine
from solver.formats import recognize
from solver.formats.format import Recognized
from solver.rules.variants import with_variants
from solver.solving import engine_for

ENGINE = SatEngine()


def pattern(box: int) -> list[list[int]]:
    """Return a solved board whose rows are cyclic shifts of each other.

    Its boxes have `box` rows and columns.
    """
    size = box * box
    return [
        [(box * (row % box) + row // box + column) % size + 1 for column in range(size)]
        for row in range(size)
    ]


def with_blanks(rows: list[list[int]], *, every: int) -> list[list[int]]:
    """Return a board with an empty cell wherever row + column is a multiple of `every`."""
    return [
        [0 if (row + column) % every == 0 else value for column, value in enumerate(values)]
        for row, values in enumerate(rows)
    ]


def written(rows: list[list[int]]) -> Iterator[str]:
    """Yield the board as rows, as one line, and as JSON."""
    lines = [" ".join(map(str, row)) for row in rows]
    yield "\n".join(lines)
    yield " ".join(lines)
    yield json.dumps({"givens": rows})


@pytest.mark.parametrize(("box", "every"), [(9, 27), (10, 50)])
def test_large_boards_of_numbers_are_parsed_and_solved(box: int, every: int) -> None:
    board = pattern(box)
    givens = [value for row in with_blanks(board, every=every) for value in row]
    texts = list(written(with_blanks(board, every=every)))
    for text, format_ in zip(texts, ("grid", "line", "ndjson"), strict=True):
        upload = recognize(text.encode(), final=True)
        assert isinstance(upload, Recognized)
        assert upload.format.name == format_
        (puzzle,) = parse(text)
        assert isinstance(puzzle, Puzzle)
        assert list(puzzle.givens) == givens
    assert isinstance(puzzle, Puzzle)
    result = solve(puzzle)
    assert (result.outcome, result.unique) == (Outcome.SOLVED, True)
    assert list(result.solution or ()) == [value for row in board for value in row]


@given(
    st.lists(st.sampled_from([0, 0, 0, 1, 2, 3, 4]), min_size=16, max_size=16),
    st.sampled_from([(), ("antiknight",), ("nonconsecutive",), ("diagonal",)]),
    st.integers(1, 5),
)
@settings(deadline=None)
def test_sat_engine_agrees_with_the_other_engines(
    cells: list[int], variant: tuple[str, ...], limit: int
) -> None:
    layout = with_variants(Layout.boxed(2, 2), variant)
    assert isinstance(layout, Layout)
    givens = np.array([cells], np.uint8)
    expected = solve_many(givens, layout=layout, limit=300)
    request = SolveRequest(layout=layout, givens=givens, limit=limit, step_limit=10_000)
    batch = ENGINE.solve_many(request)
    if expected.outcomes[0] == Outcome.INVALID:
        assert batch.outcomes[0] == Outcome.UNSOLVABLE
        return
    assert batch.counts[0] == min(limit, expected.counts[0])
    assert expected.listed is not None
    every = {tuple(grid) for grid in expected.listed[0].tolist()}
    if batch.counts[0]:
        assert tuple(batch.solutions[0].tolist()) in every
    if batch.listed is not None:
        listed = {tuple(grid) for grid in batch.listed[0].tolist()}
        assert listed <= every
        assert len(listed) == batch.counts[0]


def test_step_limit_is_not_exceeded() -> None:
    layout = Layout.boxed(9, 9)
    assert engine_for(layout).name == "sat"
    blank = np.zeros((1, layout.cells), np.uint8)
    blank[0, : 81 * 60] = np.array(pattern(9)).ravel()[: 81 * 60]
    request = SolveRequest(layout=layout, givens=blank, limit=1, step_limit=3)
    batch = ENGINE.solve_many(request)
    assert (batch.outcomes[0], batch.steps[0]) == (Outcome.STEP_LIMIT, 3)


def test_abandoned_search_returns_no_result() -> None:
    layout = Layout.boxed(2, 2)
    stop = np.full(1, ABANDON, np.uint8)
    request = SolveRequest(layout=layout, givens=np.zeros((2, 16), np.uint8), stop=stop)
    batch = ENGINE.solve_many(request)
    assert len(batch) == 0


@pytest.mark.parametrize("size", [53, 60, 63, 72, 81, 90, 97, 100])
def test_empty_and_nearly_empty_large_boards_are_solved_at_once(size: int) -> None:
    layout = Layout.boxed(*(usual_box(size) or (1, size)))
    givens = np.zeros((3, layout.cells), np.uint8)
    for place in range(9):  # nine cells in different rows, some in the same column or box
        givens[1, size * (place * size // 9) + place % 4] = size - place
    givens[2, [0, size + (layout.box[1] % size or 1), size**2 - 1]] = 7  # in three different boxes
    for limit in (1, 2, 4):
        batch = solve_many(givens, layout=layout, limit=limit, step_limit=0)
        assert batch.outcomes.tolist() == [Outcome.SOLVED if limit == 1 else Outcome.MULTIPLE] * 3
        assert batch.counts.tolist() == [limit] * 3
        for row, own in enumerate(batch.listed or batch.solutions[:, None]):
            assert len({tuple(grid) for grid in own.tolist()}) == len(own)
            assert all(is_solution(layout, givens[row], grid) for grid in own)


def test_large_boards_with_other_rules_or_many_givens_are_searched() -> None:
    layout = Layout.boxed(7, 8)
    diagonal = with_variants(layout, ("diagonal",))
    assert isinstance(diagonal, Layout)
    assert is_fillable(layout)
    assert not is_fillable(diagonal)
    grid = fill(layout, np.zeros(layout.cells, np.uint8), 1)
    assert grid is not None
    grid[0, :90] = 0
    batch = solve_many(grid, layout=layout, limit=2)
    assert batch.counts[0] >= 1
    assert is_solution(layout, grid[0], batch.solutions[0])


def test_values_above_64_conflict_and_all_solutions_are_found() -> None:
    rows = with_blanks(pattern(9), every=27)
    rows[0][1] = rows[0][2] = 77
    (puzzle,) = parse(json.dumps({"givens": rows}))
    result = solve(puzzle) if isinstance(puzzle, Puzzle) else None
    assert result is not None
    assert result.outcome is Outcome.INVALID
    assert (result.detail or "").startswith("77 3 times in row 1")
    few = list(solutions([1, 2, 3, 4, *[0] * 12], (2, 2)))
    givens = np.array([[1, 2, 3, 4, *[0] * 12]], np.uint8)
    request = SolveRequest(layout=Layout.boxed(2, 2), givens=givens, limit=99)
    batch = ENGINE.solve_many(request)
    assert batch.counts[0] == len(few)


def test_large_boards_support_sums_and_lines() -> None:
    rows = with_blanks(pattern(9), every=27)
    blanks = [f"r1c{column + 1}" for column, value in enumerate(rows[0]) if value == 0]
    held = [pattern(9)[0][int(name[3:]) - 1] for name in blanks]
    made: list[dict[str, object]] = [
        {"type": "sum", "cells": blanks, "sum": sum(held)},
        {"type": "thermo", "cells": [name for _, name in sorted(zip(held, blanks, strict=True))]},
    ]
    for constraints in (made, [made[0] | {"sum": sum(held) + 1}]):
        (puzzle,) = parse(
            json.dumps({"shape": "81x81", "givens": rows, "constraints": constraints})
        )
        assert isinstance(puzzle, Puzzle), puzzle
        result = solve(puzzle)
        fits = constraints is made
        assert result.outcome is (Outcome.SOLVED if fits else Outcome.UNSOLVABLE)


def test_large_boards_do_not_support_candidates() -> None:
    (puzzle,) = parse(json.dumps({"shape": "81x81", "candidates": {"r1c1": [1, 2]}}))
    assert isinstance(puzzle, Invalid)
    assert puzzle.detail == "'candidates' needs a board of at most 64 values, not 81"
