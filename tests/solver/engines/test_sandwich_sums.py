"""Sums between the lowest and the highest number: fillings, search propagator, and automata."""

from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import solutions
from searches import learn

from solver import Layout, Puzzle, parse
from solver.board.primitive_constraints import Filling, Links, Sandwich
from solver.board.sandwich_automaton import sandwich_automaton_of
from solver.checks.constraints import are_kept
from solver.compiling.jit import compiled
from solver.engines.general.backtracking.domains import clear_work, list_places
from solver.engines.general.backtracking.sandwiches import propagate_sandwich
from solver.engines.general.backtracking.state import new_state
from solver.engines.general.backtracking.tables import tables_of
from solver.engines.general.clause_learning.tables import problem_of
from solver.rules.sandwich_fillings import sandwich_of

SIZE = 6
FOURS = [tuple(grid) for grid in solutions([0] * 16, (2, 2))]


def is_filled(numbers: tuple[int, ...], total: int, ends: tuple[int, int] | None) -> bool:
    low, high = ends or (min(numbers), max(numbers))
    if low not in numbers or high not in numbers:
        return False
    begin, end = sorted((numbers.index(low), numbers.index(high)))
    return sum(numbers[begin + 1 : end]) == total


def row_of(length: int, total: int, lowest: int, *, outermost: bool) -> Layout:
    """Return a row of distinct cells whose lowest and highest number have `total` between them.

    With `outermost`, these two must be the lowest and the highest number of the board.
    """
    row = Layout.free(1, length, size=SIZE).changed(lowest=lowest)
    cells = tuple(range(length))
    pairs = tuple((a, b) for a in cells for b in cells[:a])
    made = sandwich_of(cells, total, row, outermost=outermost)
    assert made is not None
    return row.changed(sandwiches=(made,), links=(Links("apart", pairs),))


def words_of(layout: Layout, total: int, *, outermost: bool) -> set[tuple[int, ...]]:
    """Return all valid fillings of the cells, with values from 0, by brute force."""
    numbers = layout.numbers
    ends = (numbers[0], numbers[-1]) if outermost else None
    return {
        tuple(number - layout.lowest for number in word)
        for word in permutations(numbers, layout.cells)
        if is_filled(word, total, ends)
    }


@compiled
def kept(tables: Any, grids: Any) -> Any:
    """Propagate the sandwich sum in each grid. The result is all zeros after a conflict."""
    state = new_state(tables)
    found = np.zeros_like(grids)
    for n in range(grids.shape[0]):
        state.work.grid[:] = grids[n]
        list_places(state.work.grid, state.work.places)
        sandwiches, words = tables.sandwiches, tables.peer_words
        if propagate_sandwich(0, sandwiches, state.sandwich, words, tables.dependents, state.work):
            found[n] = state.work.grid
        clear_work(state.work)
    return found


CASES = st.tuples(st.integers(2, SIZE), st.integers(0, 14), st.integers(0, 1), st.booleans())


@given(case=CASES)
@settings(max_examples=60, deadline=None)
def test_automata_accept_exactly_the_fillings(case: tuple[int, int, int, bool]) -> None:
    length, total, lowest, outermost = case
    layout = row_of(length, total, lowest, outermost=outermost)
    automaton = sandwich_automaton_of(layout.sandwiches[0], SIZE)
    read = set()
    for word in permutations(range(SIZE), length):
        state: int | None = 0
        for place, value in enumerate(word):
            state = None if state is None else automaton.follow(state, value, place)
        if state is not None and automaton.ends[state]:
            read.add(word)
    assert read == words_of(layout, total, outermost=outermost)


@given(case=CASES, boards=st.lists(st.lists(st.integers(1, 63), min_size=6, max_size=6)))
@settings(max_examples=200, deadline=None)
def test_propagation_keeps_every_filling_and_accepts_no_wrong_one(
    case: tuple[int, int, int, bool], boards: list[list[int]]
) -> None:
    length, total, lowest, outermost = case
    layout = row_of(length, total, lowest, outermost=outermost)
    tables = tables_of(layout)
    words = words_of(layout, total, outermost=outermost)
    grids = np.array([board[:length] for board in boards], np.uint64).reshape(-1, length)
    for grid, left in zip(grids.tolist(), kept(tables, grids).tolist(), strict=True):
        cells = [[v for v in range(SIZE) if word >> v & 1] for word in grid]
        exact = [0] * length
        for word in words.intersection(product(*cells)):
            exact = [some | 1 << value for some, value in zip(exact, word, strict=True)]
        assert all(own & ~other == 0 for own, other in zip(exact, left, strict=True))
        assert all(own & ~other == 0 for own, other in zip(left, grid, strict=True))
    whole = list(permutations(range(SIZE), length))[::7]
    single = np.array([[1 << value for value in word] for word in whole], np.uint64)
    assert [any(left) for left in kept(tables, single).tolist()] == [
        word in words for word in whole
    ]


@pytest.mark.parametrize(
    "text",
    [
        ".Lunchbox~5~R1C1~R1C2~R1C3~R1C4",
        ".Lunchbox~2~R1C1~R1C2~R3C3.Lunchbox~0~R4C1~R3C1",
        ".Sandwich~2~R2.Sandwich~0~C3.Lunchbox~3~R4C1~R3C1~R3C3",
    ],
)
def test_clause_learning_finds_the_same_solutions(text: str) -> None:
    (puzzle,) = parse(f".Shape~4x4{text}")
    assert isinstance(puzzle, Puzzle)
    layout = puzzle.layout
    assert layout.sandwiches
    problem = problem_of(layout)
    _, count, _, found = learn(np.full(16, 15, np.uint64), problem, 1000)
    expected = {grid for grid in FOURS if are_kept(layout.constraints, grid, layout)}
    assert count == len(expected) > 0
    assert {tuple(grid) for grid in found[:count].tolist()} == expected


def test_too_many_fillings_are_not_listed() -> None:
    board = Layout.boxed(6, 6)
    cells = board.houses[0].cells
    assert sandwich_of(cells, 300, board, outermost=True) is None
    assert sandwich_of(cells, 0, board, outermost=True) == Sandwich(
        cells, (Filling(1, 1 << 35, 0, (1 << 35) - 2),)
    )
