"""What is needed to draw a board: its layout, and its cells with their symbols."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

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


_HOLE = Cell("", "hole", box_left=False, box_above=False)


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
    """Return for each cell whether a box begins left of it, and above it; None for a hole."""
    region = regions(layout)

    def parted(cell: int, row: int, column: int) -> bool:
        other = layout.cell_at(row, column)
        return other is not None and region[cell] != region[other]

    edges: list[tuple[bool, bool] | None] = []
    for cell in range(layout.cells):
        row, column = divmod(cell, layout.columns)
        hole = cell in layout.absent
        edges.append(
            None if hole else (parted(cell, row, column - 1), parted(cell, row - 1, column))
        )
    return tuple(edges)
