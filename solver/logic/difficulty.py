"""The difficulty of a puzzle: the ratings of two programs, and one word for people."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from solver.logic.technique_table import TECHNIQUES, WORDS, Level, name_of

# The highest Sudoku Explainer rating for each word: singles; locked candidates, pairs, and triples;
# fish, wings, and uniqueness; chains; forcing chains. HoDoKu's level of the same puzzle can differ,
# because the two programs order and rate techniques differently.
_BANDS = ((2.5, Level.EASY), (4.0, Level.MEDIUM), (6.2, Level.HARD), (7.5, Level.UNFAIR))


@dataclass(frozen=True, slots=True)
class Difficulty:
    """The difficulty ratings of a puzzle.

    `rating`, `pearl`, and `diamond` are Sudoku Explainer's ER, EP, and ED: the highest rating of
    all steps, the highest one up to the first placement, and the rating of the first step. They are
    None for puzzles that Sudoku Explainer doesn't support. `score` and `level` are HoDoKu's,
    including guesses. `counts` maps technique codes to how often HoDoKu's solving order needed the
    technique.
    """

    score: int
    level: Level
    rating: float | None = None
    pearl: float | None = None
    diamond: float | None = None
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def word(self) -> str:
        """The difficulty word: easy, medium, hard, very hard, or diabolical.

        Depends on Sudoku Explainer's rating for classic puzzles, and on HoDoKu's level for others.
        """
        if self.rating is None:
            return WORDS[self.level]
        return word_for(self.rating)

    @property
    def techniques(self) -> dict[str, int]:
        """How often each technique was needed, by name, in solving order."""
        return {name_of(code): self.counts[code] for code in TECHNIQUES if code in self.counts}


def word_for(rating: float) -> str:
    """Return the difficulty word for a Sudoku Explainer rating."""
    return WORDS[next((level for most, level in _BANDS if rating <= most), Level.EXTREME)]
