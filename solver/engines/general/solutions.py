"""Store the solutions that a compiled search finds, in an array that grows."""

import numpy as np

from solver.compiling.array_loops import copy_rows, zero_rows
from solver.compiling.bitops import ZERO, ctz
from solver.compiling.jit import always_inline, helper, kernel

_AT_FIRST = 4  # initial rows; hardly any puzzle of a job needs more


@always_inline
def is_full(listed, number, max_solutions):  # type: ignore[no-untyped-def]
    """Return whether solution `number` (from 0) should be stored but has no row yet."""
    return number == listed.shape[0] and number < max_solutions


@helper
def with_one_more(listed, number, max_solutions):  # type: ignore[no-untyped-def]
    """Return the array of solutions with a row for solution `number` (from 0).

    If necessary, the array is replaced by a larger copy. No row is added if `max_solutions` are
    stored already.
    """
    if not is_full(listed, number, max_solutions):
        return listed
    rows = min(max_solutions, max(_AT_FIRST, 2 * number))
    longer = zero_rows(rows, listed.shape[1], np.uint8)
    copy_rows(listed, longer)
    return longer


@kernel
def keep_solution(grid, listed, number):  # type: ignore[no-untyped-def]
    """Copy a filled grid to row `number` of the solutions `listed`, if there is such a row.

    The grid has a bit mask per cell. The row gets the values from 1. Holes keep the value 0.
    """
    if number < listed.shape[0]:
        for cell in range(grid.shape[0]):
            if grid[cell] != ZERO:
                listed[number, cell] = ctz(grid[cell]) + 1
