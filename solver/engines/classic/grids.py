"""Convert packed grids (see `packed_grids`) to boards (see `board`), one per lane.

Solved boards can be converted back.
"""

from solver.compiling.jit import always_inline, kernel
from solver.compiling.packed_grids import GRID_BYTES, GRID_WORDS
from solver.compiling.vector import copier, load, splat, store
from solver.engines.classic.board import CELLS, ROWS, SINGLES

DIGITS = 12  # vectors that hold the values of solved boards as binary digits


@always_inline
def _swap(word, distance, lower):  # type: ignore[no-untyped-def]
    """Exchange the bits in the mask `lower` with the bits `distance` above them."""
    differ = (word ^ word >> distance) & lower
    return word ^ differ ^ differ << distance


@always_inline
def _turn_digits(word):  # type: ignore[no-untyped-def]
    """Convert a 32-bit word with eight 4-bit cells between two orders of its bits.

    by cell    cell k is in the lower half of byte k for k = 0 … 3, and in the upper half of
               byte k − 4 for k = 4 … 7
    by digit   byte b = 0 … 3 contains binary digit b of all cells: cell k = 0 … 7 has it at bit k

    A word in either order is converted to the other one, because the conversion is its own inverse.
    """
    return _swap(_swap(word, 7, 0x00AA00AA), 14, 0x0000CCCC)


@kernel
def boards_from_grids(packed, board):  # type: ignore[no-untyped-def]
    """Make boards from packed grids of givens 0 … 9, one per lane. Empty cells get all candidates.

    Given cells get one candidate, and are marked as solved. `packed` is overwritten.
    """
    for eight in range(GRID_WORDS // 2):
        cells = load(packed, 2 * eight) | load(packed, 2 * eight + 1) << 4
        store(packed, eight, _turn_digits(cells))
    store(packed, GRID_WORDS // 2, _turn_digits(load(packed, GRID_WORDS - 1)))
    for i in range(3):
        # The four binary digits of the givens in these rows determine the cells of each value.
        digit0 = splat(packed, 0)
        digit1 = splat(packed, 0)
        digit2 = splat(packed, 0)
        digit3 = splat(packed, 0)
        for band in range(3):
            digit0 = digit0 | _row_of(packed, 3 * band + i, 0) << 10 * band
            digit1 = digit1 | _row_of(packed, 3 * band + i, 1) << 10 * band
            digit2 = digit2 | _row_of(packed, 3 * band + i, 2) << 10 * band
            digit3 = digit3 | _row_of(packed, 3 * band + i, 3) << 10 * band
        given = digit0 | digit1 | (digit2 | digit3)
        store(board, SINGLES + i, given)
        blank = CELLS & ~given
        for d in range(9):
            word = digit0 if (d + 1) & 1 else ~digit0
            word = word & (digit1 if (d + 1) & 2 else ~digit1)
            word = word & (digit2 if (d + 1) & 4 else ~digit2)
            word = word & (digit3 if (d + 1) & 8 else ~digit3)
            store(board, 9 * i + d, blank | (word & CELLS))


@always_inline
def _row_of(eights, row, b):  # type: ignore[no-untyped-def]
    """Return binary digit b of the values in a row, as nine bits, one per cell.

    `eights` are the packed grids, eight cells per word, with the bits of each word ordered by digit
    (see `_turn_digits`). `row` is 0 … 8. A row spans two words.
    """
    word = 9 * row >> 3
    first = 9 * row & 7
    return (load(eights, word) >> 8 * b + first & 0xFF >> first) | (
        load(eights, word + 1) >> 8 * b & 0x1FF >> 8 - first
    ) << 8 - first


@kernel
def digits_from_boards(board, digits):  # type: ignore[no-untyped-def]
    """Write the values of solved boards as binary digits.

    Vector 4·i + b of `digits` becomes binary digit b of the values in the rows i, 3 + i, and 6 + i,
    in the layout of the board's vectors.
    """
    for i in range(3):
        for b in range(4):
            digit = splat(board, 0)
            for d in range(9):
                if (d + 1) >> b & 1:
                    digit = digit | load(board, 9 * i + d)
            store(digits, 4 * i + b, digit)


@kernel
def grids_from_digits(digits, packed):  # type: ignore[no-untyped-def]
    """Write solved boards to `packed` as packed grids, given their values as binary digits."""
    for eight in range(GRID_WORDS // 2 + 1):
        cells = splat(packed, 0)
        for b in range(4):
            for row in range(8 * eight // 9, min(8 * eight + 7, GRID_BYTES - 1) // 9 + 1):
                digit = load(digits, 4 * (row % 3) + b) >> 10 * (row // 3) & 0x1FF
                ahead = 8 * eight - 9 * row
                if ahead >= 0:
                    cells = cells | (digit >> ahead & 0xFF) << 8 * b
                else:
                    cells = cells | (digit & 0xFF >> -ahead) << 8 * b - ahead
        cells = _turn_digits(cells)
        store(packed, 2 * eight, cells & 0x0F0F0F0F)
        if eight < GRID_WORDS // 2:
            store(packed, 2 * eight + 1, cells >> 4 & 0x0F0F0F0F)


# Copy one board, only its values, or only its solved cells, between lanes or to and from a stack.
copy_board = copier(ROWS)
copy_values = copier(SINGLES)
copy_singles = copier(ROWS - SINGLES)
