"""Grids of N lines, with or without frames, titles, and blank lines between or inside them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from solver.board.graphemes import count_graphemes
from solver.board.layout import MAX_SIZE, MOST_IN_A_WORD, usual_box
from solver.formats.format import Context, ReadOptions, Records, Segments
from solver.formats.grids.column import is_column, read_column, segment_column
from solver.formats.grids.grid_rows import (
    SECTION,
    Line,
    Shape,
    are_parted_by_rows,
    are_small_puzzles,
    grid_height,
    is_blank,
    is_empty_row,
    is_head_rule,
    is_rule,
    is_title,
    shape_of,
    split_row,
    split_rows,
    usual_width,
    writes_dashes,
)
from solver.formats.grids.margins import NO_MARGINS, Margins, are_spaced, find_margins
from solver.formats.grids.regular import cut_regular, read_regular
from solver.formats.reading.bulk import Bulk
from solver.formats.reading.cells import Reading, clean_name, read_rows
from solver.formats.reading.collect import collect
from solver.formats.reading.lines import BOM, head_lines
from solver.formats.reading.text import decode

# A line above a wider one that is the number of the grid which begins there.
_NUMBER = re.compile(r"\s*\d{1,3}[.:)]?\s*")
_NUMBER_LENGTH = 3
_HEAD_ROWS = 40
# Lines of one cell each, none of which is anything else; uploads of millions of them are known.
_SINGLE_CELLS = re.compile(rb"(?:[0-9A-Za-z.*_?]\r?\n){8,}")
_CELL = re.compile(rb"[^\r\n]")


class GridFormat:
    """Grids of N lines; see `solver.formats.format.Format`."""

    name = "grid"
    description = (
        "Grids of N lines with N cells each, framed or not; titles (Grid 01), blank lines or "
        "empty rows of a spreadsheet between them. In a frame spaces may be blanks. Boards above "
        "9×9 in letters, or in numbers with spaces or commas. A single grid with a cell a line."
    )
    example = (
        "Grid 01\n003020600\n900305001\n001806400\n008102900\n700000008\n"
        "006708200\n002609500\n800203009\n005010300\n"
    )

    def recognise(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Recognise an upload that begins with N rows of N cells, or nearly so; or N² cells."""
        if is_column(head, final=final):
            return {"column": True}
        texts = [line for line in head_lines(head, final=final) if not is_title(line)]
        margins = find_margins(
            [row for row in texts if not is_rule(row, width=0, dashes=False)],
            spaced=are_spaced(_lines(head, final=final)),
        )
        texts = [margins.within(line) for line in texts]
        dashes = writes_dashes(texts)
        rows = [line for line in texts if not is_rule(line, width=0, dashes=dashes)][:_HEAD_ROWS]
        gaps = _has_gaps(head, margins, final=final)
        context = {"dashes": dashes, "gaps": gaps, **margins.remember()}
        if options.format == self.name:
            return context
        shapes = [shape_of(row) for row in rows]
        widths = [shape.cells for shape in shapes]
        width = usual_width(widths)
        height = grid_height(shapes, width)
        block = rows[:height]
        if not rows or width > MAX_SIZE or (len(rows) < 4 and height > 2 * len(rows)):
            return None
        fitting = sum(_looks_like_row(line) for line in block)
        whole = sum(map(_is_whole_board, texts))
        if 2 * whole >= len(texts) or 2 * fitting < len(block) or are_small_puzzles(rows, width):
            return None
        alike = widths[:height].count(width)
        return context if width != height or 2 * alike >= len(block) else None

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the grids: as many rows as they have columns, or what a title or gap ends."""
        if context.get("column"):
            return segment_column(data, line=line, final=final)
        dashes, gaps = bool(context.get("dashes")), bool(context.get("gaps"))
        margins = Margins.of(context)
        position = len(BOM) if line == 1 and data.startswith(BOM) else 0
        odd = dashes or gaps or margins
        regular = None if odd else cut_regular(data[position:], line=line)
        if regular is None:
            cutter = _Cutter(dashes=dashes, gaps=gaps)
            return _cut(data, position, line, cutter, margins, final=final)
        behind = position + regular.consumed
        below = line + data.count(b"\n", 0, behind)
        rest = _cut(data, behind, below, _Cutter(dashes=False, gaps=False), margins, final=final)
        return Segments(
            np.concatenate((regular.starts + position, rest.starts)),
            np.concatenate((regular.ends + position, rest.ends)),
            np.concatenate((regular.lines, rest.lines)),
            rest.consumed,
        )

    def resume(self, data: bytes, *, context: Context) -> int | None:
        """Go on behind the next line break."""
        del context
        return data.find(b"\n") + 1 or None

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse regular grids all at once, the others one by one."""
        dashes, margins = bool(context.get("dashes")), Margins.of(context)
        column = context.get("column")
        bulk, names = Bulk(len(segments), options), dict[int, str]()
        if not column and not dashes and not margins:
            bulk, names = read_regular(data, segments, options)

        def readings() -> Iterator[tuple[int, Reading]]:
            for row in np.flatnonzero(bulk.left).tolist():
                text = decode(data[segments.starts[row] : segments.ends[row]])
                if column:
                    yield row, read_column(text, options=options)
                else:
                    yield row, read_grid(text, options=options, dashes=dashes, margins=margins)

        return collect(
            segments.lines, readings(), groups=bulk.groups, names=names, notes=bulk.notes
        )


