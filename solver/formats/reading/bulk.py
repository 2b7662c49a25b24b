"""Reads many records of equal length at once: grids of single characters, or of numbers.

`read_cells` defines the results. The values that it gives the characters of a record depend only on
the set of these characters and on the options. So they are computed once per set and used for all
records with that set. Records that aren't straightforward are left to `read_cells`.
"""

from functools import lru_cache
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import MAX_SIZE, Layout
from solver.board.symbols import Symbols
from solver.formats.format import Group, ReadOptions
from solver.formats.reading.cells import find_layout
from solver.formats.reading.deduce import choose_symbols, may_be_full_from_zero
from solver.formats.reading.one_byte import FIRST_OTHER

_UNKNOWN = 255
_ZERO = ord("0")


class Bulk:
    """Collects the records of a block that are read in bulk: many of them together, with arrays.

    `count` is the number of records in the block. The caller passes the records that are still
    marked in `left` to a slower reader.

    left   (count,) bool: True for each record that hasn't been read in bulk
    notes  by record index, remarks about how a record was read
    """

    def __init__(self, count: int, options: ReadOptions) -> None:
        self._options = options
        self.left: NDArray[np.bool_] = np.ones(count, np.bool_)
        self.notes: dict[int, str] = {}
        self._parts: dict[tuple[Layout, Symbols], list[tuple[NDArray[np.int64], NDArray[np.uint8]]]]
        self._parts = {}

    @property
    def groups(self) -> tuple[Group, ...]:
        """The puzzles read so far, a group per layout and symbols.

        The record indices of each group ascend.
        """
        groups = []
        for (layout, symbols), parts in self._parts.items():
            rows = np.concatenate([rows for rows, _ in parts])
            order = np.argsort(rows)
            givens = np.concatenate([givens for _, givens in parts])
            groups.append(Group(layout, symbols, rows[order], givens[order]))
        return tuple(groups)

    def add_characters(
        self,
        rows: NDArray[np.int64],
        cells: NDArray[np.uint8],
        others: tuple[str, ...] = (),
    ) -> None:
        """Read grids with cells of one character each, and add the valid ones to `groups`.

        rows    (m,) indices of their records
        cells   (m, cells) characters: ASCII codes, or 128 + i for others[i]
        others  characters of other scripts, or words that are symbols

        Records with an invalid cell remain marked in `left`. So do full grids that may use 0 as a
        value.
        """
        size = isqrt(cells.shape[1])
        for found, codes in _by_characters(cells):
            if codes[-1] - FIRST_OTHER >= len(others):
                continue
            chosen = found
            if _ZERO in codes and may_be_full_from_zero(map(chr, codes), size):
                # Full grids are left to the reader of single records, which may take 0 for a value.
                chosen = found[(cells[found] == _ZERO).sum(axis=1) != size]
            written = tuple(
                chr(code) if code < FIRST_OTHER else others[code - FIRST_OTHER] for code in codes
            )
            reading = _read_characters(codes, written, size, self._options)
            if reading is not None:
                layout, symbols, table, note = reading
                self._add(rows[chosen], table[cells[chosen]], layout, symbols, note)

    def add_numbers(self, rows: NDArray[np.int64], values: NDArray[np.uint8], blank: str) -> None:
        """Read grids whose cells are numbers, and add the unambiguous ones to `groups`.

        rows    (m,) indices of their records
        values  (m, cells) numbers, 0 for empty cells
        blank   the sign for empty cells in the upload

        A grid of N² cells is unambiguous if all numbers are at most N, at least one has two digits,
        and it can't be a full grid that counts from 0. Other records remain marked in `left`. So do
        all of them if the options give symbols, a sign for empty cells, or a box that doesn't fit.
        """
        size, options = isqrt(values.shape[1]), self._options
        board = None if options.symbols or options.blank else find_layout(size, options)
        if board is None or isinstance(board, str):
            return
        layout, note = board
        fits = (values <= size).all(axis=1)
        # Without any number of two digits, the cells may have another meaning.
        fits &= (values > 9).any(axis=1)
        if blank == chr(_ZERO):
            full = (values == 0).sum(axis=1) == size
            fits &= ~(full & (values.max(axis=1) < size))
        symbols = Symbols.numbers(size, blank=blank)
        self._add(rows[fits], values[fits], layout, symbols, note)

    def _add(
        self,
        rows: NDArray[np.int64],
        givens: NDArray[np.uint8],
        layout: Layout,
        symbols: Symbols,
        note: str | None,
    ) -> None:
        """Add puzzles with the same layout and symbols, which then aren't left for slower code.

        `rows` are the indices of their records, `givens` (n, cells) has their values, and `note` is
        a remark about all of them or None.
        """
        if len(rows) == 0:
            return
        self.left[rows] = False
        self._parts.setdefault((layout, symbols), []).append((rows, givens))
        if note is not None:
            self.notes |= dict.fromkeys(rows.tolist(), note)


def _by_characters(cells: NDArray[np.uint8]) -> list[tuple[NDArray[np.int64], bytes]]:
    """Group grids (m, cells) by the set of characters that they contain.

    Returns a pair for each set: the indices of the grids, and the characters in ascending order.
    """
    if len(cells) == 0:
        return []
    present = np.zeros((len(cells), 256), np.bool_)
    present[np.arange(len(cells))[:, None], cells] = True
    # Sorting an array of 32-byte records is as fast as sorting 16 words of 16 bits.
    keys = np.packbits(present, axis=1).view("V32")[:, 0]
    _, firsts, which = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(which, kind="stable")
    edges = np.searchsorted(which[order], np.arange(len(firsts) + 1))
    return [
        (order[edges[n] : edges[n + 1]], _codes(present[first]))
        for n, first in enumerate(firsts.tolist())
    ]


def _codes(present: NDArray[np.bool_]) -> bytes:
    return np.flatnonzero(present).astype(np.uint8).tobytes()


@lru_cache(maxsize=4096)
def _read_characters(
    codes: bytes, written: tuple[str, ...], size: int, options: ReadOptions
) -> tuple[Layout, Symbols, NDArray[np.uint8], str | None] | None:
    """Return how to read grids that contain exactly these characters, or None if one is invalid.

    Also returns None if the options don't fit grids with `size` rows. The result is the layout, the
    symbols, an array (256,) with the value of each character code (0 for empty cells, 255 for other
    characters), and a note or None. `written[i]` is the character or word for `codes[i]`.
    """
    if size > MAX_SIZE:
        return None
    board = find_layout(size, options)
    choice = choose_symbols(written, size, options)
    if isinstance(board, str) or isinstance(choice, str):
        return None
    (layout, assumed), (symbols, value_of, note) = board, choice
    table = np.full(256, _UNKNOWN, np.uint8)
    for code, character in zip(codes, written, strict=True):
        if character not in value_of:
            return None
        table[code] = value_of[character]
    notes = [each for each in (note, assumed) if each is not None]
    return layout, symbols, table, "; ".join(notes) or None
