"""Describe a puzzle in one line: its solutions, its difficulty, its givens, and its board."""

from dataclasses import dataclass

from solver.board.layout import Layout
from solver.logic.explanation import Ending
from web.boards.drawing import Drawing
from web.explanations.view import ExplanationView
from web.results.rows import RatedRow, Row

_CLASSIC = Layout.boxed(3, 3)


@dataclass(frozen=True, slots=True)
class Summary:
    """The facts about a result, such as "2 solutions" or "Hard", then "25 givens · 6×6".

    `first` is empty if there is nothing to add to the outcome, which the page shows above it.
    One rating belongs between both texts: `rating`, Sudoku Explainer's, or `own_rating`, the
    sudokuq rating of a board that Sudoku Explainer doesn't rate. Both are None if none is known.
    """

    first: str
    rating: float | None
    own_rating: int | None
    board: str


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
    difficulty, rating, own_rating = _difficulty(row, drawing, explained)
    givens = drawing.count("given", "wrong")
    board = [
        f"{givens:,} given{'' if givens == 1 else 's'}",
        "" if drawing.shape == "9×9" else drawing.shape,
    ]
    # The outcome above already states that there is one solution, none, or an unknown number.
    says_more = row.outcome == "multiple" or (row.outcome == "solved" and not row.unique)
    first = _joined(solutions if says_more else "", difficulty)
    return Summary(first[:1].upper() + first[1:], rating, own_rating, _joined(*board))


def _joined(*facts: str) -> str:
    return " · ".join(filter(None, facts))


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
        return "not rated by logic", None, None
    if explained is None or explained.ending not in (Ending.SOLVED, Ending.STUCK):
        return "", None, None
    own = explained.own_rating
    return ("", None, None) if own is None else (own.word, None, own.rating)
