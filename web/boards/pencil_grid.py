"""A grid with candidates for a terminal, colored by their roles in a step."""

from collections.abc import Iterator
from typing import NamedTuple

from rich.text import Text

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.logic.deduction import Candidate
from solver.logic.explanation import Position
from solver.logic.marks import Marks


class Highlight(NamedTuple):
    """The highlighting of candidates with a role: a style of Rich, and a label for the legend."""

    style: str
    label: str


HIGHLIGHTS = {
    "placed": Highlight("bold green", "digits to place"),
    "removed": Highlight("red strike", "candidates to remove"),
    "fin": Highlight("yellow", "fin"),
    "key": Highlight("yellow", "key candidate"),
    "first": Highlight("blue", "first case"),
    "second": Highlight("magenta", "second case"),
    "pattern": Highlight("cyan", "pattern"),
}
_GIVEN = "bold"
_PLAIN = "dim"
_IN_HOUSE = "underline"


def pencil_lines(
    layout: Layout, symbols: Symbols, position: Position, marks: Marks | None = None
) -> Iterator[Text]:
    """Yield the terminal lines of a grid, with values, candidates of empty cells, and box borders.

    `marks` are the highlights of a step. The candidates in the step are colored by role, and the
    cells of its houses are underlined. Without rectangular boxes, there are no borders.
    """
    roles = _roles(marks)
    houses = () if marks is None else marks.houses
    looked_at = {cell for house in houses for cell in layout.houses[house].cells}
    cells = [
        _cell(cell, symbols, position, roles, is_underlined=cell in looked_at)
        for cell in range(layout.cells)
    ]
    starts = range(0, layout.cells, layout.columns)
    rows = [cells[start : start + layout.columns] for start in starts]
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    high, wide = layout.box if layout.boxes else (layout.rows, layout.columns)
    for number, row in enumerate(rows):
        if number and number % high == 0:
            yield Text(_border(widths, wide))
        line = Text()
        for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
            line.append("| " if column and column % wide == 0 else "")
            line.append_text(cell)
            line.append(" " * (width - len(cell) + 1))
        line.rstrip()
        yield line


def _roles(marks: Marks | None) -> dict[Candidate, str]:
    """Return the role of each marked candidate, or {} without marks."""
    if marks is None:
        return {}
    return {one: role for role, members in marks.candidates.items() for one in members}


def _cell(
    cell: int,
    symbols: Symbols,
    position: Position,
    roles: dict[Candidate, str],
    *,
    is_underlined: bool,
) -> Text:
    """Return the value of a cell, or its candidates in the styles of their `roles`.

    `is_underlined` is True in the houses of the step.
    """
    house = f" {_IN_HOUSE}" if is_underlined else ""
    value = position.values[cell]
    if value:
        return Text(symbols.values[value - 1], _GIVEN + house)
    text, bits, separator = Text(), position.candidates[cell], symbols.separator
    for candidate in range(1, len(symbols.values) + 1):
        if bits >> (candidate - 1) & 1:
            role = roles.get(Candidate(cell, candidate))
            style = HIGHLIGHTS[role].style if role else _PLAIN
            text.append(separator if text else "")
            text.append(symbols.values[candidate - 1], style + house)
    return text


def _border(widths: list[int], wide: int) -> str:
    """Return a horizontal line between two bands of boxes.

    `widths` are the widths of the columns in characters, and `wide` is the number of columns in a
    box.
    """
    stacks = [widths[start : start + wide] for start in range(0, len(widths), wide)]
    return "+-".join("-" * (sum(stack) + len(stack)) for stack in stacks)
