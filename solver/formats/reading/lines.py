"""Splits text into lines with NumPy, for all formats with one record per line."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.board.graphemes import normalize
from solver.formats.format import Context, Segments

_NEWLINE, _RETURN, _SPACE, _TAB, _COMMENT = (ord(c) for c in "\n\r \t#")
_FENCES = [ord(c) for c in "`~["]
BOM = b"\xef\xbb\xbf"
# Fences around text that was pasted from Markdown or forums.
_FENCE = re.compile(rb"(?:```\w*|~~~|\[/?(?:code|quote|pre)\])\s*")
_LONGEST_FENCE = 16
_LOOKED_AT = 60  # Lines that are examined to recognize a format.


def segment_lines(data: bytes, *, line: int, final: bool, skip: Sequence[bytes] = ()) -> Segments:
    """Find the record lines: all except blank lines, # comments, code fences, and `skip`.

    `skip` has the bytes of whole lines. Unless `final`, the last line is incomplete and is left for
    the next piece. A byte order mark in line 1 isn't part of the record.
    """
    text = np.frombuffer(data, np.uint8)
    breaks = _line_breaks(data, text)
    starts = np.concatenate(([0], breaks + 1))
    ends = np.concatenate((breaks, [len(data)]))
    if not final:
        consumed = int(starts[-1])
        starts, ends = starts[:-1], ends[:-1]
    else:
        consumed = len(data)
    lines = np.arange(line, line + len(starts))
    if len(data) and data.startswith(BOM) and line == 1 and len(starts):
        starts[0] += len(BOM)
    # A carriage return before the line feed is part of the line break.
    full = ends > starts
    returns = np.zeros(len(ends), np.bool_)
    returns[full] = text[ends[full] - 1] == _RETURN
    ends = ends - returns
    full = ends > starts
    first = np.full(len(starts), _COMMENT, np.uint8)
    first[full] = text[starts[full]]
    record = first != _COMMENT
    # Few lines begin with white space, so a loop is fast enough.
    for i in np.flatnonzero((first == _SPACE) | (first == _TAB)).tolist():
        record[i] = data[starts[i] : ends[i]].strip()[:1] not in (b"", b"#")
    may_fence = (ends - starts <= _LONGEST_FENCE) & np.isin(first, _FENCES)
    for i in np.flatnonzero(may_fence).tolist():
        record[i] = _FENCE.fullmatch(data, starts[i], ends[i]) is None
    for skipped in skip:
        for i in np.flatnonzero(record & (ends - starts == len(skipped))).tolist():
            record[i] &= data[starts[i] : ends[i]] != skipped
    return Segments(
        starts[record].astype(np.int64),
        ends[record].astype(np.int64),
        lines[record].astype(np.int64),
        consumed,
    )


def _line_breaks(data: bytes, text: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the offsets of all line feeds in `data`, given also as the array `text`.

    If all lines have equal lengths, the offsets are computed instead of searched for.
    """
    width = data.find(b"\n") + 1
    is_break = text == _NEWLINE
    if width and is_break[width - 1 :: width].all():
        breaks = np.arange(width - 1, len(text), width)
        if len(breaks) == np.count_nonzero(is_break):
            return breaks
    return np.flatnonzero(is_break)


def end_of_line(data: bytes) -> int | None:
    """Return the offset after the first line break in `data`, or None if there is none."""
    line_break = data.find(b"\n")
    return None if line_break < 0 else line_break + 1


@lru_cache(maxsize=2)  # Cached because one format after the other examines the same header.
def head_lines(head: bytes, *, final: bool) -> tuple[str, ...]:
    """Return the text of the first 60 complete lines that are neither blank nor comments.

    `final` means that `head` is the whole upload, so its last line is complete. Otherwise, if no
    line is complete, the head is returned as one line.
    """
    segments = segment_lines(head, line=1, final=final)
    starts, ends = segments.starts[:_LOOKED_AT].tolist(), segments.ends[:_LOOKED_AT].tolist()
    pairs = zip(starts, ends, strict=True)
    lines = [normalize(head[start:end].decode("utf-8", "replace")) for start, end in pairs]
    if not lines and not final:
        lines = [normalize(head.decode("utf-8", "replace"))]
    return tuple(lines)


def most_look_right(head: bytes, looks_right: Callable[[str], bool], *, final: bool) -> bool:
    """Return whether `looks_right` is true for at least half of the first lines of an upload.

    Returns False if there are no lines.
    """
    lines = head_lines(head, final=final)
    return bool(lines) and 2 * sum(map(looks_right, lines)) >= len(lines)


class LineRecords:
    """Base class for formats with one record per line; see `solver.formats.format.Format`."""

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the lines that aren't blank, comments, or code fences."""
        del context
        return segment_lines(data, line=line, final=final)

    def resume(self, data: bytes, *, context: Context) -> int | None:
        """Return the offset after the next line break, or None if `data` has no line break."""
        del context
        return end_of_line(data)
