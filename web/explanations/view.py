"""The explanation on a puzzle's page: its steps grouped by technique, some with drawings."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.logic.deduction import Candidate, Deduction
from solver.logic.explanation import Ending, Explanation, Position
from solver.logic.hint import MarkedHints, marked_hints
from solver.logic.marks import houses_of
from solver.logic.rating.difficulty import Difficulty
from solver.logic.rating.own_rating import SEARCHED, OwnRating
from solver.logic.sentences.wording import Wording
from solver.logic.step_groups import short_reason, step_groups
from solver.logic.technique_table import heading_of
from web.boards.coordinates import with_coordinates
from web.boards.deduction_drawing import LARGEST_DRAWN, draw_deduction, draw_position
from web.boards.svg import Picture

# The pictures of later steps are loaded when they are shown, because too many would slow down the
# page. Larger boards have fewer pictures.
_MAX_PICTURES = 100
_MAX_PICTURED_CELLS = 26_000
_MAX_WRITTEN = 32  # explanations whose texts are kept
_MAX_CELLS = 1_000  # steps on larger boards have no pictures


@dataclass(frozen=True, slots=True)
class Step:
    """A step of an explanation, numbered from 1.

    `technique` is the heading of its technique, and `code` its code. `result` is what it places or
    removes, without the reason, such as "Place 5 in r1c2.". `reason` is a short reason for a list.
    It is the beginning of the sentence unless the step is a single. `eureka` is its Eureka
    notation, or None. `placements` are the values that it places. `house` and `cover` name the
    houses of its pattern and those in which it removes candidates, such as "Rows 2 and 7", or are
    "". `picture` shows the grid before the step. It is None for large grids and for later steps.
    """

    number: int
    technique: str
    code: str
    sentence: str
    result: str
    reason: str
    eureka: str | None
    placements: tuple[Candidate, ...]
    house: str
    cover: str
    picture: Picture | None


@dataclass(frozen=True, slots=True)
class Group:
    """Consecutive steps with the same technique, or consecutive singles."""

    name: str
    steps: list[Step]

    @property
    def first(self) -> int:
        """The number of the group's first step."""
        return self.steps[0].number

    @property
    def size(self) -> int:
        """The number of its steps."""
        return len(self.steps)

    @property
    def code(self) -> str:
        """The code of the first step's technique."""
        return self.steps[0].code

    @property
    def needs_trial(self) -> bool:
        """Whether only trial and error finds its steps, which a complete search stands for."""
        return self.code == SEARCHED


@dataclass(frozen=True, slots=True)
class ExplanationView:
    """An explanation in the form in which a puzzle's page shows it.

    `counts` contains the number of steps by technique. `hints` contains three hints for the first
    step, each of which reveals more than the previous one. It is None if there are no steps.
    `start` shows the grid with its candidates before the first step, or is None for large grids.
    """

    ending: Ending
    summary: str
    counts: dict[str, int]
    difficulty: Difficulty | None
    own_rating: OwnRating | None
    hints: MarkedHints | None
    start: Picture | None
    groups: list[Group]


def _summary(explanation: Explanation) -> str:
    summary = explanation.summary.split("\n", 1)[0]
    if explanation.ending is not Ending.CUT:
        return summary
    if not explanation.deductions:
        summary = "Working out the first step took too long."
    return f"{summary} To continue, reload this page in a minute."


def explanation_view(explanation: Explanation) -> ExplanationView:
    """Return an explanation in the form in which a puzzle's page shows it."""
    steps = list(_steps(explanation))
    return ExplanationView(
        ending=explanation.ending,
        summary=_summary(explanation),
        counts=explanation.counts,
        difficulty=explanation.difficulty,
        own_rating=explanation.own_rating,
        hints=marked_hints(explanation) if steps else None,
        start=_start_picture(explanation) if can_be_drawn(explanation.layout) else None,
        groups=[
            Group(group.name, steps[group.first - 1 : group.first - 1 + len(group.deductions)])
            for group in step_groups(explanation.deductions)
        ],
    )


def _start_picture(explanation: Explanation) -> Picture:
    layout, start = explanation.layout, explanation.start
    marks = explanation.pencil_marks
    picture = draw_position(layout, explanation.symbols, start.values, start, pencil_marks=marks)
    return with_coordinates(picture, layout)


def can_be_drawn(layout: Layout) -> bool:
    """Return whether a board is small enough for pictures of steps."""
    return layout.size <= LARGEST_DRAWN and layout.cells <= _MAX_CELLS


def step_picture(explanation: Explanation, number: int) -> Picture | None:
    """Return the picture of a step, counted from 1, or None if it has no picture."""
    if not (can_be_drawn(explanation.layout) and 1 <= number <= len(explanation.deductions)):
        return None
    position = next(islice(explanation.positions, number - 1, None))
    return _step_picture(explanation, explanation.deductions[number - 1], position)


def _step_picture(explanation: Explanation, deduction: Deduction, position: Position) -> Picture:
    """Draw a step. `position` is the grid before it."""
    picture = draw_deduction(
        explanation.layout,
        explanation.symbols,
        explanation.start.values,
        position,
        deduction,
        pencil_marks=explanation.pencil_marks,
    )
    return with_coordinates(picture, explanation.layout)


def _steps(explanation: Explanation) -> list[Step]:
    layout = explanation.layout
    texts = _texts(layout, explanation.symbols, explanation.start, explanation.deductions)
    most = min(_MAX_PICTURES, _MAX_PICTURED_CELLS // layout.cells) if can_be_drawn(layout) else 0
    return [
        Step(
            number,
            heading_of(deduction.code),
            deduction.code,
            text.sentence,
            text.result,
            text.reason,
            text.notation,
            deduction.placements,
            text.house,
            text.cover,
            _step_picture(explanation, deduction, position) if number <= most else None,
        )
        for number, (deduction, text, position) in enumerate(
            zip(explanation.deductions, texts, explanation.positions, strict=False), 1
        )
    ]


class _Texts(NamedTuple):
    """The texts of a step, see `Step`."""

    sentence: str
    result: str
    reason: str
    notation: str | None
    house: str
    cover: str


@lru_cache(maxsize=_MAX_WRITTEN)
def _texts(
    layout: Layout, symbols: Symbols, start: Position, deductions: tuple[Deduction, ...]
) -> tuple[_Texts, ...]:
    """Return the texts of all steps of an explanation.

    The texts of hard variants take up to a second, and pages are loaded again and again.
    """
    explanation = Explanation(layout, symbols, start, "", Ending.CUT, deductions)
    words = Wording(layout, symbols)
    return tuple(
        _Texts(
            sentence,
            result := words.result(deduction),
            short_reason(deduction, words) or sentence.partition("\n")[0].removesuffix(result),
            notation,
            _named(houses_of(deduction), words),
            _named(deduction.cover, words),
        )
        for deduction, sentence, notation, _ in explanation.steps
    )


def _named(houses: Sequence[int], words: Wording) -> str:
    """Return the names of houses as a legend, such as "Row 7", or "" without houses."""
    names = words.houses(sorted({*houses})) if houses else ""
    return names[:1].upper() + names[1:]
