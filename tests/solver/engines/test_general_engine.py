"""Backtracking search finds the 4×4 grids that satisfy each kind of primitive constraint.

The grids are those of the naive solver. Propagation, limits, and holes have tests of their own.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import solutions
from searches import backtrack, learn

from solver import Layout, Puzzle, parse, solve
from solver.board.automaton import Automaton, unroll
from solver.board.primitive_constraints import (
    Combination,
    Disjunction,
    Domain,
    House,
    Links,
    Regular,
    Relation,
    Searchable,
    Sum,
)
from solver.compiling.jit import compiled
from solver.engines.general.all_different import as_bits, cells_of
from solver.engines.general.automaton_tables import tables_of_automata
from solver.engines.general.backtracking.domains import list_places
from solver.engines.general.backtracking.state import new_state
from solver.engines.general.backtracking.tables import tables_of
from solver.engines.general.backtracking.value_sets import apply_pointing, propagate_value_sets
from solver.engines.general.clause_learning.tables import problem_of
from solver.engines.general.graph import graph_of
from solver.engines.search_outcome import EXHAUSTED, LIMIT_REACHED, STEP_LIMIT_REACHED, TOO_HARD

GRIDS = list(solutions([0] * 16, (2, 2)))
FACTORS = [-100, -10, -3, -2, -1, 1, 1, 1, 2, 5, 10, 40]
BOARD = Layout.boxed(2, 2)


def backtrack_on(
    layout: Layout, limit: int, *, steps: int = 10**6, conflict_limit: int = 10**6
) -> Any:
    """Search a layout's empty board. Returns (outcome, number of solutions, set of solutions).

    The number of guesses must be within `steps`.
    """
    domains = np.full(layout.cells, (1 << layout.size) - 1, np.uint64)
    domains[list(layout.holes)] = 0
    search_outcome, count, guesses, kept = backtrack(
        domains, tables_of(layout), limit, steps=steps, conflicts=conflict_limit
    )
    assert guesses <= steps
    return search_outcome, count, {tuple(grid) for grid in kept[:count].tolist()}


@compiled
def _point(word, cells, bit, tables):  # type: ignore[no-untyped-def]
    work = new_state(tables).work
    work.grid[:] = word
    list_places(work.grid, work.places)
    is_alive = apply_pointing(0, len(cells), bit, cells, tables.peer_words, tables.dependents, work)
    return is_alive, work.grid


def test_pointing_removes_a_value_from_common_peers_and_fails_without_places() -> None:
    tables, cells = tables_of(BOARD), np.array([0, 1], np.int32)
    is_alive, grid = _point(np.uint64(0b1111), cells, np.uint64(0b0010), tables)
    assert is_alive
    assert grid.tolist() == [15, 15, 13, 13, 13, 13, *[15] * 10]
    is_alive, grid = _point(np.uint64(0b1101), cells, np.uint64(0b0010), tables)
    assert not is_alive
    assert grid.tolist() == [13] * 16


@compiled
def _places(grid, tables):  # type: ignore[no-untyped-def]
    work = new_state(tables).work
    list_places(grid, work.places)
    return work.places


@given(st.lists(st.integers(0, 511), min_size=81, max_size=81))
@settings(max_examples=40, deadline=None)
def test_places_list_the_cells_with_a_candidate(grid: list[int]) -> None:
    tables = tables_of(Layout.boxed(3, 3))
    places = _places(np.array(grid, np.uint64), tables)
    cells = [[cell for cell in range(81) if grid[cell] >> value & 1] for value in range(9)]
    assert [cells_of(first | second << 64) for first, second in places.tolist()] == cells


@pytest.mark.parametrize(
    ("layout", "auxiliary_count", "words", "most"),
    [
        (Layout.boxed(1, 1), 100, 1, 0),
        (Layout.boxed(2, 2), 0, 1, 2),
        (Layout.boxed(2, 2), 100, 1, 2),
        (Layout.boxed(3, 3), 100, 2, 3),
        (Layout.boxed(2, 8), 0, 4, 8),
        (Layout.free(3, 3, size=2), 0, 0, 0),
    ],
)
def test_graph_has_the_words_with_peers_and_the_largest_house_overlap(
    layout: Layout, auxiliary_count: int, words: int, most: int
) -> None:
    graph = graph_of(replace(layout, auxiliary_count=auxiliary_count))
    assert (graph.words, graph.most_shared) == (words, most)
    houses = [[*house.cells] for house in layout.houses if len(house.cells) == layout.size]
    assert [cells_of(as_bits(own)) for own in houses] == graph.houses.tolist()
    rows = graph.house_words.tolist()
    marked = [sum(word << 64 * n for n, word in enumerate(row)) for row in rows]
    assert marked == [as_bits(own) for own in houses]


PAIRS = st.tuples(st.integers(0, 15), st.integers(0, 15)).filter(lambda pair: pair[0] != pair[1])


@given(grid=st.sampled_from(GRIDS), pairs=st.lists(PAIRS, min_size=1, max_size=6))
@settings(max_examples=80, deadline=None)
def test_search_finds_the_grids_that_satisfy_sums_of_pairs(
    grid: list[int], pairs: list[tuple[int, int]]
) -> None:
    relations = []
    for one, other in pairs:
        target = grid[one] + grid[other]
        allowed = tuple(1 << target - n - 1 if 0 < target - n < 5 else 0 for n in range(1, 5))
        relations.append(Relation(((one, other), (other, one)), allowed))
    expected = {
        tuple(each)
        for each in GRIDS
        if all(each[a] + each[b] == grid[a] + grid[b] for a, b in pairs)
    }
    assert backtrack_on(replace(BOARD, relations=tuple(relations)), 1000) == (
        EXHAUSTED,
        len(expected),
        expected,
    )


@given(st.lists(PAIRS, min_size=1, max_size=12))
@settings(max_examples=100, deadline=None)
def test_search_finds_the_grids_that_satisfy_not_equal_pairs(pairs: list[tuple[int, int]]) -> None:
    layout = replace(BOARD, links=(Links("drawn", tuple(pairs)),))
    expected = {tuple(grid) for grid in GRIDS if all(grid[a] != grid[b] for a, b in pairs)}
    assert backtrack_on(layout, 1000) == (EXHAUSTED, len(expected), expected)


def not_twice(pairs: list[tuple[int, int]], values: set[int]) -> Relation:
    """Return a relation that forbids the two cells of each pair the same value of `values`."""
    allowed = tuple(15 ^ (1 << value) * (value in values) for value in range(4))
    return Relation((*pairs, *[(two, one) for one, two in pairs]), allowed)


@given(st.lists(st.tuples(PAIRS, st.sets(st.integers(0, 3))), min_size=1, max_size=12))
@settings(max_examples=100, deadline=None)
def test_search_finds_the_grids_without_forbidden_repeats(
    bound: list[tuple[tuple[int, int], set[int]]],
) -> None:
    relations = tuple(not_twice([pair], values) for pair, values in bound)
    expected = {
        tuple(grid)
        for grid in GRIDS
        if not any(grid[a] == grid[b] and grid[a] - 1 in values for (a, b), values in bound)
    }
    found = backtrack_on(replace(BOARD, relations=relations), 1000)
    assert found == (EXHAUSTED, len(expected), expected)


def test_relations_that_forbid_equal_values_make_peers() -> None:
    seen_twice = not_twice([(0, 15), (1, 15)], {1})
    layout = replace(BOARD, relations=(seen_twice, Relation((), (15,) * 4)))
    cells = np.array([0, 1], np.int32)
    for value, left in ((0, 15), (1, 13), (2, 15)):
        _, grid = _point(np.uint64(15), cells, np.uint64(1 << value), tables_of(layout))
        assert grid[15] == left


@st.composite
def sums(draw: st.DrawFn) -> Sum:
    """Draw a sum that some grid satisfies, or one that hardly any grid satisfies."""
    cells = draw(st.lists(st.integers(0, 15), min_size=1, max_size=8, unique=True))
    factors = [draw(st.sampled_from(FACTORS)) for _ in cells]
    grid = draw(st.sampled_from(GRIDS))
    target = sum(factor * grid[cell] for cell, factor in zip(cells, factors, strict=True))
    return Sum(tuple(cells), tuple(factors), target + draw(st.sampled_from([0, 0, 0, 1, -7])))


@given(st.lists(sums(), min_size=1, max_size=4))
@settings(max_examples=300, deadline=None)
def test_search_finds_the_grids_that_satisfy_sums_with_factors(found: list[Sum]) -> None:
    layout = replace(BOARD, sums=tuple(found))
    expected = {
        tuple(grid)
        for grid in GRIDS
        if all(
            sum(f * grid[c] for c, f in zip(one.cells, one.factors, strict=True)) == one.target
            for one in found
        )
    }
    search_outcome, count, grids = backtrack_on(layout, 1000)
    assert (search_outcome, count, grids) == (EXHAUSTED, len(expected), expected)
    domains = np.full(16, 15, np.uint64)
    _, learned, _, _ = learn(domains, problem_of(layout), 1000)
    assert learned == len(expected)


def rises(length: int) -> Automaton:
    found = unroll(
        length,
        numbers=range(1, 5),
        start=0,
        follow=lambda last, number, _: number if number > last else None,
        accepts=lambda _: True,
    )
    assert isinstance(found, Automaton)
    return found


@given(st.lists(st.lists(st.integers(0, 15), min_size=2, max_size=3), min_size=1, max_size=3))
@settings(max_examples=100, deadline=None)
def test_automata_can_read_a_cell_twice(lines: list[list[int]]) -> None:
    layout = replace(BOARD, regulars=tuple(Regular(tuple(c), rises(len(c))) for c in lines))
    expected = {
        tuple(grid)
        for grid in GRIDS
        if all(grid[a] < grid[b] for line in lines for a, b in pairwise(line))
    }
    search_outcome, count, grids = backtrack_on(layout, 1000)
    assert (search_outcome, count, grids) == (EXHAUSTED, len(expected), expected)


@st.composite
def groups(draw: st.DrawFn) -> Combination:
    """Draw cells and the sets of values, as bits, of which they must contain one exactly."""
    cells = draw(st.lists(st.integers(0, 15), min_size=1, max_size=7, unique=True))
    sets = draw(st.lists(st.integers(1, 15), min_size=0, max_size=4, unique=True))
    return Combination(tuple(cells), tuple(sets))


@given(st.lists(groups(), min_size=1, max_size=4))
@settings(max_examples=300, deadline=None)
def test_search_finds_the_grids_that_satisfy_value_sets(found: list[Combination]) -> None:
    layout = replace(BOARD, combinations=tuple(found))
    expected = {
        tuple(grid)
        for grid in GRIDS
        if all(
            sum(1 << value - 1 for value in {grid[cell] for cell in one.cells}) in one.sets
            for one in found
        )
    }
    search_outcome, count, grids = backtrack_on(layout, 1000)
    assert (search_outcome, count, grids) == (EXHAUSTED, len(expected), expected)
    domains = np.full(16, 15, np.uint64)
    _, count, _, learned = learn(domains, problem_of(layout), 1000)
    assert (count, {tuple(grid) for grid in learned[:count].tolist()}) == (len(expected), expected)


PART_KINDS = ("domain", "links", "relation", "sum", "regular", "combination", "house")


def holds(part: Searchable, grid: Sequence[int]) -> bool:
    """Return whether a grid satisfies a primitive constraint, according to its docstring.

    The only automata here are those of `rises`.
    """
    match part:
        case Domain():
            return bool(part.allowed >> grid[part.cell] - 1 & 1)
        case Links():
            return all(grid[a] != grid[b] for a, b in part.pairs)
        case Relation():
            return all(part.allowed[grid[a] - 1] >> grid[b] - 1 & 1 for a, b in part.pairs)
        case Sum():
            values = [grid[cell] for cell in part.cells]
            return bool(np.dot(part.factors, values) == part.target)
        case Combination():
            held = sum(1 << value - 1 for value in {grid[cell] for cell in part.cells})
            return held in [*part.sets]
        case House():
            return len({grid[cell] for cell in part.cells}) == len(part.cells)
        case Regular():
            return all(grid[a] < grid[b] for a, b in pairwise(part.cells))
    raise AssertionError(part)


@st.composite
def parts_of_options(draw: st.DrawFn) -> Any:
    """Draw a primitive constraint of a kind that options of a disjunction may contain."""
    cells = tuple(draw(st.lists(st.integers(0, 15), min_size=2, max_size=3, unique=True)))
    match draw(st.sampled_from(PART_KINDS)):
        case "domain":
            return Domain(cells[0], draw(st.integers(1, 15)))
        case "links":
            return Links("apart", ((cells[0], cells[1]),))
        case "relation":
            words = st.lists(st.integers(0, 15), min_size=4, max_size=4)
            return Relation(((cells[0], cells[1]),), tuple(draw(words)))
        case "sum":
            return Sum(cells, (1, 1, -1)[: len(cells)], draw(st.integers(-1, 9)))
        case "regular":
            return Regular(cells, rises(len(cells)))
        case "combination":
            sets = draw(st.lists(st.integers(1, 15), max_size=3, unique=True))
            return Combination(cells, tuple(sets))
    return House("cage", 0, cells)


@given(
    st.lists(
        st.lists(st.lists(parts_of_options(), min_size=1, max_size=3), min_size=1, max_size=4),
        min_size=1,
        max_size=4,
    )
)
@settings(max_examples=300, deadline=None)
def test_search_finds_the_grids_that_satisfy_an_option_of_each_disjunction(
    disjunctions: list[list[list[Any]]],
) -> None:
    found = [Disjunction(tuple(map(tuple, options)), lambda _: None) for options in disjunctions]
    layout = replace(BOARD, disjunctions=tuple(found))
    expected = {
        tuple(grid)
        for grid in GRIDS
        if all(
            any(all(holds(part, grid) for part in option) for option in choice.options)
            for choice in found
        )
    }
    search_outcome, count, grids = backtrack_on(layout, 1000)
    assert (search_outcome, count, grids) == (EXHAUSTED, len(expected), expected)


@compiled
def _combine(words, tables):  # type: ignore[no-untyped-def]
    state = new_state(tables)
    work = state.work
    work.grid[:] = words
    list_places(work.grid, work.places)
    is_alive = propagate_value_sets(
        0, tables.value_sets, state.value_set, tables.peer_words, tables.dependents, work
    )
    return is_alive, work.grid


@given(st.lists(st.integers(1, 15), min_size=1, max_size=3), st.data())
@settings(max_examples=300, deadline=None)
def test_up_to_three_cells_keep_exactly_the_values_of_possible_sets(
    words: list[int], data: st.DataObject
) -> None:
    every = [values for values in range(1, 16) if values.bit_count() == len(words)]
    sets = data.draw(st.lists(st.sampled_from(every), max_size=4, unique=True))
    cells = tuple(range(len(words)))
    layout = replace(Layout.free(1, 4, size=4), combinations=(Combination(cells, tuple(sets)),))
    choices = [[1 << k for k in range(4) if word >> k & 1] for word in words]
    held = [each for each in product(*choices) if len({*each}) == len(each) and sum(each) in sets]
    grid = np.array([*words, *[15] * (4 - len(words))], np.uint64)
    is_alive, left = _combine(grid, tables_of(layout))
    assert is_alive == bool(held)
    if held:
        assert left[: len(words)].tolist() == [sum({*own}) for own in zip(*held, strict=True)]


def test_equal_automata_share_their_states() -> None:
    found = tables_of_automata([((0, 1), rises(2)), ((4, 5), rises(2))], 4)
    assert found.first_states[0] != found.first_states[1]
    once = rises(3)
    found = tables_of_automata([((0, 1, 2), once), ((4, 5, 6), once)], 4)
    assert found.first_states.tolist() == [0, 0]
    assert found.layers.tolist()[-1] == len(found.masks) - 1


@pytest.mark.parametrize(
    ("limit", "steps", "conflict_limit", "search_outcome"),
    [
        (2, 10**6, 10**6, LIMIT_REACHED),
        (1000, 3, 10**6, STEP_LIMIT_REACHED),
        (1000, 10**6, 10**6, EXHAUSTED),
    ],
)
def test_search_ends_at_the_first_limit_it_reaches(
    limit: int, steps: int, conflict_limit: int, search_outcome: int
) -> None:
    assert (
        backtrack_on(BOARD, limit, steps=steps, conflict_limit=conflict_limit)[0] == search_outcome
    )


def test_search_ends_as_too_hard_at_the_conflict_limit() -> None:
    factors = tuple(7 * cell * cell % 23 + 1 for cell in range(16))
    target = sum(factor * value for factor, value in zip(factors, GRIDS[200], strict=True))
    layout = replace(BOARD, sums=(Sum(tuple(range(16)), factors, target),))
    assert backtrack_on(layout, 1000, conflict_limit=0)[0] == TOO_HARD
    search_outcome, _, grids = backtrack_on(layout, 1000)
    assert search_outcome == EXHAUSTED
    assert tuple(GRIDS[200]) in grids


def test_holes_stay_empty() -> None:
    board = '{"grids": ["r1c1", "r3c3"], "box": "2x2", "givens": "' + "." * 36 + '"}'
    (puzzle,) = parse(board)
    assert isinstance(puzzle, Puzzle)
    solution = solve(puzzle).solution
    assert solution is not None
    assert {cell for cell, value in enumerate(solution) if value == 0} == puzzle.layout.holes


def test_diagonals_have_no_holes() -> None:
    holes = {0, 8}
    cells = [cell for cell in range(9) if cell not in holes]
    lines = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]
    pairs = {pair for line in lines for pair in combinations(sorted(line - holes), 2)}
    grids = [dict(zip(cells, values, strict=True)) for values in product(range(4), repeat=7)]
    right = [grid for grid in grids if all(grid[a] != grid[b] for a, b in pairs)]
    board = '{"shape": "3x3", "size": 4, "holes": ["r1c1", "r3c3"], "variant": "diagonal"}'
    assert solve(board, limit=1000).solutions == len(right) == 216


def test_candidates_of_other_cells_leave_holes_empty() -> None:
    board = '{"shape": "2x2", "holes": ["r2c2"], "candidates": {"r1c1": [2]}}'
    assert solve(board).solution == (2, 1, 1, 0)


def test_a_single_value_without_height_is_not_visible() -> None:
    clue = '{"type": "skyscraper", "cells": ["r1c1"], "value": 0}'
    assert solve(f'{{"shape": "1x1", "lowest": 0, "constraints": [{clue}]}}').solution == (1,)
