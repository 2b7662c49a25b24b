"""The solutions that a compiled search keeps."""

import numpy as np

from solver.compiling.bits import ZERO, first
from solver.compiling.copying import copy_rows
from solver.compiling.jit import bare, inlined, inner

_AT_FIRST = 4  # rows; hardly any puzzle of a job is asked for more


@inlined
def is_full(listed, number, kept):  # type: ignore[no-untyped-def]
    """Return whether there is no row for solution `number` of `kept` that are kept."""
    return number == listed.shape[0] and number < kept


@inner
def with_one_more(listed, number, kept):  # type: ignore[no-untyped-def]
    """Return the solutions with a row for solution `number`, if so many are kept."""
    if not is_full(listed, number, kept):
        return listed
    longer = np.zeros((min(kept, max(_AT_FIRST, 2 * number)), listed.shape[1]), np.uint8)
    copy_rows(listed, longer)
    return longer


@bare
def keep_solution(grid, listed, number):  # type: ignore[no-untyped-def]
    """Make a full grid row `number` of the solutions, if there is such a row."""
    if number < listed.shape[0]:
        for cell in range(grid.shape[0]):
            if grid[cell] != ZERO:
                listed[number, cell] = first(grid[cell]) + 1
