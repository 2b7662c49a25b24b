"""Jigsaws: the cells of a puzzle and then, as many again, the labels of their regions."""

from collections.abc import Iterator
from dataclasses import replace
from math import isqrt

from solver.formats.cells import Reading, read_cells, shorten
from solver.formats.collect import collect
from solver.formats.format import Context, ReadOptions, Records, Segments
from solver.formats.line import decode
from solver.formats.lines import end_of_line, head_lines, segment_lines
from solver.puzzle import Invalid, Puzzle
from solver.regions import read_regions, with_regions


def read_jigsaw(text: str, *, options: ReadOptions) -> Reading:
    """Read the cells and the regions of a puzzle from one line."""
    body = "".join(text.split())
    half = len(body) // 2
    if len(body) % 2 or isqrt(half) ** 2 != half or half == 0:
        detail = f"{len(body)} characters, expected 162 (81 cells, 81 regions) or as other sizes"
        return Reading(Invalid(detail, shorten(text)))
    labels = read_regions(body[half:])
    if isinstance(labels, str):
        return Reading(Invalid(labels, shorten(text)))
    # Boxes that are rows, until the regions take their place.
    options = replace(options, box=(1, isqrt(half)))
    reading = read_cells(body[:half], text=text, options=options)
    return reading if isinstance(reading.puzzle, Invalid) else place(reading.puzzle, labels, text)


def place(puzzle: Puzzle, labels: tuple[str, ...], text: str) -> Reading:
    """Return a puzzle with regions instead of boxes."""
    layout = with_regions(puzzle.layout, labels)
    if isinstance(layout, str):
        return Reading(Invalid(layout, shorten(text)))
    return Reading(replace(puzzle, layout=layout))


class JigsawFormat:
    """One jigsaw a line; see `solver.formats.format.Format`."""

    name = "jigsaw"
    description = (
        "One jigsaw a line: the cells (81 for 9×9), then as many labels, one for each cell, "
        "of the regions that stand for boxes; separated by blanks or not."
    )
    example = (
        "3.......7"
        "1.......5"
        "....68..."
        "..5.19..."
        "...9....."
        "........2"
        "8....3..."
        "...235..1"
        ".......9."
        "000000021453303021453333221453322221455566121445666111445566667488887777888887777\n"
    )

    def recognise(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Recognise lines of twice 36, 49, 64, 81 … characters, most with good regions."""
        if options.format == self.name:
            return {}
        lines = head_lines(head, final=final)
        fitting = sum(_has_regions(line) for line in lines)
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
                yield row, read_jigsaw(decode(data[start:end]), options=options)

        return collect(segments.lines, readings())


def _has_regions(line: str) -> bool:
    body = "".join(line.split())
    half = len(body) // 2
    return len(body) >= 32 and len(body) % 2 == 0 and not isinstance(read_regions(body[half:]), str)
