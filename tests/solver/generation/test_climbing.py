"""Puzzles with rare ratings are found by climbing, and depend only on their random streams."""

from typing import Any

import numpy as np
import pytest

from solver.board.layout import Layout
from solver.board.random_streams import RandomStreams
from solver.engines.engine import ABANDON, NEVER
from solver.generation.attempts import FixedBoard
from solver.generation.climbing import Climbing
from solver.generation.first_steps import FirstSteps
from solver.generation.generator import Generator, Pace
from solver.generation.neighbors import Neighborhood
from solver.generation.removal import are_unique
from solver.generation.request import (
    CLIMBING_TRIES,
    GenerationRequest,
    PuzzleRequest,
    read_request,
)
from solver.logic.sudoku_explainer.rating import rate_many
from solver.solving import solve_many

CLASSIC = Layout.boxed(3, 3)


def requested(**fields: Any) -> PuzzleRequest:
    request = read_request(fields)
    assert isinstance(request, GenerationRequest), request
    return request.parts[0]


def puzzles_of(part: PuzzleRequest, numbers: range, *, seed: int = 3) -> list[bytes]:
    made = [*Generator(part, numbers, seed=seed)]
    assert all(each.givens is not None for each in made)
    return [bytes(each.givens) for each in made if each.givens is not None]


def minimal_puzzle() -> np.ndarray:
    (made,) = Generator(PuzzleRequest(), [1], seed=8)
    assert made.givens is not None
    return made.givens


def test_climbing_is_used_only_for_rare_ratings_of_puzzles_without_symmetry() -> None:
    assert isinstance(Pace.of(requested(rating="9.0..")).maker, Climbing)
    for fields in (
        {"rating": "7.1..7.5"},
        {"rating": "..9.0"},
        {"rating": "9.0..", "symmetry": "180"},
        {"rating": "9.0..", "sampling": "controlled-bias"},
    ):
        assert isinstance(Pace.of(requested(**fields)).maker, FixedBoard), fields


def test_requests_for_rare_ratings_have_fewer_tries_by_default() -> None:
    assert requested(rating="9.0..").tries == CLIMBING_TRIES
    assert requested(rating="9.0..", tries=7).tries == 7


def test_climbed_puzzles_are_unique_and_minimal_and_meet_all_conditions() -> None:
    part = requested(rating="8.8..9.1", givens="22..25")
    rows = [np.frombuffer(each, np.uint8) for each in puzzles_of(part, range(1, 4))]
    puzzles = np.array(rows)
    assert are_unique(CLASSIC, puzzles).all()
    ratings = rate_many(puzzles, stop=NEVER).er
    assert ratings.min() >= 88
    assert ratings.max() <= 91
    for puzzle in puzzles:
        cells = np.flatnonzero(puzzle)
        assert 22 <= len(cells) <= 25
        smaller = np.tile(puzzle, (len(cells), 1))
        smaller[np.arange(len(cells)), cells] = 0
        assert not are_unique(CLASSIC, smaller).any()


def test_climbed_puzzles_have_givens_only_in_the_cells_of_the_pattern() -> None:
    pattern = ["xxxxxxxxx"] * 4 + ["xxxx.xxxx"] + ["xxxxxxxxx"] * 4
    (puzzle,) = puzzles_of(requested(rating="8.8..", pattern=pattern), range(1, 2))
    assert puzzle[40] == 0


def test_a_climb_depends_only_on_its_random_stream() -> None:
    part = requested(rating="8.8..")
    together = Climbing(part).attempt_many(RandomStreams(5, np.arange(3)), stop=NEVER)
    alone = Climbing(part).attempt_many(RandomStreams(5, [1]), stop=NEVER)
    assert bytes(together.puzzles[1]) == bytes(alone.puzzles[0])
    assert bytes(together.solutions[1]) == bytes(alone.solutions[0])
    assert together.reasons[1] == alone.reasons[0]
    assert puzzles_of(part, range(1, 4))[1:] == puzzles_of(part, range(2, 4))


def test_an_abandoned_climb_ends_at_once() -> None:
    maker = Climbing(requested(rating="11.0.."))
    stop = np.full(1, ABANDON, np.uint8)
    made = maker.attempt_many(RandomStreams(5, [1]), stop=stop)
    assert not made.puzzles.any()


def test_a_climb_fails_at_once_if_all_puzzles_of_its_sample_are_too_hard() -> None:
    made = Climbing(requested(rating="1.2..1.3")).attempt_many(RandomStreams(5, [1]), stop=NEVER)
    assert made.puzzles.any()
    assert made.reasons[0] == "rating"


def test_failed_climbs_are_counted_by_the_condition_that_failed() -> None:
    (rare,) = Generator(requested(rating="11.0..", tries=2), [1], seed=0)
    assert rare.givens is None
    assert rare.rejected == {"rating": 2}
    (few,) = Generator(requested(rating="9.0..", givens="..17", tries=2), [1], seed=0)
    assert few.rejected == {"givens": 2}


def test_neighbors_are_all_unique_puzzles_with_one_given_moved_or_changed() -> None:
    puzzle = minimal_puzzle()
    found = {bytes(each) for each in Neighborhood(CLASSIC, None).of(puzzle)}
    expected = set()
    for given in np.flatnonzero(puzzle):
        without = puzzle.copy()
        without[given] = 0
        changed = np.array(
            [
                np.where(np.arange(81) == cell, value, without)
                for cell in np.flatnonzero(without == 0)
                for value in range(1, 10)
            ],
            np.uint8,
        )
        expected |= {bytes(each) for each in changed[solve_many(changed).counts == 1]}
    assert found == expected - {bytes(puzzle)}


def test_redundant_givens_are_removed_until_none_is_left() -> None:
    solution = solve_many(minimal_puzzle()[None]).solutions
    puzzle = solution.copy()
    puzzle[0, :40] = minimal_puzzle()[:40]
    ranks = np.arange(81)[::-1]
    smaller = Neighborhood(CLASSIC, None).without_redundant(np.repeat(puzzle, 2, axis=0), ranks)
    assert (smaller[0] == smaller[1]).all()
    for row in (smaller[:1], solution):
        assert are_unique(CLASSIC, row).all()
    cells = np.flatnonzero(smaller[0])
    each = np.tile(smaller[0], (len(cells), 1))
    each[np.arange(len(cells)), cells] = 0
    assert not are_unique(CLASSIC, each).any()


@pytest.mark.parametrize("enough", [45, 200])
def test_the_rating_of_the_first_steps_is_never_above_that_of_all(enough: int) -> None:
    made = Generator(PuzzleRequest(), range(1, 60), seed=4)
    puzzles = np.array([each.givens for each in made])
    ratings = rate_many(puzzles, stop=NEVER).er
    steps = FirstSteps()
    for puzzle, rating in zip(puzzles, ratings.tolist(), strict=True):
        first = steps.highest(puzzle, enough=enough, stop=NEVER)
        assert first <= rating
        # Puzzles without chains are rated to the end.
        assert first == rating or rating >= 66 or first >= enough
