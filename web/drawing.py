"""What is needed to draw a board: cells with their symbols, and where boxes begin."""

from collections.abc import Sequence
from dataclasses import dataclass

from solver.formats import parse
from solver.layout import Layout
from solver.puzzle import Puzzle
from worker.jobs import JobOptions


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its symbol ("" if open), and whether a box begins left of or above it.

    `kind` is "given", "found" or "open", or "wrong" for a given that breaks a rule.
    """

    symbol: str
    kind: str
    box_left: bool
    box_above: bool


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
    read = parse(
        puzzle, format="line", box=options.box, symbols=options.symbols, blank=options.blank
    )
    if len(read) != 1 or not isinstance(read[0], Puzzle):
        return None
    grid, layout = read[0], read[0].layout
    size = layout.size
    solved = split_solution(solution) if solution else [""] * layout.cells
    box_rows, box_columns = box = _box(layout, solved) if solution else layout.box

    def cell(index: int) -> Cell:
        row, column = divmod(index, size)
        if given := grid.givens[index]:
            symbol = grid.symbols.values[given - 1]
            kind = "wrong" if layout.cell_name(index) in wrong else "given"
        else:
            symbol = solved[index]
            kind = "found" if symbol else "open"
        return Cell(
            symbol=symbol,
            kind=kind,
            box_left=column % box_columns == 0 and column > 0,
            box_above=row % box_rows == 0 and row > 0,
        )

    return Drawing(size, box, [[cell(row * size + i) for i in range(size)] for row in range(size)])


def split_solution(solution: str) -> list[str]:
    """Return the symbols of a solution, cell by cell."""
    return solution.split() if " " in solution else list(solution)


def _box(layout: Layout, solved: Sequence[str]) -> tuple[int, int]:
    """Return the rows and columns of a box.

    A record may have said its own, which is not kept: the first that fits the solution then.
    """
    size = layout.size
    others = ((rows, size // rows) for rows in range(2, size) if size % rows == 0)
    for rows, columns in (layout.box, *others):
        boxes: dict[tuple[int, int], set[str]] = {}
        for cell, symbol in enumerate(solved):
            place = (cell // size // rows, cell % size // columns)
            boxes.setdefault(place, set()).add(symbol)
        if all(len(symbols) == size for symbols in boxes.values()):
            return rows, columns
    return layout.box
