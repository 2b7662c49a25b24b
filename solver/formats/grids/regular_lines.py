"""Classifies all lines of a text of regular grids with NumPy arrays."""

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.formats.grids.line_kinds import COMMENT, SECTION, is_title
from solver.formats.reading.byte_tables import byte_mask, byte_table
from solver.formats.reading.one_byte import FIRST_OTHER, OneByteText, one_byte_text

ROW, RULE, BLANK, TITLE, ODD = range(5)  # kinds of lines


_LETTER = byte_table(bytes(range(65, 91)) + bytes(range(97, 123)))
_LOWER = byte_table(bytes(range(97, 123)))
_OTHER = byte_table(bytes(range(FIRST_OTHER, 256)))
CELL = _LETTER | _OTHER | byte_table(b"0123456789.*_?")
_WHITE = byte_table(b" \t\r\n")
_BETWEEN = byte_table(b" \t\r\n|!")
# A title is a comment, a section, a line that begins with a word such as "grid", or one with a
# capitalized word.
_TITLE_MARK = byte_table(b"#[")
_MAY_BEGIN_TITLE = byte_table(b"gpsbnGPSBN \t")
_NUMBERS_FROM = 10  # Rows with at least this many tokens are rows of tokens, not of characters.
_LONGEST_LINE = 1 << 12
_WORDS = re.compile(r"[^\d.*_?]+")

# These counts of each line are collected in one pass over the text, as fields of a 64-bit word:
#
#     bit  51 … 39 38 … 26 25 … 13 12 … 0
#          sure    no rule commas  cells     (of a line up to 4,096 characters)
#
# cells: possible cells; no rule: characters that never occur in a rule; sure: characters that show
# that spaces in the line are not empty cells.
_FIELD = 13


def _counters() -> NDArray[np.int64]:
    parts = (
        CELL,
        byte_table(b","),
        ~byte_table(b" \t+*|:=.'`,!-\r\n"),
        byte_table(b"0.*_?") | _LETTER | _OTHER,
    )
    words = [part.astype(np.int64) << _FIELD * n for n, part in enumerate(parts)]
    return np.asarray(sum(words))


_COUNTERS = _counters()
# Characters that cannot occur in rows of each style.
_STRANGE_AMONG = {
    "c": ~(CELL | byte_table(b" |!\r\n")),
    "n": ~(CELL | byte_table(b" |!\r\n")),
    ",": ~(CELL | byte_table(b",\r\n")),
}


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The lines of a text of grids as parallel arrays, one element per line.

    starts, ends  offsets in `text`, without the line break
    kinds         ROW, RULE (a drawn line), BLANK, TITLE, or ODD for all others
    widths        number of cells if the line is a row, −1 if it has other characters
    style         notation of the cells in all rows: "c" for characters, "n" for numbers between
                  spaces, "," for fields between commas
    """

    text: OneByteText
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    kinds: NDArray[np.int64]
    widths: NDArray[np.int64]
    style: str


# Cached because finding the records of a block and reading them needs the same lines.
@lru_cache(maxsize=2)
def classify_lines(data: bytes) -> Lines | None:
    """Return the lines of a text and the kind of each: ROW, RULE, BLANK, TITLE, or ODD.

    Returns None if the rows differ in notation, if the text has tabs or no rows, if a line is
    longer than 4,096 characters, or if `one_byte_text` doesn't support the text.
    """
    one_byte = one_byte_text(data)
    if one_byte is None:
        return None
    data = one_byte.data
    text = np.frombuffer(data, np.uint8)
    breaks = np.flatnonzero(text == ord("\n"))
    starts, ends = np.concatenate(([0], breaks + 1)), np.append(breaks, len(data))
    if starts[-1] == len(data):
        starts, ends = starts[:-1], ends[:-1]
    if len(starts) == 0 or int((ends - starts).max()) > _LONGEST_LINE:
        return None
    counts = np.add.reduceat(_COUNTERS[text], starts)
    cells, commas, no_rule, sure = ((counts >> _FIELD * n) & ((1 << _FIELD) - 1) for n in range(4))
    kinds = np.full(len(starts), ROW)
    dashes = _lines_with(_doubles(text, data, b"-="), starts)
    kinds[dashes[no_rule[dashes] == 0]] = RULE
    kinds[(ends == starts) | ((ends - starts == 1) & (text[starts] == ord("\r")))] = BLANK
    _mark_words(one_byte, starts, ends, kinds)
    rows = kinds == ROW
    if not rows.any():
        return None
    tokens = _count_tokens(data, starts)
    # The last line may be incomplete.
    known = rows[:-1] if rows[:-1].any() else rows
    style = _style(data, commas[: len(known)][known], tokens[: len(known)][known])
    if style is None:
        return None
    widths = {"c": cells, "n": tokens, ",": commas + 1}[style]
    widths[_lines_with(np.flatnonzero(byte_mask(data, _STRANGE_AMONG[style])), starts)] = -1
    if style == "c" and b" " in data:
        # Spaces may be empty cells unless other signs are.
        kinds[rows & (sure == 0) & (tokens > 1)] = ODD
    return Lines(one_byte, starts, ends, kinds, widths, style)


def _mark_words(
    one_byte: OneByteText,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    kinds: NDArray[np.int64],
) -> None:
    """Set the kinds of lines that are titles, other text, or white space only.

    `starts`, `ends`, and `kinds` are as in `Lines`. Such lines become TITLE, ODD, or BLANK in
    `kinds`.
    """
    data = one_byte.data
    has_digits = any(digit in data for digit in b"123456789")
    for line in _doubtful(np.frombuffer(data, np.uint8), data, starts):
        line_text = one_byte.characters(starts[line], ends[line]).rstrip("\r")
        if not line_text.strip():
            kinds[line] = BLANK
        elif is_title(line_text):
            comment = not line_text.lstrip().startswith("#") or COMMENT.fullmatch(line_text)
            kinds[line] = TITLE if comment and not SECTION.fullmatch(line_text) else ODD
        elif has_digits and _WORDS.fullmatch(line_text):
            kinds[line] = ODD


def _style(data: bytes, commas: NDArray[np.int64], tokens: NDArray[np.int64]) -> str | None:
    """Return the notation of the rows, given the numbers of commas and tokens in each row.

    It is "c" for characters, "n" for numbers between spaces, "," for fields between commas, or None
    if the rows differ or the text `data` has other delimiters.
    """
    if b"\t" in data:
        return None
    if b"," in data:
        return "," if (commas >= 2).all() and b";" not in data else None
    if (tokens >= _NUMBERS_FROM).all():
        return "n"
    return "c" if (tokens < _NUMBERS_FROM).all() else None


def _lines_with(places: NDArray[np.int64], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the indices of the lines that the given offsets are in, ascending.

    `places` ascends. `starts` has the offset of each line's start.
    """
    after = np.append(np.searchsorted(places, starts[1:]), len(places))
    return np.flatnonzero(np.diff(after, prepend=0))


