"""Read CSV and other tables with one puzzle per record, in one column or one column per cell."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.board.display import shorten
from solver.board.puzzle import Invalid
from solver.formats.format import Context, Group, ReadOptions, Records, Segments
from solver.formats.grids.folded import segment_folded
from solver.formats.grids.grid import read_grid
from solver.formats.grids.line import read_line
from solver.formats.grids.lists import read_list
from solver.formats.grids.table_columns import (
    Table,
    bare_puzzle,
    find_columns,
    split_fields,
    without_line_breaks,
)
from solver.formats.reading.cells import (
    Reading,
    as_whole,
    read_cells,
    whole_name,
    with_solution,
)
from solver.formats.reading.classic import (
    CLASSIC_CELLS,
    CLASSIC_SIZE,
    allows_classic,
    read_classic,
)
from solver.formats.reading.collect import collect
from solver.formats.reading.lines import LineRecords, segment_lines
from solver.formats.reading.own_columns import (
    OwnColumns,
    bare_field,
    from_context,
    in_context,
)
from solver.formats.reading.text import decode, decode_each

# Spaces come last: most lines that contain some are puzzles with a comment.
_DELIMITERS = (",", ";", "\t", "|", " ")
_SEPARATOR_LINE = re.compile(r"sep=(.)", re.IGNORECASE)  # The delimiter line that Excel reads.
_LOOKED_AT = 6  # lines, until one has a puzzle


class TableFormat(LineRecords):
    """CSV and other tables of puzzles; implements `solver.formats.format.Format`."""

    name = "csv"
    description = (
        "CSV with commas, semicolons, tabs, bars, or single spaces, or a Markdown table. The "
        "puzzle column is found by its header (puzzle, quizzes, sudoku, …), or because it "
        "contains puzzles. A solution in another column is compared with the computed one. A "
        "column custom_id, name, title, id, or comment names the puzzle. All columns except "
        "puzzle and solution are returned with the results. A quoted field can contain a grid of "
        "several lines. A table can also have one column per cell, next to an id."
    )
    example = (
        "id,puzzle\n"
        "1,53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n"
    )

    def recognize(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Return the context of a table with puzzles, or None for any other upload.

        A puzzle column is found by its heading, or by puzzles among the fields of the first
        records. Tables with one column per cell are recognized, too. If the options name this
        format, any other text is read as comma-separated fields with the puzzle in the first one.
        The context has the delimiter, the indices of the columns, and the lines above the first
        puzzle.
        """
        folded = _folded_by(head, final=final)
        found = _segment(head, line=1, final=final, folded=folded)
        spans = zip(
            found.starts[:_LOOKED_AT].tolist(), found.ends[:_LOOKED_AT].tolist(), strict=True
        )
        written = [head[start:end] for start, end in spans]
        lines = [decode(line).lstrip("\ufeff") for line in written]
        skipped = 1 if lines and _SEPARATOR_LINE.fullmatch(lines[0]) else 0
        delimiters = (folded,) if folded else _DELIMITERS
        tables = (find_columns(lines[skipped:], each) for each in delimiters)
        table = next(filter(None, tables), None)
        if table is None and options.format == self.name:
            table = Table(",", 0, None, None, above=0, own=OwnColumns())
        if table is None:
            return None
        return {
            "delimiter": table.delimiter,
            "column": table.column,
            "cells": table.cells,
            # Stored as bytes in any encoding, because concatenated files repeat the header.
            "header": b"\n".join(written[: skipped + table.above]).decode("latin-1") or None,
            "solution": table.solution,
            "name": table.name,
            "folded": folded,
            **in_context(table.own),
        }

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the records of the table, which usually are lines.

        Blank lines and comments are left out. So are lines equal to one of those above the first
        record, because concatenated files repeat the header.
        """
        header = context["header"]
        skip = header.encode("latin-1").split(b"\n") if isinstance(header, str) else []
        folded = str(context.get("folded") or "")
        return _segment(data, line=line, final=final, folded=folded, skip=skip)

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse classic 9×9 puzzles in bulk, and the others one by one.

        The result also has the solutions, the names, and the user's own columns. Notes report
        unreadable solutions and surplus fields.
        """
        delimiter, column = str(context["delimiter"]), int(context["column"] or 0)
        groups: tuple[Group, ...] = ()
        left = np.ones(len(segments), np.bool_)
        columns = from_context(context)
        names: dict[int, str] = {}
        own: dict[int, tuple[str, ...]] = {}
        notes: dict[int, str] = {}
        if allows_classic(options) and context.get("cells", 1) == 1:
            starts = _field_starts(data, segments, ord(delimiter), column)
            solutions, unreadable = _read_solutions(data, segments, context)
            starts[unreadable] = segments.ends[unreadable]  # They are read one by one, for a note.
            groups, left = read_classic(data, starts, segments.ends)
            if solutions is not None:
                groups = tuple(replace(group, expected=solutions[group.rows]) for group in groups)
            names, own, notes = _read_other_columns(data, segments, ~left, context)

        def readings() -> Iterator[tuple[int, Reading]]:
            for row in np.flatnonzero(left).tolist():
                text = decode(data[segments.starts[row] : segments.ends[row]])
                fields = split_fields(text, delimiter)
                reading = _read_fields(fields, text, context, options)
                yield row, _with_own(reading, fields, columns) if columns else reading

        return collect(
            segments.lines,
            readings(),
            groups=groups,
            names=names,
            notes=notes,
            own=own,
            own_names=columns.names,
        )


