"""Find rows of cells in the syntax of any programming language.

A row is a bracket that contains only cells, so the nesting, types, and names of a language don't
matter: `[9][9]int{{5, 3, …}, …}`, `vec![vec![5, 3, …], …]`, `rbind(c(5, 3, …), …)`,
`arrayOf(intArrayOf(5, 3, …), …)`, `#2A((5 3 …) …)`, or `[5, 3, …],` without anything outside. Items
of YAML, lines of quoted cells, quoted lines of cells, and lines of an AMPL table are rows, too. N
rows of N cells are a puzzle, and so is one row of N² cells.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from math import isqrt
from typing import NamedTuple

import numpy as np

from solver.board.graphemes import count_graphemes, split_graphemes
from solver.board.layout import MAX_SIZE
from solver.formats.format import ReadOptions, Segments
from solver.formats.reading.cells import (
    Reading,
    are_boards,
    as_whole,
    clean_name,
    is_square,
    read_cells,
    read_rows,
)
from solver.formats.reading.deduce import BLANK_WORDS, BLANKS
from solver.formats.reading.text import decode

_KINDS = {
    "bracket": re.compile(rb"[\[({]([^\[\](){}]*)[\])}]"),
    "item": re.compile(rb"^[ \t]*-[ \t]+([^\[\](){}\n]*?)[ \t]*\r?$", re.MULTILINE),
    "quoted": re.compile(rb"^[ \t]*((?:'[^'\n]{0,3}'[ \t]*[,;]?[ \t]*){4,})\r?$", re.MULTILINE),
    "text": re.compile(
        rb"""^[ \t]*(["'`])([^"'`\n]{4,}?)(?:\\n)?\1[ \t]*[,;+]?[ \t]*(?:(?://|#).*?)?\r?$""",
        re.MULTILINE,
    ),
    "table": re.compile(rb"^[ \t]*\d{1,3}[ \t]+([^:;\n]*?)[ \t]*;?[ \t]*\r?$", re.MULTILINE),
}
_TABLE_HEAD = re.compile(rb"^[ \t]*param\b[^\n]*:[ \t\d]*:=[ \t]*\r?$", re.MULTILINE)
# A comment, or the sign that a statement continues in the next line.
_COMMENT = re.compile(r"(?:#|//).*|(?<=[\s,])(?:&|\.{3})[ \t\r]*\n(?:\s*&)?")
_SEPARATORS = re.compile(r"[\s|]+")
_QUOTES = "\"'`"
_FEWEST = 4  # cells of a row
_FEWEST_OF_A_BOARD = 16
_LOOKED_AT = 2 * MAX_SIZE  # rows
# The smallest share of the characters, without white space, that rows have in an upload.
# Otherwise, the upload is prose or a program.
_LEAST_SHARE = 0.4
_CLOSINGS = re.compile(rb"[^\[\](){}]+")
# R, MATLAB, Julia, and Fortran fill a matrix column by column, and `cbind` takes columns.
_FILLING_CALL = re.compile(
    rb"\b(?:matrix|array)\(\s*(?:data\s*=\s*)?c$"
    rb"|(?:\b(?:transpose|permutedims)\(\s*)?(?<![\w.])reshape\(\s*$",
    re.IGNORECASE,
)
_R_COLUMNS = re.compile(rb"\bcbind\(\s*(?:\w+\s*=\s*)?c$")
_ARGUMENTS = re.compile(rb"(?:[^()]|\([^()]*\)){0,200}?\)(?:\s*\.?')?")
# Arguments and operators that make these calls fill a matrix row by row.
_BY_ROW = re.compile(
    r"\bbyrow\s*=\s*T(?:RUE)?\b|^(?:transpose|permutedims)\b|\)\s*\.?'$"
    r"|\border\s*=\s*(?:\[|\(/)\s*2\s*,\s*1\b",
    re.IGNORECASE,
)
_LONGEST_CALL = 100  # characters before a row
# A line of words directly above the rows, perhaps as a comment, but nothing like code.
_TITLE = re.compile(
    rb"^[ \t]*((?:(?:#|//)[ \t]*)?[^\W_][^\n\"'`=;{}()\[\]<>]{0,99})\r?\n\s*\Z", re.MULTILINE
)
_TITLED_KINDS = ("quoted", "text")
# Text that separates the grids.
_BOUNDARY = re.compile(rb"=|;|\n[ \t\r]*\n")


class Row(NamedTuple):
    """A row of cells in an upload. `start` and `end` are its byte offsets, including brackets."""

    start: int
    end: int
    cells: list[str]


class RowStyle(NamedTuple):
    """The notation of the rows in an upload.

    kind   the syntax of a row: "bracket", "item", "quoted", "text", or "table"
    width  number of cells in a row
    flat   whether each row is a whole board
    """

    kind: str
    width: int
    flat: bool


def fills_matrix(before: str) -> bool:
    """Return whether a text ends with the beginning of a call that fills a matrix with a list.

    An example is `matrix(c` in R. The list of cells follows the text.
    """
    return _FILLING_CALL.search(before.encode()) is not None


