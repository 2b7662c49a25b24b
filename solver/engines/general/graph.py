"""The graph of a layout: which cells must differ, and where full houses overlap."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import House, Layout, Links
from solver.compiling.arrays import starts
from solver.compiling.bits import ONE, ZERO
from solver.compiling.jit import bare, compiled, inner

Ints = NDArray[np.int32]

_FEW = 3  # cells of an overlap: as many as a box and a line share on the usual board


class Graph(NamedTuple):
    """Cells and the full houses, those with as many cells as there are values.

    Two houses overlap that share two cells or more, and not all; each has an overlap of its own.
    """

    own: NDArray[np.int64]  # the cells of all houses, full or not, one house after the other
    own_ranges: Ints  # of these houses
    differ: NDArray[np.bool_]  # (cells, cells): whether two of them must
    peers: Ints  # (cells, most): the same as lists, closed by −1
    peer_words: NDArray[np.uint64]  # (cells, words): and as bits, bit 0 of the first word for r1c1
    houses: NDArray[np.uint32]  # (houses, size): cells
    houses_of: Ints  # (cells, most), closed by −1
    overlaps: Ints  # (overlaps, 2, size): cells in its own house alone, in the other one alone
    overlaps_of: Ints  # (houses, most), closed by −1
    share_few: bool  # no two share more than three cells


@lru_cache(maxsize=4)  # of the largest boards, 16 MB each
def graph_of(layout: Layout) -> Graph:
    """Return the graph of a layout; a house that is not full only makes peers."""
    if layout.links:
        return _graph(layout.houses, layout.links, layout.cells, layout.size)
    return _graph_of_houses(layout.houses, layout.cells, layout.size)


@lru_cache(maxsize=4)
def _graph_of_houses(houses: tuple[House, ...], cells: int, size: int) -> Graph:
    return _graph(houses, (), cells, size)


def _graph(houses: Sequence[House], links: Sequence[Links], cells: int, size: int) -> Graph:
    own = [house.cells for house in houses]
    flat = np.fromiter(chain.from_iterable(own), np.int64)
    ranges = starts(map(len, own))
    pairs = chain.from_iterable([pair for each in links for pair in each.pairs])
    linked = np.fromiter(pairs, np.int64).reshape(-1, 2)
    return Graph(flat, ranges, *_connect(flat, ranges, linked, cells, size))


@compiled
def _connect(cells_of_houses, starts, links, cells, size):  # type: ignore[no-untyped-def]
    """Return what `Graph` says of houses, one after the other, and of linked pairs."""
    differ = _no_marks(cells, cells)
    full = 0
    for house in range(starts.shape[0] - 1):
        own = cells_of_houses[starts[house] : starts[house + 1]]
        full += own.shape[0] == size
        for i in range(own.shape[0]):
            for j in range(i):
                differ[own[i], own[j]] = True
                differ[own[j], own[i]] = True
    for i in range(links.shape[0]):
        differ[links[i, 0], links[i, 1]] = True
        differ[links[i, 1], links[i, 0]] = True
    houses = np.empty((full, size), np.uint32)
    is_in = _no_marks(cells, full)
    full = 0
    for house in range(starts.shape[0] - 1):
        own = cells_of_houses[starts[house] : starts[house + 1]]
        if own.shape[0] == size:
            for i in range(size):
                houses[full, i] = own[i]
                is_in[own[i], full] = True
            full += 1
    overlaps, is_of, share_few = _overlap(houses, is_in)
    peers, peer_words, houses_of = _listed(differ), _packed(differ), _listed(is_in)
    return differ, peers, peer_words, houses, houses_of, overlaps, _listed(is_of), share_few


@inner
def _no_marks(rows, columns):  # type: ignore[no-untyped-def]
    """Return marks, none set; Numba's own zeros take three times as long to compile."""
    marks = np.empty((rows, columns), np.bool_)
    for row in range(rows):
        for column in range(columns):
            marks[row, column] = False
    return marks


@inner
def _overlap(houses, is_in):  # type: ignore[no-untyped-def]
    """Return the overlaps of houses, (houses, overlaps) which are of each, and if they are few."""
    count, size = houses.shape
    total, most = 0, 0
    for a in range(count):
        for b in range(a + 1, count):
            shared = _count_shared(houses[a], is_in, b)
            if 1 < shared < size:
                total += 2
                most = max(most, shared)
    overlaps = np.empty((total, 2, size), np.int32)
    is_of = _no_marks(count, total)
    total = 0
    for a in range(count):
        for b in range(a + 1, count):
            shared = _count_shared(houses[a], is_in, b)
            if 1 < shared < size:
                is_of[a, total] = True
                is_of[b, total + 1] = True
                _list_alone(is_in, a, b, overlaps[total, 0], overlaps[total + 1, 1])
                _list_alone(is_in, b, a, overlaps[total + 1, 0], overlaps[total, 1])
                total += 2
    return overlaps, is_of, most <= _FEW


@bare
def _count_shared(house, is_in, other):  # type: ignore[no-untyped-def]
    """Return how many cells of a house are in another one."""
    shared = 0
    for i in range(house.shape[0]):
        shared += is_in[house[i], other]
    return shared


@bare
def _list_alone(is_in, house, other, places, again):  # type: ignore[no-untyped-def]
    """Write the cells of a house that are not in another one, closed by −1, to two lists."""
    count = 0
    for cell in range(is_in.shape[0]):
        if is_in[cell, house] and not is_in[cell, other]:
            places[count] = again[count] = cell
            count += 1
    for place in range(count, places.shape[0]):
        places[place] = again[place] = -1


@inner
def _listed(marks):  # type: ignore[no-untyped-def]
    """Return the places of the marks in each row, closed by −1."""
    most = 1
    for row in range(marks.shape[0]):
        count = 0
        for place in range(marks.shape[1]):
            count += marks[row, place]
        most = max(most, count)
    places = np.empty((marks.shape[0], most), np.int32)
    for row in range(marks.shape[0]):
        count = 0
        for place in range(marks.shape[1]):
            if marks[row, place]:
                places[row, count] = place
                count += 1
        for place in range(count, most):
            places[row, place] = -1
    return places


@inner
def _packed(marks):  # type: ignore[no-untyped-def]
    """Return the marks of each row as bits, 64 in a word.

    bit    63 … 1 0 │ 63 …  1  0
    place  63 … 1 0 │ 127 … 65 64
    """
    words = np.empty((marks.shape[0], (marks.shape[1] + 63) // 64), np.uint64)
    for row in range(marks.shape[0]):
        for number in range(words.shape[1]):
            words[row, number] = ZERO
        for place in range(marks.shape[1]):
            if marks[row, place]:
                words[row, place // 64] |= ONE << np.uint64(place % 64)
    return words
