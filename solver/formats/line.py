"""One puzzle a line: 81 characters, N² characters, or N² numbers."""

import re
from collections.abc import Iterator
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from solver.formats.cells import Reading, read_cells
from solver.formats.collect import collect
from solver.formats.format import Context, Group, ReadOptions, Records, Segments
from solver.formats.lines import end_of_line, head_lines, segment_lines
from solver.layout import MAX_SIZE, Layout
from solver.symbols import Symbols

_SEPARATORS = re.compile(r"[\s,;|]+")
_NUMBER_OR_BLANK = re.compile(r"\d{1,2}|[.*_?xX-]", re.ASCII)
_NEARLY_CLASSIC = re.compile(r"\s*[0-9.*_?xX-]{60,100}(\s|$)", re.ASCII)
# The blanks of the fast path: one of them a record, so that the answer can be written alike.
_FAST_BLANKS = b".0*_-xX?"
_CELLS = 81


def is_square(number: int) -> bool:
    """Return whether a grid can have so many cells."""
    return 0 < number <= MAX_SIZE**2 and isqrt(number) ** 2 == number


def split_line(text: str) -> list[str]:
    """Return the cells of a puzzle written in one line; what follows them is a comment."""
    body = text.partition("#")[0].strip("\r\n")
    tokens = [token for token in _SEPARATORS.split(body.strip()) if token]
    if len(tokens) >= 16 and is_square(len(tokens)) and all(map(_is_token, tokens)):
        return tokens
    if len(tokens) > 1 and len(tokens[0]) >= 16 and is_square(len(tokens[0])):
        return list(tokens[0])
    if " " in body and is_square(len(body)) and len(body) >= 16:
        return list(body)
    if len(tokens) > 1 and is_square(len("".join(tokens))):
        return list("".join(tokens))
    return list(tokens[0]) if tokens else []


def read_line(text: str, *, options: ReadOptions) -> Reading:
    """Read a puzzle written in one line."""
    return read_cells(split_line(text), text=text, options=options)


def decode(record: bytes) -> str:
    """Return a record as text; bytes that are not UTF-8 become U+FFFD, which is no symbol."""
    return record.decode("utf-8", "replace")


class LineFormat:
    """One puzzle a line; see `solver.formats.format.Format`."""

    name = "line"
    description = (
        "One puzzle a line, N×N characters (81 for 9×9), any usual blank; .sdm files too. "
        "What follows the puzzle, and lines that begin with #, are comments."
    )
    example = (
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n"
        "016400000200009000400000062070230100100000003003087040960000005000800007000006820\n"
    )

    def recognise(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Recognise an upload most of whose first lines have a square number of cells."""
        del options
        lines = head_lines(head, final=final)
        fitting = [line for line in lines if _looks_like_puzzle(line)]
        return {} if lines and 2 * len(fitting) >= len(lines) else None

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the lines that are neither blank nor comments."""
        del context
        return segment_lines(data, line=line, final=final)

    def resume(self, data: bytes, *, context: Context) -> int | None:
        """Go on behind the next line break."""
        del context
        return end_of_line(data)

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse plain 9×9 lines all at once, the others one by one."""
        del context
        groups: tuple[Group, ...] = ()
        slow = np.ones(len(segments), np.bool_)
        if options == ReadOptions(format=options.format):
            groups, slow = _parse_classic(data, segments)
        return collect(segments.lines, _parse_slowly(data, segments, slow, options), groups=groups)


def _parse_slowly(
    data: bytes, segments: Segments, slow: NDArray[np.bool_], options: ReadOptions
) -> Iterator[tuple[int, Reading]]:
    for row in np.flatnonzero(slow).tolist():
        record = decode(data[segments.starts[row] : segments.ends[row]])
        yield row, read_line(record, options=options)


def _parse_classic(data: bytes, segments: Segments) -> tuple[tuple[Group, ...], NDArray[np.bool_]]:
    """Read the lines of exactly 81 digits and blanks, one kind of blank in each line.

    Returns a group for each kind of blank, and which records are left for the slow way.
    """
    text = np.frombuffer(data, np.uint8)
    rows = np.flatnonzero(segments.ends - segments.starts == _CELLS)
    cells = text[segments.starts[rows][:, None] + np.arange(_CELLS)]
    values = cells - np.uint8(ord("0"))
    is_value = (values >= 1) & (values <= 9)
    # The one blank of each line: the largest and the least that is no value must be the same.
    largest = np.where(is_value, np.uint8(0), cells).max(axis=1, initial=0)
    least = np.where(is_value, np.uint8(255), cells).min(axis=1, initial=255)
    blank = np.where(least == 255, np.uint8(ord(".")), least)
    plain = ((largest == least) | (least == 255)) & np.isin(
        blank, np.frombuffer(_FAST_BLANKS, np.uint8)
    )
    slow = np.ones(len(segments), np.bool_)
    slow[rows[plain]] = False
    givens = np.where(is_value, values, np.uint8(0))
    groups = []
    for code in np.unique(blank[plain]).tolist():
        chosen = plain & (blank == code)
        symbols = Symbols.usual(9, blank=chr(code))
        groups.append(Group(Layout.boxed(3, 3), symbols, rows[chosen], givens[chosen]))
    return tuple(groups), slow


def _looks_like_puzzle(line: str) -> bool:
    cells = split_line(line)
    if len(cells) >= 16 and is_square(len(cells)):
        return True
    # A cell too few or too many makes it no other format.
    return _NEARLY_CLASSIC.match(line) is not None


def _is_token(token: str) -> bool:
    return _NUMBER_OR_BLANK.fullmatch(token) is not None
