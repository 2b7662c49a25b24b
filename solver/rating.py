"""`solver.rate_many`: solve puzzles, and rate them as HoDoKu and Sudoku Explainer do."""

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.result import Outcome
from solver.logic.rating import reference_ratings
from solver.logic.rating.difficulty import Difficulty
from solver.solving import solve_many


def rate_many(
    givens: NDArray[np.uint8],
    *,
    layout: Layout | None = None,
    step_limit: int = 1_000_000,
) -> list[Difficulty | None]:
    """Solve and rate n puzzles of one layout, in order.

    givens, step_limit  as for `solver.solve_many`
    layout              classic 9×9 by default

    Each puzzle with exactly one solution gets a `Difficulty` with Sudoku Explainer's ER, EP, and ED
    and HoDoKu's score and level. On other boards than classic ones, the former are None if Sudoku
    Explainer doesn't support the board, and the latter if HoDoKu's techniques don't suffice. If
    both are missing, if logic doesn't cover the rules of the layout, or for any other puzzle, the
    result is None. Raises the same errors as `solver.solve_many`.
    """
    layout = Layout.boxed(3, 3) if layout is None else layout
    batch = solve_many(givens, layout=layout, step_limit=step_limit)
    unique = np.flatnonzero(batch.outcomes == Outcome.SOLVED)
    rows = np.asarray(givens).reshape(len(batch), layout.cells)[unique].astype(np.uint8)
    rated, _ = reference_ratings.rate_many(rows, batch.solutions[unique], layout=layout)
    difficulties: list[Difficulty | None] = [None] * len(batch)
    for place, difficulty in zip(unique.tolist(), rated, strict=bool(rated)):
        difficulties[place] = reference_ratings.meaningful_parts(difficulty, layout=layout)
    return difficulties
