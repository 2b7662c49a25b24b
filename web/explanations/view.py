"""The explanation on a puzzle's page: its steps grouped by technique, each with a drawing."""

from dataclasses import dataclass

from solver.logic.difficulty import Difficulty
from solver.logic.explanation import Ending, Explanation
from solver.logic.hint import WHAT, WHERE, WHOLE, hint
from solver.logic.step_groups import step_groups
from solver.logic.technique_table import heading_of
from web.boards.deduction_drawing import LARGEST_SIZE, draw_deduction, draw_position
from web.boards.svg import Picture

# Later steps are listed without drawings, because too many would slow down the page.
MAX_PICTURES = 100


@dataclass(frozen=True, slots=True)
class Step:
    """A step of an explanation, numbered from 1.

    `technique` is the heading of its technique. `eureka` is its Eureka notation, or None. `picture`
    shows the grid before the step. It is None for large grids and for steps after the first 100.
    """

    number: int
    technique: str
    sentence: str
    eureka: str | None
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


@dataclass(frozen=True, slots=True)
class ExplanationView:
    """An explanation in the form in which a puzzle's page shows it.

    `counts` contains the number of steps by technique. `hints` contains three hints for the first
    step, each of which reveals more than the previous one. It is empty if there are no steps.
    `start` shows the grid with its candidates before the first step, or is None for large grids.
    """

    ending: Ending
    summary: str
    counts: dict[str, int]
    difficulty: Difficulty | None
    hints: list[str]
    start: Picture | None
    groups: list[Group]


def explanation_view(explanation: Explanation) -> ExplanationView:
    """Return an explanation in the form in which a puzzle's page shows it."""
    steps = list(_steps(explanation))
    layout, symbols, start = explanation.layout, explanation.symbols, explanation.start
    return ExplanationView(
        ending=explanation.ending,
        summary=explanation.summary.split("\n", 1)[0],
        counts=explanation.counts,
        difficulty=explanation.difficulty,
        hints=[hint(explanation, strength=strength) for strength in (WHERE, WHAT, WHOLE)]
        if steps
        else [],
        start=draw_position(layout, symbols, start.values, start)
        if layout.size <= LARGEST_SIZE
        else None,
        groups=[
            Group(group.name, steps[group.first - 1 : group.first - 1 + len(group.deductions)])
            for group in step_groups(explanation.deductions)
        ],
    )


def _steps(explanation: Explanation) -> list[Step]:
    layout, symbols = explanation.layout, explanation.symbols
    givens, is_small = explanation.start.values, layout.size <= LARGEST_SIZE
    return [
        Step(
            number,
            heading_of(deduction.code),
            sentence,
            notation,
            draw_deduction(layout, symbols, givens, position, deduction)
            if is_small and number <= MAX_PICTURES
            else None,
        )
        for number, (deduction, sentence, notation, position) in enumerate(explanation.steps, 1)
    ]
