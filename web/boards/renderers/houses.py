"""Renderers of the grid lines, and of houses other than rows, columns, and boxes."""

from collections.abc import Sequence
from itertools import pairwise

from solver.board.layout import Layout
from solver.board.primitive_constraints import House
from solver.rules.layout_rules import plain_kind
from web.boards.canvas import Canvas, Layer
from web.boards.geometry import Place, edges, outline, polyline
from web.boards.renderers.renderer import HouseRenderer

_PARTS = frozenset({"box", "region"})
_COLOURS = 9


def parts(layout: Layout) -> list[House]:
    """Return the boxes or regions of a grid.

    A box or region with the same cells as a row or column is left out.
    """
    lines = {house.cells for house in layout.houses if plain_kind(house) in ("row", "column")}
    return [
        house for house in layout.houses if plain_kind(house) in _PARTS and house.cells not in lines
    ]


def regions(layout: Layout) -> list[frozenset[int]]:
    """Return the boxes or regions around each cell, as indices in `parts(layout)`.

    A cell can have several of them if grids overlap.
    """
    numbers: list[set[int]] = [set() for _ in range(layout.cells)]
    for number, house in enumerate(parts(layout)):
        for cell in house.cells:
            numbers[cell].add(number)
    return [frozenset(mine) for mine in numbers]


def draw_grid(canvas: Canvas) -> None:
    """Draw the background of the grid, its lines (thick ones between regions), and its frame.

    There is no line between two holes. A hole has a frame, like the outside of the grid.
    """
    layout = canvas.layout
    region = regions(layout)

    def kind(place: Place, neighbor: Place) -> str:
        cell, other = layout.cell_at(*place), layout.cell_at(*neighbor)
        if cell is None or other is None:
            return "" if cell is other else "frame"
        return "thin" if region[cell] == region[other] else "thick"

    present = [canvas.place(cell) for cell in range(layout.cells) if cell not in layout.holes]
    canvas.put(Layer.GROUND, "ground", outline(present))
    paths = edges(layout.rows, layout.columns, kind)
    for name in ("thin", "thick", "frame"):
        if name in paths:
            canvas.put(Layer.GRID, name, paths[name])


def runs_diagonally(places: Sequence[Place]) -> bool:
    """Return whether each place touches the next one at a corner, always in the same direction.

    Returns False for fewer than two places.
    """
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(places)}
    return len(steps) == 1 and all(abs(down) == abs(right) == 1 for down, right in steps)


def draw_diagonal(cells: Sequence[int], canvas: Canvas) -> None:
    """Draw a line through the cells of a diagonal from corner to corner.

    There may be holes between the cells. There must be at least two cells.
    """
    (x, y), (end_x, end_y) = canvas.center(cells[0]), canvas.center(cells[-1])
    steps = abs(canvas.place(cells[-1])[0] - canvas.place(cells[0])[0])
    across, down = (end_x - x) / steps / 2, (end_y - y) / steps / 2
    ends = [(x - across, y - down), (end_x + across, end_y + down)]
    canvas.put(Layer.LINE, "diagonal", polyline(ends))


def _diagonal(house: House, canvas: Canvas) -> None:
    draw_diagonal(house.cells, canvas)


def _shade(house: House, canvas: Canvas) -> None:
    canvas.put(Layer.SHADE, "extra", outline(canvas.places(house.cells)))


def _color(house: House, canvas: Canvas) -> None:
    """Fill the cells of a house with a color that depends on its number.

    This is for houses that the puzzle lists itself. Together they can cover the whole grid.
    """
    kind = f"colour colour-{(house.number - 1) % _COLOURS + 1}"
    canvas.put(Layer.SHADE, kind, outline(canvas.places(house.cells)))


def _nothing(house: House, canvas: Canvas) -> None:
    """Draw nothing for rows, columns, boxes, regions, and disjoint groups.

    `draw_grid` draws the borders of boxes and regions. Disjoint groups contain the cells at the
    same position of each box, so they cover the whole grid.
    """
    del house, canvas


HOUSE_RENDERERS: dict[str, HouseRenderer] = {
    "row": _nothing,
    "column": _nothing,
    "box": _nothing,
    "region": _nothing,
    "group": _nothing,
    "diagonal": _diagonal,
    "house": _color,
    "window": _shade,
    "asterisk": _shade,
    "centre dot": _shade,
    "girandola": _shade,
}


def draw_houses(canvas: Canvas) -> None:
    """Draw the houses of a layout.

    Houses without a number belong to constraints, and aren't drawn. Neither are houses of one cell.
    """
    for house in canvas.layout.houses:
        if house.number and len(house.cells) > 1:
            HOUSE_RENDERERS.get(plain_kind(house), _shade)(house, canvas)
