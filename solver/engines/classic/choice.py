"""Guesses: about what, and what becomes of the board and its complement.

In the three boxes of a band a value takes three different rows: one of six arrangements, and of
a stack likewise columns. A guess is about a value that has two arrangements left in a band or a
stack, which places it in two or three boxes at once; the band or stack is one with few minirows
(or minicolumns) for its values and many cells with two candidates. Where no value has two, the
guess is about a cell with two candidates, or with more. Only the values 1 to 8 are counted and
guessed about: a register of AVX2 has eight lanes, and where they have their places, 9 has its own.

So it always is on boards with few givens: there, values that are guessed far from each other
contradict nothing for long. Fewer than 17 givens never have just one solution (McGuire,
Tugemann and Civario: There is no 16-clue sudoku, 2012), so that uniqueness is not at stake.

That values in bands are better to guess about than cells was found by Tom Dillon:
https://github.com/t-dillon/tdoku (the band with the fewest arrangements, any value with two).
"""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from solver.compiling.jit import inlined
from solver.compiling.vector import (
    gatherer,
    load_lane,
    lowest_bit,
    nonzero,
    store_lane,
    store_short,
    total,
    word_at,
)
from solver.engines.classic.board import FIELDS, FIRST, GUARDS, ROWS, SINGLES, choose, gather

ONE = np.uint32(1)

gather_pairs = gatherer(3)

_FIXED = 24  # minirows of a band in which each of eight values has one arrangement
_ABOVE = 60  # keeps ranks above zero: a band has up to 27 cells with two candidates


