"""Puzzles as JSON values, and NDJSON: one value a line."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isqrt

import msgspec
import numpy as np
from numpy.typing import NDArray

from solver.board.graphemes import count_graphemes, normalise, split_graphemes
from solver.board.puzzle import Invalid, Puzzle
from solver.formats.format import Context, ReadOptions, Records, Segments
from solver.formats.grids.grid import read_grid
from solver.formats.grids.jigsaw import place
from solver.formats.grids.line import read_line
from solver.formats.objects.fpuzzles import is_fpuzzles, read_fpuzzles
from solver.formats.objects.iss import is_iss, read_iss
from solver.formats.objects.puzzle_object import BOARD_KEYS, PUZZLE_KEYS, read_board
from solver.formats.reading.bulk import Bulk
from solver.formats.reading.cells import (
    Reading,
    clean_name,
    is_square,
    read_cells,
    read_rows,
    read_solution,
    refuse,
    shorten,
)
from solver.formats.reading.collect import collect
from solver.formats.reading.lines import LineRecords, head_lines
from solver.formats.reading.text import decode
from solver.rules.regions import read_regions
from solver.rules.registry import read_constraint, with_constraints
from solver.rules.variants import known_variant

_NAME_KEYS = ("name", "title", "id", "comment", "author")
# What our own results have beside the puzzle, so that they can be sent again.
_RESULT_KEYS = frozenset(
    {"n", "line", "outcome", "solution", "solutions", "unique", "steps", "rating", "detail",
     "all_solutions"}
)  # fmt: skip
_PLAIN_KEYS = {*PUZZLE_KEYS, *_NAME_KEYS}
_DIGITS = bytes.maketrans(bytes(range(10)), b"0123456789")
_PLAIN = re.compile(r"[0-9A-Za-z.*_?-]{16,}")
_OPTION_KEYS = frozenset({"size", "box", "symbols", "blank", "variant", "constraints", "regions"})
_NOTHING = (None, False, "")


def read_values(
    records: Sequence[bytes], lines: NDArray[np.int64], options: ReadOptions
) -> Records:
    """Read records that are a JSON value each, the plain ones all at once."""
    bulk = Bulk(len(records), options)
    names: dict[int, str] = {}
    by_length: dict[int, list[tuple[int, bytes]]] = {}
    for row, record in enumerate(records):
        try:
            value = msgspec.json.decode(record)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue  # the slower reader says why
        name = None
        if isinstance(value, dict) and len(value) <= 2 and value.keys() <= _PLAIN_KEYS:
            grids = [value[key] for key in PUZZLE_KEYS if key in value]
            name, value = _name(value), grids[0] if len(grids) == 1 else None
        cells = _plain_cells(value)
        if cells is not None:
            by_length.setdefault(len(cells), []).append((row, cells))
            if name is not None:
                names[row] = name
    for length, alike in by_length.items():
        if is_square(length):
            rows = np.array([row for row, _ in alike], np.int64)
            written = np.frombuffer(b"".join([text for _, text in alike]), np.uint8)
            bulk.add_characters(rows, written.reshape(-1, length))

    def readings() -> Iterator[tuple[int, Reading]]:
        for row in np.flatnonzero(bulk.left).tolist():
            text = decode(records[row])
            yield row, read_value(load_json(text), text=text, options=options)

    return collect(lines, readings(), groups=bulk.groups, names=names, notes=bulk.notes)


def _plain_cells(value: object) -> bytes | None:
    """Return the characters of a puzzle that is one string, or rows of numbers up to 9."""
    if isinstance(value, str):
        return value.encode() if _PLAIN.fullmatch(value) else None
    if not isinstance(value, list) or not value or not isinstance(value[0], list):
        return None
    if any(type(row) is not list or len(row) != len(value) for row in value):
        return None
    flat = [cell for row in value for cell in row]
    plain = set(map(type, flat)) == {int} and min(flat) >= 0 and max(flat) <= 9
    return bytes(flat).translate(_DIGITS) if plain else None


def load_json(text: str) -> object:
    """Return a JSON value, or Invalid; nesting beyond all measure is no value either."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "beyond all measure"
        return Invalid(f"this is no JSON: {reason}", shorten(text))
    return value