def _cut(
    data: bytes, position: int, line: int, cutter: "_Cutter", margins: Margins, *, final: bool
) -> Segments:
    """Find the grids behind a position, line by line."""
    while position < len(data):
        end = data.find(b"\n", position)
        if end < 0 and not final:
            break
        end = len(data) if end < 0 else end
        text = data[position:end].rstrip(b"\r")
        said = margins.within(decode(text))
        if said.strip() or not margins.spaced:
            cutter.take(Line(line, position, position + len(text), said))
        position, line = end + 1, line + 1
        singles = _SINGLE_CELLS.match(data, position) if cutter.is_at_single_cell() else None
        if singles is not None:
            position, line = singles.end(), line + singles[0].count(b"\n")
            places = _CELL.finditer(data, singles.start(), position)
            cutter.take_single_cells([place.span() for place in places])
    if final:
        cutter.close()
    done = min(position, len(data)) if cutter.start is None else cutter.start
    starts, ends, lines = np.array(cutter.spans, np.int64).reshape(-1, 3).T
    return Segments(starts, ends, lines, done)


def read_grid(
    text: str, *, options: ReadOptions, dashes: bool | None = None, margins: Margins = NO_MARGINS
) -> Reading:
    """Read a puzzle written in N lines; whether dashes are blanks is seen in them if not said."""
    titles, lines = _sections(map(margins.within, text.splitlines()))
    dashes = writes_dashes(lines) if dashes is None else dashes
    rows = [line for line in lines if not is_rule(line, width=0, dashes=dashes)]
    width = len(split_row(rows[0])) if rows else 0
    headed = rows[:1] == lines[:1] and len(lines) > 1 and is_head_rule(lines[1], width=width)
    if rows and len(rows) == width + 1 and (headed or is_empty_row(rows[0])):
        del rows[0]  # a head, or what stands between it and the grid above
    if dashes:
        width = usual_width([len(split_row(row)) for row in rows])
        rows = [line for line in lines if not is_rule(line, width=width, dashes=True)]
    reading = read_rows(margins.inside(split_rows(rows)), text=text, options=options)
    return replace(reading, name=clean_name(titles[-1]) if titles else None)


