"""Read grids of N lines, with or without frames, titles, and blank lines between or inside them.

An upload can also be a single grid with one cell per line.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from solver.board.graphemes import count_graphemes
from solver.board.layout import MAX_SIZE, MOST_IN_A_WORD
from solver.formats.format import Context, ReadOptions, Records, Segments
from solver.formats.grids.arrows import are_arrows
from solver.formats.grids.column import is_column, read_column, segment_column
from solver.formats.grids.grid_reading import read_record
from solver.formats.grids.grid_record import Finder, GridRecord
from solver.formats.grids.line_kinds import Kind, are_parted_by_rows, find_signs, kind_of
from solver.formats.grids.margins import Margins, find_margins, split_row
from solver.formats.grids.measured_grid import MeasuredGrid, has_values
from solver.formats.grids.measured_lines import MeasuredLines
from solver.formats.grids.regular_reading import read_regular
from solver.formats.grids.regular_segments import segment_regular
from solver.formats.grids.row_splits import LONGEST_ROW, row_width, usual_width
from solver.formats.reading.bulk import Bulk
from solver.formats.reading.cells import Reading, are_boards, refuse
from solver.formats.reading.collect import collect
from solver.formats.reading.deduce import BLANKS
from solver.formats.reading.lines import BOM
from solver.formats.reading.text import decode

_HEAD_LINES = 300
_SMALLEST = 4
_NEVER_RULES = frozenset("_*")  # `regular_lines` never takes them for drawn lines.


class GridFormat:
    """Grids of N lines; implements `solver.formats.format.Format`."""

    name = "grid"
    description = (
        "Grids of N lines with N cells each, with or without a frame, separated by titles (Grid "
        "01), blank lines, or empty spreadsheet rows. A frame, inner lines, or gaps show the "
        "boxes, or the regions of a jigsaw. In a frame, spaces can be empty cells. Boards above "
        "9×9 use letters, or numbers with spaces or commas in between. A second grid of labels "
        "defines regions, or cages with their sums (a=12). Sums and arrows that point to them "
        "define cages, too. A single grid can have one cell per line."
    )
    example = (
        "Grid 01\n003020600\n900305001\n001806400\n008102900\n700000008\n"
        "006708200\n002609500\n800203009\n005010300\n"
    )

    def recognize(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Return the context of an upload that begins with a grid, or with one cell per line.

        Returns None for any other upload, unless the options name this format. The first grid may
        be slightly broken. Lines that are whole puzzles aren't a grid. The context is
        {"column": True} if there is one cell per line. Otherwise, it has the margins of the lines
        and the drawing characters that are empty cells.
        """
        if is_column(head, final=final):
            return {"column": True}
        context, record = _look_at(head, final=final)
        if options.format == self.name:
            return context
        return None if record is None or _is_list(record) else context

    def recognize_whole(self, head: bytes, *, final: bool) -> Context | None:
        """Return the context of an upload that begins with a complete grid, or None for any other.

        The grid must look like a puzzle. It does if its cells are sums and arrows. Otherwise, all
        cells must be empty or symbols of a puzzle of that size, and either a grid of labels
        follows, or at least three quarters of the rows repeat no value.
        """
        context, record = _look_at(head, final=final)
        if record is None or record.grid is None or _is_list(record):
            return None
        if are_arrows(record.grid.cells):
            return context
        fits = record.labels or _mostly_differ(record.grid)
        return context if fits and has_values(record.grid) else None

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the grids, each with the titles, labels, and remarks that belong to it.

        An upload with one cell per line is one record, which is found only in a `final` piece.
        """
        if context.get("column"):
            return segment_column(data, line=line, final=final)
        margins, signs = Margins.of(context), str(context.get("signs", ""))
        parted = bool(context.get("parted"))
        position = len(BOM) if line == 1 and data.startswith(BOM) else 0
        odd = set(signs) - _NEVER_RULES or parted or margins
        regular = None if odd else segment_regular(data[position:], line=line, final=final)
        if regular is None:
            return _cut(data, position, line, context, final=final)
        after = position + regular.consumed
        below = line + data.count(b"\n", 0, after)
        rest = _cut(data, after, below, context, final=final)
        return Segments(
            np.concatenate((regular.starts + position, rest.starts)),
            np.concatenate((regular.ends + position, rest.ends)),
            np.concatenate((regular.lines, rest.lines)),
            rest.consumed,
        )

    def resume(self, data: bytes, *, context: Context) -> int | None:
        """Return the offset after the next line break, or None if `data` has no line break.

        The remaining lines of the overlong record are read like a new record.
        """
        del context
        return data.find(b"\n") + 1 or None

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse regular grids in bulk, and the others one by one."""
        column, margins = context.get("column"), Margins.of(context)
        bulk, names = Bulk(len(segments), options), dict[int, str]()
        signs = set(str(context.get("signs", ""))) - _NEVER_RULES
        if not column and not signs and not margins:
            bulk, names = read_regular(data, segments, options)

        def readings() -> Iterator[tuple[int, Reading]]:
            for row in np.flatnonzero(bulk.left).tolist():
                text = decode(data[segments.starts[row] : segments.ends[row]])
                if column:
                    yield row, read_column(text, options=options)
                else:
                    yield row, read_grid(text, options=options, context=context)

        return collect(
            segments.lines, readings(), groups=bulk.groups, names=names, notes=bulk.notes
        )


