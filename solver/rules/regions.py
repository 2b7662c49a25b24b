"""Irregular boxes (jigsaw): each cell has a label, and cells with the same label form a house."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import isqrt

from solver.board.display import how_many
from solver.board.graphemes import split_graphemes
from solver.board.layout import MAX_SIZE, Layout, filling_box
from solver.board.primitive_constraints import House


def read_regions(written: object) -> tuple[str, ...] | str:
    """Return the label of each cell of a square board, or an error message.

    `written` is a string of labels, a list of labels, or a list of rows, each of which is a string
    or a list. White space in a single string is ignored. Each label must occur as often as the
    board has rows.
    """
    labels = read_labels(written)
    if not labels:
        return "'regions' must be a string or a list with a label for each cell"
    size = isqrt(len(labels))
    if size * size != len(labels) or size > MAX_SIZE:
        return f"'regions' has {len(labels)} labels, expected 81 or another square number"
    counts = Counter(labels)
    for label, count in counts.items():
        if count != size:
            return f"region {label[:20]!r} has {how_many(count, 'cell')}, expected {size}"
    return labels


def read_labels(written: object) -> tuple[str, ...]:
    """Return the label of each cell ("." for null), or () if `written` has another form.

    `written` is a string whose white space is ignored, a list of labels, a list of rows as lists of
    labels, or a list of rows as strings that form a square.
    """
    if isinstance(written, str):
        return tuple(split_graphemes("".join(written.split())))
    if isinstance(written, list):
        rows = [tuple(row) if isinstance(row, list) else row for row in written]
        if all(isinstance(row, tuple) for row in rows):
            return tuple("." if label is None else str(label) for row in rows for label in row)
        if all(isinstance(row, str) and len(row) == len(rows) > 1 for row in rows):
            return tuple("".join(map(str, rows)))
        if all(row is None or isinstance(row, (str, int)) for row in rows):
            return tuple("." if row is None else str(row) for row in rows)
    return ()


def box_of(labels: Sequence[str], rows: int, columns: int) -> tuple[int, int] | None:
    """Return the rows and columns of a box if the regions are ordinary boxes, or None.

    `labels` has the label of each cell. Cells with the same label form a region. Ordinary boxes are
    those of the size that `filling_box` chooses.
    """
    box = filling_box(rows, columns, max(rows, columns))
    if box is None or len(labels) != rows * columns:
        return None
    high, wide = box
    corners = [(top, left) for top in range(0, rows, high) for left in range(0, columns, wide)]
    for top, left in corners:
        places = range(top * columns + left, (top + high) * columns + left, columns)
        if len({label for place in places for label in labels[place : place + wide]}) > 1:
            return None
    return box if len(set(labels)) == len(corners) else None


@lru_cache(maxsize=32)
def with_regions(layout: Layout, labels: Sequence[str]) -> Layout | str:
    """Return a layout with regions instead of its boxes, or an error message.

    `labels` has a label per cell. Cells with the same label form a region. The sizes of regions
    aren't checked. Houses other than boxes stay. If the regions of a layout without other rules are
    ordinary boxes, the result is the layout with these boxes.
    """
    if len(labels) != layout.cells:
        return f"'regions' has {len(labels)} labels, but the grid has {layout.cells} cells"
    box = box_of(labels, layout.rows, layout.columns)
    # without the rules of variants, which must remain
    is_plain = layout is Layout.boxed(*layout.box)
    if is_plain and box is not None:
        return Layout.boxed(*box)
    cells_of: dict[str, list[int]] = {}
    for cell, label in enumerate(labels):
        cells_of.setdefault(label, []).append(cell)
    regions = [
        House("region", number, tuple(cells)) for number, cells in enumerate(cells_of.values(), 1)
    ]
    others = [house for house in layout.houses if house.kind != "box"]
    return layout.changed(houses=(*others, *regions))
