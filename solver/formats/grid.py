"""Grids of N lines, with or without frames, titles, and blank lines between or inside them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt
from typing import NamedTuple

import numpy as np

from solver.formats.cells import Reading, read_rows
from solver.formats.collect import collect
from solver.formats.format import Context, ReadOptions, Records, Segments
from solver.formats.line import decode
from solver.formats.lines import BOM, head_lines
from solver.layout import MAX_SIZE, usual_box
from solver.symbols import Symbols

_FRAME = re.compile(r"[\s+*|:=.'`,!─━═│┃┌┐└┘├┤┬┴┼╋╔╗╚╝╠╣╦╩╬-]+")
_RULE = re.compile(r"--|==|──|━━|══|-\+-")
_TITLE = re.compile(
    r"\s*(#.*|\[[^\]]*\]|(grid|puzzle|sudoku|game|board|no\.?|nr\.?|number)\b[^.]*)\s*",
    re.IGNORECASE,
)
_BARS = re.compile(r"[|!│┃║]")
_LABEL = re.compile(r"\s#.*$")
_NUMBERS_FROM = 10  # boards this wide may be written in numbers


def split_row(line: str) -> list[str]:
    """Return the cells of one line of a grid."""
    line = _BARS.sub(" ", _LABEL.sub("", line))
    tokens = line.split()
    if len(tokens) >= _NUMBERS_FROM and all(len(token) <= 2 for token in tokens):
        return tokens
    return list("".join(tokens))


def _is_frame(line: str, *, width: int) -> bool:
    """Return whether a line only rules off; a row of blanks written as dashes does not."""
    if not _FRAME.fullmatch(line) or not _RULE.search(line):
        return False
    return not (width and len(line.strip()) == width and set(line.strip()) == {"-"})


class _Line(NamedTuple):
    number: int
    start: int
    end: int
    text: str


@dataclass(slots=True)
class _Block:
    """The rows of a grid while they come in: offsets, line number, text of each row."""

    start: int
    end: int
    line: int
    rows: list[str]
    after_gap: bool = False

    @property
    def width(self) -> int:
        return len(split_row(self.rows[0])) if self.rows else 0

    @property
    def ragged(self) -> bool:
        """Whether blanks are written as spaces, and lost at the ends of lines."""
        if any(not re.fullmatch(r"[0-9 ]+", row) for row in self.rows):
            return False
        return len({len(split_row(row)) for row in self.rows}) > 1

    @property
    def height(self) -> int:
        """How many rows the grid is going to have."""
        if self.ragged:
            return 9
        return min(max(self.width, 1), MAX_SIZE)

    @property
    def may_have_gap(self) -> bool:
        """Whether a blank line may stand behind the rows so far, as one between two bands."""
        box = usual_box(self.height)
        return box is not None and len(self.rows) % box[0] == 0 and not self.ragged


class _Cutter:
    """Takes lines one by one and finds where grids begin and end."""

    def __init__(self) -> None:
        self.found: list[tuple[int, int, int]] = []  # start, end, line
        self.block: _Block | None = None

    def take(self, row: _Line) -> None:
        block = self.block
        if not row.text.strip():
            if block is not None and block.may_have_gap:
                block.after_gap = True
            else:
                self.close()
        elif _TITLE.fullmatch(row.text):
            self.close()
        elif not _is_frame(row.text, width=block.width if block else 0):
            self._add(row)

    def _add(self, row: _Line) -> None:
        block = self.block
        if block is not None and block.after_gap and len(split_row(row.text)) != block.width:
            self.close()
            block = None
        if block is None:
            block = self.block = _Block(row.start, row.end, row.number, [row.text])
        else:
            block.rows.append(row.text)
            block.end, block.after_gap = row.end, False
        if len(block.rows) >= block.height:
            self.close()

    def close(self) -> None:
        """End the grid under way, if there is one."""
        if self.block is not None:
            self.found.append((self.block.start, self.block.end, self.block.line))
            self.block = None


def rows_of(record: str) -> list[list[str]]:
    """Return the rows of cells in the text of one record."""
    lines = [line for line in record.splitlines() if line.strip() and not _TITLE.fullmatch(line)]
    width = max((len(split_row(line)) for line in lines if not _FRAME.fullmatch(line)), default=0)
    lines = [line for line in lines if not _is_frame(line, width=width)]
    if _Block(0, 0, 0, lines).ragged:
        indent = min(len(line) - len(line.lstrip()) for line in lines)
        full = max(len(lines), *(len(line) - indent for line in lines))
        return [list(line[indent:].ljust(full)) for line in lines]
    return [split_row(line) for line in lines]


class GridFormat:
    """Grids of N lines; see `solver.formats.format.Format`."""

    name = "grid"
    description = (
        "Grids of N lines with N cells each, framed or not; titles (Grid 01) or blank lines "
        "between them. Boards above 9×9 in letters, or in numbers with spaces."
    )
    example = (
        "Grid 01\n003020600\n900305001\n001806400\n008102900\n700000008\n"
        "006708200\n002609500\n800203009\n005010300\n"
    )

    def recognise(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Recognise an upload that begins with N rows of N cells, or nearly so."""
        del options
        lines = [line for line in head_lines(head, final=final) if not _TITLE.fullmatch(line)]
        lines = [line for line in lines if not _is_frame(line, width=0)]
        if not lines or not all(_looks_like_row(line) for line in lines[:9]):
            return None
        if 2 * sum(len(split_row(line)) > MAX_SIZE for line in lines) >= len(lines):
            return None  # whole boards, one a line
        block = _Block(0, 0, 1, lines[:9])
        if len(lines) < 4 and block.height > 2 * len(lines):
            return None
        if _fits_smaller_boards(lines, block.width):
            return None
        same = sum(len(split_row(line)) == block.width for line in lines[: block.height])
        if not block.ragged and (block.width > MAX_SIZE or 2 * same < len(lines[: block.height])):
            return None
        return {}

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the grids: as many rows as the first has cells, or what a title or gap ends."""
        del context
        cutter = _Cutter()
        for row in _lines(data, line, final=final):
            cutter.take(row)
        if final:
            cutter.close()
            consumed = len(data)
        elif cutter.block is None:
            consumed = data.rfind(b"\n") + 1
        else:
            consumed = cutter.block.start
        starts, ends, lines = np.array(cutter.found, np.int64).reshape(-1, 3).T
        return Segments(starts, ends, lines, consumed)

    def resume(self, data: bytes, *, context: Context) -> int | None:
        """Go on behind the next blank line."""
        del context
        match = re.search(rb"\n[ \t\r]*\n", data)
        return match.end() if match else None

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse the grids one by one."""
        del context

        def readings() -> Iterator[tuple[int, Reading]]:
            for row, (start, end) in enumerate(zip(segments.starts, segments.ends, strict=True)):
                text = decode(data[start:end])
                yield row, read_grid(text, options=options)

        return collect(segments.lines, readings())


