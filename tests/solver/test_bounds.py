"""Ranges of numbers are read completely or not at all."""

import pytest

from solver.board.bounds import Bounds, read_bounds
from web.results.rating_range import RatingRange, read_range


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("7.1..8.0", Bounds(7.1, 8.0)),
        ("24", Bounds(24.0, 24.0)),
        ("7.1..", Bounds(7.1, None)),
        ("..3.0", Bounds(None, 3.0)),
    ],
)
def test_a_range_has_one_or_two_ends(text: str, bounds: Bounds) -> None:
    assert read_bounds(text) == bounds


@pytest.mark.parametrize(
    "text", ["", "..", "7.15", "7.1.5", "7.1..8.05", "8..7", "-1..2", "1...2", " 7", "1234567890"]
)
def test_other_text_is_malformed(text: str) -> None:
    assert read_bounds(text) is None
    assert read_range(text) is None


def test_ratings_are_at_most_99() -> None:
    assert read_range("7.1..") == RatingRange(7.1, 99.0)
    assert read_range("99.0") == RatingRange(99.0, 99.0)
    assert read_range("99.5..") is None
    assert read_range("100") is None
