"""Change the domains of cells, and queue everything that depends on them."""

import numpy as np

from solver.compiling.bitops import ALL_ONES, ONE, ZERO, at_most_one_bit, ctz
from solver.compiling.jit import always_inline, kernel
from solver.engines.general.backtracking.state import Counters


@always_inline
def restrict_domain(cell, word, dependents, work):  # type: ignore[no-untyped-def]
    """Set a cell's domain to a smaller one, and queue everything that depends on the cell.

    `word` is the new domain, a subset of the present one. If the caller has already written it to
    the grid, everything is queued, because any value may have been removed. Returns False if `word`
    is empty. The grid then contains the empty domain, and nothing is queued.
    """
    gone = work.grid[cell] ^ word
    work.grid[cell] = word
    if word == ZERO:
        return False
    if gone == ZERO:  # the domain was written to the grid before; anything may have changed
        gone = ALL_ONES
    else:
        _remove_from_places(cell, gone, work.places)
    counters: Counters = work.counters[0]
    if at_most_one_bit(word):
        work.singles[counters.singles] = cell
        counters.singles += 1
    for i in range(dependents.houses.shape[1]):
        house = dependents.houses[cell, i]
        if house < 0:
            break
        mark_dirty(house, gone, work)
    for i in range(dependents.propagator_ranges[cell], dependents.propagator_ranges[cell + 1]):
        common = dependents.commons[i]
        if gone & ~common != ZERO or word & common == ZERO:
            schedule(dependents.propagators[i], work)
    if dependents.is_related[cell] and not work.is_changed[cell]:
        work.is_changed[cell] = True
        work.changed[counters.changed] = cell
        counters.changed += 1
    return True


@always_inline
def _remove_from_places(cell, gone, places):  # type: ignore[no-untyped-def]
    """Remove a cell from `places`, the sets of cells that can have each value.

    `places` (values, words) are the sets as in `Work`. `gone` (a bit mask) contains the values
    whose sets lose the cell. The cell must be in all of these sets. A cell whose number is too
    high for the words of the sets is ignored, because it has no peers.
    """
    number = np.uint64(cell) >> np.uint64(6)
    if number >= np.uint64(places.shape[1]):
        return
    bit = ONE << (np.uint64(cell) & np.uint64(63))
    while gone != ZERO:
        places[np.uint64(ctz(gone)), number] ^= bit
        gone &= gone - ONE


@kernel
def list_places(grid, places):  # type: ignore[no-untyped-def]
    """Recompute from the grid which cells can have each value.

    places[value] becomes the set of these cells, one bit each in words of 64. Cells beyond its last
    word have no peers and are left out.
    """
    for value in range(places.shape[0]):
        by = np.uint64(value)
        for number in range(places.shape[1]):
            begin = 64 * number
            word = ZERO
            for k in range(min(64, grid.shape[0] - begin)):
                word |= ((grid[begin + k] >> by) & ONE) << np.uint64(k)
            places[value, number] = word


@kernel
def set_domain(cell, word, dependents, work):  # type: ignore[no-untyped-def]
    """Set a cell's domain to `word`, which must be a subset of the present domain.

    If that changes the domain, everything that depends on the cell is queued. Returns False if the
    new domain is empty.
    """
    return work.grid[cell] == word or restrict_domain(cell, word, dependents, work)


@always_inline
def mark_dirty(house, gone, work):  # type: ignore[no-untyped-def]
    """Record that cells of a house lost the values `gone` (a bit mask), and queue the house.

    When its turn comes, the house is searched for hidden singles and locked candidates of the
    values recorded since its last visit.
    """
    if work.lost[house] == ZERO:
        counters: Counters = work.counters[0]
        work.houses[counters.houses] = house
        counters.houses += 1
    work.lost[house] |= gone


@always_inline
def schedule(propagator, work):  # type: ignore[no-untyped-def]
    """Append a propagator to the queue, unless it is marked as queued already."""
    if not work.in_queue[propagator]:
        counters: Counters = work.counters[0]
        work.in_queue[propagator] = True
        work.queue[counters.queue_end % work.queue.shape[0]] = propagator
        counters.queue_end += 1


@always_inline
def clear_work(work):  # type: ignore[no-untyped-def]
    """Empty the queues of singles, houses, changed cells, and propagators after a conflict."""
    counters: Counters = work.counters[0]
    counters.singles = 0
    while counters.houses > 0:
        counters.houses -= 1
        work.lost[work.houses[counters.houses]] = ZERO
    while counters.changed > 0:
        counters.changed -= 1
        work.is_changed[work.changed[counters.changed]] = False
    while counters.queue_start < counters.queue_end:
        work.in_queue[work.queue[counters.queue_start % work.queue.shape[0]]] = False
        counters.queue_start += 1
