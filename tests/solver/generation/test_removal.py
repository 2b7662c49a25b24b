"""Givens are removed in the order of the random stream, and a raised stop flag ends an attempt."""

from typing import Any

import numpy as np
import pytest

from solver import solve_many
from solver.board.layout import Layout
from solver.board.random_streams import RandomStreams
from solver.engines.engine import ABANDON, FINISH, GO_ON, NEVER
from solver.generation import drawn_board, solve_all
from solver.generation.full_grids import random_full_grids
from solver.generation.generator import Generator
from solver.generation.removal import remove_givens
from solver.generation.request import GenerationRequest, PuzzleRequest, read_request
from solver.generation.symmetry import orbits

CLASSIC = Layout.boxed(3, 3)


def one_after_the_other(
    puzzles: np.ndarray, streams: RandomStreams, groups: tuple[Any, ...], fewest: int
) -> np.ndarray:
    puzzles = puzzles.copy()
    order = streams.permutations(len(groups)).argsort(axis=1)
    for place in range(len(groups)):
        smaller = puzzles.copy()
        for puzzle, group in zip(smaller, order[:, place], strict=True):
            puzzle[list(groups[group])] = 0
        can_go = solve_many(smaller).counts == 1
        can_go &= np.count_nonzero(smaller, axis=1) >= fewest
        puzzles[can_go] = smaller[can_go]
    return puzzles


@pytest.mark.parametrize("fewest", [0, 32])
@pytest.mark.parametrize("symmetry", ["none", "180", "full"])
def test_classic_puzzles_lose_the_givens_that_tests_of_single_orbits_remove(
    symmetry: str, fewest: int
) -> None:
    grids = random_full_grids(CLASSIC, RandomStreams(1, range(100)), stop=NEVER)
    groups = orbits(CLASSIC, symmetry)
    removed = remove_givens(
        CLASSIC,
        grids,
        RandomStreams(2, range(100)),
        orbits=groups,
        fewest=np.full(100, fewest),
        stop=NEVER,
    )
    expected = one_after_the_other(grids, RandomStreams(2, range(100)), groups, fewest)
    np.testing.assert_array_equal(removed, expected)


def test_classic_puzzles_keep_their_givens_after_the_stop_flag_is_raised() -> None:
    grids = random_full_grids(CLASSIC, RandomStreams(1, range(20)), stop=NEVER)
    removed = remove_givens(
        CLASSIC,
        grids,
        RandomStreams(2, range(20)),
        orbits=orbits(CLASSIC, "none"),
        fewest=np.zeros(20, np.int64),
        stop=np.full(1, ABANDON, np.uint8),
    )
    np.testing.assert_array_equal(removed, grids)


class RaisedDuringAttempt:
    """Replaces `solve_many`: raises a stop flag in a call, and counts the calls after that."""

    def __init__(self, value: int, *, call: int) -> None:
        self.flag = np.full(1, GO_ON, np.uint8)
        self.calls_afterwards = 0
        self._value = value
        self._before = call

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        self._before -= 1
        if self._before == 0:
            self.flag[0] = self._value
        elif self._before < 0:
            self.calls_afterwards += 1
        return solve_many(*arguments, **options)


BOARDS: dict[str, dict[str, Any]] = {
    "fixed": {"box": "2x2"},
    "killer": {"box": "2x2", "random_constraints": {"killer": {}}},
    "thermo": {"box": "2x2", "random_constraints": {"thermo": {"count": 1, "minimal": True}}},
}


def part_of(fields: dict[str, Any]) -> PuzzleRequest:
    request = read_request(fields)
    assert isinstance(request, GenerationRequest), request
    return request.parts[0]


@pytest.mark.parametrize("call", range(1, 5))
@pytest.mark.parametrize("name", BOARDS)
def test_an_attempt_solves_nothing_more_after_the_stop_flag_is_raised(
    name: str, call: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised = RaisedDuringAttempt(ABANDON, call=call)
    monkeypatch.setattr(solve_all, "solve_many", raised)
    monkeypatch.setattr(drawn_board, "solve_many", raised)
    request = part_of({**BOARDS[name], "count": 1})
    generator = Generator(request, range(1, 100), seed=0)
    while raised.flag[0] != ABANDON:
        generator.advance(stop=raised.flag, seconds=0)
    assert raised.calls_afterwards == 0


def test_puzzles_that_are_made_at_the_end_of_a_time_slice_are_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    request = part_of({"box": "2x2"})
    whole = [*Generator(request, [1], seed=0)]
    raised = RaisedDuringAttempt(FINISH, call=3)
    monkeypatch.setattr(solve_all, "solve_many", raised)
    assert str(Generator(request, [1], seed=0).advance(stop=raised.flag)) == str(whole)
    assert raised.calls_afterwards > 0
