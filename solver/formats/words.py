"""Grids of words: names, colours or pictures with separators between them."""

from collections.abc import Iterator
from math import isqrt

import numpy as np

from solver.formats.cells import Reading, read_cells, read_rows
from solver.formats.collect import collect
from solver.formats.deduce import are_words
from solver.formats.format import Context, ReadOptions, Records, Segments
from solver.formats.line import decode, is_square
from solver.formats.lines import end_of_line, head_lines, segment_lines
from solver.layout import MAX_SIZE

_SMALLEST = 4
_DELIMITERS = (",", ";", "\t", None)


class WordsFormat:
    """Grids whose symbols are words; see `solver.formats.format.Format`."""

    name = "words"
    description = (
        "Grids whose symbols are words or pictures, with spaces, commas, semicolons or tabs "
        "between them: N lines of N words, or one puzzle of N² words a line."
    )
    example = "red blue . green\n. . . blue\n. . . .\ngreen . . red\n"

    def recognise(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Recognise N lines of N words, no more than N different ones, or N² in a line."""
        lines = head_lines(head, final=final)
        for delimiter in _DELIMITERS:
            rows = [_split(line, delimiter) for line in lines]
            width = len(rows[0]) if rows else 0
            if is_square(width) and width >= _SMALLEST**2 and are_words(rows[0], isqrt(width)):
                return {"height": 1, "delimiter": delimiter}
            grid = rows[:width]
            if not _SMALLEST <= width <= MAX_SIZE or len(grid) < min(width, _SMALLEST):
                continue
            alike = sum(len(row) == width for row in grid)
            if 4 * alike >= 3 * width and are_words([w for row in grid for w in row], width):
                return {"height": width, "delimiter": delimiter}
        if options.format == self.name and lines:
            return {"height": len(_split(lines[0], None)), "delimiter": None}
        return None

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the puzzles: as many lines as a grid has, fewer where a blank line comes first."""
        rows = segment_lines(data, line=line, final=final)
        height = int(context["height"] or 1)
        if height == 1 or len(rows) == 0:
            return rows
        found: list[tuple[int, int, int]] = []
        first = 0
        for row in range(1, len(rows) + 1):
            full = row - first == height
            if row == len(rows):
                # What is not full may go on in the next piece.
                if full or final:
                    found.append((rows.starts[first], rows.ends[row - 1], rows.lines[first]))
                    first = row
            elif full or rows.lines[row] != rows.lines[row - 1] + 1:
                found.append((rows.starts[first], rows.ends[row - 1], rows.lines[first]))
                first = row
        consumed = int(rows.starts[first]) if first < len(rows) else rows.consumed
        starts, ends, lines = np.array(found, np.int64).reshape(-1, 3).T
        return Segments(starts, ends, lines, consumed)

    def resume(self, data: bytes, *, context: Context) -> int | None:
        """Go on behind the next line break."""
        del context
        return end_of_line(data)

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse the puzzles one by one."""
        delimiter = str(context["delimiter"]) if context["delimiter"] else None

        def readings() -> Iterator[tuple[int, Reading]]:
            for row, (start, end) in enumerate(zip(segments.starts, segments.ends, strict=True)):
                text = decode(data[start:end])
                yield row, _read(text, delimiter, height=context["height"], options=options)

        return collect(segments.lines, readings())


def _read(text: str, delimiter: str | None, *, height: object, options: ReadOptions) -> Reading:
    rows = [_split(line, delimiter) for line in text.splitlines() if line.strip()]
    rows = [row for row in rows if row and not row[0].startswith("#")]
    if height == 1 and len(rows) == 1:
        return read_cells(rows[0], text=text, options=options)
    return read_rows(rows, text=text, options=options)


def _split(line: str, delimiter: str | None) -> list[str]:
    if delimiter is None:
        return line.split()
    return [word.strip() for word in line.split(delimiter)]
