"""Guesses: about what, and what becomes of the board and its complement.

In the three boxes of a band a value takes three different rows: one of six arrangements. A guess
is about a value that has two of them left in a band, which places it in two or three boxes at
once; the band is one with few minirows for its values and many cells with two candidates. Where
no value has two there, the guess is about a cell with two candidates, in that band if it has
one, or else with more.

So it always is on boards with few givens: there, values that are guessed far from each other
contradict nothing for long. Fewer than 17 givens never have just one solution (McGuire,
Tugemann and Civario: There is no 16-clue sudoku, 2012), so that uniqueness is not at stake.

That values in bands are better to guess about than cells was found by Tom Dillon:
https://github.com/t-dillon/tdoku (the band or stack with the fewest arrangements, any value with
two). Stacks beside bands make guesses no fewer, and take as long to look at again.
"""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from solver.compiling.jit import inlined
from solver.compiling.vector import (
    gatherer,
    load,
    load_lane,
    lowest_bit,
    nonzero,
    smaller,
    store,
    store_lane,
)
from solver.engines.classic.board import FIELDS, FIRST, FIRST_BOX, GUARDS, SINGLES, add
from solver.engines.classic.grids import copy_board

ONE = np.uint32(1)

gather = gatherer(8)  # the values 1 … 8 of some rows of the board in a lane, one in each word

_ABOVE = 60  # keeps ranks above zero: a band has up to 27 cells with two candidates


def _arrangements() -> NDArray[np.uint32]:
    """Return the cells that one, and the other, of two arrangements at most does not use.

    A flat table (512, 2, 3): for each set of minirows of a band (bit 3·x + y for row y in box x),
    in the row y of the first band; all cells, where there is no such arrangement.
    """
    unused = np.full((512, 2, 3), 0x1FF, np.uint32)
    for rows in permutations(range(3)):
        arrangement = sum(1 << 3 * x + y for x, y in enumerate(rows))
        cells = [0b111 << 3 * rows.index(y) for y in range(3)]
        for ways in range(512):
            if arrangement & ~ways == 0:
                unused[ways, 1] = unused[ways, 0]
                unused[ways, 0] = [0x1FF & ~here for here in cells]
    return unused.reshape(-1)


_UNUSED = _arrangements()


@inlined
def _count_threes(word):  # type: ignore[no-untyped-def]
    """Return how many of every three neighbouring bits are set, 0…3, in their place."""
    return word - (word >> 1 & (FIRST | FIRST << 1)) - (word >> 2 & FIRST)


@inlined
def _count_fields(threes):  # type: ignore[no-untyped-def]
    """Return the sum of the three counts, 0…7, in each field, in its place."""
    return (threes & 7 * FIELDS) + (threes >> 3 & 7 * FIELDS) + (threes >> 6 & 7 * FIELDS)


@inlined
def _look_at_three(minirows, row):  # type: ignore[no-untyped-def]
    """Return three words about three values, with bits for them where `minirows` has them.

    In which boxes they have two minirows or three; in which they have three; and, in the place
    of the first box, in which bands they have two arrangements: nowhere three minirows, but two.
    """
    low, several = add(load(minirows, row), load(minirows, row + 1), load(minirows, row + 2))
    all_three = low & several
    anywhere = several | several >> 3 | several >> 6
    too_many = all_three | all_three >> 3 | all_three >> 6
    return several, all_three, anywhere & ~too_many & FIRST_BOX


@inlined
def choose_values(minirows, cells, choices):  # type: ignore[no-untyped-def]
    """Choose in every lane a band, and the values in it that a guess may be about.

    `minirows` and `cells` are what the sweep made of the boards. The vector of `choices` becomes

        bit    31 … 21 | 20 … 11 | 10 9 | 8 … 0
               0       | rank    | band | values 9 … 1

    for the band with the smallest rank: its minirows, less those it has at least and two for each
    cell with two candidates. Bands that are fixed have the highest bit of the rank set.
    """
    several0, all_three0, values0 = _look_at_three(minirows, 0)
    several1, all_three1, values1 = _look_at_three(minirows, 3)
    several2, all_three2, values2 = _look_at_three(minirows, 6)
    values = values0 | values1 << 3 | values2 << 6
    ones, twos = add(several0, several1, several2)
    more_ones, more_twos = add(all_three0, all_three1, all_three2)
    more = _count_fields(_count_threes(ones) + _count_threes(more_ones))
    more = more + (_count_fields(_count_threes(twos) + _count_threes(more_twos)) << 1)
    pairs, twice = add(load(cells, 0), load(cells, 1), load(cells, 2))
    pairs = _count_fields(_count_threes(pairs)) + (_count_fields(_count_threes(twice)) << 1)
    ranks = (more + _ABOVE * FIELDS - (pairs << 1)) | (~(more + 0x1FF * FIELDS) & GUARDS)
    first = (ranks << 11 & 0x3FF << 11) | (values & 0x1FF)
    second = (ranks << 1 & 0x3FF << 11) | (values >> 10 & 0x1FF) | 1 << 9
    third = (ranks >> 9 & 0x3FF << 11) | (values >> 20) | 2 << 9
    store(choices, 0, smaller(smaller(first, second), third))


