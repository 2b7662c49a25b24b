"""Between packed grids and boards: as many at once as there are lanes."""

from solver.compiling.jit import bare
from solver.compiling.packed import PACKED, cell_values
from solver.compiling.vector import copier, load, splat, store
from solver.engines.classic.board import CELLS, ROWS, SINGLES

DIGITS = 12  # vectors of the values of solved boards


@bare
def boards_from_grids(packed, board):  # type: ignore[no-untyped-def]
    """Make boards of packed grids of givens 0…9: all candidates where a cell is blank."""
    for i in range(3):
        # The four binary digits of the givens of these rows, and from them each value's cells.
        digit0 = splat(packed, 0)
        digit1 = splat(packed, 0)
        digit2 = splat(packed, 0)
        digit3 = splat(packed, 0)
        for band in range(3):
            for column in range(9):
                value = cell_values(packed, 27 * band + 9 * i + column)
                place = 10 * band + column
                digit0 = digit0 | (value & 1) << place
                digit1 = digit1 | (value >> 1 & 1) << place
                digit2 = digit2 | (value >> 2 & 1) << place
                digit3 = digit3 | value >> 3 << place
        given = digit0 | digit1 | (digit2 | digit3)
        store(board, SINGLES + i, given)
        blank = CELLS & ~given
        for d in range(9):
            word = digit0 if (d + 1) & 1 else ~digit0
            word = word & (digit1 if (d + 1) & 2 else ~digit1)
            word = word & (digit2 if (d + 1) & 4 else ~digit2)
            word = word & (digit3 if (d + 1) & 8 else ~digit3)
            store(board, 9 * i + d, blank | (word & CELLS))


@bare
def digits_from_boards(board, digits):  # type: ignore[no-untyped-def]
    """Write the values of solved boards as binary digits: digit b of the rows i at 4·i + b."""
    for i in range(3):
        for b in range(4):
            digit = splat(board, 0)
            for d in range(9):
                if (d + 1) >> b & 1:
                    digit = digit | load(board, 9 * i + d)
            store(digits, 4 * i + b, digit)


@bare
def grids_from_digits(digits, packed):  # type: ignore[no-untyped-def]
    """Make packed grids of the values of solved boards."""
    for row in range(PACKED):
        store(packed, row, splat(packed, 0))
    for i in range(3):
        digit0 = load(digits, 4 * i)
        digit1 = load(digits, 4 * i + 1)
        digit2 = load(digits, 4 * i + 2)
        digit3 = load(digits, 4 * i + 3)
        for band in range(3):
            for column in range(9):
                cell = 27 * band + 9 * i + column
                place = 10 * band + column
                value = (
                    (digit0 >> place & 1)
                    | (digit1 >> place & 1) << 1
                    | (digit2 >> place & 1) << 2
                    | (digit3 >> place & 1) << 3
                )
                store(packed, cell >> 2, load(packed, cell >> 2) | value << (8 * (cell & 3)))


# Between a lane and a lane or the words of a stack: one board, its values, its single cells.
copy_board = copier(ROWS)
copy_values = copier(SINGLES)
copy_singles = copier(ROWS - SINGLES)
