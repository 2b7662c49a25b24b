"""Propagation of sums run by run. The cells of a run all differ and have the same factor.

The open cells of a run choose different values from the union of their candidates. The values that
every choice contains are removed from all cells that see each of their places.

For example, a run of three cells with the candidates 123, 123, and 37 and the sum 10 chooses three
of 1, 2, 3, 7. Counted from the least value they are 0, 1, 2, 6, and the target is 7. In a forward
pass, `reach` receives the possible sums of each number of values chosen so far, bit 7 to bit 0:

values so far  none      one       two       three
–              00000001
1              00000001  00000001
1 2            00000001  00000011  00000010
1 2 3          00000001  00000111  00001110  00001000
1 2 3 7        00000001  01000111  11001110  10001000  bit 7: the target can be reached

In a backward pass, `rest` holds the sums that the lower values of the choice must have. It starts
with the sum 7 of three values:

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
from solver.engines.general.backtracking.domains import set_domain
from solver.engines.general.backtracking.value_sets import restrict_run


@always_inline
def look_at_runs(number, sums, runs, grid):  # type: ignore[no-untyped-def]
    """Return whether a sum may reach its target, and its least and greatest value.

    `number` is the index of the sum. For the returned bounds, each open cell can have any candidate
    of the open cells in its run, so several cells can have the same one. The target is checked with
    narrower bounds, for which the open cells of a run have different values. If the target is
    outside these narrower bounds, or if a run has fewer values than open cells, the first result is
    False, and the bounds must not be used. Writes runs.unions, runs.opens, and runs.spans.
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
    """Return the sum of the indices of the lowest `number` set bits of a word."""
    total = np.int64(0)
    for _ in range(number):
        total += ctz(word)
        word &= word - ONE
    return total


@kernel
def _most(word, number):  # type: ignore[no-untyped-def]
    """Return the sum of the indices of the highest `number` set bits of a word."""
    total = np.int64(0)
    for _ in range(number):
        place = msb(word)
        total += place
        word ^= ONE << np.uint64(place)
    return total


@always_inline
def combine_runs(number, upwards, distance, sums, peer_words, runs, dependents, work):  # type: ignore[no-untyped-def]
    """Remove the values with which the runs of a sum can't add up to its target.

    If a run must contain a value, it is also removed from other cells: those that see every cell
    of the run that can still have it. Returns False on a conflict.

    number    the index of the sum
    upwards   whether sums are counted up from the least bound that `look_at_runs` returned. If not,
              they are counted down from the greatest one.
    distance  how far the target is from this bound, 0 … 63
    runs      memory in which `look_at_runs` has described the runs
    """
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
            continue  # the other runs can reach the target for every sum of this one
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
    """Compute the sums that the open cells of a run can have with different values, as bits.

    Sums are distances from the sum of equal values: of the least candidate in every open cell if
    `rising`, otherwise of the greatest one. They are written to runs.sums[run]. The sums of partial
    choices are written to `reach`, starting with the row with the index `row`.

    run     the index of the run in the sum
    factor  the absolute value of the run's factor
    within  the sums that aren't above the target, as bits

    Returns the next free row of `reach`.
    """
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
    """Return the candidates of a run that are in some good choice, and those in all good choices.

    A choice has a different value for each open cell of the run. It is good if its sum is in the
    set `good`. `_choose` must have been called before with the same `factor` and `rising`: it fills
    `reach`, and sums are counted in the same way. Both results are bit masks.
    """
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
def bound_runs(number, sums, runs, dependents, work):  # type: ignore[no-untyped-def]
    """Remove values with which a sum is too small or too great, whatever its other cells have.

    `number` is the index of the sum, and `look_at_runs` has described its runs in `runs`. For the
    bounds, the other open cells of a run have its least or its greatest values, all different.
    Returns False on a conflict.
    """
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
            if not bound_cells(i, run_end, low, high, down, up, sums, dependents, work):
                return False
        run += 1
        i = run_end
    return True


@always_inline
def bound_cells(start, end, low, high, down, up, sums, dependents, work):  # type: ignore[no-untyped-def]
    """Remove the values of open cells with which a sum can't reach its target.

    The cells are sums.cells[start:end]. Those with a single candidate are skipped. Values count
    from 0. A tested value replaces `low` in one bound of the sum, and `high` in the other one.

    low, high   the replaced values. The least sum has `low` if the cell's factor is positive, and
                `high` if it is negative. The greatest sum has the other one.
    down        how far the target is above the least sum. The replacement may not raise it by more.
    up          how far the target is below the greatest sum. The replacement may not lower it by
                more.
    sums        the cells and the factors of all sums
    dependents  what depends on each cell. It is queued in `work` if the cell changes.
    work        the grid, which is changed, and the queues

    Returns False if a cell has no value left.
    """
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