def _arrangements() -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return the cells that one, and the other, of two arrangements at most does not use.

    Flat tables (2, 512, 3): for a band or a stack, for each set of minirows (bit 3·x + y for row y
    in box x) or of minicolumns (column y in box x), in the rows i of a board. The cells are those
    of the first band or stack; all of them, where there is no such arrangement.
    """
    first = np.empty((2, 512, 3), np.uint32)
    first[0], first[1] = 0x1FF, 0b111 * FIELDS
    second = first.copy()
    for places in permutations(range(3)):
        arrangement = sum(1 << 3 * x + y for x, y in enumerate(places))
        minirows = [sum(0b111 << 3 * x for x in range(3) if places[x] == i) for i in range(3)]
        minicolumns = sum(1 << 10 * x + y for x, y in enumerate(places))
        for ways in range(512):
            if arrangement & ~ways == 0:
                second[:, ways] = first[:, ways]
                first[0, ways] = [0x1FF & ~cells for cells in minirows]
                first[1, ways] = 0b111 * FIELDS & ~minicolumns
    return first.reshape(-1), second.reshape(-1)


_NOT_FIRST, _NOT_SECOND = _arrangements()


@inlined
def _minirows(row0, row1, row2):  # type: ignore[no-untyped-def]
    """Return the minirows a value has in each band: bit 10·band + 3·box + row.

    As words, or vectors with one of eight values in each lane, like everything below.
    """
    row0 = (row0 | row0 >> 1 | row0 >> 2) & FIRST
    row1 = (row1 | row1 >> 1 | row1 >> 2) & FIRST
    row2 = (row2 | row2 >> 1 | row2 >> 2) & FIRST
    return row0 | row1 << 1 | row2 << 2


@inlined
def _by_stacks(word):  # type: ignore[no-untyped-def]
    """Return bits 10·band + 3·stack + column as bits 10·stack + 3·band + column."""
    return (
        (word & (0o7 | 0o7 << 13 | 0o7 << 26))
        | (word >> 7 & (0o7 << 3 | 0o7 << 16))
        | (word & (0o7 << 3 | 0o7 << 16)) << 7
        | (word >> 14 & 0o7 << 6)
        | (word & 0o7 << 6) << 14
    )


@inlined
def _count_threes(word):  # type: ignore[no-untyped-def]
    """Return how many of every three neighbouring bits are set, 0…3, in their place."""
    return word - (word >> 1 & (FIRST | FIRST << 1)) - (word >> 2 & FIRST)


@inlined
def _count_fields(threes):  # type: ignore[no-untyped-def]
    """Return the sum of the three counts in each field, in its place."""
    return (threes & 3 * FIELDS) + (threes >> 3 & 3 * FIELDS) + (threes >> 6 & 3 * FIELDS)


@inlined
def _rank(threes, pairs):  # type: ignore[no-untyped-def]
    """Return three fields, the less the better to guess about.

    The minirows of a band, less two for each cell with two candidates; the highest bit of the
    field (guard) is set where the band is fixed. Words of two vectors of counts of threes.
    """
    ways = np.int64(total(_count_fields(threes)))
    fixed = (0x200 + _FIXED) * FIELDS - ways & GUARDS
    return ways + _ABOVE * FIELDS - 2 * np.int64(total(_count_fields(pairs))) | fixed


@inlined
def _choose_region(bands, stacks):  # type: ignore[no-untyped-def]
    """Return the number of the best band, 0…2, or of the best stack and 3, by their ranks."""
    best = (bands & 0x3FF) << 3
    best = min(best, (bands >> 10 & 0x3FF) << 3 | 1)
    best = min(best, (bands >> 20) << 3 | 2)
    best = min(best, (stacks & 0x3FF) << 3 | 3)
    best = min(best, (stacks >> 10 & 0x3FF) << 3 | 4)
    best = min(best, (stacks >> 20) << 3 | 5)
    return best & 7


@inlined
def _find_values(threes, field):  # type: ignore[no-untyped-def]
    """Return which values have two arrangements in a field: nowhere three minirows, but two."""
    boxes = FIRST & (0x1FF << 10 * field)
    pairs = nonzero((threes >> 1) & ~threes & boxes)
    return pairs & ~nonzero((threes >> 1) & threes & boxes)


@inlined
def _split_value(board, lane, stacks, start, cells, value, ways, region):  # type: ignore[no-untyped-def]
    """Leave a value its first arrangement in a region; in the complement, its second.

    `ways` are its minirows or minicolumns in that region.
    """
    shift, entry = 10 * region, 3 * ways
    if region >= 3:
        shift, entry = 3 * (region - 3), 3 * (512 + ways)
    for i in range(3):
        gone_here = np.uint32(_NOT_FIRST[entry + i] << shift)
        gone_there = np.uint32(_NOT_SECOND[entry + i] << shift)
        place = start + 9 * i + value
        word = stacks[place]
        pairs = load_lane(cells, i, lane) & word
        single = stacks[start + SINGLES + i]
        stacks[place] = word & ~gone_there
        stacks[start + SINGLES + i] = single | (pairs & gone_there)
        store_lane(board, 9 * i + value, lane, word & ~gone_here)
        store_lane(board, SINGLES + i, lane, single | (pairs & gone_here))


@inlined
def _split_cell(board, lane, stacks, start, cells):  # type: ignore[no-untyped-def]
    """Guess that a cell has its smallest candidate; leave the others to the complement.

    The first cell with two candidates, or with more where none has two: the vectors i of
    `cells` hold the cells with two candidates, the vectors 3 + i those with more. The
    complement is the copy of the board that begins at place `start` of the stacks.
    """
    row = 0
    while row < 5 and load_lane(cells, row, lane) == 0:
        row += 1
    bit = np.uint32(1 << lowest_bit(load_lane(cells, row, lane)))
    i = row % 3
    values = np.uint32(nonzero(gather(board, 9 * i, lane) & bit))
    if load_lane(board, 9 * i + 8, lane) & bit != 0:
        values = np.uint32(values | 1 << 8)
    stacks[start + 9 * i + lowest_bit(values)] &= ~bit
    values = np.uint32(values & (values - ONE))
    while values != 0:
        word = 9 * i + lowest_bit(values)
        store_lane(board, word, lane, load_lane(board, word, lane) & ~bit)
        values = np.uint32(values & (values - ONE))
    store_lane(board, SINGLES + i, lane, load_lane(board, SINGLES + i, lane) | bit)
    if row < 3:
        stacks[start + SINGLES + i] |= bit


@inlined
def guess(board, lane, stacks, start, cells, few):  # type: ignore[no-untyped-def]
    """Guess about the board in a lane.

    One half goes on in the lane; the other, its complement, is written to the stacks from
    place `start` on. `cells` is what the sweep made of the board. `few`: see above.
    """
    row0 = gather(board, 0, lane)
    row1 = gather(board, 9, lane)
    row2 = gather(board, 18, lane)
    store_short(stacks, start, row0)
    store_short(stacks, start + 9, row1)
    store_short(stacks, start + 18, row2)
    stacks[start + 8] = load_lane(board, 8, lane)
    stacks[start + 17] = load_lane(board, 17, lane)
    for row in range(26, ROWS):
        stacks[start + row] = load_lane(board, row, lane)
    by_bands = _minirows(row0, row1, row2)
    by_stacks = _by_stacks(row0 | row1 | row2)
    rows = _count_threes(by_bands)
    columns = _count_threes(by_stacks)
    pairs = gather_pairs(cells, 0, lane)
    pairs_by_stacks = _count_threes(_by_stacks(pairs))
    region = _choose_region(_rank(rows, _count_threes(pairs)), _rank(columns, pairs_by_stacks))
    # Chosen by a mask, for a processor cannot foretell which it is.
    band = np.uint32(0xFFFFFFFF) if region < 3 else np.uint32(0)
    field = region if region < 3 else region - 3
    values = np.uint32(_find_values(choose(band, rows, columns), field))
    if few or values == 0:
        _split_cell(board, lane, stacks, start, cells)
    else:
        value = lowest_bit(values)
        ways = np.int64(word_at(choose(band, by_bands, by_stacks), value)) >> 10 * field & 0x1FF
        _split_value(board, lane, stacks, start, cells, value, ways, region)
