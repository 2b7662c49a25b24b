"""The fast path for the most common case: many 9×9 puzzles of 81 characters."""

import re

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.puzzle import Puzzle
from solver.board.symbols import Symbols
from solver.board.text_lines import copy_rows, digits_of
from solver.formats.format import DigitBlock, Group, ReadOptions, Records

CLASSIC_SIZE = 9
CLASSIC_CELLS = 81
# A record uses only one of them, so that results can repeat it. A record without empty cells joins
# the first group that has some.
_BLANKS = b".0*_-xX?"
_LAYOUT = Layout.boxed(3, 3)
_PLAIN = re.compile(rb"[1-9.]*|[0-9]*")
_VALUES = bytes.maketrans(b".0123456789", bytes([0, *range(10)]))
# Separators that may follow a puzzle in its line.
_ENDS = np.zeros(256, np.bool_)
_ENDS[list(b" \t,;|#\r\n")] = True


def allows_classic(options: ReadOptions) -> bool:
    """Return whether the options permit the fast path: 3×3 boxes, default symbols, no variants."""
    chosen = (options.symbols, options.blank, options.variant or None)
    return options.box in (None, (3, 3)) and chosen == (None, None, None)


def read_plain(text: str | bytes) -> Puzzle | None:
    """Read a text that is exactly one puzzle: 81 digits, with dots or zeros for empty cells.

    Returns None for any other text. The puzzle equals the one that the general parser returns.
    """
    if len(text) != CLASSIC_CELLS:
        return None
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
    if _PLAIN.fullmatch(data) is None:
        return None
    blank = "0" if b"0" in data else "."
    return Puzzle(_LAYOUT, tuple(data.translate(_VALUES)), Symbols.usual(9, blank=blank))


def read_digits(block: DigitBlock, options: ReadOptions) -> Records | None:
    """Read a block of classic 9×9 puzzles, or return None if the fast path can't read all of it.

    The puzzles are the same as those that `read_classic` finds in these lines as text.
    """
    grid, blank = block.grid, block.blank
    if grid.shape[1] != CLASSIC_CELLS or not allows_classic(options):
        return None
    if grid.all():
        blank = _BLANKS[0]
    elif blank not in _BLANKS:
        return None
    rows = np.arange(len(grid))
    group = Group(_LAYOUT, Symbols.usual(9, blank=chr(blank)), rows, grid)
    return Records(lines=rows + block.line, groups=(group,))


def read_classic(
    data: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[tuple[Group, ...], NDArray[np.bool_]]:
    """Read the records data[starts[i]:ends[i]] that begin with a classic puzzle of 81 characters.

    Cells are digits or a sign for empty cells, of which a record must use only one. A separator or
    nothing must follow the cells. Returns a group of puzzles for each sign for empty cells that
    occurs, and a mask of the records that weren't read. A puzzle without empty cells joins the
    first group.
    """
    text = np.frombuffer(data, np.uint8)
    left = np.ones(len(starts), np.bool_)
    candidates = np.flatnonzero(_may_be_classic(text, starts, ends))
    if len(candidates) == 0:
        return (), left
    cells = _rows(text, starts[candidates])
    values, is_value = digits_of(cells)
    groups = []
    for blank in [each for each in _BLANKS if each in data] or _BLANKS[:1]:
        fits = is_value | (cells == blank)
        symbols = Symbols.usual(9, blank=chr(blank))
        if fits.all():
            groups.append(Group(_LAYOUT, symbols, candidates, values))
            left[candidates] = False
            break
        plain = fits.all(axis=1)
        if plain.any():
            groups.append(Group(_LAYOUT, symbols, candidates[plain], values[plain]))
            left[candidates[plain]] = False
        rest = ~plain
        candidates, cells = candidates[rest], cells[rest]
        values, is_value = values[rest], is_value[rest]
    return tuple(groups), left


def _may_be_classic(
    text: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return a mask of the records with 81 characters, or with a separator after 81."""
    lengths = ends - starts
    fits: NDArray[np.bool_] = lengths == CLASSIC_CELLS
    longer = np.flatnonzero(lengths > CLASSIC_CELLS)
    fits[longer] = _ENDS[text[starts[longer] + CLASSIC_CELLS]]
    return fits


def _rows(text: NDArray[np.uint8], starts: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the 81 characters from each start on, as an array (m, 81)."""
    windows = sliding_window_view(text, CLASSIC_CELLS)
    distances = np.diff(starts)
    if len(distances) == 0 or (distances != distances[0]).any():
        return windows[starts]
    # Equidistant starts, the usual case, need no lookup of single offsets.
    rows = windows[starts[0] : starts[-1] + 1 : distances[0]]
    copied = np.empty(rows.shape, np.uint8)
    copy_rows(rows, copied)
    return copied
