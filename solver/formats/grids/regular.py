"""Finds and reads many regular grids at once with NumPy arrays.

A text is regular if all rows have the same number of cells N, every N rows form a grid, and only
titles, rules, and regular blank lines come between them. Where a text stops being regular,
`solver.formats.grids.grid` continues line by line. That module defines the results. This one must
give the same ones, only faster.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import MOST_IN_A_WORD, usual_box
from solver.formats.format import ReadOptions, Segments
from solver.formats.grids.candidates_drawn import DRAWN_SIZES
from solver.formats.grids.grid_record import Finder, GridRecord
from solver.formats.grids.line_kinds import COMMENT, SECTION, is_title
from solver.formats.reading.bulk import Bulk
from solver.formats.reading.cells import clean_name
from solver.formats.reading.one_byte import FIRST_OTHER, OneByteText, one_byte_text

_ROW, _RULE, _BLANK, _TITLE, _ODD = range(5)


def _table(characters: bytes) -> NDArray[np.bool_]:
    table = np.zeros(256, np.bool_)
    table[list(characters)] = True
    return table


_LETTER = _table(bytes(range(65, 91)) + bytes(range(97, 123)))
_OTHER_BLANK = _table(b".0*_?xXbB-")
_LOWER = _table(bytes(range(97, 123)))
_OTHER = _table(bytes(range(FIRST_OTHER, 256)))
_CELL = _LETTER | _OTHER | _table(b"0123456789.*_?")
_WHITE = _table(b" \t\r\n")
_BETWEEN = _table(b" \t\r\n|!")
_EMPTY_CELL = _table(b".0*_-?xXbB")
_NEVER_LABEL = _table(b".*_-?")
# A title is a comment, a section, a line that begins with a word such as "grid", or one with a
# capitalized word.
_TITLE_MARK = _table(b"#[")
_MAY_BEGIN_TITLE = _table(b"gpsbnGPSBN \t")
_NUMBERS_FROM = 10  # Rows with at least this many tokens are rows of tokens, not of characters.
_LONGEST_LINE = 1 << 12
_MOST_COMMENTS = 20  # lines above a grid
_BLANK_SHARE = 3  # a character in more than a third of the cells is a blank
_WORDS = re.compile(r"[^\d.*_?]+")
_ALIKE = re.compile(rb"(?<![^\s|,])([1-9A-Za-z][0-9]?)[ ]+\1(?![^\s|,])")

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
        _CELL,
        _table(b","),
        ~_table(b" \t+*|:=.'`,!-\r\n"),
        _table(b"0.*_?") | _LETTER | _OTHER,
    )
    words = [part.astype(np.int64) << _FIELD * n for n, part in enumerate(parts)]
    return np.asarray(sum(words))


_COUNTERS = _counters()
# Characters that cannot occur in rows of each style.
_STRANGE_AMONG = {
    "c": ~(_CELL | _table(b" |!\r\n")),
    "n": ~(_CELL | _table(b" |!\r\n")),
    ",": ~(_CELL | _table(b",\r\n")),
}


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The lines of a text as parallel arrays: offsets without the line break, kinds, and widths.

    `style` is the notation of the cells in all rows: "c" for characters, "n" for numbers between
    spaces, "," for fields between commas.
    """

    text: OneByteText
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    kinds: NDArray[np.int64]
    widths: NDArray[np.int64]
    style: str


# Cached because finding the records of a block and reading them needs the same lines.
@lru_cache(maxsize=2)
def look_at_lines(data: bytes) -> Lines | None:
    """Return the lines of a text, or None if its rows use different notations."""
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
    kinds = np.full(len(starts), _ROW)
    dashes = _lines_with(_doubles(text, data, b"-="), starts)
    kinds[dashes[no_rule[dashes] == 0]] = _RULE
    kinds[(ends == starts) | ((ends - starts == 1) & (text[starts] == ord("\r")))] = _BLANK
    _look_at_words(one_byte, starts, ends, kinds)
    rows = kinds == _ROW
    if not rows.any():
        return None
    tokens = _count_tokens(text, data, starts)
    # The last line may be incomplete.
    known = rows[:-1] if rows[:-1].any() else rows
    style = _style(data, commas[: len(known)][known], tokens[: len(known)][known])
    if style is None:
        return None
    widths = {"c": cells, "n": tokens, ",": commas + 1}[style]
    widths[_lines_with(np.flatnonzero(_STRANGE_AMONG[style][text]), starts)] = -1
    if style == "c" and b" " in data:
        # Spaces may be empty cells unless other signs are.
        kinds[rows & (sure == 0) & (tokens > 1)] = _ODD
    return Lines(one_byte, starts, ends, kinds, widths, style)


