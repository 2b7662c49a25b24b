"""Propagate to a fixpoint: singles, houses, binary relations, sums, automata, and the rest."""

import numpy as np

from solver.compiling.bitops import ONE, ZERO, at_most_one_bit, ctz, lowest_bit, popcount
from solver.compiling.jit import always_inline, kernel
from solver.engines.general.backtracking.connectivity import propagate_connectivity
from solver.engines.general.backtracking.full_rank import propagate_full_rank
from solver.engines.general.backtracking.sandwiches import propagate_sandwich
from solver.engines.general.backtracking.state import clear_work, restrict_domain
from solver.engines.general.backtracking.sums import propagate_sum
from solver.engines.general.backtracking.value_sets import apply_pointing_each, propagate_value_sets
from solver.engines.general.graph import plane_of
from solver.engines.general.mdd_propagation import propagate_mdd


@always_inline
def allowed_by(word, table, allowed):  # type: ignore[no-untyped-def]
    """Return the values that one cell's candidates allow in another cell, by a relation."""
    left, union = word, ZERO
    while left != ZERO:
        union |= allowed[table, ctz(left)]
        left &= left - ONE
    return union


@kernel
def propagate(weight, tables, state):  # type: ignore[no-untyped-def]
    """Propagate until only disjunctions are left, cheap propagators first.

    Returns False on a conflict.

    On a conflict, the cells of the failed constraint share the weight, so they are guessed sooner.
    """
    dependents, houses = tables.dependents, tables.houses
    work, conflict_weights = state.work, state.conflict_weights
    counters = work.counters[0]
    while True:
        if counters.singles > 0:
            counters.singles -= 1
            cell = work.singles[counters.singles]
            if not _eliminate_from_peers(
                cell, tables.peer_words, weight, conflict_weights, dependents, work
            ):
                break
        elif counters.houses > 0:
            counters.houses -= 1
            house = work.houses[counters.houses]
            if not _find_hidden_singles(house, houses, tables.peer_words, dependents, work):
                for i in range(houses.cells.shape[1]):
                    conflict_weights[houses.cells[house, i]] += weight / houses.cells.shape[1]
                break
        elif counters.changed > 0:
            counters.changed -= 1
            cell = work.changed[counters.changed]
            work.is_changed[cell] = False
            if not _propagate_relations(
                cell, tables.relations, weight, conflict_weights, dependents, work
            ):
                break
        elif counters.queue_start < counters.queue_end:
            propagator = work.queue[counters.queue_start % work.queue.shape[0]]
            counters.queue_start += 1
            number = propagator - tables.sums.targets.shape[0]
            other = number - tables.read_twice.shape[0]
            enclosed = other - (tables.combinations.ranges.shape[0] - 1)
            whole = enclosed - (tables.enclosures.ranges.shape[0] - 1)
            if whole >= 0:
                work.in_queue[propagator] = False
                choice = propagator - tables.choices.first
                if choice >= 0:
                    state.choosing.waiting[choice] = True
                    continue
                if whole == 0 and tables.rankings.lines.shape[0] > 0:
                    if not propagate_full_rank(
                        tables.rankings, weight, conflict_weights, dependents, work
                    ):
                        break
                    continue
                regions, groups, words = tables.regions, state.groups, tables.peer_words
                if not propagate_connectivity(
                    propagator, regions, groups, words, weight, conflict_weights, dependents, work
                ):
                    break
                continue
            # Idempotent propagators needn't run again because of their own changes.
            again = number >= 0 and enclosed < 0 and (other >= 0 or tables.read_twice[number])
            if again:
                work.in_queue[propagator] = False
            if number < 0:
                ranges, cells, place = tables.sums.ranges, tables.sums.cells, np.int64(propagator)
                alive = propagate_sum(
                    propagator, tables.sums, tables.peer_words, state.runs, state.opened,
                    state.sets, dependents, work,
                )  # fmt: skip
            elif other < 0:
                ranges, cells, place = tables.automata.ranges, tables.automata.cells, number
                alive = _propagate_automaton(
                    number, tables.automata, state.ways, tables.peer_words, dependents, work
                )
            elif enclosed >= 0:
                enclosures = tables.enclosures
                ranges, cells, place = enclosures.ranges, enclosures.cells, enclosed
                alive = propagate_sandwich(
                    enclosed, enclosures, state.enclosing, tables.peer_words, dependents, work
                )
            else:
                combinations = tables.combinations
                ranges, cells, place = combinations.ranges, combinations.cells, other
                alive = propagate_value_sets(
                    other, combinations, state.combining, tables.peer_words, dependents, work
                )
            if not again:
                work.in_queue[propagator] = False
            if not alive:
                share = 2 * weight / (ranges[place + 1] - ranges[place])
                for i in range(ranges[place], ranges[place + 1]):
                    conflict_weights[cells[i]] += share
                break
        else:
            return True
    clear_work(work)
    return False


