"""Full rank constraints in each search, compared with the grids that satisfy them."""

from typing import Any

import numpy as np
import pytest
from fours import FOURS
from hypothesis import given, settings
from hypothesis import strategies as st
from searches import backtrack, learn

from solver import Layout
from solver.board.full_rank_automaton import sides_of
from solver.checks.constraints import are_kept
from solver.compiling.jit import compiled
from solver.engines.auxiliary_cells import with_cells_below
from solver.engines.engine import GO_ON, SolveRequest
from solver.engines.general.backtracking import search as backtracking
from solver.engines.general.backtracking.full_rank import choose_place
from solver.engines.general.backtracking.tables import tables_of
from solver.engines.general.clause_learning.tables import problem_of
from solver.engines.general.limits import Limits, Results
from solver.engines.sat.engine import SatEngine
from solver.engines.search_outcome import EXHAUSTED
from solver.rules.registry import RULES, with_constraints
from solver.rules.rule import Constraint

SIZE = 6
SQUARE = Layout.grid(SIZE, SIZE, size=SIZE, box=None)
FOUR = Layout.boxed(2, 2)
Line = tuple[int, ...]


def lines(size: int) -> list[Line]:
    rows = [tuple(range(c, c + size)) for c in range(0, size * size, size)]
    both = [*rows, *zip(*rows, strict=True)]
    return [*both, *(line[::-1] for line in both)]


def ranked(grid: list[int], size: int, chosen: list[Line]) -> tuple[Constraint, ...]:
    """Return the full rank constraints that a grid satisfies on the chosen lines.

    Lines with an equal one get the rule for tied ranks.
    """
    words = [[grid[cell] for cell in line] for line in lines(size)]
    constraints = []
    for line in chosen:
        word = [grid[cell] for cell in line]
        rule = RULES["fullrank" if words.count(word) == 1 else "fullranktied"]
        constraints.append(Constraint(rule, line, 1 + sum(other < word for other in words)))
    return tuple(constraints)


def board_with(layout: Layout, constraints: tuple[Constraint, ...]) -> tuple[Layout, Any]:
    """Return a layout with the constraints, and one whose auxiliary variables are extra cells."""
    made = with_constraints(layout, constraints)
    assert isinstance(made, Layout)
    return made, with_cells_below(made)


def domains_of(board: Layout, left: list[int]) -> Any:
    domains = np.full(board.cells, (1 << board.size) - 1, np.uint64)
    domains[: len(left)] = left
    for domain in board.domains:
        domains[domain.cell] &= np.uint64(domain.allowed)
    domains[list(board.holes)] = 0
    return domains


@st.composite
def squares(draw: st.DrawFn) -> list[int]:
    """Draw a Latin square, often one in which two lines are equal."""
    rows, columns, values = (draw(st.permutations(range(SIZE))) for _ in range(3))
    return [1 + values[(row + column) % SIZE] for row in rows for column in columns]


@given(
    squares(),
    st.lists(st.sampled_from(lines(SIZE)), min_size=1, max_size=5, unique=True),
    st.lists(st.integers(0, 2**SIZE - 1), min_size=SIZE**2, max_size=SIZE**2),
    st.lists(st.integers(0, 2**SIZE - 1), min_size=SIZE**2, max_size=SIZE**2),
)
@settings(max_examples=30, deadline=None)
def test_search_finds_a_grid_with_the_given_ranks_among_the_candidates(
    grid: list[int], chosen: list[Line], some: list[int], others: list[int]
) -> None:
    constraints = ranked(grid, SIZE, chosen)
    layout, board = board_with(SQUARE, constraints)
    left = [1 << v - 1 | a & b for v, a, b in zip(grid, some, others, strict=True)]
    search_outcome, count, _, found = backtrack(domains_of(board, left), tables_of(board), 10_000)
    assert search_outcome == EXHAUSTED
    solutions = [tuple(each[: SIZE * SIZE].tolist()) for each in found[:count]]
    assert solutions.count(tuple(grid)) == 1
    assert len(set(solutions)) == count
    assert all(are_kept(constraints, solution, layout) for solution in solutions)


