"""Propagation of sums.

If at most three cells of a sum are open and have the factors 1 or −1, `small_sums` checks every
combination. On boards of up to nine values, `cage_sums` handles sums whose cells all differ and
have the same factor. For all other sums, two passes find the values with which the target can be
reached. Both represent sets of reachable sums as the bits of a word. The first pass goes run by
run, see `run_sums`. The second one goes cell by cell and ignores that the cells of a run differ.

Sums are counted up from the least possible one, or down from the greatest one if the target is
nearer to it. If the distance of the target doesn't fit into a word, only bounds are propagated.
"""

import numpy as np

from solver.compiling.bitops import (
    ALL_ONES,
    ONE,
    ZERO,
    at_most_one_bit,
    ctz,
    has_gaps,
    msb,
    popcount,
)
from solver.compiling.jit import always_inline
from solver.engines.general.backtracking.bitset_sums import (
    FAR,
    lowered,
    raised,
    steps_of,
    values_with,
)
from solver.engines.general.backtracking.cage_sums import propagate_cage
from solver.engines.general.backtracking.domains import set_domain
from solver.engines.general.backtracking.run_sums import (
    bound_cells,
    bound_runs,
    combine_runs,
    look_at_runs,
)
from solver.engines.general.backtracking.small_sums import propagate_small_sum
from solver.engines.general.backtracking.state import FEW


@always_inline
def propagate_sum(number, sums, peer_words, runs, opened, sets, dependents, work):  # type: ignore[no-untyped-def]
    """Remove candidates with which a sum can't reach its target.

    `number` is the index of the sum. Some impossible candidates may remain: if the target is far
    from the sum's bounds, only the bounds are checked, and not every check considers that cells
    must differ. If some cells of the sum need a value, it is also removed from the cells that see
    all of its places. Returns False on a conflict, otherwise True.
    """
    many, rest, are_simple = _look_at_cells(number, sums, opened, work.grid)
    if many == 0:
        return rest == 0
    if many <= FEW and are_simple:
        return propagate_small_sum(many, rest, opened, peer_words, dependents, work)
    start, end = sums.ranges[number], sums.ranges[number + 1]
    if are_simple and sums.run_ends[start] == end and sets.totals > 1:
        rest *= sums.factors[start]
        return propagate_cage(many, rest, opened, sets, peer_words, dependents, work)
    possible, least, most = look_at_runs(number, sums, runs, work.grid)
    if not possible:
        return False
    target = sums.targets[number]
    down, up = target - least, most - target
    if min(down, up) < FAR:
        if not combine_runs(
            number, down <= up, min(down, up), sums, peer_words, runs, dependents, work
        ):
            return False
    elif not bound_runs(number, sums, runs, dependents, work):
        return False
    return _combine_cells(number, sums, runs, dependents, work)


@always_inline
def _look_at_cells(number, sums, opened, grid):  # type: ignore[no-untyped-def]
    """List the open cells of a sum and their factors in `opened`.

    `number` is the index of the sum. Returns the number of open cells, the sum that is left for
    them after the solved cells (with values from 0), and whether all of their factors are 1 or −1.
    """
    rest = sums.targets[number]
    many, are_simple = np.int64(0), True
    for i in range(sums.ranges[number], sums.ranges[number + 1]):
        word, factor = grid[sums.cells[i]], sums.factors[i]
        if at_most_one_bit(word):
            rest -= factor * ctz(word)
        else:
            opened.cells[many] = sums.cells[i]
            opened.factors[many] = factor
            many += 1
            are_simple = are_simple and abs(factor) == 1
    return many, rest, are_simple


@always_inline
def _combine_cells(number, sums, runs, dependents, work):  # type: ignore[no-untyped-def]
    """Restrict the cells of a sum to values with which the other cells can reach the target.

    `number` is the index of the sum. This ignores that some of its cells must differ. If the target
    is too far from both bounds of the sum, only the bounds are used. Returns False on a conflict.
    """
    start, end = sums.ranges[number], sums.ranges[number + 1]
    down, up, widest, is_dense = _distances(number, sums, work.grid)
    while min(down, up) >= FAR and widest > min(down, up):
        for i in range(start, end):
            word = work.grid[sums.cells[i]]
            low, high = ctz(word), msb(word)
            if not bound_cells(i, i + 1, low, high, down, up, sums, dependents, work):
                return False
        before = down + up
        down, up, widest, is_dense = _distances(number, sums, work.grid)
        if down + up == before:
            return True
    if min(down, up) < 0:
        return False
    if widest <= min(down, up) and (is_dense or min(down, up) >= FAR):
        return True
    upwards = down <= up
    span = np.uint64(min(down, up))
    within = ALL_ONES >> (np.uint64(63) - span)
    before = ONE
    for i in range(start, end):
        word = work.grid[sums.cells[i]]
        if at_most_one_bit(word):
            continue
        rising = (sums.factors[i] > 0) == upwards
        steps = steps_of(word, abs(sums.factors[i]), rising) & within
        runs.cells[i - start] = before
        runs.steps[i - start] = steps
        before = raised(before, steps) & within
    if (before >> span) & ONE == ZERO:
        return False
    rest = ONE << span
    for i in range(end - 1, start - 1, -1):
        cell = sums.cells[i]
        word = work.grid[cell]
        if at_most_one_bit(word):
            continue
        before, steps = runs.cells[i - start], runs.steps[i - start]
        good = lowered(rest, before) & steps
        rest = lowered(rest, steps) & before
        if popcount(good) == popcount(word):
            continue
        rising = (sums.factors[i] > 0) == upwards
        kept = values_with(word, good, abs(sums.factors[i]), rising)
        if not set_domain(cell, kept, dependents, work):
            return False
    return True


@always_inline
def _distances(number, sums, grid):  # type: ignore[no-untyped-def]
    """Return how the target of a sum relates to its bounds, as (down, up, widest, is_dense).

    down      how far the target is above the sum's least value
    up        how far the target is below the sum's greatest value
    widest    the largest difference between two contributions of one cell
    is_dense  whether the sums of the cells have no gaps, whichever cell is left out

    `number` is the index of the sum. For the least and greatest values, it is ignored that cells
    must differ. `is_dense` can be False although there are no gaps.
    """
    # The cells are dense if two of them have no gaps, so that one is left to fill the gaps of the
    # others, of which none is longer than one value.
    down = sums.targets[number]
    up = -down
    widest, whole, is_dense = np.int64(0), 0, True
    for i in range(sums.ranges[number], sums.ranges[number + 1]):
        word = grid[sums.cells[i]]
        factor = sums.factors[i]
        low = ctz(word)
        if at_most_one_bit(word):
            down -= factor * low
            up += factor * low
            continue
        high = msb(word)
        widest = max(widest, abs(factor) * (high - low))
        if not has_gaps(word):
            whole += 1
        is_dense = is_dense and abs(factor) == 1 and not has_gaps(word | word << ONE)
        if factor < 0:
            low, high = high, low
        down -= factor * low
        up += factor * high
    return down, up, widest, is_dense and whole > 1
