"""Sums of which three cells at most are open, in plain search: all ways to fill these.

A cell that is taken away is turned, with 63 − v for v, so that all are added, and the target is 63
more for each. With v in the first cell, the other two must have r together. What the second has
beside the third is that one turned and moved to the right by 63 − r, or else to the left:

    third cell           2 4 5
    turned               58 59 61
    and moved, for r = 7  2  3  5  that is 7 − 5, 7 − 4, 7 − 2

Where two of the cells see each other, what is the same value in both is left out. Fewer cells
than three come behind others that have nothing but 0.
"""

import numpy as np

from solver.compiling.bits import ALL, ONE, ZERO, count, first, first_bit, is_single, turned
from solver.compiling.jit import bare, inlined
from solver.engines.general.backtracking.state import FEW, leave
from solver.engines.general.backtracking.value_sets import point_each
from solver.engines.general.graph import are_peers

_TOP = np.int64(63)  # the last bit of a word


@inlined
def fill_few(number, target, opened, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Leave to so many open cells what is in some way to the target; False if there is none.

    Each of them is added or taken away once. What each way has goes from all who see its places.
    """
    cells, factors, words = opened.cells, opened.factors, opened.words
    begin, last = FEW - number, number - 1
    target = _turn(begin, target, opened, work.grid)
    peers = peer_words[-1]
    second_view = _view(0, 1, opened, peers) if number == FEW else 0
    third_view = _view(0, 2, opened, peers) if number == FEW else 0
    view = _view(last - 1, last, opened, peers) if number > 1 else 0
    kept, second, third, needed = ZERO, ZERO, ZERO, ALL if number > 1 else ZERO
    left = words[0]
    while left != ZERO:
        bit = first_bit(left)
        left ^= bit
        value = first(bit)
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
            if is_single(seconds) or (is_swapped and count(seconds) == 2):
                own |= _as_it_is(seconds, factors[last - 1]) | _as_it_is(thirds, factors[last])
            needed &= own
    words[0], words[1], words[2] = kept, second, third
    for k in range(number):
        if not leave(cells[k], _as_it_is(words[begin + k], factors[k]), dependents, work):
            return False
    return point_each(0, number, needed, cells, peer_words, dependents, work)


@inlined
def _turn(begin, target, opened, grid):  # type: ignore[no-untyped-def]
    """Write what three cells add, and that turned; return the target for all of them added."""
    words, turns = opened.words, opened.kept
    for k in range(FEW):
        words[k], turns[k] = ONE, ONE << np.uint64(_TOP)
        if k >= begin:
            word = grid[opened.cells[k - begin]]
            words[k], turns[k] = word, turned(word)
            if opened.factors[k - begin] < 0:
                words[k], turns[k] = turns[k], word
                target += _TOP
    return target


@inlined
def _view(one, other, opened, peers):  # type: ignore[no-untyped-def]
    """Return 0 if two cells may be the same, else whether they count alike (1) or not (−1)."""
    cell = opened.cells[other]
    if cell >= 64 * peers.shape[1] or not are_peers(peers, opened.cells[one], cell):
        return 0
    return 1 if opened.factors[one] == opened.factors[other] else -1


@inlined
def _ends(value, rest, second_view, third_view, view, opened):  # type: ignore[no-untyped-def]
    """Return what the second and the third cell can have beside a value of the first one."""
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


@inlined
def _moved(word, rest):  # type: ignore[no-untyped-def]
    """Return what is left of a rest by each value of a cell that is turned."""
    if rest < 0 or rest > 2 * _TOP:
        return ZERO
    if rest <= _TOP:
        return word >> np.uint64(_TOP - rest)
    return word << np.uint64(rest - _TOP)


@bare
def _bit(place):  # type: ignore[no-untyped-def]
    """Return the bit at a place, if a word has it."""
    return ONE << np.uint64(place) if 0 <= place <= _TOP else ZERO


@bare
def _as_it_is(word, factor):  # type: ignore[no-untyped-def]
    """Return the values of a cell that is turned where it is taken away."""
    return turned(word) if factor < 0 else word
