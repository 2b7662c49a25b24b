"""Read drawings with a small grid of candidates in each cell: a 9×9 board in 27 rows of 27.

1 2 3 | . . .      The candidate v is in place v of its cell. A cell with one number
4 . 6 | . 5 .      in any place has that value.
. 8 9 | . . .
"""

from solver.board.layout import Layout, usual_box
from solver.board.puzzle import Puzzle
from solver.board.symbols import Symbols
from solver.formats.format import ReadOptions
from solver.formats.grids.measured_grid import MeasuredGrid
from solver.formats.reading.cells import Reading, find_layout, refuse
from solver.formats.reading.deduce import BLANKS

# Number of rows of characters per board, and the box of characters that a cell occupies.
_BOARDS = {
    box[1] * size: (size, box)
    for size in (4, 6, 8, 9)
    if (box := usual_box(size)) is not None and box[0] == box[1]
}
_LARGE = 9  # Boards of this size have cells with a center.

DRAWN_SIZES = frozenset(_BOARDS)


def read_small_grids(grid: MeasuredGrid, *, text: str, options: ReadOptions) -> Reading | None:
    """Read a grid whose cells are drawn as small grids of candidates.

    A 4×4 board has 2×2 characters per cell, and so 8 rows. A 9×9 board has 3×3 characters per cell,
    and so 27 rows. A cell without any number has all candidates. At least one cell of the board
    must have several numbers. A 9×9 board in which no cell has several is read, too, if each number
    is in the center of its cell. Returns None for any other grid. The reading is invalid if the
    options don't fit the board. `text` is the record, for error messages.
    """
    board = _BOARDS.get(grid.size)
    if board is None:
        return None
    size, (high, wide) = board
    written = [[cell if cell not in BLANKS else "" for cell in row.cells] for row in grid.rows]
    masks = []
    placed = single = centered = 0
    for cell in range(size * size):
        top, left = cell // size * high, cell % size * wide
        inside = [written[top + n // wide][left + n % wide] for n in range(size)]
        values = [value for value in inside if value]
        if not all(v.isascii() and v.isdigit() and int(v) <= size for v in values):
            return None
        fits = all(not value or value == str(n) for n, value in enumerate(inside, 1))
        if len(values) > 1 and not fits:
            return None
        placed += len(values) > 1
        centered += len(values) == 1 and bool(inside[size // 2])
        single += len(values) == 1
        masks.append(sum({1 << int(value) - 1 for value in values}) or (1 << size) - 1)
    if not placed and not (size == _LARGE and single and centered == single):
        return None
    found = find_layout(size, options)
    if isinstance(found, str):
        return refuse(found, text)
    layout: Layout = found[0]
    givens = tuple(mask.bit_length() if mask.bit_count() == 1 else 0 for mask in masks)
    return Reading(Puzzle(layout, givens, Symbols.usual(size), tuple(masks)))
