"""Draw boards as HTML tables, which notebooks show for puzzles, results, and explanations."""

from collections.abc import Sequence
from html import escape

from solver.board.layout import Layout, usual_box
from solver.board.symbols import Symbols

_CELL = "width:1.9em;height:1.9em;padding:0;text-align:center"
_THICK, _THIN = "2px solid #222", "1px solid #aaa"


def board_table(
    layout: Layout,
    symbols: Symbols,
    values: Sequence[int],
    *,
    givens: Sequence[int] | None = None,
) -> str:
    """Return a board as an HTML table, with thick borders around boxes and regions.

    `values` and `givens` have one value 1…N per cell, 0 = empty. Values are black in cells with a
    given and blue in all others. Without `givens`, all values are black.
    """
    region = dict.fromkeys(range(layout.cells), -1) | {
        cell: number
        for number, house in enumerate(layout.houses)
        if house.kind.endswith(("box", "region"))
        for cell in house.cells
    }

    def drawn(cell: int) -> str:
        if cell in layout.holes:
            return f'<td style="{_CELL};border:0"></td>'
        row, column = divmod(cell, layout.columns)
        around = {
            "top": layout.cell_at(row - 1, column),
            "bottom": layout.cell_at(row + 1, column),
            "left": layout.cell_at(row, column - 1),
            "right": layout.cell_at(row, column + 1),
        }
        borders = []
        for side, other in around.items():
            same_region = other is not None and region[other] == region[cell]
            borders.append(f"border-{side}:{_THIN if same_region else _THICK}")
        color = ";color:#1a56c4" if givens is not None and not givens[cell] else ""
        symbol = escape(symbols.values[values[cell] - 1]) if values[cell] else ""
        return f'<td style="{_CELL};{";".join(borders)}{color}">{symbol}</td>'

    starts = range(0, layout.cells, layout.columns)
    rows = ["".join(map(drawn, range(start, start + layout.columns))) for start in starts]
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f'<table style="border-collapse:collapse">{body}</table>'


def plain_table(values: Sequence[int], *, size: int) -> str:
    """Return a square board with the usual boxes and symbols as an HTML table.

    `values` are the values in reading order, 1…N, 0 = empty.
    """
    box = usual_box(size)
    layout = Layout.grid(size, size, size=size, box=None) if box is None else Layout.boxed(*box)
    return board_table(layout, Symbols.usual(size), values)
