"""The data for drawing a board: its layout, its symbols, and its cells."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from web.boards.renderers.houses import regions
from web.boards.renderers.registry import RuleText, describe_rules


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a board to draw.

    symbol     its symbol, or "" if it is empty
    kind       "given", "found" for a value of the solution, "open" if it is empty, "wrong" for a
               given that violates a rule, or "hole"
    box_left   whether the border of a box or region separates the cell from the cell on its left
    box_above  whether such a border separates it from the cell above
    value      the symbol's value, from 1, or 0 if the cell is empty
    """

    symbol: str
    kind: str
    box_left: bool
    box_above: bool
    value: int = 0


_HOLE = Cell("", "hole", box_left=False, box_above=False)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board to draw. `rows` contains its cells row by row, including holes."""

    layout: Layout
    symbols: Symbols
    rows: list[list[Cell]]

    @property
    def extent(self) -> int:
        """The number of rows or the number of columns, whichever is greater."""
        return max(self.layout.rows, self.layout.columns)

    @property
    def shape(self) -> str:
        """The numbers of rows and columns as text, such as 6×8."""
        return f"{self.layout.rows}×{self.layout.columns}"

    @property
    def rules(self) -> tuple[RuleText, ...]:
        """The names and sentences of the board's rules beyond rows, columns, and boxes."""
        return describe_rules(self.layout, self.symbols)

    def count(self, *kinds: str) -> int:
        """Return the number of cells whose kind is one of the given kinds."""
        return sum(cell.kind in kinds for row in self.rows for cell in row)


def draw(
    layout: Layout,
    symbols: Symbols,
    givens: Sequence[int],
    solution: Sequence[int] | None = None,
    *,
    wrong: frozenset[str] = frozenset(),
) -> Drawing:
    """Return the drawing of a puzzle, with the values of a solution, if any, in its other cells.

    `givens` and `solution` contain the value of each cell from 1, or 0 if the cell is empty. Givens
    in the cells named in `wrong` (such as r1c1) are highlighted.
    """
    values = symbols.values

    def drawn(cell: int, edges: tuple[bool, bool] | None) -> Cell:
        if edges is None:
            return _HOLE
        value = givens[cell]
        if value:
            kind = "wrong" if wrong and layout.cell_name(cell) in wrong else "given"
        else:
            value = solution[cell] if solution else 0
            kind = "found" if value else "open"
        return Cell(values[value - 1] if value else "", kind, *edges, value)

    cells = [drawn(cell, edges) for cell, edges in enumerate(_edges(layout))]
    starts = range(0, layout.cells, layout.columns)
    return Drawing(layout, symbols, [cells[start : start + layout.columns] for start in starts])


@lru_cache(maxsize=64)
def _edges(layout: Layout) -> tuple[tuple[bool, bool] | None, ...]:
    """Return `box_left` and `box_above` of each cell, as in `Cell`, or None for a hole.

    They are False at the edge of the grid and next to holes.
    """
    region = regions(layout)

    def parted(cell: int, row: int, column: int) -> bool:
        other = layout.cell_at(row, column)
        return other is not None and region[cell] != region[other]

    edges: list[tuple[bool, bool] | None] = []
    for cell in range(layout.cells):
        row, column = divmod(cell, layout.columns)
        hole = cell in layout.holes
        edges.append(
            None if hole else (parted(cell, row, column - 1), parted(cell, row - 1, column))
        )
    return tuple(edges)
