"""What follows from what is left: from values, houses, overlaps, relations, sums and automata."""

import numpy as np

from solver.compiling.bits import ONE, ZERO, count, first_bit, is_single
from solver.compiling.jit import bare, inlined
from solver.engines.general.plain.combinations import combine, point
from solver.engines.general.plain.cutting import cut
from solver.engines.general.plain.enclosing import enclose
from solver.engines.general.plain.rankings import rank
from solver.engines.general.plain.state import forget_work, reduce
from solver.engines.general.plain.sums import add_up
from solver.engines.general.walk import walk


@bare
def propagate(weight, tables, state):  # type: ignore[no-untyped-def]
    """Deduce until nothing is left, the cheapest first; False at a dead end.

    At a dead end the cells of what failed share the weight, so that they are guessed sooner.
    """
    dependents, houses = tables.dependents, tables.houses
    work, scores = state.work, state.scores
    counters = work.counters[0]
    while True:
        if counters.singles > 0:
            counters.singles -= 1
            cell = work.singles[counters.singles]
            if not _see(cell, tables.peers, weight, scores, dependents, work):
                break
        elif counters.houses > 0:
            counters.houses -= 1
            house = work.houses[counters.houses]
            if not _find_hidden(house, houses, tables.peer_words, dependents, work):
                for i in range(houses.cells.shape[1]):
                    scores[houses.cells[house, i]] += weight / houses.cells.shape[1]
                break
        elif counters.changed > 0:
            counters.changed -= 1
            cell = work.changed[counters.changed]
            work.is_changed[cell] = False
            if not _relate(cell, tables.relations, weight, scores, dependents, work):
                break
        elif counters.queue_start < counters.queue_end:
            reader = work.queue[counters.queue_start % work.queue.shape[0]]
            counters.queue_start += 1
            number = reader - tables.sums.targets.shape[0]
            other = number - tables.read_twice.shape[0]
            enclosed = other - (tables.combinations.ranges.shape[0] - 1)
            whole = enclosed - (tables.enclosures.ranges.shape[0] - 1)
            if whole >= 0:
                work.is_waiting[reader] = False
                if whole == 0 and tables.rankings.lines.shape[0] > 0:
                    if not rank(tables.rankings, weight, scores, dependents, work):
                        break
                    continue
                regions, groups, words = tables.regions, state.groups, tables.peer_words
                if not cut(reader, regions, groups, words, weight, scores, dependents, work):
                    break
                continue
            # What says all at once need not be asked again because of what it did itself.
            again = number >= 0 and enclosed < 0 and (other >= 0 or tables.read_twice[number])
            if again:
                work.is_waiting[reader] = False
            if number < 0:
                ranges, cells, place = tables.sums.ranges, tables.sums.cells, np.int64(reader)
                alive = add_up(reader, tables.sums, tables.peer_words, state.runs, dependents, work)
            elif other < 0:
                ranges, cells, place = tables.automata.ranges, tables.automata.cells, number
                alive = _read(
                    number, tables.automata, state.ways, tables.peer_words, dependents, work
                )
            elif enclosed >= 0:
                enclosures = tables.enclosures
                ranges, cells, place = enclosures.ranges, enclosures.cells, enclosed
                alive = enclose(
                    enclosed, enclosures, state.enclosing, tables.peer_words, dependents, work
                )
            else:
                combinations = tables.combinations
                ranges, cells, place = combinations.ranges, combinations.cells, other
                alive = combine(other, combinations, tables.peer_words, dependents, work)
            if not again:
                work.is_waiting[reader] = False
            if not alive:
                share = 2 * weight / (ranges[place + 1] - ranges[place])
                for i in range(ranges[place], ranges[place + 1]):
                    scores[cells[i]] += share
                break
        else:
            return True
    forget_work(work)
    return False