def read_grid(text: str, *, options: ReadOptions) -> Reading:
    """Read a puzzle written in N lines."""
    return read_rows(rows_of(text), text=text, options=options)


def _fits_smaller_boards(lines: list[str], width: int) -> bool:
    """Return whether each line is rather a board of its own: 16 cells with 1 to 4 only."""
    size = isqrt(width)
    if width < 16 or size * size != width:
        return False
    symbols = {cell for line in lines for cell in split_row(line) if cell.isalnum()}
    return symbols <= {"0", *Symbols.usual(size).values}


def _looks_like_row(line: str) -> bool:
    cells = split_row(line)
    blanks = sum(not cell.isalnum() for cell in cells)
    short = all(len(cell) == 1 or cell.isdigit() for cell in cells)
    words = re.search(r"[A-Za-z]{3,}[ ,.]+[A-Za-z]{3,}", line)
    return bool(cells) and short and words is None and (blanks > 0 or len(cells) <= MAX_SIZE)


def _lines(data: bytes, line: int, *, final: bool) -> Iterator[_Line]:
    """Yield every complete line."""
    start = len(BOM) if line == 1 and data.startswith(BOM) else 0
    while start < len(data):
        end = data.find(b"\n", start)
        if end < 0:
            if not final:
                return
            end = len(data)
        yield _Line(line, start, end, decode(data[start:end]).rstrip("\r"))
        start, line = end + 1, line + 1
