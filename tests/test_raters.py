"""Both ladders over the same puzzles."""

import numpy as np
import pytest
from conftest import DATA
from numpy.typing import NDArray

from solver import explain, solve
from solver.engines.engine import ABANDON, FINISH, GO_ON, StopFlag
from solver.logic import rating as hodoku
from solver.logic.difficulty import Difficulty
from solver.logic.raters import rate_many

Row = NDArray[np.uint8]


def puzzles() -> list[str]:
    """Return a few puzzles that are rated 6.6 at most."""
    rows = [line.split() for line in (DATA / "explainer" / "ratings.txt").read_text().splitlines()]
    rated = [(row[0], float(row[1].split("/")[0])) for row in rows if row[0] != "#"]
    return [puzzle for puzzle, rating in rated if rating <= 6.6][::6]


def rated(texts: list[str], stop: StopFlag) -> list[Difficulty]:
    digits = [text.replace(".", "0") for text in texts]
    givens = np.array([[int(digit) for digit in text] for text in digits], np.uint8)
    solutions = np.array([solve(text).solution for text in texts], np.uint8)
    return rate_many(givens, solutions, stop=stop)


def test_what_one_ladder_has_rated_the_other_has(monkeypatch: pytest.MonkeyPatch) -> None:
    stop = np.full(1, GO_ON, np.uint8)
    begun: list[Row] = []
    count = hodoku.Path.counts

    def finish_at_the_third(path: hodoku.Path, givens: Row, solution: Row) -> dict[str, int] | None:
        begun.append(givens)
        stop[0] = FINISH if len(begun) == 3 else GO_ON
        return count(path, givens, solution)

    monkeypatch.setattr(hodoku.Path, "counts", finish_at_the_third)
    answers = rated(puzzles(), stop)
    assert len(answers) == len(begun) == 3
    assert all(answer.rating and answer.score for answer in answers)


def test_an_abandoned_puzzle_is_not_rated() -> None:
    assert rated(puzzles()[-1:], np.full(1, ABANDON, np.uint8)) == []


@pytest.mark.parametrize("order", ["hodoku", "explainer"])
def test_an_explanation_is_as_hard_as_its_puzzle(order: str) -> None:
    texts = puzzles()
    expected = rated(texts, np.full(1, GO_ON, np.uint8))
    assert [explain(text, order=order).difficulty for text in texts] == expected


def test_a_path_that_is_known_is_not_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(hodoku.Path, "counts")
    assert explain(puzzles()[0], order="hodoku").hodoku_score
