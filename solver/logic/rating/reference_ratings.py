"""Rate puzzles whose solution is known, as HoDoKu and Sudoku Explainer do.

`rater` combines `hodoku` and `sudoku_explainer.rating`, which have one program's rating each.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.board.checkpoint import Checkpoint
from solver.board.layout import Layout
from solver.board.puzzle import Puzzle
from solver.engines.engine import GO_ON, StopFlag
from solver.logic.board_tables import Unexplained, board_of
from solver.logic.deduction import Deduction
from solver.logic.progress import Progress, progress_in
from solver.logic.rating.difficulty import Difficulty
from solver.logic.rating.rater import borrowed_rater
from solver.logic.technique_table import GUESS, TECHNIQUES
from solver.logic.techniques.sums import SUM_TECHNIQUES

_CLASSIC = Layout.boxed(3, 3)


def difficulty_of(
    puzzle: Puzzle,
    solution: tuple[int, ...],
    *,
    order: str = "",
    deductions: Sequence[Deduction] = (),
    stop: StopFlag,
    earlier: Progress | None = None,
) -> Difficulty | Progress | None:
    """Rate a puzzle that has one solution.

    order       the order of `deductions`, "hodoku" or "explainer"
    deductions  the puzzle's complete solving path, if it is already known
    earlier     the progress from which the rating resumes

    `deductions` only save work. They are used if their order and techniques allow it.

    Returns None for puzzles with pencil marks, for rules that compiled techniques don't cover, and
    for puzzles other than classic ones that neither HoDoKu's nor Sudoku Explainer's techniques
    solve. Returns the progress so far if `stop` is ABANDON before the rating is complete.
    """
    board = board_of(puzzle.layout)
    if puzzle.candidates is not None or isinstance(board, Unexplained):
        return None
    by_hodoku = by_explainer = None
    codes = Counter(deduction.code for deduction in deductions)
    # Sums place values in explanations, where HoDoKu's order has singles.
    has_sums = any(technique.codes[0] in codes for technique in SUM_TECHNIQUES)
    if deductions and order == "hodoku" and codes.keys() <= TECHNIQUES.keys() and not has_sums:
        by_hodoku = dict(codes)
    if deductions and order == "explainer":
        by_explainer = _ratings_on(deductions)
    row = np.array(puzzle.givens, np.uint8), np.array(solution, np.uint8)
    with borrowed_rater(puzzle.layout, board, stop) as rater:
        difficulty = rater.rate(*row, counts=by_hodoku, ratings=by_explainer, earlier=earlier)
        if difficulty is None:
            return rater.progress
    return meaningful_parts(difficulty, layout=puzzle.layout)


def meaningful_parts(difficulty: Difficulty, *, layout: Layout) -> Difficulty | None:
    """Return the meaningful parts of a difficulty, or None if there are none.

    HoDoKu counts guesses into the score of classic puzzles. On other boards, guesses only show that
    the techniques don't suffice, so the score, the level, and the counts mean nothing. They are
    then replaced by None, None, and {}, and only Sudoku Explainer's ratings remain.
    """
    if layout is _CLASSIC or GUESS not in difficulty.counts:
        return difficulty
    if difficulty.rating is None:
        return None
    return replace(difficulty, score=None, level=None, counts={})


def rate_many(
    givens: NDArray[np.uint8],
    solutions: NDArray[np.uint8],
    *,
    layout: Layout = _CLASSIC,
    stop: StopFlag | None = None,
    checkpoint: Checkpoint | None = None,
) -> tuple[list[Difficulty], Checkpoint | None]:
    """Rate puzzles (n, cells) with one solution each, in order.

    Returns the ratings, and a checkpoint or None. There are no ratings if compiled techniques don't
    cover all rules of the layout, and there can be fewer than n if `stop` is raised. With FINISH,
    the current puzzle is still rated, so there is at least one rating. With ABANDON, the current
    puzzle isn't rated, and the result contains its checkpoint if its rating has advanced. The first
    puzzle resumes from `checkpoint`. The ratings also have the parts that `meaningful_parts` would
    remove.
    """
    stop = np.full(1, GO_ON, np.uint8) if stop is None else stop
    board = board_of(layout)
    if isinstance(board, Unexplained):
        return [], None
    earlier = progress_in(checkpoint)
    rated: list[Difficulty] = []
    with borrowed_rater(layout, board, stop) as rater:
        for puzzle, solution in zip(givens, solutions, strict=True):
            difficulty = rater.rate(puzzle, solution, earlier=earlier)
            if difficulty is None:
                progress = rater.progress
                if progress is None or not progress.is_beyond(earlier):
                    return rated, None
                return rated, progress.to_checkpoint()
            rated.append(difficulty)
            if stop[0] != GO_ON:
                break
            earlier = None
    return rated, None


def _ratings_on(deductions: Sequence[Deduction]) -> tuple[int, int, int]:
    """Return ER, EP, and ED of a puzzle in tenths.

    `deductions` are its complete path in Sudoku Explainer's order, with ratings.
    """
    tenths = [round(10 * (deduction.rating or 0.0)) for deduction in deductions]
    placing = next(number for number, deduction in enumerate(deductions) if deduction.placements)
    return max(tenths), max(tenths[: placing + 1]), tenths[0]