def read_value(value: object, *, text: str, options: ReadOptions) -> Reading:
    """Read a puzzle from a string, a list of cells or rows, or an object with one of them."""
    if isinstance(value, Invalid):
        return Reading(value)
    if isinstance(value, str):
        if is_iss(value):
            return read_iss(value, options=options)
        if "\n" in value.strip("\n"):
            return read_grid(value, options=options)
        return read_line(value, options=options)
    if isinstance(value, list):
        return _read_list(value, text=text, options=options)
    if isinstance(value, dict):
        if is_fpuzzles(value):
            return read_fpuzzles(value, text=text, options=options)
        reading = _read_object(value, text=text, options=options)
        return replace(reading, name=_name(value))
    return refuse("a puzzle is a string, a list or an object", text)


def _read_list(value: list[object], *, text: str, options: ReadOptions) -> Reading:
    if value and all(isinstance(row, list) for row in value):
        rows = [[_cell(cell) for cell in row] for row in value if isinstance(row, list)]
        return read_rows(rows, text=text, options=options)
    if value and _are_rows(value):
        rows = [split_graphemes(str(row)) for row in value]
        return read_rows(rows, text=text, options=options)
    return read_cells([_cell(cell) for cell in value], text=text, options=options)


def _are_rows(value: list[object]) -> bool:
    """Return whether a list has N strings of N characters."""
    return all(isinstance(row, str) and count_graphemes(row) == len(value) > 1 for row in value)


def _cell(cell: object) -> str:
    if cell in _NOTHING and cell != 0:
        return "0"
    return str(cell) if isinstance(cell, (int, float, str)) else type(cell).__name__


def _read_object(value: dict[str, object], *, text: str, options: ReadOptions) -> Reading:
    keys = [key for key in PUZZLE_KEYS if key in value]
    known = _OPTION_KEYS | BOARD_KEYS | _RESULT_KEYS | {*_NAME_KEYS, *keys}
    unknown = [key for key in value if key not in known]
    if unknown:
        detail = f"this puzzle asks for {shorten(unknown[0])!r}, which is not known here"
        return refuse(detail, text)
    if not BOARD_KEYS.isdisjoint(value) or (not keys and "constraints" in value):
        return read_board(value, text=text, options=options)
    if len(keys) != 1:
        detail = "an object needs one of the keys puzzle, givens and grid"
        return refuse(detail, text)
    own = _object_options(value, options)
    if isinstance(own, str):
        return refuse(own, text)
    if isinstance(value[keys[0]], dict):
        return refuse(f"{keys[0]} must be a string or a list", text)
    reading = _read_grid(value, value[keys[0]], text=text, options=own)
    size = value.get("size")
    if size is not None and not isinstance(reading.puzzle, Invalid):
        layout = reading.puzzle.layout
        if size != layout.size:
            detail = f"size is {shorten(str(size))}, but the grid is {layout.size}×{layout.size}"
            return refuse(detail, text)
    if isinstance(reading.puzzle, Invalid):
        return reading
    puzzle = _with_constraints(value, reading.puzzle)
    if isinstance(puzzle, str):
        return refuse(puzzle, text)
    return replace(reading, puzzle=puzzle, expected=_expected(value, reading.puzzle))


def _name(value: dict[str, object]) -> str | None:
    """Return what an object calls its puzzle, by the first of the usual keys."""
    return next((clean_name(str(value[key])) for key in _NAME_KEYS if value.get(key)), None)


def _expected(value: dict[str, object], puzzle: Puzzle) -> tuple[int, ...] | None:
    """Return the solution that an object gives; None for what is none."""
    solution = value.get("solution")
    return read_solution(solution, puzzle) if isinstance(solution, str) else None


def _read_grid(
    value: dict[str, object], cells: object, *, text: str, options: ReadOptions
) -> Reading:
    """Read the cells of an object, with its regions if it has some."""
    if value.get("regions") is None:
        return read_value(cells, text=text, options=options)
    labels = read_regions(value["regions"])
    if isinstance(labels, str):
        return refuse(labels, text)
    # Boxes that are rows, until the regions take their place.
    options = replace(options, box=(1, isqrt(len(labels))))
    reading = read_value(cells, text=text, options=options)
    return reading if isinstance(reading.puzzle, Invalid) else place(reading.puzzle, labels, text)


