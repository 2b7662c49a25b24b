"""Marks between two cells: dots, letters, and inequality signs."""

from solver.rules.rule import Constraint
from web.boards.canvas import Canvas, Layer
from web.boards.geometry import chevron, circle
from web.boards.renderers.renderer import Renderer


def _dot(kind: str, *, radius: float = 3.2) -> Renderer:
    """Return the renderer of a kind of dot. If the rule has a number, it is written in the dot."""

    def draw(constraint: Constraint, canvas: Canvas) -> None:
        x, y = canvas.between(*constraint.cells)
        canvas.put(Layer.MARK, f"dot {kind}", circle((x, y), radius))
        if constraint.rule.value:
            text = str(constraint.number)
            long = " long" * (len(text) > 1)
            canvas.write(f"mark on-{kind}{long}", (x, y + 1.8), text)

    return draw


def _letter(text: str) -> Renderer:
    """Return the renderer that writes a letter between the two cells of a constraint."""

    def draw(constraint: Constraint, canvas: Canvas) -> None:
        x, y = canvas.between(*constraint.cells)
        canvas.write("letter", (x, y + 2.6), text)

    return draw


def draw_inequality(lesser: int, greater: int, canvas: Canvas) -> None:
    """Draw a chevron between two cells that points to the cell with the lesser value.

    `lesser` and `greater` are the indices of the cells.
    """
    spot = canvas.between(lesser, greater)
    away, tip = canvas.center(greater), canvas.center(lesser)
    ahead = (spot[0] + tip[0] - away[0], spot[1] + tip[1] - away[1])
    canvas.put(Layer.MARK, "inequality", chevron(spot, ahead, reach=1.6, spread=3))


def _greater(constraint: Constraint, canvas: Canvas) -> None:
    greater, lesser = constraint.cells
    draw_inequality(lesser, greater, canvas)


DOT_RENDERERS: dict[str, Renderer] = {
    "white": _dot("white"),
    "black": _dot("black"),
    "difference": _dot("white", radius=3.8),
    "ratio": _dot("black", radius=3.8),
    "x": _letter("X"),
    "v": _letter("V"),
    "greater": _greater,
}
