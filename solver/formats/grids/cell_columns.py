"""Find out which columns of a table have the puzzle's cells, one column for each cell.

The table may have a few other columns, such as an id.
"""

from collections.abc import Sequence
from math import isqrt

from solver.board.graphemes import count_graphemes
from solver.board.layout import MAX_SIZE
from solver.formats.reading.cells import as_whole
from solver.formats.reading.deduce import BLANKS

_MOST_OTHERS = 8  # columns next to those of the cells
_SMALLEST, _SMALLEST_WITHOUT_HEADER = 4, 9  # boards; rows of up to 64 cells may be those of a grid


def find_cell_columns(
    rows: Sequence[Sequence[str]], *, named: Sequence[int] | None
) -> tuple[int, int] | None:
    """Find the columns of a table with one column per cell, next to at most eight others.

    `rows` are the fields of the table's first lines, without its header. `named` has the indices of
    the columns to which the header gives another meaning, or is None without a header. Without a
    header, the board must be at least 9×9, and there must be another column.

    Returns the index of the first column with a cell (from 0) and the number of cells, or None if
    the table has no such columns. If several positions fit, one without named columns is preferred,
    then one whose grids repeat the fewest values in their rows, then the last one.
    """
    width = len(rows[0])
    size = isqrt(width)
    cells = size * size
    smallest = _SMALLEST_WITHOUT_HEADER if named is None else _SMALLEST
    fewest = 1 if named is None else 0
    if not (smallest <= size <= MAX_SIZE and fewest <= width - cells <= _MOST_OTHERS):
        return None
    alike = [row for row in rows if len(row) == width]
    firsts = [
        first
        for first in range(width - cells + 1)
        if all(_is_cell(field, size) for row in alike for field in row[first : first + cells])
    ]
    apart = [f for f in firsts if not any(f <= column < f + cells for column in named or ())]
    # An id may look like a cell. It usually comes first.
    chosen = min(
        reversed(apart or firsts),
        key=lambda first: sum(_repeats(row[first : first + cells], size) for row in alike),
        default=None,
    )
    return None if chosen is None else (chosen, cells)


def _repeats(fields: Sequence[str], size: int) -> int:
    """Return how many values repeat an earlier value in their row of a `size`×`size` grid.

    `fields` are all its cells in reading order. Empty cells don't count. Repeated values are rare
    in puzzles.
    """
    rows = [fields[start : start + size] for start in range(0, size * size, size)]
    cells = [[as_whole(field.strip()) for field in row] for row in rows]
    written = [[cell for cell in row if cell and cell not in BLANKS] for row in cells]
    return sum(len(row) - len(set(row)) for row in written)


def _is_cell(field: str, size: int) -> bool:
    cell = as_whole(field.strip())
    if cell.isdecimal():
        return len(cell) <= len(str(size)) and int(cell) <= size
    return cell in BLANKS or count_graphemes(cell) == 1
