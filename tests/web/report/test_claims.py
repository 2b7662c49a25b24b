"""Claimed levels: their order, and the claims that the measured difficulty contradicts."""

import numpy as np
import pytest

from web.report.claims import claim_column, cut, levels_of

ORDERED = [
    ("★", "★★", "★★★"),
    ("★☆☆", "★★☆", "★★★"),
    ("1 star", "2 stars", "3 stars"),
    ("Level 1", "Level 2", "Level 10"),
    ("0.5", "1,5", "2"),
    ("Easy", "Medium", "Hard"),
    ("gentle", "MODERATE", "tough", "diabolical"),
    ("very easy", "easy", "hard", "very hard", "evil"),
]


@pytest.mark.parametrize("names", ORDERED, ids=" ".join)
def test_levels_are_ordered_by_stars_numbers_or_words(names: tuple[str, ...]) -> None:
    labels = names[::-1]
    claims = np.arange(len(labels), dtype=np.int32)
    levels = levels_of(labels, claims, np.full(len(labels), 15))
    assert levels is not None
    assert levels.names == names
    assert levels.level.tolist() == [*range(len(labels))][::-1]


def test_levels_with_unknown_words_are_ordered_by_measured_difficulty() -> None:
    claims = np.array([0, 0, 1, 1, 2], np.int32)
    levels = levels_of(("Sunday", "Monday", "easy"), claims, np.array([70, 66, 12, 15, 23]))
    assert levels is not None
    assert levels.names == ("Monday", "easy", "Sunday")


def test_many_different_numbers_are_rounded() -> None:
    labels = tuple(f"{number / 10}" for number in range(10, 45))
    levels = levels_of(labels, np.arange(35, dtype=np.int32), np.arange(35))
    assert levels is not None
    assert levels.names == ("1", "2", "3", "4")
    words = tuple(f"{chr(97 + n % 26)}{n}x{n}" for n in range(35))
    assert levels_of(words, np.arange(35, dtype=np.int32), np.arange(35)) is None


@pytest.mark.parametrize("seed", range(5))
def test_exactly_the_wrong_claims_disagree(seed: int) -> None:
    random = np.random.default_rng(seed)
    measured = random.integers(10, 90, 2_000)
    claims = np.digitize(measured, (25, 40, 66)).astype(np.int32)
    wrong = random.choice(len(claims), 40, replace=False)
    claims[wrong] = (claims[wrong] + 2) % 4
    missing = random.choice(np.setdiff1d(np.arange(len(claims)), wrong), 50, replace=False)
    claims[missing[:25]] = -1
    measured[missing[25:]] = -1
    levels = levels_of(("easy", "medium", "hard", "expert"), claims, measured)
    assert levels is not None
    found = cut(levels, measured)
    assert np.flatnonzero(found.disagrees).tolist() == sorted(wrong.tolist())
    assert found.ranges == ((10, 24), (25, 39), (40, 65), (66, 89))


def test_a_single_level_never_disagrees() -> None:
    levels = levels_of(("hard",), np.zeros(3, np.int32), np.array([12, 50, 90]))
    assert levels is not None
    assert not cut(levels, np.array([12, 50, 90])).disagrees.any()


def test_the_most_specific_column_has_the_claims() -> None:
    assert claim_column(("name", "Level", "Claimed Difficulty")) == 2
    assert claim_column(("Stars", "level")) == 1
    assert claim_column(("name", "rating")) is None
