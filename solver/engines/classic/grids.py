"""Between packed grids and boards: as many at once as there are lanes."""

from solver.compiling.jit import bare, inlined
from solver.compiling.packed import GRID, PACKED
from solver.compiling.vector import copier, load, splat, store
from solver.engines.classic.board import CELLS, ROWS, SINGLES

DIGITS = 12  # vectors of the values of solved boards


@inlined
def _swap(word, distance, lower):  # type: ignore[no-untyped-def]
    """Exchange the bits at `lower` with those `distance` above them."""
    differ = (word ^ word >> distance) & lower
    return word ^ differ ^ differ << distance


@inlined
def _turn_digits(word):  # type: ignore[no-untyped-def]
    """Return the binary digits of eight cells by digits where they are by cells, and back.

    By cells, byte k holds cell k in its lower and cell 4 + k in its upper four bits. By digits, bit
    k of byte b is digit b of cell k.
    """
    return _swap(_swap(word, 7, 0x00AA00AA), 14, 0x0000CCCC)


@bare
def boards_from_grids(packed, board):  # type: ignore[no-untyped-def]
    """Make boards of packed grids of givens 0…9: all candidates where a cell is blank.

    `packed` is overwritten.
    """
    for eight in range(PACKED // 2):
        cells = load(packed, 2 * eight) | load(packed, 2 * eight + 1) << 4
        store(packed, eight, _turn_digits(cells))
    store(packed, PACKED // 2, _turn_digits(load(packed, PACKED - 1)))
    for i in range(3):
        # The four binary digits of the givens of these rows, and from them each value's cells.
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


@inlined
def _row_of(eights, row, b):  # type: ignore[no-untyped-def]
    """Return digit b of the nine cells of a row, of which two words hold a part each."""
    word = 9 * row >> 3
    first = 9 * row & 7
    return (load(eights, word) >> 8 * b + first & 0xFF >> first) | (
        load(eights, word + 1) >> 8 * b & 0x1FF >> 8 - first
    ) << 8 - first


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
    for eight in range(PACKED // 2 + 1):
        cells = splat(packed, 0)
        for b in range(4):
            for row in range(8 * eight // 9, min(8 * eight + 7, GRID - 1) // 9 + 1):
                digit = load(digits, 4 * (row % 3) + b) >> 10 * (row // 3) & 0x1FF
                ahead = 8 * eight - 9 * row
                if ahead >= 0:
                    cells = cells | (digit >> ahead & 0xFF) << 8 * b
                else:
                    cells = cells | (digit & 0xFF >> -ahead) << 8 * b - ahead
        cells = _turn_digits(cells)
        store(packed, 2 * eight, cells & 0x0F0F0F0F)
        if eight < PACKED // 2:
            store(packed, 2 * eight + 1, cells >> 4 & 0x0F0F0F0F)


# Between a lane and a lane or the words of a stack: one board, its values, its single cells.
copy_board = copier(ROWS)
copy_values = copier(SINGLES)
copy_singles = copier(ROWS - SINGLES)
