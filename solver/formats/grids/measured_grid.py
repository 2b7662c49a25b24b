"""Finds one grid in lines of text: N rows of N cells, and the lines drawn around them.

Every way to split the first line gives a candidate size. The grid has the first size N for which N
lines have N cells each. The rules and blank lines between the rows are kept, because they show the
boxes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise, repeat

from solver.board.layout import MAX_SIZE, MOST_IN_A_WORD
from solver.formats.format import ReadOptions
from solver.formats.grids.arrows import are_arrows, may_be_arrow_or_sum
from solver.formats.grids.columns import Columns, may_have_columns
from solver.formats.grids.labels import are_labels, solves
from solver.formats.grids.line_kinds import Kind, is_head_rule, kind_of, may_be_rule
from solver.formats.grids.row_splits import BARS, Split, may_be_cell, split_ways
from solver.formats.reading.deduce import choose_symbols

SMALLEST = 4
_HALVES = ("tokens", "characters", "whole tokens", "whole characters")


_CELLS = re.compile(rf"[^\s+{BARS}]")


class Unknown(Enum):
    """The result of a search that can't be decided because more lines are required, PENDING.

    The upload may continue after the given lines. PENDING is the only member.
    """

    PENDING = "pending"


PENDING = Unknown.PENDING


@dataclass(frozen=True, slots=True)
class MeasuredGrid:
    """A grid as it is drawn in lines of text.

    rows     the split of each row into cells
    between  the drawn lines above each row, "" for a blank line, and as the last element those
             below the last row, which are left out unless spaces are empty cells
    start    the index of the first line of the drawing
    end      the index of the line after the last row
    beside   the cells of a second grid on the same lines, by rows, or ()
    texts    the lines of the rows
    """

    rows: tuple[Split, ...]
    between: tuple[tuple[str, ...], ...]
    start: int
    end: int
    beside: tuple[tuple[str, ...], ...] = ()
    texts: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self.rows)

    @property
    def cells(self) -> list[str]:
        """The texts of all cells in reading order."""
        return [cell for row in self.rows for cell in row.cells]


def measure_grid(
    lines: Sequence[str], start: int, *, signs: str, final: bool, labels: bool = False
) -> MeasuredGrid | Unknown | None:
    """Return the grid whose drawing begins at line index `start`, or None if none does.

    `signs` are drawing characters that the upload uses for empty cells. With `labels`, the first
    row and the first column only number or letter the others, and are removed. `final` means that
    the upload ends with `lines`. Otherwise, PENDING is returned if more lines are required.
    """
    first = start
    while first < len(lines):
        kind = kind_of(lines[first], signs)
        if kind is Kind.OTHER:
            finder = _Finder(lines, start, first, signs, final)
            found = finder.by_splits()
            if isinstance(found, MeasuredGrid):
                found = finder.without_head(found)
            if isinstance(found, MeasuredGrid):
                return _without_labels(found) if labels else found
            if found is PENDING or not may_be_rule(lines[first]):
                return found
        elif kind not in (Kind.RULE, Kind.MARKUP):
            return None
        first += 1
    return None if final else PENDING


def _without_labels(grid: MeasuredGrid) -> MeasuredGrid:
    rows = []
    for row in grid.rows[1:]:
        bars = tuple((place - 1, weight) for place, weight in row.bars if place > 1)
        rows.append(Split(row.way, row.cells[1:], row.spans[1:], bars))
    return replace(grid, rows=tuple(rows), between=((), *grid.between[2:]))


@dataclass(frozen=True, slots=True)
class _Finder:
    """Finds the grid whose first row is a given line.

    lines  the lines of the upload
    start  the index of the first line of the drawing
    first  the index of the grid's first row
    signs  drawing characters that the upload uses for empty cells
    final  whether the upload ends with these lines
    """

    lines: Sequence[str]
    start: int
    first: int
    signs: str
    final: bool

    def by_splits(self) -> MeasuredGrid | Unknown | None:
        """Find the grid by trying each way to split its first row into cells.

        A grid with labels or a solution next to it is tried first. A grid that seems to span two
        frames is returned only if no other split gives one. If no split gives a grid, spaces are
        tried as empty cells. Returns None if that fails, too, and PENDING if more lines are
        required.
        """
        ways = split_ways(self.lines[self.first])
        for split in ways:
            found = self._beside(split) if split.way in _HALVES else None
            if found is not None:
                return found
        framed = None
        for split in ways:
            size = len(split.cells)
            if (
                SMALLEST
                <= size
                <= (MAX_SIZE if not split.way.endswith("characters") else MOST_IN_A_WORD)
            ):
                found = self._collect(split.way, size, 1)
                if isinstance(found, MeasuredGrid) and _has_two_frames(found):
                    framed = framed or found
                elif found is not None:
                    return found
        return framed or self._by_columns()

    def _beside(self, split: Split) -> MeasuredGrid | Unknown | None:
        """Return a grid that has its labels or its solution to the right of it, on the same lines.

        `split` splits the first line of both into cells. Returns None for any other grid, and
        PENDING if more lines are required.
        """
        half, odd = divmod(len(split.cells), 2)
        right = split.cells[half:]
        if odd or not SMALLEST <= half <= MOST_IN_A_WORD or "." in right:
            return None
        found = self._collect(split.way, half, 2)
        if not isinstance(found, MeasuredGrid):
            return found
        others = [cell for cells in found.beside for cell in cells]
        labeled = are_labels(others) and not are_labels(found.cells)
        fits = labeled or solves(found.cells, others)
        return found if fits else None

    def _collect(self, way: str, size: int, halves: int) -> MeasuredGrid | Unknown | None:
        """Return the grid of `size` rows whose lines can be split in the given way, or None.

        If `halves` is 2, a second grid is on the same lines, so each row has twice as many cells.
        Returns PENDING if more lines are required.
        """
        rows: list[Split] = []
        between: list[list[str]] = [[]]
        at = self.first
        while len(rows) < size:
            if at == len(self.lines):
                return None if self.final else PENDING
            line = self.lines[at]
            kind = kind_of(line, self.signs)
            if kind is Kind.OTHER:
                split = _split_as(line, way, size * halves)
                if split is None and _is_drawn(line, way):
                    between[-1] += [line] if may_be_rule(line) else []
                elif split is None or not _may_be_cells(split.cells[:size], size):
                    return None
                else:
                    rows.append(split)
                    between.append([])
            elif kind in (Kind.BLANK, Kind.RULE):
                between[-1].append("" if kind is Kind.BLANK else line)
            elif kind is not Kind.MARKUP:
                return None
            at += 1
        framed = way == "bars open" and not _reach_both_sides(rows)
        if framed or not _are_cells(rows, size) or not _are_even_gaps(between, size):
            return None
        return self._made(rows, between, at, size if halves == 2 else None)

    def _made(
        self, rows: list[Split], between: list[list[str]], end: int, half: int | None
    ) -> MeasuredGrid:
        """Make the grid of the collected rows.

        `between` has the drawn lines before each row and after the last one, and `end` is the index
        of the line after the grid. If a second grid is on the same lines, it begins in each row
        with the cell `half`.
        """
        beside: tuple[tuple[str, ...], ...] = ()
        if half is not None:
            beside = tuple(row.cells[half:] for row in rows)
            rows = [_left_half(row, half) for row in rows]
        above = [
            line
            for line in self.lines[self.start : self.first]
            if kind_of(line, self.signs) is not Kind.MARKUP
        ]
        dividers = (tuple(above), *map(tuple, between[1:]))
        texts = tuple(
            line
            for line in self.lines[self.first : end]
            if kind_of(line, self.signs) is Kind.OTHER and not may_be_rule(line)
        )
        return MeasuredGrid(tuple(rows), dividers, self.start, end, beside, texts)

    def without_head(self, found: MeasuredGrid) -> MeasuredGrid | Unknown:
        """Return the grid `found`, or the grid below its first row if that is a table header.

        The header is recognized by the drawn line below it, as in Markdown. If there is no grid
        below the header, `found` is returned without its drawn lines. Returns PENDING if more lines
        are required.
        """
        rules = [place for place, drawn in enumerate(found.between) if any(drawn) and place]
        if rules[:1] != [1] or len(rules) > 1:
            return found
        if not is_head_rule(found.between[1][0], width=found.size):
            return found
        below = _Finder(self.lines, self.start, self.first + 2, self.signs, self.final)
        grid = below._collect(found.rows[0].way, found.size, 1)
        if grid is None:
            return replace(found, between=tuple(() for _ in found.between))
        if isinstance(grid, Unknown):
            return grid
        return replace(grid, between=((), *grid.between[1:]))

    def _by_columns(self) -> MeasuredGrid | Unknown | None:
        """Find a grid in which spaces are empty cells, up to the first blank line.

        Returns None if there is none, and PENDING if more lines are required.
        """
        columns = Columns()
        at = self.first
        while at < len(self.lines) and not columns.is_full:
            line = self.lines[at]
            kind = kind_of(line, self.signs)
            if kind is Kind.RULE:
                columns.add_rule(line)
                # One rule closes a frame, and the next rule opens the frame of another grid.
                closed = columns.measure() if columns.ends_with_two_rules else None
                if closed is not None and len(closed[0]) == len(columns.rows):
                    break
            elif kind is not Kind.MARKUP and (kind is not Kind.OTHER or not may_have_columns(line)):
                break
            elif kind is Kind.OTHER:
                columns.add_row(line, at)
            at += 1
        else:
            if not self.final and at == len(self.lines):
                return PENDING if columns.rows else None
        found = columns.measure()
        if found is None:
            return None
        rows, between, last = found
        return self._made(list(rows), between, last + 1, None)


def _split_as(line: str, way: str, cells: int) -> Split | None:
    """Return the split of a line into `cells` cells in the way `way`, or None.

    Parts of the line that look like a comment may be cells, too.
    """
    plain = way.removeprefix("whole ")
    for split in split_ways(line):
        if len(split.cells) == cells and split.way.removeprefix("whole ") == plain:
            return split
    return None


def _may_be_cells(cells: Sequence[str], size: int) -> bool:
    """Return whether a row may contain the cells of a puzzle, or cage sums and arrows."""
    written = set(cells)
    return all(map(may_be_cell, written, repeat(size))) or all(map(may_be_arrow_or_sum, written))


def _are_cells(rows: Sequence[Split], size: int) -> bool:
    """Return whether the first `size` cells of each row may form a grid of this size.

    They may if each of them can be a cell of a puzzle. They also may if each of them can be a cage
    sum or an arrow, and at least a quarter of them are arrows. Such grids are killer puzzles, whose
    arrows lead from cell to cell of a cage. Rows with more cells have labels or a solution to the
    right of the grid.
    """
    cells = [cell for row in rows for cell in row.cells[:size]]
    return all(map(may_be_cell, set(cells), repeat(size))) or are_arrows(cells)


def _is_drawn(line: str, way: str) -> bool:
    """Return whether a line between rows is a drawn horizontal line, or has only upright bars.

    Bars alone count only if `way` splits rows into tokens or characters. In other ways, such a line
    may be a row of empty cells.
    """
    return may_be_rule(line) or (way in _HALVES and not _CELLS.search(line))


def _reach_both_sides(rows: Sequence[Split]) -> bool:
    return any(row.cells[0] for row in rows) and any(row.cells[-1] for row in rows)


def _left_half(row: Split, half: int) -> Split:
    bars = tuple((place, weight) for place, weight in row.bars if place < half)
    return Split(row.way, row.cells[:half], row.spans[:half], bars)


def _has_two_frames(grid: MeasuredGrid) -> bool:
    """Return whether two equal drawn lines adjoin inside a grid, as where two frames meet."""
    return any(
        rule.strip() and rule == below
        for rules in grid.between[1 : grid.size]
        for rule, below in pairwise(rules)
    )


def _are_even_gaps(between: Sequence[Sequence[str]], size: int) -> bool:
    """Return whether blank lines inside a grid separate bands of equal height.

    Also returns True if there are no blank lines. The gaps must have equal numbers of blank lines,
    because a wider gap separates two grids. `between` has the lines above each row of a grid with
    `size` rows.
    """
    blanks = [list(lines).count("") for lines in between[:size]]
    gaps = [row for row in range(1, size) if blanks[row]]
    if not gaps:
        return True
    even = size % gaps[0] == 0 and gaps == list(range(gaps[0], size, gaps[0]))
    return even and len({blanks[row] for row in gaps}) == 1


def has_values(grid: MeasuredGrid) -> bool:
    """Return whether each cell of a grid is empty or a symbol of a puzzle of its size."""
    chosen = choose_symbols(grid.cells, grid.size, ReadOptions())
    return not isinstance(chosen, str) and all(cell in chosen[1] for cell in grid.cells)