@pytest.mark.parametrize("number", range(0, len(FOURS), 48))
def test_all_searches_find_the_same_grids_with_the_given_ranks(number: int) -> None:
    grid = [value for row in FOURS[number] for value in row]
    constraints = ranked(grid, 4, lines(4)[number % 5 :: 6])
    layout, board = board_with(FOUR, constraints)
    every = [tuple(value for row in each for value in row) for each in FOURS]
    expected = [each for each in every if are_kept(constraints, each, layout)]
    assert tuple(grid) in expected
    domains = domains_of(board, [15] * 16)
    blank = np.zeros((1, 16), np.uint8)
    request = SolveRequest(layout=layout, givens=blank, limit=300)
    listed = SatEngine().solve_many(request).listed
    assert listed is not None
    for found in (
        backtrack(domains, tables_of(board), 300)[3],
        learn(domains, problem_of(board), 300)[3],
        listed[0],
    ):
        grids = [tuple(each[:16].tolist()) for each in found]
        assert sorted(each for each in grids if any(each)) == sorted(expected)


def propagated(domains: Any, tables: Any) -> list[int]:
    """Return the cells' domains, as bits, after propagation and before the first guess."""
    search_state = backtracking.initial_state(len(domains))
    limits = Limits(solutions=2, kept=1, steps=0, conflicts=1)
    results = Results.zeros(1, len(domains))
    stop = np.full(1, GO_ON, np.uint8)
    backtracking.search_many(domains[None], tables, search_state, limits, stop, results)
    return [int(word) for word in search_state.grid]


def test_value_shared_by_all_possible_adjacent_lines_is_removed_elsewhere() -> None:
    # Row 1 is the lowest of the lines that begin with 6, so the others begin with 654, too. The
    # column that begins with 6 at the bottom is column 5 or 6: columns 2 and 3 have their 5 and 4
    # in row 1, column 1 has its 6 there, and r6c4 isn't 6.
    _, board = board_with(SQUARE, (Constraint(RULES["fullrank"], tuple(range(SIZE)), 21),))
    left = [1 << value - 1 for value in (6, 5, 4, 1, 2, 3)] + [63] * (SIZE * (SIZE - 1))
    left[33] ^= 1 << 5
    grid = propagated(domains_of(board, left), tables_of(board))
    for value, row in ((6, 5), (5, 4), (4, 3)):
        places = [column for column in range(SIZE) if grid[row * SIZE + column] >> value - 1 & 1]
        assert places == [4, 5], value


@given(
    st.lists(st.integers(1, 15), min_size=16, max_size=16),
    st.lists(st.integers(0, 5), min_size=16, max_size=16),
    st.integers(0, 3),
)
@settings(max_examples=50, deadline=None)
def test_start_of_line_with_highest_weight_per_place_is_guessed(
    left: list[int], scores: list[int], most: int
) -> None:
    grid = [value for row in FOURS[100] for value in row]
    layout, board = board_with(FOUR, ranked(grid, 4, [lines(4)[1], lines(4)[10]]))
    values = {1 << full_rank.begins for full_rank in layout.full_ranks}
    found: dict[float, set[tuple[int, int]]] = {}
    for side in sides_of(4, 4):
        for value in values:
            places = [line[0] for line in side if left[line[0]] & value]
            if len(places) > 1:
                score = max(scores[cell] for cell in places) / len(places)
                best = {cell for cell in places if scores[cell] == score * len(places)}
                found.setdefault(score, set()).update((cell, value) for cell in best)
    cell, value = _choose_place(
        tables_of(board).full_ranks, float(most), np.array(scores, float), np.array(left, np.uint64)
    )
    above = [score for score in found if score > most]
    assert (int(cell), int(value)) in (found[max(above)] if above else {(-1, 0)})


@compiled
def _choose_place(full_ranks, most, scores, grid):  # type: ignore[no-untyped-def]
    return choose_place(full_ranks, most, scores, grid)
