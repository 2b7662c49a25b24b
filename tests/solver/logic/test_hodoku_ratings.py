"""HoDoKu scores and levels, compared with HoDoKu's.

Also the limits of levels, abandoned ratings, and unsupported rules.
"""

import numpy as np
from paths import DATA

from solver.board.layout import Layout
from solver.engines.engine import ABANDON, NEVER
from solver.logic.board_tables import Unexplained, board_of
from solver.logic.rating.hodoku import Rating, Solver, rate, rating_of
from solver.logic.technique_table import GUESS, Level
from solver.rules.registry import read_constraint, with_constraints
from solver.rules.variants import with_variants
from solver.solving import solve_many

LAYOUT = Layout.boxed(3, 3)


def rated(puzzles: list[str]) -> list[Rating]:
    givens = np.array([[int(symbol) for symbol in puzzle.replace(".", "0")] for puzzle in puzzles])
    givens = givens.astype(np.uint8)
    solutions = solve_many(givens, layout=LAYOUT).solutions
    ratings = rate(givens, solutions, layout=LAYOUT)
    assert not isinstance(ratings, Unexplained)
    return ratings


def test_scores_and_levels_equal_hodokus() -> None:
    lines = (DATA / "hodoku-ratings.txt").read_text().splitlines()
    cases = [line.split() for line in lines if line and not line.startswith("#")]
    ratings = rated([puzzle for puzzle, _, _ in cases])
    for (puzzle, level, score), rating in zip(cases, ratings, strict=True):
        assert (rating.level.name.lower(), rating.score) == (level, int(score)), puzzle


def test_a_high_score_raises_the_level() -> None:
    assert rating_of({"0003": 50}, layout=LAYOUT).level is Level.EASY
    assert rating_of({"0002": 60}, layout=LAYOUT).level is Level.MEDIUM
    assert rating_of({"0003": 50, "0100": 1}, layout=LAYOUT).level is Level.MEDIUM


def test_score_limits_apply_only_to_classic_puzzles() -> None:
    antiknight = with_variants(LAYOUT, ("antiknight",))
    assert isinstance(antiknight, Layout)
    for board in (Layout.boxed(4, 4), antiknight):
        assert rating_of({"0002": 500}, layout=board).level is Level.EASY
        assert rating_of({"0002": 500, "0300": 1}, layout=board).level is Level.HARD


def test_an_abandoned_rating_stops() -> None:
    stop = np.full(1, ABANDON, np.uint8)
    puzzle = np.zeros((1, 81), np.uint8)
    assert rate(puzzle, puzzle, layout=LAYOUT, stop=stop) == []


def test_techniques_of_many_puzzles_are_those_of_each_one_unless_it_needs_a_guess() -> None:
    lines = (DATA / "hodoku-ratings.txt").read_text().splitlines()[:300]
    puzzles = [line.split()[0] for line in lines if line and not line.startswith("#")]
    givens = np.array([[*map(int, puzzle.replace(".", "0"))] for puzzle in puzzles], np.uint8)
    counts = [rating.counts for rating in rated(puzzles)]
    board = board_of(LAYOUT)
    assert not isinstance(board, Unexplained)
    solver = Solver(board, NEVER)
    assert solver.counts_many(givens) == [None if GUESS in each else each for each in counts]
    with_pairs = [each if "0200" in each and GUESS not in each else None for each in counts]
    assert any(with_pairs)
    assert solver.counts_many(givens, required=["0200"]) == with_pairs
    solver.stop = np.full(1, ABANDON, np.uint8)
    assert not any(solver.counts_many(givens))


def test_unsupported_rules_are_reported() -> None:
    constraint = read_constraint({"type": "thermo", "cells": ["r1c1", "r1c2"]}, layout=LAYOUT)
    assert not isinstance(constraint, str)
    layout = with_constraints(LAYOUT, (constraint,))
    assert not isinstance(layout, str)
    puzzle = np.zeros((1, 81), np.uint8)
    answer = rate(puzzle, puzzle, layout=layout)
    assert isinstance(answer, Unexplained)
    assert "Thermometer" in answer.detail
