"""Draw the values of cells in which several solutions differ, equally large in all cells."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from web.boards.deduction_drawing import pencil_marks
from web.boards.geometry import CELL
from web.boards.renderers.registry import render_board
from web.boards.svg import Text


class _Arrangement(NamedTuple):
    """Where the values of a cell are: in one line, or in two lines of up to two values.

    `kind` is the CSS class, and `across` the number of values in a line. `middle` is the baseline
    of a single line, and `upper` and `lower` are those of two.
    """

    kind: str
    across: int
    middle: float
    upper: float = 0
    lower: float = 0


_PAIR = _Arrangement("pair", 2, 14.2)
_FOUR = _Arrangement("four", 2, 13.1, 8.8, 17.3)
# On boards with cages, whose sums need the space above
_CAGED_THREE = _Arrangement("three", 3, 14.2)
# Distances between values, by how many there are in a line
_GAPS = {1: 0.0, 2: 8.6, 3: 5.2}


def several_values(
    layout: Layout, symbols: Symbols, values: Sequence[Sequence[int]]
) -> tuple[Text, ...]:
    """Return texts with the values of each cell, from 1. Cells without values have no text.

    The texts are as large as the cell with the most values allows. With more than four, or three on
    boards with cages, or with long symbols, they are candidates in their usual places.
    """
    is_caged = render_board(layout, symbols).cornered
    arranged = _arrangement(max(map(len, values)), is_caged=is_caged)
    if arranged is None or max(map(len, symbols.values)) > 1:
        return pencil_marks(layout, symbols, values)
    return tuple(_texts(layout, symbols, values, arranged))


def _arrangement(most: int, *, is_caged: bool) -> _Arrangement | None:
    """Return the arrangement for cells with up to `most` values, or None if there are too many."""
    if most <= _PAIR.across:
        return _PAIR
    if is_caged:
        return _CAGED_THREE if most <= _CAGED_THREE.across else None
    return _FOUR if most <= 2 * _FOUR.across else None


def _texts(
    layout: Layout, symbols: Symbols, values: Sequence[Sequence[int]], arranged: _Arrangement
) -> Iterator[Text]:
    """Yield one text for each line of values in a cell."""
    for cell, own in enumerate(values):
        row, column = divmod(cell, layout.columns)
        across = arranged.across
        lines = [own[start : start + across] for start in range(0, len(own), across)]
        baselines = [arranged.middle] if len(lines) == 1 else [arranged.upper, arranged.lower]
        for line, down in zip(lines, baselines, strict=False):
            gap = _GAPS[len(line)]
            left = CELL / 2 - gap * (len(line) - 1) / 2
            yield Text(
                arranged.kind,
                " ".join(f"{column * CELL + left + gap * n:g}" for n in range(len(line))),
                round(row * CELL + down, 1),
                "".join(symbols.values[value - 1] for value in line),
            )