def find_row_style(head: bytes, *, final: bool) -> RowStyle | None:
    """Return the notation of the rows in an upload, or None if it doesn't consist of rows.

    `head` is the beginning of the upload. It is the whole upload if `final` is set.
    """
    for kind in _KINDS:
        if kind == "table" and _TABLE_HEAD.search(head) is None:
            continue
        rows = list(islice(_rows(head, kind), _LOOKED_AT))
        style = _style(rows, kind, final=final)
        if style is not None and _is_most(head, rows, kind):
            return style
    return None


def are_quoted_rows(head: bytes, *, final: bool) -> bool:
    """Return whether an upload consists of quoted rows of grids, one on each line.

    `head` is the beginning of the upload. It is the whole upload if `final` is set. Only its first
    rows are examined.
    """
    rows = list(islice(_rows(head, "text"), _LOOKED_AT))
    return _style(rows, "text", final=final) is not None


def is_row(cells: Sequence[object]) -> bool:
    """Return whether a list of cells can be a row of a grid, and can't be a complete board.

    `cells` are elements of a JSON list. A row has from 4 to 100 of them. Lists and objects aren't
    cells.
    """
    if not _FEWEST <= len(cells) <= MAX_SIZE:
        return False
    if any(isinstance(cell, list | dict) for cell in cells):
        return False
    if not is_square(len(cells)) or len(cells) < _FEWEST_OF_A_BOARD:
        return True
    return not are_boards([["" if cell is None else str(cell) for cell in cells]])


def _style(rows: Sequence[Row], kind: str, *, final: bool) -> RowStyle | None:
    """Return the style of these rows, all of the same kind, or None if they aren't puzzles.

    Three quarters of the rows must have the same number of cells. They are boards, or the rows of
    grids. Fewer rows than a grid has are enough if the upload isn't `final`.
    """
    counts = Counter(len(row.cells) for row in rows)
    if not counts:
        return None
    width, count = counts.most_common(1)[0]
    if 4 * count < 3 * len(rows):
        return None
    is_board = is_square(width) and width >= _FEWEST_OF_A_BOARD
    fitting = [row.cells for row in rows if len(row.cells) == width]
    if is_board and ((count < width and final) or are_boards(fitting)):
        # Quoted puzzles, one on each line, are for other formats.
        return None if kind == "text" else RowStyle(kind, width, flat=True)
    enough = len(rows) >= width - 1 or not final
    # Items can be any text, and a dash can be an empty cell, so such rows must be whole grids.
    whole = kind in ("bracket", "text") or not final or len(rows) % width == 0
    return RowStyle(kind, width, flat=False) if width <= MAX_SIZE and enough and whole else None


def _is_most(head: bytes, rows: Sequence[Row], kind: str) -> bool:
    """Return whether the rows in brackets are at least 40% of the text `head`, without white space.

    If there may be more rows than those in `rows`, only the text up to the last one counts. Always
    True for rows of another `kind`.
    """
    if kind != "bracket":
        return True
    text = head[: rows[-1].end] if len(rows) == _LOOKED_AT else head
    inside = sum(len(b"".join(head[row.start : row.end].split())) for row in rows)
    return inside >= _LEAST_SHARE * len(b"".join(text.split()))


def _rows(data: bytes, kind: str) -> Iterator[Row]:
    """Yield the rows of a text in the notation `kind`. A row is at least four cells."""
    for match in _KINDS[kind].finditer(data):
        cells = _cells(decode(match[match.lastindex or 0]), joined=kind in ("item", "text"))
        if len(cells) >= _FEWEST and all(map(_is_cell, cells)):
            yield Row(match.start(), match.end(), cells)


def _cells(text: str, *, joined: bool) -> list[str]:
    """Return the cells of a row, without comments and quotation marks.

    With `joined`, they may be written without separators.
    """
    text = _COMMENT.sub("", text)
    delimiter = next((each for each in ",;" if each in text), None)
    bare = text.strip().strip(_QUOTES + "/")
    if delimiter is None:
        parts = [part for part in _SEPARATORS.split(bare) if part]
        if joined and len(parts) == 1 and parts[0] not in BLANK_WORDS:
            return split_graphemes(parts[0])
        return parts
    parts = text.strip().strip("/").split(delimiter)
    if not parts[-1].strip():
        del parts[-1]
    return [as_whole(part.strip().strip(_QUOTES).strip()) for part in parts]


def _is_cell(cell: str) -> bool:
    if cell.isdecimal():
        return cell.isascii() and int(cell[:4]) <= MAX_SIZE
    return cell in BLANKS or count_graphemes(cell) == 1 or cell == "-1"


