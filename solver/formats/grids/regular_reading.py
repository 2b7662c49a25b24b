"""Reads many regular grids with NumPy arrays.

The results are the same as those of `solver.formats.grids.grid_reading`, which reads one grid at a
time, including all those that this module doesn't support.
"""

from math import isqrt

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import MOST_IN_A_WORD, usual_box
from solver.formats.format import ReadOptions, Segments
from solver.formats.grids.candidates_drawn import DRAWN_SIZES
from solver.formats.grids.regular_lines import (
    BLANK,
    CELL,
    ODD,
    ROW,
    RULE,
    TITLE,
    Lines,
    are_comments,
    classify_lines,
)
from solver.formats.reading.bulk import Bulk
from solver.formats.reading.byte_tables import byte_mask, byte_table
from solver.formats.reading.cells import clean_name

_OTHER_BLANK = byte_table(b".0*_?xXbB-")
_NEVER_LABEL = byte_table(b".*_-?")
_DIGITS_ALIKE = bytes.maketrans(b"023456789.", b"1111111111")


def read_regular(
    data: bytes, segments: Segments, options: ReadOptions
) -> tuple[Bulk, dict[int, str]]:
    """Read the records that are regular grids, and the titles above them.

    Returns the puzzles, and the titles by record index. The `left` array of the returned `Bulk`
    marks all other records.
    """
    bulk = Bulk(len(segments), options)
    lines = classify_lines(data)
    if lines is None or len(segments) == 0:
        return bulk, {}
    rows = np.flatnonzero(lines.kinds == ROW)
    starts, ends = lines.text.to_indices(segments.starts), lines.text.to_indices(segments.ends)
    first = np.searchsorted(lines.starts[rows], starts)
    heights = np.searchsorted(lines.starts[rows], ends) - first
    begins = np.searchsorted(lines.starts, starts)
    after = np.searchsorted(lines.starts, ends)
    strange = _running_count(np.isin(lines.kinds, (ODD, TITLE)))
    titles, comments = _running_count(lines.kinds == TITLE), _running_count(are_comments(lines))
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
        clean = strange[after[records]] - strange[start] == above
        clean &= (above == 0) | (titles[last + 1] - titles[start] == above)
        clean &= comments[last] - comments[start] == last - start
        records, own = records[clean], own[clean]
        plain = _is_drawn_plainly(lines, own)
        _read_rows(lines, own[plain], records[plain], bulk)
    names: dict[int, str] = {}
    for row in np.flatnonzero(~bulk.left & (lines.kinds[begins] == TITLE)).tolist():
        line = begins[row]
        while lines.kinds[line] == TITLE:
            title = lines.text.characters(lines.starts[line], lines.ends[line])
            names[row] = clean_name(title) or names.get(row, "")
            line += 1
    return bulk, {row: name for row, name in names.items() if name}


