"""The symmetry of patterns of givens, and which symmetries include others."""

import numpy as np
import pytest

from solver.board.layout import Layout
from solver.generation.symmetry import SYMMETRIES, orbits
from web.report.patterns import NAMES, including, symmetries


def pattern(symmetry: str, *, seed: int) -> np.ndarray:
    """Return a random pattern of givens with a symmetry, as a Boolean array (9, 9)."""
    random = np.random.default_rng(seed)
    cells = np.zeros(81, bool)
    for orbit in orbits(Layout.boxed(3, 3), symmetry):
        cells[list(orbit)] = random.random() < 0.4
    return cells.reshape(9, 9)


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_generated_patterns_have_the_symmetry_of_the_request(symmetry: str) -> None:
    patterns = np.array([pattern(symmetry, seed=seed) for seed in range(20)])
    found = [NAMES[code] for code in symmetries(patterns)]
    assert found == [symmetry] * 20


def test_stronger_symmetries_include_weaker_ones() -> None:
    names = {name: {NAMES[code] for code in including(name)} for name in NAMES[1:]}
    assert names["180"] == {"full", "both-mirrors", "both-diagonals", "90", "180"}
    assert names["mirror"] == {"full", "both-mirrors", "mirror"}
    assert names["full"] == {"full"}


def test_boards_that_are_not_square_have_only_half_turns_and_mirrors() -> None:
    rows = np.array([[[1, 0, 1], [0, 0, 0]], [[1, 0, 0], [0, 0, 1]], [[0, 0, 0], [0, 0, 0]]], bool)
    assert [NAMES[code] for code in symmetries(rows)] == ["mirror", "180", "none"]
