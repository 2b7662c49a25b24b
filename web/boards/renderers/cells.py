"""Renderers of rules for single cells, and for the corner where four cells meet."""

from solver.rules.rule import Constraint
from web.boards.canvas import Canvas, Layer
from web.boards.geometry import chevron, circle, middle, outline, square
from web.boards.renderers.cages import draw_unknown
from web.boards.renderers.dots import draw_inequality
from web.boards.renderers.renderer import Renderer


def _odd(constraint: Constraint, canvas: Canvas) -> None:
    for cell in constraint.cells:
        canvas.put(Layer.SHADE, "odd", circle(canvas.center(cell), 7.6))


def _even(constraint: Constraint, canvas: Canvas) -> None:
    for cell in constraint.cells:
        canvas.put(Layer.SHADE, "even", square(canvas.center(cell), 7.2))


def _circles(constraint: Constraint, canvas: Canvas) -> None:
    for cell in constraint.cells:
        canvas.put(Layer.LINE, "counting", circle(canvas.center(cell), 8.2))


def _minimum(constraint: Constraint, canvas: Canvas) -> None:
    lesser, *others = constraint.cells
    canvas.put(Layer.SHADE, "extreme", square(canvas.center(lesser), 10))
    for greater in others:
        draw_inequality(lesser, greater, canvas)


def _maximum(constraint: Constraint, canvas: Canvas) -> None:
    greater, *others = constraint.cells
    canvas.put(Layer.SHADE, "extreme", square(canvas.center(greater), 10))
    for lesser in others:
        draw_inequality(lesser, greater, canvas)


def _index(constraint: Constraint, canvas: Canvas) -> None:
    """Shade the index cell, and draw a chevron on both sides of it along the row or column.

    The constraint's number is the position of the index cell among its cells, from 1. A single
    cell, and cells that aren't in one row or column, are drawn as an unknown constraint.
    """
    places = canvas.places(constraint.cells)
    rows, columns = ({place[axis] for place in places} for axis in (0, 1))
    if len(places) < 2 or (len(rows) > 1 and len(columns) > 1):
        draw_unknown(constraint, canvas)
        return
    pointer = constraint.cells[constraint.number - 1]
    x, y = canvas.center(pointer)
    canvas.put(Layer.SHADE, "index", outline([canvas.place(pointer)], 1.2))
    for sign in (-1, 1):
        side = (x + 8 * sign, y) if len(rows) == 1 else (x, y + 8 * sign)
        ahead = (2 * side[0] - x, 2 * side[1] - y)
        canvas.put(Layer.LINE, "pointer", chevron(side, ahead, reach=0.7, spread=1.6))


def _quadruple(constraint: Constraint, canvas: Canvas) -> None:
    """Draw a circle with the required values at the corner where the four cells meet.

    Other arrangements of cells are drawn as an unknown constraint.
    """
    cells = constraint.cells
    rows, columns = ({place[axis] for place in canvas.places(cells)} for axis in (0, 1))
    is_square = max(rows) - min(rows) == max(columns) - min(columns) == 1
    if len(cells) != 4 or not is_square:
        draw_unknown(constraint, canvas)
        return
    x, y = middle([canvas.center(cell) for cell in cells])
    symbols = [canvas.symbol(number) for number in constraint.values]
    lines = [" ".join(symbols[start : start + 2]) for start in range(0, len(symbols), 2)]
    canvas.put(Layer.MARK, "dot quadruple", circle((x, y), 5.6))
    for number, text in enumerate(lines):
        down = 1.8 + 4.6 * (number - (len(lines) - 1) / 2)
        canvas.write("mark on-quadruple", (x, y + down), text)


def _one_of(constraint: Constraint, canvas: Canvas) -> None:
    symbols = " ".join(canvas.symbol(number) for number in sorted(set(constraint.values)))
    for cell in constraint.cells:
        canvas.write_in_corner("sum", cell, symbols)


CELL_RENDERERS: dict[str, Renderer] = {
    "odd": _odd,
    "oneof": _one_of,
    "even": _even,
    "countingcircles": _circles,
    "minimum": _minimum,
    "maximum": _maximum,
    "index": _index,
    "quadruple": _quadruple,
}
