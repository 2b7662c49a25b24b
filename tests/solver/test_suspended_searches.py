"""A search that is suspended and resumed in the middle of a puzzle finds the same result.

Checkpoints of other code, and bytes that aren't a checkpoint, are ignored.
"""

import threading
from typing import Any

import numpy as np
import pytest
from breaking import HARD

from solver import Layout, Puzzle, solve_many
from solver.board.checkpoint import Checkpoint
from solver.board.result import Batch
from solver.engines.engine import ABANDON, FINISH, GO_ON
from solver.engines.general import checkpoint as general_checkpoint
from solver.engines.general.backtracking import search as plain
from solver.engines.general.checkpoint import suspended_in
from solver.engines.general.clause_learning import search as learning
from solver.formats import parse

KILLER = """{"givens": "%s", "constraints": [
 {"type": "killer", "cells": ["r1c1", "r1c2", "r2c1"], "sum": 15},
 {"type": "killer", "cells": ["r5c5", "r5c6"], "sum": 10}]}"""


def layout_of_a_killer() -> Layout:
    (puzzle,) = parse(KILLER % ("." * 81))
    return puzzle.layout  # type: ignore[union-attr]


def layout_of_regions() -> Layout:
    (puzzle,) = parse(".Shape~6x6.NoBoxes.ChaosConstruction.ChaosCount~R2C2")
    return puzzle.layout  # type: ignore[union-attr]


SEARCHES: dict[str, tuple[Layout, dict[str, Any]]] = {
    "backtracking, all solutions": (layout_of_a_killer(), {"limit": 10_000, "step_limit": 10**6}),
    "backtracking, to the step limit": (
        layout_of_a_killer(),
        {"limit": 10**9, "step_limit": 20_000},
    ),
    "backtracking, with auxiliary variables": (
        layout_of_regions(),
        {"limit": 1_000, "step_limit": 10**6},
    ),
    "clause learning": (Layout.boxed(5, 5), {"limit": 2_000, "step_limit": 10**6}),
}


def in_slices(
    givens: np.ndarray, layout: Layout, *, seconds: float, **bounds: Any
) -> tuple[Batch, int]:
    """Search in time slices of `seconds`. Returns the result and the number of interrupted slices.

    Each slice resumes from the packed checkpoint of the one before.
    """
    checkpoint = None
    for slices in range(100_000):
        stop = np.full(1, GO_ON, np.uint8)
        timer = threading.Timer(seconds, stop.fill, (ABANDON,))
        timer.start()
        batch = solve_many(givens, layout=layout, stop=stop, checkpoint=checkpoint, **bounds)
        timer.cancel()
        timer.join()
        if len(batch):
            return batch, slices
        assert batch.checkpoint is not None
        checkpoint = Checkpoint.unpack(batch.checkpoint.pack())
    raise AssertionError("the search makes no progress")


@pytest.mark.parametrize("name", SEARCHES)
def test_search_in_many_slices_has_the_result_of_one_search(name: str) -> None:
    layout, bounds = SEARCHES[name]
    givens = np.zeros((1, layout.cells), np.uint8)
    whole = solve_many(givens, layout=layout, **bounds)
    slices = 0
    while slices <= 2:  # on a busy machine, a search may end before its timer fires
        pieces, slices = in_slices(givens, layout, seconds=0.0005, **bounds)
    assert (pieces.outcomes == whole.outcomes).all()
    assert pieces.counts.tolist() == whole.counts.tolist()
    assert pieces.steps.tolist() == whole.steps.tolist()
    assert (pieces.solutions == whole.solutions).all()
    if whole.listed is not None:
        assert pieces.listed is not None
        assert (pieces.listed[0] == whole.listed[0]).all()


def test_checkpoint_is_that_of_the_first_puzzle_without_a_result() -> None:
    layout = Layout.boxed(5, 5)
    givens = np.zeros((3, layout.cells), np.uint8)
    givens[0, :2] = 1  # a conflict that is found without a search
    stop = np.full(1, GO_ON, np.uint8)
    timer = threading.Timer(0.001, stop.fill, (ABANDON,))
    timer.start()
    batch = solve_many(givens, layout=layout, limit=2_000, step_limit=10**8, stop=stop)
    assert len(batch) == 1
    assert batch.checkpoint is not None
    rest = solve_many(
        givens[1:], layout=layout, limit=2_000, step_limit=10**8, checkpoint=batch.checkpoint
    )
    assert len(rest) == 2


def test_checkpoint_of_other_code_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    layout = Layout.boxed(2, 2)
    stop = np.full(1, ABANDON, np.uint8)
    batch = solve_many(np.zeros((1, 16), np.uint8), layout=layout, stop=stop)
    assert suspended_in(batch.checkpoint) is not None
    monkeypatch.setattr(general_checkpoint, "_sources", lambda: "others")
    assert suspended_in(batch.checkpoint) is None
    again = solve_many(np.zeros((1, 16), np.uint8), layout=layout, checkpoint=batch.checkpoint)
    assert again.counts.tolist() == [2]


@pytest.mark.parametrize(
    "packed", [b"", b"not an archive", b"PK\x03\x04", Checkpoint({}, "x").pack()[:-9]]
)
def test_bytes_that_are_not_a_checkpoint_are_ignored(packed: bytes) -> None:
    assert Checkpoint.unpack(packed) is None


def test_search_can_be_resumed_repeatedly_from_one_checkpoint() -> None:
    layout, bounds = SEARCHES["clause learning"]
    blank = np.zeros((1, layout.cells), np.uint8)
    stop = np.full(1, GO_ON, np.uint8)
    timer = threading.Timer(0.05, stop.fill, (ABANDON,))
    timer.start()
    checkpoint = solve_many(blank, layout=layout, stop=stop, **bounds).checkpoint
    timer.join()
    first, second = (
        solve_many(blank, layout=layout, checkpoint=checkpoint, **bounds) for _ in range(2)
    )
    assert first.steps.tolist() == second.steps.tolist()
    assert (first.solutions == second.solutions).all()


def test_finish_leaves_no_checkpoint() -> None:
    layout = Layout.boxed(2, 2)
    stop = np.full(1, FINISH, np.uint8)
    batch = solve_many(np.zeros((2, 16), np.uint8), layout=layout, stop=stop)
    assert len(batch) == 1
    assert batch.checkpoint is None


def test_hard_puzzle_gets_clause_learning_before_others_begin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The work of the backtracking search isn't lost if the batch runs out of time."""
    stop = np.full(1, GO_ON, np.uint8)
    searched, learned = 0, 0
    search_many, search = plain.search_many, learning.search

    def counts_plain(domains: np.ndarray, *rest: Any) -> Any:
        nonlocal searched
        done, state = search_many(domains, *rest)
        searched += done
        return done, state

    def counts_learning(*arguments: Any) -> Any:
        nonlocal learned
        learned += 1
        if learned == 3:
            stop[0] = FINISH
        return search(*arguments)

    monkeypatch.setattr(plain, "search_many", counts_plain)
    monkeypatch.setattr(learning, "search", counts_learning)
    (puzzle,) = parse(HARD)
    assert isinstance(puzzle, Puzzle)
    batch = solve_many(np.array([puzzle.givens] * 9, np.uint8), layout=puzzle.layout, stop=stop)
    assert len(batch) == learned == searched == 3
    assert set(batch.counts.tolist()) == {1}
