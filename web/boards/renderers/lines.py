"""Lines through cells, and arrows."""

from collections.abc import Callable, Sequence

from solver.rules.rule import Constraint
from web.boards.canvas import Canvas, Layer
from web.boards.geometry import (
    Point,
    arrowhead,
    capsule,
    circle,
    diamond,
    middle,
    outline,
    polyline,
    towards,
)
from web.boards.renderers.renderer import Renderer

_RADIUS = 8.2  # of shapes around a symbol
_BULB = 7.4
_OVER = 8
_SHORT = 8  # maximum length of a pattern that is shown on the board

End = Callable[[Point, float], str]  # returns the path of a shape around a point, given its radius


def _line(
    kind: str, *, bulb: str = "", ends: End | None = None, closed: bool = False, sign: str = ""
) -> Renderer:
    """Return the renderer of a kind of line. `kind` is its CSS class.

    `bulb` is the kind of mark in the first cell, or "" for none. `ends` returns the shape around
    the first and the last cell. If `closed`, the line returns to the first cell. If the
    constraint's number isn't the default of the rule, it is written in the first cell, prefixed by
    `sign`.
    """

    def draw(constraint: Constraint, canvas: Canvas) -> None:
        points = [canvas.center(cell) for cell in constraint.cells]
        canvas.put(Layer.LINE, f"line {kind}", polyline(points, closed=closed))
        if bulb:
            canvas.put(Layer.LINE, f"{bulb} {kind}", circle(points[0], _BULB))
        if ends is not None:
            for point in (points[0], points[-1]):
                canvas.put(Layer.LINE, f"ring {kind}", ends(point, _RADIUS))
        rule = constraint.rule
        if rule.value and not rule.many and constraint.number != rule.usual:
            text = f"{sign}{constraint.number}"
            canvas.write_in_corner("line-value", constraint.cells[0], text)

    return draw


def _zipper(constraint: Constraint, canvas: Canvas) -> None:
    """Draw a zipper line, and mark its center.

    The mark is a ring in the middle cell, or a disk between the two middle cells.
    """
    points = [canvas.center(cell) for cell in constraint.cells]
    canvas.put(Layer.LINE, "line zipper", polyline(points))
    half, odd = divmod(len(points), 2)
    if odd:
        canvas.put(Layer.LINE, "ring zipper", circle(points[half], _RADIUS))
    else:
        join = middle(points[half - 1 : half + 1])
        canvas.put(Layer.LINE, "bulb zipper", circle(join, 3.4))


def _arrow(constraint: Constraint, canvas: Canvas) -> None:
    points = [canvas.center(cell) for cell in constraint.cells]
    canvas.put(Layer.LINE, "arrow", circle(points[0], _RADIUS) + _shaft(points))


def _shaft(points: Sequence[Point]) -> str:
    """Return the path of an arrow that starts at the edge of a circle around the first point.

    The arrowhead reaches beyond the last point, so that the symbol in the cell there doesn't hide
    it.
    """
    begins = towards(points[0], points[1], _RADIUS)
    before, last = points[-2:]
    tip = towards(last, (2 * last[0] - before[0], 2 * last[1] - before[1]), _OVER)
    return polyline([begins, *points[1:], tip]) + arrowhead(last, tip)


def _pill_arrow(constraint: Constraint, canvas: Canvas) -> None:
    """Draw a pill around the first cells, and an arrow through the other cells.

    The constraint's number is the number of cells in the pill. The arrow begins at the pill's cell
    that is closest to the first of the others.
    """
    pill, rest = constraint.cells[: constraint.number], constraint.cells[constraint.number :]
    points = [canvas.center(cell) for cell in pill]
    first, last = min(points), max(points)
    straight = len({x for x, _ in points}) == 1 or len({y for _, y in points}) == 1
    around = capsule(first, last, _RADIUS) if straight else outline(canvas.places(pill), 1.8)
    arrow = [canvas.center(cell) for cell in rest]
    x, y = arrow[0]
    nearest = min(points, key=lambda point: (point[0] - x) ** 2 + (point[1] - y) ** 2)
    canvas.put(Layer.LINE, "arrow", around + _shaft([nearest, *arrow]))


def _double_arrow(constraint: Constraint, canvas: Canvas) -> None:
    points = [canvas.center(cell) for cell in constraint.cells]
    begins = towards(points[0], points[1], _RADIUS)
    stops = towards(points[-1], points[-2], _RADIUS)
    circles = circle(points[0], _RADIUS) + circle(points[-1], _RADIUS)
    canvas.put(Layer.LINE, "doublearrow", circles + polyline([begins, *points[1:-1], stops]))


def _index_line(constraint: Constraint, canvas: Canvas) -> None:
    """Draw a line with a ring in its first cell and a dot in its second cell.

    The value of the first cell recurs on the line. The value of the second cell is the distance to
    it.
    """
    first, second = (canvas.center(cell) for cell in constraint.cells[:2])
    _line("indexline")(constraint, canvas)
    canvas.put(Layer.LINE, "ring indexline", circle(first, _RADIUS))
    canvas.put(Layer.LINE, "bulb indexline", circle(second, 5.5))


def _word(constraint: Constraint, canvas: Canvas) -> None:
    """Draw a line with a dot at its start. For `regex`, write a short expression in its first cell.

    Longer expressions are stated only in the text below the board.
    """
    points = [canvas.center(cell) for cell in constraint.cells]
    canvas.put(Layer.LINE, "line pairs", polyline(points))
    canvas.put(Layer.LINE, "bulb pairs", circle(points[0], 3.4))
    if constraint.rule.name == "regex" and len(str(constraint.value)) <= _SHORT:
        canvas.write_in_corner("line-value", constraint.cells[0], str(constraint.value))


LINE_RENDERERS: dict[str, Renderer] = {
    "thermo": _line("thermo", bulb="bulb"),
    "slowthermo": _line("slowthermo", bulb="ring"),
    "whisper": _line("whisper", sign="≥"),
    "dutchwhisper": _line("dutchwhisper"),
    "palindrome": _line("palindrome"),
    "renban": _line("renban"),
    "nabner": _line("nabner"),
    "modular": _line("modular", sign="mod "),
    "entropic": _line("entropic"),
    "pairs": _line("pairs"),
    "regex": _word,
    "nfa": _word,
    "between": _line("between", ends=circle),
    "lockout": _line("lockout", ends=diamond, sign="≥"),
    "sumline": _line("sumline"),
    "sumloop": _line("sumloop", closed=True),
    "indexline": _index_line,
    "regionsum": _line("regionsum"),
    "zipper": _zipper,
    "arrow": _arrow,
    "pillarrow": _pill_arrow,
    "doublearrow": _double_arrow,
}
