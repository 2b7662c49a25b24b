"""The lines of a grid: rows of cells, rules between them, titles above them."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from solver.board.graphemes import count_graphemes, split_graphemes
from solver.board.layout import MAX_SIZE
from solver.formats.grids.framed_row import BARS, NUMBERS_FROM, split_framed
from solver.formats.reading.cells import as_whole, is_square
from solver.formats.reading.deduce import BLANKS

_RULE_CHARACTERS = re.compile(
    r"[\s+*|:=.'`,!\u2500-\u257f-]+"
    r"|\s*```\w*\s*|\s*\[/?(?:code|quote|pre)\]\s*"
    r"|(?:\s*\\[a-z]+(?:\{[^}]*\}|\[[^\]]*\])*\s*)+"
    r"|(?:[\w .:]+=)?\s*(?:\"{3}|'{3})[\s,;)]*"
)
# The last ones: a code fence of Markdown, a command of LaTeX, a tag of a forum, quotes of Python.
_RULE = re.compile(r"--|==|──|━━|══|-\+-|```|\\[a-z]|\[/?[a-z]+\]|\"{3}|'{3}")
# What stands between the head of a table of Markdown and its rows.
_HEAD_RULE = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|){3,}\s*(?::?-+:?)?\s*")
# How LaTeX ends a row: of a table, and in the package sudoku.
_ROW_END = re.compile(r"\\\\.*$|(?<=\|)\.\s*$")
# A title: a comment, a [section], "Grid 01" and its like, or any capitalised word.
_TITLE = re.compile(
    r"\s*(#.*|\[(?!/?(?:code|quote|pre)\])[^\]]*\]\s*"
    r"|(?i:(grid|puzzle|sudoku|game|board|no\.?|nr\.?|number)\b[^.]*))"
    r"|.*\b([A-Z][a-z]{2,}|SUDOKU|PUZZLE).*|\s*\d{1,2}\s*,\s*\d{1,2}\s*"
)
SECTION = re.compile(r"\s*\[(?!/?(?:code|quote|pre)\])([^\]]*)\]\s*")
_SAME_DIGIT = str.maketrans("123456789", "0" * 9)
_MAY_BE_TITLE = re.compile(r"[#\[]|[A-Za-z]{2}|^\s*\d{1,2}\s*,")
_BARS = str.maketrans(dict.fromkeys(f"{BARS}!", " "))
# A row with a comment behind it: digits and blanks without a gap, then a word.
_COMMENTED = re.compile(r"(\s*[0-9.*_|!-]{4,})\s+[A-Za-z]{3,}")
_LABEL = re.compile(r"\s#.*$")
_DASHED = re.compile(r"(?=.*-)(?=.*[0-9A-Za-z])[0-9A-Za-z\s|!-]+")
# Blanks written as spaces, and lost at the ends of lines: such boards are 9×9.
_LOOSE = re.compile(r"[1-9 ]+")
_EVEN = re.compile(r"[1-9]+|[1-9]( [1-9])*|[1-9]{2}( [1-9]{2})*|[1-9]{3}( [1-9]{3})*")
_LOOSE_SIZE = 9
_SHORT = 24  # characters
_TABS = 3  # of a row without anything in it: a 4×4 one has so many
_MINUS_ONE = re.compile(r"(?=.*-1)\s*(-1|\d{1,3})(\s+(-1|\d{1,3})){3,}\s*")
# Behind the point are zeros, or it is a dot for a blank.
_FLOATS = re.compile(r"(?=.*\d\.\d)\s*(?:(?:\d+\.0+|\d\.\d+e[+-]\d+|nan|NaN)(?:\s+|$)){4,}")
_GREATEST = str(MAX_SIZE)  # the only number of three digits


class Shape(NamedTuple):
    """What a line is by itself.

    `loose` has the blanks before what may be a row with blanks as cells, its length and whether
    it may as well be another; None for what cannot be one.
    """

    is_blank: bool
    is_title: bool
    may_rule: bool
    section: str | None
    cells: int
    loose: tuple[int, int, bool] | None


class Line(NamedTuple):
    """A line of an upload: its number from 1, its offsets, and what it says."""

    number: int
    start: int
    end: int
    text: str


def shape_of(line: str) -> Shape:
    """Return what a line is; that of short ones, of which most bytes may be lines, is kept."""
    return _kept_shape(line) if len(line) <= _SHORT else _shape(line)


def _shape(line: str) -> Shape:
    section = SECTION.fullmatch(line)
    loose = None
    if _LOOSE.fullmatch(line):
        even = _EVEN.fullmatch(line.strip()) is not None
        loose = (len(line) - len(line.lstrip()), len(line.rstrip()), even)
    return Shape(
        is_blank=is_blank(line),
        is_title=is_title(line),
        may_rule=_RULE.search(line) is not None,
        section=None if section is None else section[1],
        cells=len(split_row(line)),
        loose=loose,
    )


_kept_shape = lru_cache(maxsize=1 << 13)(_shape)


def is_blank(line: str) -> bool:
    """Return whether nothing stands in a line; tabs between empty cells are a row."""
    return not line.strip() and line.count("\t") < _TABS


def split_row(line: str) -> list[str]:
    """Return the cells of one line of a grid."""
    line = _LABEL.sub("", line) if "#" in line else line
    commented = _COMMENTED.match(line)
    line = commented[1] if commented else line
    line = _ROW_END.sub("", line)
    framed = split_framed(line)
    if framed is not None:
        return framed
    line = line.translate(_BARS)
    for delimiter in ",;\t&":
        if line.count(delimiter) > 1:
            return [
                as_whole(cell.strip().removeprefix("=").strip('"'))
                for cell in line.split(delimiter)
            ]
    tokens = line.split()
    if _FLOATS.fullmatch(line):
        return list(map(as_whole, tokens))
    if len(tokens) >= NUMBERS_FROM and all(map(_is_cell, tokens)):
        return tokens
    if _MINUS_ONE.fullmatch(line):
        return tokens
    return split_graphemes("".join(tokens))


def _is_cell(token: str) -> bool:
    return count_graphemes(token) <= 2 or token == _GREATEST


def is_empty_row(line: str) -> bool:
    """Return whether a line is a row whose cells are all empty, between commas and the like."""
    return not line.strip(",;\t \r") and any(line.count(each) >= _TABS for each in ",;\t")


def are_parted_by_rows(lines: Sequence[str], *, final: bool) -> bool:
    """Return whether an empty row follows each grid, as where a spreadsheet has one.

    It could be a row of the next grid by one line alone; so all lines must keep to it.
    """
    if not lines or not any(each in lines[0] for each in ",;\t"):
        return False
    width = len(split_row(lines[0]))
    gaps = range(width, len(lines), width + 1)
    ends_well = len(lines) % (width + 1) in (0, width) if final else len(gaps) > 1
    return (
        _TABS < width <= MAX_SIZE
        and len(gaps) > 0
        and ends_well
        and all(is_empty_row(lines[gap]) for gap in gaps)
        and all(len(split_row(line)) == width for line in lines)
    )


def split_rows(rows: Sequence[str]) -> list[list[str]]:
    """Return the cells of all rows of a grid."""
    if not _are_loose([shape_of(row) for row in rows]):
        return [split_row(row) for row in rows]
    longest = max(len(row.rstrip()) for row in rows)
    indent = 0
    if longest > _LOOSE_SIZE:
        indent = min(len(row) - len(row.lstrip()) for row in rows)
    return [list(row[indent:].rstrip().ljust(_LOOSE_SIZE)) for row in rows]


def usual_width(widths: Sequence[int]) -> int:
    """Return how many cells most rows have; the larger number if that is undecided."""
    if len(set(widths)) == 1:
        return widths[0]
    counts = Counter(widths)
    return max(counts, key=lambda width: (counts[width], width), default=0)


def grid_height(shapes: Sequence[Shape], width: int) -> int:
    """Return how many rows a grid is going to have that begins with such, usually so wide."""
    return _LOOSE_SIZE if _are_loose(shapes) else min(width, MAX_SIZE)


def is_title(line: str) -> bool:
    """Return whether a line stands above a grid instead of in it."""
    return _is_title_shape(line.translate(_SAME_DIGIT)) and not _COMMENTED.match(line)


# No digit is unlike another for this, so "Grid 1" and "Grid 2" need one look.
@lru_cache(maxsize=4096)
def _is_title_shape(line: str) -> bool:
    return _MAY_BE_TITLE.search(line) is not None and _TITLE.fullmatch(line) is not None


def is_rule(line: str, *, width: int, dashes: bool) -> bool:
    """Return whether a line only rules off.

    Where dashes are blanks, as many of them as the grid is wide are a row.
    """
    if not _RULE.search(line) or not _RULE_CHARACTERS.fullmatch(line):
        return False
    cells = split_row(line)
    return not (dashes and set(cells) == {"-"} and len(cells) == (width or _LOOSE_SIZE))


def is_head_rule(line: str, *, width: int) -> bool:
    """Return whether what stands above a line of Markdown may be the head of a table so wide."""
    return line.count("|") >= width - 1 and _HEAD_RULE.fullmatch(line) is not None


def writes_dashes(lines: Sequence[str]) -> bool:
    """Return whether a dash stands for a blank, by the first line that tells."""
    return any(_DASHED.fullmatch(line) for line in lines)


def _are_loose(shapes: Sequence[Shape]) -> bool:
    """Return whether rows of such shapes have spaces for blanks."""
    loose = [shape.loose for shape in shapes if shape.loose is not None]
    if len(loose) < len(shapes):
        return False
    indent = min((indent for indent, _, _ in loose), default=0)
    longest = max((length for _, length, _ in loose), default=0)
    return longest - indent <= _LOOSE_SIZE and not all(even for _, _, even in loose)


def are_small_puzzles(rows: Sequence[str], width: int) -> bool:
    """Return whether lines of 16 cells, say, are rather puzzles of 4×4 than rows of one."""
    size = int(width**0.5)
    if size < 4 or not is_square(width):
        return False
    symbols = {cell for row in rows for cell in split_row(row)} - BLANKS
    return len(symbols) <= size and all(int(s) <= size for s in symbols if s in "123456789")
