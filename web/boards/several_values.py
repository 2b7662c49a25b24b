"""Draw the values of cells in which several solutions differ, equally large in all cells."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from web.boards.deduction_drawing import pencil_marks
from web.boards.geometry import CELL
from web.boards.renderers.registry import render_board
from web.boards.svg import Text

_PAIR, _FOUR = 2, 4


class _Arrangement(NamedTuple):
    """Where up to four values of a cell are: in one line, or in two lines of up to two.

    `kind` is the CSS class, `side` the distance of the values from the edges of the cell, and
    `middle`, `upper`, and `lower` are the baselines of a single line and of two.
    """

    kind: str
    side: float
    middle: float
    upper: float
    lower: float


_LARGE = _Arrangement("pair", 5.4, 14.2, 0, 0)
_SMALL = _Arrangement("four", 6, 13.1, 8.8, 17.3)


def several_values(
    layout: Layout, symbols: Symbols, values: Sequence[Sequence[int]]
) -> tuple[Text, ...]:
    """Return texts with the values of each cell, from 1. Cells without values have no text.

    The texts are as large as the cell with the most values allows. With more than four, or with
    long symbols, they are candidates in their usual places.
    """
    most = max(map(len, values))
    is_caged = render_board(layout, symbols).cornered
    if max(map(len, symbols.values)) > 1 or most > (_PAIR if is_caged else _FOUR):
        return pencil_marks(layout, symbols, values)
    return tuple(_texts(layout, symbols, values, _LARGE if most <= _PAIR else _SMALL))


def _texts(
    layout: Layout, symbols: Symbols, values: Sequence[Sequence[int]], arranged: _Arrangement
) -> Iterator[Text]:
    """Yield one text for each line of values in a cell."""
    for cell, own in enumerate(values):
        row, column = divmod(cell, layout.columns)
        baselines = [arranged.middle] if len(own) <= _PAIR else [arranged.upper, arranged.lower]
        for line, down in enumerate(baselines if own else ()):
            shown = own[_PAIR * line : _PAIR * line + _PAIR]
            rights = (arranged.side, CELL - arranged.side) if len(shown) == _PAIR else (CELL / 2,)
            yield Text(
                arranged.kind,
                " ".join(f"{column * CELL + right:g}" for right in rights),
                round(row * CELL + down, 1),
                "".join(symbols.values[value - 1] for value in shown),
            )
