"""Puzzles can be sent to other processes, as `multiprocessing` and `concurrent.futures` do."""

import copy
import json
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from solver import Layout, Puzzle, parse, solve
from solver.engines.classic.engine import ClassicEngine
from solver.solving import engine_for

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
KILLER = json.dumps(
    {
        "puzzle": "." * 16,
        "constraints": [
            {"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 3},
            {"type": "thermo", "cells": ["r2c1", "r2c2", "r2c3"]},
        ],
    }
)


def only(text: str, **options: str) -> Puzzle:
    (puzzle,) = parse(text, **options)
    assert isinstance(puzzle, Puzzle)
    return puzzle


def engine_name(puzzle: Puzzle) -> str:
    return type(engine_for(puzzle.layout)).__name__


@pytest.mark.parametrize(
    "puzzle",
    [
        only(CLASSIC),
        only(CLASSIC, variant="diagonal,antiknight"),
        only(CLASSIC, variant="kropkinegative"),
        only(KILLER),
        only("." * 36),
    ],
    ids=["classic", "diagonal", "kropki", "killer", "6x6"],
)
def test_unpickled_puzzle_has_the_layout_of_the_original(puzzle: Puzzle) -> None:
    for copied in (pickle.loads(pickle.dumps(puzzle)), copy.deepcopy(puzzle)):
        assert copied == puzzle
        assert hash(copied) == hash(puzzle)
        assert copied.layout is puzzle.layout


def test_unpickled_classic_puzzle_is_solved_by_the_classic_engine() -> None:
    copied = pickle.loads(pickle.dumps(only(CLASSIC)))
    assert copied.layout is Layout.boxed(3, 3)
    assert isinstance(engine_for(copied.layout), ClassicEngine)


def test_new_process_solves_an_unpickled_puzzle_with_the_same_result() -> None:
    puzzles = [only(CLASSIC), only(KILLER), only(CLASSIC, variant="diagonal")]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        results = list(pool.map(solve, puzzles))
        engines = list(pool.map(engine_name, puzzles))
    assert results == [solve(puzzle) for puzzle in puzzles]
    assert engines == [engine_name(puzzle) for puzzle in puzzles]


def test_puzzles_with_different_rules_are_different() -> None:
    assert only(CLASSIC) != only(CLASSIC, variant="diagonal")
    assert only(CLASSIC) == only(CLASSIC)
    assert only(CLASSIC) != CLASSIC


def test_every_public_variant_survives_pickling_in_a_new_process(public_data: Path) -> None:
    lines = (public_data / "variants/puzzles.jsonl").read_text().splitlines()
    puzzles = [only(json.loads(line)["input"]) for line in lines]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        returned = list(pool.map(_passed_through, puzzles))
    assert all(
        copied.layout is puzzle.layout for copied, puzzle in zip(returned, puzzles, strict=True)
    )


def _passed_through(puzzle: Puzzle) -> Puzzle:
    return puzzle
