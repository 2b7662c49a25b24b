"""Generated puzzles are unique and minimal, meet their conditions, and depend only on the seed."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver import solve, solve_many
from solver.board.bounds import Bounds
from solver.board.checkpoint import Checkpoint
from solver.board.layout import Layout
from solver.board.random_streams import RandomStreams
from solver.engines.engine import ABANDON, FINISH
from solver.generation.attempts import FixedBoard
from solver.generation.generator import Generated, Generator
from solver.generation.request import (
    GenerationRequest,
    InvalidRequest,
    PuzzleRequest,
    read_request,
)
from solver.generation.symmetry import SYMMETRIES, orbits
from solver.rating import rate_many
from solver.rules.variants import with_variants

CLASSIC = Layout.boxed(3, 3)


def generated(count: int, **fields: object) -> list[Generated]:
    request = read_request(fields | {"count": count})
    assert isinstance(request, GenerationRequest), request
    (part,) = request.parts
    results = [*Generator(part, range(1, count + 1), seed=request.seed)]
    assert [result.number for result in results] == [*range(1, count + 1)]
    return results


def made(count: int = 20, **fields: object) -> np.ndarray:
    results = generated(count, **fields)
    assert all(result.givens is not None for result in results), results
    return np.array([result.givens for result in results])


def test_puzzles_are_unique_and_no_given_is_redundant() -> None:
    puzzles = made(seed=1)
    assert (solve_many(puzzles).counts == 1).all()
    for puzzle in puzzles:
        for cell in np.flatnonzero(puzzle):
            smaller = puzzle.copy()
            smaller[cell] = 0
            assert solve(smaller.reshape(9, 9)).solutions == 2


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**63 - 1), first=st.integers(1, 10**7))
def test_a_puzzle_does_not_depend_on_the_others(seed: int, first: int) -> None:
    together = [*Generator(PuzzleRequest(), range(first, first + 5), seed=seed)]
    alone = [*Generator(PuzzleRequest(), [first + 3], seed=seed)]
    assert together[3].number == alone[0].number
    assert str(together[3].givens) == str(alone[0].givens)


def test_different_seeds_and_numbers_give_different_puzzles() -> None:
    puzzles = np.concatenate([made(seed=seed) for seed in range(3)])
    assert len(np.unique(puzzles, axis=0)) == len(puzzles)


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_givens_are_symmetrical(symmetry: str) -> None:
    puzzles = made(10, symmetry=symmetry)
    for cells in orbits(CLASSIC, symmetry):
        givens = puzzles[:, cells] > 0
        assert (givens == givens[:, :1]).all()


def test_orbits_are_those_of_the_rotation() -> None:
    board = Layout.boxed(2, 2)
    assert orbits(board, "180") == tuple((cell, 15 - cell) for cell in range(8))
    assert orbits(board, "90")[0] == (0, 3, 12, 15)


def test_ratings_and_givens_are_in_range() -> None:
    puzzles = made(5, rating="2.0..3.0", givens="23..25")
    difficulties = rate_many(puzzles)
    assert all(each is not None and 2.0 <= (each.rating or 0) <= 3.0 for each in difficulties)
    counts = np.count_nonzero(puzzles, axis=1)
    assert counts.min() >= 23
    assert counts.max() <= 25


def test_required_techniques_occur_and_nothing_harder() -> None:
    puzzles = made(3, techniques={"require": ["Naked Pair"], "only": ["..Naked Triple"]})
    for difficulty in rate_many(puzzles):
        assert difficulty is not None
        assert "0200" in difficulty.counts
        assert difficulty.level is not None
        assert difficulty.level <= 2


def test_a_rating_can_be_requested_on_boards_that_sukaku_explainer_rates() -> None:
    board = {"variant": ["diagonal"], "givens": "24..28", "minimal": False}
    puzzles = made(3, **board, rating="1.5..2.5", seed=2)
    layout = with_variants(CLASSIC, ("diagonal",))
    assert isinstance(layout, Layout)
    for difficulty in rate_many(puzzles, layout=layout):
        assert difficulty is not None
        assert difficulty.rating is not None
        assert 1.5 <= difficulty.rating <= 2.5


def test_a_puzzle_that_no_attempt_can_give_is_reported_with_the_reasons() -> None:
    (result,) = generated(1, givens="..16", tries=50)
    assert result.givens is None
    assert result.attempts == 50
    assert result.rejected == {"givens": 50}


def test_streams_are_those_of_splitmix64() -> None:
    # The first outputs of the reference implementation for the seed 1234567.
    streams = RandomStreams([0])
    streams._state = np.array([1234567], np.uint64)
    assert streams.words(3).tolist() == [
        [6457827717110365317, 3203168211198807973, 9817491932198370423]
    ]


def test_a_suspended_puzzle_resumes_with_its_failed_attempts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    request = PuzzleRequest(givens=Bounds(most=16), tries=2_000)
    whole = [*Generator(request, [1], seed=0)]
    stop = np.full(1, FINISH, np.uint8)
    batches = iter(range(4))

    attempt_many = FixedBoard.attempt_many

    def attempt_until_stopped(*arguments: Any, **options: Any) -> Any:
        if next(batches) == 3:
            stop[0] = ABANDON
        return attempt_many(*arguments, **options)

    monkeypatch.setattr(FixedBoard, "attempt_many", attempt_until_stopped)
    first = Generator(request, [1], seed=0)
    assert first.advance(stop=stop) == []
    monkeypatch.undo()
    assert first.checkpoint is not None
    saved = Checkpoint.unpack(first.checkpoint.pack())
    assert saved is not None
    assert 0 < saved.arrays["attempts"] < 2_000
    assert [*Generator(request, [1], seed=0, checkpoint=saved)] == whole


@pytest.mark.parametrize("words", ["very hard", ["easy", "hard"]])
def test_puzzles_get_the_requested_difficulty_when_they_are_rated(words: str | list[str]) -> None:
    rated = rate_many(made(4, seed=2, difficulty=words))
    assert {each.word for each in rated if each} <= {
        *([words] if isinstance(words, str) else words)
    }
    assert None not in rated


@pytest.mark.parametrize(
    ("fields", "detail"),
    [
        ({"difficulty": "hardest"}, "did you mean 'hard'"),
        ({"difficulty": "easy", "rating": "7.1.."}, "both this 'rating' and"),
        (
            {"difficulty": "extreme", "box": "2x3"},
            "only puzzles with a Sudoku Explainer rating are called",
        ),
        ({"difficulty": "easy", "level": "hard", "box": "2x3"}, "both this 'level' and"),
    ],
)
def test_impossible_difficulties_are_refused(fields: dict[str, object], detail: str) -> None:
    request = read_request(fields)
    assert isinstance(request, InvalidRequest)
    assert detail.lower() in request.detail.lower()