def _object_options(value: dict[str, object], options: ReadOptions) -> ReadOptions | str:
    """Return the options with what the object says itself, or what is wrong with that."""
    box, symbols, blank = value.get("box"), value.get("symbols"), value.get("blank")
    if box is not None:
        text = "x".join(map(str, box)) if isinstance(box, list) else str(box)
        match = re.fullmatch(r"([1-9]\d?)\s*[xX×]\s*([1-9]\d?)", text)
        if match is None:
            return f"box must be rows x columns, such as 2x3, not {shorten(text)[:20]!r}"
        options = replace(options, box=(int(match[1]), int(match[2])))
    if symbols is not None:
        if not isinstance(symbols, (str, list)):
            return "symbols must be a string or a list"
        if isinstance(symbols, str):
            symbols = symbols.split() if " " in symbols else split_graphemes(symbols)
        options = replace(options, symbols=tuple(normalise(str(symbol)) for symbol in symbols))
    if blank is not None:
        if not isinstance(blank, (str, int)):
            return "blank must be a string"
        options = replace(options, blank=str(blank))
    variants = _variants(value)
    if isinstance(variants, str):
        return variants
    return replace(options, variant=(*options.variant, *variants))


def _variants(value: dict[str, object]) -> tuple[str, ...] | str:
    """Return the variants that the object asks for, or what is wrong with them."""
    names = value.get("variant") or []
    names = re.split(r"[,\s]+", names.strip()) if isinstance(names, str) else names
    constraints = value.get("constraints") or []
    if not isinstance(names, list) or not isinstance(constraints, list):
        return "variant and constraints must be lists"
    unknown = [name for name in names if known_variant(str(name)) is None]
    if unknown:
        return f"the variant {shorten(str(unknown[0]))!r} is not known here"
    whole = [found["type"] for found in constraints if _is_variant(found)]
    return tuple(map(str, [*names, *whole]))


def _is_variant(found: object) -> bool:
    """Return whether a constraint is a rule for the whole grid, without cells."""
    return (
        isinstance(found, dict)
        and set(found) == {"type"}
        and known_variant(str(found["type"])) is not None
    )


def _with_constraints(value: dict[str, object], puzzle: Puzzle) -> Puzzle | str:
    """Return a puzzle with the constraints on its cells, or what is wrong with one."""
    found = value.get("constraints") or []
    constraints = []
    for description in found if isinstance(found, list) else []:
        if _is_variant(description):
            continue
        if not isinstance(description, dict):
            return f"a constraint is an object, not {shorten(str(description))[:40]!r}"
        constraint = read_constraint(description, layout=puzzle.layout)
        if isinstance(constraint, str):
            return constraint
        constraints.append(constraint)
    if not constraints:
        return puzzle
    layout = with_constraints(puzzle.layout, tuple(constraints))
    return layout if isinstance(layout, str) else replace(puzzle, layout=layout)


class NdjsonFormat(LineRecords):
    """One JSON value a line; see `solver.formats.format.Format`."""

    name = "ndjson"
    description = (
        "One JSON value a line: a string, a list of rows or cells, or an object with a puzzle "
        "and, if wanted, box, size, symbols, blank, variant, constraints, regions, name."
    )
    example = (
        '"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"\n'
        '{"puzzle": "12.4...2....4..1", "box": "2x2", "name": "a small one"}\n'
    )

    def recognise(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Recognise lines that are JSON values with a puzzle, more than one if they are lists."""
        lines = head_lines(head, final=final, most=3)
        values = [load_json(line.lstrip("\ufeff")) for line in lines]
        if not values:
            return None
        if isinstance(values[0], dict):
            return None if isinstance(values[0].get("puzzles"), list) else {}
        if isinstance(values[0], list):
            several = len(values) > 1 and not any(isinstance(value, Invalid) for value in values)
            return {} if (several and len(values[0]) > 1) or options.format == self.name else None
        return {} if isinstance(values[0], str) else None

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse the lines."""
        del context
        places = zip(segments.starts.tolist(), segments.ends.tolist(), strict=True)
        records = [data[start:end] for start, end in places]
        return read_values(records, segments.lines, options)
