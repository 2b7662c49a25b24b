"""Draw small pictures of results, for lists."""

from dataclasses import replace

from web.boards.canvas import Shape
from web.boards.drawing import Drawing
from web.boards.geometry import CELL
from web.boards.svg import Picture, make_picture
from worker.records.boards import StoredBoard

# Larger boards are drawn only on their own page: fifty of them would be too much for a browser.
LARGEST_SMALL_BOARD = 25


def is_small(board: StoredBoard) -> bool:
    """Return whether a board is small enough for a page with many boards."""
    return max(board.layout.rows, board.layout.columns) <= LARGEST_SMALL_BOARD


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
