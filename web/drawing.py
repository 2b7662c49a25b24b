"""What a template needs to draw a grid: cells with their symbols, and where boxes begin."""

from dataclasses import dataclass

from solver.formats import parse
from solver.puzzle import Puzzle
from worker.jobs import JobOptions


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its symbol, whether it is given, whether a box begins left of or above it."""

    symbol: str
    given: bool
    box_left: bool
    box_above: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """A grid to draw, row by row."""

    size: int
    rows: list[list[Cell]]


def draw(puzzle: str, solution: str | None, *, options: JobOptions) -> Drawing | None:
    """Return the drawing of a puzzle with its solution filled in; None for what is no grid."""
    found = parse(
        puzzle, format="line", box=options.box, symbols=options.symbols, blank=options.blank
    )
    if len(found) != 1 or not isinstance(found[0], Puzzle):
        return None
    grid, size = found[0], found[0].layout.size
    box_rows, box_columns = grid.layout.box
    solved: list[str] = []
    if solution:
        solved = solution.split() if " " in solution else list(solution)

    def cell(index: int) -> Cell:
        row, column = divmod(index, size)
        given = grid.givens[index]
        symbol = grid.symbols.values[given - 1] if given else (solved[index] if solved else "")
        return Cell(
            symbol=symbol,
            given=bool(given),
            box_left=column % box_columns == 0 and column > 0,
            box_above=row % box_rows == 0 and row > 0,
        )

    return Drawing(size, [[cell(row * size + i) for i in range(size)] for row in range(size)])
