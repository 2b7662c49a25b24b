"""The solving orders of HoDoKu and Sudoku Explainer on the same puzzles."""

from threading import Timer

import numpy as np
import pytest
from numpy.typing import NDArray
from paths import DATA

from solver import explain, solve
from solver.engines.engine import ABANDON, FINISH, GO_ON, StopFlag
from solver.logic import hodoku_rating as hodoku
from solver.logic.difficulty import Difficulty
from solver.logic.ratings import rate_many

Row = NDArray[np.uint8]

# Its rating is 10.5.
ESCARGOT = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."


def puzzles() -> list[str]:
    """Return a few puzzles with ratings up to 6.6."""
    rows = [line.split() for line in (DATA / "explainer" / "ratings.txt").read_text().splitlines()]
    rated = [(row[0], float(row[1].split("/")[0])) for row in rows if row[0] != "#"]
    return [puzzle for puzzle, rating in rated if rating <= 6.6][::6]


def rated(texts: list[str], stop: StopFlag) -> list[Difficulty]:
    digits = [text.replace(".", "0") for text in texts]
    givens = np.array([[int(digit) for digit in text] for text in digits], np.uint8)
    solutions = np.array([solve(text).solution for text in texts], np.uint8)
    return rate_many(givens, solutions, stop=stop)[0]


def test_what_one_ladder_has_rated_the_other_has(monkeypatch: pytest.MonkeyPatch) -> None:
    stop = np.full(1, GO_ON, np.uint8)
    begun: list[Row] = []
    count = hodoku.Path.counts

    def finish_at_the_third(
        path: hodoku.Path, givens: Row, solution: Row, *, standing: None
    ) -> dict[str, int] | None:
        begun.append(givens)
        stop[0] = FINISH if len(begun) == 3 else GO_ON
        return count(path, givens, solution, standing=standing)

    monkeypatch.setattr(hodoku.Path, "counts", finish_at_the_third)
    answers = rated(puzzles(), stop)
    assert len(answers) == len(begun) == 3
    assert all(answer.rating and answer.score for answer in answers)


def test_an_abandoned_puzzle_is_not_rated_and_stands_somewhere_new_only_after_a_deduction() -> None:
    row = np.array([[int(digit) for digit in ESCARGOT.replace(".", "0")]], np.uint8)
    stop = np.full(1, ABANDON, np.uint8)
    rated, standing = rate_many(row, row, stop=stop)
    assert rated == []
    packed = b"" if standing is None else standing.pack()
    assert rate_many(row, row, stop=stop, standing=packed) == ([], None)


def test_a_rating_goes_on_where_another_process_would_have_set_it_aside() -> None:
    givens = np.array([[int(digit) for digit in ESCARGOT.replace(".", "0")]], np.uint8)
    solutions = np.array([solve(ESCARGOT).solution], np.uint8)
    (whole,), _ = rate_many(givens, solutions)
    stop, packed, pieces, seconds = np.zeros(1, np.uint8), None, [], 0.001
    while True:
        stop[0] = GO_ON
        timer = Timer(seconds, stop.fill, [ABANDON])
        timer.start()
        rated, standing = rate_many(givens, solutions, stop=stop, standing=packed)
        timer.join()
        if rated:
            break
        seconds *= 1.3
        if standing is not None:
            packed = standing.pack()
            pieces.append((len(standing.grid) == 0, int(standing.counts.sum())))
    assert rated == [whole]
    assert len(pieces) > 1
    assert pieces == sorted(pieces)


@pytest.mark.parametrize("order", ["hodoku", "explainer"])
def test_an_explanation_is_as_hard_as_its_puzzle(order: str) -> None:
    texts = puzzles()
    expected = rated(texts, np.full(1, GO_ON, np.uint8))
    assert [explain(text, order=order).difficulty for text in texts] == expected


def test_a_path_that_is_known_is_not_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(hodoku.Path, "counts")
    assert explain(puzzles()[0], order="hodoku").hodoku_score
