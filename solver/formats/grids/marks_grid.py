"""Find and parse grids of 81 groups of digits, the candidates of each cell, in any frame."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from solver.board.display import how_many, shorten
from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.formats.format import Group, Records, Segments
from solver.formats.reading.byte_tables import byte_table
from solver.formats.reading.cells import Reading, clean_name, refuse
from solver.formats.reading.collect import collect
from solver.formats.reading.lines import segment_lines
from solver.formats.reading.text import decode

_SIZE = 9
_FRAME = re.compile(r"[\s|!:+*│┃║]+")
# The candidates of a cell. "u" precedes a value that a player has placed.
_GROUP = re.compile(r"u?[1-9]|[1-9]{2,9}|[.0_]")
_FRAME_BYTES = byte_table(bytes([*"─━═│┃║╿".encode(), *range(0x80, 0xC0)]))  # any frame in UTF-8
_ROW_CHARACTERS = _FRAME_BYTES | byte_table(b"0123456789._u|!:+* \t\r-='`")
_GROUP_CHARACTERS = byte_table(b"123456789.0_")
_BIT = np.zeros(256, np.uint64)
_BIT[list(b"123456789")] = 1 << np.arange(9, dtype=np.uint64)
_BIT[list(b".0_")] = 0x1FF


def looks_like_marks(lines: Sequence[str]) -> bool:
    """Return whether lines of text look like rows of a candidate grid.

    Only the first nine lines with digits are examined. At least half of them must be rows of nine
    groups. A group is the candidates of one cell: digits in ascending order, a value that was
    placed (such as u5), or one of the signs . 0 _ for a cell with all candidates. All groups of a
    row may have a single digit, but in some row, at least one group must have several.
    """
    rows = [split_marks(line) for line in lines if re.search("[0-9]", line)][:_SIZE]
    fitting = [row for row in rows if len(row) == _SIZE and all(map(_is_group, row))]
    several = any(len(group.lstrip("u")) > 1 for row in fitting for group in row)
    return several and 2 * len(fitting) >= max(len(rows), 2)


def split_marks(line: str) -> list[str]:
    """Return the groups of candidates in a line, without the frame between them."""
    return [group for group in _FRAME.split(line) if group]


def _is_group(group: str) -> bool:
    ascends = all(a < b for a, b in pairwise(group) if a != "u")
    return _GROUP.fullmatch(group) is not None and ascends


def find_grids(data: bytes, *, line: int, final: bool) -> Segments:
    """Find the records in a piece of an upload that consists of candidate grids.

    A grid has nine rows. Each row should have nine groups of digits, the candidates of its cells,
    but that isn't checked here. A grid has fewer rows if a title, a blank line, or a # comment
    follows earlier. A title is a line with characters that rows never contain. The last title above
    a grid belongs to the grid's record.

    `data` is the piece, and `line` is the number of its first line in the upload. `final` means
    that the upload ends with this piece. Otherwise, an unfinished record at its end is left for the
    next piece: `consumed` in the result is where this record begins.
    """
    lines = segment_lines(data, line=line, final=final)
    kinds = _kinds(data, lines)
    spans: list[tuple[int, int, int]] = []
    first, last, rows = -1, -1, 0
    title: int | None = None
    numbers = lines.lines.tolist()

    def close() -> None:
        nonlocal first, rows, title
        if rows:
            start = lines.starts[first if title is None else title]
            spans.append((start, lines.ends[last], numbers[first]))
            title = None
        first, rows = -1, 0

    for index, kind in enumerate(kinds):
        if kind == "rule":
            continue
        gap = rows > 0 and numbers[index] > numbers[index - 1] + 1
        if kind == "title" or gap:
            close()
        if kind == "title":
            title = index
            continue
        first = index if rows == 0 else first
        last, rows = index, rows + 1
        if rows == _SIZE:
            close()
    if final:
        close()
    begun = title if title is not None else first
    consumed = int(lines.starts[begun]) if begun >= 0 and not final else lines.consumed
    starts, ends, first_lines = np.array(spans, np.int64).reshape(-1, 3).T
    return Segments(starts, ends, first_lines, consumed)


def _kinds(data: bytes, lines: Segments) -> list[str]:
    """Return the kind of each line: "title", "rule", or "row".

    A title contains a character that rows never contain. A rule is a line without digits from 1 to
    9.
    """
    text = np.frombuffer(data, np.uint8)
    if len(lines) == 0:
        return []
    counts = np.concatenate(([0], np.cumsum((text >= ord("1")) & (text <= ord("9")))))
    strange = np.concatenate(([0], np.cumsum(~_ROW_CHARACTERS[text])))
    digits = counts[lines.ends] - counts[lines.starts]
    others = strange[lines.ends] - strange[lines.starts]
    kinds = np.where(digits == 0, "rule", "row")
    kinds = np.where(others > 0, "title", kinds)
    return [str(kind) for kind in kinds.tolist()]


def parse_grids(data: bytes, segments: Segments, layout: Layout) -> Records:
    """Parse the valid grids of candidates in bulk, and find the error in each of the others.

    A title above a grid is its name. A cell with a single candidate is a given.
    """
    text = np.frombuffer(data, np.uint8)
    bodies = segments.starts.copy()
    names: dict[int, str] = {}
    for row in np.flatnonzero(_begin_with_titles(text, segments)).tolist():
        body = data.index(b"\n", segments.starts[row]) + 1
        name = clean_name(decode(data[segments.starts[row] : body]))
        bodies[row] = body
        if name is not None:
            names[row] = name
    candidates, good = _candidates(data, bodies, segments.ends)
    rows = np.flatnonzero(good)
    group = Group(layout, Symbols.usual(_SIZE), rows, single_values(candidates), candidates)

    def readings() -> Iterator[tuple[int, Reading]]:
        for row in np.flatnonzero(~good).tolist():
            yield row, _fault(decode(data[bodies[row] : segments.ends[row]]), layout)

    return collect(segments.lines, readings(), groups=(group,) if len(rows) else (), names=names)


def _begin_with_titles(text: NDArray[np.uint8], segments: Segments) -> NDArray[np.bool_]:
    """Return a mask of the records that begin with a title.

    A title is recognized by a character that rows never contain.
    """
    strange = np.flatnonzero(~_ROW_CHARACTERS[text] & (text != ord("\n")))
    titled: NDArray[np.bool_] = np.searchsorted(strange, segments.starts) < np.searchsorted(
        strange, segments.ends
    )
    return titled


def _candidates(
    data: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
    """Parse grids of candidates. Return bit masks, and which records are valid.

    `starts` and `ends` are the byte offsets of the records in `data`, excluding their titles. The
    masks have the shape (m, 81) for the m valid records, with bit 0 for the candidate 1. The second
    array has one bool for every record, valid or not.
    """
    text = np.frombuffer(data, np.uint8)
    inside = _GROUP_CHARACTERS[text]
    # In rules between the rows, dots and the like are decoration.
    for begin, end in _rule_spans(data):
        inside[begin:end] = False
    before = np.concatenate(([False], inside[:-1]))
    firsts = np.flatnonzero(inside & ~before)
    if len(firsts) == 0:
        return np.zeros((0, 81), np.uint64), np.zeros(len(starts), np.bool_)
    words = np.bitwise_or.reduceat(np.where(inside, _BIT[text], np.uint64(0)), firsts)
    from_, to = np.searchsorted(firsts, starts), np.searchsorted(firsts, ends)
    good = to - from_ == 81
    # The digits of a group ascend, without dots between them.
    broken = np.flatnonzero(inside & before & (text <= np.concatenate(([0], text[:-1]))))
    dotted = np.flatnonzero(inside & before & (np.isin(text, list(b".0_"))))
    # A placed cell has one value.
    digit = _BIT[text] > 0
    several = np.flatnonzero((text[:-2] == ord("u")) & digit[1:-1] & digit[2:])
    for wrong in (broken, dotted, several):
        good &= np.searchsorted(wrong, starts) == np.searchsorted(wrong, ends)
    places = from_[good, None] + np.arange(81)
    # Each row has nine groups, so a line break separates the last group from the next row.
    breaks = np.flatnonzero(text == ord("\n"))
    row_of = np.searchsorted(breaks, firsts[places]).reshape(-1, 9, 9)
    even = (row_of == row_of[:, :, :1]).all(axis=(1, 2)) & (
        np.diff(row_of[:, :, 0], axis=1) > 0
    ).all(axis=1)
    good[np.flatnonzero(good)[~even]] = False
    return words[places[even]], good


def _rule_spans(data: bytes) -> Iterator[tuple[int, int]]:
    for match in re.finditer(rb"^[^1-9\n]*[-=+.'][^1-9\n]*$", data, re.MULTILINE):
        yield match.span()


def single_values(candidates: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Return the value of each cell that has a single candidate, and 0 for the other cells.

    `candidates` are bit masks, with bit 0 for the value 1.
    """
    single = (candidates & (candidates - np.uint64(1)) == 0) & (candidates > 0)
    values = np.log2(np.where(single, candidates, 1)).astype(np.uint8) + np.uint8(1)
    return np.where(single, values, np.uint8(0))


def _fault(text: str, layout: Layout) -> Reading:
    """Return the reading of an invalid grid of candidates, with a message about its first fault."""
    lines = [line for line in text.splitlines() if re.search("[1-9]", line)]
    rows = [split_marks(line) for line in lines]
    detail = f"the grid has {how_many(len(rows), 'row')}, expected 9"
    for number, row in enumerate(rows, 1):
        if len(row) != _SIZE:
            groups = how_many(len(row), "group")
            detail = f"row {number} has {groups} of candidates, expected 9"
            break
        wrong = [column for column, group in enumerate(row) if not _is_group(group)]
        if wrong and number <= _SIZE:
            place = layout.cell_name(9 * (number - 1) + wrong[0])
            group = f"{shorten(row[wrong[0]], 20)!r} in {place}"
            detail = f"{group} isn't a group of candidates; expected digits in order, such as 259"
            break
    return refuse(detail, text)
