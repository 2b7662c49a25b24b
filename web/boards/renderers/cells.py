"""Renderers of rules for single cells, and for the corner where four cells meet."""

from solver.rules.rule import Constraint
from web.boards.canvas import Layer, Sketch
from web.boards.geometry import chevron, circle, middle, outline, square
from web.boards.renderers.cages import draw_unknown
from web.boards.renderers.dots import draw_inequality
from web.boards.renderers.renderer import Drawer


def _odd(constraint: Constraint, sketch: Sketch) -> None:
    for cell in constraint.cells:
        sketch.put(Layer.SHADE, "odd", circle(sketch.centre(cell), 7.6))


def _even(constraint: Constraint, sketch: Sketch) -> None:
    for cell in constraint.cells:
        sketch.put(Layer.SHADE, "even", square(sketch.centre(cell), 7.2))


def _circles(constraint: Constraint, sketch: Sketch) -> None:
    for cell in constraint.cells:
        sketch.put(Layer.LINE, "counting", circle(sketch.centre(cell), 8.2))


def _minimum(constraint: Constraint, sketch: Sketch) -> None:
    lesser, *others = constraint.cells
    sketch.put(Layer.SHADE, "extreme", square(sketch.centre(lesser), 10))
    for greater in others:
        draw_inequality(lesser, greater, sketch)


def _maximum(constraint: Constraint, sketch: Sketch) -> None:
    greater, *others = constraint.cells
    sketch.put(Layer.SHADE, "extreme", square(sketch.centre(greater), 10))
    for lesser in others:
        draw_inequality(lesser, greater, sketch)


def _index(constraint: Constraint, sketch: Sketch) -> None:
    """Shade the index cell, with a chevron on both sides along its row or column."""
    places = sketch.places(constraint.cells)
    rows, columns = ({place[axis] for place in places} for axis in (0, 1))
    if len(places) < 2 or (len(rows) > 1 and len(columns) > 1):
        draw_unknown(constraint, sketch)
        return
    pointer = constraint.cells[constraint.number - 1]
    x, y = sketch.centre(pointer)
    sketch.put(Layer.SHADE, "index", outline([sketch.place(pointer)], 1.2))
    for sign in (-1, 1):
        side = (x + 8 * sign, y) if len(rows) == 1 else (x, y + 8 * sign)
        ahead = (2 * side[0] - x, 2 * side[1] - y)
        sketch.put(Layer.LINE, "pointer", chevron(side, ahead, reach=0.7, spread=1.6))


def _quadruple(constraint: Constraint, sketch: Sketch) -> None:
    """Draw a circle with the values where four cells meet."""
    cells = constraint.cells
    rows, columns = ({place[axis] for place in sketch.places(cells)} for axis in (0, 1))
    is_square = max(rows) - min(rows) == max(columns) - min(columns) == 1
    if len(cells) != 4 or not is_square:
        draw_unknown(constraint, sketch)
        return
    x, y = middle([sketch.centre(cell) for cell in cells])
    symbols = [sketch.symbol(number) for number in constraint.values]
    lines = [" ".join(symbols[start : start + 2]) for start in range(0, len(symbols), 2)]
    sketch.put(Layer.MARK, "dot quadruple", circle((x, y), 5.6))
    for number, text in enumerate(lines):
        down = 1.8 + 4.6 * (number - (len(lines) - 1) / 2)
        sketch.write("mark on-quadruple", (x, y + down), text)


def _one_of(constraint: Constraint, sketch: Sketch) -> None:
    symbols = " ".join(sketch.symbol(number) for number in sorted(set(constraint.values)))
    for cell in constraint.cells:
        sketch.write_in_corner("sum", cell, symbols)


CELL_DRAWERS: dict[str, Drawer] = {
    "odd": _odd,
    "oneof": _one_of,
    "even": _even,
    "countingcircles": _circles,
    "minimum": _minimum,
    "maximum": _maximum,
    "index": _index,
    "quadruple": _quadruple,
}
