"""Bracketed lists: Erlang, JSON, Python, Haskell, Mathematica, C; nested or flat."""

import re
from collections.abc import Iterator

import numpy as np

from solver.formats.cells import Reading, read_cells, read_rows
from solver.formats.collect import collect
from solver.formats.format import Context, ReadOptions, Records, Segments
from solver.formats.line import decode, is_square
from solver.layout import MAX_SIZE

_OPENING, _CLOSING = b"[{(", b"]})"
_MARKS = re.compile(rb"""[\[\]{}()\n]|"[^"\n]*"|'[^'\n]*'""")
_ROW = re.compile(r"[\[{(]([^\[\]{}()]*)[\]})]")
_CELL = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([^\s,;"']*))\s*""")
_HEAD = re.compile(r"[^\[{(\"]*?[\[{(]")
_BLANK_ATOMS = frozenset({"b", "B", "_", "x", "X", ".", "0", "null", "Null", "None", "nil", ""})


def _cells(row: str) -> list[str]:
    cells = []
    for part in row.split(","):
        match = _CELL.fullmatch(part)
        cell = part.strip() if match is None else next(filter(None, match.groups()), "")
        cells.append("0" if cell in _BLANK_ATOMS else cell)
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
        text = decode(head).lstrip("\ufeff")
        first = _ROW.search(text)
        start = re.search(r"[\[{(]", text)
        if first is None or start is None:
            return None
        if not re.fullmatch(r"[\w\s:=.%#/*-]*", text[: start.start()]):
            return None
        cells = _cells(first[1])
        if len(cells) < 2 and "[" not in text[start.end() : start.end() + 3]:
            return None
        if not all(len(cell) <= 4 for cell in cells):
            return None
        flat = len(cells) > MAX_SIZE or (
            len(cells) >= 16 and is_square(len(cells)) and not _has_sibling(text, first.end())
        )
        return {"height": 1 if flat else 2}

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the lists of the height that the puzzles have, wherever they lie."""
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
                if height == context["height"]:
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
        """Go on behind the next closing bracket that ends a line."""
        del context
        match = re.search(rb"[\]}][^\[\]{}\n]*\n", data)
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
    if len(rows) == 1:
        return read_cells(rows[0], text=text, options=options)
    return read_rows(rows, text=text, options=options)


def _has_sibling(text: str, end: int) -> bool:
    return re.match(r"\s*,\s*[\[{(]", text[end:]) is not None
