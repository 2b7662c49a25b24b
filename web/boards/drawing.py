"""What is needed to draw a board: cells with their symbols, and where boxes begin."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt

from solver.board.graphemes import split_graphemes
from solver.board.layout import usual_box
from solver.board.puzzle import Invalid
from solver.formats.reading.cells import read_cells
from worker.job import JobOptions
from worker.options import read_options


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its symbol ("" if open), and whether a box begins left of or above it.

    `value` is what the symbol stands for, from 1, or 0 where that is not known.
    `kind` is "given", "found" or "open", or "wrong" for a given that breaks a rule.
    """

    symbol: str
    kind: str
    box_left: bool
    box_above: bool
    value: int = 0


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board to draw, row by row; `box` has the rows and columns of a box."""

    size: int
    box: tuple[int, int]
    rows: list[list[Cell]]

    def count(self, *kinds: str) -> int:
        """Return how many cells are of these kinds."""
        return sum(cell.kind in kinds for row in self.rows for cell in row)


def draw(
    puzzle: str, solution: str | None, *, options: JobOptions, wrong: frozenset[str] = frozenset()
) -> Drawing | None:
    """Return the drawing of a puzzle with its solution filled in; None for what is no grid.

    Givens in the cells named by `wrong` (r1c1) stand out.
    """
    cells = split_cells(puzzle)
    size = isqrt(len(cells))
    if solution:
        solved = split_cells(solution)
        given = [cell == found for cell, found in zip(cells, solved, strict=True)]
        box_rows, box_columns = box = fitting_box(solved, options=options)
    else:
        read = read_cells(cells, text=puzzle, options=read_options(options)).puzzle
        if isinstance(read, Invalid):
            return None
        solved = [""] * len(cells)
        given = [value > 0 for value in read.givens]
        box_rows, box_columns = box = read.layout.box

    values = _values(cells, options)

    def cell(row: int, column: int) -> Cell:
        index = row * size + column
        if given[index]:
            symbol = cells[index]
            kind = "wrong" if f"r{row + 1}c{column + 1}" in wrong else "given"
        else:
            symbol = solved[index]
            kind = "found" if symbol else "open"
        return Cell(
            symbol=symbol,
            kind=kind,
            box_left=column % box_columns == 0 and column > 0,
            box_above=row % box_rows == 0 and row > 0,
            value=values.get(symbol, 0),
        )

    return Drawing(
        size, box, [[cell(row, column) for column in range(size)] for row in range(size)]
    )


def _values(cells: Sequence[str], options: JobOptions) -> dict[str, int]:
    """Return the value of each symbol of a grid, as far as it can be told from the grid."""
    read = read_cells(cells, text="", options=read_options(options)).puzzle
    if isinstance(read, Invalid):
        return {}
    return {symbol: value for value, symbol in enumerate(read.symbols.values, 1)}


def split_cells(text: str) -> list[str]:
    """Return the symbols of a puzzle or solution as `Symbols.write` wrote it, cell by cell."""
    return text.split(" ") if " " in text else split_graphemes(text)


def fitting_box(solved: Sequence[str], *, options: JobOptions) -> tuple[int, int]:
    """Return the rows and columns of a box, such as the solution has.

    A record may have said its own box, which is not kept.
    """
    size = isqrt(len(solved))
    likely = (read_options(options).box, usual_box(size))
    others = ((rows, size // rows) for rows in range(2, size) if size % rows == 0)
    fitting = (box for box in (*likely, *others) if box and _has_boxes(solved, size, box))
    return next(fitting, (size, size))


def _has_boxes(solved: Sequence[str], size: int, box: tuple[int, int]) -> bool:
    rows, columns = box
    if rows * columns != size:
        return False
    boxes: dict[tuple[int, int], set[str]] = {}
    for cell, symbol in enumerate(solved):
        boxes.setdefault((cell // size // rows, cell % size // columns), set()).add(symbol)
    return all(len(symbols) == size for symbols in boxes.values())
