"""Clues outside the grid, next to the first of the cells to which they apply."""

from itertools import pairwise

from solver.rules.rule import Constraint
from web.boards.canvas import Canvas, Layer
from web.boards.geometry import Place, Point, center, chevron, circle, polyline, square, towards
from web.boards.renderers.cages import draw_unknown
from web.boards.renderers.renderer import Renderer

_STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
_DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))


def _direction(constraint: Constraint, canvas: Canvas, steps: tuple[Place, ...]) -> Place | None:
    """Return the (row, column) step from each of a constraint's cells to the next, or None.

    `steps` are the possible directions. Returns None if the step isn't always the same, or isn't
    one of them. If the constraint has only one cell, the result is the first of `steps` for which
    the cell is a whole line of the grid: the places before and after it have no cell. For example,
    a corner is a whole diagonal.
    """
    places = canvas.places(constraint.cells)
    if len(places) == 1:
        ((row, column),) = places
        at = canvas.layout.cell_at
        return next(
            (
                (down, right)
                for down, right in steps
                if at(row - down, column - right) is None is at(row + down, column + right)
            ),
            None,
        )
    step, *others = ((b[0] - a[0], b[1] - a[1]) for a, b in pairwise(places))
    return step if step in steps and all(other == step for other in others) else None


def _clue(
    kind: str, steps: tuple[Place, ...] = _STRAIGHT, *, value: bool = False, sign: str = ""
) -> Renderer:
    """Return the renderer of a kind of clue, which it writes next to the first cell of the line.

    If `value` is True, the constraint's number is a value, and its symbol is written. Otherwise the
    number is written, after `sign`. `steps` are the possible directions of the line. If there is no
    place for the clue, the constraint is drawn as an unknown one.
    """

    def draw(constraint: Constraint, canvas: Canvas) -> None:
        step = _direction(constraint, canvas, steps)
        row, column = canvas.place(constraint.cells[0])
        place = step and canvas.free_outside(
            (row - step[0], column - step[1]), (-step[0], -step[1])
        )
        if step is None or place is None:
            draw_unknown(constraint, canvas)
            return
        x, y = center(place)
        number = constraint.number
        canvas.write("clue", (x, y + 3), canvas.symbol(number) if value else f"{sign}{number}")
        _FRAMES[kind](canvas, (x, y), (x + 20 * step[1], y + 20 * step[0]))

    return draw


def _no_frame(canvas: Canvas, point: Point, ahead: Point) -> None:
    del canvas, point, ahead


def _arrow(canvas: Canvas, point: Point, ahead: Point) -> None:
    """Draw an arrow from the clue at `point` toward the point `ahead`, along a diagonal."""
    begins, tip = towards(point, ahead, 7.5), towards(point, ahead, 13)
    canvas.put(Layer.MARK, "clue-arrow", polyline([begins, tip]))
    canvas.put(
        Layer.MARK, "clue-arrow", chevron(towards(tip, point, 1.2), ahead, reach=1.2, spread=2)
    )


def _chevron(canvas: Canvas, point: Point, ahead: Point) -> None:
    """Draw a chevron next to the clue at `point`, into the grid toward the point `ahead`."""
    at = towards(point, ahead, 8)
    canvas.put(Layer.MARK, "clue-frame", chevron(at, ahead, reach=1, spread=5))


def _square(canvas: Canvas, point: Point, ahead: Point) -> None:
    del ahead
    canvas.put(Layer.MARK, "clue-frame", square(point, 6.5))


def _dashed_square(canvas: Canvas, point: Point, ahead: Point) -> None:
    del ahead
    canvas.put(Layer.MARK, "clue-frame hidden-building", square(point, 6.5))


def _circle(canvas: Canvas, point: Point, ahead: Point) -> None:
    del ahead
    canvas.put(Layer.MARK, "clue-frame", circle(point, 7))


# Functions that draw the frame of a clue at one point, given another one toward the grid.
_FRAMES = {
    "sandwich": _no_frame,
    "xsum": _chevron,
    "skyscraper": _square,
    "hiddenskyscraper": _dashed_square,
    "numberedroom": _circle,
    "littlekiller": _arrow,
    "fullrank": _no_frame,
    "fullranktied": _no_frame,
}

OUTSIDE_RENDERERS: dict[str, Renderer] = {
    "sandwich": _clue("sandwich"),
    "xsum": _clue("xsum"),
    "skyscraper": _clue("skyscraper"),
    "hiddenskyscraper": _clue("hiddenskyscraper", value=True),
    "numberedroom": _clue("numberedroom", value=True),
    "littlekiller": _clue("littlekiller", _DIAGONAL),
    "fullrank": _clue("fullrank", sign="#"),
    "fullranktied": _clue("fullranktied", sign="#"),
}