@always_inline
def _eliminate_from_peers(cell, peer_words, weight, conflict_weights, dependents, work):  # type: ignore[no-untyped-def]
    """Remove a cell's value from its peers; return False if a peer has no candidate left."""
    value = work.grid[cell]
    number = np.uint64(ctz(value))
    plane = plane_of(number, peer_words)
    for w in range(peer_words.shape[2]):
        seen = peer_words[plane, cell, w] & work.places[number, w]
        while seen != ZERO:
            peer = 64 * w + ctz(seen)
            seen &= seen - ONE
            if not restrict_domain(peer, work.grid[peer] ^ value, dependents, work):
                _blame(cell, peer, weight, conflict_weights)
                return False
    return True


@always_inline
def _blame(cell, other, weight, conflict_weights):  # type: ignore[no-untyped-def]
    """Add conflict weight to two cells that failed together."""
    conflict_weights[cell] += weight
    conflict_weights[other] += weight


@always_inline
def _find_hidden_singles(house, houses, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Find hidden singles and locked candidates in a house; return False if a value has no place.

    Only values that lost a place in the house are examined.
    """
    lost = work.lost[house] & houses.full
    work.lost[house] = ZERO
    while lost != ZERO:
        value = lowest_bit(lost)
        lost ^= value
        places = work.places[np.uint64(ctz(value))]
        many, cell = np.int64(0), np.int64(0)
        for w in range(places.shape[0]):
            own = places[w] & houses.words[house, w]
            if own != ZERO:
                many += popcount(own)
                cell = 64 * w + ctz(own)
        if many == 0:
            return False
        if many > houses.few:
            continue
        if many > 1:
            if not _lock(house, value, places, houses, peer_words, dependents, work):
                return False
        elif work.grid[cell] != value:
            restrict_domain(cell, value, dependents, work)
    return True


@always_inline
def _lock(house, value, places, houses, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Remove a value from the cells that see all of its places in a house.

    Returns False on a conflict.
    """
    plane = plane_of(np.uint64(ctz(value)), peer_words)
    for w in range(places.shape[0]):
        seen = places[w] & ~houses.words[house, w]
        for x in range(places.shape[0]):
            own = places[x] & houses.words[house, x]
            while own != ZERO and seen != ZERO:
                seen &= peer_words[plane, 64 * x + ctz(own), w]
                own &= own - ONE
        while seen != ZERO:
            cell = 64 * w + ctz(seen)
            seen &= seen - ONE
            if not restrict_domain(cell, work.grid[cell] ^ value, dependents, work):
                return False
    return True


@always_inline
def _propagate_relations(cell, relations, weight, conflict_weights, dependents, work):  # type: ignore[no-untyped-def]
    """Propagate a cell's binary relations; return False if another cell has no candidate left."""
    for i in range(relations.ranges[cell], relations.ranges[cell + 1]):
        other = relations.others[i]
        allowed = allowed_by(work.grid[cell], relations.tables[i], relations.allowed)
        word = work.grid[other]
        if word & ~allowed != ZERO and not restrict_domain(other, word & allowed, dependents, work):
            _blame(cell, other, weight, conflict_weights)
            return False
    return True


@always_inline
def _propagate_automaton(number, automata, ways, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Remove the values that no accepted word contains; return False if no word is left."""
    if not propagate_mdd(number, automata, work.grid, ways):
        return False
    start, end = automata.ranges[number], automata.ranges[number + 1]
    needs = automata.needs[number]
    for j in range(end - start - 1, -1, -1):
        cell = automata.cells[start + j]
        word = work.grid[cell]
        if word & ~ways.kept[j] != ZERO:
            word &= ways.kept[j]
            if not restrict_domain(cell, word, dependents, work):
                return False
        if at_most_one_bit(word):
            needs &= ~word
    return apply_pointing_each(start, end, needs, automata.cells, peer_words, dependents, work)
