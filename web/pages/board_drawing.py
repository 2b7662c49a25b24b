"""Drawings of results: small in a list, or large on a puzzle's own page."""

import re
from collections.abc import Sequence
from dataclasses import replace

from msgspec import UnsetType

from solver.board.layout import Layout
from solver.board.parts import House
from web.boards.canvas import Shape
from web.boards.drawing import Drawing, draw
from web.boards.geometry import CELL
from web.boards.svg import Picture, make_picture
from worker.boards import StoredBoard

# Larger boards are drawn only on their own page: fifty of them would be too much for a browser.
LARGEST_SMALL_BOARD = 25

_CELL_NAME = re.compile(r"\br\d+c\d+\b")


def is_small(board: StoredBoard) -> bool:
    """Return whether a board is small enough for a page with many boards."""
    return max(board.layout.rows, board.layout.columns) <= LARGEST_SMALL_BOARD


def draw_result(
    board: StoredBoard,
    puzzle: str,
    solution: str | None,
    detail: str | None = None,
    regions: Sequence[int] | UnsetType | None = None,
) -> Drawing | None:
    """Return the drawing of a result, or None if the puzzle's text doesn't fit the board.

    `puzzle`, `solution`, and `detail` are those of the result. Givens in the cells that `detail`
    names are highlighted. `regions` contains the region of each cell, from 1, if the solver had to
    find the regions.
    """
    givens = board.read(puzzle)
    if givens is None:
        return None
    wrong = frozenset(_CELL_NAME.findall(detail or ""))
    solved = board.read(solution) if solution else None
    layout = _cut(board.layout, regions) if regions else board.layout
    return draw(layout, board.symbols, givens, solved, wrong=wrong)


def thumbnail(drawing: Drawing, images: int) -> Picture:
    """Return the picture of a board with marked givens, which show even where digits are too small.

    The style sheet shows the marks (class "spot") in small pictures only. `images` is the number of
    images that are stored for the job.
    """
    picture = make_picture(drawing, images)
    spots = "".join(
        f"M{column * CELL} {row * CELL}h{CELL}v{CELL}h-{CELL}z"
        for row, cells in enumerate(drawing.rows)
        for column, cell in enumerate(cells)
        if cell.kind in ("given", "wrong")
    )
    if not spots:
        return picture
    ground, *others = picture.shapes
    return replace(picture, shapes=(ground, Shape("spot", spots), *others))


def _cut(layout: Layout, regions: Sequence[int]) -> Layout:
    """Return a layout in which regions replace the boxes.

    `regions` contains the region of each cell, from 1.
    """
    cells = range(layout.cells)
    cut = [
        House("region", number, tuple(cell for cell in cells if regions[cell] == number))
        for number in range(1, max(regions) + 1)
    ]
    others = [house for house in layout.houses if house.kind != "box"]
    return replace(layout, houses=(*others, *cut))
