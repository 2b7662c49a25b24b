"""What stands around the rows of a grid and is no part of it: marks of quoting, empty columns."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import pairwise
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from solver.board.layout import MAX_SIZE, usual_box
from solver.formats.grids.framed_row import BARS
from solver.formats.grids.grid_rows import split_row
from solver.formats.reading.cells import is_square
from solver.formats.reading.text import ELLIPSIS

# Before a row: its number or letter, and what parts it from the cells.
_LABEL = re.compile(rf"^\s*(\d{{1,2}}|[A-Za-z])[.):]?(?:\s+|(?=[{BARS}]))(?=\S.*\S)")
_QUOTE = re.compile(r"\s*(?:>[ \t]?)+")
_DELIMITERS = ",;\t"
_SMALLEST = 4
_SURELY = 3  # grids with nothing in their last column


@dataclass(frozen=True, slots=True)
class Margins:
    """What to take from each line of an upload.

    quoted       the marks (>) with which mails and Markdown quote
    left, right  the delimiter of an empty first or last column, "" where there is none
    labels       whether numbers or letters stand above the columns and before the rows
    numbered     whether they stand before the rows alone
    spaced       whether a blank line follows each line: it says nothing then
    ellipses     whether a program made one sign of three dots
    """

    quoted: bool = False
    left: str = ""
    right: str = ""
    labels: bool = False
    numbered: bool = False
    spaced: bool = False
    ellipses: bool = False

    @classmethod
    def of(cls, context: Mapping[str, Any]) -> "Margins":
        """Return the margins that a context remembers."""
        said = {each.name: context[each.name] for each in fields(cls) if each.name in context}
        return cls(**said)

    def __bool__(self) -> bool:
        return self != NO_MARGINS

    def remember(self) -> dict[str, str | bool]:
        """Return what a context keeps of them."""
        return asdict(self) if self else {}

    def within(self, line: str) -> str:
        """Return a line without its margins."""
        if self.quoted:
            line = unquote(line)
        if self.ellipses:
            line = line.replace(ELLIPSIS, "...")
        if self.numbered:
            line = "" if _count_up(split_row(line)) else _LABEL.sub("", line, count=1)
        if self.left:
            line = line.lstrip(" ").removeprefix(self.left)
        return line.rstrip(" \r").removesuffix(self.right) if self.right else line

    def inside(self, rows: list[list[str]]) -> list[list[str]]:
        """Return the cells of a grid without the labels of its rows and columns."""
        return [row[1:] for row in rows[1:]] if self.labels and _are_labelled(rows) else rows


NO_MARGINS = Margins()


def unquote(line: str) -> str:
    """Return a line without the marks of quoting before it."""
    mark = _QUOTE.match(line)
    return line[mark.end() :] if mark else line


def find_margins(lines: Sequence[str], *, spaced: bool) -> Margins:
    """Return the margins of an upload by its first lines that are rows."""
    quoted = bool(lines) and 2 * sum(line.lstrip().startswith(">") for line in lines) > len(lines)
    rows = [unquote(line) for line in lines] if quoted else lines
    ellipses = any(ELLIPSIS in row for row in rows) and any("." in row for row in rows)
    margins = Margins(quoted=quoted, spaced=spaced, ellipses=ellipses)
    rows = [margins.within(line) for line in lines]
    cells = [split_row(row) for row in rows]
    width = len(cells[0]) if cells else 0
    if _are_labelled(cells[:width]):
        return replace(margins, labels=True)
    if _are_numbered(rows):
        return replace(margins, numbered=True)
    delimiter = next((each for each in _DELIMITERS if rows and rows[0].count(each) > 1), "")
    same = all(len(row) == width for row in cells) and any(map(any, cells))
    if not delimiter or not same or not _has_margin(width, len(rows)):
        return margins
    left, right = (not any(row[edge] for row in cells) for edge in (0, -1))
    left = left and not right
    return replace(margins, left=delimiter if left else "", right=delimiter if right else "")


def are_spaced(lines: Sequence[str]) -> bool:
    """Return whether no line follows another one without a blank line between them."""
    said = [bool(unquote(line).strip()) for line in lines]
    return sum(said) >= _SMALLEST and not any(map(all, pairwise(said)))


def _are_numbered(rows: Sequence[str]) -> bool:
    """Return whether each row of a grid has its number or letter before it.

    As the first column of a larger grid, they would have some value twice.
    """
    matches = [_LABEL.match(row) for row in rows if not _count_up(split_row(row))]
    labels = [match[1] for match in matches if match is not None]
    if len(labels) < max(len(matches), _SMALLEST):
        return False
    first = next(match for match in matches if match is not None)
    size = len(split_row(first.string[first.end() :]))
    period = labels[:size]
    fits = len(period) == size and _count_up(period) and usual_box(size) is not None
    return fits and all(label == period[n % size] for n, label in enumerate(labels))


def _are_labelled(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row and column of a grid count from 0, 1 or A on.

    If both count alike, some value is twice in the first box; if not, there are too many.
    """
    if len(rows) <= _SMALLEST or len(set(map(len, rows))) > 1 or len(rows) != len(rows[0]):
        return False
    above, before = rows[0][1:], [row[0] for row in rows[1:]]
    return not rows[0][0].strip() and _count_up(above) and _count_up(before)


def _count_up(labels: Sequence[str]) -> bool:
    count = len(labels)
    if count < _SMALLEST:
        return False
    numbers = list(map(str, range(count + 1)))
    letters = [list(each[:count]) for each in (ascii_uppercase, ascii_lowercase)]
    return list(labels) in (numbers[:-1], numbers[1:], *letters)


def _has_margin(width: int, rows: int) -> bool:
    """Return whether rows so wide are rather those of smaller grids with an empty column more.

    Ten columns may be a grid of 10×10 whose last one is empty: the number of rows tells.
    """
    size = width - 1
    if not _SMALLEST <= size <= MAX_SIZE or usual_box(size) is None:
        return False
    if usual_box(width) is None:
        return True
    return is_square(size) and (rows % width > 0 or rows >= _SURELY * width)
