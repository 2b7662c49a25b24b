"""Boards as pages draw them: a result's, small in a list or large by itself."""

import re
from collections.abc import Sequence
from dataclasses import replace

from msgspec import UnsetType

from solver.board.layout import Layout
from solver.board.parts import House
from web.boards.drawing import Drawing, draw
from worker.boards import StoredBoard

# Larger boards are drawn on their own page only: fifty of them would be too much for a browser.
LARGEST_SMALL_BOARD = 25

_CELL_NAME = re.compile(r"\br\d+c\d+\b")


def is_small(board: StoredBoard) -> bool:
    """Return whether a board is small enough to be one of many on a page."""
    return max(board.layout.rows, board.layout.columns) <= LARGEST_SMALL_BOARD


def draw_result(
    board: StoredBoard,
    puzzle: str,
    solution: str | None,
    detail: str | None = None,
    regions: Sequence[int] | UnsetType | None = None,
) -> Drawing | None:
    """Return the drawing of a result; givens in the cells that the detail names stand out.

    Regions that were found are drawn where they are known, by cell.
    """
    givens = board.read(puzzle)
    if givens is None:
        return None
    wrong = frozenset(_CELL_NAME.findall(detail or ""))
    solved = board.read(solution) if solution else None
    layout = _cut(board.layout, regions) if regions else board.layout
    return draw(layout, board.symbols, givens, solved, wrong=wrong)


def _cut(layout: Layout, regions: Sequence[int]) -> Layout:
    """Return a layout with regions in place of boxes."""
    cells = range(layout.cells)
    cut = [
        House("region", number, tuple(cell for cell in cells if regions[cell] == number))
        for number in range(1, max(regions) + 1)
    ]
    others = [house for house in layout.houses if house.kind != "box"]
    return replace(layout, houses=(*others, *cut))
