"""Bracketed lists: Erlang, JSON, Python, Haskell, Mathematica, C; nested or flat."""

import re
from collections.abc import Iterator

import numpy as np

from solver.formats.cells import Reading, read_cells, read_rows, shorten
from solver.formats.collect import collect
from solver.formats.format import Context, ReadOptions, Records, Segments
from solver.formats.line import decode, is_square
from solver.layout import MAX_SIZE
from solver.puzzle import Invalid

# Brackets behind a name are a C array's sizes. Quotes are not looked at: no cell has a
# bracket in it, and a stray apostrophe must hide no puzzle.
_SIZES = r"(?<=[\w\]])\[\d*\]"
_MARKS = re.compile((_SIZES + r"|[\[\]{}\n]").encode())
_END_FLAT = re.compile(rb"[\]}]")
_END_NESTED = re.compile(rb"[\]}]\s*[\]}]")
_ROW = re.compile(r"[\[{(]([^\[\]{}()]*)[\]})]")
_CELL = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([^\s,;"']*))\s*""")
_BEFORE = re.compile(r"[\w\s:=.%#/*;(-]*")


def _cells(row: str) -> list[str]:
    cells = []
    for part in row.split(","):
        match = _CELL.fullmatch(part)
        cells.append(part.strip() if match is None else next(filter(None, match.groups()), ""))
    return cells


class ListsFormat:
    """Bracketed lists; see `solver.formats.format.Format`."""

    name = "lists"
    description = (
        "Lists in brackets or braces, a list of rows or a flat list of cells, as Erlang, JSON, "
        "Python, Haskell, Mathematica and C write them; blanks as 0, b, _ or null."
    )
    example = "[[1,2,0,4],[0,0,0,2],[0,0,0,0],[4,0,0,1]]\n"

    def recognise(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Recognise brackets with numbers or atoms in them; see how deep the puzzles lie."""
        del final, options
        text = re.sub(_SIZES, "", decode(head).lstrip("\ufeff"))
        start = re.search(r"[\[{]", text)
        row = _ROW.search(text)
        if start is None or not _BEFORE.fullmatch(text[: start.start()]):
            return None
        cells = _cells(row[1] if row is not None else text[start.end() :].rpartition(",")[0])
        if len(cells) < 2 or not all(len(cell) <= 4 for cell in cells):
            return None
        nested = re.match(r"\s*[\[{]", text[start.end() :]) is not None
        return {"height": 2 if nested and not _is_flat(len(cells)) else 1}

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the lists of the height that the puzzles have, wherever they lie.

        Lists of another height, where a puzzle might stand, are records too.
        """
        found: list[tuple[int, int, int]] = []
        # Each open bracket: offset, line, height of what it holds so far.
        opened: list[list[int]] = []
        consumed = 0
        for match in _MARKS.finditer(data):
            mark = match[0]
            if mark == b"\n":
                line += 1
            elif mark in (b"[", b"{"):
                opened.append([match.start(), line, 0])
            elif mark in (b"]", b"}") and opened:
                start, first_line, height = opened.pop()
                height += 1
                # An open bracket around records that are done with may be cut off already.
                outermost = not opened or opened[-1][0] < consumed
                whole = outermost or height == context["height"]
                flat = height == 1 and _is_flat(data.count(b",", start, match.end()) + 1)
                if start >= consumed and (whole or flat):
                    found.append((start, match.end(), first_line))
                    consumed = match.end()
                if opened:
                    opened[-1][2] = max(opened[-1][2], height)
        if final:
            wanted = [entry for entry in opened if entry[0] >= consumed]
            if wanted:
                found.append((wanted[0][0], len(data), wanted[0][1]))
            consumed = len(data)
        starts, ends, lines = np.array(found, np.int64).reshape(-1, 3).T
        return Segments(starts, ends, lines, consumed)

    def resume(self, data: bytes, *, context: Context) -> int | None:
        """Go on behind the closing brackets that end a puzzle."""
        match = (_END_NESTED if context["height"] == 2 else _END_FLAT).search(data)
        return match.end() if match else None

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse the lists one by one."""
        del context

        def readings() -> Iterator[tuple[int, Reading]]:
            for row, (start, end) in enumerate(zip(segments.starts, segments.ends, strict=True)):
                yield row, read_list(decode(data[start:end]), options=options)

        return collect(segments.lines, readings())


def read_list(text: str, *, options: ReadOptions) -> Reading:
    """Read a puzzle written as a list of rows, or as a flat list of cells."""
    rows = [_cells(row) for row in _ROW.findall(text)]
    if text.count("[") + text.count("{") != text.count("]") + text.count("}"):
        return Reading(Invalid("a bracket is not closed", shorten(text)))
    if len(rows) == 1:
        return read_cells(rows[0], text=text, options=options)
    return read_rows(rows, text=text, options=options)


def _is_flat(cells: int) -> bool:
    """Return whether a list of so many cells can only be a whole puzzle, not one of its rows."""
    return cells > MAX_SIZE and is_square(cells)
