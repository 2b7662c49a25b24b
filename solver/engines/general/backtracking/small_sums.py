"""Propagation of sums with at most three open cells, by checking every combination.

A cell that is subtracted is reversed: value v becomes 63 − v. Then all cells are added, and the
target rises by 63 for each reversed cell. With v in the first cell, the other two must add up to
some r. The values of the second cell are the reversed third cell, shifted to the right by 63 − r,
or to the left if that is negative:

    third cell               2 4 5
    reversed                 58 59 61
    and shifted, for r = 7   2  3  5  that is 7 − 5, 7 − 4, 7 − 2

If two of the cells see each other, combinations with equal values are left out. Fewer than three
cells are padded with cells that hold only 0.
"""

import numpy as np

from solver.compiling.bitops import (
    ALL_ONES,
    ONE,
    ZERO,
    at_most_one_bit,
    ctz,
    lowest_bit,
    popcount,
    reverse_bits,
)
from solver.compiling.jit import always_inline, kernel
from solver.engines.general.backtracking.domains import set_domain
from solver.engines.general.backtracking.state import FEW
from solver.engines.general.backtracking.value_sets import apply_pointing_each
from solver.engines.general.graph import are_peers

_TOP = np.int64(63)  # the last bit of a word


@always_inline
def propagate_small_sum(number, target, opened, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Restrict up to three open cells of a sum to the values with which they can reach the target.

    The first `number` cells of `opened` are the open cells, with the factors 1 or −1. `target` is
    the sum that they must have, with values from 0. If every combination with this sum contains a
    value, the value is also removed from all cells that see each of the open cells which can have
    it. Returns False on a conflict.
    """
    cells, factors, words = opened.cells, opened.factors, opened.words
    begin, last = FEW - number, number - 1
    target = _open_summands(begin, target, opened, work.grid)
    peers = peer_words[-1]
    second_view = _view(0, 1, opened, peers) if number == FEW else 0
    third_view = _view(0, 2, opened, peers) if number == FEW else 0
    view = _view(last - 1, last, opened, peers) if number > 1 else 0
    kept, second, third, needed = ZERO, ZERO, ZERO, ALL_ONES if number > 1 else ZERO
    left = words[0]
    while left != ZERO:
        bit = lowest_bit(left)
        left ^= bit
        value = ctz(bit)
        rest = target - value
        seconds, thirds = _ends(value, rest, second_view, third_view, view, opened)
        if seconds == ZERO:
            continue
        kept |= bit
        second |= seconds
        third |= thirds
        if needed != ZERO:
            own = _as_it_is(bit, factors[0]) if number == FEW else ZERO
            is_swapped = seconds == thirds and factors[last - 1] == factors[last]
            if at_most_one_bit(seconds) or (is_swapped and popcount(seconds) == 2):
                own |= _as_it_is(seconds, factors[last - 1]) | _as_it_is(thirds, factors[last])
            needed &= own
    words[0], words[1], words[2] = kept, second, third
    for k in range(number):
        if not set_domain(cells[k], _as_it_is(words[begin + k], factors[k]), dependents, work):
            return False
    return apply_pointing_each(0, number, needed, cells, peer_words, dependents, work)


@always_inline
def _open_summands(begin, target, opened, grid):  # type: ignore[no-untyped-def]
    """Write the domains of the three summands to `opened.words`, and return the adjusted target.

    A summand is a cell, and its word is the cell's domain. The word of a cell that is subtracted
    is reversed: its 64 bits are in reverse order. The target increases by 63 for each such cell.
    Summands with an index below `begin` are padding, and have only the value 0. `opened.kept` gets
    the reverse of each word in `opened.words`.
    """
    words, turns = opened.words, opened.kept
    for k in range(FEW):
        words[k], turns[k] = ONE, ONE << np.uint64(_TOP)
        if k >= begin:
            word = grid[opened.cells[k - begin]]
            words[k], turns[k] = word, reverse_bits(word)
            if opened.factors[k - begin] < 0:
                words[k], turns[k] = turns[k], word
                target += _TOP
    return target


@always_inline
def _view(one, other, opened, peers):  # type: ignore[no-untyped-def]
    """Return 0 if two open cells may have the same value, and 1 or −1 if they must differ.

    It is 1 if they have the same factor, and −1 if they have opposite factors. `one` and `other`
    are indices of `opened`, and `peers` has the peers of each cell as bits.
    """
    cell = opened.cells[other]
    if cell >= 64 * peers.shape[1] or not are_peers(peers, opened.cells[one], cell):
        return 0
    return 1 if opened.factors[one] == opened.factors[other] else -1


@always_inline
def _ends(value, rest, second_view, third_view, view, opened):  # type: ignore[no-untyped-def]
    """Return the values of the second and third summand that add up to `rest`, as two bit masks.

    `value` is the value of the first summand. The views are results of `_view` for the first and
    second summand, the first and third, and the second and third. Summands are as in
    `opened.words`, so values of subtracted cells are reversed.
    """
    words, turns = opened.words, opened.kept
    seconds, thirds = words[1] & _moved(turns[2], rest), words[2] & _moved(turns[1], rest)
    if second_view != 0:
        same = value if second_view > 0 else _TOP - value
        seconds &= ~_bit(same)
        thirds &= ~_bit(rest - same)
    if third_view != 0:
        same = value if third_view > 0 else _TOP - value
        seconds &= ~_bit(rest - same)
        thirds &= ~_bit(same)
    if view > 0 and rest & 1 == 0:
        seconds &= ~_bit(rest >> 1)
        thirds &= ~_bit(rest >> 1)
    if view < 0 and rest == _TOP:
        return ZERO, ZERO
    return seconds, thirds


@always_inline
def _moved(word, rest):  # type: ignore[no-untyped-def]
    """Return {rest − v for v in a cell's domain} as bits.

    `word` is the reversed domain: bit 63 − v stands for value v. It is shifted to the right by
    63 − rest, or to the left by rest − 63. Differences outside 0 … 63 are dropped.
    """
    if rest < 0 or rest > 2 * _TOP:
        return ZERO
    if rest <= _TOP:
        return word >> np.uint64(_TOP - rest)
    return word << np.uint64(rest - _TOP)


@kernel
def _bit(place):  # type: ignore[no-untyped-def]
    """Return a word with only the bit at index `place` set, or zero if the index isn't 0 … 63."""
    return ONE << np.uint64(place) if 0 <= place <= _TOP else ZERO


@kernel
def _as_it_is(word, factor):  # type: ignore[no-untyped-def]
    """Return the values of a summand in the usual bit order: bit 0 for the value 0.

    `word` has them in reverse order if the cell is subtracted, which means that `factor` is
    negative.
    """
    return reverse_bits(word) if factor < 0 else word
