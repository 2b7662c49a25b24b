"""What stands around the rows of a grid and is no part of it: marks of quoting, empty columns."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from solver.board.layout import MAX_SIZE, usual_box
from solver.formats.grids.grid_rows import split_row
from solver.formats.reading.cells import is_square

_QUOTE = re.compile(r"\s*(?:>[ \t]?)+")
_DELIMITERS = ",;\t"
_SURELY = 3  # grids with nothing in their last column


@dataclass(frozen=True, slots=True)
class Margins:
    """What to take from each line of an upload.

    quoted       the marks (>) with which mails and Markdown quote
    left, right  the delimiter of an empty first or last column, "" where there is none
    """

    quoted: bool = False
    left: str = ""
    right: str = ""

    @classmethod
    def of(cls, context: Mapping[str, object]) -> "Margins":
        """Return the margins that a context remembers."""
        quoted, left, right = (context.get(name) for name in ("quoted", "left", "right"))
        return cls(bool(quoted), str(left or ""), str(right or ""))

    def __bool__(self) -> bool:
        return self.quoted or bool(self.left or self.right)

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


def unquote(line: str) -> str:
    """Return a line without the marks of quoting before it."""
    mark = _QUOTE.match(line)
    return line[mark.end() :] if mark else line


def find_margins(lines: Sequence[str]) -> Margins:
    """Return the margins of an upload by its first lines that are rows."""
    quoted = bool(lines) and 2 * sum(line.lstrip().startswith(">") for line in lines) > len(lines)
    rows = [unquote(line) for line in lines] if quoted else lines
    delimiter = next((each for each in _DELIMITERS if rows and rows[0].count(each) > 1), "")
    if not delimiter:
        return Margins(quoted=quoted)
    cells = [split_row(row) for row in rows]
    width = len(cells[0])
    same = all(len(row) == width for row in cells) and any(map(any, cells))
    if not same or not _has_margin(width, len(rows)):
        return Margins(quoted=quoted)
    left, right = (not any(row[edge] for row in cells) for edge in (0, -1))
    return Margins(quoted, delimiter if left and not right else "", delimiter if right else "")


def _has_margin(width: int, rows: int) -> bool:
    """Return whether rows so wide are rather those of smaller grids with an empty column more.

    Ten columns may be a grid of 10×10 whose last one is empty: the number of rows tells.
    """
    size = width - 1
    if size > MAX_SIZE or usual_box(size) is None:
        return False
    if usual_box(width) is None:
        return True
    return is_square(size) and (rows % width > 0 or rows >= _SURELY * width)
