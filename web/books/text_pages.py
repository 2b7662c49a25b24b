"""Set hints and explanations as lines of text, and cut them into columns."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from solver.board.display import how_many
from solver.logic.deduction import Deduction
from solver.logic.explanation import Explanation
from solver.logic.hint import WHAT, hint
from solver.logic.sentences.wording import Wording
from solver.logic.step_groups import FULL_HOUSE, HIDDEN_SINGLE, NAKED_SINGLE, step_groups
from web.books.entries import Entry
from web.books.pen import wrap_text

_LEADING = 1.35


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text with its font size, indentation, and the space above it, in points.

    `kept` is the number of following lines that must be in the same column.
    """

    text: str
    size: float
    bold: bool = False
    indent: float = 0
    above: float = 0
    kept: int = 0

    @property
    def height(self) -> float:
        """The height that the line takes on a page, in points."""
        return self.above + self.size * _LEADING


def hint_lines(entries: Iterable[Entry], *, width: float, size: float) -> Iterator[Line]:
    """Yield lines with a hint for each puzzle that has an explanation.

    A hint names a technique, and where to look. `width` and `size` are the width of a column and
    the font size in points.
    """
    indent = 3 * size
    for entry in entries:
        explanation = entry.explanation
        if explanation is None:
            continue
        lines = list(wrap_text(_typeset(_hint(explanation)), width - indent, size))
        for place, text in enumerate(lines):
            if place == 0:
                yield Line(f"{entry.number}", size, bold=True, above=0.3 * size, kept=len(lines))
                yield Line(text, size, indent=indent, above=-size * _LEADING)
            else:
                yield Line(text, size, indent=indent)


def _hint(explanation: Explanation) -> str:
    """Return a hint for the first step that isn't a single, or for the first step if all are."""
    singles = sum(1 for _ in takewhile(_is_single, explanation.deductions))
    if singles == len(explanation.deductions):
        return hint(explanation, strength=WHAT)
    found = hint(replace(explanation, deductions=explanation.deductions[singles:]), strength=WHAT)
    return f"After {how_many(singles, 'single')}, {found}" if singles else found


def _is_single(deduction: Deduction) -> bool:
    return deduction.code in (FULL_HOUSE, HIDDEN_SINGLE, NAKED_SINGLE)


def explanation_lines(entries: Iterable[Entry], *, width: float, size: float) -> Iterator[Line]:
    """Yield lines with the steps that solve each puzzle that has an explanation.

    `width` and `size` are the width of a column and the font size in points.
    """
    for entry in entries:
        explanation = entry.explanation
        if explanation is None:
            continue
        yield Line(entry.title, size * 1.2, bold=True, above=size, kept=3)
        for depth, text in _steps(explanation):
            yield from _paragraph(_typeset(text), 1.5 * size * depth, width=width, size=size)


def _paragraph(text: str, indent: float, *, width: float, size: float) -> Iterator[Line]:
    """Yield the lines of a paragraph, whose first two and last two lines stay together.

    `indent` is the indentation of the first line, and that of the others is greater by `size`, the
    font size. `width` is the width of the column. All are in points.
    """
    lines = list(wrap_text(text, width - size - indent, size))
    for place, line in enumerate(lines):
        yield Line(
            line,
            size,
            indent=indent + (size if place else 0),
            above=0 if place or indent else 0.25 * size,
            kept=1 if place in (0, len(lines) - 2) and len(lines) > 1 else 0,
        )


def _steps(explanation: Explanation) -> Iterator[tuple[int, str]]:
    """Yield the steps of an explanation in words, as pairs (depth, paragraph).

    A paragraph is the first line of a step, after its number and technique, or several singles
    together, with the depth 0. The further lines of a step have the depth 1.
    """
    words = Wording(explanation.layout, explanation.symbols)
    sentences = [step.sentence for step in explanation.steps]
    for group in step_groups(explanation.deductions):
        if group.has_singles:
            yield 0, f"{group.name}: {' '.join(group.singles_text(words).split())}"
            continue
        for number in range(group.first, group.first + len(group.deductions)):
            first, *others = sentences[number - 1].split("\n")
            yield 0, f"{number}. {group.name}: {first}"
            for line in others:
                yield 1, line.strip()


def cut_into_columns(
    lines: Iterable[Line], height: float, *, shorter: int = 0, by: float = 0
) -> Iterator[Sequence[Line]]:
    """Yield the lines of each column, as many as fit into `height` points.

    A line whose next lines don't fit goes to the next column with them if they must stay together.
    The first line of a column has no space above it. A line that is too high for any column has one
    of its own. The first columns, as many as `shorter`, are lower than `height` by `by` points,
    because a title is above them.
    """
    column: list[Line] = []
    used, number = 0.0, 0
    for line in lines:
        most = height - by if number < shorter else height
        if column and used + line.height > most:
            kept = _kept(column)
            yield column[: len(column) - kept]
            column, number = column[len(column) - kept :], number + 1
            if column:
                column[0] = replace(column[0], above=0)
            used = sum(each.height for each in column)
        column.append(line if column else replace(line, above=0))
        used += column[-1].height
    if column:
        yield column


def _kept(column: Sequence[Line]) -> int:
    """Return how many lines at the end of a column must be in the next one."""
    count = len(column)
    starts = (place for place in range(1, count) if place + column[place].kept >= count)
    return count - next(starts, count)


def _typeset(text: str) -> str:
    return text.replace("'", "’")
