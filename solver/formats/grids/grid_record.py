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
from dataclasses import dataclass, field

from solver.board.layout import MAX_SIZE, usual_box
from solver.formats.format import ReadOptions
from solver.formats.grids.labels import are_labels, is_sum_line, may_be_labels
from solver.formats.grids.line_kinds import (
    SECTION,
    Kind,
    is_date,
    is_empty_row,
    is_title,
    kind_of,
)
from solver.formats.grids.measured_grid import (
    PENDING,
    SMALLEST,
    MeasuredGrid,
    Unknown,
    measure_grid,
)
from solver.formats.grids.row_splits import LONGEST_ROW, row_width, split_ways, usual_width
from solver.formats.reading.deduce import choose_symbols

_MOST_LINES = 20  # Lines of text above a grid, or below it.
_MOST_TITLES = 5  # Lines of text directly above a grid that could also be its rows.
_MOST_BLANKS = 4
_FEWEST_ROWS = 2  # Lines above a grid that look like its rows: fewer could be a title.
_LONGEST_REMARK = 256  # characters
_LONG_TEXT = 100  # This many lines without a grid become one record.
# Sections with other data that programs store: game state, pencil marks, colors.
_OTHER_SECTIONS = re.compile(r"state|pencil ?marks?|colou?rs?|candidates|progress", re.IGNORECASE)
_CELL_SIGNS = re.compile(r"[0-9.*_?-]")


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
    """Finds the records in a list of lines: grids with their titles and remarks.

    Methods take and return indices in `lines`.

    lines    the lines, without line breaks
    signs    drawing characters that the upload uses for empty cells
    final    whether the upload ends with these lines
    labeled  whether rows and columns are numbered or lettered
    parted   whether an empty row precedes each grid but the first, as in some spreadsheets
    tail     length of the incomplete line that follows the lines, in characters
    """

    lines: Sequence[str]
    signs: str
    final: bool
    labeled: bool = False
    parted: bool = False
    tail: int = 0
    _measured: dict[int, MeasuredGrid | Unknown | None] = field(default_factory=dict, init=False)

    def find(self, start: int) -> GridRecord | Unknown | None:
        """Return the first record at or after line `start`, or None if there is none.

        Text without a grid is a record, too: 100 lines of it, or the rest at the end of the upload
        unless that is only comments. Returns PENDING if the result depends on lines that have yet
        to arrive.
        """
        texts: list[int] = []
        at = start
        if self.parted and is_empty_row(self.lines[at]):
            texts, at = [at], at + 1
        while at < len(self.lines):
            kind = self._kind(at)
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
        if not self.final:
            return PENDING
        return self._text(texts) if any(self._kind(text) is Kind.OTHER for text in texts) else None

    def pending_from(self, start: int) -> int:
        """Return the index of the first line from `start` on to examine again with later lines.

        The result is the number of lines if none is needed again. No record reaches across a
        section with other data (such as pencil marks), and such a section ends where the next one
        begins.
        """
        upwards = range(len(self.lines) - 1, start - 1, -1)
        other_section = next((at for at in upwards if self._is_other_section(at)), None)
        if other_section is not None:
            next_section = self._next_section(other_section)
            start = next_section if next_section < len(self.lines) else other_section
        texts = [
            at
            for at in range(start, len(self.lines))
            if self._kind(at) not in (Kind.BLANK, Kind.RULE)
        ]
        recent = self._recent(texts)
        return recent[0] if recent else len(self.lines)

    def _recent(self, texts: list[int]) -> list[int]:
        """Return `texts` without its first comments, if there are more than 20 lines of text.

        `texts` are the ascending indices of the lines of text above a possible grid. Comments are
        dropped until 20 lines are left or the first line isn't a comment. The dropped ones are too
        far above a grid to belong to it.
        """
        while len(texts) > _MOST_LINES and self._is_comment(texts[0]):
            texts = texts[1:]
        return texts

    def _is_comment(self, at: int) -> bool:
        return self._kind(at) is not Kind.OTHER and not self._is_other_section(at)

    def _above(self, texts: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.lines[at] for at in texts if not is_empty_row(self.lines[at]))

    def _kind(self, at: int) -> Kind:
        return kind_of(self.lines[at], self.signs)

    def _is_other_section(self, at: int) -> bool:
        section = SECTION.fullmatch(self.lines[at])
        return section is not None and _OTHER_SECTIONS.fullmatch(section[1].strip()) is not None

    def _next_section(self, at: int) -> int:
        below = range(at + 1, len(self.lines))
        return next((n for n in below if self._kind(n) is Kind.SECTION), len(self.lines))

    def _text(self, texts: list[int]) -> GridRecord:
        rows = tuple(self.lines[at] for at in texts)
        return GridRecord(texts[0], texts[-1] + 1, rows=rows, first_row=texts[0])

    def _measure(self, at: int) -> MeasuredGrid | Unknown | None:
        if at not in self._measured:
            self._measured[at] = measure_grid(
                self.lines, at, signs=self.signs, final=self.final, labels=self.labeled
            )
        return self._measured[at]

    def _at(self, at: int, texts: list[int]) -> GridRecord | Unknown | None:
        """Return the record of the grid that begins at line `at`, or None if none does.

        The grid may be broken. `texts` are the indices of the lines of text above it. Returns
        PENDING if more lines are required.
        """
        grid = self._measure(at)
        if isinstance(grid, Unknown):
            return grid
        titled = grid is not None and self._begins_with_title(grid, at)
        if titled:
            return titled if isinstance(titled, Unknown) else None
        if grid is None:
            below = self._grid_below(at)
            if isinstance(below, Unknown):
                return below
            if below is not None:
                above = range(at, below[0])
                rows_above = sum(self._may_be_row(line, below[1].size) for line in above)
                if rows_above < _FEWEST_ROWS and not self._is_damaged(above, below[1]):
                    return None
            end = self._broken_end(at)
            return self._broken(at, end, texts) if isinstance(end, int) else end
        return self._whole(grid, texts)

    def _grid_below(self, at: int) -> tuple[int, MeasuredGrid] | Unknown | None:
        """Return the next grid that begins in the five lines below line `at`.

        The result is the index of the grid's first line, and the grid. Returns None if there is no
        such grid, or a blank line, section, or comment comes before it. Returns PENDING if more
        lines are required.
        """
        end = at + 1 + _MOST_TITLES
        for below in range(at + 1, min(end, len(self.lines))):
            if self._kind(below) in (Kind.BLANK, Kind.SECTION, Kind.COMMENT):
                return None
            grid = self._measure(below)
            if isinstance(grid, Unknown) or (grid is not None and self._ends_early(grid)):
                return PENDING
            if grid is not None and not self._begins_with_title(grid, below):
                return below, grid
        return None if end <= len(self.lines) or self._is_at_end else PENDING

    def _ends_early(self, grid: MeasuredGrid) -> bool:
        if self.final or grid.end < len(self.lines):
            return False
        # A line that is much longer than the rows of the grid cannot be another row.
        return not self._is_tail_long or self.tail <= 2 * max(map(len, grid.texts), default=0)

    @property
    def _is_tail_long(self) -> bool:
        """Whether the incomplete last line is too long to be a remark on the grid above it."""
        return self.tail > _LONGEST_REMARK

    @property
    def _is_at_end(self) -> bool:
        """Whether these lines end the upload, or a line too long for a grid or remark follows."""
        return self.final or self._is_tail_long

    def _begins_with_title(self, grid: MeasuredGrid, at: int) -> bool | Unknown:
        """Return whether the first row of a measured grid is really a title above another grid.

        `at` is the index of that row's line. By chance, the title has as many characters or words
        as the rows have cells, so that it was taken for a row. A grid of the same size must begin
        in the next line. Returns PENDING if more lines are required.
        """
        first = {cell for cell in grid.rows[0].cells if not cell.isdigit()}
        others = {cell for row in grid.rows[1:] for cell in row.cells}
        dated = is_date(self.lines[at])
        if (first <= others and not dated) or self._kind(at) is not Kind.OTHER:
            return False
        below = self._measure(at + 1)
        if isinstance(below, Unknown) or below is None:
            return below is not None and PENDING
        if below.size != grid.size or not has_values(below):
            return False
        if self._ends_early(below):
            return PENDING
        wordy = not _CELL_SIGNS.search(self.lines[at]) and any(map(str.isdigit, others))
        return dated or wordy or not self._has_row(below.end, below)

    def _has_row(self, at: int, grid: MeasuredGrid) -> bool:
        """Return whether line `at` may be another row of a grid.

        It must split into cells in the same way as the grid's rows, and into as many. Returns False
        after the last line.
        """
        if at >= len(self.lines) or self._kind(at) is not Kind.OTHER:
            return False
        ways = split_ways(self.lines[at])
        return any(it.way == grid.rows[0].way and len(it.cells) == grid.size for it in ways)

    def _may_be_row(self, at: int, size: int) -> bool:
        """Return whether a line splits into `size` cells, and mostly looks like cells.

        At least half of its characters are digits or signs for empty cells.
        """
        line = self.lines[at]
        ways = split_ways(line) if self._kind(at) is Kind.OTHER and _has_signs(line) else ()
        return any(len(it.cells) == size for it in ways)

    def _is_damaged(self, above: range, grid: MeasuredGrid) -> bool:
        """Return whether the lines `above` a grid are its actual first rows, one of them damaged.

        Because of the damaged row, the measured grid begins too far down, and its real last row
        follows it. One of the lines above then splits in the same way as the rows, into almost as
        many cells (±2), and shares most of its cells with the grid.
        """
        way, size = grid.rows[0].way, grid.size
        if not self._has_row(grid.end, grid):
            return False
        used = {cell for row in grid.rows for cell in row.cells}
        return any(
            split.way == way
            and abs(len(split.cells) - size) <= 2
            and 2 * sum(cell in used for cell in split.cells) > size
            for at in above
            for split in split_ways(self.lines[at])
        )

    def _broken_end(self, start: int) -> int | Unknown | None:
        """Return the index of the line after the broken grid that begins at line `start`.

        The grid ends with the last row before a comment, a section, a title, or a blank line that
        doesn't separate two bands of rows. It also ends when it has as many rows as each row has
        cells. Returns None if too few lines look like rows of at least four cells, or if the first
        line differs much from most rows. Returns PENDING if more lines are required.
        """
        widths: list[int] = []
        signs = 0
        band = 0  # the number of rows up to the last blank line
        last = start
        at = start
        while at < len(self.lines):
            kind = self._kind(at)
            if kind is Kind.BLANK:
                continues = self._continues(at, widths, len(widths) - band)
                if isinstance(continues, Unknown):
                    return continues
                if not continues:
                    break
                band = len(widths)
            if kind in (Kind.COMMENT, Kind.SECTION):
                break
            if kind is Kind.OTHER:
                line = self.lines[at]
                if is_title(line[:LONGEST_ROW]) and not _has_signs(line):
                    break
                widths.append(row_width(line))
                signs += _has_signs(line)
                last = at
                if len(widths) >= min(max(widths), MAX_SIZE) and (
                    len(widths) >= min(usual_width(widths), MAX_SIZE)
                ):
                    break
            at += 1
        else:
            if not self._is_at_end:
                return PENDING
        width = usual_width(widths)
        alike = widths.count(width)
        plausible = signs >= 2 or alike >= max(3, width // 2)
        fits = bool(widths) and abs(widths[0] - width) <= max(2, width // 4)
        return last + 1 if width >= SMALLEST and plausible and fits else None

    def _continues(self, at: int, widths: list[int], above: int) -> bool | Unknown:
        """Return whether the blank line `at` separates two bands of rows in the same grid.

        Both bands must have as many rows as a box, and the line below the second band must not be
        another row. `widths` has the number of cells of each row so far, and `above` is the number
        of rows since the last blank line. Returns PENDING if more lines are required.
        """
        width = usual_width(widths)
        box = usual_box(width) if width > 1 else None
        if box is None or above != box[0]:
            return False
        rows = [
            self._kind(line) is Kind.OTHER and row_width(self.lines[line]) == width
            for line in range(at + 1, min(at + 2 + box[0], len(self.lines)))
        ]
        band, rows_after = rows[: box[0]], rows[box[0] :]
        if not all(band):
            return False
        if not rows_after and not self.final:
            return PENDING
        return len(band) == box[0] and rows_after != [True]

    def _broken(self, start: int, end: int, texts: list[int]) -> GridRecord:
        rows = tuple(self.lines[at] for at in range(start, end) if self._kind(at) is Kind.OTHER)
        above, first_row = self._above(texts), self._first_row(start)
        first = texts[0] if texts else first_row
        return GridRecord(first, end, above, rows=rows, first_row=first_row, is_broken=True)

    def _whole(self, grid: MeasuredGrid, texts: list[int]) -> GridRecord | Unknown:
        above = self._above(texts)
        first_row = self._first_row(grid.start)
        start = texts[0] if texts else first_row
        end = self._closed(grid)
        labels: tuple[str, ...] = ()
        if grid.beside:
            labels = tuple(cell for row in grid.beside for cell in row)
        else:
            below = self._labels_below(grid)
            if isinstance(below, Unknown):
                return below
            if below is not None:
                labels, end = tuple(below.cells), below.end
                if are_labels(grid.cells):
                    grid, labels = below, tuple(grid.cells)
        sums: list[str] = []
        if labels or are_labels(grid.cells):
            end = self._take_sums(end, sums)
        after = self._after(end)
        if isinstance(after, Unknown):
            return after
        texts_after = tuple(self.lines[at] for at in after)
        end = after[-1] + 1 if after else end
        return GridRecord(start, end, above, grid, (), labels, tuple(sums), texts_after, first_row)

    def _first_row(self, start: int) -> int:
        """Return the index of the first row from line `start` on, after any drawn lines."""
        below = range(start, len(self.lines))
        return next(at for at in below if self._kind(at) is Kind.OTHER)

    def _closed(self, grid: MeasuredGrid) -> int:
        """Return the index of the line after a grid and the lower edge of its frame.

        The lower edge may look like a row. It is then recognized because it equals a drawn line
        inside the grid.
        """
        if grid.end == len(self.lines) or self._kind(grid.end) is not Kind.OTHER:
            return grid.end
        rules = {line.strip() for lines in grid.between for line in lines}
        return grid.end + (self.lines[grid.end].strip() in rules)

    def _labels_below(self, grid: MeasuredGrid) -> MeasuredGrid | Unknown | None:
        """Return the grid below a grid if exactly one of them consists of region or cage labels.

        It has the same size. Up to two blank lines, drawn lines, and one line of words may be
        between them. Returns None if there is no such grid, and PENDING if more lines are required.
        """
        at = self._skip(self._closed(grid), titles=1)
        if at == len(self.lines):
            return None if self._is_at_end else PENDING
        own = are_labels(grid.cells)
        few = [self.lines[n] for n in range(at, min(at + 4, len(self.lines)))]
        if not own and not any(map(may_be_labels, few)):
            return None
        below = self._measure(at)
        if not isinstance(below, MeasuredGrid):
            return below
        fits = below.size == grid.size and are_labels(below.cells) != own
        return below if fits else None

    def _skip(self, at: int, *, titles: int) -> int:
        """Return the index of the first possible row from line `at` on.

        Blank lines, drawn lines, and up to `titles` lines of words are skipped. The search stops
        early, and returns the index where it stopped, after more than two blank lines, and at a
        comment, a section, or the end.
        """
        blanks = 0
        while at < len(self.lines):
            kind = self._kind(at)
            if kind is Kind.BLANK:
                blanks += 1
            elif kind is Kind.OTHER:
                wordy = not _has_signs(self.lines[at]) and not may_be_labels(self.lines[at])
                if not titles or not wordy:
                    return at
                titles -= 1
            if blanks > 2 or kind in (Kind.COMMENT, Kind.SECTION):
                return at
            at += 1
        return at

    def _take_sums(self, end: int, sums: list[str]) -> int:
        at = end
        while at < len(self.lines):
            line = self.lines[at]
            kind = self._kind(at)
            if kind is Kind.OTHER and is_sum_line(line):
                sums.append(line)
                end = at + 1
            elif kind not in (Kind.BLANK, Kind.RULE) or len(sums) > 0:
                break
            at += 1
        return end

    def _after(self, end: int) -> list[int] | Unknown:
        """Return the indices of the lines of text below a grid that belong to it.

        They are the text directly below the grid, up to a blank line, or all text up to the end of
        the upload, with up to four blank lines above or within it. Text above another grid, a
        comment, or a section belongs to that instead. Blank lines after the text don't matter, so a
        block that ends with the text has the same records as the whole upload.

        More than 20 lines, or a line of more than 256 characters, aren't remarks, so the search for
        the next grid ends soon. Returns [] if no text belongs to the grid, and PENDING if more
        lines are required.
        """
        found: list[int] = []
        blanks = 0
        for at in range(end, len(self.lines)):
            kind = self._kind(at)
            if kind is Kind.BLANK:
                if found and not blanks:
                    return found
                blanks += 1
                if not found and blanks > _MOST_BLANKS:
                    return []
            elif kind is Kind.OTHER:
                found.append(at)
                lengthy = len(self.lines[at]) > _LONGEST_REMARK
                if lengthy or len(found) > _MOST_LINES or blanks > _MOST_BLANKS:
                    return []
                grid = self._measure(at) or self._broken_end(at)
                if grid is not None:
                    return PENDING if grid is PENDING else []
            elif kind is not Kind.RULE and kind is not Kind.MARKUP:
                return []
        if self._is_tail_long:
            return []
        return found if self.final else PENDING


def has_values(grid: MeasuredGrid) -> bool:
    """Return whether each cell of a grid is empty or a symbol of a puzzle of its size."""
    chosen = choose_symbols(grid.cells, grid.size, ReadOptions())
    return not isinstance(chosen, str) and all(cell in chosen[1] for cell in grid.cells)


def _has_signs(line: str) -> bool:
    """Return whether at least half of a line's characters are digits or signs for empty cells.

    White space doesn't count. Returns False if the line has fewer than four other characters.
    """
    written = "".join(line[:LONGEST_ROW].split())
    return 2 * len(_CELL_SIGNS.findall(written)) >= len(written) >= SMALLEST
