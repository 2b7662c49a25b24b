"""The graph of a layout (which cells must differ), its full houses, and sets as bits.

Full houses have as many cells as the board has values.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.board.arrays import NO_PAIRS, cells_of_houses, linked_pairs
from solver.board.layout import Layout
from solver.board.primitive_constraints import House
from solver.compiling.array_loops import copy, fill, zero_rows
from solver.compiling.bitops import ONE, ZERO, ctz, lowest_bit, popcount
from solver.compiling.jit import always_inline, compiled, helper, kernel

Ints = NDArray[np.int32]
Words = NDArray[np.uint64]


class Graph(NamedTuple):
    """The peers of each cell, all houses, and the full houses of a layout.

    Full houses have as many cells as the board has values. Sets of cells are rows of 64-bit words,
    with cell c at bit c % 64 of word c // 64.

    own          the cells of all houses, concatenated
    own_ranges   house n has the cells own[own_ranges[n]:own_ranges[n + 1]]
    own_words    (all houses, words): the cells of all houses as bits
    peer_words   (cells, words): the peers of each cell as bits
    peers        (cells, most): the same as lists, padded with −1
    words        how many words per row hold all cells that have peers or are in full houses
    houses       (full houses, size): the cells of the full houses
    house_words  (full houses, words): the same as bits
    houses_of    (cells, most): the indices of the full houses of each cell, padded with −1
    most_shared  the largest number of cells that two full houses share, unless they are the same
    """

    own: Ints
    own_ranges: Ints
    own_words: Words
    peer_words: Words
    peers: Ints
    words: int
    houses: NDArray[np.uint32]
    house_words: Words
    houses_of: Ints
    most_shared: int


@lru_cache(maxsize=4)  # the largest boards take 5 MB each
def graph_of(layout: Layout) -> Graph:
    """Return the graph of a layout: the peers of its cells, and its houses."""
    if layout.links:
        return _graph(layout.houses, linked_pairs(layout), layout.cells, layout.size)
    return _graph_of_houses(layout.houses, layout.cells, layout.size)


@lru_cache(maxsize=4)
def _graph_of_houses(houses: tuple[House, ...], cells: int, size: int) -> Graph:
    """Return the graph of cells that must differ only because of houses."""
    return _graph(houses, NO_PAIRS, cells, size)


def _graph(houses: tuple[House, ...], linked: Ints, cells: int, size: int) -> Graph:
    """Return the graph of cells that must differ because of houses or other pairs.

    `linked` (n, 2) are the other pairs. `cells` is the number of cells, and `size` that of values.
    """
    own, ranges = cells_of_houses(houses)
    return Graph(own, ranges, *_connect(own, ranges, linked, cells, size))


@compiled
def _connect(cells_of_houses, ranges, links, cells, size):  # type: ignore[no-untyped-def]
    """Return the fields `own_words` to `most_shared` of a `Graph`, in their order.

    They are the cells of each house as bits, the peers of each cell, and the tables of the full
    houses. House n has the cells cells_of_houses[ranges[n]:ranges[n + 1]]. `links` (pairs, 2) are
    other pairs of cells that must differ. `cells` is the number of cells of the board, and `size`
    is its number of values.
    """
    every = ranges.shape[0] - 1
    has, peers = no_marks(every, cells), no_marks(cells, cells)
    full = 0
    for house in range(every):
        own = cells_of_houses[ranges[house] : ranges[house + 1]]
        full += own.shape[0] == size
        for i in range(own.shape[0]):
            mark(has, house, own[i])
        for i in range(own.shape[0]):
            for word in range(peers.shape[1]):
                peers[own[i], word] |= has[house, word]
    for cell in range(cells):
        peers[cell, cell // 64] &= ~(ONE << np.uint64(cell % 64))
    for i in range(links.shape[0]):
        mark(peers, links[i, 0], links[i, 1])
        mark(peers, links[i, 1], links[i, 0])
    houses = np.empty((full, size), np.uint32)
    is_in, full_has = no_marks(cells, full), no_marks(full, cells)
    full = 0
    for house in range(every):
        own = cells_of_houses[ranges[house] : ranges[house + 1]]
        if own.shape[0] == size:
            copy(has[house], full_has[full])
            for i in range(size):
                houses[full, i] = own[i]
                mark(is_in, own[i], full)
            full += 1
    words = max(_words_with_marks(peers), _words_with_marks(full_has))
    most = _most_shared(full_has, size)
    return has, peers, _listed(peers), words, houses, full_has, _listed(is_in), most


@helper
def no_marks(rows, columns):  # type: ignore[no-untyped-def]
    """Allocate `rows` empty sets of numbers below `columns`, as bits of 64-bit words.

    The result has one row per set. The number n is bit n % 64 of word n // 64.
    """
    return zero_rows(rows, (columns + 63) // 64, np.uint64)


@always_inline
def mark(marks, row, place):  # type: ignore[no-untyped-def]
    """Add a number (`place`) to the set in a row of `marks`, see `no_marks`."""
    marks[row, place // 64] |= ONE << np.uint64(place % 64)


@always_inline
def are_peers(peer_words, cell, other):  # type: ignore[no-untyped-def]
    """Return whether two cells must differ.

    `peer_words` has the peers of each cell, as in `Graph`.
    """
    return peer_words[cell, other // 64] >> np.uint64(other % 64) & ONE != ZERO


@always_inline
def plane_of(value, peer_words):  # type: ignore[no-untyped-def]
    """Return the index of the plane of `peer_words` that applies to a value (from 0).

    `peer_words` (planes, cells, words) has a plane for each value, or a single plane for all of
    them.
    """
    return min(value, np.uint64(peer_words.shape[0] - 1))


@kernel
def _most_shared(has, size):  # type: ignore[no-untyped-def]
    """Return the largest number of cells that two different full houses share.

    has[house] is the set of the house's cells, and each house has `size` of them. Two houses with
    the same cells count as one.
    """
    most = 0
    for house in range(has.shape[0]):
        for other in range(house):
            shared = 0
            for word in range(has.shape[1]):
                shared += popcount(has[house, word] & has[other, word])
            if shared < size:
                most = max(most, shared)
    return most


@kernel
def _words_with_marks(marks):  # type: ignore[no-untyped-def]
    """Return how many words per row are in use: up to the last one with a bit in any row."""
    words = 0
    for row in range(marks.shape[0]):
        for word in range(words, marks.shape[1]):
            if marks[row, word] != ZERO:
                words = word + 1
    return words


@helper
def _listed(marks):  # type: ignore[no-untyped-def]
    """Return the sets in the rows of `marks` (see `no_marks`) as lists of numbers.

    The lists are the rows of one array, padded with −1 to the length of the longest list.
    """
    most = 1
    for row in range(marks.shape[0]):
        many = 0
        for word in range(marks.shape[1]):
            many += popcount(marks[row, word])
        most = max(most, many)
    places = np.empty((marks.shape[0], most), np.int32)
    for row in range(marks.shape[0]):
        made = 0
        for word in range(marks.shape[1]):
            made = list_marks(marks[row, word], word, places[row], made)
        fill(places[row, made:], -1)
    return places


@always_inline
def list_marks(left, word, places, made):  # type: ignore[no-untyped-def]
    """Write the members in one 64-bit word of a set to the array `places`, from index `made` on.

    `left` is the word, and `word` is its index in the set: bit b stands for the number 64 · `word`
    + b. Returns the index after the last number written.
    """
    while left != ZERO:
        places[made] = 64 * word + ctz(left)
        left ^= lowest_bit(left)
        made += 1
    return made
