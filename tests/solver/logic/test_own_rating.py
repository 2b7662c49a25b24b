"""Our own rating of variants follows from the hardest step, and never replaces other ratings."""

import pytest

from solver import explain
from solver.logic.deduction import Deduction, LineKind, ProofLine
from solver.logic.rating.own_rating import NOT_RATED, cost_of, own_rating
from web.explanations.explanation_json import explanation_json

SMALL = "12.4...2....4..1"
THERMO = (
    '{"size": 4, "grid": "1..4........4..1", "constraints": '
    '[{"type": "thermo", "cells": ["r1c2", "r1c3"]}]}'
)
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def trial(lines: int) -> Deduction:
    return Deduction("4004", lines=(ProofLine(LineKind.ASSUMPTION, 0),) * lines)


@pytest.mark.parametrize(
    ("deduction", "rating", "word"),
    [
        (Deduction("0003"), 4, "easy"),
        (Deduction("4002"), 45, "medium"),
        (Deduction("0300"), 140, "hard"),
        (trial(4), 190, "very hard"),
        (trial(12), 270, "very hard"),
        (Deduction("4006"), 500, "diabolical"),
        (trial(13), 630, "diabolical"),
    ],
)
def test_the_hardest_step_decides(deduction: Deduction, rating: int, word: str) -> None:
    assert cost_of(deduction) == rating
    rated = own_rating([Deduction("0003"), deduction, Deduction("0003")], solved=1.0)
    assert (rated.rating, rated.word, rated.solved) == (rating, word, 1.0)


def test_a_complete_search_leaves_a_puzzle_unrated() -> None:
    rated = own_rating([Deduction("0003"), Deduction("4005")], solved=0.25)
    assert (rated.rating, rated.word, rated.solved) == (None, NOT_RATED, 0.25)


def test_classic_puzzles_have_no_rating_of_our_own() -> None:
    explanation = explain(EASY)
    assert explanation.own_rating is None
    assert explanation_json(explanation).own_rating is None
    assert "sudokuq" not in explanation.summary.lower()


@pytest.mark.parametrize("text", [SMALL, THERMO])
def test_other_boards_and_variants_are_rated(text: str) -> None:
    explanation = explain(text)
    assert explanation.own_rating is not None
    assert explanation.own_rating.word == "easy"
    assert "udokuq rating " in explanation.summary
