"""Compiled checks agree with the NumPy oracle, and `verified` rejects every wrong solution.

The checks of all boards replace those of classic grids if these can't be compiled.
"""

import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy_checks as oracle
import pytest

from solver import Batch, Layout, Outcome, solve_many
from solver.board.checkpoint import Checkpoint
from solver.checks import boards, classic, verification
from solver.rules.variants import with_variants

CLASSIC = Layout.boxed(3, 3)
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def layout_with(name: str) -> Layout:
    layout = with_variants(CLASSIC, (name,))
    assert isinstance(layout, Layout)
    return layout


LAYOUTS = [
    CLASSIC, Layout.boxed(2, 2), Layout.boxed(2, 3), Layout.grid(4, 5, size=7, box=None),
    Layout.grid(1, 70, size=80, box=None), layout_with("antiknight"), layout_with("noties"),
    Layout.overlapping(((0, 0), (0, 3), (3, 0), (3, 3)), (3, 3)),
    Layout.overlapping(((0, 0), (6, 6)), (3, 3)),
]  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: f"{layout.box} {layout.cells}")
def test_compiled_checks_agree_with_the_oracle(layout: Layout) -> None:
    random = np.random.default_rng(7)
    blank = np.zeros((1, layout.cells), np.uint8)
    solved = solve_many(blank, layout=layout, limit=1).solutions.repeat(40, axis=0)
    givens = np.where(random.random(solved.shape) < 0.3, solved, 0).astype(np.uint8)
    for array in (solved, givens):
        for row in range(5, 40):
            cells = random.integers(layout.cells, size=random.integers(3))
            array[row, cells] = random.integers(layout.size + 2, size=len(cells))
    conflicting = boards.have_conflicts(layout, givens)
    assert conflicting.tolist() == oracle.have_conflicts(layout, givens).tolist()
    filled = boards.are_filled(layout, givens, solved)
    assert filled.tolist() == oracle.are_filled(layout, givens, solved).tolist()
    assert 0 < filled.sum() < 40
    assert 0 < conflicting.sum() < 40


@pytest.mark.parametrize("changes", [0, 1, 2, 3])
def test_checks_of_classic_grids_agree_with_the_oracle(changes: int) -> None:
    random = np.random.default_rng(changes)
    solved = np.array([[int(digit) for digit in SOLVED]], np.uint8).repeat(600, axis=0)
    givens = np.where(random.random(solved.shape) < 0.4, solved, 0).astype(np.uint8)
    for array in (solved, givens):
        for row in range(len(array)):
            cells = random.integers(81, size=changes)
            array[row, cells] = random.choice([0, 1, 2, 9, 10, 32, 33, 127, 128, 255], changes)
    conflicting = oracle.have_conflicts(CLASSIC, givens)
    assert (classic.have_conflicts(givens) == conflicting).all()
    right = oracle.are_solutions(CLASSIC, givens, solved)
    assert (classic.are_solutions(givens, solved) == right).all()
    assert conflicting.any() == (changes > 0)
    assert right.all() == (changes == 0)


@pytest.mark.parametrize("house", range(27))
def test_value_twice_in_one_house_is_a_conflict(house: int) -> None:
    """Two equal givens, in cells that share no other house."""
    cells = CLASSIC.houses[house].cells
    for first in cells:
        for second in cells:
            if first < second:
                givens = np.zeros((1, 81), np.uint8)
                givens[0, [first, second]] = 1 + house % 9
                assert classic.have_conflicts(givens)[0]
                assert boards.have_conflicts(CLASSIC, givens)[0]


