"""A rating: the numbers of HoDoKu and Sudoku Explainer, and one word, such as "hard"."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from solver.board.bounds import Bounds
from solver.logic.technique_table import GUESS, TECHNIQUES, Level, name_of

# The words, easiest first, with the highest Sudoku Explainer rating for each. The limits lie where
# HoDoKu's level of the same puzzles changes, see docs/explanation/ratings.md.
_HIGHEST = {
    "easy": 2.3,
    "medium": 4.0,
    "hard": 6.6,
    "very hard": 7.2,
    "diabolical": 8.8,
    "extreme": 99.0,
}
WORDS = tuple(_HIGHEST)
# The word for the level of the hardest technique, for puzzles that Sudoku Explainer doesn't rate.
LEVEL_WORDS = dict(zip(Level, WORDS, strict=False))


@dataclass(frozen=True, slots=True)
class Difficulty:
    """The difficulty ratings of a puzzle.

    `rating`, `pearl`, and `diamond` are Sudoku Explainer's ER, EP, and ED: the highest rating of
    all steps, the highest one up to the first placement, and the rating of the first step. They are
    None for boards that Sudoku Explainer doesn't support, and for puzzles other than classic ones
    that its techniques don't solve. `score` and `level` are HoDoKu's, including guesses. They are
    None if only Sudoku Explainer's techniques solve a puzzle that isn't classic. `counts` maps
    technique codes to how often HoDoKu's solving order needed the technique.
    """

    score: int | None
    level: Level | None
    rating: float | None = None
    pearl: float | None = None
    diamond: float | None = None
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def word(self) -> str:
        """The difficulty word: easy, medium, hard, very hard, diabolical, or extreme.

        It depends on Sudoku Explainer's rating if there is one, otherwise on HoDoKu's level, which
        gives only the first five words. Without either, it is extreme.
        """
        if self.rating is not None:
            return word_for(self.rating)
        return WORDS[-1] if self.level is None else LEVEL_WORDS[self.level]

    @property
    def techniques(self) -> dict[str, int]:
        """How often each technique was needed, by name, in solving order, without guesses."""
        known = (code for code in TECHNIQUES if code in self.counts and code != GUESS)
        return {name_of(code): self.counts[code] for code in known}


def word_for(rating: float) -> str:
    """Return the difficulty word for a Sudoku Explainer rating, such as "hard" for 6.6."""
    return next(word for word, highest in _HIGHEST.items() if rating <= highest)


def ratings_of(word: str) -> Bounds:
    """Return the range of Sudoku Explainer ratings that a difficulty word covers.

    The range includes both ends. It has no lower end for the easiest word, and no upper end for the
    hardest one.
    """
    place = WORDS.index(word)
    least = None if place == 0 else round(_HIGHEST[WORDS[place - 1]] + 0.1, 1)
    return Bounds(least, None if word == WORDS[-1] else _HIGHEST[word])
