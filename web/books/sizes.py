"""Compute how large boards must be on a page, so that symbols and numbers are legible."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from web.boards.drawing import draw
from web.boards.geometry import CELL
from web.boards.styles import label_style, symbol_style
from web.boards.svg import make_picture

MARGIN = 2.0  # units around a board, where thick borders end
# Emoji and other pictures are legible from this multiple of the size of a digit.
_PICTURED = 1.4
# Texts of rules are enlarged to the smallest font size by up to this factor.
_ENLARGED = 1.3
Grid = tuple[int, int]  # rows and columns of boards on a page


@dataclass(frozen=True, slots=True)
class BoardSize:
    """The size of a board in units, with the font sizes of its symbols and of its smallest label.

    `label` is 0 if the board has no labels. `has_pictures` is True if any symbol is an emoji or
    another character with details, and not a letter or digit.
    """

    width: float
    height: float
    symbol: float
    label: float
    has_pictures: bool = False

    def scale(self, width: float, height: float, max_cell: float) -> float:
        """Return the points per unit of the largest board in an area.

        `max_cell` is the width of the largest cell in points.
        """
        return min(width / self.width, height / self.height, max_cell / CELL)

    def smallest(self, symbol: float) -> float:
        """Return the smallest legible font size of this board's symbols, given that of digits.

        `symbol` is the size for digits, and both are in points. The size is larger for symbols with
        details.
        """
        return symbol * _PICTURED if self.has_pictures else symbol

    def is_legible(self, scale: float, *, symbol: float, label: float) -> bool:
        """Return whether symbols and labels have at least these font sizes at a scale.

        `scale` is in points per unit, and the sizes are in points. `symbol` is the size for digits,
        and `smallest` that for other symbols. Labels may be a little smaller than `label`, because
        they are then enlarged.
        """
        labels_fit = not self.label or self.label * scale * _ENLARGED >= label
        return self.symbol * scale >= self.smallest(symbol) and labels_fit


@lru_cache(maxsize=256)
def board_size(layout: Layout, symbols: Symbols) -> BoardSize:
    """Return the size of a board. Symbols are expected to be as wide as the widest one."""
    widest = max(range(layout.size), key=lambda place: len(symbols.values[place]))
    picture = make_picture(draw(layout, symbols, [widest + 1] * layout.cells))
    style = symbol_style("given", picture, ruled=False)
    labels = [label_style(label.kind).size for label in picture.labels]
    return BoardSize(
        picture.width + 2 * MARGIN,
        picture.height + 2 * MARGIN,
        style.size,
        min(labels, default=0),
        any(not letter.isalnum() for value in symbols.values for letter in value),
    )


def smaller_grids(grids: Sequence[Grid], first: Grid) -> list[Grid]:
    """Return the grids with at most as many boards as `first`, the ones with the most boards first.

    Grids are (rows, columns).
    """
    most = first[0] * first[1]
    return sorted(
        (grid for grid in grids if grid[0] * grid[1] <= most), key=lambda grid: -grid[0] * grid[1]
    )
