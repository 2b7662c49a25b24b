"""One record of an upload of grids: a grid with the lines above and below that belong to it.

Title            above: the last line is the name, or gives the size or the box
+---+---+        the drawing
| … | … |
a a b b          labels of regions or cages, below the rows or next to them
a=7 b=12         the sums of cages
a comment        after
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from solver.formats.grids.below_grid import (
    MOST_LINES,
    end_of_frame,
    labels_below,
    remarks_below,
    sums_below,
)
from solver.formats.grids.broken_grid import broken_end
from solver.formats.grids.columns import COLUMNS, bar_columns
from solver.formats.grids.labels import are_labels
from solver.formats.grids.line_kinds import SECTION, Kind, is_empty_row
from solver.formats.grids.measured_grid import PENDING, MeasuredGrid, Unknown
from solver.formats.grids.measured_lines import MeasuredLines
from solver.formats.grids.titles import begins_with_title, grid_below, is_damaged

_FEWEST_ROWS = 2  # Lines above a grid that look like its rows: fewer could be a title.
_LONG_TEXT = 100  # This many lines without a grid become one record.
# Sections with other data that programs store: game state, pencil marks, colors.
_OTHER_SECTIONS = re.compile(r"state|pencil ?marks?|colou?rs?|candidates|progress", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GridRecord:
    """The position of a record, as line indexes, and its parts.

    start      the first line
    end        the line after the last one
    above      the lines of text above the grid
    grid       the measured grid, or None for a broken grid or text
    rows       without a measured grid: the rows of a broken grid, or all lines of a text
    labels     the label of each cell: its region or cage, if there are labels
    sums       the lines with the sums of cages
    after      the lines of text below the grid
    first_row  the line of the first row
    is_broken  whether `rows` are the rows of a broken grid
    """

    start: int
    end: int
    above: tuple[str, ...] = ()
    grid: MeasuredGrid | None = None
    rows: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    sums: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    first_row: int = 0
    is_broken: bool = False


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds the records in a list of lines: grids with their titles and remarks, and other text.

    `parted` tells whether an empty row precedes each grid but the first, as in some spreadsheets.
    Methods take and return indices in the list of lines.
    """

    lines: MeasuredLines
    parted: bool = False

    def find(self, start: int) -> GridRecord | Unknown | None:
        """Return the first record at or after line `start`, or None if there is none.

        Text without a grid is a record, too: 100 lines of it, or the rest at the end of the upload
        unless that is only comments. Returns PENDING if the result depends on lines that have yet
        to arrive.
        """
        texts: list[int] = []
        at = start
        if self.parted and is_empty_row(self.lines.texts[at]):
            texts, at = [at], at + 1
        while at < len(self.lines.texts):
            kind = self.lines.kind(at)
            if kind in (Kind.SECTION, Kind.COMMENT):
                if kind is Kind.SECTION and self._is_other_section(at):
                    at = self._next_section(at)
                    texts.clear()
                    continue
                texts.append(at)
            elif kind is not Kind.BLANK:
                found = self._at(at, texts)
                if found is not None:
                    return found
                if kind is Kind.OTHER:
                    texts.append(at)
            at += 1
            texts = self._recent(texts)
            if len(texts) >= _LONG_TEXT:
                return self._text(texts)
        if not self.lines.final:
            return PENDING
        has_text = any(self.lines.kind(text) is Kind.OTHER for text in texts)
        return self._text(texts) if has_text else None

    def pending_from(self, start: int) -> int:
        """Return the index of the first line from `start` on to examine again with later lines.

        The result is the number of lines if none is needed again. No record reaches across a
        section with other data (such as pencil marks), and such a section ends where the next one
        begins.
        """
        upwards = range(len(self.lines.texts) - 1, start - 1, -1)
        other_section = next((at for at in upwards if self._is_other_section(at)), None)
        if other_section is not None:
            next_section = self._next_section(other_section)
            start = next_section if next_section < len(self.lines.texts) else other_section
        texts = [
            at
            for at in range(start, len(self.lines.texts))
            if self.lines.kind(at) not in (Kind.BLANK, Kind.RULE)
        ]
        recent = self._recent(texts)
        return recent[0] if recent else len(self.lines.texts)

    def _recent(self, texts: list[int]) -> list[int]:
        """Return `texts` without its first comments, if there are more than 20 lines of text.

        `texts` are the ascending indices of the lines of text above a possible grid. Comments are
        dropped until 20 lines are left or the first line isn't a comment. The dropped ones are too
        far above a grid to belong to it.
        """
        while len(texts) > MOST_LINES and self._is_comment(texts[0]):
            texts = texts[1:]
        return texts

    def _is_comment(self, at: int) -> bool:
        return self.lines.kind(at) is not Kind.OTHER and not self._is_other_section(at)

    def _above(self, texts: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.lines.texts[at] for at in texts if not is_empty_row(self.lines.texts[at]))

    def _is_other_section(self, at: int) -> bool:
        section = SECTION.fullmatch(self.lines.texts[at])
        return section is not None and _OTHER_SECTIONS.fullmatch(section[1].strip()) is not None

    def _next_section(self, at: int) -> int:
        below = range(at + 1, len(self.lines.texts))
        return next((n for n in below if self.lines.kind(n) is Kind.SECTION), len(self.lines.texts))

    def _text(self, texts: list[int]) -> GridRecord:
        rows = tuple(self.lines.texts[at] for at in texts)
        return GridRecord(texts[0], texts[-1] + 1, rows=rows, first_row=texts[0])

    def _at(self, at: int, texts: list[int]) -> GridRecord | Unknown | None:
        """Return the record of the grid that begins at line `at`, or None if none does.

        The grid may be broken. `texts` are the indices of the lines of text above it. Returns
        PENDING if more lines are required.
        """
        grid = self.lines.measure(at)
        if isinstance(grid, Unknown):
            return grid
        if grid is not None and self._begins_above(grid, texts):
            return None
        titled = grid is not None and begins_with_title(self.lines, grid, at)
        if titled:
            return titled if isinstance(titled, Unknown) else None
        if grid is None:
            below = grid_below(self.lines, at)
            if isinstance(below, Unknown):
                return below
            if below is not None:
                above = range(at, below[0])
                rows_above = sum(self.lines.may_be_row(line, below[1].size) for line in above)
                if rows_above < _FEWEST_ROWS and not is_damaged(self.lines, above, below[1]):
                    return None
            end = broken_end(self.lines, at)
            return self._broken(at, end, texts) if isinstance(end, int) else end
        return self._whole(grid, texts)

    def _begins_above(self, grid: MeasuredGrid, texts: Sequence[int]) -> bool:
        """Return whether a line above a grid has its bars in the same columns as the rows.

        Then it is a row of the same drawing, and the rows from there on couldn't be read with
        certainty. Always False for a grid in which spaces aren't empty cells. `texts` are the lines
        above, by index.
        """
        if grid.rows[0].way != COLUMNS:
            return False
        bars = bar_columns(grid.texts[0])
        return bool(bars) and any(bar_columns(self.lines.texts[at]) == bars for at in texts)

    def _broken(self, start: int, end: int, texts: list[int]) -> GridRecord:
        """Return the record of a broken grid in the lines `start` to `end` − 1.

        `texts` are the indices of the lines of text above it.
        """
        places = [at for at in range(start, end) if self.lines.kind(at) is Kind.OTHER]
        rows = tuple(self.lines.texts[at] for at in places)
        above, first_row = self._above(texts), self._first_row(start)
        first = texts[0] if texts else first_row
        return GridRecord(first, end, above, rows=rows, first_row=first_row, is_broken=True)

    def _whole(self, grid: MeasuredGrid, texts: list[int]) -> GridRecord | Unknown:
        above = self._above(texts)
        first_row = self._first_row(grid.start)
        start = texts[0] if texts else first_row
        end = end_of_frame(self.lines, grid)
        labels: tuple[str, ...] = ()
        if grid.beside:
            labels = tuple(cell for row in grid.beside for cell in row)
        else:
            below = labels_below(self.lines, grid)
            if isinstance(below, Unknown):
                return below
            if below is not None:
                labels, end = tuple(below.cells), below.end
                if are_labels(grid.cells):
                    grid, labels = below, tuple(grid.cells)
        sums: tuple[str, ...] = ()
        if labels or are_labels(grid.cells):
            sums, end = sums_below(self.lines, end)
        after = remarks_below(self.lines, end)
        if isinstance(after, Unknown):
            return after
        texts_after = tuple(self.lines.texts[at] for at in after)
        end = after[-1] + 1 if after else end
        return GridRecord(start, end, above, grid, (), labels, sums, texts_after, first_row)

    def _first_row(self, start: int) -> int:
        """Return the index of the first row from line `start` on, after any drawn lines."""
        below = range(start, len(self.lines.texts))
        return next(at for at in below if self.lines.kind(at) is Kind.OTHER)
