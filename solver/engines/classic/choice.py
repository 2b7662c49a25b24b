"""Choose a guess, and split the board into the guess and its complement.

In the three boxes of a band, a value takes three different rows, which allows six arrangements. A
guess prefers a value with two arrangements left in a band, because it places the value in two or
three boxes at the same time. The band is one with few minirows for its values and many cells with
two candidates. If no value there has two arrangements, the guess is about a cell: one with two
candidates, in that band if possible, or else one with more.

On boards with few givens, all guesses are about cells. Guesses about values that are far apart take
long to contradict each other there. A puzzle with fewer than 17 givens never has a unique solution
(McGuire, Tugemann, and Civario: There is no 16-clue sudoku, 2012), so this only concerns puzzles
with many solutions or none.

Tom Dillon found that guessing about values in bands is better than guessing about cells:
https://github.com/t-dillon/tdoku (it picks the band or stack with the fewest arrangements, and any
value with two). Considering stacks as well as bands doesn't reduce the number of guesses, and makes
each choice take twice as long.
"""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from solver.compiling.jit import always_inline
from solver.compiling.vector import (
    ctz32,
    gatherer,
    load,
    load_lane,
    minimum,
    nonzero,
    store,
    store_lane,
)
from solver.engines.classic.board import FIELDS, FIRST, FIRST_BOX, GUARDS, SINGLES, add
from solver.engines.classic.grids import copy_board

ONE = np.uint32(1)

# The words of one lane in eight successive vectors of a board: the values 1 … 8 of some rows.
gather = gatherer(8)

_ABOVE = 60  # Keeps ranks positive. A band has up to 27 cells with two candidates.


def _arrangements() -> NDArray[np.uint32]:
    """Return a table of the two arrangements that a value has left in a band.

    The shape is (512, 2, 3), flattened: by the set of minirows that the value can take (bit 3·x + y
    for row y in box x), by arrangement, and by row y of the band. An entry has the cells of that
    row in which the arrangement has no place for the value, as nine bits. It has all nine cells if
    the arrangement doesn't exist. Sets of minirows with more than two arrangements aren't looked
    up.
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


@always_inline
def _count_threes(word):  # type: ignore[no-untyped-def]
    """Count the set bits in each group of three adjacent bits.

    Each field has three groups, at the positions of its minirows. The counts, 0 … 3, take the
    places of the groups.
    """
    return word - (word >> 1 & (FIRST | FIRST << 1)) - (word >> 2 & FIRST)


@always_inline
def _count_fields(threes):  # type: ignore[no-untyped-def]
    """Return a word with the sum of the three counts in each field of the word `threes`.

    Each count has three bits, so it is at most 7. The sum is in the lowest bits of the field, and
    all other bits are zero.
    """
    return (threes & 7 * FIELDS) + (threes >> 3 & 7 * FIELDS) + (threes >> 6 & 7 * FIELDS)


@always_inline
def _look_at_three(minirows, row):  # type: ignore[no-untyped-def]
    """Find, for each of three values, the bands in which it has two arrangements left.

    The vectors `row` to `row` + 2 of `minirows` contain the minirows that the three values can
    take. Returns three words with one bit per value and box. The first word marks the boxes in
    which the value can take at least two minirows, and the second word those in which it can take
    all three. The last word marks the bands with two arrangements, at the position of the first
    box: the value can take two minirows in some box of the band, but three in none.
    """
    low, several = add(load(minirows, row), load(minirows, row + 1), load(minirows, row + 2))
    all_three = low & several
    anywhere = several | several >> 3 | several >> 6
    too_many = all_three | all_three >> 3 | all_three >> 6
    return several, all_three, anywhere & ~too_many & FIRST_BOX


@always_inline
def choose_values(minirows, cells, choices):  # type: ignore[no-untyped-def]
    """Choose a band in every lane, and the values in it that a guess may be about.

    `minirows` and `cells` are results of the sweep. The first vector of `choices` becomes

        bit    31 … 21 | 20 … 11 | 10 9 | 8 … 0
               0       | rank    | band | values 9 … 1

    for the band with the smallest rank. The values are those with two arrangements in the band. The
    rank is the number of minirows beyond one per value and box, minus two for each cell with two
    candidates, plus a constant. Solved bands have the highest bit of the rank set.
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
    store(choices, 0, minimum(minimum(first, second), third))