def _segment(
    data: bytes, *, line: int, final: bool, folded: str, skip: Sequence[bytes] = ()
) -> Segments:
    """Find the records of a table, except those that equal a text in `skip`.

    `folded` is the delimiter if quoted fields may contain line breaks, and "" if they can't.
    """
    if not folded:
        return segment_lines(data, line=line, final=final, skip=skip)
    return segment_folded(data, line=line, final=final, delimiter=folded, skip=skip)


def _folded_by(head: bytes, *, final: bool) -> str:
    """Return the delimiter of a table whose first records have a line break inside a field.

    Returns "" if each of them is a line. `final` means that `head` is the whole upload.
    """
    for delimiter in _DELIMITERS[:3] if b'"' in head else ():
        few = segment_folded(head, line=1, final=final, delimiter=delimiter)
        starts, ends = few.starts[:_LOOKED_AT].tolist(), few.ends[:_LOOKED_AT].tolist()
        if any(b"\n" in head[start:end] for start, end in zip(starts, ends, strict=True)):
            return delimiter
    return ""


def _read_fields(fields: list[str], text: str, context: Context, options: ReadOptions) -> Reading:
    """Read the puzzle, the solution, and the name in the fields of one record.

    `context` has the index of each of these columns. The puzzle is in one field, or has one field
    per cell. `text` is the whole record, for error messages.
    """
    column, solution, named = (context[key] for key in ("column", "solution", "name"))
    name = (
        whole_name(bare_field(fields[named]))
        if isinstance(named, int) and named < len(fields)
        else None
    )
    if not isinstance(column, int) or column >= len(fields):
        detail = f"this line has no column {int(column or 0) + 1}, where the table has its puzzles"
        return Reading(Invalid(detail, shorten(text)), name=name)
    cells = int(context.get("cells") or 1)
    if cells > 1:
        written = list(map(as_whole, map(str.strip, fields[column : column + cells])))
        return replace(read_cells(written, text=text, options=options), name=name)
    field = bare_puzzle(fields[column])
    reading = replace(_read(field, options), name=name)
    if isinstance(reading.puzzle, Invalid) and context.get("folded") and text.count('"') % 2:
        return Reading(
            Invalid(
                "a quoted field in this line isn't closed; add the closing quote", shorten(text)
            ),
            name=name,
        )
    if not isinstance(solution, int) or solution >= len(fields):
        return reading
    return with_solution(reading, without_line_breaks(bare_puzzle(fields[solution])))


def _read(field: str, options: ReadOptions) -> Reading:
    if field.startswith(("[", "{")):
        return read_list(field, options=options)
    read = read_grid if "\n" in field else read_line
    return read(field, options=options)


