"""Our own rating of variants and of boards that aren't classic, from the costs of their steps.

Sudoku Explainer and HoDoKu can't rate most of these boards, so the rating carries neither name.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from solver.logic.deduction import Deduction
from solver.logic.rating.difficulty import LEVEL_WORDS
from solver.logic.sudoku_explainer.techniques import TABLE
from solver.logic.technique_table import RULE_TECHNIQUES, TECHNIQUES, Level

NOT_RATED = "not rated by logic"

_TRIAL, SEARCHED = "4004", "4005"  # codes, the second one of a complete search
_SHORT = 12  # lines; longer trials have the highest level
# Of a longer trial, and of each line. Longer trials cost more than Rules Together, after which they
# are tried.
_LONG_COST, _LINE_COST = 500, 10


@dataclass(frozen=True, slots=True)
class OwnRating:
    """Our own rating of a puzzle.

    `rating` is the cost of the hardest step, or None if a complete search was needed. `word` is the
    difficulty in a word, by the hardest step, or NOT_RATED after a complete search. `solved` is the
    share (0 to 1) of the candidates to be removed that steps removed before the first complete
    search, 1.0 without one.
    """

    rating: int | None
    word: str
    solved: float


def own_rating(deductions: Sequence[Deduction], *, solved: float) -> OwnRating:
    """Return the rating of a path: the cost of its hardest step and the highest level of its steps.

    A path with a complete search isn't rated. Its result contains only `solved`, the share of
    candidates that were removed before the first complete search. Any other path must lead to the
    solution, and `solved` is ignored.
    """
    if any(deduction.code == SEARCHED for deduction in deductions):
        return OwnRating(None, NOT_RATED, solved)
    hardest = max(map(cost_of, deductions), default=0)
    level = max(map(_level_of, deductions), default=Level.EASY)
    return OwnRating(hardest, LEVEL_WORDS[level], 1.0)


def cost_of(deduction: Deduction) -> int:
    """Return the cost of a step, which is that of its technique.

    The cost of a technique is its score in `technique_table`, or 100 times the lowest rating for
    techniques that only Sudoku Explainer has. The cost of a trial grows with its number of lines,
    and long trials also have a higher base cost.
    """
    entry = TECHNIQUES.get(deduction.code) or RULE_TECHNIQUES.get(deduction.code)
    if entry is None:
        return round(100 * TABLE[int(deduction.code)].rating)
    if deduction.code == _TRIAL:
        lines = len(deduction.lines)
        return (entry.score if lines <= _SHORT else _LONG_COST) + _LINE_COST * lines
    return entry.score


def _level_of(deduction: Deduction) -> Level:
    """Return the difficulty level of a step: that of its technique, or EXTREME for long trials.

    Techniques that only Sudoku Explainer has are EXTREME, too.
    """
    if deduction.code == _TRIAL and len(deduction.lines) > _SHORT:
        return Level.EXTREME
    entry = TECHNIQUES.get(deduction.code) or RULE_TECHNIQUES.get(deduction.code)
    return Level.EXTREME if entry is None else entry.level