@always_inline
def _unused(place, band):  # type: ignore[no-untyped-def]
    """Return the cells that an arrangement doesn't use, one word for each row of a band.

    `place` is the index of the arrangement's entry in the table `_UNUSED`. `band` is 0 … 2.
    """
    return (
        np.uint32(_UNUSED[place] << 10 * band),
        np.uint32(_UNUSED[place + 1] << 10 * band),
        np.uint32(_UNUSED[place + 2] << 10 * band),
    )


@always_inline
def _split_row(board, lane, stacks, start, cells, y, value, gone_here, gone_there):  # type: ignore[no-untyped-def]
    """Remove a value from some cells of a lane's board, and from other cells of its complement.

    The complement is the board that remains to be searched after the guess. All of the cells are in
    the rows y, 3 + y, and 6 + y. The board loses the value in the cells `gone_here`. The
    complement, which starts at index `start` of the stacks, loses it in `gone_there`. In both,
    cells with a single candidate left are marked as solved. The vectors 0 to 2 of `cells` hold the
    cells with two candidates. `value` counts from 0.
    """
    word = load_lane(board, 9 * y + value, lane)
    single = load_lane(board, SINGLES + y, lane)
    pairs = load_lane(cells, y, lane) & word
    store_lane(board, 9 * y + value, lane, word & ~gone_here)
    store_lane(board, SINGLES + y, lane, single | (pairs & gone_here))
    store_lane(stacks, 9 * y + value, start, word & ~gone_there)
    store_lane(stacks, SINGLES + y, start, single | (pairs & gone_there))


@always_inline
def _split_value(board, lane, stacks, start, minirows, cells, band, value):  # type: ignore[no-untyped-def]
    """Make a guess: keep one of the two arrangements that a value has left in a band.

    The complement, which gets the other arrangement, is written to the stacks at index `start`.
    `minirows` and `cells` are results of the sweep. `value` counts from 0.
    """
    # Slow lookups come before the copy, which keeps the processor busy in the meantime.
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


@always_inline
def _split_cell(board, lane, stacks, start, cells, band):  # type: ignore[no-untyped-def]
    """Guess that a cell has its smallest candidate, and leave its other ones to the complement.

    The cell is the first one in the band with two candidates. If there is none, it is the first one
    on the board with two candidates, or if there is none either, with more. The vectors 0 to 2 of
    `cells` hold the cells with two candidates, and the vectors 3 to 5 those with more. The
    complement is a copy of the board at index `start` of the stacks.
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
    bit = np.uint32(1 << ctz32(here))
    i = row % 3
    values = np.uint32(nonzero(gather(board, 9 * i, lane) & bit))
    if load_lane(board, 9 * i + 8, lane) & bit != 0:
        values = np.uint32(values | 1 << 8)
    word = 9 * i + ctz32(values)
    copy_board(board, lane, stacks, start)
    store_lane(stacks, word, start, load_lane(board, word, lane) & ~bit)
    values = np.uint32(values & (values - ONE))
    while values != 0:
        word = 9 * i + ctz32(values)
        store_lane(board, word, lane, load_lane(board, word, lane) & ~bit)
        values = np.uint32(values & (values - ONE))
    single = load_lane(board, SINGLES + i, lane) | bit
    store_lane(board, SINGLES + i, lane, single)
    if row < 3:
        store_lane(stacks, SINGLES + i, start, single)


@always_inline
def guess(board, lane, stacks, start, minirows, cells, choices, few):  # type: ignore[no-untyped-def]
    """Split the board in a lane into a guess, which stays in the lane, and its complement.

    The complement, which must be searched after the guess, is written to the stacks at index
    `start`. `minirows` and `cells` are results of the sweep, and `choices` is the result of
    `choose_values`. With `few` nonzero, guesses are about cells only.
    """
    choice = load_lane(choices, 0, lane)
    band = np.int64(choice >> 9 & 3)
    values = np.uint32(choice & 0x1FF)
    if few or values == 0:
        _split_cell(board, lane, stacks, start, cells, band)
    else:
        _split_value(board, lane, stacks, start, minirows, cells, band, ctz32(values))
