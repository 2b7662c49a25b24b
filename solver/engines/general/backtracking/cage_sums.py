"""Propagation of cage sums: sums of cells that all differ, each counted once."""

from solver.compiling.bitops import ALL_ONES, ZERO, at_most_one_bit
from solver.compiling.jit import always_inline
from solver.engines.general.backtracking.domains import set_domain
from solver.engines.general.backtracking.value_sets import apply_pointing_each


@always_inline
def propagate_cage(number, target, opened, sets, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Restrict the open cells of a cage to the values of sets with the right total.

    A value in all possible sets is also removed from the cells outside the cage that see all of its
    cells which can have the value. Returns False on a conflict.

    number  the number of open cells, which are the first ones of `opened` and must all differ
    target  the sum that the open cells must have, with values from 0
    sets    the sets of values of each size and total, see `SetsByTotal`
    """
    cells, words, kept = opened.cells, opened.words, opened.kept
    union = ZERO
    for k in range(number):
        words[k], kept[k] = work.grid[cells[k]], ZERO
        union |= words[k]
    if target < 0 or target >= sets.totals:
        return False
    kind = number * sets.totals + target
    needed = ALL_ONES
    for i in range(sets.ranges[kind], sets.ranges[kind + 1]):
        values = sets.words[i]
        if values & ~union == ZERO and _hold(values, number, opened):
            needed &= values
    if kept[0] == ZERO:
        return False
    for k in range(number):
        if not set_domain(cells[k], kept[k], dependents, work):
            return False
    return apply_pointing_each(0, number, needed, cells, peer_words, dependents, work)


@always_inline
def _hold(values, number, opened):  # type: ignore[no-untyped-def]
    """Record in `opened.kept` which values of a set each open cell of a cage can have.

    `values` is the set as a bit mask, with as many values as there are open cells (`number`). If a
    cell is the only one that can have some value of the set, only this value is recorded for it.
    Returns False, without recording anything, if the cells can't have all values of the set. Not
    every impossible set is detected.
    """
    words, kept = opened.words, opened.kept
    once, twice = ZERO, ZERO
    for k in range(number):
        own = words[k] & values
        if own == ZERO:
            return False
        twice |= once & own
        once |= own
    if once != values:
        return False
    alone = once & ~twice
    for k in range(number):
        if not at_most_one_bit(words[k] & alone):
            return False
    for k in range(number):
        own = words[k] & values
        kept[k] |= own & alone if own & alone != ZERO else own
    return True
