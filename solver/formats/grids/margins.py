"""Find and remove the text around a grid's rows, which most lines of an upload have in common.

It consists of quotation marks of mails, labels of rows and columns, and empty columns.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from solver.board.layout import MAX_SIZE, usual_box
from solver.formats.grids.row_splits import BARS, usual_split
from solver.formats.reading.cells import is_square
from solver.formats.reading.text import ELLIPSIS

# The number or letter before a row, with the separator from the cells.
_LABEL = re.compile(rf"^\s*(\d{{1,2}}|[A-Za-z])[.):]?(?:\s+|(?=[{BARS}]))(?=\S.*\S)")
_QUOTE = re.compile(r"\s*(?:>[ \t]?)+")
_DELIMITERS = ",;\t"
_SMALLEST = 4
_SURELY = 3  # This many grids with an empty last column are a certain sign.


@dataclass(frozen=True, slots=True)
class Margins:
    """The text around the grid's rows in each line of an upload.

    `within` removes it, except for labels.

    quoted       whether lines begin with the quotation mark (>) of mails and Markdown
    left, right  the delimiter of an empty first or last column, "" without one
    labels       whether numbers or letters label both columns and rows
    numbered     whether they label the rows, without `labels`
    ellipses     whether a program replaced three dots by an ellipsis
    """

    quoted: bool = False
    left: str = ""
    right: str = ""
    labels: bool = False
    numbered: bool = False
    ellipses: bool = False

    @classmethod
    def of(cls, context: Mapping[str, Any]) -> "Margins":
        """Return the margins stored in a context."""
        stored = {each.name: context[each.name] for each in fields(cls) if each.name in context}
        return cls(**stored)

    def __bool__(self) -> bool:
        return self != NO_MARGINS

    def remember(self) -> dict[str, str | bool]:
        """Return the margins as values to store in a context, or {} if there are none."""
        return asdict(self) if self else {}

    def within(self, line: str) -> str:
        """Return a line without its margins.

        If rows are numbered, their numbers become spaces, and a line that numbers the columns
        becomes "". If both columns and rows have labels, these remain, and `measure_grid` removes
        them. With `ellipses`, each ellipsis becomes three dots.
        """
        if self.quoted:
            line = unquote(line)
        if self.ellipses:
            line = line.replace(ELLIPSIS, "...")
        if self.numbered:
            line = "" if _count_up(split_row(line)) else _LABEL.sub(_space, line, count=1)
        if self.left:
            line = line.lstrip(" ").removeprefix(self.left)
        return line.rstrip(" \r").removesuffix(self.right) if self.right else line


NO_MARGINS = Margins()


def _space(match: re.Match[str]) -> str:
    return " " * len(match[0])


def unquote(line: str) -> str:
    """Return a line without the quotation marks (>) before it."""
    mark = _QUOTE.match(line)
    return line[mark.end() :] if mark else line


def find_margins(lines: Sequence[str]) -> Margins:
    """Return the margins of an upload. `lines` are its first lines that may be rows.

    If several are present, labels take precedence over row numbers, and these over an empty first
    or last column.
    """
    quoted = bool(lines) and 2 * sum(line.lstrip().startswith(">") for line in lines) > len(lines)
    rows = [unquote(line) for line in lines] if quoted else lines
    ellipses = any(ELLIPSIS in row for row in rows) and any("." in row for row in rows)
    margins = Margins(quoted=quoted, ellipses=ellipses)
    rows = [margins.within(line) for line in lines]
    first = split_row(rows[0]) if rows else []
    width = len(first)
    if first and not first[0].strip() and _are_labeled(list(map(split_row, rows[:width]))):
        return replace(margins, labels=True)
    if _are_numbered(rows):
        return replace(margins, numbered=True)
    delimiter = next((each for each in _DELIMITERS if rows and rows[0].count(each) > 1), "")
    if not delimiter or not _has_margin(width, len(rows)):
        return margins
    cells = list(map(split_row, rows))
    if any(len(row) != width for row in cells) or not any(map(any, cells)):
        return margins
    left, right = (not any(row[edge] for row in cells) for edge in (0, -1))
    left = left and not right
    return replace(margins, left=delimiter if left else "", right=delimiter if right else "")


def _are_numbered(rows: Sequence[str]) -> bool:
    """Return whether each row of a grid begins with its number or letter, which isn't a cell.

    `rows` are the lines of one or several grids. If the numbers were the first column of a larger
    grid, a value would occur twice in it.
    """
    matches = []
    for row in rows:
        if not _count_up(split_row(row)):
            match = _LABEL.match(row)
            if match is None:
                return False
            matches.append(match)
    if len(matches) < _SMALLEST:
        return False
    labels = [match[1] for match in matches]
    size = len(split_row(matches[0].string[matches[0].end() :]))
    period = labels[:size]
    fits = len(period) == size and _count_up(period) and usual_box(size) is not None
    return fits and all(label == period[n % size] for n, label in enumerate(labels))


def _are_labeled(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row and the first column of a grid are labels.

    `rows` has the cells of each row, at least five. The corner must be empty, and the labels count
    up from 0, 1, or A. As cells of a puzzle, they would repeat a value in the first box or have too
    many values.
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
    """Return whether one column of a table is an empty margin, and the others are a grid.

    `width` is the number of columns including the margin, and `rows` is the number of rows. If a
    grid with `width` columns is possible, too, as with ten columns, the number of rows decides.
    """
    size = width - 1
    if not _SMALLEST <= size <= MAX_SIZE or usual_box(size) is None:
        return False
    if usual_box(width) is None:
        return True
    return is_square(size) and (rows % width > 0 or rows >= _SURELY * width)


def split_row(line: str) -> list[str]:
    """Return the cells of a line, split in the most likely way without looking at other lines.

    Returns [] for a line without cells.
    """
    split = usual_split(line)
    return [] if split is None else list(split.cells)
