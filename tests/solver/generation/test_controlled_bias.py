"""Controlled-bias sampling gives each minimal puzzle in proportion to 1 / its weight.

Symmetries, patterns, and limits on givens apply. Requests with other conditions are rejected.
"""

from math import comb
from typing import Any

import numpy as np
import pytest

from solver import generate
from solver.board.layout import Layout
from solver.board.random_streams import RandomStreams
from solver.engines.engine import NEVER
from solver.generation.attempts import Attempts, FixedBoard
from solver.generation.controlled_bias import MINIMAL, remove_until_ambiguous
from solver.generation.removal import are_unique
from solver.generation.request import GenerationRequest, InvalidRequest, read_request
from solver.generation.symmetry import orbits

BOARD = Layout.boxed(2, 2)
GRID = np.array([1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1], np.uint8)


def attempts(count: int, **fields: Any) -> Attempts:
    """Return `count` attempts at the first puzzle of a request for controlled-bias sampling."""
    request = read_request({"sampling": "controlled-bias", **fields})
    assert isinstance(request, GenerationRequest), request
    streams = RandomStreams(4, 1, np.arange(count))
    return FixedBoard(request.parts[0]).attempt_many(streams, stop=NEVER)


def minimal_puzzles(grid: np.ndarray) -> np.ndarray:
    """Return all minimal puzzles with this solution, from all sets of its cells."""
    cells = len(grid)
    sets = np.arange(1 << cells)
    given = (sets[:, None] >> np.arange(cells) & 1).astype(bool)
    unique = are_unique(BOARD, np.where(given, grid, 0).astype(np.uint8))
    is_minimal = unique.copy()
    for cell in range(cells):
        is_minimal &= ~(given[:, cell] & unique[sets & ~(1 << cell)])
    return np.where(given[is_minimal], grid, 0).astype(np.uint8)


def test_a_puzzle_has_the_probability_1_in_the_number_of_sets_of_as_many_cells() -> None:
    puzzles = minimal_puzzles(GRID)
    tries = 60_000
    made, verdicts = remove_until_ambiguous(
        BOARD,
        np.tile(GRID, (tries, 1)),
        RandomStreams(1, np.arange(tries)),
        orbits=orbits(BOARD, "none"),
        most=None,
        stop=NEVER,
    )
    seen: dict[bytes, int] = {puzzle.tobytes(): 0 for puzzle in puzzles}
    for puzzle in made[verdicts == MINIMAL]:
        seen[puzzle.tobytes()] += 1
    counts = np.count_nonzero(puzzles, axis=1)
    assert set(counts.tolist()) == {4, 5, 6}
    expected = np.array([tries / comb(16, count) for count in counts.tolist()])
    observed = np.array([*seen.values()])
    # Pearson's statistic has the mean len(puzzles) and the variance 2 · len(puzzles).
    statistic = ((observed - expected) ** 2 / expected).sum()
    assert abs(statistic - len(puzzles)) < 5 * (2 * len(puzzles)) ** 0.5


def test_puzzles_are_unique_and_minimal() -> None:
    made = [each.puzzle for each in generate(count=20, box="2x3", sampling="controlled-bias")]
    for puzzle in made:
        assert puzzle is not None
        givens = np.array(puzzle.givens, np.uint8)
        cells = np.flatnonzero(givens)
        smaller = np.tile(givens, (len(cells), 1))
        smaller[np.arange(len(cells)), cells] = 0
        assert are_unique(puzzle.layout, givens[None]).all()
        assert not are_unique(puzzle.layout, smaller).any()


def test_a_puzzle_does_not_depend_on_the_others() -> None:
    fields = {"box": "2x2", "sampling": "controlled-bias", "seed": 9}
    many = [str(each.puzzle) for each in generate(count=30, **fields)]
    few = [str(each.puzzle) for each in generate(count=3, **fields)]
    assert many[:3] == few


def test_a_limit_on_givens_rejects_attempts_early_without_changing_the_others() -> None:
    free = attempts(4_000, box="2x3")
    limited = attempts(4_000, box="2x3", givens="..10")
    counts = np.count_nonzero(free.puzzles, axis=1)
    expected = (free.reasons == "") & (counts <= 10)
    assert 0 < expected.sum() < (free.reasons == "").sum()
    assert ((limited.reasons == "") == expected).all()
    assert (limited.puzzles[expected] == free.puzzles[expected]).all()
    assert set(limited.reasons) == {"", "givens", "minimal"}


@pytest.mark.parametrize("symmetry", ["180", "both-diagonals"])
def test_givens_are_symmetrical_and_no_orbit_is_redundant(symmetry: str) -> None:
    made = attempts(2_000, box="2x2", symmetry=symmetry)
    puzzles = made.puzzles[made.reasons == ""]
    assert len(puzzles)
    for cells in orbits(BOARD, symmetry):
        givens = puzzles[:, cells] > 0
        assert (givens == givens[:, :1]).all()
        smaller = puzzles[givens[:, 0]].copy()
        smaller[:, cells] = 0
        assert not are_unique(BOARD, smaller).any()


def test_only_cells_of_a_pattern_are_given() -> None:
    pattern = "xx..xx.xxxxx..xx"
    made = attempts(2_000, box="2x2", pattern=pattern)
    puzzles = made.puzzles[made.reasons == ""]
    assert len(puzzles)
    assert not puzzles[:, [cell for cell, sign in enumerate(pattern) if sign == "."]].any()


@pytest.mark.parametrize(
    ("fields", "detail"),
    [
        ({"sampling": "control-bias"}, "Did you mean 'controlled-bias'?"),
        ({"minimal": False, "givens": "30.."}, "so 'minimal' must be true"),
        ({"regions": "random"}, "isn't possible if parts of the board are random"),
    ],
)
def test_conditions_that_controlled_bias_cannot_meet_are_rejected(
    fields: dict[str, Any], detail: str
) -> None:
    read = read_request({"sampling": "controlled-bias", **fields})
    assert isinstance(read, InvalidRequest)
    assert read.field == "sampling"
    assert detail in read.detail
