"""Propagation of sums.

Sums with up to three open cells are handled by `small_sums`, cages by `cage_sums`. For all others,
two passes find out what can still reach the target, both with sets of reachable sums as the bits of
a word. The first goes run by run: a run chooses distinct values from the candidates of all its
cells. Values that a run must contain are removed from all cells that see each of their places. The
second goes cell by cell and ignores the runs.

Sums are counted up from the least possible one, or down from the greatest one if the target is
nearer to it. If the distance doesn't fit into a word, only bounds are propagated.

For example, a run of three cells with the candidates 123, 123, and 37 and the sum 10 chooses three
of 1, 2, 3, 7. Counted from the least value they are 0, 1, 2, 6, and the target is 7. Forward,
`reach` receives the sums of a given number of the values so far, bit 7 to bit 0:

    values so far  none      one       two       three
    –              00000001
    1              00000001  00000001
    1 2            00000001  00000011  00000010
    1 2 3          00000001  00000111  00001110  00001000
    1 2 3 7        00000001  01000111  11001110  10001000  bit 7: the target can be reached

Backward, `rest` holds the sums that the values chosen so far must have, starting with bit 7 of
three:

    value  with it                       without it
    7      7 − 6 = 1 of two: reachable   7 of three: not reachable   kept and needed
    3      1 − 2 of one: impossible      1 of two: reachable         removed
    2      1 − 1 = 0 of one: reachable   1 of two: not reachable     kept and needed
    1      0 − 0 = 0 of none: reachable  0 of one: not reachable     kept and needed

So the cells keep 12, 12, and 7.
"""

import numpy as np

from solver.compiling.bitops import (
    ALL_ONES,
    ONE,
    ZERO,
    at_most_one_bit,
    ctz,
    has_gaps,
    lowest_bit,
    msb,
    popcount,
)
from solver.compiling.jit import always_inline, kernel
from solver.engines.general.backtracking.bitset_sums import (
    FAR,
    lowered,
    raised,
    steps_of,
    values_with,
)
from solver.engines.general.backtracking.cage_sums import propagate_cage
from solver.engines.general.backtracking.small_sums import fill_few
from solver.engines.general.backtracking.state import FEW, set_domain
from solver.engines.general.backtracking.value_sets import restrict_run


@always_inline
def propagate_sum(number, sums, peer_words, runs, opened, sets, dependents, work):  # type: ignore[no-untyped-def]
    """Remove the values that occur in no way to reach the target.

    Returns False if there is no way.
    """
    many, rest, are_simple = _look_at_cells(number, sums, opened, work.grid)
    if many == 0:
        return rest == 0
    if many <= FEW and are_simple:
        return fill_few(many, rest, opened, peer_words, dependents, work)
    start, end = sums.ranges[number], sums.ranges[number + 1]
    if are_simple and sums.run_ends[start] == end and sets.totals > 1:
        rest *= sums.factors[start]
        return propagate_cage(many, rest, opened, sets, peer_words, dependents, work)
    possible, least, most = _look_at_runs(number, sums, runs, work.grid)
    if not possible:
        return False
    target = sums.targets[number]
    down, up = target - least, most - target
    if min(down, up) < FAR:
        if not _combine_runs(
            number, down <= up, min(down, up), sums, peer_words, runs, dependents, work
        ):
            return False
    elif not _bound_runs(number, sums, runs, dependents, work):
        return False
    return _combine_cells(number, sums, runs, dependents, work)


