"""CSV and its kin: one puzzle a line, in one of several columns."""

import csv
import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.board.puzzle import Invalid
from solver.formats.format import Context, Group, ReadOptions, Records, Segments
from solver.formats.grids.line import read_line
from solver.formats.reading.cells import Reading, clean_name, is_square, read_solution, shorten
from solver.formats.reading.classic import CLASSIC_CELLS, allows_classic, read_classic
from solver.formats.reading.collect import collect
from solver.formats.reading.lines import LineRecords, head_lines, segment_lines
from solver.formats.reading.text import decode

_PUZZLE_NAMES = frozenset(
    {"puzzle", "puzzles", "quiz", "quizzes", "sudoku", "grid", "givens", "board", "question",
     "problem", "clue", "clues", "unsolved"}
)  # fmt: skip
_SOLUTION_NAMES = frozenset({"solution", "solutions", "solved", "answer", "answers"})
_NAME_NAMES = ("name", "title", "id", "comment")
# Blanks last: most lines that have some are puzzles with a comment.
_DELIMITERS = (",", ";", "\t", " ")
_PUZZLE = re.compile(r"[0-9A-Za-z.*_?-]+")
_SOLUTION = re.compile(r"[1-9A-Za-z]+")
_APOSTROPHE = "'"  # before a field that a spreadsheet would take for a formula


def _fields(line: str, delimiter: str) -> list[str]:
    try:
        return next(iter(csv.reader([line], delimiter=delimiter)), [])
    except csv.Error:
        return []


def _is_puzzle(field: str) -> bool:
    return len(field) >= 16 and is_square(len(field)) and _PUZZLE.fullmatch(field) is not None


class TableFormat(LineRecords):
    """CSV with a puzzle column; see `solver.formats.format.Format`."""

    name = "csv"
    description = (
        "CSV with commas, semicolons, tabs or single blanks: the column is found by its header "
        "(puzzle, quizzes, sudoku, …), or as the one that holds puzzles. A solution beside it "
        "is compared with ours; a column name, title, id or comment names the puzzle."
    )
    example = (
        "id,puzzle\n"
        "1,53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n"
    )

    def recognise(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Recognise a header with a puzzle column, or lines with one puzzle among the fields."""
        lines = list(head_lines(head, final=final))
        if not lines:
            return None
        lines[0] = lines[0].lstrip("\ufeff")
        for delimiter in _DELIMITERS:
            header = _fields(lines[0], delimiter)
            names = [name.strip().lower() for name in header]
            for column, name in enumerate(names):
                several = len(names) > 1 or len(lines) > 1
                if name in _PUZZLE_NAMES and several and delimiter != " ":
                    return {
                        "delimiter": delimiter,
                        "column": column,
                        "header": lines[0],
                        "solution": _find(names, _SOLUTION_NAMES - {name}),
                        "name": next((names.index(n) for n in _NAME_NAMES if n in names), None),
                    }
            places = [i for i, field in enumerate(header) if _is_puzzle(field.strip())]
            # Behind a puzzle at the beginning of a line, a blank begins a comment.
            if len(header) > 1 and places and (delimiter != " " or places == [1]):
                return {
                    "delimiter": delimiter,
                    "column": places[0],
                    "header": None,
                    # Where two columns hold grids, the second is the solution of the first.
                    "solution": next((i for i in places[1:] if _is_solution(header[i])), None),
                    "name": _name_column(header, places),
                }
        if options.format == self.name:
            nothing = {"header": None, "solution": None, "name": None}
            return {"delimiter": ",", "column": 0, **nothing}
        return None

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the lines that are neither blank nor comments nor the header."""
        header = context["header"]
        skip = header.encode() if isinstance(header, str) else None
        return segment_lines(data, line=line, final=final, skip=skip)

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse plain 9×9 puzzles all at once, the others one by one."""
        delimiter, column = str(context["delimiter"]), int(context["column"] or 0)
        groups: tuple[Group, ...] = ()
        left = np.ones(len(segments), np.bool_)
        names: dict[int, str] = {}
        if allows_classic(options):
            starts = _field_starts(data, segments, ord(delimiter), column)
            groups, left = read_classic(data, starts, segments.ends)
            groups = _with_solutions(groups, data, segments, context)
            names = _names(data, segments, ~left, context)

        def readings() -> Iterator[tuple[int, Reading]]:
            for row in np.flatnonzero(left).tolist():
                text = decode(data[segments.starts[row] : segments.ends[row]])
                yield row, _read_fields(_fields(text, delimiter), text, context, options)

        return collect(segments.lines, readings(), groups=groups, names=names)


def _read_fields(fields: list[str], text: str, context: Context, options: ReadOptions) -> Reading:
    column, solution, named = (context[key] for key in ("column", "solution", "name"))
    name = clean_name(fields[named]) if isinstance(named, int) and named < len(fields) else None
    if not isinstance(column, int) or column >= len(fields):
        detail = f"no column {int(column or 0) + 1} in this line"
        return Reading(Invalid(detail, shorten(text)), name=name)
    field = fields[column].strip()
    if field.startswith(_APOSTROPHE) and _is_puzzle(field[1:]):
        field = field[1:]
    reading = replace(read_line(field, options=options), name=name)
    if isinstance(reading.puzzle, Invalid) or not isinstance(solution, int):
        return reading
    expected = read_solution(fields[solution], reading.puzzle) if solution < len(fields) else None
    return replace(reading, expected=expected)


def _with_solutions(
    groups: tuple[Group, ...], data: bytes, segments: Segments, context: Context
) -> tuple[Group, ...]:
    """Return the groups with the 9×9 solutions that stand in the solution column."""
    column = context["solution"]
    if not isinstance(column, int) or not groups:
        return groups
    starts = _field_starts(data, segments, ord(str(context["delimiter"])), column)
    text = np.frombuffer(data, np.uint8)
    solutions = np.zeros((len(segments), CLASSIC_CELLS), np.uint8)
    fits = np.flatnonzero(starts + CLASSIC_CELLS <= segments.ends)
    values = text[starts[fits, None] + np.arange(CLASSIC_CELLS)] - np.uint8(ord("0"))
    whole = (values - np.uint8(1) < 9).all(axis=1)  # unsigned: what is below wraps around
    solutions[fits[whole]] = values[whole]
    return tuple(replace(group, expected=solutions[group.rows]) for group in groups)


def _names(
    data: bytes, segments: Segments, plain: NDArray[np.bool_], context: Context
) -> dict[int, str]:
    """Return what the name column says of the lines that were read all at once."""
    column, delimiter = context["name"], str(context["delimiter"])
    if not isinstance(column, int):
        return {}
    names = {}
    for row in np.flatnonzero(plain).tolist():
        fields = data[segments.starts[row] : segments.ends[row]].split(delimiter.encode())
        name = clean_name(decode(fields[column])) if column < len(fields) else None
        if name is not None:
            names[row] = name
    return names


def _find(names: list[str], wanted: frozenset[str]) -> int | None:
    return next((column for column, name in enumerate(names) if name in wanted), None)


def _is_solution(field: str) -> bool:
    return _SOLUTION.fullmatch(field.strip()) is not None


def _name_column(fields: list[str], puzzles: list[int]) -> int | None:
    """Return the first column of a table without a header that holds words."""
    words = (i for i, f in enumerate(fields) if i not in puzzles and re.search("[A-Za-z]{2}", f))
    return next(words, None)


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
