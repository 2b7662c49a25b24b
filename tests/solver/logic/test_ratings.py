"""Both ratings of a puzzle: independent of other puzzles, and resumed after a suspension."""

from concurrent.futures import ThreadPoolExecutor
from threading import Timer

import numpy as np
import pytest
from numpy.typing import NDArray
from paths import DATA

from solver import explain, solve
from solver.board.checkpoint import Checkpoint
from solver.board.layout import Layout
from solver.engines.engine import ABANDON, FINISH, GO_ON, StopFlag
from solver.logic.progress import progress_in
from solver.logic.rating import hodoku
from solver.logic.rating.difficulty import Difficulty
from solver.logic.rating.reference_ratings import rate_many

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


def test_both_ratings_of_a_puzzle_precede_the_next_puzzle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stop = np.full(1, GO_ON, np.uint8)
    begun: list[Row] = []
    count = hodoku.Solver.counts

    def finish_at_the_third(
        path: hodoku.Solver, givens: Row, solution: Row, *, progress: None
    ) -> dict[str, int] | None:
        begun.append(givens)
        stop[0] = FINISH if len(begun) == 3 else GO_ON
        return count(path, givens, solution, progress=progress)

    monkeypatch.setattr(hodoku.Solver, "counts", finish_at_the_third)
    answers = rated(puzzles(), stop)
    assert len(answers) == len(begun) == 3
    assert all(answer.rating and answer.score for answer in answers)


def test_rating_does_not_depend_on_earlier_or_concurrent_ratings() -> None:
    texts = [*puzzles(), ESCARGOT]
    stop = np.full(1, GO_ON, np.uint8)
    together = rated(texts, stop)
    nothing = np.zeros((0, 36), np.uint8)
    rate_many(nothing, nothing, layout=Layout.boxed(2, 3))
    with ThreadPoolExecutor(4) as threads:
        alone = [*threads.map(lambda text: rated([text], stop), reversed(texts))]
    assert alone[::-1] == [[rating] for rating in together]


def test_abandoned_rating_without_a_new_deduction_has_no_checkpoint() -> None:
    row = np.array([[int(digit) for digit in ESCARGOT.replace(".", "0")]], np.uint8)
    stop = np.full(1, ABANDON, np.uint8)
    rated, checkpoint = rate_many(row, row, stop=stop)
    assert rated == []
    assert rate_many(row, row, stop=stop, checkpoint=checkpoint) == ([], None)


def test_suspended_rating_is_resumed_where_it_was() -> None:
    givens = np.array([[int(digit) for digit in ESCARGOT.replace(".", "0")]], np.uint8)
    solutions = np.array([solve(ESCARGOT).solution], np.uint8)
    (whole,), _ = rate_many(givens, solutions)
    stop, resumed, pieces, seconds = np.zeros(1, np.uint8), None, [], 0.001
    while True:
        stop[0] = GO_ON
        timer = Timer(seconds, stop.fill, [ABANDON])
        timer.start()
        rated, checkpoint = rate_many(givens, solutions, stop=stop, checkpoint=resumed)
        timer.join()
        if rated:
            break
        seconds *= 1.3
        if checkpoint is not None:
            resumed = Checkpoint.unpack(checkpoint.pack())
            progress = progress_in(resumed)
            assert progress is not None
            pieces.append((len(progress.grid) == 0, int(progress.counts.sum())))
    assert rated == [whole]
    assert len(pieces) > 1
    assert pieces == sorted(pieces)


@pytest.mark.parametrize("order", ["hodoku", "explainer"])
def test_explanation_has_the_rating_of_its_puzzle(order: str) -> None:
    texts = puzzles()
    expected = rated(texts, np.full(1, GO_ON, np.uint8))
    assert [explain(text, order=order).difficulty for text in texts] == expected


def test_rating_reuses_a_known_solving_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(hodoku.Solver, "counts")
    assert explain(puzzles()[0], order="hodoku").hodoku_score
