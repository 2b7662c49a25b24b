"""What follows from what is left: from values, houses, relations, sums and automata."""

import numpy as np

from solver.compiling.bits import ONE, ZERO, count, first, first_bit, is_single
from solver.compiling.jit import bare, inlined
from solver.engines.general.backtracking.connectivity import cut
from solver.engines.general.backtracking.full_rank import rank
from solver.engines.general.backtracking.sandwiches import enclose
from solver.engines.general.backtracking.state import forget_work, reduce
from solver.engines.general.backtracking.sums import add_up
from solver.engines.general.backtracking.value_sets import combine, point_each
from solver.engines.general.graph import plane_of
from solver.engines.general.mdd_propagation import walk


@inlined
def allowed_by(word, table, allowed):  # type: ignore[no-untyped-def]
    """Return what the candidates of a cell allow in another one, by a table of `allowed`."""
    left, union = word, ZERO
    while left != ZERO:
        union |= allowed[table, first(left)]
        left &= left - ONE
    return union


@bare
def deduce(weight, tables, state):  # type: ignore[no-untyped-def]
    """Deduce until nothing but choices is left, the cheapest first; False at a dead end.

    At a dead end the cells of what failed share the weight, so that they are guessed sooner.
    """
    dependents, houses = tables.dependents, tables.houses
    work, scores = state.work, state.scores
    counters = work.counters[0]
    while True:
        if counters.singles > 0:
            counters.singles -= 1
            cell = work.singles[counters.singles]
            if not _see(cell, tables.peer_words, weight, scores, dependents, work):
                break
        elif counters.houses > 0:
            counters.houses -= 1
            house = work.houses[counters.houses]
            if not _look_for(house, houses, tables.peer_words, dependents, work):
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
                choice = reader - tables.choices.first
                if choice >= 0:
                    state.choosing.waiting[choice] = True
                    continue
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
                alive = add_up(
                    reader, tables.sums, tables.peer_words, state.runs, state.opened, state.sets,
                    dependents, work,
                )  # fmt: skip
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
                alive = combine(
                    other, combinations, state.combining, tables.peer_words, dependents, work
                )
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
def _see(cell, peer_words, weight, scores, dependents, work):  # type: ignore[no-untyped-def]
    """Remove the value of a cell from its peers; False if one has nothing left."""
    value = work.grid[cell]
    number = np.uint64(first(value))
    plane = plane_of(number, peer_words)
    for w in range(peer_words.shape[2]):
        seen = peer_words[plane, cell, w] & work.places[number, w]
        while seen != ZERO:
            peer = 64 * w + first(seen)
            seen &= seen - ONE
            if not reduce(peer, work.grid[peer] ^ value, dependents, work):
                _blame(cell, peer, weight, scores)
                return False
    return True


@inlined
def _blame(cell, other, weight, scores):  # type: ignore[no-untyped-def]
    """Note that two cells together were a dead end."""
    scores[cell] += weight
    scores[other] += weight


@inlined
def _look_for(house, houses, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Look for the places of what lost some in a house; False if a value has none.

    A value with one place only is set there; where it has few, it goes from all that see each.
    """
    lost = work.lost[house] & houses.full
    work.lost[house] = ZERO
    while lost != ZERO:
        value = first_bit(lost)
        lost ^= value
        places = work.places[np.uint64(first(value))]
        many, cell = np.int64(0), np.int64(0)
        for w in range(places.shape[0]):
            own = places[w] & houses.words[house, w]
            if own != ZERO:
                many += count(own)
                cell = 64 * w + first(own)
        if many == 0:
            return False
        if many > houses.few:
            continue
        if many > 1:
            if not _lock(house, value, places, houses, peer_words, dependents, work):
                return False
        elif work.grid[cell] != value:
            reduce(cell, value, dependents, work)
    return True


@inlined
def _lock(house, value, places, houses, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Remove a value from what sees all of its places in a house; False at a dead end."""
    plane = plane_of(np.uint64(first(value)), peer_words)
    for w in range(places.shape[0]):
        seen = places[w] & ~houses.words[house, w]
        for x in range(places.shape[0]):
            own = places[x] & houses.words[house, x]
            while own != ZERO and seen != ZERO:
                seen &= peer_words[plane, 64 * x + first(own), w]
                own &= own - ONE
        while seen != ZERO:
            cell = 64 * w + first(seen)
            seen &= seen - ONE
            if not reduce(cell, work.grid[cell] ^ value, dependents, work):
                return False
    return True


@inlined
def _relate(cell, relations, weight, scores, dependents, work):  # type: ignore[no-untyped-def]
    """Remove what a cell rules out in others; False if one has nothing left."""
    for i in range(relations.ranges[cell], relations.ranges[cell + 1]):
        other = relations.others[i]
        allowed = allowed_by(work.grid[cell], relations.tables[i], relations.allowed)
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
    return point_each(start, end, needs, automata.cells, peer_words, dependents, work)