@always_inline
def _look_at_cells(number, sums, opened, grid):  # type: ignore[no-untyped-def]
    """Return (number of open cells, their target, whether all factors are 1 or −1)."""
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
def _look_at_runs(number, sums, runs, grid):  # type: ignore[no-untyped-def]
    """Return (whether the sum is possible, its least and its greatest value).

    The bounds assume that each cell takes any candidate of its run. The test whether the sum is
    possible counts each value at most once per run.
    """
    least, most = np.int64(0), np.int64(0)
    strict_least, strict_most = np.int64(0), np.int64(0)
    i = sums.ranges[number]
    end = sums.ranges[number + 1]
    run = 0
    while i < end:
        run_end = sums.run_ends[i]
        union, taken = ZERO, ZERO
        opens, fixed = np.int64(0), np.int64(0)
        for k in range(i, run_end):
            word = grid[sums.cells[k]]
            if at_most_one_bit(word):
                fixed += ctz(word)
                taken |= word
            else:
                union |= word
                opens += 1
        union &= ~taken
        runs.unions[run] = union
        runs.opens[run] = opens
        runs.spans[run] = 0
        low, high, strict_low, strict_high = fixed, fixed, fixed, fixed
        if opens > 0:
            if popcount(union) < opens:
                return False, least, most
            low += opens * ctz(union)
            high += opens * msb(union)
            strict_low += _least(union, opens)
            strict_high += _most(union, opens)
            span = max(strict_high - low, high - strict_low)
            runs.spans[run] = abs(sums.factors[i]) * span
        factor = sums.factors[i]
        if factor < 0:
            low, high = high, low
            strict_low, strict_high = strict_high, strict_low
        least += factor * low
        most += factor * high
        strict_least += factor * strict_low
        strict_most += factor * strict_high
        run += 1
        i = run_end
    target = sums.targets[number]
    return strict_least <= target <= strict_most, least, most


@kernel
def _least(word, number):  # type: ignore[no-untyped-def]
    """Return the sum of the positions of the lowest `number` bits."""
    total = np.int64(0)
    for _ in range(number):
        total += ctz(word)
        word &= word - ONE
    return total


@kernel
def _most(word, number):  # type: ignore[no-untyped-def]
    """Return the sum of the positions of the highest `number` bits."""
    total = np.int64(0)
    for _ in range(number):
        place = msb(word)
        total += place
        word ^= ONE << np.uint64(place)
    return total


@always_inline
def _combine_runs(number, upwards, distance, sums, peer_words, runs, dependents, work):  # type: ignore[no-untyped-def]
    """Restrict the runs to sums at the given distance from the least or the greatest one."""
    span = np.uint64(distance)
    within = ALL_ONES >> (np.uint64(63) - span)
    start, end = sums.ranges[number], sums.ranges[number + 1]
    i = start
    run, row = 0, np.int64(0)
    before = ONE
    while i < end:
        runs.before[run] = before
        runs.rows[run] = row
        opens = runs.opens[run]
        if opens > 0:
            rising = (sums.factors[i] > 0) == upwards
            factor = abs(sums.factors[i])
            if opens == 1:
                runs.sums[run] = steps_of(runs.unions[run], factor, rising)
            else:
                row = _choose(run, row, factor, rising, within, runs)
            before = raised(before, runs.sums[run]) & within
        run += 1
        i = sums.run_ends[i]
    if (before >> span) & ONE == ZERO:
        return False
    rest = ONE << span
    while i > start:
        run -= 1
        run_end = i
        i = sums.run_starts[run_end - 1]
        opens = runs.opens[run]
        if opens == 0:
            continue
        good = lowered(rest, runs.before[run]) & runs.sums[run]
        rest = lowered(rest, runs.sums[run]) & runs.before[run]
        union = runs.unions[run]
        if good == runs.sums[run] and runs.spans[run] <= distance and opens < popcount(union):
            continue  # whatever the run contributes, the other runs can reach the target
        factor = abs(sums.factors[i])
        rising = (sums.factors[i] > 0) == upwards
        if opens == 1:
            kept = values_with(union, good, factor, rising)
            needed = kept if at_most_one_bit(kept) else ZERO
        else:
            kept, needed = _chosen(run, good, factor, rising, runs)
        if not restrict_run(i, run_end, kept, needed, sums.cells, peer_words, dependents, work):
            return False
    return True


@always_inline
def _choose(run, row, factor, rising, within, runs):  # type: ignore[no-untyped-def]
    """Compute the sums of a run's possible choices; return the next free row of `reach`."""
    opens = runs.opens[run]
    reach = runs.reach
    left = runs.unions[run]
    zero = ctz(left) if rising else msb(left)
    for c in range(1, opens + 1):
        reach[row, c] = ZERO
    reach[row, 0] = ONE
    while left != ZERO:
        value = ctz(left)
        left &= left - ONE
        step = factor * abs(value - zero)
        reach[row + 1, 0] = ONE
        for c in range(1, opens + 1):
            ways = reach[row, c]
            if step < FAR:
                ways |= (reach[row, c - 1] << np.uint64(step)) & within
            reach[row + 1, c] = ways
        row += 1
    runs.sums[run] = reach[row, opens]
    return row + 1


