"""Sums of cells that all differ and count once, in plain search: the sets that they can hold."""

from solver.compiling.bits import ALL, ZERO, is_single
from solver.compiling.jit import inlined
from solver.engines.general.backtracking.state import leave
from solver.engines.general.backtracking.value_sets import point_each


@inlined
def fill_cage(number, target, opened, sets, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Leave to open cells what they have in some set that adds up; False if there is none."""
    cells, words, kept = opened.cells, opened.words, opened.kept
    union = ZERO
    for k in range(number):
        words[k], kept[k] = work.grid[cells[k]], ZERO
        union |= words[k]
    if target < 0 or target >= sets.totals:
        return False
    kind = number * sets.totals + target
    needed = ALL
    for i in range(sets.ranges[kind], sets.ranges[kind + 1]):
        values = sets.words[i]
        if values & ~union == ZERO and _hold(values, number, opened):
            needed &= values
    if kept[0] == ZERO:
        return False
    for k in range(number):
        if not leave(cells[k], kept[k], dependents, work):
            return False
    return point_each(0, number, needed, cells, peer_words, dependents, work)


@inlined
def _hold(values, number, opened):  # type: ignore[no-untyped-def]
    """Keep what each cell has in a set, if it has any and all of the set is there.

    A value that one cell alone can have goes there.
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
        if not is_single(words[k] & alone):
            return False
    for k in range(number):
        own = words[k] & values
        kept[k] |= own & alone if own & alone != ZERO else own
    return True