def _doubles(text: NDArray[np.uint8], data: bytes, characters: bytes) -> NDArray[np.int64]:
    """Return the offsets of the given characters that directly follow an equal character.

    `text` is `data` as an array.
    """
    if not any(bytes([c, c]) in data for c in characters):
        return np.zeros(0, np.int64)
    twice = text[1:] == text[:-1]
    return np.flatnonzero(twice & byte_mask(data, byte_table(characters))[1:]) + 1


def _doubtful(text: NDArray[np.uint8], data: bytes, starts: NDArray[np.int64]) -> list[int]:
    """Return the indices of the lines that may be titles, other words, or white space only.

    `text` is `data` as an array, and `starts` has the offset of each line.
    """
    first = text[starts]
    lower = byte_mask(data, _LOWER)
    places = [np.flatnonzero(lower[1:] & lower[:-1])]
    if b"#" in data or b"[" in data:
        places.append(np.flatnonzero(byte_mask(data, _TITLE_MARK)))
    doubtful = _MAY_BEGIN_TITLE[first]
    # A line that begins with white space is a title only if it contains letters.
    blank = (first == ord(" ")) | (first == ord("\t"))
    if blank.any():
        letters = np.logical_or.reduceat(byte_mask(data, _LETTER), starts)
        written = np.logical_or.reduceat(byte_mask(data, ~_WHITE), starts)
        doubtful &= ~blank | letters | ~written
    for some in places:
        doubtful[_lines_with(some, starts)] = True
    return np.flatnonzero(doubtful).tolist()


def _count_tokens(data: bytes, starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of tokens in each line: runs of characters between spaces and bars.

    `starts` has the offset of each line. If there is no space in the whole text, the number is 1
    for each line.
    """
    if b" " not in data:
        return np.ones(len(starts), np.int64)
    white = byte_mask(data, _BETWEEN)
    begins = ~white
    begins[1:] &= white[:-1]
    return np.asarray(np.add.reduceat(begins.view(np.uint8), starts, dtype=np.int64))


def are_comments(lines: Lines) -> NDArray[np.bool_]:
    """Return a mask of the lines that begin with #."""
    text = np.frombuffer(lines.text.data + b"\n", np.uint8)
    return np.asarray(text[lines.starts] == ord("#"))
