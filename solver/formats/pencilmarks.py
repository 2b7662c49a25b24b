"""Pencil marks: 729 characters a puzzle, nine for each cell, a digit where it is a candidate."""

import re
from collections.abc import Iterator

from solver.constraints import CANDIDATES, with_constraints
from solver.constraints.constraint import Constraint
from solver.formats.cells import Reading, shorten
from solver.formats.collect import collect
from solver.formats.format import Context, ReadOptions, Records, Segments
from solver.formats.line import decode
from solver.formats.lines import end_of_line, head_lines, segment_lines
from solver.layout import Layout
from solver.puzzle import Invalid, Puzzle
from solver.symbols import Symbols
from solver.variants import with_variants

_MARKS = 729
_CELL = "".join(f"[{digit}.0_*-]" for digit in range(1, 10))
_GIVENS = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
_EXAMPLE = "".join(
    "123456789" if given == "." else given.rjust(int(given), ".").ljust(9, ".") for given in _GIVENS
)
_PUZZLE = re.compile(f"({_CELL}){{81}}")


def read_pencilmarks(text: str, *, options: ReadOptions) -> Reading:
    """Read a puzzle; a cell with one candidate is a given."""
    body = text.partition("#")[0].strip()
    if len(body) != _MARKS:
        return _invalid(f"{len(body)} characters, expected 729", text)
    layout = with_variants(Layout.boxed(3, 3), options.variant)
    if isinstance(layout, str):
        return _invalid(layout, text)
    givens, constraints = [], []
    for cell in range(layout.cells):
        marks = body[9 * cell : 9 * cell + 9]
        found = [value for value, mark in enumerate(marks, 1) if mark == str(value)]
        strange = [
            mark
            for value, mark in enumerate(marks, 1)
            if mark != str(value) and mark not in ".0_*-"
        ]
        if strange:
            place = layout.cell_name(cell)
            return _invalid(f"{strange[0]!r} among the candidates of {place} is out of place", text)
        if not found:
            return _invalid(f"{layout.cell_name(cell)} has no candidate", text)
        givens.append(found[0] if len(found) == 1 else 0)
        if 1 < len(found) < 9:
            marked = sum(1 << value - 1 for value in found)
            constraints.append(Constraint(CANDIDATES, (cell,), marked))
    layout = with_constraints(layout, tuple(constraints)) if constraints else layout
    return Reading(Puzzle(layout, tuple(givens), Symbols.usual(9)))


def _invalid(detail: str, text: str) -> Reading:
    return Reading(Invalid(detail, shorten(text)))


class PencilmarksFormat:
    """One puzzle a line, its candidates written out; see `solver.formats.format.Format`."""

    name = "pencilmarks"
    description = (
        "One 9×9 puzzle a line, 729 characters: for each cell the digits 1 to 9, "
        "a blank (. 0 _ * -) for those that are no candidates."
    )
    example = f"{_EXAMPLE}\n"

    def recognise(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Recognise lines most of which have each digit at its place, or a blank."""
        if options.format == self.name:
            return {}
        lines = head_lines(head, final=final)
        fitting = sum(_PUZZLE.match(line.strip()) is not None for line in lines)
        return {} if lines and 2 * fitting >= len(lines) else None

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the lines that are neither blank nor comments."""
        del context
        return segment_lines(data, line=line, final=final)

    def resume(self, data: bytes, *, context: Context) -> int | None:
        """Go on behind the next line break."""
        del context
        return end_of_line(data)

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse the lines one by one."""
        del context

        def readings() -> Iterator[tuple[int, Reading]]:
            for row, (start, end) in enumerate(zip(segments.starts, segments.ends, strict=True)):
                yield row, read_pencilmarks(decode(data[start:end]), options=options)

        return collect(segments.lines, readings())
