"""Propagate all constraints but disjunctions to a fixpoint, the cheapest ones first.

The order is singles, houses, binary relations, and then all other constraints, such as sums.
"""

import numpy as np

from solver.compiling.bitops import ONE, ZERO, at_most_one_bit, ctz, lowest_bit, popcount
from solver.compiling.jit import always_inline, kernel
from solver.engines.general.backtracking.connected_regions import propagate_connectivity
from solver.engines.general.backtracking.domains import clear_work, restrict_domain
from solver.engines.general.backtracking.full_rank import propagate_full_rank
from solver.engines.general.backtracking.sandwiches import propagate_sandwich
from solver.engines.general.backtracking.state import Counters
from solver.engines.general.backtracking.sums import propagate_sum
from solver.engines.general.backtracking.table_types import (
    AUTOMATON,
    CONNECTED_REGIONS,
    FULL_RANK,
    SANDWICH,
    SUM,
    VALUE_SET,
)
from solver.engines.general.backtracking.value_sets import apply_pointing_each, propagate_value_sets
from solver.engines.general.graph import plane_of
from solver.engines.general.mdd_propagation import propagate_mdd


@always_inline
def allowed_by(word, table, allowed):  # type: ignore[no-untyped-def]
    """Return the values that a relation allows in its second cell, given the first cell's domain.

    `word` is the domain of the first cell. allowed[table, value] are the values that the relation
    allows in the second cell if the first one has `value` (from 0). All sets are bit masks.
    """
    left, union = word, ZERO
    while left != ZERO:
        union |= allowed[table, ctz(left)]
        left &= left - ONE
    return union


@kernel
def propagate(weight, tables, state):  # type: ignore[no-untyped-def]
    """Propagate until only disjunctions are queued, cheap propagators first.

    Returns False on a conflict. The queues of `state.work` are then empty, and the conflict weights
    of the cells that take part in the conflict have grown, in proportion to `weight`.
    """
    dependents, houses = tables.dependents, tables.houses
    work, conflict_weights = state.work, state.conflict_weights
    counters: Counters = work.counters[0]
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
            if not _run(propagator, weight, tables, state):
                bump_weights(propagator, weight, tables.propagators, conflict_weights)
                break
        else:
            return True
    clear_work(work)
    return False


@always_inline
def _run(propagator, weight, tables, state):  # type: ignore[no-untyped-def]
    """Run a propagator that was taken from the queue. Return False on a conflict.

    A disjunction isn't propagated. It is only marked as queued in `state.trial`, because
    disjunctions come last. The conflict weights grow here only for full rank and connected regions.
    The caller bumps them for all others.
    """
    dependents, peer_words, work = tables.dependents, tables.peer_words, state.work
    kind = tables.propagators.kinds[propagator]
    index = np.int64(tables.propagators.indices[propagator])
    is_idempotent = tables.propagators.is_idempotent[propagator]
    if not is_idempotent:
        work.in_queue[propagator] = False
    alive = True
    if kind == SUM:
        alive = propagate_sum(
            index, tables.sums, peer_words, state.runs, state.opened, state.sets, dependents, work
        )
    elif kind == AUTOMATON:
        alive = _propagate_automaton(
            index, tables.automata, state.supports, peer_words, dependents, work
        )
    elif kind == VALUE_SET:
        alive = propagate_value_sets(
            index, tables.value_sets, state.value_set, peer_words, dependents, work
        )
    elif kind == SANDWICH:
        alive = propagate_sandwich(
            index, tables.sandwiches, state.sandwich, peer_words, dependents, work
        )
    elif kind == FULL_RANK:
        alive = propagate_full_rank(
            tables.full_ranks, weight, state.conflict_weights, dependents, work
        )
    elif kind == CONNECTED_REGIONS:
        alive = propagate_connectivity(
            propagator, tables.regions, state.components, peer_words,
            weight, state.conflict_weights, dependents, work,
        )  # fmt: skip
    else:
        state.trial.in_queue[index] = True
    if is_idempotent:
        work.in_queue[propagator] = False
    return alive


