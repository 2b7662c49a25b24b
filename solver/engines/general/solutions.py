"""The solutions that a compiled search keeps."""

import numpy as np

from solver.compiling.bits import ZERO, first
from solver.compiling.copying import copy
from solver.compiling.jit import inner

_AT_FIRST = 4  # rows; hardly any puzzle of a job is asked for more


@inner
def no_solutions(kept, cells):  # type: ignore[no-untyped-def]
    """Return room for the first solutions (rows, cells); it grows up to `kept` rows."""
    return np.zeros((min(kept, _AT_FIRST), cells), np.uint8)


@inner
def with_solution(listed, number, kept, grid):  # type: ignore[no-untyped-def]
    """Return the solutions with that of a full grid as row `number`, if so many are kept."""
    if number >= kept:
        return listed
    if number == listed.shape[0]:
        longer = np.zeros((min(kept, 2 * number), listed.shape[1]), np.uint8)
        for row in range(number):
            copy(listed[row], longer[row])
        listed = longer
    for cell in range(grid.shape[0]):
        if grid[cell] != ZERO:
            listed[number, cell] = first(grid[cell]) + 1
    return listed