@inlined
def _unused(place, band):  # type: ignore[no-untyped-def]
    """Return the cells of a band that an arrangement does not use, in its three rows."""
    return (
        np.uint32(_UNUSED[place] << 10 * band),
        np.uint32(_UNUSED[place + 1] << 10 * band),
        np.uint32(_UNUSED[place + 2] << 10 * band),
    )


@inlined
def _split_row(board, lane, stacks, start, cells, y, value, gone_here, gone_there):  # type: ignore[no-untyped-def]
    """Take a value from some cells of the rows y, and from others in the complement."""
    word = load_lane(board, 9 * y + value, lane)
    single = load_lane(board, SINGLES + y, lane)
    pairs = load_lane(cells, y, lane) & word
    store_lane(board, 9 * y + value, lane, word & ~gone_here)
    store_lane(board, SINGLES + y, lane, single | (pairs & gone_here))
    store_lane(stacks, 9 * y + value, start, word & ~gone_there)
    store_lane(stacks, SINGLES + y, start, single | (pairs & gone_there))


@inlined
def _split_value(board, lane, stacks, start, minirows, cells, band, value):  # type: ignore[no-untyped-def]
    """Leave a value its first arrangement in a band; in the complement, its second.

    What takes long to find out comes before the copy, which keeps the processor busy meanwhile.
    """
    three = value // 3
    shift = 10 * band + value - 3 * three
    ways = 0
    for y in range(3):
        ways |= (load_lane(minirows, 3 * three + y, lane) >> shift & 0b001001001) << y
    here0, here1, here2 = _unused(6 * ways, band)
    there0, there1, there2 = _unused(6 * ways + 3, band)
    copy_board(board, lane, stacks, start)
    _split_row(board, lane, stacks, start, cells, 0, value, here0, there0)
    _split_row(board, lane, stacks, start, cells, 1, value, here1, there1)
    _split_row(board, lane, stacks, start, cells, 2, value, here2, there2)


@inlined
def _split_cell(board, lane, stacks, start, cells, band):  # type: ignore[no-untyped-def]
    """Guess that a cell has its smallest candidate; leave the others to the complement.

    The first cell of a band with two candidates, or else of the board, or with more where none has
    two: the vectors i of `cells` hold the cells with two candidates, the vectors 3 + i those with
    more. The complement is the copy of the board that begins at place `start` of the stacks.
    """
    in_band = np.uint32(0x1FF << 10 * band)
    pairs0 = load_lane(cells, 0, lane) & in_band
    pairs1 = load_lane(cells, 1, lane) & in_band
    pairs2 = load_lane(cells, 2, lane) & in_band
    row = 0 if pairs0 != 0 else 1 if pairs1 != 0 else 2
    here = pairs0 if pairs0 != 0 else pairs1 if pairs1 != 0 else pairs2
    if here == 0:
        row = 0
        while row < 5 and load_lane(cells, row, lane) == 0:
            row += 1
        here = load_lane(cells, row, lane)
    bit = np.uint32(1 << lowest_bit(here))
    i = row % 3
    values = np.uint32(nonzero(gather(board, 9 * i, lane) & bit))
    if load_lane(board, 9 * i + 8, lane) & bit != 0:
        values = np.uint32(values | 1 << 8)
    word = 9 * i + lowest_bit(values)
    copy_board(board, lane, stacks, start)
    store_lane(stacks, word, start, load_lane(board, word, lane) & ~bit)
    values = np.uint32(values & (values - ONE))
    while values != 0:
        word = 9 * i + lowest_bit(values)
        store_lane(board, word, lane, load_lane(board, word, lane) & ~bit)
        values = np.uint32(values & (values - ONE))
    single = load_lane(board, SINGLES + i, lane) | bit
    store_lane(board, SINGLES + i, lane, single)
    if row < 3:
        store_lane(stacks, SINGLES + i, start, single)


@inlined
def guess(board, lane, stacks, start, minirows, cells, choices, few):  # type: ignore[no-untyped-def]
    """Guess about the board in a lane.

    One half goes on in the lane; the other, its complement, is written to the stacks from
    place `start` on. `minirows` and `cells` are what the sweep made of the boards, `choices` what
    `choose_values` did. `few`: see above.
    """
    choice = load_lane(choices, 0, lane)
    band = np.int64(choice >> 9 & 3)
    values = np.uint32(choice & 0x1FF)
    if few or values == 0:
        _split_cell(board, lane, stacks, start, cells, band)
    else:
        _split_value(board, lane, stacks, start, minirows, cells, band, lowest_bit(values))
