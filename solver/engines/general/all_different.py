"""Sets of cells as integers: which cells must all differ, and groups of cells that do.

Sets of cells are Python integers with one bit per cell:

    bit    … 3    2    1    0
    cell   … r1c4 r1c3 r1c2 r1c1
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

PeerBits = Sequence[int]  # for each cell, the set of cells that must differ from it


def bits_of(words: NDArray[np.uint64]) -> list[int]:
    """Convert sets of cells from rows of uint64 words (sets, words) to integers.

    Cell c is bit c % 64 of word c // 64 in a row, and bit c of an integer.
    """
    data, wide = words.tobytes(), words.shape[1] * words.itemsize
    return [int.from_bytes(data[k : k + wide], "little") for k in range(0, len(data), wide)]


def as_bits(cells: Iterable[int]) -> int:
    """Return a set of cells as an integer: bit n is set if it contains cell n."""
    return sum([1 << cell for cell in cells])


def cells_of(bits: int) -> list[int]:
    """Return the cells of a set, which is an integer with one bit per cell, in ascending order."""
    cells = []
    while bits:
        lowest = bits & -bits
        cells.append(lowest.bit_length() - 1)
        bits ^= lowest
    return cells


def do_differ(cells: Sequence[int], peer_bits: PeerBits) -> bool:
    """Return whether all of the cells must differ from each other, according to `peer_bits`."""
    bits = as_bits(cells)
    return all(bits & ~peer_bits[cell] == 1 << cell for cell in cells)


def runs_of(cells: Sequence[int], peer_bits: PeerBits, houses: Sequence[int]) -> list[list[int]]:
    """Split cells into groups ("runs") in which all cells must differ, the largest groups first.

    If all of the cells must differ, there is one group. Otherwise each group lies in one of the
    houses, see `runs_by_house`. `houses` are sets of cells as bits. The cells of a group are in
    ascending order.
    """
    if do_differ(cells, peer_bits):
        return [sorted(cells)]
    return [cells_of(run) for run in runs_by_house(as_bits(cells), houses)]


def runs_by_house(cells: int, houses: Sequence[int]) -> Iterator[int]:
    """Split a set of cells into groups ("runs") that each lie in one house, the largest first.

    All sets are integers with one bit per cell. A cell that shares no house with a remaining cell
    is a group of its own.
    """
    while cells:
        houses = [shared for house in houses if (shared := house & cells)]
        run = max(houses, key=int.bit_count, default=0)
        if run.bit_count() < 2:
            run = cells & -cells
        yield run
        cells ^= run
