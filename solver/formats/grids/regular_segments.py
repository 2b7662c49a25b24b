"""Find many regular grids with NumPy arrays.

A text is regular if all rows have the same number of cells N, every N rows form a grid, and only
titles, rules, and regular blank lines come between them. Where a text stops being regular,
`solver.formats.grids.grid` continues line by line. That module defines the results. This one must
give the same ones, 60 to 100 times faster.
"""

import re

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import MOST_IN_A_WORD, usual_box
from solver.formats.format import Segments
from solver.formats.grids.grid_record import Finder, GridRecord
from solver.formats.grids.measured_lines import MeasuredLines
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
from solver.formats.reading.byte_tables import byte_mask, byte_table

_VALUE_CELL = CELL & ~byte_table(b".0*_-?xXbB")  # characters of cells that are never empty
_MOST_COMMENTS = 20  # lines above a grid
_BLANK_SHARE = 3  # a character in more than a third of the cells is a blank
_BETWEEN_CELLS = byte_table(b" ,")
# The look-behind follows the first character, so that the search skips all other characters fast.
_ALIKE = re.compile(rb"([1-9A-Za-z](?<![^\s|,].)[0-9]?)[ ]+\1(?![^\s|,])")


def segment_regular(data: bytes, *, line: int, final: bool) -> Segments | None:
    """Find the grids in the regular part at the beginning of a text, or None if there are none.

    `consumed` is the end of that part. It excludes the last grid, because the following lines may
    belong to it, unless the text is `final` and ends with the grid.
    """
    if not data.isascii():
        data = data[: data.rfind(b"\n") + 1]  # The last character may be incomplete.
    lines = classify_lines(data)
    if lines is None:
        return None
    rows = np.flatnonzero(lines.kinds == ROW)
    size = int(lines.widths[rows[0]]) if len(rows) else 0
    if not 4 <= size <= MOST_IN_A_WORD:
        return None
    if not _begins_with_grid(lines, size):
        return None
    grids = _whole_grids(lines, rows, size, final=final)
    text_below = np.isin(lines.kinds[rows[-1] :], (TITLE, ODD)).any()
    if not final or grids * size < len(rows) or text_below:
        grids -= 1
    if grids <= 0:
        return None
    firsts, lasts = rows[: grids * size : size], rows[size - 1 : grids * size : size]
    titles = np.flatnonzero(lines.kinds == TITLE)
    run_starts = titles[np.maximum.accumulate(_run_places(titles))] if len(titles) else titles
    above = np.searchsorted(titles, firsts) - 1
    previous_lasts = np.concatenate(([-1], lasts[:-1]))
    begins = firsts.copy()
    titled = above >= 0
    titled[titled] &= titles[above[titled]] > previous_lasts[titled]
    begins[titled] = run_starts[above[titled]]
    text = lines.text
    returns = np.frombuffer(text.data, np.uint8)[lines.ends[lasts] - 1] == ord("\r")
    consumed = np.minimum(lines.ends[lasts[-1:]] + 1, len(text.data))
    return Segments(
        text.to_byte_offsets(lines.starts[begins]),
        text.to_byte_offsets(lines.ends[lasts] - returns),
        firsts + line,
        int(text.to_byte_offsets(consumed)[0]),
    )


def _begins_with_grid(lines: Lines, size: int) -> bool:
    """Return whether the line-by-line reader finds an unlabeled grid of this size first."""
    few = min(len(lines.starts), 4 * size + 20)
    texts = [lines.text.characters(lines.starts[n], lines.ends[n]).rstrip("\r") for n in range(few)]
    record = Finder(MeasuredLines(texts, signs="", final=True)).find(0)
    if not isinstance(record, GridRecord) or record.grid is None:
        return False
    return record.grid.size == size and not record.labels


def _whole_grids(lines: Lines, rows: NDArray[np.int64], size: int, *, final: bool) -> int:
    """Return the number of grids of `size` rows before the first irregular line.

    `rows` are the indices of the lines that are rows. Unless the text is `final`, an incomplete
    last row doesn't count.
    """
    odd = np.flatnonzero((lines.kinds == ODD) | ((lines.kinds == ROW) & (lines.widths != size)))
    most = len(rows) if len(odd) == 0 else int(np.searchsorted(rows, odd[0]))
    # The last line may continue in the next piece of the text.
    if not final and most == len(rows) and rows[-1] == len(lines.starts) - 1:
        most -= 1
    order = np.searchsorted(rows, np.arange(len(lines.starts)))  # rows above each line
    # A rule directly below the first row may follow the header of a table.
    ruled = order[lines.kinds == RULE]
    headed = np.setdiff1d(ruled[ruled % size == 1], ruled[ruled % size == 2] - 1)
    if len(headed):
        most = min(most, int(headed[0]) - 1)
    inside = order % size != 0
    # A title is directly above its grid, with nothing but comments above the title.
    is_title = lines.kinds == TITLE
    below = np.append(lines.kinds[1:], BLANK)
    followed = np.isin(below, (ROW, RULE)) | (are_comments(lines) & (below == TITLE))
    titled = np.flatnonzero(is_title & (inside | ~followed | _are_far_above(is_title)))
    if len(titled):
        most = min(most, int(order[titled[0]]))
    alike = _first_alike(lines, rows)
    if alike is not None:
        # Labels belong to the grid above them.
        most = min(most, (alike // size - 1) * size)
    gaps = np.flatnonzero((lines.kinds == BLANK) & inside)
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


def _run_places(titles: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each title its index in `titles`, or 0 if another title is directly above it.

    `titles` has the line index of each title. The maximum of the result up to a title is the index
    of the first title in its run of adjacent titles.
    """
    begins = np.diff(titles, prepend=-2) > 1
    return np.where(begins, np.arange(len(titles)), 0)


def _are_far_above(is_title: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask of the lines that are titles and directly follow 20 or more other titles.

    That many titles are too many to keep with the grid below them.
    """
    count = np.concatenate(([0], np.cumsum(is_title)))
    far = np.zeros(len(is_title), np.bool_)
    far[_MOST_COMMENTS:] = count[_MOST_COMMENTS + 1 :] - count[: -_MOST_COMMENTS - 1] > (
        _MOST_COMMENTS
    )
    return far


def _first_alike(lines: Lines, rows: NDArray[np.int64]) -> int | None:
    """Return the index of the first row in which two neighboring cells may have the same value.

    Neighbors are next to each other, or have one space or comma between them. In the style "n", a
    pattern finds them. The most frequent symbol is taken for an empty cell if it is frequent
    enough.

    The index counts only rows, not lines. `rows` has the line index of each row. Returns None if
    there is no such row.
    """
    data = lines.text.data
    text = np.frombuffer(data, np.uint8)
    if lines.style == "n":
        match = _ALIKE.search(data)
        places = np.array([match.start()] if match else [], np.int64)
    else:
        value, between = byte_mask(data, _VALUE_CELL), byte_mask(data, _BETWEEN_CELLS)
        near = (text[1:] == text[:-1]) & value[1:]
        far = (text[2:] == text[:-2]) & value[2:] & between[1:-1]
        places = np.concatenate((np.flatnonzero(near), np.flatnonzero(far)))
        counts = np.bincount(text, minlength=256) if len(places) else np.zeros(256, np.int64)
        values = counts * _VALUE_CELL
        if _BLANK_SHARE * values.max() > counts[CELL].sum():
            places = places[text[places] != values.argmax()]
    found = np.searchsorted(lines.starts, places, side="right") - 1
    own = np.searchsorted(rows, found[lines.kinds[found] == ROW])
    return int(own.min()) if len(own) else None
