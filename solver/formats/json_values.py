"""Puzzles as JSON: one value a line (NDJSON), or one document with a list of them."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from solver.formats.cells import Reading, read_cells, read_rows, shorten
from solver.formats.collect import collect
from solver.formats.format import Context, ReadOptions, Records, Segments
from solver.formats.grid import read_grid
from solver.formats.line import decode, read_line
from solver.formats.lines import end_of_line, head_lines, segment_lines
from solver.puzzle import Invalid

_PUZZLE_KEYS = ("puzzle", "givens", "grid")
_NAME_KEYS = frozenset({"id", "name", "title", "comment", "author"})
_OPTION_KEYS = frozenset({"size", "box", "symbols", "blank"})
_NOTHING = (None, False, "")


def _load(text: str) -> object:
    """Return a JSON value, or Invalid; nesting beyond all measure is no value either."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        return Invalid(f"this is no JSON: {reason}", shorten(text))
    return value


def read_value(value: object, *, text: str, options: ReadOptions) -> Reading:
    """Read a puzzle from a string, a list of cells or rows, or an object with one of them."""
    if isinstance(value, Invalid):
        return Reading(value)
    if isinstance(value, str):
        if "\n" in value.strip("\n"):
            return read_grid(value, options=options)
        return read_line(value, options=options)
    if isinstance(value, list):
        return _read_list(value, text=text, options=options)
    if isinstance(value, dict):
        return _read_object(value, text=text, options=options)
    return Reading(Invalid("a puzzle is a string, a list or an object", shorten(text)))


def _read_list(value: list[object], *, text: str, options: ReadOptions) -> Reading:
    if value and all(isinstance(row, list) for row in value):
        rows = [[_cell(cell) for cell in row] for row in value if isinstance(row, list)]
        return read_rows(rows, text=text, options=options)
    if value and all(isinstance(row, str) and len(row) == len(value) > 1 for row in value):
        return read_rows([list(str(row)) for row in value], text=text, options=options)
    return read_cells([_cell(cell) for cell in value], text=text, options=options)


def _cell(cell: object) -> str:
    if cell in _NOTHING and cell != 0:
        return "0"
    return str(cell) if isinstance(cell, (int, str)) else json.dumps(cell)


def _read_object(value: dict[str, object], *, text: str, options: ReadOptions) -> Reading:
    keys = [key for key in _PUZZLE_KEYS if key in value]
    known = _OPTION_KEYS | _NAME_KEYS | set(keys)
    unknown = [key for key in value if key not in known]
    if unknown:
        detail = f"this puzzle asks for {shorten(unknown[0])!r}, which is not known here"
        return Reading(Invalid(detail, shorten(text)))
    if len(keys) != 1:
        detail = "an object needs one of the keys puzzle, givens and grid"
        return Reading(Invalid(detail, shorten(text)))
    options = _object_options(value, options)
    reading = read_value(value[keys[0]], text=text, options=options)
    size = value.get("size")
    if size is not None and not isinstance(reading.puzzle, Invalid):
        layout = reading.puzzle.layout
        if size != layout.size:
            detail = f"size is {shorten(str(size))}, but the grid is {layout.size}×{layout.size}"
            return Reading(Invalid(detail, shorten(text)))
    return reading


def _object_options(value: dict[str, object], options: ReadOptions) -> ReadOptions:
    box, symbols, blank = value.get("box"), value.get("symbols"), value.get("blank")
    match = re.fullmatch(r"(\d{1,2})[x×](\d{1,2})", str(box)) if box is not None else None
    if match is not None:
        options = replace(options, box=(int(match[1]), int(match[2])))
    if isinstance(symbols, (str, list)):
        options = replace(options, symbols=tuple(str(symbol) for symbol in symbols))
    return replace(options, blank=blank) if isinstance(blank, str) else options


def _parse(data: bytes, segments: Segments, options: ReadOptions) -> Records:
    def readings() -> Iterator[tuple[int, Reading]]:
        for row, (start, end) in enumerate(zip(segments.starts, segments.ends, strict=True)):
            text = decode(data[start:end])
            yield row, read_value(_load(text), text=text, options=options)

    return collect(segments.lines, readings())


class NdjsonFormat:
    """One JSON value a line; see `solver.formats.format.Format`."""

    name = "ndjson"
    description = (
        "One JSON value a line: a string, a list of rows or cells, or an object with a puzzle "
        "and, if wanted, box, size, symbols, blank, name."
    )
    example = (
        '"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"\n'
        '{"puzzle": "12.4...2....4..1", "box": "2x2", "name": "a small one"}\n'
    )

    def recognise(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Recognise an upload whose first line is a JSON value with a puzzle in it."""
        del options
        lines = head_lines(head, final=final, most=1)
        value = _load(lines[0].lstrip("\ufeff")) if lines else None
        if isinstance(value, str):
            return {}
        if isinstance(value, dict):
            return None if isinstance(value.get("puzzles"), list) else {}
        return None

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the lines that are not blank."""
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
        return _parse(data, segments, options)


class JsonFormat:
    """One JSON document; see `solver.formats.format.Format`."""

    name = "json"
    description = (
        'One JSON document: a list of strings and objects, or {"puzzles": [ … ]} around it. '
        "Lists of numbers are read by the format lists."
    )
    example = '["12.4...2....4..1", {"puzzle": "12.4...2....4..1"}]\n'

    _PREFIX = re.compile(rb'\s*(?:\{\s*"puzzles"\s*:\s*)?\[\s*(?=["{\]])')
    _BETWEEN = re.compile(rb"[\s,]*")
    _MARK = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}\n]', re.DOTALL)

    def recognise(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Recognise a list whose first element is a string or an object."""
        del final, options
        return {} if self._PREFIX.match(head.removeprefix(b"\xef\xbb\xbf")) else None

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the strings and objects of the list."""
        del context
        found: list[tuple[int, int, int]] = []
        position = consumed = 0
        prefix = self._PREFIX.match(data)
        if prefix is not None:
            position = consumed = prefix.end()
            line += data.count(b"\n", 0, position)
        depth, start, first_line = 0, 0, line
        for match in self._MARK.finditer(data, position):
            mark = match[0]
            if depth == 0 and mark[:1] in (b'"', b"{"):
                start, first_line = match.start(), line
            if mark[:1] == b'"':
                line += mark.count(b"\n")
            depth += (mark in (b"{", b"[")) - (mark in (b"}", b"]"))
            if mark == b"\n":
                line += 1
            elif depth < 0:
                depth = 0
            elif depth == 0:
                found.append((start, match.end(), first_line))
                consumed = match.end()
        # What stands between two elements is done with, too.
        consumed = self._BETWEEN.match(data, consumed).end()  # type: ignore[union-attr]
        if final:
            if depth > 0 or (depth == 0 and data[consumed:].lstrip(b" \t\r\n,")[:1] == b'"'):
                rest = consumed + data[consumed:].find(b"{" if depth else b'"')
                found.append((max(rest, consumed), len(data), first_line))
            consumed = len(data)
        starts, ends, lines = np.array(found, np.int64).reshape(-1, 3).T
        return Segments(starts, ends, lines, consumed)

    def resume(self, data: bytes, *, context: Context) -> int | None:
        """Go on behind the next line break."""
        del context
        return end_of_line(data)

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse the values one by one."""
        del context
        return _parse(data, segments, options)