@pytest.fixture
def _broken_vectors(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def fail(*_: Any) -> None:
        raise RuntimeError("no such instruction")

    monkeypatch.setattr(classic, "have_conflicts", fail)
    verification._classic_checks.cache_clear()
    yield
    verification._classic_checks.cache_clear()


@pytest.mark.usefixtures("_broken_vectors")
def test_checks_of_all_boards_replace_those_of_classic_grids_that_do_not_compile(
    caplog: pytest.LogCaptureFixture,
) -> None:
    solved = np.array([[int(digit) for digit in SOLVED]], np.uint8)
    with caplog.at_level(logging.WARNING):
        assert verification.is_solution(CLASSIC, solved[0], solved[0])
        assert not verification.have_conflicts(CLASSIC, solved)[0]
    assert "no such instruction" in caplog.text


def batch_of(
    solutions: list[np.ndarray], counts: list[int], listed: list[np.ndarray] | None = None
) -> Batch:
    outcomes = [Outcome.SOLVED if count else Outcome.UNSOLVABLE for count in counts]
    return Batch(
        np.array(outcomes, np.uint8),
        np.array(solutions, np.uint8),
        np.array(counts, np.int64),
        np.array([7] * len(counts), np.int64),
        None if listed is None else tuple(listed),
    )


def test_only_puzzles_with_a_wrong_solution_fail(caplog: pytest.LogCaptureFixture) -> None:
    good = np.array([int(digit) for digit in SOLVED], np.uint8)
    swapped = good[[1, 0, *range(2, 81)]]
    given = np.where(np.arange(81) == 0, 9, 0).astype(np.uint8)
    givens = np.array([np.zeros(81), np.zeros(81), given, np.zeros(81)], np.uint8)
    batch = batch_of([good, swapped, good, np.zeros(81)], [1, 1, 1, 0])
    with caplog.at_level(logging.ERROR):
        checked = verification.verified(CLASSIC, givens, batch, None)
    failed, solved, none = Outcome.FAILED, Outcome.SOLVED, Outcome.UNSOLVABLE
    assert checked.outcomes.tolist() == [solved, failed, failed, none]
    assert checked.counts.tolist() == [1, 0, 0, 0]
    assert checked.steps.tolist() == [7] * 4
    assert (checked.solutions[0] == good).all()
    assert not checked.solutions[1:].any()
    assert "2 results of an engine failed verification" in caplog.text


def test_checkpoint_of_the_next_puzzle_survives_a_wrong_solution() -> None:
    """The suspended search belongs to the puzzle after the batch, which hasn't failed."""
    good = np.array([int(digit) for digit in SOLVED], np.uint8)
    swapped = good[[1, 0, *range(2, 81)]]
    checkpoint = Checkpoint({"guesses": np.zeros(1)}, sources="engine")
    batch = replace(batch_of([good, swapped], [1, 1]), checkpoint=checkpoint)
    checked = verification.verified(CLASSIC, np.zeros((3, 81), np.uint8), batch, None)
    assert checked.outcomes.tolist() == [Outcome.SOLVED, Outcome.FAILED]
    assert checked.checkpoint is checkpoint


def test_solutions_outside_the_candidates_fail() -> None:
    good = np.array([int(digit) for digit in SOLVED], np.uint8)
    allowed = np.full((2, 81), (1 << 9) - 1, np.uint64)
    allowed[1, 0] = 1 << 5 | 1 << 3  # 6 or 4, but the solution has 5
    blank = np.zeros((2, 81), np.uint8)
    checked = verification.verified(CLASSIC, blank, batch_of([good, good], [1, 1]), allowed)
    assert checked.outcomes.tolist() == [Outcome.SOLVED, Outcome.FAILED]
    listed = [np.array([good]), np.array([good])]
    checked = verification.verified(CLASSIC, blank, batch_of([good, good], [1, 1], listed), allowed)
    assert checked.listed is not None
    assert list(map(len, checked.listed)) == [1, 0]


def test_one_wrong_solution_among_those_listed_fails_the_puzzle() -> None:
    good = np.array([int(digit) for digit in SOLVED], np.uint8)
    swapped = good[[1, 0, *range(2, 81)]]
    blank = np.zeros((2, 81), np.uint8)
    listed = [np.array([good, swapped]), np.array([good])]
    checked = verification.verified(CLASSIC, blank, batch_of([good, good], [2, 1], listed), None)
    assert checked.outcomes.tolist() == [Outcome.FAILED, Outcome.SOLVED]
    assert checked.listed is not None
    assert list(map(len, checked.listed)) == [0, 1]


def test_listed_solution_outside_the_candidates_fails_the_puzzle() -> None:
    layout = Layout.boxed(1, 2)
    one, other = np.array([1, 2, 2, 1], np.uint8), np.array([2, 1, 1, 2], np.uint8)
    allowed = np.array([[1, 3, 3, 3]], np.uint64)
    batch = batch_of([one], [2], [np.array([one, other])])
    checked = verification.verified(layout, np.zeros((1, 4), np.uint8), batch, allowed)
    assert checked.outcomes.tolist() == [Outcome.FAILED]
