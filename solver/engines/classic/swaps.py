"""Second solutions that are seen in a first one: two values that change places in four cells.

Where the values a and b stand in two rows of a band as

    . a . | . b .        . b . | . a .
    . b . | . a .        . a . | . b .

the grid is as right the other way round, and so with rows and columns, bands and stacks exchanged.
If none of the four cells is a given, both are solutions. Seven in ten puzzles with some 35 givens
and many solutions have such cells in the first one that is found.
"""

from solver.compiling.jit import bare, inlined
from solver.compiling.vector import load, nonzero, rolled, splat, store
from solver.engines.classic.board import (
    CELLS,
    FIRST,
    LAST,
    LAST_BOX,
    SINGLES,
    choose,
    next_band,
)


@inlined
def _next_column(word):  # type: ignore[no-untyped-def]
    """Return every cell's right neighbour in its minirow, the last one's first, in its place."""
    return choose(LAST, word << 2, word >> 1)


@inlined
def _last_column(word):  # type: ignore[no-untyped-def]
    """Return every cell's left neighbour in its minirow, the first one's last, in its place."""
    return choose(FIRST, word >> 2, word << 1)


@inlined
def _next_box(word):  # type: ignore[no-untyped-def]
    """Return every cell's counterpart in the next box of its band in its place."""
    return choose(LAST_BOX, word << 6, word >> 3)


@inlined
def _differ(ours, i, theirs, j):  # type: ignore[no-untyped-def]
    """Return where the values of the rows i of one grid are not those of the rows j of another."""
    return (
        (load(ours, 4 * i) ^ load(theirs, 4 * j))
        | (load(ours, 4 * i + 1) ^ load(theirs, 4 * j + 1))
        | (load(ours, 4 * i + 2) ^ load(theirs, 4 * j + 2))
        | (load(ours, 4 * i + 3) ^ load(theirs, 4 * j + 3))
    )


@bare
def find_swaps(board, digits, moved, moved_back):  # type: ignore[no-untyped-def]
    """Return a word with a bit for each lane: boards with two values that can change places.

    The boards are solved, but their vectors of single cells hold cells whose values are to stay.
    `digits` holds the boards' values (see `digits_from_boards`), and is overwritten; `moved` and
    `moved_back` (12,) are working memory. Cells to stay get the value 15 on one side of every
    comparison, and 0 on the other.
    """
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
    for _ in range(rolled(3)):
        for i in range(3):
            j = (i + 1) % 3
            differ = differ & (_differ(digits, i, moved, j) | _differ(digits, j, moved, i))
        for row in range(12):
            store(moved, row, _next_column(load(moved, row)))
    return nonzero(differ ^ CELLS)
