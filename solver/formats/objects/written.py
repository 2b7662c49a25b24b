"""Read a square grid written in JSON: a string, a list of cells, or a list of rows.

A cell is a number, a string, or null. A row is a list of cells, or a string with one character for
each cell.
"""

from collections.abc import Iterator

from solver.board.display import shown
from solver.board.graphemes import count_graphemes, split_graphemes
from solver.formats.format import ReadOptions
from solver.formats.grids.grid import read_grid
from solver.formats.grids.line import read_line
from solver.formats.reading.cells import Reading, as_whole, read_cells, read_rows, refuse

_NOTHING = (None, False, "")


def read_written(cells: str | list[object], *, text: str, options: ReadOptions) -> Reading:
    """Read a square grid from a JSON string, a list of cells, or a list of rows.

    Rows are lists of cells, or strings with a character for each cell. `text` is the JSON, for
    error messages. The reading is invalid if a cell is a list or an object, or the cells don't form
    a puzzle.
    """
    if isinstance(cells, list):
        wrong = next((cell for cell in _flat(cells) if isinstance(cell, (dict, list))), None)
        if wrong is not None:
            return refuse(f"a cell must be a number, a string, or null, not {shown(wrong)}", text)
    if isinstance(cells, str):
        read = read_grid if "\n" in cells.strip("\n") else read_line
        return read(cells, options=options)
    if cells and all(isinstance(row, list) for row in cells):
        rows = [[_cell(cell) for cell in row] for row in cells if isinstance(row, list)]
        return read_rows(rows, text=text, options=options)
    if cells and all(isinstance(row, str) and _is_row(row, len(cells)) for row in cells):
        return read_rows([split_graphemes(str(row)) for row in cells], text=text, options=options)
    return read_cells([_cell(cell) for cell in cells], text=text, options=options)


def _flat(cells: list[object]) -> Iterator[object]:
    for row in cells:
        yield from row if isinstance(row, list) else (row,)


def _is_row(text: str, size: int) -> bool:
    """Return whether a string has `size` characters, and so can be a row of a grid of that size."""
    return count_graphemes(text) == size > 1


def _cell(cell: object) -> str:
    if cell in _NOTHING and cell != 0:
        return "0"
    if isinstance(cell, float):
        return as_whole(str(cell))
    return str(cell) if isinstance(cell, (int, str)) else type(cell).__name__
