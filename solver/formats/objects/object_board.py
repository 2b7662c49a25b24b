"""Build the board that an object describes by its shape, overlapping grids, or houses."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import cast

import numpy as np

from solver.board.display import shown
from solver.board.layout import MAX_SIZE, Layout, filling_box, place_named
from solver.board.primitive_constraints import House
from solver.formats.format import ReadOptions
from solver.formats.objects.object_keys import KEYS, VARIABLE_PATTERN
from solver.formats.reading.options import read_box
from solver.rules.regions import box_of, read_labels

# Keys that describe the board explicitly. Without them, the cells determine its size.
OBLONG_KEYS = ("shape", "lowest", "lines", "grids", "variables", "holes")

_NOT_WITH_GRIDS = (
    "shape", "size", "regions", "houses", "lowest", "lines", "variables", "holes"
)  # fmt: skip
_MOST_WRITTEN = 999  # maximum rows or columns of a shape
_MOST_GRIDS = 100
_MOST_VARIABLES = 1_000
_VARIABLE = re.compile(VARIABLE_PATTERN)


def read_board(value: Mapping[str, object], options: ReadOptions) -> Layout | str:
    """Return the board that a puzzle object describes, without variants and constraints.

    The shape is by default `size` rows and columns, or 9×9, and the size the longer side of the
    shape. The board has the options' boxes, or else those that fit it. It has none if the object
    has regions, or if `box` is null or "none". With `grids`, the board consists of overlapping
    grids. Returns an error message if it is invalid.
    """
    if value.get("grids"):
        return _overlapping(value, options)
    size = cast("int | None", value.get("size"))
    shape = _shape(value.get("shape") or (f"{size}x{size}" if size else "9x9"))
    if shape is None:
        return f"'shape' must be {KEYS['shape'].must_be}, not {shown(value.get('shape'))}"
    size = max(shape) if size is None else size
    lowest = 1 if value.get("lowest") is None else cast("int", value["lowest"])
    fault = find_board_fault(shape, size, lowest)
    if fault is not None:
        return fault
    lines = value.get("lines")
    if lines not in (None, "houses", "free"):
        return f"'lines' must be {KEYS['lines'].must_be}, not {shown(lines)}"
    holes = _holes(value, shape)
    if holes is None:
        return f"'holes' must be {KEYS['holes'].must_be}, not {shown(value['holes'])}"
    regions, houses = value.get("regions"), value.get("houses")
    unboxed = regions or value.get("box", "") in (None, "none")
    return board_of(
        shape,
        size=size,
        lowest=lowest,
        box=None if unboxed else options.box or filling_box(*shape, size),
        free=lines == "free",
        holes=holes,
        variables=value.get("variables") or (),
        regions=regions,
        houses=houses if isinstance(houses, list) else (),
    )


def find_board_fault(shape: tuple[int, int], size: int, lowest: int) -> str | None:
    """Return the message for invalid dimensions of a board, or None if they are valid.

    `shape` is its number of rows and of columns, for which only a maximum is checked. `size` is the
    number of values, and `lowest` is the number of the first value.
    """
    if max(shape) > _MOST_WRITTEN:
        rows, columns = shape
        return f"'shape' must have at most {_MOST_WRITTEN} rows and columns, not {rows}x{columns}"
    if not 1 <= size <= MAX_SIZE:
        return f"'size' must be {KEYS['size'].must_be}, not {shown(size)}"
    if lowest not in (0, 1):
        return f"'lowest' must be {KEYS['lowest'].must_be}, not {shown(lowest)}"
    return None


def board_of(
    shape: tuple[int, int],
    *,
    size: int,
    lowest: int = 1,
    box: tuple[int, int] | None = None,
    free: bool = False,
    holes: frozenset[int] = frozenset(),
    variables: object = (),
    regions: object = None,
    houses: Sequence[object] = (),
) -> Layout | str:
    """Return a board, or the reason why it is invalid.

    shape      rows and columns
    size       number of values
    lowest     the number of the first value, 0 or 1
    box        rows and columns of a box, or None for no boxes
    free       whether rows and columns may repeat values
    holes      indices of missing cells
    variables  list of the names of auxiliary variables
    regions    a label for each cell, which replace the boxes, or None
    houses     for each set of additional houses, a label for each cell

    A board that is free or has holes has no boxes. On other boards, regions that are ordinary boxes
    (see `box_of`) become boxes.
    """
    if regions:
        labels = read_labels(regions)
        box = None if free or holes or "." in labels else box_of(labels, *shape)
        regions = None if box else regions  # default boxes are kept as boxes
    fault = _find_size_fault(shape, size, box, free=free or bool(holes))
    if fault is not None:
        return fault
    try:
        layout = (
            _with_holes(shape, size, holes, free=free)
            if free or holes
            else Layout.grid(*shape, size=size, box=box)
        )
    except ValueError as error:
        return str(error)
    if lowest != layout.lowest:
        layout = _with_lowest(layout, lowest)
    if variables:
        named = _read_variables(variables)
        if isinstance(named, str):
            return named
        layout = _with_named(layout, named)
    zoned = with_houses(layout, "region", [regions]) if regions else layout
    return with_houses(zoned, "house", houses) if houses and isinstance(zoned, Layout) else zoned


def _find_size_fault(
    shape: tuple[int, int], size: int, box: tuple[int, int] | None, *, free: bool
) -> str | None:
    """Return the message if rows, columns, or boxes don't fit the number of values, or None.

    `shape` and `box` are rows and columns, and `size` is the number of values. Rows and columns
    that are `free` can have any length.
    """
    if free:
        return None
    if max(shape) > size:
        needed = f"rows and columns of up to {max(shape)} cells, but there are only {size} values"
        return f"the board has {needed}; set 'size' to {max(shape)}, or 'lines' to 'free'"
    if box is None:
        return None
    if box[0] * box[1] > size:
        return f"a box of {box[0]}x{box[1]} cells doesn't fit a board of {size} values"
    if min(*shape, *box) < 1 or shape[0] % box[0] or shape[1] % box[1]:
        return f"boxes of {box[0]}x{box[1]} cells don't fill a board of {shape[0]}x{shape[1]} cells"
    return None


def _overlapping(value: Mapping[str, object], options: ReadOptions) -> Layout | str:
    """Return the layout of overlapping grids, or an error message.

    `value` lists the grids by their top left cells. Their boxes are those of the options, or 3×3.
    """
    other = next((key for key in _NOT_WITH_GRIDS if value.get(key) is not None), None)
    if other is not None:
        return f"Remove {other!r}. 'grids' already defines the shape and houses of the board."
    names = value["grids"] if isinstance(value["grids"], list) else []
    corners = tuple(place for name in names if (place := place_named(name)) is not None)
    if not 0 < len(corners) == len(names) <= _MOST_GRIDS:
        return f"'grids' must be {KEYS['grids'].must_be}, at most {_MOST_GRIDS}"
    try:
        return Layout.overlapping(corners, options.box or (3, 3))
    except ValueError as error:
        return str(error)


def _holes(value: Mapping[str, object], shape: tuple[int, int]) -> frozenset[int] | None:
    """Return the indices of the missing cells, which `value` lists by name under "holes".

    Returns None if the list is malformed or contains a place outside the grid.
    """
    names = value.get("holes")
    if not names:
        return frozenset()
    places = [place_named(name) for name in names] if isinstance(names, list) else [None]
    inside = [(r, c) for r, c in filter(None, places) if 0 <= r < shape[0] and 0 <= c < shape[1]]
    return frozenset(r * shape[1] + c for r, c in inside) if len(inside) == len(places) else None


def _shape(written: object) -> tuple[int, int] | None:
    return read_box("x".join(map(str, written)) if isinstance(written, list) else str(written))


def with_houses(layout: Layout, kind: str, maps: Sequence[object]) -> Layout | str:
    """Return a layout with additional houses, or the reason why one is invalid.

    Each of `maps` has a label for each cell. Cells with the same label form a house. Those with the
    label '.' or '' are in none. `kind` is the kind of the houses.
    """
    houses: list[House] = []
    for labels in maps:
        own = _houses(kind, labels, layout)
        if isinstance(own, str):
            return own
        houses += own
    return _with_more(layout, tuple(houses)) if houses else layout


def _houses(kind: str, written: object, layout: Layout) -> list[House] | str:
    """Return the houses that one set of labels describes, or an error message.

    `written` has a label for each cell, and cells with the same label form a house of the kind
    `kind`. Cells with the label '.' or '', and holes, are in none of them. A house may have at most
    as many cells as the board has values.
    """
    labels = read_labels(written)
    if len(labels) != layout.cells:
        needed = f"a label for each of the {layout.cells} cells, not {len(labels)}"
        return f"'{kind}s' must have {needed}"
    cells: dict[str, list[int]] = {label: [] for label in labels}
    for cell, label in enumerate(labels):
        if cell not in layout.holes:
            cells[label].append(cell)
    cells = {label: own for label, own in cells.items() if own and label not in ("", ".")}
    for label, own in cells.items():
        if len(own) > layout.size:
            most = f"more than the {layout.size} values of the board"
            return f"{kind} {label[:20]!r} has {len(own)} cells, {most}"
    return [House(kind, number, tuple(own)) for number, own in enumerate(cells.values(), 1)]


def _read_variables(listed: object) -> tuple[str, ...] | str:
    """Return the names of the auxiliary variables, or the reason why one is invalid."""
    if not isinstance(listed, list) or len(listed) > _MOST_VARIABLES:
        return f"'variables' must be {KEYS['variables'].must_be}, at most {_MOST_VARIABLES:,}"
    for name in listed:
        if not isinstance(name, str) or not _VARIABLE.fullmatch(name) or place_named(name):
            expected = "letters and then a number, such as A or VA12"
            return f"{shown(name)} isn't a valid variable name; expected {expected}"
    twice = next((name for name, count in Counter(listed).items() if count > 1), None)
    if twice is not None:
        return f"'variables' lists {twice!r} more than once"
    return tuple(map(str, listed))


# These are cached because layouts are compared by identity.
@lru_cache(maxsize=32)
def _with_named(layout: Layout, variables: tuple[str, ...]) -> Layout:
    """Return a layout with these auxiliary variables instead of its own."""
    return layout.changed(variables=variables)


@lru_cache(maxsize=32)
def _with_more(layout: Layout, houses: tuple[House, ...]) -> Layout:
    return layout.changed(houses=(*layout.houses, *houses))


@lru_cache(maxsize=32)
def _with_holes(shape: tuple[int, int], size: int, holes: frozenset[int], *, free: bool) -> Layout:
    """Return a grid without boxes whose rows and columns skip the holes.

    `shape` is its number of rows and columns, and `size` the number of values. If `free`, rows and
    columns aren't houses. Otherwise, raises ValueError if one has more cells than there are values.
    """
    layout = Layout.free(*shape, size=size).changed(holes=holes)
    if free:
        return layout
    cells = np.arange(shape[0] * shape[1]).reshape(shape)
    houses: list[House] = []
    for kind, lines in (("row", cells), ("column", cells.T)):
        for number, line in enumerate(lines.tolist(), 1):
            left = tuple(cell for cell in line if cell not in holes)
            if len(left) > size:
                raise ValueError(
                    f"{kind} {number} has {len(left)} cells, but there are only {size} values"
                )
            houses += [House(kind, number, left)] if left else []
    return layout.changed(houses=tuple(houses))


@lru_cache(maxsize=32)
def _with_lowest(layout: Layout, lowest: int) -> Layout:
    return layout.changed(lowest=lowest)
