"""Read grids whose symbols are words: names, colors, or emoji with separators between them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isqrt

import numpy as np

from solver.board.layout import MOST_IN_A_WORD
from solver.formats.format import Context, ReadOptions, Records, Segments
from solver.formats.reading.bulk import Bulk
from solver.formats.reading.cells import Reading, is_square, read_cells, read_rows
from solver.formats.reading.collect import collect
from solver.formats.reading.deduce import BLANKS, are_words
from solver.formats.reading.lines import LineRecords, head_lines, segment_lines
from solver.formats.reading.one_byte import FIRST_OTHER
from solver.formats.reading.remarks import split_remark
from solver.formats.reading.text import decode

_SMALLEST = 4
_MOST_WORDS = 100
_DELIMITERS = (",", ";", "\t", None)


class WordsFormat(LineRecords):
    """Grids whose symbols are words; see `solver.formats.format.Format`."""

    name = "words"
    description = (
        "Grids whose symbols are words or emoji, separated by spaces, commas, semicolons, or "
        "tabs: N lines of N words, or one puzzle of N² words per line."
    )
    example = "red blue . green\n. . . blue\n. . . .\ngreen . . red\n"

    def recognize(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Return the context of an upload with puzzles of words, or None for any other.

        The context has the number of lines per puzzle (`height`) and the `delimiter` between the
        words, None for spaces. An upload has such puzzles if its first line has N² words, or if its
        first N lines have N words each, with at most N different ones. A quarter of the lines of a
        grid may have another number of words. If the options name this format, any text is
        recognized, and `height` is the number of words in the first line if it doesn't begin with
        such a puzzle.

        `head` is the beginning of the upload, and `final` is set if it is all of it. Otherwise, its
        last line is incomplete and ignored, unless it is the only one.
        """
        lines = head_lines(head, final=final)
        context = _find_grid(lines) or _find_grid([split_remark(line)[0] for line in lines])
        if context is not None:
            return context
        if options.format == self.name and lines:
            return {"height": len(_split(lines[0], None)), "delimiter": None}
        return None

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the puzzles: single lines, or N lines each.

        A blank line or a comment ends a puzzle early.
        """
        rows = segment_lines(data, line=line, final=final)
        height = int(context["height"] or 1)
        if height == 1 or len(rows) == 0:
            return rows
        spans: list[tuple[int, int, int]] = []
        first = 0
        for row in range(1, len(rows) + 1):
            full = row - first == height
            if row == len(rows):
                # An incomplete puzzle may continue in the next piece.
                if full or final:
                    spans.append((rows.starts[first], rows.ends[row - 1], rows.lines[first]))
                    first = row
            elif full or rows.lines[row] != rows.lines[row - 1] + 1:
                spans.append((rows.starts[first], rows.ends[row - 1], rows.lines[first]))
                first = row
        consumed = int(rows.starts[first]) if first < len(rows) else rows.consumed
        starts, ends, lines = np.array(spans, np.int64).reshape(-1, 3).T
        return Segments(starts, ends, lines, consumed)

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse puzzles with the right number of words in bulk, and the others one by one."""
        delimiter = str(context["delimiter"]) if context["delimiter"] else None
        height = int(context["height"] or 1)
        places = zip(segments.starts.tolist(), segments.ends.tolist(), strict=True)
        records = [data[start:end] for start, end in places]
        bulk = _read_whole(records, delimiter, height=height, options=options)

        def readings() -> Iterator[tuple[int, Reading]]:
            for row in np.flatnonzero(bulk.left).tolist():
                yield row, _read(decode(records[row]), delimiter, height=height, options=options)

        return collect(segments.lines, readings(), groups=bulk.groups, notes=bulk.notes)


