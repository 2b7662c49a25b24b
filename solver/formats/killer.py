"""Killer puzzles in their short form: 81 characters, a sum or an arrow in each cell."""

from collections.abc import Iterator

from solver.constraints import RULES, with_constraints
from solver.constraints.constraint import Constraint
from solver.formats.cells import Reading, shorten, show_cell
from solver.formats.collect import collect
from solver.formats.format import Context, ReadOptions, Records, Segments
from solver.formats.line import decode
from solver.formats.lines import end_of_line, head_lines, segment_lines
from solver.layout import Layout
from solver.puzzle import Invalid, Puzzle
from solver.symbols import Symbols
from solver.variants import with_variants

_CELLS = 81
_SUMS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"  # 0 … 45
# Where an arrow leads: rows down and columns right.
_ARROWS = {
    "^": (-1, 0),
    "v": (1, 0),
    "<": (0, -1),
    ">": (0, 1),
    "`": (-1, -1),
    "'": (-1, 1),
    ",": (1, -1),
    ".": (1, 1),
}


def read_killer(text: str, *, options: ReadOptions) -> Reading:
    """Read a killer puzzle: an arrow leads to the next cell of its cage, a sum is the last."""
    body = text.strip()
    if len(body) != _CELLS:
        return _invalid(f"{len(body)} characters, expected 81", text)
    layout = with_variants(Layout.boxed(3, 3), options.variant)
    if isinstance(layout, str):
        return _invalid(layout, text)
    cages: dict[int, list[int]] = {}
    for cell, character in enumerate(body):
        if character not in _ARROWS and character not in _SUMS:
            return _invalid(
                f"{show_cell(character)} in {layout.cell_name(cell)} is no sum, no arrow", text
            )
        last = _follow(body, cell)
        if last is None:
            return _invalid(f"the arrow in {layout.cell_name(cell)} leads to no sum", text)
        cages.setdefault(last, []).append(cell)
    rule = RULES["killer"]
    constraints = tuple(
        Constraint(rule, tuple(cells), _SUMS.index(body[last]))
        for last, cells in cages.items()
        if body[last] != "0"
    )
    layout = with_constraints(layout, constraints)
    if isinstance(layout, str):
        return _invalid(layout, text)
    return Reading(Puzzle(layout, (0,) * _CELLS, Symbols.usual(9)))


def _step(cell: int, arrow: str) -> int | None:
    """Return the cell that an arrow leads to, None outside of the grid."""
    down, right = _ARROWS[arrow]
    row, column = cell // 9 + down, cell % 9 + right
    return 9 * row + column if 0 <= row < 9 and 0 <= column < 9 else None


def _follow(body: str, cell: int) -> int | None:
    """Return the cell with the sum that the arrows from a cell lead to, if they do."""
    for _ in range(_CELLS):
        if body[cell] not in _ARROWS:
            return cell
        step = _step(cell, body[cell])
        if step is None:
            return None
        cell = step
    return None


def _invalid(detail: str, text: str) -> Reading:
    return Reading(Invalid(detail, shorten(text)))


def _looks_like_killer(body: str) -> bool:
    """Return whether a line has about 81 characters, most of them right, and many arrows."""
    right = sum(character in _ARROWS or character in _SUMS for character in body)
    arrows = sum(character in "<>^v" for character in body)
    return abs(len(body) - _CELLS) < 9 and right > 0.9 * len(body) and 4 * arrows > len(body)


class KillerFormat:
    """One killer puzzle a line; see `solver.formats.format.Format`."""

    name = "killer"
    description = (
        "One 9×9 killer puzzle a line, 81 characters: the sum of a cage in one of its cells "
        "(0-9, A = 10 … Z = 35, a = 36 … j = 45), in the others arrows that lead there "
        "(^ v < >, and ` ' , . for the diagonals)."
    )
    example = "G<<L<K<L<^G>^>^E^^>^IJ<G^<G^>^^I^<>^HC<C^<B^N^^G^<>^>^^E^<DF<^PG^<>^^J<^^<H<<>^>^\n"

    def recognise(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Recognise lines most of which are sums and arrows."""
        if options.format == self.name:
            return {}
        lines = head_lines(head, final=final)
        fitting = sum(_looks_like_killer(line.strip()) for line in lines)
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
                yield row, read_killer(decode(data[start:end]), options=options)

        return collect(segments.lines, readings())
