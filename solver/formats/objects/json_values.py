"""Parse JSON texts, read puzzles from their values, and read NDJSON with a value per line."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import chain

import msgspec
import numpy as np
from numpy.typing import NDArray

from solver.board.display import shorten, shown
from solver.board.puzzle import Invalid
from solver.formats.format import Context, ReadOptions, Records, Segments
from solver.formats.grids.row_lists import are_quoted_rows, is_row
from solver.formats.objects.documents import read_document
from solver.formats.objects.iss import read_iss
from solver.formats.objects.iss_notation import is_iss
from solver.formats.objects.object_keys import IGNORED_ID_TYPES, NAME_KEYS, PUZZLE_KEYS
from solver.formats.objects.puzzle_object import find_name, name_in, read_object
from solver.formats.objects.written import read_written
from solver.formats.reading.bulk import Bulk
from solver.formats.reading.cells import Reading, is_square, refuse
from solver.formats.reading.collect import collect
from solver.formats.reading.lines import BOM, LineRecords, head_lines
from solver.formats.reading.text import decode, read_json

_PLAIN_KEYS = {*PUZZLE_KEYS, *NAME_KEYS}
_DIGITS = bytes.maketrans(bytes(range(10)), b"0123456789")
_DIGIT_VALUES = frozenset(range(10))
_PLAIN = re.compile(r"[0-9A-Za-z.*_?-]{16,}")
_STRING = "a string"
# Complete strings, the quote of an unclosed string, and brackets.
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*+"|["\[\]{}]', re.DOTALL)
_BEHIND = b", \t\r"
_ONE_OBJECT = re.compile(rb'\{\s*"(?!puzzles")')


def read_values(
    records: Sequence[bytes], lines: NDArray[np.int64], options: ReadOptions
) -> Records:
    """Read records that are one JSON value each, the simple ones in bulk.

    `lines` has the line number of each record. A comma after a value is ignored.
    """
    bulk = Bulk(len(records), options)
    names: dict[int, str] = {}
    by_length: dict[int, list[tuple[int, bytes]]] = {}
    # Lines copied from a list end with the comma after their element.
    records = [record.rstrip(_BEHIND) for record in records]
    for row, record in enumerate(records):
        try:
            value = msgspec.json.decode(record)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue  # the slower reader reports the reason
        name = None
        is_plain = isinstance(value, dict) and len(value) <= 2 and value.keys() <= _PLAIN_KEYS
        # The slower reader reports a custom_id that is ignored.
        if is_plain and not isinstance(value.get("custom_id"), IGNORED_ID_TYPES):
            grids = [value[key] for key in PUZZLE_KEYS if key in value]
            name, value = name_in(value), grids[0] if len(grids) == 1 else None
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
    """Return the characters of a puzzle in a simple JSON form, otherwise None.

    `value` is decoded JSON. It has a simple form if it is a string of 16 or more characters, all of
    which are ASCII letters, digits, or one of `.*_?-`, so it has no spaces. A list of N lists of N
    whole numbers from 0 to 9 is simple, too. The result is ASCII, a digit per number. Whether the
    number of characters is a square isn't checked.
    """
    if isinstance(value, str):
        return value.encode() if _PLAIN.fullmatch(value) else None
    if not isinstance(value, list) or not value or not isinstance(value[0], list):
        return None
    if set(map(type, value)) != {list} or set(map(len, value)) != {len(value)}:
        return None
    flat = list(chain.from_iterable(value))
    plain = set(map(type, flat)) == {int} and _DIGIT_VALUES.issuperset(flat)
    return bytes(flat).translate(_DIGITS) if plain else None


def load_json(text: str) -> object:
    """Return the value of a JSON text, or an Invalid with the reason why it can't be parsed."""
    try:
        return read_json(text)
    except UnicodeEncodeError:
        reason = "a string contains half of a surrogate pair"
    except json.JSONDecodeError as error:
        inside = find_open(text)
        if inside is not None and (error.pos >= len(text.rstrip()) or inside == _STRING):
            line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
            place = f"line {line}, column {column}" if line > 1 else f"character {column}"
            detail = f"the JSON is incomplete: it ends inside {inside} at {place}"
            return Invalid(detail, shorten(text))
        place = f"line {error.lineno}, column" if "\n" in text.strip() else "character"
        fault = error.msg.removesuffix(" at").replace("Expecting", "expected")
        fault = fault.replace("Extra data", "unexpected text after the value")
        reason = f"{fault[:1].lower()}{fault[1:]} at {place} {error.colno}"
    except (ValueError, RecursionError):
        reason = "it is nested too deeply, or a number is too long"
    return Invalid(f"this isn't valid JSON: {reason}", shorten(text))


