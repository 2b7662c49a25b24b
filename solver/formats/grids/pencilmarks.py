"""Read puzzles as the candidates of each cell, in lines or in grids.

A line of a 9×9 board has 729 characters. Lines can also have boards of other sizes.
"""

import re
from collections.abc import Iterator

import numpy as np

from solver.board.display import how_many
from solver.board.layout import Layout
from solver.board.puzzle import Invalid
from solver.board.symbols import Symbols
from solver.formats.format import Context, Group, ReadOptions, Records, Segments
from solver.formats.grids.marks_grid import (
    find_grids,
    looks_like_marks,
    parse_grids,
    single_values,
)
from solver.formats.grids.marks_line import has_marks, read_marks
from solver.formats.reading.cells import Reading, refuse, show_cell
from solver.formats.reading.collect import collect
from solver.formats.reading.lines import LineRecords, head_lines, segment_lines
from solver.formats.reading.remarks import find_remarks
from solver.formats.reading.text import decode
from solver.rules.variants import with_variants

_MARKS = 729
_CELLS = 81
_CELL = "".join(f"[{digit}.0_*-]" for digit in range(1, 10))
_GIVENS = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
_EXAMPLE = "".join(
    "123456789" if given == "." else given.rjust(int(given), ".").ljust(9, ".") for given in _GIVENS
)
_ONE_CELL = re.compile(_CELL)
_DIGITS = np.frombuffer(b"123456789", np.uint8)
_NO_MARK = np.frombuffer(b".0_*-", np.uint8)


class PencilmarksFormat(LineRecords):
    """Puzzles given as the candidates of each cell; implements `solver.formats.format.Format`."""

    name = "pencilmarks"
    description = (
        "9×9 puzzles with their candidates. A line has 729 characters: the digits 1 to 9 for each "
        "cell, or an empty sign (. 0 _ * -) in place of a removed candidate. A grid with 81 groups "
        "of digits works, too, with or without a frame (also .sdx files). A cell with one "
        "candidate is a given. Lines can have other sizes, with two characters per number (01 or "
        "..) above 9×9."
    )
    example = f"{_EXAMPLE}\n"

    def recognize(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Recognize lines or grids with the candidates of each cell.

        Returns {"grid": False} if at least half of the first lines contain a board's candidates.
        Returns {"grid": True} for grids of candidates, and None for any other upload. If the
        options name this format, any text is recognized.
        """
        lines = head_lines(head, final=final)
        fitting = sum(_looks_like_line(line) or has_marks(line) for line in lines)
        if lines and 2 * fitting >= len(lines):
            return {"grid": False}
        if looks_like_marks(lines):
            return {"grid": True}
        return {"grid": False} if options.format == self.name else None

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the records, which are grids if the context says so, and otherwise lines.

        Blank lines and comments aren't records.
        """
        if context["grid"]:
            return find_grids(data, line=line, final=final)
        return segment_lines(data, line=line, final=final)

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse the valid records in bulk, and the others one by one.

        If the variants in the options are invalid, all records are.
        """
        layout = with_variants(Layout.boxed(3, 3), options.variant)
        if isinstance(layout, str):
            refused = Reading(Invalid(layout))
            return collect(segments.lines, ((row, refused) for row in range(len(segments))))
        if context["grid"]:
            return parse_grids(data, segments, layout)
        return _parse_lines(data, segments, layout, options)


def _looks_like_line(line: str) -> bool:
    """Return whether a line has more than 720 characters that mostly are candidates in order.

    More than 40 of its groups of nine characters are the candidates of one cell.
    """
    body = line.strip()
    cells = (body[start : start + 9] for start in range(0, len(body), 9))
    return len(body) > _MARKS - 9 and sum(map(bool, map(_ONE_CELL.match, cells))) > _CELLS // 2


def _parse_lines(data: bytes, segments: Segments, layout: Layout, options: ReadOptions) -> Records:
    """Read valid lines of 729 characters in bulk, and all other lines one by one.

    Lines of other lengths can be boards of other sizes. Remarks after the candidates are the names.
    """
    text = np.frombuffer(data, np.uint8)
    starts = segments.starts.copy()
    for row in np.flatnonzero(np.isin(text[starts], list(b" \t"))).tolist():
        line = data[starts[row] : segments.ends[row]]
        starts[row] += len(line) - len(line.lstrip())
    lengths = segments.ends - starts
    rows = np.flatnonzero(lengths >= _MARKS)
    ends = starts[rows] + _MARKS
    inside = ends < segments.ends[rows]
    blank = np.ones(len(rows), np.bool_)
    blank[inside] = np.isin(text[ends[inside]], np.frombuffer(b" \t#", np.uint8))
    rows = rows[blank]
    marks = text[starts[rows, None] + np.arange(_MARKS)].reshape(-1, _CELLS, 9)
    marked = marks == _DIGITS
    candidates = (marked * (np.uint64(1) << np.arange(9, dtype=np.uint64))).sum(
        axis=2, dtype=np.uint64
    )
    good = (marked | np.isin(marks, _NO_MARK)).all(axis=(1, 2)) & candidates.all(axis=1)
    group = Group(
        layout, Symbols.usual(9), rows[good], single_values(candidates[good]), candidates[good]
    )
    left = np.ones(len(segments), np.bool_)
    left[rows[good]] = False

    def readings() -> Iterator[tuple[int, Reading]]:
        for row in np.flatnonzero(left).tolist():
            line = decode(data[segments.starts[row] : segments.ends[row]])
            yield row, read_marks(line, variant=options.variant) or _fault(line, layout)

    groups = (group,) if good.any() else ()
    return collect(segments.lines, readings(), groups=groups, names=find_remarks(data, segments))


def _fault(text: str, layout: Layout) -> Reading:
    """Return the reading of an invalid line, with a message about its first fault."""
    body = (text.split("#", maxsplit=1)[0].split() or [""])[0]
    if len(body) != _MARKS:
        return refuse(f"{how_many(len(body), 'character')}, expected 729", text)
    for cell in range(_CELLS):
        marks = body[9 * cell : 9 * cell + 9]
        left = [value for value, mark in enumerate(marks, 1) if mark == str(value)]
        strange = [m for v, m in enumerate(marks, 1) if m != str(v) and m not in ".0_*-"]
        place = layout.cell_name(cell)
        if strange:
            return refuse(
                f"{place}: expected its candidates in order, got {show_cell(strange[0])}", text
            )
        if not left:
            return refuse(f"{place} has no candidates", text)
    return refuse("unexpected text after the 729 characters", text)