def read_grid(text: str, *, options: ReadOptions, context: Context | None = None) -> Reading:
    """Read one puzzle written in N lines. Any other text gives an invalid reading.

    Without a context, the notation is detected from the text itself.
    """
    lines = text.split("\n")
    if context is None:
        context = {"signs": find_signs(lines)}
    margins = Margins.of(context)
    measured = MeasuredLines(
        [_shown(margins.within(line.removesuffix("\r"))) for line in lines],
        signs=str(context.get("signs", "")),
        final=True,
        labeled=margins.labels,
    )
    record = Finder(measured, parted=bool(context.get("parted"))).find(0)
    if not isinstance(record, GridRecord):
        return refuse("no grid found; expected N rows of N cells", text)
    return read_record(record, text=text, options=options)


@lru_cache(maxsize=2)
def _look_at(head: bytes, *, final: bool) -> tuple[Context, GridRecord | None]:
    """Return the context for reading the grids in an upload, and the record of the first grid.

    Only the first 300 lines of `head` are searched. The grid may be broken. The record is None if
    there is no grid.
    """
    lines = decode(head.removeprefix(BOM)).split("\n")
    lines = [line.removesuffix("\r") for line in lines[: None if final else -1]]
    few = lines[:_HEAD_LINES]
    rows = [line for line in few if kind_of(_shown(line), "") is Kind.OTHER]
    margins = find_margins(rows)
    within = [margins.within(line) for line in lines]
    while final and within and not within[-1].strip(" \r"):
        del within[-1]
    signs = find_signs(list(map(_shown, within[:_HEAD_LINES])))
    context: Context = {**margins.remember(), "signs": signs}
    if are_parted_by_rows(within, final=final):
        context = {**context, "parted": True}
    texts = list(map(_shown, within[:_HEAD_LINES]))
    finder = Finder(MeasuredLines(texts, signs=signs, final=True, labeled=margins.labels))
    at = 0
    record = None
    while at < len(texts):
        found = finder.find(at)
        if not isinstance(found, GridRecord):
            break
        if found.grid is not None or found.is_broken:
            record = found
            break
        at = found.end
    return context, record


def _is_list(record: GridRecord) -> bool:
    """Return whether the record of an assumed grid is really a list of puzzles or other text.

    It is a list if more than half of its lines are whole puzzles. A measured grid is also other
    text if all rows are equal and have values. A record without a measured grid is other text
    unless it is broken and its lines look like the rows of a grid, see `_are_broken_rows`.
    """
    if record.grid is not None:
        rows = [row.cells for row in record.grid.rows]
        # Equal rows with values would repeat them in every column, so they are other text.
        are_equal = len(set(rows)) == 1 and any(cell not in BLANKS for cell in rows[0])
        return are_equal or _are_boards(rows)
    if not record.is_broken or _are_boards(list(map(split_row, record.rows))):
        return True
    return not _are_broken_rows(record.rows)


