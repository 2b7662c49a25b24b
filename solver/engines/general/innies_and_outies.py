"""Implied sums from houses: innies, outies, and sums that extend beyond a house.

This code is compiled, because it took half of the time of a killer in Python. Sets of cells are
rows of words with 64 cells each, see `solver.engines.general.graph`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.compiling.array_loops import copy, fill, offsets_from
from solver.compiling.bitops import ZERO, lowest_bit, popcount
from solver.compiling.jit import always_inline, compiled, helper, kernel
from solver.engines.general.graph import are_peers, list_marks, mark, no_marks

# The constants were measured in thousands of guesses on the 84 public variants, at most 200 a
# puzzle: 203 with these.
#
# Sums of more cells hardly ever rule anything out and still cost time, unless they are the only
# known sum of some cell. 3: 417, in three times the time; 8: 198, in the same time.
_MOST_CELLS = 5
# The limit for such cells. On 92 random killers of 10×10 to 16×16 it takes 0.96 of the guesses and
# 0.55 of the time of a limit of a house's cells, and 8 takes 0.94 and 0.50, but 5% more on 9×9.
_MOST_IF_UNKNOWN = 9
_MOST_ON_BOTH_SIDES = 2  # cells on the shorter side. 1: 221; 4: 203
# A target is close to a bound if the whole range is this many times as wide. 2.25: 200; 9: 277.
NEAR = 4.5

_PARTS = 4  # classes of cages by their part in a region: all, most, half, little


class Cages(NamedTuple):
    """Known sums in which each cell occurs once, without a factor.

    `cells` (sums, words) are the sets of their cells. `is_cage` marks the sums to be used as cages:
    their cells must all differ, and no two of them share a cell.
    """

    cells: NDArray[np.uint64]  # (sums, words)
    targets: NDArray[np.int64]
    is_cage: NDArray[np.bool_]


class Implied(NamedTuple):
    """Arrays for the implied sums that are found, with room for all of them.

    `sides` (sums, 2 * words) has the set of added cells and then the set of subtracted cells.
    `targets` has the targets.
    """

    sides: NDArray[np.uint64]  # (sums, 2 * words): the added and the subtracted cells, as bits
    targets: NDArray[np.int64]


@compiled
def find_implied(cells, ranges, targets, lines, windows, houses, peer_words, size, lowest):  # type: ignore[no-untyped-def]
    """Return sums that follow from known sums, as ((cells, factors, ranges), targets).

    Sum n has the cells cells[ranges[n]:ranges[n + 1]], with their factors at the same indices.

    cells, ranges, targets  the known sums. Each of their cells occurs once and has no factor.
    lines                   the indices of the full houses, sorted by kind
    windows                 per item of `lines`: the largest number of successive full houses, from
                            this one on, that are combined to a region
    houses                  (houses, words): the cells of all houses, as bits
    peer_words              (cells, words): the peers of each cell, as bits
    size, lowest            the number of the board's values, and its lowest number
    """
    sums = no_marks(targets.shape[0], peer_words.shape[0])
    taken = no_marks(1, peer_words.shape[0])[0]
    is_cage = np.empty(targets.shape[0], np.bool_)
    for number in range(targets.shape[0]):
        own = cells[ranges[number] : ranges[number + 1]]
        for i in range(own.shape[0]):
            mark(sums, number, own[i])
        is_cage[number] = not _do_meet(sums[number], taken) and _do_differ(own, peer_words)
        if is_cage[number]:
            _add(taken, sums[number])
    room = lines.shape[0]
    for first in range(lines.shape[0]):
        room += _PARTS * windows[first]
    found = Implied(np.empty((room, 2 * sums.shape[1]), np.uint64), np.empty(room, np.int64))
    cages = Cages(sums, targets, is_cage)
    total = size * (2 * lowest + size - 1) // 2  # total of a full house
    made = _leave_few(cages, taken, lines, windows, houses, size, total, found)
    made = _go_beyond(cages, lines.shape[0], houses, size, lowest, total, made, found)
    return _listed(found.sides, made), found.targets[:made]


@helper
def _leave_few(cages, known, lines, windows, houses, size, total, found):  # type: ignore[no-untyped-def]
    """Find sums of innies and outies: the few cells by which cages and regions differ.

    A region is one full house, or several successive ones such as rows 1–3, so the total of its
    values is known. Its outies are cells of the chosen cages that are outside it. Its innies are
    cells of the region that aren't in these cages. Then the sum of the outies minus the sum of the
    innies is the total of the cages minus that of the region.

    For each region, four choices of cages are tried: all cages that are completely in it, then also
    all cages with more than half of their cells in it, then with half, then with any. If there are
    few innies and outies, this sum is written to `found`. Returns the number of sums in `found`.

    `known` are the cells of all cages, and `total` is the total of one full house. For `lines`,
    `windows`, and `houses`, see `find_implied`.
    """
    sums, targets, is_cage = cages.cells, cages.targets, cages.is_cage
    made = 0
    parts = np.empty(targets.shape[0], np.int64)
    room = no_marks(2, 64 * known.shape[0])
    region, covered = room[0], room[1]
    for first in range(lines.shape[0]):
        fill(region, ZERO)
        for line in range(windows[first]):
            _add(region, houses[lines[first + line]])
            for cage in range(targets.shape[0]):
                parts[cage] = _part(sums[cage], region) if is_cage[cage] else _PARTS
            fill(covered, ZERO)
            added = -total * (line + 1)
            for part in range(_PARTS):
                has_some = False
                for cage in range(targets.shape[0]):
                    if parts[cage] == part:
                        has_some = True
                        _add(covered, sums[cage])
                        added += targets[cage]
                more, less = _count_alone(covered, region), _count_alone(region, covered)
                fewer = min(more, less)
                if not has_some or fewer > _MOST_ON_BOTH_SIDES or more == less == 0:
                    continue
                is_news = fewer == 0 and _are_unknown(covered, region, known)
                if more + less > (min(size, _MOST_IF_UNKNOWN) if is_news else _MOST_CELLS):
                    continue
                if more < less:
                    made = _enter(region, covered, -added, found, made, made)
                else:
                    made = _enter(covered, region, added, found, made, made)
    return made


@kernel
def _part(cage, region):  # type: ignore[no-untyped-def]
    """Return a number for the share of a cage that is in a region.

    It is 0 for all cells, 1 for more than half of them, 2 for half, 3 for fewer, and 4 (`_PARTS`)
    for none. `cage` and `region` are sets of cells as bits.
    """
    inside, length = 0, 0
    for word in range(cage.shape[0]):
        inside += popcount(cage[word] & region[word])
        length += popcount(cage[word])
    if inside == 0:
        return _PARTS
    if inside == length:
        return 0
    more = 2 * inside - length
    return 1 if more > 0 else 2 if more == 0 else 3


@kernel
def _are_unknown(one, other, known):  # type: ignore[no-untyped-def]
    """Return whether some cell in exactly one of the first two sets isn't in the set `known`."""
    unknown = ZERO
    for word in range(known.shape[0]):
        unknown |= (one[word] ^ other[word]) & ~known[word]
    return unknown != ZERO


