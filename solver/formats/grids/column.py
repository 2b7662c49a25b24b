"""Recognize and read one grid with one cell per line: a spreadsheet column, or a YAML list."""

import re
from math import isqrt

import numpy as np

from solver.board.graphemes import count_graphemes
from solver.formats.format import ReadOptions, Segments
from solver.formats.reading.cells import Reading, is_square, read_cells
from solver.formats.reading.deduce import BLANKS
from solver.formats.reading.lines import BOM
from solver.formats.reading.text import decode

_FEWEST = 16  # cells
# An item of a YAML list, which may also open outer lists, and a line that may precede the first.
_ITEM = re.compile(r"(?:-\s+)*-(?:\s+([^#]*?)\s*(?:#.*)?)?")
_BEFORE_ITEMS = re.compile(r"---|[\w ]+:|")
_YAML_NULL = "~"


def is_column(head: bytes, *, final: bool) -> bool:
    """Return whether a whole upload is one grid with one of its N² cells in each line.

    The grid must have at least 16 cells and two different values. A file with a single value could
    be a list of 1×1 puzzles. Always returns False unless `final` is set, which means that `head` is
    the whole upload.
    """
    cells = _cells(decode(head.removeprefix(BOM))) if final else []
    if len(cells) < _FEWEST or not is_square(len(cells)):
        return False
    size = isqrt(len(cells))
    values = set(cells) - BLANKS
    return len(values) > 1 and all(_is_cell(cell, size) for cell in values)


def _is_cell(text: str, size: int) -> bool:
    return count_graphemes(text) == 1 or (text.isdecimal() and len(text) < 3 and int(text) <= size)


def _cells(text: str) -> list[str]:
    """Return the text of each line, stripped.

    If the text is a YAML list, the result has the text of each item instead.
    """
    written = text.removesuffix("\n").removesuffix("\r").split("\n")
    lines = [line.strip() for line in written]
    first = next((n for n, line in enumerate(lines) if not _BEFORE_ITEMS.fullmatch(line)), 0)
    items = [_ITEM.fullmatch(line) for line in lines[first:]]
    cells = [_bare(item[1] or "") for item in items if item is not None]
    return cells if len(cells) == len(items) else lines


def _bare(item: str) -> str:
    """Return a YAML item without its quotes, or "" for ~, the null of YAML."""
    quoted = len(item) > 1 and item[0] == item[-1] and item[0] in "\"'"
    return item[1:-1] if quoted else item.removeprefix(_YAML_NULL)


def segment_column(data: bytes, *, line: int, final: bool) -> Segments:
    """Return one record that contains the whole text if it is `final`, otherwise no records.

    A text that isn't final may continue, so it isn't consumed. A blank text has no records.
    """
    count = 1 if final and data.strip() else 0
    start = len(BOM) if data.startswith(BOM) else 0
    starts, ends = np.full(count, start, np.int64), np.full(count, len(data), np.int64)
    return Segments(starts, ends, np.full(count, line, np.int64), len(data) if final else 0)


def read_column(text: str, *, options: ReadOptions) -> Reading:
    """Read a grid with one cell in each line of the text. An empty line is an empty cell."""
    return read_cells(_cells(text), text=text, options=options)
