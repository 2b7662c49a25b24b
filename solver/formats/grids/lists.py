"""Read grids in bracketed lists, nested or flat.

The lists can be Erlang, JSON, Python, Haskell, Mathematica, or C.
"""

import re
from collections.abc import Iterator, Sequence
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from solver.board.display import how_many
from solver.board.graphemes import count_graphemes, split_graphemes
from solver.formats.format import Context, ReadOptions, Records, Segments
from solver.formats.grids.brackets import SIZES, cut_lists, is_flat
from solver.formats.grids.regular_reading import read_tokens
from solver.formats.grids.row_lists import (
    RowStyle,
    cut_rows,
    fills_matrix,
    find_row_style,
    read_row_list,
)
from solver.formats.reading.bulk import Bulk
from solver.formats.reading.byte_tables import byte_mask, byte_table
from solver.formats.reading.cells import Reading, as_whole, is_square, read_cells, read_rows, refuse
from solver.formats.reading.collect import collect
from solver.formats.reading.lines import end_of_line
from solver.formats.reading.text import decode

_END_FLAT = re.compile(rb"[\]}]")
_END_NESTED = re.compile(rb"[\]}]\s*[\]}]")
_ROW = re.compile(r"[\[{(]([^\[\]{}()]*)[\]})]")
_CELL = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([^\s,;"']*))\s*""")
_SMALLEST = 16  # cells
# The characters of a token, and the other characters of a plain list.
_IS_TOKEN = byte_table(b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._*?")
_IS_LIST = byte_table(b"[]{}, \t\r\n")
_IS_CLOSING = byte_table(b"]}")
_IS_SPACE = byte_table(b" \t\r\n")
_IS_OPENING = byte_table(b"[{")
_BEFORE = re.compile(r"[\w\s:=.%#/*;(-]*(?:\(\s*\w+\s*,\s*)?")
_PARTS = re.compile(r"[;|]")


def _cells(row: str) -> list[str]:
    cells = []
    # NumPy prints lists without commas.
    for part in row.split(",") if "," in row else row.split() or [row]:
        match = _CELL.fullmatch(part)
        cell = part.strip() if match is None else next(filter(None, match.groups()), "")
        cells.append(as_whole(cell))
    return cells


class ListsFormat:
    """Bracketed lists; implements `solver.formats.format.Format`."""

    name = "lists"
    description = (
        "A list of rows or a flat list of cells in brackets, braces, or parentheses, as in "
        "Erlang, JSON, Python, NumPy, Haskell, Mathematica, C, Go, Rust, Swift, Kotlin, R, Lisp, "
        "PHP, YAML, and other languages. Rows without an outer list work, too. Empty cells are 0, "
        "b, _, or null."
    )
    example = "[[1,2,0,4],[0,0,0,2],[0,0,0,0],[4,0,0,1]]\n"

    def recognize(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Return the notation of lists as the context, or None if the upload has no such lists.

        The context has the `height` of nested lists (see `_recognize_nested`), or a row style for
        rows of cells in any syntax. The options have no effect.
        """
        del options
        nested = self._recognize_nested(head)
        if nested is None or not nested["whole"] or nested["filled"]:
            style = find_row_style(head, final=final)
            if style is not None:
                return style._asdict()
        return None if nested is None else {"height": nested["height"]}

    def _recognize_nested(self, head: bytes) -> dict[str, int | bool] | None:
        """Return how lists are nested, or None if the upload doesn't begin with a list of cells.

        height  2 if a puzzle is a list of rows, 1 if it is a flat list
        whole   True if the first list is a complete puzzle, False if it is a single row of one
        filled  True if the first list is the argument of a call that fills a matrix
        """
        text = re.sub(SIZES, "", decode(head).lstrip("\ufeff"))
        start = re.search(r"[\[{]", text)
        row = _ROW.search(text)
        if start is None or not _BEFORE.fullmatch(text[: start.start()]):
            return None
        inside = row[1] if row is not None else text[start.end() :].rpartition(",")[0]
        # MATLAB and MiniZinc separate rows with semicolons or bars.
        inside = next((part for part in _PARTS.split(inside) if part.strip()), inside)
        cells = _cells(inside)
        fewest, longest = (2, 4) if "," in inside else (4, 2)
        short = all(len(cell) <= longest for cell in cells)
        if len(cells) < fewest or not (short or _are_rows(cells)):
            return None
        nested = re.match(r"\s*[\[{]", text[start.end() :]) is not None and not _are_rows(cells)
        height = 2 if nested and not is_flat(len(cells)) else 1
        whole = height == 2 or is_flat(len(cells)) or _are_rows(cells)
        filled = fills_matrix(text[: start.start()])
        return {"height": height, "whole": whole, "filled": filled}

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the puzzles: lists with the nesting depth in the context, or groups of rows."""
        style = _style_in(context)
        if style is not None:
            return cut_rows(data, line=line, final=final, style=style)
        return cut_lists(data, line=line, final=final, height=int(context["height"] or 1))

    def resume(self, data: bytes, *, context: Context) -> int | None:
        """Return the offset after the end of an overlong record, or None if not found.

        `data` begins inside the record. If the context has a row style, the record ends after the
        next line break. Otherwise it ends after the brackets that close a puzzle: two for a list of
        rows, one for a flat list. White space may be between the two brackets. Braces count as
        brackets.
        """
        if _style_in(context) is not None:
            return end_of_line(data)
        match = (_END_NESTED if context["height"] == 2 else _END_FLAT).search(data)
        return match.end() if match else None

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse grids in brackets, in bulk if `_read_plain` can read them, otherwise singly."""
        style = _style_in(context)
        bulk = _read_plain(data, segments, options)

        def readings() -> Iterator[tuple[int, Reading]]:
            for row in np.flatnonzero(bulk.left).tolist():
                text = decode(data[segments.starts[row] : segments.ends[row]])
                if style is None:
                    yield row, read_list(text, options=options)
                else:
                    yield row, read_row_list(text, style=style, options=options)

        return collect(segments.lines, readings(), groups=bulk.groups, notes=bulk.notes)


def _style_in(context: Context) -> RowStyle | None:
    """Return the row style in a context, or None if the upload consists of nested lists."""
    kind = context.get("kind")
    if not isinstance(kind, str):
        return None
    return RowStyle(kind, int(context["width"] or 0), bool(context["flat"]))


def _read_plain(data: bytes, segments: Segments, options: ReadOptions) -> Bulk:
    """Read in bulk the lists of N² tokens, flat or as N rows, with a comma between two tokens.

    A token is a run of letters, digits, and signs for empty cells. The `left` array of the result
    marks all other lists.
    """
    bulk = Bulk(len(segments), options)
    text = np.frombuffer(data, np.uint8)
    inside = byte_mask(data, _IS_TOKEN)
    before = np.concatenate(([False], inside[:-1]))
    begins, ends = np.flatnonzero(inside & ~before), np.flatnonzero(before & ~inside)
    if len(begins) > len(ends):
        ends = np.append(ends, len(text))
    first = np.searchsorted(begins, segments.starts)
    counts = np.searchsorted(begins, segments.ends) - first

    def count(places: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.searchsorted(places, segments.ends) - np.searchsorted(places, segments.starts)

    # A comma after the last row of a list is ignored.
    is_comma = text == ord(",")
    is_comma[_last_commas(data, text)] = False
    commas, commas_before = np.flatnonzero(is_comma), np.cumsum(is_comma, dtype=np.int32)
    opened, closed = (
        np.flatnonzero(byte_mask(data, table)) for table in (_IS_OPENING, _IS_CLOSING)
    )
    strange = np.flatnonzero(byte_mask(data, ~(_IS_TOKEN | _IS_LIST)))
    plain = (count(opened) == count(closed)) & (count(strange) == 0)
    plain &= count(commas) == counts - 1
    for cells in np.unique(counts[plain]).tolist():
        if not is_square(cells) or cells < _SMALLEST:
            continue
        rows = np.flatnonzero(plain & (counts == cells))
        places = first[rows, None] + np.arange(cells)
        size = isqrt(cells)
        # One comma between two tokens.
        commas_until = commas_before[begins[places]]
        single = (np.diff(commas_until, axis=1) == 1).all(axis=1)
        # The number of brackets opened before each token: it shows the rows.
        list_of = np.searchsorted(opened, begins[places])
        flat = list_of[:, -1] == list_of[:, 0]
        nested = _by_rows(list_of, size) & _by_rows(np.searchsorted(closed, begins[places]), size)
        chosen = single & (flat | nested)
        tokens = places[chosen].ravel()
        read_tokens(text, begins[tokens], ends[tokens], rows[chosen], bulk)
    return bulk


def _are_rows(cells: Sequence[str]) -> bool:
    """Return whether the elements of a list are N strings of length N, with N at least 4."""
    return len(cells) > 3 and all(count_graphemes(cell) == len(cells) for cell in cells)


def _by_rows(brackets: NDArray[np.int64], size: int) -> NDArray[np.bool_]:
    """Return a mask (m,) of the grids with one bracket between two rows and none within a row.

    `brackets` (m, cells) has the number of brackets before each cell, counted from the text's
    start.
    """
    rows = brackets.reshape(-1, size, size)
    steps = np.diff(rows[:, :, 0], axis=1)
    return np.asarray((rows == rows[:, :, :1]).all(axis=(1, 2)) & (steps == 1).all(axis=1))


def _last_commas(data: bytes, text: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the offsets of the commas between two closing brackets, as in `[[1,2],[3,4],]`.

    White space may be between the comma and the second bracket. `text` is `data` as an array.
    """
    before = np.flatnonzero(byte_mask(data, _IS_CLOSING)) - 1
    before = before[before >= 0]
    spaced = before[_IS_SPACE[text[before]]].tolist()
    far = [len(data[max(place - 200, 0) : place].rstrip()) for place in spaced]
    trimmed = [max(place - 200, 0) + size - 1 for place, size in zip(spaced, far, strict=True)]
    places = np.sort(np.concatenate((before, np.maximum(np.array(trimmed, np.int64), 0))))
    places = places[text[places] == ord(",")]
    return np.asarray(places[_IS_CLOSING[text[np.maximum(places - 1, 0)]]])


def read_list(text: str, *, options: ReadOptions) -> Reading:
    """Read a puzzle written as a list of rows, or as a flat list of cells.

    A flat list of N strings with N characters each is a list of rows, too. So is one in which
    semicolons or bars separate rows. The reading is invalid if brackets don't match.
    """
    rows = [_cells(row) for row in _ROW.findall(text)]
    opened, closed = (sum(map(text.count, brackets)) for brackets in ("[{", "]}"))
    if opened != closed:
        counts = f"{how_many(opened, 'opening bracket')} but {how_many(closed, 'closing bracket')}"
        return refuse(f"{counts}; check that the list is complete", text)
    parts = [part for part in _PARTS.split(text.strip("[]{} \t\r\n|;")) if part.strip()]
    if len(rows) == 1 and len(parts) > 1:
        return read_rows(list(map(_cells, parts)), text=text, options=options)
    if len(rows) == 1 and _are_rows(rows[0]):
        return read_rows(list(map(split_graphemes, rows[0])), text=text, options=options)
    if len(rows) == 1:
        return read_cells(rows[0], text=text, options=options)
    return read_rows(rows, text=text, options=options)