@inlined
def _see(cell, peers, weight, scores, dependents, work):  # type: ignore[no-untyped-def]
    """Remove the value of a cell from its peers; False if one has nothing left."""
    value = work.grid[cell]
    for i in range(peers.shape[1]):
        peer = peers[cell, i]
        if peer < 0:
            break
        word = work.grid[peer]
        if word & value != ZERO and not reduce(peer, word ^ value, dependents, work):
            _blame(cell, peer, weight, scores)
            return False
    return True


@inlined
def _blame(cell, other, weight, scores):  # type: ignore[no-untyped-def]
    """Note that two cells together were a dead end."""
    scores[cell] += weight
    scores[other] += weight


@inlined
def _find_hidden(house, houses, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Set what has one place only in a house; False if something has none.

    What has few places, after it lost some, may be seen by other cells from all of them.
    """
    cells = houses.cells
    size = cells.shape[1]
    lost = work.lost[house]
    work.lost[house] = ZERO
    once, twice, often, more = ZERO, ZERO, ZERO, ZERO
    for i in range(size):
        word = work.grid[cells[house, i]]
        more |= often & word
        often |= twice & word
        twice |= once & word
        once |= word
    if once != houses.full:
        return False
    hidden = once & ~twice
    if hidden != ZERO:
        for i in range(size):
            cell = cells[house, i]
            word = work.grid[cell]
            only_here = word & hidden
            if only_here != ZERO and only_here != word:
                if not is_single(only_here):
                    return False
                reduce(cell, only_here, dependents, work)
    lost &= twice
    if houses.is_seen:
        start = house * size
        pairs = lost & ~often
        while pairs != ZERO:
            bit = first_bit(pairs)
            pairs ^= bit
            if not point(start, start + size, bit, houses.in_turn, peer_words, dependents, work):
                return False
    if houses.share_few:
        lost &= ~more
    return lost == ZERO or _lock(house, lost, houses, dependents, work)


@inlined
def _relate(cell, relations, weight, scores, dependents, work):  # type: ignore[no-untyped-def]
    """Remove what a cell rules out in others; False if one has nothing left."""
    for i in range(relations.ranges[cell], relations.ranges[cell + 1]):
        other = relations.others[i]
        left = work.grid[cell]
        allowed = ZERO
        while left != ZERO:
            allowed |= relations.allowed[relations.tables[i], count(~left & (left - ONE))]
            left &= left - ONE
        word = work.grid[other]
        if word & ~allowed != ZERO and not reduce(other, word & allowed, dependents, work):
            _blame(cell, other, weight, scores)
            return False
    return True


@inlined
def _read(number, automata, ways, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Remove the values that no word of an automaton has; False if there is no word."""
    if not walk(number, automata, work.grid, ways):
        return False
    start, end = automata.ranges[number], automata.ranges[number + 1]
    needs = automata.needs[number]
    for j in range(end - start - 1, -1, -1):
        cell = automata.cells[start + j]
        word = work.grid[cell]
        if word & ~ways.kept[j] != ZERO:
            word &= ways.kept[j]
            if not reduce(cell, word, dependents, work):
                return False
        if is_single(word):
            needs &= ~word
    while needs != ZERO:
        bit = first_bit(needs)
        needs ^= bit
        if not point(start, end, bit, automata.cells, peer_words, dependents, work):
            return False
    return True


@inlined
def _lock(house, lost, houses, dependents, work):  # type: ignore[no-untyped-def]
    """Remove what has places left only where another house is, too; False at a dead end."""
    overlaps, cells = houses.overlaps_of, houses.overlaps
    for i in range(overlaps.shape[1]):
        overlap = overlaps[house, i]
        if overlap < 0:
            break
        locked = lost
        for k in range(cells.shape[2]):
            cell = cells[overlap, 0, k]
            if cell < 0 or locked == ZERO:
                break
            locked &= ~work.grid[cell]
        if locked == ZERO:
            continue
        for k in range(cells.shape[2]):
            cell = cells[overlap, 1, k]
            if cell < 0:
                break
            word = work.grid[cell]
            if word & locked != ZERO and not reduce(cell, word & ~locked, dependents, work):
                return False
    return True
