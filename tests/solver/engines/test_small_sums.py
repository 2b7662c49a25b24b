"""Sums with few unsolved cells, and cages, in the backtracking search, against brute force."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, permutations, product
from math import prod
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from solver import Layout
from solver.board.primitive_constraints import Sum
from solver.compiling.jit import compiled
from solver.engines.general.backtracking.cage_sums import propagate_cage
from solver.engines.general.backtracking.domains import list_places
from solver.engines.general.backtracking.sets_by_sum import sets_of
from solver.engines.general.backtracking.small_sums import propagate_small_sum
from solver.engines.general.backtracking.state import FEW, new_state
from solver.engines.general.backtracking.tables import tables_of

# A sum over nine cells, so that the tables have room for any sum of these tests.
LAYOUT = replace(Layout.boxed(3, 3), sums=(Sum(tuple(range(9)), (1,) * 9, 45),))
PEERS = {
    (a, b)
    for house in LAYOUT.houses
    for a, b in product(house.cells, repeat=2)
    if a != b
}  # fmt: skip
CELLS = st.lists(st.sampled_from([0, 1, 2, 9, 12, 13, 40, 80]), unique=True, min_size=1, max_size=3)


@compiled
def _fill(words, cells, factors, target, tables):  # type: ignore[no-untyped-def]
    state = new_state(tables)
    work, opened = state.work, state.opened
    work.grid[:] = words
    list_places(work.grid, work.places)
    for k in range(cells.shape[0]):
        opened.cells[k] = cells[k]
        opened.factors[k] = factors[k]
    number = np.int64(cells.shape[0])
    peers, dependents = tables.peer_words, tables.dependents
    if number > FEW:
        alive = propagate_cage(number, target, opened, state.sets, peers, dependents, work)
    else:
        alive = propagate_small_sum(number, target, opened, peers, dependents, work)
    return alive, work.grid


@compiled
def _sets_of(size):  # type: ignore[no-untyped-def]
    return sets_of(size)


def fill(
    cells: Sequence[int], words: Sequence[int], factors: Sequence[int], target: int
) -> tuple[bool, list[int]]:
    """Return whether a solution of the sum exists, and the grid after propagation.

    Only `cells` take part in the sum, and `words` are their domains, as bits.
    """
    grid = np.full(81, 0b111111111, np.uint64)
    grid[list(cells)] = words
    alive, left = _fill(
        grid,
        np.array(cells, np.int64),
        np.array(factors, np.int64),
        target,
        tables_of(LAYOUT),
    )
    return bool(alive), left.tolist()


def values(word: int) -> list[int]:
    return [value for value in range(9) if word >> value & 1]


def ways(cells: Sequence[int], words: Sequence[int], factors: Sequence[int], target: int) -> Any:
    """Return all ways to fill the cells so that their weighted sum is `target`, by brute force.

    `words` are the possible values of the cells, as bits. Each way is a tuple of values from 0.
    """
    return [
        way
        for way in product(*map(values, words))
        if sum(factor * value for factor, value in zip(factors, way, strict=True)) == target
        and all(
            way[a] != way[b] or (cells[a], cells[b]) not in PEERS
            for a, b in combinations(range(len(cells)), 2)
        )
    ]


@given(CELLS, st.data())
@settings(max_examples=400, deadline=None)
def test_up_to_three_cells_keep_exactly_the_values_of_possible_fillings(
    cells: list[int], data: st.DataObject
) -> None:
    words = [data.draw(st.integers(1, 511)) for _ in cells]
    factors = [data.draw(st.sampled_from([1, 1, -1])) for _ in cells]
    target = sum(
        factor * data.draw(st.sampled_from(values(word)))
        for word, factor in zip(words, factors, strict=True)
    ) + data.draw(st.sampled_from([0, 0, 0, 1, -9, 70, -70]))
    found = ways(cells, words, factors, target)
    alive, grid = fill(cells, words, factors, target)
    assert alive == bool(found)
    if not alive:
        return
    kept = [sum({1 << way[k] for way in found}) for k in range(len(cells))]
    assert [grid[cell] for cell in cells] == kept
    for cell in {*range(81)} - {*cells}:
        gone = 511 & ~grid[cell]
        assert all(
            any((cell, own) in PEERS and way[k] == value for k, own in enumerate(cells))
            for value in values(gone)
            for way in found
        )


def test_naked_pair_of_a_sum_is_removed_from_common_peers() -> None:
    alive, grid = fill((0, 1), (0b101, 0b101), (1, 1), 2)
    assert alive
    assert {cell for cell in range(81) if grid[cell] == 511 & ~0b101} == {
        cell for cell in range(81) if {(cell, 0), (cell, 1)} <= PEERS
    }


@given(st.integers(4, 9), st.data())
@settings(max_examples=200, deadline=None)
def test_cages_keep_every_value_of_a_possible_filling(number: int, data: st.DataObject) -> None:
    way = data.draw(st.permutations(range(9)))[:number]
    words = [1 << value | data.draw(st.integers(0, 511)) for value in way]
    cells = [0, 1, 2, 9, 10, 11, 18, 19, 20][:number]
    target = sum(way) + data.draw(st.sampled_from([0, 0, 0, 2, -60, 60]))
    alive, grid = fill(cells, words, (1,) * number, target)
    union = set().union(*map(values, words))
    fitting = [each for each in combinations(sorted(union), number) if sum(each) == target]
    if number <= 6:
        found = {
            (k, value)
            for each in fitting
            for filled in permutations(each)
            if prod(words[k] >> value & 1 for k, value in enumerate(filled))
            for k, value in enumerate(filled)
        }
        assert all(alive and grid[cells[k]] >> value & 1 for k, value in found)
    if alive:
        kept = set().union(*(values(grid[cell]) for cell in cells))
        assert kept <= set().union(*fitting)
        assert target == sum(way) or fitting
    else:
        assert target != sum(way)


def test_cages_place_a_value_with_a_single_place() -> None:
    # 6 = 0 + 1 + 2 + 3, and only the last cell can be 3.
    alive, grid = fill((0, 1, 2, 9), (0b111, 0b111, 0b111, 0b1111), (1,) * 4, 6)
    assert alive
    assert [grid[cell] for cell in (0, 1, 2, 9)] == [0b111, 0b111, 0b111, 0b1000]
    # These four cells use up their values, so no other cell of the box has them.
    assert {grid[cell] for cell in (10, 11, 18, 19, 20)} == {0b111110000}


def test_each_set_is_listed_once_by_its_size_and_sum() -> None:
    words, ranges, totals = _sets_of(9)
    assert totals == 37
    for number in range(10):
        for target in range(totals):
            kind = number * totals + target
            found = words[ranges[kind] : ranges[kind + 1]].tolist()
            sets = [each for each in combinations(range(9), number) if sum(each) == target]
            assert sorted(found) == sorted(sum(1 << value for value in each) for each in sets)
