"""Read one JSON document: a list of puzzles, an object with such a list, or a single puzzle."""

import contextlib
import re
from dataclasses import replace

import msgspec
import numpy as np

from solver.board.display import shorten
from solver.board.graphemes import count_graphemes, split_graphemes
from solver.board.puzzle import Invalid
from solver.formats.format import Context, ReadOptions, Records, Segments
from solver.formats.objects.json_list import find_ends
from solver.formats.objects.json_values import read_values
from solver.formats.reading.cells import are_boards
from solver.formats.reading.lines import BOM
from solver.formats.reading.text import decode

_SPACE = b" \t\r\n"
_ENDS_INSIDE = "the JSON is incomplete: it ends inside {}"
# The start of a list, up to its first element. A list of rows of numbers belongs to the format
# `lists`, unless it is nested so deeply that its elements are puzzles.
_OPENING = re.compile(rb'\s*(?:\{\s*"puzzles"\s*:\s*)?\[')
_ELEMENT = re.compile(rb'\s*(?:["{]|\[\s*\[|\])')
_STRING = re.compile(rb'"([^"\\]*)"')
_STRINGS = re.compile(rb'\s*"[^"\\]*"\s*(?:,\s*"[^"\\]*"\s*)*,?\s*')
_FEWEST_CELLS = 4
_OBJECT = re.compile(rb'\s*\{\s*(?:"|\})')
# A comma that seems to separate two elements. This can't be certain without the beginning.
_BETWEEN = re.compile(rb'[}\]"](\s*,)\s*(?:[\[{]|"[^"\\]*"\s*[,\]])')


