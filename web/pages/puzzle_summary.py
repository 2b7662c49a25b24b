"""Describe a puzzle in one line: its solutions, its difficulty, its givens, and its board."""

from dataclasses import dataclass

from solver.board.layout import Layout
from solver.logic.explanation import Ending
from solver.logic.rating.own_rating import NOT_RATED
from web.boards.drawing import Drawing
from web.explanations.view import ExplanationView
from web.results.rows import RatedRow, Row

_CLASSIC = Layout.boxed(3, 3)


@dataclass(frozen=True, slots=True)
class Summary:
    """The facts about a result: "At least 2 solutions", "hard", and "25 givens · 6×6".

    `difficulty` is a word, or "" if none is known. At most one rating belongs to it: `rating`,
    Sudoku Explainer's, or `own_rating`, the sudokuq rating of a board that Sudoku Explainer doesn't
    rate.
    """

    solutions: str
    difficulty: str
    rating: float | None
    own_rating: int | None
    board: str

    @property
    def needs_trial(self) -> bool:
        """Whether there is no rating because logic alone doesn't solve the puzzle."""
        return self.difficulty == NOT_RATED


def summarize(
    row: Row, drawing: Drawing, explained: ExplanationView | None, *, all_counted: bool
) -> Summary | None:
    """Return the facts about a result that its page shows first.

    Returns None for an invalid or failed record. `all_counted` states whether the number of
    solutions is exact. `explained` is None while the explanation isn't known.
    """
    solutions = describe_solutions(row, all_counted=all_counted)
    if not solutions:
        return None
    givens = drawing.count("given", "wrong")
    board = f"{givens:,} given{'' if givens == 1 else 's'}"
    if drawing.shape != "9×9":
        board += f" · {drawing.shape}"
    return Summary(solutions, *_difficulty(row, drawing, explained), board)


def describe_solutions(row: Row, *, all_counted: bool) -> str:
    """Describe the number of a puzzle's solutions, or return "" for an invalid or failed record.

    `all_counted` states whether it is exact.
    """
    if row.outcome == "solved":
        return "One solution" if row.unique else "Has a solution"
    if row.outcome == "multiple":
        return (
            f"{row.solutions:,} solutions"
            if all_counted
            else f"At least {row.solutions:,} solutions"
        )
    return {"unsolvable": "No solution", "step_limit": "Undecided"}.get(row.outcome, "")


def is_unrated(row: Row, drawing: Drawing, explained: ExplanationView | None) -> bool:
    """Return whether a puzzle will never get a rating, although its steps solved it or got stuck.

    The result is False for a classic puzzle that the steps solved, because it always has a rating,
    even if that isn't known yet.
    """
    if explained is None or explained.ending not in (Ending.SOLVED, Ending.STUCK):
        return False
    is_rated = isinstance(row, RatedRow) and row.rating is not None
    if explained.difficulty is not None or explained.own_rating is not None or is_rated:
        return False
    # Every classic puzzle that the steps solve has a rating, but it may not be known in time.
    return not (explained.ending is Ending.SOLVED and drawing.layout is _CLASSIC)


def _difficulty(
    row: Row, drawing: Drawing, explained: ExplanationView | None
) -> tuple[str, float | None, int | None]:
    """Return a puzzle's difficulty in words, Sudoku Explainer's rating, and the sudokuq rating.

    The words are "" if the difficulty isn't known. The sudokuq rating is None if Sudoku Explainer
    rates the puzzle.
    """
    if explained is not None and explained.difficulty is not None:
        rating, own = explained.difficulty.rating, explained.own_rating
        if rating is None:
            return explained.difficulty.word, None, None if own is None else own.rating
        return explained.difficulty.word, rating, None
    if isinstance(row, RatedRow) and row.rating is not None:
        return row.difficulty or "", row.rating, None
    if isinstance(row, RatedRow) and row.sudokuq_difficulty is not None:
        return row.sudokuq_difficulty, None, row.sudokuq_rating
    if is_unrated(row, drawing, explained):
        return NOT_RATED, None, None
    if explained is None or explained.ending not in (Ending.SOLVED, Ending.STUCK):
        return "", None, None
    own = explained.own_rating
    return ("", None, None) if own is None else (own.word, None, own.rating)