@helper
def _go_beyond(cages, many, houses, size, lowest, total, made, found):  # type: ignore[no-untyped-def]
    """Write the sums of the cells by which known sums extend beyond a full house.

    Disjoint known sums are chosen that cover the house. The total of the cells beyond it is their
    total minus that of the house. If these cells contain other full houses, those are subtracted,
    too. Only tight sums are written, see `_is_tight`. `many` is the number of full houses, `total`
    the total of each, and `made` the number of sums in `found` so far. Returns the new number of
    sums.
    """
    sums, targets = cages.cells, cages.targets
    order = _by_shared(sums)
    room = no_marks(3, 64 * sums.shape[1])
    beyond, left, nothing = room[0], room[1], room[2]
    full = np.empty(many, np.int64)
    many = 0
    for house in range(houses.shape[0]):
        if _count_alone(houses[house], nothing) == size:
            full[many] = house
            many += 1
    first = made
    for place in range(many):
        own = houses[full[place]]
        target = _cover(own, sums, targets, order, houses, full, total, beyond) - total
        if _count_alone(own, beyond) > 0:
            continue
        _take(beyond, own)
        if _count_alone(beyond, nothing) >= size:
            for other in range(many):
                if _count_alone(houses[full[other]], beyond) == 0:
                    _take(beyond, houses[full[other]])
                    target -= total
        copy(beyond, left)
        if _do_meet(left, beyond) and _is_tight(left, target, houses, size, lowest):
            made = _enter(beyond, nothing, target, found, first, made)
    return made


@kernel
def _cover(house, sums, targets, order, houses, full, total, covered):  # type: ignore[no-untyped-def]
    """Cover a house with disjoint sums, and where these aren't enough, with other full houses.

    `order` are the indices of the sums in the order in which they are tried, and `full` are the
    indices of the full houses. Writes the set of covered cells to `covered`, and returns their
    total. `total` is that of a full house. Part of the house may remain uncovered.
    """
    fill(covered, ZERO)
    target = 0
    for place in range(order.shape[0] + full.shape[0]):
        if place < order.shape[0]:
            piece, more = sums[order[place]], targets[order[place]]
        else:
            piece, more = houses[full[place - order.shape[0]]], total
        if _do_meet(piece, house) and not _do_meet(piece, covered):
            _add(covered, piece)
            target += more
            if _count_alone(house, covered) == 0:
                break
    return target


@helper
def _by_shared(sums):  # type: ignore[no-untyped-def]
    """Return the indices of the sums, sorted by how many of their cells are also in other sums.

    The ones with the fewest such cells come first, because they leave room for more sums.
    """
    room = no_marks(2, 64 * sums.shape[1])
    once, shared = room[0], room[1]
    for number in range(sums.shape[0]):
        for word in range(sums.shape[1]):
            shared[word] |= once[word] & sums[number, word]
            once[word] |= sums[number, word]
    order, many = np.empty(sums.shape[0], np.int64), np.empty(sums.shape[0], np.int64)
    for number in range(sums.shape[0]):
        own = 0
        for word in range(sums.shape[1]):
            own += popcount(sums[number, word] & shared[word])
        place = number
        while place > 0 and many[place - 1] > own:
            order[place], many[place] = order[place - 1], many[place - 1]
            place -= 1
        order[place], many[place] = number, own
    return order


