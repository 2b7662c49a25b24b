"""Hints and explanations as lines of text, cut into pages."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from solver.logic.explanation import Explanation
from solver.logic.hint import WHAT, hint
from solver.logic.sentences.wording import Wording
from solver.logic.step_groups import step_groups
from web.books.entries import Entry
from web.books.pen import wrap_text

_LEADING = 1.35


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text with its font size, indentation, and the space above it, in points."""

    text: str
    size: float
    bold: bool = False
    indent: float = 0
    above: float = 0

    @property
    def height(self) -> float:
        """The height that the line takes on a page."""
        return self.above + self.size * _LEADING


def hint_lines(entries: Iterable[Entry], *, width: float, size: float) -> Iterator[Line]:
    """Yield a hint for each puzzle that has an explanation: a technique, and where to look."""
    indent = 3 * size
    for entry in entries:
        explanation = entry.explanation
        if explanation is None:
            continue
        lines = wrap_text(hint(explanation, strength=WHAT), width - indent, size)
        for place, text in enumerate(lines):
            if place == 0:
                yield Line(f"{entry.number}", size, bold=True, above=0.3 * size)
                yield Line(text, size, indent=indent, above=-size * _LEADING)
            else:
                yield Line(text, size, indent=indent)


def explanation_lines(entries: Iterable[Entry], *, width: float, size: float) -> Iterator[Line]:
    """Yield the steps that solve each puzzle that has an explanation."""
    for entry in entries:
        explanation = entry.explanation
        if explanation is None:
            continue
        yield Line(f"Puzzle {entry.number}", size * 1.2, bold=True, above=size)
        for text in _steps(explanation):
            for place, line in enumerate(wrap_text(text, width - size, size)):
                yield Line(line, size, indent=size if place else 0)


def _steps(explanation: Explanation) -> Iterator[str]:
    """Yield paragraphs: a group of singles, or a line of another step."""
    words = Wording(explanation.layout, explanation.symbols)
    sentences = [step.sentence for step in explanation.steps]
    for group in step_groups(explanation.deductions):
        if group.has_singles:
            yield f"{group.name}: {' '.join(group.singles_text(words).split())}"
            continue
        for number in range(group.first, group.first + len(group.deductions)):
            first, *others = sentences[number - 1].split("\n")
            yield f"{number}. {group.name}: {first}"
            yield from (line.strip() for line in others)


def cut_into_pages(lines: Iterable[Line], height: float) -> Iterator[Sequence[Line]]:
    """Yield the lines of each page. A heading isn't the last line of a page."""
    page: list[Line] = []
    used = 0.0
    for line in lines:
        if page and used + line.height > height:
            kept = [page.pop()] if page[-1].bold and len(page) > 1 else []
            yield page
            page, used = kept, sum(each.height for each in kept)
        page.append(line)
        used += line.height
    if page:
        yield page
