"""Find solved boards with a second solution, in which two values in four cells are swapped.

If the values a and b are in two rows of a band as in

    . a . | . b .        . b . | . a .
    . b . | . a .        . a . | . b .

then swapping them gives another valid grid. The same applies to columns and stacks. If none of the
four cells is a given, both grids are solutions: the cells form a deadly pattern. The second
solution isn't written. In puzzles with about 35 givens and many solutions, 70% of the first
solutions contain such cells.
"""

from solver.compiling.jit import always_inline, kernel
from solver.compiling.vector import load, nonzero, not_unrolled, splat, store
from solver.engines.classic.board import (
    CELLS,
    FIRST,
    LAST,
    LAST_BOX,
    SINGLES,
    choose,
    next_band,
)


@always_inline
def _next_column(word):  # type: ignore[no-untyped-def]
    """Return the word in which the bits of each minirow have moved one cell to the left.

    The bit of the first cell moves to the last one. A minirow is the three cells of a row in a box.
    """
    return choose(LAST, word << 2, word >> 1)


@always_inline
def _last_column(word):  # type: ignore[no-untyped-def]
    """Return the word in which the bits of each minirow have moved one cell to the right.

    The bit of the last cell moves to the first one.
    """
    return choose(FIRST, word >> 2, word << 1)


@always_inline
def _next_box(word):  # type: ignore[no-untyped-def]
    """Move the bit of the same cell in the next box of the band to each cell. Return the new word.

    Cells in the last box get the bits of the first one.
    """
    return choose(LAST_BOX, word << 6, word >> 3)


@always_inline
def _differ(ours, i, theirs, j):  # type: ignore[no-untyped-def]
    """Return the cells in which two grids have different values.

    The rows i, 3 + i, and 6 + i of `ours` are compared with the rows j, 3 + j, and 6 + j of
    `theirs`. Both grids are given as binary digits, see `digits_from_boards`.
    """
    return (
        (load(ours, 4 * i) ^ load(theirs, 4 * j))
        | (load(ours, 4 * i + 1) ^ load(theirs, 4 * j + 1))
        | (load(ours, 4 * i + 2) ^ load(theirs, 4 * j + 2))
        | (load(ours, 4 * i + 3) ^ load(theirs, 4 * j + 3))
    )


@kernel
def find_swaps(board, digits, moved, moved_back):  # type: ignore[no-untyped-def]
    """Return the boards that have another solution by swapping two values in four cells.

    The result is a word with one bit per lane. The boards are solved, but their vectors of solved
    cells hold only the cells whose values must stay. `digits` contains the boards' values (see
    `digits_from_boards`) and is overwritten. `moved` and `moved_back` (12,) are working memory.
    """
    # Cells that must stay get the value 15 on one side of every comparison and 0 on the other one,
    # so that they never match.
    for i in range(3):
        fixed = load(board, SINGLES + i)
        for row in range(4 * i, 4 * i + 4):
            digit = load(digits, row)
            below = next_band(digit & ~fixed)
            store(digits, row, digit | fixed)
            store(moved, row, _next_column(below))
            store(moved_back, row, _last_column(below))
    differ = splat(board, CELLS)
    for i in range(3):
        for j in range(3):
            left = _differ(digits, i, moved, j)
            right = _differ(digits, i, moved_back, j)
            differ = differ & (left | _next_column(right))
    for i in range(3):
        fixed = load(board, SINGLES + i)
        for row in range(4 * i, 4 * i + 4):
            store(moved, row, _next_box(load(digits, row) & ~fixed))
    for _ in range(not_unrolled(3)):
        for i in range(3):
            j = (i + 1) % 3
            differ = differ & (_differ(digits, i, moved, j) | _differ(digits, j, moved, i))
        for row in range(12):
            store(moved, row, _next_column(load(moved, row)))
    return nonzero(differ ^ CELLS)