class JsonFormat:
    """Puzzles in one JSON document; implements `solver.formats.format.Format`.

    A record extends from the comma before an element of the list to the comma after it. The first
    record begins with the document. So a piece that begins with a comma is from inside the list.
    """

    name = "json"
    description = (
        'One JSON document: a list of strings, grids, and objects, the same list as {"puzzles": [ '
        "… ]}, or the object of one puzzle. Python's notation with strings in single quotes "
        "works, too. A single list of numbers, cells, or rows is read as the format lists."
    )
    example = (
        '["12.4...2....4..1", {"puzzle": "12.4...2....4..1", "box": "2x2"}, '
        "[[1,2,0,4],[0,0,0,2],[0,0,0,0],[4,0,0,1]]]\n"
    )

    def recognize(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Return the context of an object or a list of puzzles, or None for any other upload.

        In a list of puzzles, the first element is a string, an object, or a grid. A list whose
        strings are the cells or rows of one grid is left to other formats. If the options name this
        format or an object contains the list, any list is recognized. The context states whether
        there is a list. If so, it also states whether strings have single quotes (`single`) and
        whether an object contains the list (`wrapped`).
        """
        del final
        head = head.removeprefix(BOM)
        opening = _OPENING.match(head)
        if opening is not None:
            named = options.format == self.name
            wrapped = b"{" in opening[0]
            single = b"'" in head and b'"' not in head
            text = _with_quotes(head, single=single)
            element = _ELEMENT.match(text, opening.end())
            if named or wrapped or (element and not _is_one_grid(text, opening.end())):
                return {"list": True, "single": single, "wrapped": wrapped}
        return {"list": False} if _OBJECT.match(head) else None

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the elements of the list of puzzles. A document without a list is one record.

        This record is found only in a `final` piece. If a `final` piece shows that the list or the
        object around it isn't closed, the result has a `fault`, unless the last element is
        truncated or malformed, so that its record is invalid.
        """
        if not context["list"]:
            spans = [(0, len(data), line)] if final and data.strip() else []
            return _segments(spans, consumed=len(data) if final else 0)
        data = _with_quotes(data, single=bool(context.get("single")))
        inside = _inside(data)
        if inside is None:
            return _segments([], consumed=len(data) if final else 0)
        edges = list(find_ends(data, inside))
        starts, begins, ends = [0, *edges], [inside, *(edge + 1 for edge in edges)], edges
        consumed, fault = starts[-1], None
        if final:
            consumed = len(data)
            closed = edges and data[edges[-1]] == ord("]")
            rest = data[begins[-1] :].strip(_SPACE)
            if not closed or rest.strip(_SPACE + b"]}"):
                ends = [*edges, len(data)]
            fault = _find_fault(rest, closed=bool(closed), wrapped=bool(context.get("wrapped")))
        spans, counted = [], 0
        for start, begin, end in zip(starts, begins, ends, strict=False):
            text = data[begin:end]
            if text.strip():
                first = end - len(text.lstrip(_SPACE))
                line, counted = line + data.count(b"\n", counted, first), first
                spans.append((start, end, line))
        return replace(_segments(spans, consumed=consumed), fault=fault)

    def resume(self, data: bytes, *, context: Context) -> int | None:
        """Return the offset in `data` of the next comma that seems to separate elements of a list.

        Reading resumes there after a damaged element. Returns None if there is no such comma, or no
        list of puzzles.
        """
        data = _with_quotes(data, single=bool(context.get("single")))
        match = _BETWEEN.search(data) if context["list"] else None
        return match.start(1) if match else None

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse the elements of the list. Text after the list becomes an invalid record."""
        data = _with_quotes(data, single=bool(context.get("single")))
        places = zip(segments.starts.tolist(), segments.ends.tolist(), strict=True)
        records = [data[start:end] for start, end in places]
        if records and records[-1].lstrip(_SPACE)[:1] == b"]":
            return _with_rest(read_values(_values(records[:-1]), segments.lines, options), records)
        return read_values(_values(records), segments.lines, options)


def _with_quotes(data: bytes, *, single: bool) -> bytes:
    """Return data with double quotes in place of single ones if `single`, or else unchanged."""
    return data.replace(b"'", b'"') if single else data


def _is_one_grid(head: bytes, inside: int) -> bool:
    """Return whether the strings in a list are the cells or rows of one grid, not puzzles.

    `inside` is the offset after the opening bracket. Returns False if the list has other elements
    or doesn't end in `head`.
    """
    end = head.find(b"]", inside)
    if end < 0 or not _STRINGS.fullmatch(head, inside, end):
        return False
    strings = [decode(string) for string in _STRING.findall(head, inside, end)]
    lengths = set(map(count_graphemes, strings))
    if max(lengths) <= 2:
        return len(strings) >= _FEWEST_CELLS
    return lengths == {len(strings)} and not are_boards(list(map(split_graphemes, strings)))


def _inside(data: bytes) -> int | None:
    """Return the offset in `data` at which the next element of a list can begin.

    `data` is a document, or the part of one that follows an element. The offset is after the
    opening of the list and any byte order mark before it, or after a comma at the beginning. It is
    0 if the list ends here with a bracket. Returns None if `data` begins in any other way. Spaces
    before the opening, the comma, or the bracket are skipped.
    """
    skipped = len(BOM) if data.startswith(BOM) else 0
    opening = _OPENING.match(data, skipped)
    if opening is not None:
        return opening.end()
    first = data.lstrip(_SPACE)[:1]
    if first == b",":
        return data.index(b",") + 1
    return 0 if first == b"]" else None


def _values(records: list[bytes]) -> list[bytes]:
    """Return the element in each record, without the comma or the list's opening before it."""
    values = [record[_inside(record) or 0 :].strip() for record in records]
    return [value.removeprefix(BOM) for value in values]


def _with_rest(records: Records, texts: list[bytes]) -> Records:
    """Return the records with the last one made invalid, because it is text after the list.

    `texts` has the texts of all records. Their puzzles were read without the last one.
    """
    text = decode(texts[-1].strip(_SPACE + b"]}"))
    detail = "unexpected text after the end of the list of puzzles"
    invalid = {**records.invalid, len(texts) - 1: Invalid(detail, shorten(text))}
    return replace(records, invalid=invalid)


def _find_fault(rest: bytes, *, closed: bool, wrapped: bool) -> str | None:
    """Return the error message for a truncated document, or None if it is complete.

    `rest` is the text after the last comma or bracket. `closed` means that the list is closed, and
    `wrapped` that an object is around it. A truncated element isn't reported here, because its
    record is invalid.
    """
    if closed:
        return (
            _ENDS_INSIDE.format("the object around the puzzles") if wrapped and not rest else None
        )
    with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        if rest:
            msgspec.json.decode(rest)
        return _ENDS_INSIDE.format("the list of puzzles")
    return None


def _segments(spans: list[tuple[int, int, int]], *, consumed: int) -> Segments:
    starts, ends, lines = np.array(spans, np.int64).reshape(-1, 3).T
    return Segments(starts, ends, lines, consumed)