def _look_at_words(
    one_byte: OneByteText,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    kinds: NDArray[np.int64],
) -> None:
    """Mark the lines that are titles, other text, or white space only."""
    data = one_byte.data
    has_digits = any(digit in data for digit in b"123456789")
    for line in _doubtful(np.frombuffer(data, np.uint8), data, starts):
        said = one_byte.characters(starts[line], ends[line]).rstrip("\r")
        if not said.strip():
            kinds[line] = _BLANK
        elif is_title(said):
            comment = not said.lstrip().startswith("#") or COMMENT.fullmatch(said)
            kinds[line] = _TITLE if comment and not SECTION.fullmatch(said) else _ODD
        elif has_digits and _WORDS.fullmatch(said):
            kinds[line] = _ODD


def _style(data: bytes, commas: NDArray[np.int64], tokens: NDArray[np.int64]) -> str | None:
    """Return the notation of the rows from their numbers of commas and tokens."""
    if b"\t" in data:
        return None
    if b"," in data:
        return "," if (commas >= 2).all() and b";" not in data else None
    if (tokens >= _NUMBERS_FROM).all():
        return "n"
    return "c" if (tokens < _NUMBERS_FROM).all() else None


def _lines_with(places: NDArray[np.int64], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the lines that contain the offsets."""
    lines = np.searchsorted(starts, places, side="right") - 1
    return lines[np.flatnonzero(np.diff(lines, prepend=-1))]


def _doubles(text: NDArray[np.uint8], data: bytes, characters: bytes) -> NDArray[np.int64]:
    """Return the offsets at which one of the characters is repeated."""
    if not any(bytes([c, c]) in data for c in characters):
        return np.zeros(0, np.int64)
    twice = text[1:] == text[:-1]
    return np.flatnonzero(twice & _table(characters)[text[1:]]) + 1


def _doubtful(text: NDArray[np.uint8], data: bytes, starts: NDArray[np.int64]) -> list[int]:
    """Return the lines that may be titles or white space only."""
    first = text[starts]
    lower = _LOWER[text]
    places = [np.flatnonzero(lower[1:] & lower[:-1])]
    if b"#" in data or b"[" in data:
        places.append(np.flatnonzero(_TITLE_MARK[text]))
    doubtful = _MAY_BEGIN_TITLE[first]
    # A line that begins with white space is a title only if it contains letters.
    blank = (first == ord(" ")) | (first == ord("\t"))
    if blank.any():
        letters = np.logical_or.reduceat(_LETTER[text], starts)
        written = np.logical_or.reduceat(~_WHITE[text], starts)
        doubtful &= ~blank | letters | ~written
    for some in places:
        doubtful[_lines_with(some, starts)] = True
    return np.flatnonzero(doubtful).tolist()


def _count_tokens(
    text: NDArray[np.uint8], data: bytes, starts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the number of tokens between spaces and bars in each line."""
    if b" " not in data:
        return np.ones(len(starts), np.int64)
    white = _BETWEEN[text]
    begins = ~white
    begins[1:] &= white[:-1]
    return np.asarray(np.add.reduceat(begins.view(np.uint8), starts, dtype=np.int64))


def cut_regular(data: bytes, *, line: int) -> Segments | None:
    """Find the grids in the regular part at the beginning of a text, or None if there are none.

    `consumed` is the end of that part. It excludes the last grid, because the following lines may
    belong to it.
    """
    if not data.isascii():
        data = data[: data.rfind(b"\n") + 1]  # The last character may be incomplete.
    lines = look_at_lines(data)
    if lines is None:
        return None
    rows = np.flatnonzero(lines.kinds == _ROW)
    size = int(lines.widths[rows[0]]) if len(rows) else 0
    if not 4 <= size <= MOST_IN_A_WORD:
        return None
    if not _begins_with_grid(lines, size):
        return None
    grids = _whole_grids(lines, rows, size) - 1
    if grids <= 0:
        return None
    firsts, lasts = rows[: grids * size : size], rows[size - 1 : grids * size : size]
    titles = np.flatnonzero(lines.kinds == _TITLE)
    run_starts = titles[np.maximum.accumulate(_run_places(titles))] if len(titles) else titles
    above = np.searchsorted(titles, firsts) - 1
    behind = np.concatenate(([-1], lasts[:-1]))
    begins = firsts.copy()
    titled = above >= 0
    titled[titled] &= titles[above[titled]] > behind[titled]
    begins[titled] = run_starts[above[titled]]
    text = lines.text
    returns = np.frombuffer(text.data, np.uint8)[lines.ends[lasts] - 1] == ord("\r")
    consumed = np.minimum(lines.ends[lasts[-1:]] + 1, len(text.data))
    return Segments(
        text.behind(lines.starts[begins]),
        text.behind(lines.ends[lasts] - returns),
        firsts + line,
        int(text.behind(consumed)[0]),
    )


def _begins_with_grid(lines: Lines, size: int) -> bool:
    """Return whether the line-by-line reader also finds a first grid of this size."""
    few = min(len(lines.starts), 4 * size + 20)
    texts = [lines.text.characters(lines.starts[n], lines.ends[n]).rstrip("\r") for n in range(few)]
    record = Finder(texts, signs="", final=True).find(0)
    if not isinstance(record, GridRecord) or record.grid is None:
        return False
    return record.grid.size == size and not record.labels


def _whole_grids(lines: Lines, rows: NDArray[np.int64], size: int) -> int:
    """Return the number of grids of `size` rows before the first irregular line."""
    odd = np.flatnonzero((lines.kinds == _ODD) | ((lines.kinds == _ROW) & (lines.widths != size)))
    most = len(rows) if len(odd) == 0 else int(np.searchsorted(rows, odd[0]))
    # The last line may continue in the next piece of the text.
    if most == len(rows) and rows[-1] == len(lines.starts) - 1:
        most -= 1
    order = np.searchsorted(rows, np.arange(len(lines.starts)))  # rows above each line
    # A rule directly below the first row may follow the header of a table.
    ruled = order[lines.kinds == _RULE]
    headed = np.setdiff1d(ruled[ruled % size == 1], ruled[ruled % size == 2] - 1)
    if len(headed):
        most = min(most, int(headed[0]) - 1)
    inside = order % size != 0
    # A title is directly above its grid, with nothing but comments above the title.
    is_title = lines.kinds == _TITLE
    below = np.append(lines.kinds[1:], _BLANK)
    followed = np.isin(below, (_ROW, _RULE)) | (_are_comments(lines) & (below == _TITLE))
    titled = np.flatnonzero(is_title & (inside | ~followed | _are_far_above(is_title)))
    if len(titled):
        most = min(most, int(order[titled[0]]))
    alike = _first_alike(lines, rows)
    if alike is not None:
        # Labels belong to the grid above them.
        most = min(most, (alike // size - 1) * size)
    gaps = np.flatnonzero((lines.kinds == _BLANK) & inside)
    if len(gaps):
        # Blank lines in a grid must separate all of its bands, otherwise the grid is irregular.
        box = usual_box(size)
        band = box[0] if box else size
        places = order[gaps]
        at_bands = (places % band == 0) & (band > 1)
        at_bands[1:] &= places[1:] != places[:-1]
        counts = np.bincount(places // size, minlength=most // size + 1)
        full = (counts == 0) | (counts == size // band - 1)
        if not at_bands.all():
            most = min(most, int(places[~at_bands][0]))
        if not full.all():
            most = min(most, int(np.flatnonzero(~full)[0]) * size)
    return max(most, 0) // size


def _are_comments(lines: Lines) -> NDArray[np.bool_]:
    """Return which lines begin with #."""
    text = np.frombuffer(lines.text.data + b"\n", np.uint8)
    return np.asarray(text[lines.starts] == ord("#"))


def _run_places(titles: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the index of each title that begins a run of adjacent titles, and 0 for the others."""
    begins = np.diff(titles, prepend=-2) > 1
    return np.where(begins, np.arange(len(titles)), 0)


def _are_far_above(is_title: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which lines end a run of titles that is too long to be kept completely."""
    count = np.concatenate(([0], np.cumsum(is_title)))
    far = np.zeros(len(is_title), np.bool_)
    far[_MOST_COMMENTS:] = count[_MOST_COMMENTS + 1 :] - count[: -_MOST_COMMENTS - 1] > (
        _MOST_COMMENTS
    )
    return far


def _first_alike(lines: Lines, rows: NDArray[np.int64]) -> int | None:
    """Return the index of the first row with two equal neighbors that aren't empty cells."""
    data = lines.text.data
    text = np.frombuffer(data, np.uint8)
    if lines.style == "n":
        match = _ALIKE.search(data)
        places = np.array([match.start()] if match else [], np.int64)
    else:
        value = _CELL[text] & ~_EMPTY_CELL[text]
        counts = np.bincount(text[value], minlength=256)
        if _BLANK_SHARE * counts.max() > np.count_nonzero(_CELL[text]):
            value &= text != counts.argmax()
        near = np.flatnonzero((text[1:] == text[:-1]) & value[1:])
        far = (text[2:] == text[:-2]) & value[2:] & _table(b" ,")[text[1:-1]]
        places = np.sort(np.concatenate((near, np.flatnonzero(far))))
    found = np.searchsorted(lines.starts, places, side="right") - 1
    own = np.searchsorted(rows, found[lines.kinds[found] == _ROW])
    return int(own[0]) if len(own) else None


def read_regular(
    data: bytes, segments: Segments, options: ReadOptions
) -> tuple[Bulk, dict[int, str]]:
    """Read the regular grids among the records, and their titles. The other records are skipped."""
    bulk = Bulk(len(segments), options)
    lines = look_at_lines(data)
    if lines is None or len(segments) == 0:
        return bulk, {}
    rows = np.flatnonzero(lines.kinds == _ROW)
    starts, ends = lines.text.within(segments.starts), lines.text.within(segments.ends)
    first = np.searchsorted(lines.starts[rows], starts)
    heights = np.searchsorted(lines.starts[rows], ends) - first
    begins = np.searchsorted(lines.starts, starts)
    behind = np.searchsorted(lines.starts, ends)
    strange = _running_count(np.isin(lines.kinds, (_ODD, _TITLE)))
    titles, comments = _running_count(lines.kinds == _TITLE), _running_count(_are_comments(lines))
    for size in np.unique(heights).tolist():
        if not 4 <= size <= MOST_IN_A_WORD or size in DRAWN_SIZES:
            continue
        records = np.flatnonzero(heights == size)
        own = rows[first[records, None] + np.arange(size)]
        even = (lines.widths[own] == size).all(axis=1)
        records, own = records[even], own[even]
        # The line-by-line reader handles text other than a title with comments above it.
        start = begins[records]
        above = strange[own[:, 0]] - strange[start]
        last = start + np.maximum(above - 1, 0)
        clean = strange[behind[records]] - strange[start] == above
        clean &= (above == 0) | (titles[last + 1] - titles[start] == above)
        clean &= comments[last] - comments[start] == last - start
        records, own = records[clean], own[clean]
        plain = _is_drawn_plainly(lines, own)
        _read_rows(lines, own[plain], records[plain], bulk)
    names: dict[int, str] = {}
    for row in np.flatnonzero(~bulk.left & (lines.kinds[begins] == _TITLE)).tolist():
        line = begins[row]
        while lines.kinds[line] == _TITLE:
            said = lines.text.characters(lines.starts[line], lines.ends[line])
            names[row] = clean_name(said) or names.get(row, "")
            line += 1
    return bulk, {row: name for row, name in names.items() if name}


def _running_count(marked: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the number of marked lines before each line, and the total as the last element."""
    return np.concatenate(([0], np.cumsum(marked)))


def _is_drawn_plainly(lines: Lines, own: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which grids (m, size) show no boxes or the usual ones.

    The line-by-line reader handles all others.
    """
    size = own.shape[1]
    plain = np.ones(len(own), np.bool_)
    box = usual_box(size)
    if len(own) == 0 or box is None:
        return ~plain
    high, wide = box
    text = np.frombuffer(lines.text.data, np.uint8)
    if lines.style == "c":
        plain &= _has_plain_bars(lines, own, wide)
    elif b"|" in lines.text.data or b"!" in lines.text.data:
        plain[:] = False
    rules = np.flatnonzero((lines.kinds == _RULE) | (lines.kinds == _BLANK))
    for kind in (_RULE, _BLANK):
        among = rules[lines.kinds[rules] == kind]
        if len(among) == 0:
            continue
        drawn = np.searchsorted(among, own[:, 1:]) > np.searchsorted(among, own[:, :-1])
        usual = np.arange(1, size) % high == 0
        whole = drawn.all(axis=1) & (kind == _RULE)
        plain &= ~drawn.any(axis=1) | (drawn == usual).all(axis=1) | whole
        if kind == _RULE:
            ends = np.minimum(lines.ends[among], len(text) - 1)
            odd = [
                b"=" in rule or b" " in rule.strip()
                for rule in map(lines.text.data.__getitem__, map(slice, lines.starts[among], ends))
            ]
            wrong = np.concatenate(([0], np.cumsum(odd)))
            places = np.searchsorted(among, own[:, [0, -1]])
            plain &= wrong[places[:, 1]] == wrong[places[:, 0]]
    return plain


def _has_plain_bars(lines: Lines, own: NDArray[np.int64], wide: int) -> NDArray[np.bool_]:
    """Return which grids of characters have no boxes in their rows, or the usual ones.

    Such rows have no bars, bars between boxes, or bars between all cells. Without bars, gaps may be
    wider between boxes.
    """
    size = own.shape[1]
    text = np.frombuffer(lines.text.data, np.uint8)
    if not any(sign in lines.text.data for sign in b"|! "):
        return np.ones(len(own), np.bool_)
    flat = own.ravel()
    cells = np.concatenate(([0], np.cumsum(_CELL[text])))
    edges = np.zeros((len(flat), size + 1), np.int64)  # bars at each place between cells
    spaces = np.zeros((len(flat), size + 1), np.int64)
    row_of = np.full(len(lines.starts), -1)
    row_of[flat] = np.arange(len(flat))
    for counts, signs in ((edges, b"|!"), (spaces, b" ")):
        places = np.flatnonzero(_table(signs)[text])
        line = np.searchsorted(lines.starts, places, side="right") - 1
        inside = row_of[line] >= 0
        places, line = places[inside], line[inside]
        before = np.minimum(cells[places] - cells[lines.starts[line]], size)
        np.add.at(counts, (row_of[line], before), 1)
    inner, gaps = edges[:, 1:size], spaces[:, 1:size]
    usual = np.arange(1, size) % wide == 0
    bars_at_boxes = (inner == usual).all(axis=1)
    bars_everywhere = (inner == 1).all(axis=1)
    no_bars = (inner == 0).all(axis=1)
    even = ((gaps == gaps[:, :1]) | (inner > 0)).all(axis=1) & (gaps <= 2).all(axis=1)
    even &= no_bars | bars_at_boxes | bars_everywhere
    even &= ~no_bars | (gaps <= 1).all(axis=1)
    narrowest = gaps.min(axis=1, keepdims=True)
    boxed = ((gaps > narrowest) == usual).all(axis=1) & (narrowest[:, 0] <= 1)
    even |= no_bars & boxed
    kind = bars_at_boxes + 2 * bars_everywhere
    grids = even.reshape(len(own), size).all(axis=1)
    kinds = kind.reshape(len(own), size)
    same: NDArray[np.bool_] = grids & (kinds == kinds[:, :1]).all(axis=1)
    return same


def _read_rows(
    lines: Lines,
    rows: NDArray[np.int64],
    records: NDArray[np.int64],
    bulk: Bulk,
) -> None:
    """Read grids whose rows (m, size) are lines of equal width."""
    if len(rows) == 0:
        return
    text = np.frombuffer(lines.text.data, np.uint8)
    size = rows.shape[1]
    owner = np.zeros(len(text) + 1, np.int64)
    flat = rows.ravel()
    np.add.at(owner, lines.starts[flat], 1)
    np.add.at(owner, lines.ends[flat], -1)
    inside = np.cumsum(owner[:-1]) > 0
    if lines.style == "c":
        cells = text[inside & _CELL[text]].reshape(len(rows), size * size)
        simple = ~((cells == ord("_")).any(axis=1) & (cells == ord(".")).any(axis=1))
        simple &= ~_may_be_labels(cells.reshape(len(rows), size, size))
        bulk.add_characters(records[simple], cells[simple], lines.text.others)
    elif lines.style == ",":
        commas = np.flatnonzero(inside & (text == ord(",")))
        begins = np.sort(np.concatenate((lines.starts[flat], commas + 1)))
        ends = np.sort(np.concatenate((lines.ends[flat], commas)))
        returns = text[ends - 1] == ord("\r")
        lengths = ends - begins - returns
        cells = text[np.minimum(begins, len(text) - 1)].copy()
        # An empty field is read like a dot.
        blank = _OTHER_BLANK[cells] & (lengths > 0)
        cells[lengths == 0] = ord(".")
        short = (lengths <= 1).reshape(len(rows), -1).all(axis=1)
        mixed = (lengths == 0).reshape(len(rows), -1).any(axis=1)
        short &= ~(mixed & blank.reshape(len(rows), -1).any(axis=1))
        grids = cells.reshape(len(rows), -1)[short]
        bulk.add_characters(records[short], grids, lines.text.others)
    else:
        _read_tokens(text, inside & _CELL[text], rows, records, bulk)


def _may_be_labels(grids: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which grids (m, size, size) have enough equal neighbors to be labels.

    `labels.are_labels` ignores the most frequent label of each grid. This function ignores the most
    frequent character of all grids, which never ignores more pairs.
    """
    few = grids.shape[1] // 2
    beside = grids[:, :, 1:] == grids[:, :, :-1]
    below = grids[:, 1:] == grids[:, :-1]
    found: NDArray[np.bool_] = np.count_nonzero(beside, axis=(1, 2)) >= few
    found &= ~_NEVER_LABEL[grids].any(axis=(1, 2))
    if not found.any():
        return found
    blank = np.bincount(grids.ravel(), minlength=256).argmax()
    beside &= grids[:, :, 1:] != blank
    below &= grids[:, 1:] != blank
    found &= np.count_nonzero(beside, axis=(1, 2)) + np.count_nonzero(below, axis=(1, 2)) >= few
    return found


def _read_tokens(
    text: NDArray[np.uint8],
    inside: NDArray[np.bool_],
    rows: NDArray[np.int64],
    records: NDArray[np.int64],
    bulk: Bulk,
) -> None:
    """Read grids whose cells are tokens: numbers or single characters."""
    begins = np.flatnonzero(inside & ~np.concatenate(([False], inside[:-1])))
    ends = np.flatnonzero(inside & ~np.append(inside[1:], [False])) + 1
    if len(begins) != rows.size * rows.shape[1]:
        return
    read_tokens(text, begins, ends, records, bulk)


def read_tokens(
    text: NDArray[np.uint8],
    begins: NDArray[np.int64],
    ends: NDArray[np.int64],
    records: NDArray[np.int64],
    bulk: Bulk,
) -> None:
    """Read grids with equal numbers of tokens.

    The tokens are numbers up to 99 and one sign for empty cells, or single characters.
    """
    count = len(begins) // max(len(records), 1)
    if count == 0 or isqrt(count) ** 2 != count:
        return
    lengths = (ends - begins).reshape(len(records), count)
    first = text[begins].reshape(len(records), count)
    short = (lengths == 1).all(axis=1)
    bulk.add_characters(records[short], first[short])
    second = text[ends - 1].reshape(len(records), count)
    digits = [np.uint8(48) <= part for part in (first, second)]
    digits = [
        is_ & (part <= np.uint8(57)) for is_, part in zip(digits, (first, second), strict=True)
    ]
    number = digits[0] & digits[1] & (lengths <= 2)
    values = np.where(lengths == 2, (first - np.uint8(48)) * np.uint8(10), np.uint8(0))
    values = values + (second - np.uint8(48))
    for blank in b".0*_":
        is_blank = (lengths == 1) & (first == blank)
        fits = ~short & (number | is_blank).all(axis=1) & is_blank.any(axis=1)
        if blank != ord("0"):
            fits &= (values[:, :] > 0).all(axis=1) | ~(number & (values == 0) & ~is_blank).any(
                axis=1
            )
        grids = np.where(is_blank, np.uint8(0), values)[fits]
        bulk.add_numbers(records[fits], grids, chr(blank))