def _find_grid(lines: Sequence[str]) -> Context | None:
    """Return the context of a puzzle of words at the first line, or None without one.

    `lines` are the first lines of an upload. The result is a context for reading all of its
    puzzles: `height` is 1 if the first line is a complete puzzle, or N for a grid of N lines.
    `delimiter` is the character between the words, None for spaces. See `WordsFormat.recognize`.
    """
    for delimiter in _DELIMITERS:
        rows = [_split(line, delimiter) for line in lines]
        width = len(rows[0]) if rows else 0
        if is_square(width) and width >= _SMALLEST**2 and _is_puzzle(rows[0], isqrt(width)):
            return {"height": 1, "delimiter": delimiter}
        grid = rows[:width]
        if not _SMALLEST <= width <= MOST_IN_A_WORD or len(grid) < min(width, _SMALLEST):
            continue
        alike = sum(len(row) == width for row in grid)
        cells = [word for row in grid for word in row]
        if 4 * alike >= 3 * width and _is_puzzle(cells, width):
            return {"height": width, "delimiter": delimiter}
    return None


def _read_whole(
    records: list[bytes], delimiter: str | None, *, height: int, options: ReadOptions
) -> Bulk:
    """Read in bulk the records with N lines of N words, or one line of N² words.

    `height` is the number of lines per puzzle. All other records remain marked in the result's
    `left`, including those with a name after a #. Reading stops at the record with which the
    records have more than 100 different words in total. That record and all later ones remain
    marked, too.
    """
    bulk = Bulk(len(records), options)
    numbers: dict[bytes, int] = {}
    separator = delimiter.encode() if delimiter else None
    by_length: dict[int, list[tuple[int, list[int]]]] = {}
    for row, record in enumerate(records):
        lines = [line.split(separator) for line in record.split(b"\n")]
        cells = len(lines[0]) * height
        whole = len(lines) == height and all(len(line) * height == cells for line in lines)
        if not whole or not is_square(cells) or record.startswith(b"#"):
            continue
        # After the last line, a # begins a name. In other lines, it can be a word between spaces.
        if b"#" in (record.rpartition(b"\n")[2] if separator is None else record):
            continue
        # As a word, a number takes the place of a character that is not ASCII.
        codes = [numbers.setdefault(word.strip(), len(numbers)) for line in lines for word in line]
        if len(numbers) > _MOST_WORDS:
            break
        by_length.setdefault(cells, []).append((row, codes))
    words = tuple(map(decode, numbers))
    for alike in by_length.values():
        rows = np.array([row for row, _ in alike], np.int64)
        cells_of = np.array([codes for _, codes in alike], np.uint8) + np.uint8(FIRST_OTHER)
        bulk.add_characters(rows, cells_of, words)
    return bulk


def _is_puzzle(cells: list[str], size: int) -> bool:
    """Return whether words are the cells of a grid, and not prose with the same number of words.

    The grid has `size` rows and columns. In a puzzle, most of them repeat no word.
    """
    if not are_words(cells, size):
        return False
    lines = [cells[start : start + size] for start in range(0, len(cells), size)]
    lines += [cells[start::size] for start in range(size)]
    written = [[word for word in line if word not in BLANKS] for line in lines]
    right = sum(len(set(line)) == len(line) for line in written)
    return 4 * right > 3 * len(lines)


def _read(text: str, delimiter: str | None, *, height: object, options: ReadOptions) -> Reading:
    """Read one puzzle, whose last line may end with its name after a #.

    `height` is the number of lines per puzzle, and `delimiter` separates words, None for spaces.
    """
    before, name = split_remark(text)
    if delimiter is not None and before.endswith(delimiter):  # The # is a word.
        before, name = text, None
    return replace(_read_cells(before, delimiter, height=height, options=options), name=name)


def _read_cells(
    text: str, delimiter: str | None, *, height: object, options: ReadOptions
) -> Reading:
    """Read a grid whose cells are separated by a delimiter, or by spaces if it is None.

    Lines that begin with # are ignored. If `height` is 1, a single line has the cells of the whole
    grid.
    """
    rows = [_split(line, delimiter) for line in text.splitlines() if line.strip()]
    rows = [row for row in rows if row and not row[0].startswith("#")]
    if height == 1 and len(rows) == 1:
        return read_cells(rows[0], text=text, options=options)
    return read_rows(rows, text=text, options=options)


def _split(line: str, delimiter: str | None) -> list[str]:
    if delimiter is None:
        return line.split()
    return [word.strip() for word in line.split(delimiter)]
