"""The steps that are available at one position, with their texts."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.logic.deduction import Deduction
from solver.logic.explanation import Position, Step
from solver.logic.sentences.eureka import eureka
from solver.logic.sentences.sentence import sentence
from solver.logic.sentences.wording import Wording
from solver.logic.technique_table import heading_of

MOST_LISTED = 50  # steps of one technique

_INDENTED = "\n" + 6 * " "  # Further lines are aligned with the first one's text.


@dataclass(frozen=True, slots=True)
class AvailableSteps:
    """The steps that are available at a position, the simplest first.

    The first one is the next step of the explanation. Of each technique, at most `MOST_LISTED`
    steps are listed. `unlisted` contains the codes of the techniques with further steps.
    `is_complete` is False if the search was abandoned. `givens` are those of the puzzle. `detail`
    is the reason why the puzzle isn't explained, or None if it is. `rows` are the deductions as
    bytes (see `solver.logic.deduction.unpack`).
    """

    layout: Layout
    symbols: Symbols
    givens: tuple[int, ...]
    position: Position
    deductions: tuple[Deduction, ...]
    unlisted: tuple[str, ...] = ()
    is_complete: bool = True
    detail: str | None = None
    rows: bytes = b""

    @property
    def steps(self) -> Iterator[Step]:
        """The steps with their texts. All of them start from the same position."""
        words = Wording(self.layout, self.symbols, self.position.domains)
        for deduction in self.deductions:
            yield Step(
                deduction, sentence(deduction, words), eureka(deduction, words), self.position
            )

    @property
    def summary(self) -> str:
        """A text with the number of listed steps, which states whether there are or may be more.

        If there are no steps, it states that none was found, that the grid is full, or why the
        puzzle isn't explained.
        """
        if self.detail is not None:
            return f"Not explained: {self.detail.removesuffix('.')}."
        count = len(self.deductions)
        if not count:
            return "No step found." if 0 in self.position.values else "The grid is full."
        parts = [f"{count:,} {'step is' if count == 1 else 'steps are'} available."]
        if self.unlisted:
            names = ", ".join(map(heading_of, self.unlisted))
            parts.append(f"Further steps exist with: {names}.")
        if not self.is_complete:
            parts.append("The search ended early, so there may be more.")
        return " ".join(parts)

    @property
    def text(self) -> str:
        """All steps as text, grouped by technique, followed by the summary."""
        lines: list[str] = []
        numbered = enumerate(self.steps, 1)
        for code, group in groupby(numbered, lambda entry: entry[1].deduction.code):
            lines.append(heading_of(code))
            for number, step in group:
                text = f"{step.sentence}\n{step.notation}" if step.notation else step.sentence
                lines.append(f"{number:>4}. {_INDENTED.join(text.splitlines())}")
        return "\n".join([*lines, *([""] if lines else []), self.summary])