def _running_count(marked: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the number of marked lines before each line, and their total as the last element."""
    return np.concatenate(([0], np.cumsum(marked)))


def _is_drawn_plainly(lines: Lines, own: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return a mask of the grids whose drawing shows no boxes, or only the usual ones.

    `own` (m, size) has the line indices of each grid's rows. Grids of a size without a usual box,
    and grids whose drawn lines contain = or spaces, aren't in the mask. The line-by-line reader
    handles all that aren't.
    """
    box = usual_box(own.shape[1])
    if len(own) == 0 or box is None:
        return np.zeros(len(own), np.bool_)
    # Most grids of an upload differ only in their digits, so each drawing is examined once.
    masked = lines.text.data.translate(_DIGITS_ALIKE)
    starts, ends = lines.starts[own[:, 0]].tolist(), lines.ends[own[:, -1]].tolist()
    steps = map(bytes, np.diff(own))  # from each row to the next one, in lines
    first_of: dict[tuple[bytes, bytes], int] = {}  # the first grid of each drawing
    same_as = [
        first_of.setdefault((masked[start:end], step), grid)
        for grid, (start, end, step) in enumerate(zip(starts, ends, steps, strict=True))
    ]
    distinct, drawing_of = np.unique(same_as, return_inverse=True)
    return _are_plain_drawings(lines, own[distinct], box)[drawing_of]


def _are_plain_drawings(
    lines: Lines, own: NDArray[np.int64], box: tuple[int, int]
) -> NDArray[np.bool_]:
    """Return the mask of `_is_drawn_plainly`, after examining every grid.

    `own` has the line indices of each grid's rows (grids, size). `box` is (height, width).
    """
    size = own.shape[1]
    plain = np.ones(len(own), np.bool_)
    high, wide = box
    if lines.style == "c":
        plain &= _has_plain_bars(lines, own, wide)
    elif b"|" in lines.text.data or b"!" in lines.text.data:
        plain[:] = False
    rules = np.flatnonzero((lines.kinds == RULE) | (lines.kinds == BLANK))
    for kind in (RULE, BLANK):
        among = rules[lines.kinds[rules] == kind]
        if len(among) == 0:
            continue
        drawn = np.searchsorted(among, own[:, 1:]) > np.searchsorted(among, own[:, :-1])
        usual = np.arange(1, size) % high == 0
        whole = drawn.all(axis=1) & (kind == RULE)
        plain &= ~drawn.any(axis=1) | (drawn == usual).all(axis=1) | whole
        if kind == RULE:
            spans = zip(lines.starts[among].tolist(), lines.ends[among].tolist(), strict=True)
            rules_drawn = [lines.text.data[start:end] for start, end in spans]
            # Most rules are equal, so each distinct one is examined once.
            is_odd = {rule: b"=" in rule or b" " in rule.strip() for rule in set(rules_drawn)}
            odd = list(map(is_odd.__getitem__, rules_drawn))
            wrong = np.concatenate(([0], np.cumsum(odd)))
            places = np.searchsorted(among, own[:, [0, -1]])
            plain &= wrong[places[:, 1]] == wrong[places[:, 0]]
    return plain


def _has_plain_bars(lines: Lines, own: NDArray[np.int64], wide: int) -> NDArray[np.bool_]:
    """Return a mask of the grids whose rows show no boxes, or only the usual ones.

    Such rows have no bars, bars between boxes, or bars between all cells. Without bars, gaps may be
    wider between boxes. `own` (m, size) has the line indices of each grid's rows, and `wide` is the
    width of the usual box.
    """
    size = own.shape[1]
    starts, ends = lines.starts[own.ravel()], lines.ends[own.ravel()]
    lengths = ends - starts
    begins = np.cumsum(lengths) - lengths  # of each row in `text`, which has only these rows
    row = np.repeat(np.arange(len(starts)), lengths)
    text = np.frombuffer(lines.text.data, np.uint8)[np.arange(len(row)) + (starts - begins)[row]]
    cells = np.concatenate(([0], np.cumsum(CELL[text])))
    counts = []  # of bars and of spaces, by row and place between its cells
    for signs in (b"|!", b" "):
        places = np.flatnonzero(byte_table(signs)[text])
        before = np.minimum(cells[places] - cells[begins[row[places]]], size)
        index = row[places] * (size + 1) + before
        counts.append(np.bincount(index, minlength=len(starts) * (size + 1)).reshape(-1, size + 1))
    edges, spaces = counts
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
    """Read m grids, given the line indices (m, size) of their rows, and add them to `bulk`.

    `records` are the indices of their records. Grids that need the line-by-line reader aren't
    added, such as labels of regions, or grids with two signs for empty cells.
    """
    if len(rows) == 0:
        return
    text = np.frombuffer(lines.text.data, np.uint8)
    size = rows.shape[1]
    owner = np.zeros(len(text) + 1, np.int64)
    flat = rows.ravel()
    np.add.at(owner, lines.starts[flat], 1)
    np.add.at(owner, lines.ends[flat], -1)
    inside = np.cumsum(owner[:-1]) > 0
    is_cell = byte_mask(lines.text.data, CELL)
    if lines.style == "c":
        cells = text[inside & is_cell].reshape(len(rows), size * size)
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
        _read_tokens(text, inside & is_cell, rows, records, bulk)


def _may_be_labels(grids: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return a mask of the grids that have enough equal neighbors to be region labels.

    `grids` (m, size, size) has the characters of the cells. The mask contains all grids for which
    `labels.are_labels` is True, and possibly more: this function ignores the most frequent
    character of all m grids, instead of the most frequent label of each.
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
    """Read grids whose cells are tokens, and add them to `bulk`.

    A token is a number or a single character. `inside` marks the characters that belong to tokens.
    `rows` and `records` are as in `_read_rows`. If there aren't as many tokens as cells, nothing is
    read.
    """
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
    """Add the grids that can be read from their tokens to `bulk`. All have the same size.

    `begins` and `ends` are the offsets of each token in `text`. The tokens are the cells of all
    grids in order. `records` has the record index of each grid. A grid is added if it is square,
    and if its cells are single characters, or numbers up to 99 and at least one sign for an empty
    cell, always the same of . 0 * and _. Others are left out, such as filled grids of numbers.
    """
    count = len(begins) // max(len(records), 1)
    if count == 0 or isqrt(count) ** 2 != count:
        return
    lengths = (ends - begins).reshape(len(records), count)
    first = text[begins].reshape(len(records), count)
    short = (lengths == 1).all(axis=1)
    bulk.add_characters(records[short], first[short])
    zero = np.uint8(ord("0"))  # subtracting it from a character below "0" gives more than 9
    tens, ones = first - zero, text[ends - 1].reshape(len(records), count) - zero
    is_number = (tens <= 9) & (ones <= 9) & (lengths <= 2)
    values = np.where(lengths == 2, tens * np.uint8(10), np.uint8(0)) + ones
    for blank in b".0*_":
        is_blank = (lengths == 1) & (first == blank)
        is_value = is_number & (values > 0)
        fits = ~short & (is_value | is_blank).all(axis=1) & is_blank.any(axis=1)
        grids = np.where(is_blank, np.uint8(0), values)[fits]
        bulk.add_numbers(records[fits], grids, chr(blank))
