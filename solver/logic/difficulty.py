"""How hard a puzzle is: the numbers of two programs, and one word for people."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from solver.logic.names import name_of
from solver.logic.table import TECHNIQUES, WORDS, Level

# The highest Sudoku Explainer rating for each word: singles; locked candidates, pairs, and triples;
# fish, wings, and uniqueness; chains; forcing chains. HoDoKu's level of the same puzzle can differ,
# because the two programs order and rate techniques differently.
_BANDS = (
    (2.5, Level.EASY),
    (4.0, Level.MEDIUM),
    (6.2, Level.HARD),
    (7.5, Level.UNFAIR),
)


@dataclass(frozen=True, slots=True)
class Difficulty:
    """What is known of how hard a puzzle is.

    `rating`, `pearl` and `diamond` are Sudoku Explainer's ER, EP and ED: the hardest deduction of
    all, up to the first placement, and up to the first elimination; None for what it does not
    know. `score` and `level` are HoDoKu's, guesses included; `counts` says how often its ladder
    needed each technique, by code.
    """

    score: int
    level: Level
    rating: float | None = None
    pearl: float | None = None
    diamond: float | None = None
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def word(self) -> str:
        """Easy, medium, hard, very hard, or diabolical.

        By Sudoku Explainer's rating for classic puzzles, and by the hardest technique for others.
        """
        if self.rating is None:
            return WORDS[self.level]
        return word_for(self.rating)

    @property
    def techniques(self) -> dict[str, int]:
        """How often each technique was needed, by name, in the order of the ladder."""
        return {name_of(code): self.counts[code] for code in TECHNIQUES if code in self.counts}


def word_for(rating: float) -> str:
    """Return the word for a rating of Sudoku Explainer."""
    return WORDS[next((level for most, level in _BANDS if rating <= most), Level.EXTREME)]
