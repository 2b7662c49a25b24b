"""Compiled checks of 9×9 grids, one grid per SIMD lane.

They read nothing but the values of the cells. All that they share with the engine is the vector
types and the code that loads grids.
"""

from threading import local

import numpy as np
from numpy.typing import NDArray

from solver.compiling.jit import always_inline, compiled
from solver.compiling.packed_grids import GRID_BYTES, GRID_WORDS, pack_grids
from solver.compiling.processor import register_words
from solver.compiling.vector import lane_count, load, nonzero, splat, vectors
from solver.compiling.vector_bytes import comparer

_BYTES = 0x01010101
_FIELDS = 1 | 1 << 10 | 1 << 20
_ALL_VALUES = 0x3FE  # bits 1 … 9

_differ = comparer(GRID_BYTES)


@always_inline
def _find_large(packed):  # type: ignore[no-untyped-def]
    """Return the lanes whose grid has a value above 9, as bits.

    `packed` contains one grid per lane, as `pack_grids` loads them. Adding 0x76 to a value above 9
    sets the byte's highest bit.
    """
    large = splat(packed, 0)
    for row in range(GRID_WORDS):
        four = load(packed, row)
        large = large | four | (four & 0x7F * _BYTES) + 0x76 * _BYTES
    return nonzero(large & 0x80 * _BYTES)


@always_inline
def _load_values(packed, row, column):  # type: ignore[no-untyped-def]
    """Load the cells in one column and in the rows `row`, 3 + `row`, and 6 + `row`, of all lanes.

    `packed` contains one grid per lane. Each cell becomes ten bits: bit n is set for the value n,
    bit 0 for an empty cell. The cell in the row `row` has the lowest ten bits.
    """
    values = splat(packed, 0)
    for band in range(3):
        cell = 27 * band + 9 * row + column
        value = load(packed, cell >> 2) >> 8 * (cell & 3) & 31
        values = values | splat(packed, 1 << 10 * band) << value
    return values


@always_inline
def _look_at_houses(packed):  # type: ignore[no-untyped-def]
    """Return two sets of lanes, as bits: grids with a repeated, and with a missing value.

    `packed` contains one grid per lane. A value is repeated if it occurs twice in some house, and
    missing if some house lacks it.
    """
    row0 = row1 = row2 = twice = splat(packed, 0)
    columns = boxes = splat(packed, _ALL_VALUES * _FIELDS)
    for stack in range(3):
        box = splat(packed, 0)
        for column in range(3 * stack, 3 * stack + 3):
            a = _load_values(packed, 0, column)
            b = _load_values(packed, 1, column)
            c = _load_values(packed, 2, column)
            twice = twice | (row0 & a) | (row1 & b) | (row2 & c)
            row0, row1, row2 = row0 | a, row1 | b, row2 | c
            three = a | b | c
            twice = twice | (a & b) | (c & (a | b)) | (box & three)
            box = box | three
            twice = twice | (three & (three >> 10 | three >> 20))
            columns = columns & (three | three >> 10 | three >> 20)
        boxes = boxes & box
    missing = ~(row0 & row1 & row2 & boxes) & _ALL_VALUES * _FIELDS | ~columns & _ALL_VALUES
    return nonzero(twice & _ALL_VALUES * _FIELDS), nonzero(missing)


@compiled
def find_conflicts(grids, count, packed, conflicting):  # type: ignore[no-untyped-def]
    """Write to conflicting[i] whether grid i repeats a value in a house, or has a value above 9.

    `grids` is flat uint8, 81 bytes for each of `count` grids, 0 = empty. `conflicting` is (count,)
    bool. `packed` is working memory.
    """
    for first in range(0, count, lane_count(packed)):
        pack_grids(packed, grids, first, count)
        twice, _ = _look_at_houses(packed)
        broken = twice | _find_large(packed)
        for lane in range(min(lane_count(packed), count - first)):
            conflicting[first + lane] = (broken >> lane) & 1 != 0


@compiled
def find_solutions(givens, grids, count, packed, right):  # type: ignore[no-untyped-def]
    """Write to right[i] whether grid i is a solution of puzzle i.

    `givens` and `grids` are flat uint8, 81 bytes for each of `count` grids, 0 = empty. `right` is
    (count,) bool. `packed` is working memory.
    """
    for first in range(0, count, lane_count(packed)):
        pack_grids(packed, grids, first, count)
        _, incomplete = _look_at_houses(packed)
        wrong = incomplete | _find_large(packed)
        for lane in range(min(lane_count(packed), count - first)):
            number = first + lane
            changed = _differ(givens, grids, number * GRID_BYTES)
            right[number] = (wrong >> lane) & 1 == 0 and not changed


class _Memory(local):
    """The working memory of each thread, which takes longer to allocate than to check a puzzle."""

    def __init__(self) -> None:
        self.packed = vectors(GRID_WORDS, register_words())


_memory = _Memory()


def have_conflicts(givens: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return a mask (n,) of the puzzles (n, 81), 0 = empty, that have a conflict.

    In a conflict, a value repeats in a house, or is above 9.
    """
    conflicting = np.empty(len(givens), np.bool_)
    flat = givens.astype(np.uint8, copy=False).ravel()
    find_conflicts(flat, len(givens), _memory.packed, conflicting)
    return conflicting


def are_solutions(givens: NDArray[np.uint8], grids: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return a mask (n,) of the grids (n, 81) that solve their puzzles.

    `givens` are the puzzles (n, 81), 0 = empty. A grid solves the puzzle with the same index.
    """
    right = np.empty(len(givens), np.bool_)
    flat_givens = givens.astype(np.uint8, copy=False).ravel()
    flat_grids = grids.astype(np.uint8, copy=False).ravel()
    find_solutions(flat_givens, flat_grids, len(givens), _memory.packed, right)
    return right