@kernel
def _is_tight(cells, target, houses, size, lowest):  # type: ignore[no-untyped-def]
    """Return whether a target is close to the least or the greatest possible sum of some cells.

    The cells of a house have different values, which narrows the range of sums. `houses` are sets
    of cells as bits. The set `cells` loses cells, because the caller no longer needs it.
    """
    # Each group of n cells in one house narrows the range by n·(n − 1) / 2 at both ends. Large
    # groups are examined first, as long as the remaining cells could still decide the result.
    left = 0
    for word in range(cells.shape[0]):
        left += popcount(cells[word])
    distance = min(target - left * lowest, left * (lowest + size - 1) - target)
    too_far = NEAR * distance - left * (size - 1)
    gain = (NEAR - 2) / 2
    while left > 0:
        length = _take_run(cells, houses)
        if not 0 < too_far <= gain * left * (length - 1):
            break
        too_far -= gain * length * (length - 1)
        left -= length
    return too_far <= 0


@kernel
def _take_run(cells, houses):  # type: ignore[no-untyped-def]
    """Remove the cells of one house from the set `cells`: of the house that has most of them.

    If no house has two cells of the set, only the set's first cell is removed. Returns the number
    of removed cells.
    """
    best, most = -1, 1
    for house in range(houses.shape[0]):
        many = 0
        for word in range(cells.shape[0]):
            many += popcount(cells[word] & houses[house, word])
        if many > most:
            best, most = house, many
    if best >= 0:
        _take(cells, houses[best])
        return most
    word = 0
    while cells[word] == ZERO:
        word += 1
    cells[word] ^= lowest_bit(cells[word])
    return 1


@kernel
def _enter(more, less, target, found, first, made):  # type: ignore[no-untyped-def]
    """Write a sum: the cells only in the set `more`, minus the cells only in the set `less`.

    `made` is the number of sums in `found` so far. Returns the new number of sums. If `found`
    already contains a sum of the same cells, no sum is added. The target of that sum is then
    replaced, but only if its index is `first` or higher.
    """
    sides, words = found.sides, more.shape[0]
    for word in range(words):
        sides[made, word] = more[word] & ~less[word]
        sides[made, words + word] = less[word] & ~more[word]
    place = 0
    while not _is_same(sides, place, made):
        place += 1
    if place == made or place >= first:
        found.targets[place] = target
    return max(made, place + 1)


@kernel
def _is_same(sides, one, other):  # type: ignore[no-untyped-def]
    """Return whether two sums, given by their indices, have the same added and subtracted cells."""
    changed = ZERO
    for word in range(sides.shape[1]):
        changed |= sides[one, word] ^ sides[other, word]
    return changed == ZERO


@helper
def _listed(sides, many):  # type: ignore[no-untyped-def]
    """Return the cells of the first `many` sums, their factors (1 or −1), and the sums' ranges.

    `sides` are those of `Implied`. Sum n has the cells cells[ranges[n]:ranges[n + 1]], and their
    factors at the same indices. In each sum, the subtracted cells come last.
    """
    lengths = np.empty(many, np.int32)
    for number in range(many):
        lengths[number] = 0
        for word in range(sides.shape[1]):
            lengths[number] += popcount(sides[number, word])
    ranges = offsets_from(lengths)
    cells, factors = np.empty(ranges[many], np.int32), np.empty(ranges[many], np.int32)
    words = sides.shape[1] // 2
    made = 0
    for number in range(many):
        for word in range(2 * words):
            is_less = word >= words
            begin = made
            made = list_marks(sides[number, word], word - words if is_less else word, cells, made)
            for place in range(begin, made):
                factors[place] = -1 if is_less else 1
    return cells, factors, ranges


@kernel
def _do_differ(cells, peer_words):  # type: ignore[no-untyped-def]
    """Return whether all of the cells must differ from each other."""
    for i in range(cells.shape[0]):
        for j in range(i):
            if not are_peers(peer_words, cells[i], cells[j]):
                return False
    return True


@kernel
def _count_alone(cells, others):  # type: ignore[no-untyped-def]
    """Return the number of cells in the first set that aren't in the second."""
    many = 0
    for word in range(cells.shape[0]):
        many += popcount(cells[word] & ~others[word])
    return many


@kernel
def _do_meet(cells, others):  # type: ignore[no-untyped-def]
    """Return whether two sets of cells, in words of 64, share a cell."""
    shared = ZERO
    for word in range(cells.shape[0]):
        shared |= cells[word] & others[word]
    return shared != ZERO


@always_inline
def _add(cells, more):  # type: ignore[no-untyped-def]
    """Add the cells of the set `more` to a set."""
    for word in range(cells.shape[0]):
        cells[word] |= more[word]


@always_inline
def _take(cells, away):  # type: ignore[no-untyped-def]
    """Remove the cells of the set `away` from a set."""
    for word in range(cells.shape[0]):
        cells[word] &= ~away[word]
