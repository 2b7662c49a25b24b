"""Find the puzzles in a text of bracketed lists, with NumPy arrays if the text is regular."""

import re

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import MOST_IN_A_WORD
from solver.formats.format import Segments
from solver.formats.reading.byte_tables import byte_mask, byte_table
from solver.formats.reading.cells import is_square

# Brackets after a name are the sizes of a C array. Quotes aren't interpreted, because no cell
# contains a bracket, and a stray apostrophe mustn't hide a puzzle.
SIZES = r"(?<=[\w\]])\[\d*\]"
_SIZE = re.compile(rb"\[[0-9]*\]")
_MAY_STAND_BEFORE = byte_table(b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_]")
_MARKS = re.compile((SIZES + r"|[\[{]+|[\]}\n]").encode())
_KIND = bytes.maketrans(b"{}", b"[]")
_IS_BRACKET = byte_table(b"[]{}")
_END, _HEIGHT = 1, 3  # indices in a run of open brackets
# The brackets alone of a list of rows, and of a flat one.
_LISTS = {2: re.compile(rb"\[(?:\[\])+\]"), 1: re.compile(rb"\[\]")}


def is_flat(cells: int) -> bool:
    """Return whether a list of this many cells is taken for a whole puzzle rather than a row.

    That is, `cells` is a square number above 64. A row of an 81×81 or 100×100 grid is mistaken for
    a puzzle.
    """
    return cells > MOST_IN_A_WORD and is_square(cells)


def cut_lists(data: bytes, *, line: int, final: bool, height: int) -> Segments:
    """Find the puzzles in a text of bracketed lists. The text begins at line `line` of the upload.

    A puzzle is a list of rows (`height` 2) or a flat list of cells (`height` 1). With `height` 2, a
    flat list is also a puzzle if its number of cells is a square above 64. Lists around the puzzles
    are skipped.

    Two other kinds of lists are records, so that they are reported as invalid: lists of another
    nesting depth without a list around them, and the outermost list that a `final` text doesn't
    close. The nesting depth of a list is 1 if it contains no list.
    """
    regular = _cut_regular(data, line=line, final=final, height=height)
    if regular is not None:
        return regular
    return _cut(data, line=line, final=final, height=height)


def _cut_regular(data: bytes, *, line: int, final: bool, height: int) -> Segments | None:
    """Find the puzzles, using arrays, in a text whose lists all have the nesting depth `height`.

    A single list around all of them is allowed. Brackets with an array size, as in `int a[9][9]`,
    don't count. The parameters are those of `cut_lists`. Returns None if `_cut` must examine the
    text: it has no lists, a list has another depth, the brackets between or around the puzzles
    don't match this pattern, or a row has more than 64 cells, so it may be a whole puzzle.
    """
    text = np.frombuffer(data, np.uint8)
    places = np.flatnonzero(byte_mask(data, _IS_BRACKET))
    sizes = _sizes(data, text, places)
    if sizes:
        begins, ends = np.array(sizes, np.int64).T
        within = np.searchsorted(begins, places, side="right") - 1
        places = places[(within < 0) | (places >= ends[within])]
    brackets = text[places].tobytes().translate(_KIND)
    spans = np.array([match.span() for match in _LISTS[height].finditer(brackets)], np.int64)
    if len(spans) == 0:
        return None
    firsts, lasts = spans[:, 0], spans[:, 1] - 1
    before, after = brackets[: firsts[0]], brackets[lasts[-1] + 1 :]
    together = (firsts[1:] == lasts[:-1] + 1).all()
    # One list around all of them may open before the first and close after the last.
    if not together or before not in (b"", b"[") or (final and after.strip(b"]")):
        return None
    if height == 2 and _has_long_rows(text, places, brackets):
        return None
    starts, ends = places[firsts], places[lasts] + 1
    breaks = np.flatnonzero(text == ord("\n"))
    consumed = len(data) if final else int(ends[-1])
    if not after:
        consumed = max(consumed, data.rfind(b"\n") + 1)
    return Segments(starts, ends, np.searchsorted(breaks, starts) + line, consumed)