def _are_boards(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether more than half of the lines are complete boards, such as 4×4 in 16 cells.

    `rows` has the cells of each line.
    """
    by_width = defaultdict(list)
    for row in rows:
        by_width[len(row)].append(row)
    return 2 * sum(len(same) for same in by_width.values() if are_boards(same)) > len(rows)


def _mostly_differ(grid: MeasuredGrid) -> bool:
    """Return whether at least three quarters of the rows repeat no value.

    Empty cells don't count.
    """
    values = [[cell for cell in row.cells if cell not in BLANKS] for row in grid.rows]
    right = sum(len(set(row)) == len(row) for row in values)
    return 4 * right >= 3 * len(values)


def _are_broken_rows(rows: Sequence[str]) -> bool:
    """Return whether lines look like the rows of a broken grid rather than puzzles or text.

    At least half of them must have only cells of one character, numbers, or −1, at least half must
    have the same number of cells, and fewer than half may be whole puzzles. The number of cells is
    at most 100. With fewer than four lines, it is at most twice the number of lines.
    """
    widths = [row_width(row) for row in rows]
    width = usual_width(widths)
    if width > MAX_SIZE or (len(rows) < _SMALLEST and width > 2 * len(rows)):
        return False
    whole = sum(map(_is_whole_board, rows))
    fitting = sum(map(_looks_like_row, rows))
    alike = widths.count(width)
    return 2 * whole < len(rows) and 2 * fitting >= len(rows) and 2 * alike >= len(rows)


def _is_whole_board(row: str) -> bool:
    """Return whether a line is a complete board rather than a row.

    A row has at most 100 cells. With more than 64 cells, it is written in numbers, some of which
    have two digits. So a line is a board if it has more than 100 cells, or more than 64 cells of
    which each is a single character.
    """
    cells = split_row(row)
    return len(cells) > MAX_SIZE or (
        len(cells) > MOST_IN_A_WORD and max(map(count_graphemes, cells)) == 1
    )


def _looks_like_row(row: str) -> bool:
    cells = split_row(row)
    return bool(cells) and all(
        count_graphemes(cell) <= 1 or cell.isdigit() or cell == "-1" for cell in cells
    )


def _shown(line: str) -> str:
    """Return a line, truncated to one character more than the longest row may have.

    A truncated line is still too long to be a row.
    """
    return line if len(line) <= LONGEST_ROW else line[: LONGEST_ROW + 1]


def _cut(data: bytes, position: int, line: int, context: Context, *, final: bool) -> Segments:
    """Find the grids from byte offset `position` on, where line number `line` begins.

    All offsets in the result count from the start of `data`.
    """
    margins = Margins.of(context)
    written = data[position:].split(b"\n")
    rest = b"" if final and written[-1] else written.pop()
    bounds = np.cumsum([0, *(len(each) + 1 for each in written)]) + position
    starts = bounds[:-1].tolist()
    written = [each.rstrip(b"\r") for each in written]
    ends = [begin + len(each) for begin, each in zip(starts, written, strict=True)]
    texts = decode(b"\n".join(written)).split("\n") if written else []
    parted = bool(context.get("parted"))
    measured = MeasuredLines(
        [_shown(margins.within(text)) for text in texts],
        signs=str(context.get("signs", "")),
        final=final,
        labeled=margins.labels,
        tail=len(decode(rest)),
    )
    finder = Finder(measured, parted=parted)
    spans: list[tuple[int, int, int]] = []
    at = 0
    while at < len(written):
        record = finder.find(at)
        if not isinstance(record, GridRecord):
            break
        first_row = _first_row(record, finder)
        spans.append((starts[record.start], ends[record.end - 1], line + first_row))
        at = record.end
    done = int(bounds[-1]) if written else position
    if final:
        done = len(data)
    elif at < len(written):
        pending = finder.pending_from(at)
        done = starts[pending] if pending < len(written) else done
    found = np.array(spans, np.int64).reshape(-1, 3)
    return Segments(found[:, 0], found[:, 1], found[:, 2], done)


def _first_row(record: GridRecord, finder: Finder) -> int:
    """Return the line index of a record's first row in the finder's lines.

    A broken grid is searched for again in the lines of its record alone, because it is read that
    way later. A damaged first row then may turn out to be a title.
    """
    if not record.is_broken:
        return record.first_row
    texts = finder.lines.texts[record.start : record.end]
    alone = replace(finder.lines, texts=texts, final=True, tail=0)
    found = Finder(alone, parted=finder.parted).find(0)
    return record.start + found.first_row if isinstance(found, GridRecord) else record.first_row
