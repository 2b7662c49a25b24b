"""One grid with a cell a line, as a column of a spreadsheet is pasted."""

from math import isqrt

import numpy as np

from solver.board.graphemes import count_graphemes
from solver.formats.format import ReadOptions, Segments
from solver.formats.reading.cells import Reading, is_square, read_cells
from solver.formats.reading.deduce import BLANKS
from solver.formats.reading.lines import BOM
from solver.formats.reading.text import decode

_FEWEST = 16  # cells


def is_column(head: bytes, *, final: bool) -> bool:
    """Return whether an upload is N² lines of a cell each, and no list of puzzles of 1×1.

    These have one value; other values are in a grid.
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
    lines = text.removesuffix("\n").removesuffix("\r").split("\n")
    return [line.strip() for line in lines]


def segment_column(data: bytes, *, line: int, final: bool) -> Segments:
    """Find the only record: all lines."""
    count = 1 if final and data.strip() else 0
    start = len(BOM) if data.startswith(BOM) else 0
    starts, ends = np.full(count, start, np.int64), np.full(count, len(data), np.int64)
    return Segments(starts, ends, np.full(count, line, np.int64), len(data) if final else 0)


def read_column(text: str, *, options: ReadOptions) -> Reading:
    """Read the cells of the lines; an empty one is a blank."""
    return read_cells(_cells(text), text=text, options=options)
