"""The solutions that a compiled search keeps."""

import numpy as np

from solver.compiling.bits import ZERO, first
from solver.compiling.jit import inner

_AT_FIRST = 4


@inner
def no_solutions(kept, cells):  # type: ignore[no-untyped-def]
    """Return room for the first solutions (rows, cells); it grows up to `kept` rows."""
    return np.zeros((min(kept, _AT_FIRST), cells), np.uint8)


@inner
def with_solution(found, number, kept, grid):  # type: ignore[no-untyped-def]
    """Return the solutions with that of a full grid as row `number`, if so many are kept."""
    if number >= kept:
        return found
    if number == found.shape[0]:
        more = np.zeros((min(kept, 2 * number), found.shape[1]), np.uint8)
        more[:number] = found
        found = more
    for cell in range(grid.shape[0]):
        if grid[cell] != ZERO:
            found[number, cell] = first(grid[cell]) + 1
    return found