def cut_rows(data: bytes, *, line: int, final: bool, style: RowStyle) -> Segments:
    """Find the puzzles in a piece of an upload that consists of rows.

    If `style.flat` is set, each row is a puzzle. Otherwise, a puzzle has `style.width` rows. It has
    fewer if the text between two rows contains "=", ";", or a blank line, or other brackets than
    between the rows before. Other text between the rows, such as a comment, is ignored.

    `line` is the number of the piece's first line in the upload. `final` states that the upload
    ends with this piece. Then an incomplete puzzle at the end is also found. Otherwise, it is left
    for the next piece.
    """
    spans: list[tuple[int, int]] = []
    grid: list[Row] = []
    between: bytes | None = None

    def close() -> None:
        nonlocal between
        if grid:
            spans.append((_begin(data, grid[0].start, spans, style), grid[-1].end))
        grid.clear()
        between = None

    for bare in _rows(data, style.kind):
        row = _with_arguments(data, bare) if style.flat else bare
        if row is None and not final:
            grid.append(bare)
            break
        row = row or bare
        if grid:
            gap = data[grid[-1].end : row.start]
            brackets = _CLOSINGS.sub(b"", gap)
            if _BOUNDARY.search(gap) or (between is not None and brackets != between):
                close()
            else:
                between = brackets
        grid.append(row)
        if style.flat or len(grid) == style.width:
            close()
    if final:
        close()
        consumed = len(data)
    else:
        begin = grid[0].start if grid else _done(data, spans)
        consumed = _begin(data, begin, spans, style)
    starts, ends = np.array(spans, np.int64).reshape(-1, 2).T
    breaks = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    return Segments(starts, ends, np.searchsorted(breaks, starts) + line, consumed)


def _call_start(data: bytes, start: int, call: re.Pattern[bytes]) -> int | None:
    """Return the offset of the call, such as `matrix(c`, right before a list at `start`, or None.

    `call` is a pattern for the text before the list.
    """
    from_ = max(start - _LONGEST_CALL, 0)
    match = call.search(data[from_:start])
    return None if match is None else from_ + match.start()


def _with_arguments(data: bytes, row: Row) -> Row | None:
    """Extend a row to the end of the call that fills a matrix with it.

    Examples are `matrix(c(1, 2, …), nrow=9)` in R, where the row is the list of numbers, and
    `reshape([1, 2, …], 9, 9)` in Julia. A row outside such a call is returned unchanged. Returns
    None if the end of the call isn't found: it isn't in `data`, or is more than 200 characters
    away. Inner parentheses with their contents count as one character.
    """
    if _call_start(data, row.start, _FILLING_CALL) is None:
        return row
    arguments = _ARGUMENTS.match(data, row.end)
    return None if arguments is None else row._replace(end=arguments.end())


def _call_before(data: bytes, start: int) -> int:
    """Return where the matrix call around a list begins, or `start` without one.

    `start` is the offset of the list's opening bracket. Only these calls count: `matrix(c`,
    `array(c`, and `cbind(c` in R, and `reshape(` in MATLAB, Julia, or Fortran. For `reshape(`, the
    result is the start of a `transpose(` or `permutedims(` directly around it. Calls after a dot,
    such as `np.reshape(`, don't count.
    """
    calls = (_call_start(data, start, call) for call in (_FILLING_CALL, _R_COLUMNS))
    return next((call for call in calls if call is not None), start)


def _begin(data: bytes, start: int, spans: Sequence[tuple[int, int]], style: RowStyle) -> int:
    """Return the start of the puzzle whose first row is at `start`.

    Quoted rows may have a title, a line of words directly above. The puzzle then begins with the
    title. Other rows may be the argument of a call, with which the puzzle then begins. `spans` are
    the (start, end) offsets of the puzzles before it. A title isn't searched for in them.
    """
    if style.kind not in _TITLED_KINDS:
        return _call_before(data, start)
    title = _TITLE.search(data, spans[-1][1] if spans else 0, start)
    is_title = title is not None and any(map(str.isalpha, decode(title[1])))
    return title.start() if title is not None and is_title else start


def _done(data: bytes, spans: Sequence[tuple[int, int]]) -> int:
    """Return the offset up to which a text is finished, given the spans of its records.

    The text after it may be the beginning of a row.
    """
    end = spans[-1][1] if spans else 0
    opened = max(data.rfind(mark, end) for mark in (b"[", b"(", b"{"))
    line = data.rfind(b"\n", end) + 1
    return max(end, min(line, opened) if opened >= 0 else line)


def read_row_list(text: str, *, style: RowStyle, options: ReadOptions) -> Reading:
    """Read the text of one puzzle that `cut_rows` found.

    If the text begins with a call that fills a matrix column by column or binds columns, as in R,
    the cells are reordered accordingly. A title above quoted rows is the name.
    """
    data = text.encode()
    found = list(_rows(data, style.kind))
    rows = [row.cells for row in found]
    if style.flat and len(rows) == 1:
        cells, size = rows[0], isqrt(len(rows[0]))
        if text[0].isalpha() and not _BY_ROW.search(text):
            cells = [cell for column in range(size) for cell in cells[column::size]]
        return read_cells(cells, text=text, options=options)
    if text.startswith("cbind") and len({len(row) for row in rows}) == 1:
        rows = list(map(list, zip(*rows, strict=True)))
    reading = read_rows(rows, text=text, options=options)
    if style.kind not in _TITLED_KINDS or not found:
        return reading
    return replace(reading, name=clean_name(decode(data[: found[0].start])))