def find_open(text: str) -> str | None:
    """Return "a string", "a list", or "an object" if the JSON ends inside one, otherwise None."""
    opened: list[str] = []
    for match in _TOKENS.finditer(text):
        mark = match[0]
        if mark in "[{":
            opened.append(mark)
        elif mark in "]}":
            del opened[-1:]
        elif mark == '"':
            return _STRING
    return {"[": "a list", "{": "an object"}[opened[-1]] if opened else None


def read_value(value: object, *, text: str, options: ReadOptions) -> Reading:
    """Read a puzzle from a parsed JSON value, such as a string or an object.

    `value` is the result of `load_json`. It can be a string, a list of cells or rows, an object, or
    an Invalid with the reason why the JSON couldn't be parsed. `text` is the JSON itself, for error
    messages. For an Invalid, the reading contains this Invalid, and the puzzle's name if one can be
    found in `text`. A value of any other kind, such as a number, gives an invalid reading.
    """
    if isinstance(value, Invalid):
        return Reading(value, name=find_name(text))
    if isinstance(value, str) and is_iss(value):
        return read_iss(value, options=options)
    if isinstance(value, (str, list)):
        return read_written(value, text=text, options=options)
    if not isinstance(value, dict):
        return refuse(f"a puzzle must be a string, a list, or an object, not {shown(value)}", text)
    document = read_document(value, text=text, options=options)
    return read_object(value, text=text, options=options) if document is None else document


class NdjsonFormat(LineRecords):
    """JSON values, one puzzle per line; implements `solver.formats.format.Format`."""

    name = "ndjson"
    description = (
        "One JSON value per line: a string, a list of rows or cells, or an object with a puzzle "
        "and optionally box, size, symbols, blank, variant, constraints, regions, and name."
    )
    example = (
        '"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"\n'
        '{"puzzle": "12.4...2....4..1", "box": "2x2", "name": "a small one"}\n'
    )

    def recognize(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Return {} if the first line is a JSON value with a puzzle, otherwise None.

        The value is an object without a list of puzzles, a string that isn't a row of a grid, or a
        list. Lists need at least two lines, because a single one may be a row or contain several
        puzzles. If the options name this format, any JSON value is recognized.
        """
        lines = head_lines(head, final=final)[:3]
        values = [load_json(line.lstrip("\ufeff").rstrip(_BEHIND.decode())) for line in lines]
        if not values:
            return None
        is_named = options.format == self.name
        begins = head.removeprefix(BOM).lstrip()
        if not final and b"\n" not in begins.rstrip():
            # The first line is longer than the head. An object is one puzzle, but a list may hold
            # many.
            is_value = is_named and begins.startswith((b"{", b"[", b'"'))
            return {} if is_value or _ONE_OBJECT.match(begins) else None
        if is_named:  # any JSON value may be first
            return None if isinstance(values[0], Invalid) else {}
        if isinstance(values[0], dict):
            return None if isinstance(values[0].get("puzzles"), list) else {}
        if isinstance(values[0], list):
            several = len(values) > 1 and not any(isinstance(value, Invalid) for value in values)
            if is_row(values[0]):
                return None
            return {} if several and len(values[0]) > 1 else None
        is_text = isinstance(values[0], str)
        return {} if is_text and not are_quoted_rows(head, final=final) else None

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse each line as a JSON value with one puzzle.

        Puzzles that consist of one string of cells, or of N rows of numbers from 0 to 9, are parsed
        in bulk. All others are parsed one by one.
        """
        del context
        places = zip(segments.starts.tolist(), segments.ends.tolist(), strict=True)
        records = [data[start:end] for start, end in places]
        return read_values(records, segments.lines, options)