@always_inline
def _chosen(run, good, factor, rising, runs):  # type: ignore[no-untyped-def]
    """Return (the candidates that occur in some choice with a good sum, those in all of them)."""
    opens = runs.opens[run]
    reach, rest = runs.reach, runs.rest
    left = runs.unions[run]
    zero = ctz(left) if rising else msb(left)
    row = runs.rows[run] + popcount(left)
    for c in range(opens):
        rest[c] = ZERO
    rest[opens] = good
    kept, needed = ZERO, ZERO
    while left != ZERO:
        row -= 1
        value = msb(left)
        bit = ONE << np.uint64(value)
        left ^= bit
        step = factor * abs(value - zero)
        with_it, without = ZERO, ZERO
        for c in range(opens + 1):
            without |= reach[row, c] & rest[c]
            if c < opens and step < FAR:
                fewer = rest[c + 1] >> np.uint64(step)
                with_it |= reach[row, c] & fewer
                rest[c] |= fewer
        if with_it != ZERO:
            kept |= bit
        if without == ZERO:
            needed |= bit
    return kept, needed


@always_inline
def _bound_runs(number, sums, runs, dependents, work):  # type: ignore[no-untyped-def]
    """Remove values that are too small or too great even with all other runs at their bounds."""
    start, end = sums.ranges[number], sums.ranges[number + 1]
    down = sums.targets[number]
    up = -down
    for i in range(start, end):
        word = work.grid[sums.cells[i]]
        if at_most_one_bit(word):
            down -= sums.factors[i] * ctz(word)
            up += sums.factors[i] * ctz(word)
    i, run = start, 0
    while i < end:
        if runs.opens[run] > 0:
            low = _least(runs.unions[run], runs.opens[run])
            high = _most(runs.unions[run], runs.opens[run])
            if sums.factors[i] < 0:
                low, high = high, low
            down -= sums.factors[i] * low
            up += sums.factors[i] * high
        run += 1
        i = sums.run_ends[i]
    i, run = start, 0
    while i < end:
        run_end = sums.run_ends[i]
        union, opens = runs.unions[run], runs.opens[run]
        if opens > 0:
            # The run's last cell when all of its cells are low, or all are high.
            low = _least(union, opens) - _least(union, opens - 1)
            high = _most(union, opens) - _most(union, opens - 1)
            if not _bound(i, run_end, low, high, down, up, sums, dependents, work):
                return False
        run += 1
        i = run_end
    return True


@always_inline
def _bound(start, end, low, high, down, up, sums, dependents, work):  # type: ignore[no-untyped-def]
    """Restrict open cells to values within the given distances from their least and greatest."""
    for k in range(start, end):
        cell = sums.cells[k]
        word = work.grid[cell]
        if at_most_one_bit(word):
            continue
        factor = sums.factors[k]
        least, most = (low, high) if factor > 0 else (high, low)
        kept = ZERO
        left = word
        while left != ZERO:
            bit = lowest_bit(left)
            left ^= bit
            value = ctz(bit)
            if factor * (value - least) <= down and factor * (most - value) <= up:
                kept |= bit
        if not set_domain(cell, kept, dependents, work):
            return False
    return True


@always_inline
def _combine_cells(number, sums, runs, dependents, work):  # type: ignore[no-untyped-def]
    """Restrict the cells, one by one, to values with which the others can reach the target."""
    start, end = sums.ranges[number], sums.ranges[number + 1]
    down, up, widest, is_dense = _distances(number, sums, work.grid)
    while min(down, up) >= FAR and widest > min(down, up):
        for i in range(start, end):
            word = work.grid[sums.cells[i]]
            low, high = ctz(word), msb(word)
            if not _bound(i, i + 1, low, high, down, up, sums, dependents, work):
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
    """Return the target's distances from the least and the greatest sum of the cells, and more.

    Also returned: the greatest difference that one cell can contribute, and whether the cells are
    dense, which means that the sums of all but any one of them have no gaps. They are dense if two
    cells have no gaps, so that one is left to fill the gaps of the others, of which none is longer
    than one value.
    """
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
