"""Check the cells of lines, cages, and groups in texts that mention them first."""

import re
from collections.abc import Sequence
from itertools import pairwise

from sentence_checker.step import Step
from solver.board.layout import Layout

_TURNS = re.compile(r"r\d+c\d+(?:–r\d+c\d+){2,}")
_LONG = re.compile(r"(?P<first>r\d+c\d+)–(?P<last>r\d+c\d+) \(a line of (?P<count>\d+) cells\)")
_LIST = r"r\d+c\d+(?:(?:–|, and | and |, )r\d+c\d+)*"
_CELLS = re.compile(rf"(?<=cage|roup|gion|hbox) at (?P<first>r\d+c\d+) (?P<cells>\({_LIST}\))")


def without_introductions(step: Step) -> tuple[str, list[str]]:
    """Return a text in which shapes have their short names, and complaints about their cells."""
    layout = step.layout
    shapes = [tuple(constraint.cells) for constraint in layout.constraints]
    shapes += [tuple(house.cells) for house in layout.houses]
    shapes = [tuple(cell for cell in shape if 0 <= cell < layout.cells) for shape in shapes]
    complaints: list[str] = []

    def short_line(match: re.Match[str]) -> str:
        if cells_on(layout, match[0].split("–")) not in shapes:
            complaints.append(f"no line has the turns {match[0]}")
        names = match[0].split("–")
        return f"{names[0]}–{names[-1]}"

    def short_group(match: re.Match[str]) -> str:
        cells = tuple(sorted(step.names.cells(match["cells"])))
        first = layout.cell_named(match["first"])
        if first != cells[0] or {*cells} not in [{*shape} for shape in shapes]:
            complaints.append(f"no group has the cells {match['cells']}")
        return f" at {match['first']}"

    def long_line(match: re.Match[str]) -> str:
        ends = [layout.cell_named(match[name]) for name in ("first", "last")]
        lines = [shape for shape in shapes if shape and [shape[0], shape[-1]] == ends]
        if int(match["count"]) not in map(len, lines):
            complaints.append(f"no line has {match['count']} cells")
        return f"{match['first']}–{match['last']}"

    text = _LONG.sub(long_line, _CELLS.sub(short_group, _TURNS.sub(short_line, step.text)))
    return text, complaints


def cells_on(layout: Layout, names: Sequence[str]) -> tuple[int, ...]:
    """Return the cells on straight lines between named cells, in order."""
    turns = [divmod(layout.cell_named(name) or 0, layout.columns) for name in names]
    cells = [turns[0]]
    for (row, column), (to_row, to_column) in pairwise(turns):
        steps = max(abs(to_row - row), abs(to_column - column))
        for step in range(1, steps + 1):
            at = (row + (to_row - row) * step / steps, column + (to_column - column) * step / steps)
            if all(number.is_integer() for number in map(float, at)):
                cells.append((int(at[0]), int(at[1])))
    return tuple(row * layout.columns + column for row, column in cells)
