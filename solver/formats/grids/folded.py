"""Lines of CSV that go on: a quoted field may hold a whole grid, with the line breaks in it."""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from solver.formats.format import Segments
from solver.formats.reading.lines import BOM

# A quote that is not closed within so many bytes is none.
_LONGEST = 1 << 14


@lru_cache(maxsize=4)
def _record(delimiter: str) -> re.Pattern[bytes]:
    """Return what a record is: fields, quoted or not, up to a line break behind the last one."""
    mark = re.escape(delimiter).encode()
    field = rb'(?:[ ]*"(?:[^"]++|"")*+"[ ]*|(?![ ]*")[^\n%b]*+)' % mark
    return re.compile(rb"%b(?:%b%b)*+(?=\r?\n|\Z)" % (field, mark, field))


def segment_folded(
    data: bytes, *, line: int, final: bool, delimiter: str, skip: Sequence[bytes] = ()
) -> Segments:
    """Find the records that are not blank, no comment and not in `skip`.

    A line whose quotes are wrong is a record by itself, and costs the next one nothing.
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
        behind = data.find(b"\n", end) + 1 or len(data)
        line += data.count(b"\n", start, behind)
        start = behind
    starts, ends, lines = np.array(spans, np.int64).reshape(-1, 3).T
    return Segments(starts, ends, lines, start)