def _read_solutions(
    data: bytes, segments: Segments, context: Context
) -> tuple[NDArray[np.uint8] | None, NDArray[np.bool_]]:
    """Return the 9×9 solutions in the solution column, and a mask of the unreadable ones.

    The solutions are an array (n, 81) for n records, None without a solution column. If the
    text of a record isn't 81 digits from 1 to 9, its values are 0. It is unreadable if it has at
    least 9 bytes. A shorter text, such as "n/a", isn't taken for a solution.
    """
    column = context["solution"]
    unreadable = np.zeros(len(segments), np.bool_)
    if not isinstance(column, int):
        return None, unreadable
    delimiter = ord(str(context["delimiter"]))
    starts = _field_starts(data, segments, delimiter, column)
    text = np.frombuffer(data, np.uint8)
    delimiters = np.append(np.flatnonzero(text == delimiter), len(data))
    ends = np.minimum(delimiters[np.searchsorted(delimiters, starts)], segments.ends)
    solutions = np.zeros((len(segments), CLASSIC_CELLS), np.uint8)
    fits = np.flatnonzero(ends - starts == CLASSIC_CELLS)
    values = text[starts[fits, None] + np.arange(CLASSIC_CELLS)] - np.uint8(ord("0"))
    whole = (values - np.uint8(1) < 9).all(axis=1)  # Unsigned: smaller values wrap around.
    solutions[fits[whole]] = values[whole]
    unreadable[ends - starts >= CLASSIC_SIZE] = True
    unreadable[fits[whole]] = False
    return solutions, unreadable


def _with_own(reading: Reading, fields: list[str], columns: OwnColumns) -> Reading:
    """Add the fields of the user's own columns to a reading, and a note about surplus fields."""
    surplus = columns.surplus(fields)
    note = "; ".join(filter(None, (reading.note, surplus))) or None
    return replace(reading, own=columns.fields(fields), note=note)


def _read_other_columns(
    data: bytes, segments: Segments, plain: NDArray[np.bool_], context: Context
) -> tuple[dict[int, str], dict[int, tuple[str, ...]], dict[int, str]]:
    """Read the names and the user's own columns of the records that are marked in `plain`.

    The puzzles of these records were read in bulk. Returns the names, the fields of the user's own
    columns, and notes on surplus fields, each by record index.
    """
    column, delimiter = context["name"], str(context["delimiter"])
    columns = from_context(context)
    names: dict[int, str] = {}
    own: dict[int, tuple[str, ...]] = {}
    notes: dict[int, str] = {}
    if not (isinstance(column, int) or columns):
        return names, own, notes
    texts = decode_each(data, segments.starts[plain].tolist(), segments.ends[plain].tolist())
    for row, text in zip(np.flatnonzero(plain).tolist(), texts, strict=True):
        fields = text.split(delimiter)
        if isinstance(column, int) and column < len(fields):
            name = whole_name(bare_field(fields[column]))
            if name is not None:
                names[row] = name
        if columns:
            own[row] = columns.fields(fields)
            surplus = columns.surplus(fields)
            if surplus is not None:
                notes[row] = surplus
    return names, own, notes


def _field_starts(
    data: bytes, segments: Segments, delimiter: int, column: int
) -> NDArray[np.int64]:
    """Return the byte offset in `data` at which a column (from 0) begins in each record.

    For records with quotes or without the column, it is the end of the record. `delimiter` is an
    ASCII code.
    """
    text = np.frombuffer(data, np.uint8)
    starts = segments.starts.copy()
    if column > 0 and len(starts):
        delimiters = np.append(np.flatnonzero(text == delimiter), len(data))
        last_delimiters = np.searchsorted(delimiters, segments.starts) + column - 1
        starts = delimiters[np.minimum(last_delimiters, len(delimiters) - 1)] + 1
    if b'"' in data:
        quotes = np.flatnonzero(text == ord('"'))
        quoted = np.searchsorted(quotes, segments.starts) != np.searchsorted(quotes, segments.ends)
        starts[quoted] = segments.ends[quoted]
    return np.minimum(starts, segments.ends)
