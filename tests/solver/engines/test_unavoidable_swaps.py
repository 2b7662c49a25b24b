from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from solver import Layout, Outcome
from solver.compiling.jit import compiled_without_cache
from solver.compiling.vector import align_stack, vectors
from solver.engines.classic.board import ROWS, SINGLES
from solver.engines.classic.engine import ClassicEngine
from solver.engines.classic.grids import DIGITS, digits_from_boards
from solver.engines.classic.swaps import find_swaps
from solver.engines.engine import SolveRequest

LAYOUT = Layout.boxed(3, 3)
Grids = NDArray[np.uint8]


def solve(givens: Grids, *, limit: int, lanes: int | None = None) -> Any:
    request = SolveRequest(layout=LAYOUT, givens=givens, limit=limit)
    return ClassicEngine(lanes=lanes).solve_many(request)


def random_grids(random: np.random.Generator, *, number: int) -> Grids:
    """Return solved grids (number, 81), each grown from three random boxes."""
    seeds = np.zeros((number, 9, 9), np.uint8)
    for seed in seeds:
        for first in (0, 3, 6):
            seed[first : first + 3, first : first + 3] = random.permutation(9).reshape(3, 3) + 1
    solved: Grids = solve(seeds.reshape(number, 81), limit=1).solutions
    return solved


def four_cells(grid: Grids) -> list[list[int]]:
    """Return the cells of every rectangle in two rows, columns, and boxes whose values can swap."""
    found = []
    for top, bottom in combinations(range(9), 2):
        for left, right in combinations(range(9), 2):
            if (top // 3 == bottom // 3) == (left // 3 == right // 3):
                continue
            cells = [9 * row + column for row in (top, bottom) for column in (left, right)]
            a, b, c, d = grid[cells]
            if a == d and b == c:
                found.append(cells)
    return found


@compiled_without_cache
def look(board, digits, moved, moved_back):  # type: ignore[no-untyped-def]
    align_stack()
    digits_from_boards(board, digits)
    return find_swaps(board, digits, moved, moved_back)


@pytest.mark.parametrize("lanes", [4, 32])
def test_swaps_are_found_in_four_cells_that_may_change(lanes: int) -> None:
    random = np.random.default_rng(lanes)
    grids = random_grids(random, number=400 // lanes * lanes)
    stay = random.random(grids.shape) < random.choice([0.3, 0.5, 0.7, 0.8], (len(grids), 1))
    memory = [vectors(DIGITS, lanes) for _ in range(3)]
    seen = []
    for first in range(0, len(grids), lanes):
        board = vectors(ROWS, lanes)
        for lane in range(lanes):
            for cell, value in enumerate(grids[first + lane].tolist()):
                row, column = divmod(cell, 9)
                bit = np.uint32(1 << 10 * (row // 3) + column)
                board["words"][9 * (row % 3) + value - 1, lane] |= bit
                if stay[first + lane, cell]:
                    board["words"][SINGLES + row % 3, lane] |= bit
        word = look(board, *memory)
        seen += [word >> lane & 1 != 0 for lane in range(lanes)]
    expected = [
        any(not own[cells].any() for cells in four_cells(grid))
        for grid, own in zip(grids, stay, strict=True)
    ]
    assert seen == expected
    assert {True, False} == set(seen)


@pytest.mark.parametrize("lanes", [4, 32])
def test_second_solution_is_found_if_there_is_one(lanes: int) -> None:
    random = np.random.default_rng(9)
    grids = random_grids(random, number=3000)
    kept = random.random(grids.shape) < random.uniform(0.25, 0.8, (len(grids), 1))
    givens = np.where(kept, grids, 0).astype(np.uint8)
    two, all_three = (solve(givens, limit=limit, lanes=lanes) for limit in (2, 3))
    assert (two.counts == np.minimum(all_three.counts, 2)).all()
    assert (two.solutions == all_three.solutions).all()
    assert (two.steps <= all_three.steps).all()
    assert set(two.outcomes.tolist()) == {Outcome.SOLVED, Outcome.MULTIPLE}
