"""What is needed to draw a board: its layout, and its cells with their symbols."""

from collections.abc import Sequence
from dataclasses import dataclass

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from web.boards.drawers.houses import regions
from web.boards.drawers.registry import rules_in_words


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its symbol ("" if open), and whether a box or a region begins left of or above it.

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
    symbols: Symbols
    rows: list[list[Cell]]

    @property
    def extent(self) -> int:
        """The greater one of the numbers of rows and of columns."""
        return max(self.layout.rows, self.layout.columns)

    @property
    def shape(self) -> str:
        """Rows and columns, as people write them: 6×8."""
        return f"{self.layout.rows}×{self.layout.columns}"

    @property
    def rules(self) -> dict[str, str]:
        """The names of the rules beyond rows, columns and boxes, and what they say."""
        return rules_in_words(self.layout)

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
    """Return the drawing of a puzzle, with its solution filled in if there is one.

    Givens and solution have a value from 1 for each cell of the layout, 0 where it is open.
    Givens in the cells named by `wrong` (r1c1) stand out.
    """
    region = regions(layout)

    def parted(cell: int, row: int, column: int) -> bool:
        other = layout.cell_at(row, column)
        return other is not None and region[cell] != region[other]

    def at(row: int, column: int) -> Cell:
        cell = layout.cell_at(row, column)
        if cell is None:
            return Cell("", "hole", box_left=False, box_above=False)
        value = givens[cell]
        if value:
            kind = "wrong" if layout.cell_name(cell) in wrong else "given"
        else:
            value = solution[cell] if solution else 0
            kind = "found" if value else "open"
        return Cell(
            symbol=symbols.values[value - 1] if value else "",
            kind=kind,
            box_left=parted(cell, row, column - 1),
            box_above=parted(cell, row - 1, column),
            value=value,
        )

    places = [[(row, column) for column in range(layout.columns)] for row in range(layout.rows)]
    return Drawing(layout, symbols, [[at(*place) for place in row] for row in places])