def _sizes(
    data: bytes, text: NDArray[np.uint8], places: NDArray[np.int64]
) -> list[tuple[int, int]]:
    """Return the (start, end) offsets of array sizes in brackets, such as [9] in C.

    Such brackets follow a name or another size, so they aren't lists of cells. `text` is `data` as
    an array, and `places` has the offsets of all brackets.
    """
    follows_name = _MAY_STAND_BEFORE[text[np.maximum(places - 1, 0)]] & (places > 0)
    sizes = []
    for place in places[follows_name & (text[places] == ord("["))].tolist():
        match = _SIZE.match(data, place)
        if match is not None:
            sizes.append(match.span())
    return sizes


def _has_long_rows(text: NDArray[np.uint8], places: NDArray[np.int64], brackets: bytes) -> bool:
    """Return whether an innermost list has more than 64 cells, so that it may be a whole puzzle.

    `text` is the upload as an array, `places` has the offsets of the brackets in it, and `brackets`
    has the brackets themselves, all written as square ones.
    """
    kinds = np.frombuffer(brackets, np.uint8)
    rows = np.flatnonzero((kinds[:-1] == ord("[")) & (kinds[1:] == ord("]")))
    lengths = places[rows + 1] - places[rows]
    if lengths.max(initial=0) <= 2 * MOST_IN_A_WORD:
        return False
    commas = np.concatenate(([0], np.cumsum(text == ord(","), dtype=np.int32)))
    cells = commas[places[rows + 1]] - commas[places[rows]] + 1
    return bool((cells > MOST_IN_A_WORD).any())


def _close(opened: list[list[int]]) -> tuple[int, int, int]:
    """Remove the last open bracket from `opened`. Return its offset, line, and nesting depth.

    The depth is 1 for a list without lists inside. `opened` has the runs of adjacent open brackets
    that aren't closed yet, as [start offset, end offset, line, depth]. The depth is that of the
    deepest closed list inside the run's last bracket, or 0 without one. The depth of the enclosing
    run is updated.
    """
    start, end, line, below = opened.pop()
    if start < end - 1:
        opened.append([start, end - 1, line, 0])
    height = below + 1
    if opened:
        opened[-1][_HEIGHT] = max(opened[-1][_HEIGHT], height)
    return end - 1, line, height


def _cut(data: bytes, *, line: int, final: bool, height: int) -> Segments:
    """Find the puzzles in any text of bracketed lists, bracket by bracket.

    Slower than `_cut_regular`, but without its restrictions. The parameters and the result are
    those of `cut_lists`.
    """
    spans: list[tuple[int, int, int]] = []
    # Runs of open brackets: start, end, line, and height of the content of the last one.
    opened: list[list[int]] = []
    consumed = 0
    for match in _MARKS.finditer(data):
        mark = match[0]
        if mark == b"\n":
            line += 1
        elif mark[0] in b"[{" and mark[-1] != ord("]"):
            opened.append([*match.span(), line, 0])
        elif mark in (b"]", b"}") and opened:
            start, first_line, own = _close(opened)
            # An open bracket around finished records may already be gone from the text.
            outermost = not opened or opened[-1][_END] <= consumed
            whole = outermost or own == height
            flat = own == 1 and is_flat(data.count(b",", start, match.end()) + 1)
            if start >= consumed and (whole or flat):
                spans.append((start, match.end(), first_line))
                consumed = match.end()
    if not opened or opened[-1][_END] <= consumed:
        # Text between lists ends with its line.
        consumed = max(consumed, data.rfind(b"\n") + 1)
    if final:
        wanted = [(start, len(data), first) for start, _, first, _ in opened if start >= consumed]
        spans += wanted[:1]
        consumed = len(data)
    starts, ends, lines = np.array(spans, np.int64).reshape(-1, 3).T
    return Segments(starts, ends, lines, consumed)
