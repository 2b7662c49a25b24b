"""The checks of `solver.checks.grids` for 9×9 grids, a grid in each lane.

They look at nothing but the values of the cells, and share with the search no more than the
vectors and the way that grids are read.
"""

from threading import local

import numpy as np
from numpy.typing import NDArray

from solver.compiling.jit import compiled, inlined
from solver.compiling.packed import GRID, PACKED, pack_grid
from solver.compiling.processor import words_here
from solver.compiling.vector import lane_count, load, nonzero, splat, store, vectors

# Working memory: packed grids, packed givens, and the bits of cells (`_write_bits`).
_BITS = 2 * PACKED
_MEMORY = _BITS + 4 * PACKED

_BYTES = 0x01010101
_ALL_VALUES = 0x3FE  # bits 1 … 9


@inlined
def _pack(packed, grids, first, count):  # type: ignore[no-untyped-def]
    for lane in range(min(lane_count(packed), count - first)):
        pack_grid(packed, lane, grids, (first + lane) * GRID)


@inlined
def _find_large(packed):  # type: ignore[no-untyped-def]
    """Return the lanes with a value above 9: adding 0x76 to it makes a byte's highest bit 1."""
    large = splat(packed, 0)
    for row in range(PACKED):
        four = load(packed, row)
        large = large | four | (four & 0x7F * _BYTES) + 0x76 * _BYTES
    return nonzero(large & 0x80 * _BYTES)


@inlined
def _write_bits(packed, bits):  # type: ignore[no-untyped-def]
    """Write each cell as a word with the bit of its value, 1…9, or none: bits (84,), 3 unused."""
    for row in range(PACKED):
        four = load(packed, row)
        for byte in range(4):
            bit = splat(packed, 1) << (four >> 8 * byte & 31)
            store(bits, 4 * row + byte, bit & _ALL_VALUES)


@inlined
def _find_seen(bits, first, inner, outer):  # type: ignore[no-untyped-def]
    """Return the values that a house has, as bits, and something if it has one of them twice.

    Its cells are `first` + `outer`·i + `inner`·j for i, j = 0…2. Only bits that all differ add
    up to what they are together.
    """
    seen = total = splat(bits, 0)
    for i in range(3):
        for j in range(3):
            bit = load(bits, first + outer * i + inner * j)
            seen = seen | bit
            total = total + bit
    return seen, seen ^ total


@inlined
def _look_at_houses(packed, bits):  # type: ignore[no-untyped-def]
    """Return the lanes with a value twice in a house, and those with a house not complete."""
    _write_bits(packed, bits)
    twice = splat(packed, 0)
    complete = splat(packed, _ALL_VALUES)
    for house in range(9):
        in_row, twice_in_row = _find_seen(bits, 9 * house, 1, 3)
        in_column, twice_in_column = _find_seen(bits, house, 9, 27)
        in_box, twice_in_box = _find_seen(bits, 27 * (house // 3) + 3 * (house % 3), 1, 9)
        twice = twice | twice_in_row | twice_in_column | twice_in_box
        complete = complete & in_row & in_column & in_box
    return nonzero(twice), nonzero(complete ^ _ALL_VALUES)


@compiled
def find_conflicts(grids, count, memory, conflicting):  # type: ignore[no-untyped-def]
    """Set conflicting[i] where grid i of `count` holds a value twice in a house, or one above 9.

    grids is flat uint8, 81 bytes a grid, 0 = blank; conflicting (count,) bool; `_MEMORY` vectors.
    """
    packed, bits = memory[:PACKED], memory[_BITS:]
    for first in range(0, count, lane_count(packed)):
        _pack(packed, grids, first, count)
        twice, _ = _look_at_houses(packed, bits)
        broken = twice | _find_large(packed)
        for lane in range(min(lane_count(packed), count - first)):
            conflicting[first + lane] = (broken >> lane) & 1 != 0


@compiled
def find_solutions(givens, grids, count, memory, right):  # type: ignore[no-untyped-def]
    """Set right[i] where grid i of `count` solves puzzle i; arrays as for `find_conflicts`."""
    packed, packed_givens, bits = memory[:PACKED], memory[PACKED:_BITS], memory[_BITS:]
    for first in range(0, count, lane_count(packed)):
        _pack(packed, grids, first, count)
        _pack(packed_givens, givens, first, count)
        _, incomplete = _look_at_houses(packed, bits)
        differ = splat(packed, 0)
        for row in range(PACKED):
            given = load(packed_givens, row)
            blank = ~((given & 0x7F * _BYTES) + 0x7F * _BYTES | given) >> 7 & _BYTES
            differ = differ | ((given ^ load(packed, row)) & ~((blank << 8) - blank))
        wrong = incomplete | _find_large(packed) | nonzero(differ)
        for lane in range(min(lane_count(packed), count - first)):
            right[first + lane] = (wrong >> lane) & 1 == 0


class _Memory(local):
    """The working memory of each thread: to make it takes longer than to check one puzzle."""

    def __init__(self) -> None:
        self.vectors = vectors(_MEMORY, words_here())


_memory = _Memory()


def have_conflicts(givens: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which of the puzzles (n, 81) hold a value twice in a house, or one above 9."""
    conflicting = np.empty(len(givens), np.bool_)
    flat = givens.astype(np.uint8, copy=False).ravel()
    find_conflicts(flat, len(givens), _memory.vectors, conflicting)
    return conflicting


def are_solutions(givens: NDArray[np.uint8], grids: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which of the grids (n, 81) solve the puzzles (n, 81), 0 = blank."""
    right = np.empty(len(givens), np.bool_)
    flat_givens = givens.astype(np.uint8, copy=False).ravel()
    flat_grids = grids.astype(np.uint8, copy=False).ravel()
    find_solutions(flat_givens, flat_grids, len(givens), _memory.vectors, right)
    return right