@always_inline
def bump_weights(propagator, weight, propagators, conflict_weights):  # type: ignore[no-untyped-def]
    """Add twice `weight`, in equal shares, to the conflict weights of a propagator's cells.

    `propagator` is its number, and `propagators` are the tables of all propagators.
    """
    start, end = propagators.ranges[propagator], propagators.ranges[propagator + 1]
    share = 2 * weight / max(1, end - start)
    for i in range(start, end):
        conflict_weights[propagators.cells[i]] += share


@always_inline
def _eliminate_from_peers(cell, peer_words, weight, conflict_weights, dependents, work):  # type: ignore[no-untyped-def]
    """Remove a cell's only candidate from its peers. Return False if a peer has no candidate left.

    In this case, `weight` is added to the conflict weights of both cells.
    """
    value = work.grid[cell]
    number = np.uint64(ctz(value))
    plane = plane_of(number, peer_words)
    for w in range(peer_words.shape[2]):
        seen = peer_words[plane, cell, w] & work.places[number, w]
        while seen != ZERO:
            peer = 64 * w + ctz(seen)
            seen &= seen - ONE
            if not restrict_domain(peer, work.grid[peer] ^ value, dependents, work):
                _bump_both(cell, peer, weight, conflict_weights)
                return False
    return True


@always_inline
def _bump_both(cell, other, weight, conflict_weights):  # type: ignore[no-untyped-def]
    """Add `weight` to each of the conflict weights of two cells that contradict each other."""
    conflict_weights[cell] += weight
    conflict_weights[other] += weight


@always_inline
def _find_hidden_singles(house, houses, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Place the hidden singles of a house, and remove its locked candidates elsewhere.

    `house` is the number of a full house. Only values that lost a candidate there since its last
    visit (`work.lost`) are examined. Locked candidates are removed only for values with at most
    `houses.few` candidates in the house. Returns False on a conflict.
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
    """Remove a value from all cells outside a house that see all of its candidates in the house.

    `value` is its bit, and `places` is the set of cells that can have it, as bits. At least one of
    them is in the house. Returns False if a cell has no candidate left.
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
    """Restrict the second cells of all binary relations whose first cell is `cell`.

    Returns False if one of them has no candidate left. In this case, `weight` is added to the
    conflict weights of both cells.
    """
    for i in range(relations.ranges[cell], relations.ranges[cell + 1]):
        other = relations.others[i]
        allowed = allowed_by(work.grid[cell], relations.tables[i], relations.allowed)
        word = work.grid[other]
        if word & ~allowed != ZERO and not restrict_domain(other, word & allowed, dependents, work):
            _bump_both(cell, other, weight, conflict_weights)
            return False
    return True


@always_inline
def _propagate_automaton(index, automata, supports, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Remove values from an automaton's cells that don't occur in any accepted word.

    `index` is the number of the automaton. A value stays in a cell only if the automaton accepts a
    word that has this value in this cell, and in each other cell a value of that cell's domain. In
    addition, if every accepted word contains a value, some cell of the automaton must have it. So
    the value is removed from each cell that sees all cells of the automaton in which it is
    possible. Returns False on a conflict, otherwise True.
    """
    if not propagate_mdd(index, automata, work.grid, supports):
        return False
    start, end = automata.ranges[index], automata.ranges[index + 1]
    needs = automata.needs[index]
    for j in range(end - start - 1, -1, -1):
        cell = automata.cells[start + j]
        word = work.grid[cell]
        if word & ~supports.kept[j] != ZERO:
            word &= supports.kept[j]
            if not restrict_domain(cell, word, dependents, work):
                return False
        if at_most_one_bit(word):
            needs &= ~word
    return apply_pointing_each(start, end, needs, automata.cells, peer_words, dependents, work)
