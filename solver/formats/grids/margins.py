"""What stands around the rows of a grid and is no part of it: marks of quoting, empty columns."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from string import ascii_lowercase, ascii_uppercase

from solver.board.layout import MAX_SIZE, usual_box
from solver.formats.grids.grid_rows import split_row
from solver.formats.reading.cells import is_square

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
    """

    quoted: bool = False
    left: str = ""
    right: str = ""
    labels: bool = False

    @classmethod
    def of(cls, context: Mapping[str, object]) -> "Margins":
        """Return the margins that a context remembers."""
        quoted, left, right, labels = map(context.get, ("quoted", "left", "right", "labels"))
        return cls(bool(quoted), str(left or ""), str(right or ""), bool(labels))

    def __bool__(self) -> bool:
        return self.quoted or bool(self.left or self.right) or self.labels

    def remember(self) -> dict[str, str | bool]:
        """Return what a context keeps of them."""
        return asdict(self) if self else {}

    def within(self, line: str) -> str:
        """Return a line without its margins."""
        if self.quoted:
            line = unquote(line)
        if self.left:
            line = line.lstrip(" ").removeprefix(self.left)
        return line.rstrip(" \r").removesuffix(self.right) if self.right else line

    def inside(self, rows: list[list[str]]) -> list[list[str]]:
        """Return the cells of a grid without the labels of its rows and columns."""
        return [row[1:] for row in rows[1:]] if self.labels and _are_labelled(rows) else rows


def unquote(line: str) -> str:
    """Return a line without the marks of quoting before it."""
    mark = _QUOTE.match(line)
    return line[mark.end() :] if mark else line


def find_margins(lines: Sequence[str]) -> Margins:
    """Return the margins of an upload by its first lines that are rows."""
    quoted = bool(lines) and 2 * sum(line.lstrip().startswith(">") for line in lines) > len(lines)
    rows = [unquote(line) for line in lines] if quoted else lines
    cells = [split_row(row) for row in rows]
    width = len(cells[0]) if cells else 0
    if _are_labelled(cells[:width]):
        return Margins(quoted=quoted, labels=True)
    delimiter = next((each for each in _DELIMITERS if rows and rows[0].count(each) > 1), "")
    if not delimiter:
        return Margins(quoted=quoted)
    same = all(len(row) == width for row in cells) and any(map(any, cells))
    if not same or not _has_margin(width, len(rows)):
        return Margins(quoted=quoted)
    left, right = (not any(row[edge] for row in cells) for edge in (0, -1))
    return Margins(quoted, delimiter if left and not right else "", delimiter if right else "")


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
