"""What is needed to draw a board: cells with their symbols, and where boxes begin."""

from collections.abc import Sequence
from dataclasses import dataclass

from solver.board.layout import Layout
from solver.board.symbols import Symbols


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its symbol ("" if open), and whether a box begins left of or above it.

    `value` is what the symbol stands for, from 1, or 0 where there is none.
    `kind` is "given", "found" or "open", "wrong" for a given that breaks a rule, or "hole".
    """

    symbol: str
    kind: str
    box_left: bool
    box_above: bool
    value: int = 0


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board to draw, row by row."""

    layout: Layout
    rows: list[list[Cell]]

    @property
    def extent(self) -> int:
        """The greater one of the numbers of rows and of columns."""
        return max(self.layout.rows, self.layout.columns)

    @property
    def shape(self) -> str:
        """Rows and columns, as people write them: 6×8."""
        return f"{self.layout.rows}×{self.layout.columns}"

    def count(self, *kinds: str) -> int:
        """Return how many cells are of these kinds."""
        return sum(cell.kind in kinds for row in self.rows for cell in row)


def draw(
    layout: Layout,
    symbols: Symbols,
    givens: Sequence[int],
    solution: Sequence[int] | None = None,
    *,
    wrong: frozenset[str] = frozenset(),
) -> Drawing:
    """Return the drawing of givens with the solution filled in, values 1…N, 0 = open or hole.

    Givens in the cells named by `wrong` (r1c1) stand out.
    """
    table = ("", *symbols.values)
    box_of: dict[int, int] = {}
    regions = [house for house in layout.houses if house.kind == "region"]
    for number, house in enumerate((*layout.boxes, *regions)):
        box_of |= dict.fromkeys(house.cells, number)

    def parted(cell: int, row: int, column: int) -> bool:
        other = layout.cell_at(row, column)
        return other is not None and box_of.get(cell) != box_of.get(other)

    def at(row: int, column: int) -> Cell:
        cell = layout.cell_at(row, column)
        if cell is None:
            return Cell("", "hole", box_left=False, box_above=False)
        value, kind = givens[cell], "given"
        if value == 0:
            value = solution[cell] if solution else 0
            kind = "found" if value else "open"
        elif layout.cell_name(cell) in wrong:
            kind = "wrong"
        return Cell(
            symbol=table[value],
            kind=kind,
            box_left=parted(cell, row, column - 1),
            box_above=parted(cell, row - 1, column),
            value=value,
        )

    columns = range(layout.columns)
    return Drawing(layout, [[at(row, column) for column in columns] for row in range(layout.rows)])
