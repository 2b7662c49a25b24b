"""Labels of rows and columns around a board, for texts that name cells, such as r5c5."""

from dataclasses import replace
from math import inf

from solver.board.layout import Layout
from web.boards.geometry import CELL
from web.boards.svg import Overlay, Picture, Text

# The space for labels on the left and above, and how far baselines are below the middle of a row
_LEFT, _TOP, _LOWERED = 11, 9, 2
# Labels of larger boards are larger, because their cells are smaller on the screen. For each size:
# the largest number of rows or columns, the factor, and the class of the labels
_SIZES = ((9, 1.0, "coordinate"), (16, 1.3, "coordinate large"), (inf, 1.7, "coordinate larger"))


def with_coordinates(picture: Picture, layout: Layout) -> Picture:
    """Return a picture of a board with labels of its rows on the left and of its columns above.

    The labels are the overlay "coordinates".
    """
    longest = max(layout.rows, layout.columns)
    factor, kind = next((factor, kind) for most, factor, kind in _SIZES if longest <= most)
    left, top = round(_LEFT * factor), round(_TOP * factor)
    x, y = str(picture.left - 2 - left // 2), picture.top - 4
    texts = [
        *(Text(kind, str(column * CELL + CELL // 2), y, f"c{column + 1}")
          for column in range(layout.columns)),
        *(Text(kind, x, row * CELL + CELL // 2 + _LOWERED, f"r{row + 1}")
          for row in range(layout.rows)),
    ]  # fmt: skip
    return replace(
        picture,
        left=picture.left - left,
        top=picture.top - top,
        width=picture.width + left,
        height=picture.height + top,
        overlays=(*picture.overlays, Overlay("coordinates", (), tuple(texts))),
    )
