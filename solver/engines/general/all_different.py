"""Which cells of a layout must differ.

Sets of cells are numbers, of as many bits as there are cells:

    bit    … 3    2    1    0
    cell   … r1c4 r1c3 r1c2 r1c1
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

PeerBits = Sequence[int]  # by cell, the cells that must differ from it


def bits_of(words: NDArray[np.uint64]) -> list[int]:
    """Return sets (sets, words), see `solver.engines.general.graph`, as numbers."""
    data, wide = words.tobytes(), words.shape[1] * words.itemsize
    return [int.from_bytes(data[k : k + wide], "little") for k in range(0, len(data), wide)]


def as_bits(cells: Iterable[int]) -> int:
    """Return cells as bits."""
    return sum([1 << cell for cell in cells])


def cells_of(bits: int) -> list[int]:
    """Return the cells that are given as bits, rising."""
    cells = []
    while bits:
        lowest = bits & -bits
        cells.append(lowest.bit_length() - 1)
        bits ^= lowest
    return cells


def do_differ(cells: Sequence[int], peer_bits: PeerBits) -> bool:
    """Return whether all of the cells must differ."""
    bits = as_bits(cells)
    return all(bits & ~peer_bits[cell] == 1 << cell for cell in cells)


def runs_of(cells: Sequence[int], peer_bits: PeerBits, houses: Sequence[int]) -> list[list[int]]:
    """Return the cells in runs of some that all differ, long ones first."""
    if do_differ(cells, peer_bits):
        return [sorted(cells)]
    return [cells_of(run) for run in runs_by_house(as_bits(cells), houses)]


def runs_by_house(cells: int, houses: Sequence[int]) -> Iterator[int]:
    """Yield runs of cells that lie in one house, long ones first, then single cells; as bits."""
    while cells:
        houses = [shared for house in houses if (shared := house & cells)]
        run = max(houses, key=int.bit_count, default=0)
        if run.bit_count() < 2:
            run = cells & -cells
        yield run
        cells ^= run
