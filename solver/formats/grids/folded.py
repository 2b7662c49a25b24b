"""Find the records of CSV text in which a quoted field may contain a grid with its line breaks."""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from solver.formats.format import Segments
from solver.formats.reading.lines import BOM

# A quote that isn't closed within this many bytes is an ordinary character.
_LONGEST = 1 << 14


@lru_cache(maxsize=4)
def _record(delimiter: str) -> re.Pattern[bytes]:
    """Return a regular expression for a record: quoted or bare fields, up to a line break."""
    mark = re.escape(delimiter).encode()
    field = rb'(?:[ ]*"(?:[^"]++|"")*+"[ ]*|(?![ ]*")[^\n%b]*+)' % mark
    return re.compile(rb"%b(?:%b%b)*+(?=\r?\n|\Z)" % (field, mark, field))


def segment_folded(
    data: bytes, *, line: int, final: bool, delimiter: str, skip: Sequence[bytes] = ()
) -> Segments:
    """Find the records of a CSV text, whose quoted fields may contain line breaks.

    `delimiter` separates the fields of a record. Blank records, # comments, and records that equal
    a text in `skip` are left out. A line with unbalanced quotes is a separate record, so it doesn't
    affect the next one. The same is true of a line whose quotes aren't closed within 16,384 bytes.
    """
    record = _record(delimiter)
    spans: list[tuple[int, int, int]] = []
    start = len(BOM) if line == 1 and data.startswith(BOM) else 0
    while start < len(data):
        furthest = min(start + _LONGEST, len(data))
        match = record.match(data, start, furthest)
        whole = match is not None and match.end() < furthest
        if not final and not whole and furthest == len(data):
            break
        end = match.end() if match is not None else data.find(b"\n", start)
        if not whole and furthest < len(data):
            end = data.find(b"\n", start)
        if end < 0:
            if not final:
                break
            end = len(data)
        text = data[start:end].rstrip(b"\r")
        if text.strip() and not text.lstrip().startswith(b"#") and text not in skip:
            spans.append((start, start + len(text), line))
        next_start = data.find(b"\n", end) + 1 or len(data)
        line += data.count(b"\n", start, next_start)
        start = next_start
    starts, ends, lines = np.array(spans, np.int64).reshape(-1, 3).T
    return Segments(starts, ends, lines, start)