def _sections(written: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the titles among a record's lines, and the others; of sections only [Puzzle]."""
    titles, lines = [], []
    skipping = False
    for line in written:
        section = SECTION.fullmatch(line)
        if section is not None:
            skipping = section[1].lower() != "puzzle"
        elif skipping or is_blank(line):
            continue
        elif is_title(line):
            titles.append(line)
        else:
            lines.append(line)
    return titles, lines


class _Cutter:
    """Takes lines one by one and finds where grids begin and end.

    `rows` are those of the grid under way, `title` the last one above it, `gap` says how many
    rows stand above the last blank line, which may lie between two bands. `headed` says whether
    the first row may be the head of a table.
    """

    def __init__(self, *, dashes: bool, gaps: bool) -> None:
        self.spans: list[tuple[int, int, int]] = []  # start, end, line
        self._dashes, self._gaps = dashes, gaps
        self._title: Line | None = None
        self._skipped: Line | None = None
        self._begin([])

    @property
    def start(self) -> int | None:
        """Where that begins which is not done with, if anything."""
        first = self._skipped or self._title or (self.rows[0] if self.rows else None)
        return None if first is None else first.start

    def take(self, line: Line) -> None:
        shape = shape_of(line.text)
        if shape.section is not None:
            self.close()
            # What a solver's program keeps beside the puzzle: its state, pencil marks, colours.
            self._skipped = line if shape.section.lower() != "puzzle" else None
        elif self._skipped is not None:
            return
        elif shape.is_blank:
            self._blank()
        elif shape.is_title or self._is_gap(line):
            self.close()
            self._title = line
        elif not (shape.may_rule and is_rule(line.text, width=self._width, dashes=self._dashes)):
            self._row(line, shape)
        else:
            # In a frame, such a rule stands below each row.
            self._headed = len(self.rows) == 1 and is_head_rule(line.text, width=self._width)

    def _is_gap(self, line: Line) -> bool:
        """Return whether an empty row stands between two grids; it goes with the second one."""
        between = self._gaps and line.number > 1 and not self.rows and self._title is None
        return between and is_empty_row(line.text)

    def is_at_single_cell(self) -> bool:
        """Return whether nothing but a row of one cell is under way."""
        single = len(self._shapes) == 1 and self._shapes[0].cells == 1
        return single and self._title is self._skipped is None and not self._gap

    def take_single_cells(self, lines: list[tuple[int, int]]) -> None:
        """Take lines of one cell each, by start and end, behind another one."""
        (first,) = self.rows
        spans = [(first.start, first.end), *lines]
        number = first.number + len(lines)
        self.spans += [(*span, first.number + n) for n, span in enumerate(spans[:-1])]
        self._begin([Line(number, *spans[-1], first.text)])

    def close(self) -> None:
        """End the grid under way, if there is one."""
        self._close(len(self.rows))

    def _close(self, count: int) -> None:
        if count:
            first, last = self.rows[0], self.rows[count - 1]
            start = first.start if self._title is None else self._title.start
            self.spans.append((start, last.end, first.number))
            self._title = None
        self._begin(self.rows[count:])

    def _begin(self, rows: list[Line]) -> None:
        self.rows, self._gap, self._headed = rows, 0, False
        self._shapes = [shape_of(row.text) for row in rows]
        self._measure()

    def _measure(self) -> None:
        self._width: int = usual_width([shape.cells for shape in self._shapes])
        self._height = grid_height(self._shapes, self._width)
        loose = [shape.loose for shape in self._shapes]
        self._may_be_loose = None not in loose
        self._is_even = all(each is not None and each[2] for each in loose)

    def _ends_band(self) -> bool:
        """Return whether the rows below the last gap are as many as a band has."""
        box = usual_box(self._height) if self._height > 1 else None
        return box is not None and len(self.rows) - self._gap == box[0]

    def _blank(self) -> None:
        if self._ends_band():
            self._gap = len(self.rows)
        else:
            self.close()

    def _row(self, line: Line, shape: Shape) -> None:
        width, loose = shape.cells, shape.loose
        if len(self.rows) == 1 and width > _NUMBER_LENGTH and _NUMBER.fullmatch(self.rows[0].text):
            self._begin([])
        # A band that goes on behind a blank line is none: another grid begins there.
        if self._gap and self._ends_band():
            self._close(self._gap)
        if self._gap and width != self._width:
            self.close()
        self.rows.append(line)
        self._shapes.append(shape)
        stays_even = self._is_even and loose is not None and loose[2]
        if width != self._width or (self._may_be_loose and not stays_even):
            self._measure()
        if 1 < self._height + self._headed <= len(self.rows):
            self.close()
        elif self._height == 1 and len(self.rows) == 2:
            # A single cell may be a label; that it was none is known from the next line.
            self._close(1)


def _lines(head: bytes, *, final: bool) -> list[str]:
    """Return all lines of a head."""
    return decode(head.removeprefix(BOM).rstrip(b"\r\n" if final else b"")).split("\n")


def _has_gaps(head: bytes, margins: Margins, *, final: bool) -> bool:
    """Return whether an empty row of a spreadsheet follows each grid."""
    lines = [margins.within(line) for line in _lines(head, final=final)]
    return are_parted_by_rows(lines if final else lines[:-1], final=final)


def _is_whole_board(line: str) -> bool:
    """Return whether a line is a board by itself: rows above 64 cells are written in numbers."""
    cells = split_row(line)
    return len(cells) > MAX_SIZE or (
        len(cells) > MOST_IN_A_WORD and max(map(count_graphemes, cells)) == 1
    )


def _looks_like_row(line: str) -> bool:
    cells = split_row(line)
    return bool(cells) and all(
        count_graphemes(cell) <= 1 or cell.isdigit() or cell == "-1" for cell in cells
    )
