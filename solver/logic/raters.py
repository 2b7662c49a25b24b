"""How hard puzzles are that have one solution: by HoDoKu's ladder and by Sudoku Explainer's."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.puzzle import Puzzle
from solver.engines.engine import GO_ON, StopFlag
from solver.logic import rating as hodoku
from solver.logic.difficulty import Difficulty
from solver.logic.explainer import rating as explainer
from solver.logic.tables import Unexplained

_CLASSIC = Layout.boxed(3, 3)


def difficulty_of(
    puzzle: Puzzle, solution: tuple[int, ...], *, stop: StopFlag
) -> Difficulty | None:
    """Return how hard a puzzle with one solution is; None where logic does not know its rules.

    None, too, for puzzles with candidates of their own, and where `stop` was raised meanwhile.
    """
    if puzzle.candidates is not None:
        return None
    rows = np.array([puzzle.givens], np.uint8), np.array([solution], np.uint8)
    rated = rate_many(*rows, layout=puzzle.layout, stop=stop)
    return rated[0] if rated else None


def rate_many(
    givens: NDArray[np.uint8],
    solutions: NDArray[np.uint8],
    *,
    layout: Layout = _CLASSIC,
    stop: StopFlag | None = None,
) -> list[Difficulty]:
    """Rate puzzles (n, cells) with one solution each, in order.

    Fewer than n where `stop` is raised meanwhile, or logic does not know the rules of the
    layout: at FINISH, the puzzle under way is still rated, and the first one always is.
    """
    stop = np.full(1, GO_ON, np.uint8) if stop is None else stop
    scores = hodoku.rate(givens, solutions, layout=layout, stop=stop)
    if isinstance(scores, Unexplained):
        return []
    rated = [Difficulty(score.score, score.level, counts=score.counts) for score in scores]
    if layout is not _CLASSIC or not rated:
        return rated
    ratings = explainer.rate_many(givens[: len(rated)], stop=stop)
    columns = zip(*(column.tolist() for column in ratings), strict=True)
    return [
        replace(known, rating=er / 10, pearl=ep / 10, diamond=ed / 10)
        for known, (er, ep, ed) in zip(rated, columns, strict=False)
    ]
