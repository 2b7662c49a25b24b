"""CSV and its kin: one puzzle a line, in one of several columns."""

import csv
import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from solver.formats.cells import Reading, shorten
from solver.formats.classic import allows_classic, read_classic
from solver.formats.collect import collect
from solver.formats.format import Context, Group, ReadOptions, Records, Segments
from solver.formats.line import decode, is_square, read_line
from solver.formats.lines import end_of_line, head_lines, segment_lines
from solver.puzzle import Invalid

_PUZZLE_NAMES = frozenset(
    {"puzzle", "puzzles", "quiz", "quizzes", "sudoku", "grid", "givens", "board", "question",
     "problem", "clue", "clues", "unsolved"}
)  # fmt: skip
_DELIMITERS = (",", ";", "\t")
_PUZZLE = re.compile(r"[0-9A-Za-z.*_?-]+")


def _fields(line: str, delimiter: str) -> list[str]:
    try:
        return next(iter(csv.reader([line], delimiter=delimiter)), [])
    except csv.Error:
        return []


def _is_puzzle(field: str) -> bool:
    return len(field) >= 16 and is_square(len(field)) and _PUZZLE.fullmatch(field) is not None


class TableFormat:
    """CSV with a puzzle column; see `solver.formats.format.Format`."""

    name = "csv"
    description = (
        "CSV with commas, semicolons or tabs: the column is found by its header (puzzle, "
        "quizzes, sudoku, …), or as the one that holds puzzles. Other columns are ignored."
    )
    example = (
        "id,puzzle\n"
        "1,53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n"
    )

    def recognise(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Recognise a header with a puzzle column, or lines with one puzzle among the fields."""
        del options
        lines = head_lines(head, final=final)
        if not lines:
            return None
        lines[0] = lines[0].lstrip("\ufeff")
        for delimiter in _DELIMITERS:
            header = _fields(lines[0], delimiter)
            names = [name.strip().lower() for name in header]
            for column, name in enumerate(names):
                if name in _PUZZLE_NAMES and (len(names) > 1 or len(lines) > 1):
                    return {"delimiter": delimiter, "column": column, "header": lines[0]}
            if len(header) > 1:
                places = [i for i, field in enumerate(header) if _is_puzzle(field.strip())]
                # Where two columns hold grids, the second is the solution of the first.
                if places:
                    return {"delimiter": delimiter, "column": places[0], "header": None}
        return None

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the lines that are neither blank nor comments nor the header."""
        header = context["header"]
        skip = header.encode() if isinstance(header, str) else None
        return segment_lines(data, line=line, final=final, skip=skip)

    def resume(self, data: bytes, *, context: Context) -> int | None:
        """Go on behind the next line break."""
        del context
        return end_of_line(data)

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse plain 9×9 puzzles all at once, the others one by one."""
        delimiter, column = str(context["delimiter"]), int(context["column"] or 0)
        groups: tuple[Group, ...] = ()
        left = np.ones(len(segments), np.bool_)
        if allows_classic(options):
            starts = _field_starts(data, segments, ord(delimiter), column)
            groups, left = read_classic(data, starts, segments.ends)

        def readings() -> Iterator[tuple[int, Reading]]:
            for row in np.flatnonzero(left).tolist():
                text = decode(data[segments.starts[row] : segments.ends[row]])
                fields = _fields(text, delimiter)
                if column < len(fields):
                    yield row, read_line(fields[column], options=options)
                else:
                    detail = f"no column {column + 1} in this line"
                    yield row, Reading(Invalid(detail, shorten(text)))

        return collect(segments.lines, readings(), groups=groups)


def _field_starts(
    data: bytes, segments: Segments, delimiter: int, column: int
) -> NDArray[np.int64]:
    """Return where a column begins in each line without quotes; elsewhere the line's end."""
    text = np.frombuffer(data, np.uint8)
    starts = segments.starts.copy()
    if column > 0 and len(starts):
        delimiters = np.append(np.flatnonzero(text == delimiter), len(data))
        behind = np.searchsorted(delimiters, segments.starts) + column - 1
        starts = delimiters[np.minimum(behind, len(delimiters) - 1)] + 1
    if b'"' in data:
        quotes = np.flatnonzero(text == ord('"'))
        quoted = np.searchsorted(quotes, segments.starts) != np.searchsorted(quotes, segments.ends)
        starts[quoted] = segments.ends[quoted]
    return np.minimum(starts, segments.ends)
