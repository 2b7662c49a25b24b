"""An explanation as its page shows it: its deductions by technique, each with a picture."""

from dataclasses import dataclass
from itertools import groupby

from solver.logic.difficulty import Difficulty
from solver.logic.explanation import Ending, Explanation
from solver.logic.hint import WHAT, WHERE, WHOLE, hint
from solver.logic.names import name_of
from web.boards.deduction_drawing import LARGEST_SIZE, draw_deduction
from web.boards.svg import Picture

# Further deductions are listed without pictures, of which a page cannot have any number.
MOST_PICTURES = 100


@dataclass(frozen=True, slots=True)
class Step:
    """One deduction, numbered from 1; `picture` is the grid before it."""

    number: int
    technique: str
    sentence: str
    picture: Picture | None


@dataclass(frozen=True, slots=True)
class Group:
    """Deductions in a row by one technique."""

    name: str
    steps: list[Step]

    @property
    def first(self) -> int:
        """The number of its first deduction."""
        return self.steps[0].number


@dataclass(frozen=True, slots=True)
class Explained:
    """The explanation on a puzzle's page, with hints of rising strength."""

    ending: Ending
    summary: str
    counts: dict[str, int]
    difficulty: Difficulty | None
    hints: list[str]
    groups: list[Group]


def explained(explanation: Explanation) -> Explained:
    """Return an explanation as its page shows it."""
    steps = list(_steps(explanation))
    return Explained(
        ending=explanation.ending,
        summary=explanation.summary.split("\n", 1)[0],
        counts=explanation.counts,
        difficulty=explanation.difficulty,
        hints=[hint(explanation, strength=strength) for strength in (WHERE, WHAT, WHOLE)],
        groups=[
            Group(name, list(members)) for name, members in groupby(steps, lambda s: s.technique)
        ],
    )


def _steps(explanation: Explanation) -> list[Step]:
    layout, symbols = explanation.layout, explanation.symbols
    givens, is_small = explanation.start.values, layout.size <= LARGEST_SIZE
    entries = zip(
        explanation.deductions, explanation.sentences, explanation.positions, strict=False
    )
    return [
        Step(
            number,
            name_of(deduction.code),
            sentence,
            draw_deduction(layout, symbols, givens, position, deduction)
            if is_small and number <= MOST_PICTURES
            else None,
        )
        for number, (deduction, sentence, position) in enumerate(entries, 1)
    ]
