"""Places on a board, and SVG paths between them. A cell is `CELL` units wide.

A place is the (row, column) of a cell, and a point is (x, y) in units. Both count from the upper
left corner of the grid.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from math import hypot

CELL = 20

Place = tuple[int, int]
Point = tuple[float, float]

# Steps along an outline in clockwise order; the inside of the outline is on the right.
_EAST, _SOUTH, _WEST, _NORTH = (1, 0), (0, 1), (-1, 0), (0, -1)
_TURNS = (_EAST, _SOUTH, _WEST, _NORTH)


def center(place: Place) -> Point:
    """Return the point at the center of the cell at a place."""
    row, column = place
    return (column * CELL + CELL / 2, row * CELL + CELL / 2)


def middle(points: Sequence[Point]) -> Point:
    """Return the mean of the given points."""
    return (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))


def towards(start: Point, end: Point, distance: float) -> Point:
    """Return the point at a given distance from the start in the direction of the end.

    If the end is the same point, the start is returned.
    """
    across, down = end[0] - start[0], end[1] - start[1]
    length = hypot(across, down) or 1
    return (start[0] + across / length * distance, start[1] + down / length * distance)


def polyline(points: Iterable[Point], *, closed: bool = False) -> str:
    """Return the SVG path through the given points, and back to the first one if `closed`."""
    return "M" + " ".join(f"{_number(x)} {_number(y)}" for x, y in points) + "z" * closed


def circle(point: Point, radius: float) -> str:
    """Return the SVG path of a circle around a point."""
    x, y = point
    arc = f"a{_number(radius)} {_number(radius)} 0 1 0"
    across = _number(2 * radius)
    return f"M{_number(x - radius)} {_number(y)}{arc} {across} 0{arc} -{across} 0"


def square(point: Point, radius: float) -> str:
    """Return the SVG path of an upright square around a point.

    Its sides are `radius` units away from the point.
    """
    x, y = point
    side = _number(2 * radius)
    return f"M{_number(x - radius)} {_number(y - radius)}h{side}v{side}h-{side}z"


def diamond(point: Point, radius: float) -> str:
    """Return the SVG path of a square around a point that stands on a corner.

    Its corners are `radius` units away from the point.
    """
    x, y = point
    return polyline(
        [(x - radius, y), (x, y - radius), (x + radius, y), (x, y + radius)], closed=True
    )


def chevron(point: Point, tip: Point, *, reach: float, spread: float) -> str:
    """Return the SVG path of a chevron around `point` that points in the direction of `tip`.

    Its own tip is `reach` units ahead of `point`. Its two ends are `reach` units behind it, and
    `spread` units to the sides.
    """
    across, down = towards((0, 0), (tip[0] - point[0], tip[1] - point[1]), 1)
    x, y = point
    back = (x - across * reach, y - down * reach)
    sides = [
        (back[0] + sign * -down * spread, back[1] + sign * across * spread) for sign in (1, -1)
    ]
    return polyline([sides[0], (x + across * reach, y + down * reach), sides[1]])


def arrowhead(before: Point, tip: Point) -> str:
    """Return the SVG path of the head of an arrow that points from `before` to `tip`."""
    return chevron(towards(tip, before, 2), tip, reach=2, spread=3)


def capsule(start: Point, end: Point, radius: float) -> str:
    """Return the SVG path of a capsule: the outline of a thick line with round ends.

    The line runs from `start` to `end`, and is 2 × `radius` wide.
    """
    across, down = towards((0, 0), (end[0] - start[0], end[1] - start[1]), radius)
    arc = f"A{_number(radius)} {_number(radius)} 0 0 1 "

    def beside(point: Point, side: int) -> str:
        return f"{_number(point[0] + side * down)} {_number(point[1] - side * across)}"

    there = f"M{beside(start, 1)}L{beside(end, 1)}{arc}{beside(end, -1)}"
    return f"{there}L{beside(start, -1)}{arc}{beside(start, 1)}z"


def outline(places: Iterable[Place], inset: float = 0, gap: Point = (0, 0)) -> str:
    """Return the path around the cells at the given places, and around the holes between them.

    The path runs `inset` units inside the borders of the cells. Cells that touch only at a corner
    get separate outlines. `gap` is the width and height of an area in the upper left corner of the
    first cell that the path leaves free for a text.
    """
    cells = frozenset(places)
    steps: dict[Place, list[tuple[int, int]]] = {}  # by the (column, row) of a corner
    for row, column in sorted(cells):
        around = {
            _EAST: ((column, row), (row - 1, column)),
            _SOUTH: ((column + 1, row), (row, column + 1)),
            _WEST: ((column + 1, row + 1), (row + 1, column)),
            _NORTH: ((column, row + 1), (row, column - 1)),
        }
        for step, (corner, neighbor) in around.items():
            if neighbor not in cells:
                steps.setdefault(corner, []).append(step)
    path = ""
    while steps:
        loop = list(_loop(steps, inset))
        if gap == (0, 0) or path:
            path += polyline(loop, closed=True)
        else:
            path += polyline(_opened(loop, min(cells), gap))
    return path


def _opened(loop: Sequence[Point], first: Place, gap: Point) -> list[Point]:
    """Return the points of a loop without the upper left corner of its first cell.

    `gap` is the width and height of the part that is left out. The last point of `loop` must be its
    turn in that corner. The result begins to the right of the gap, and ends below it.
    """
    (row, column), (x, y) = first, loop[-1]
    right = min(max(column * CELL + gap[0], x), loop[0][0])
    below = min(max(row * CELL + gap[1], y), loop[-2][1])
    return [(right, y), *loop[:-1], (x, below)]


def _loop(steps: dict[Place, list[tuple[int, int]]], inset: float) -> Iterator[Point]:
    """Remove one closed loop from an outline's steps, and yield the points where the loop turns.

    `steps` maps each corner (column, row) of a cell to the unit steps of the outline that start
    there. The points are `inset` units inside the loop.
    """
    start = corner = next(iter(steps))
    first = step = steps[start][0]
    while True:
        corner = (corner[0] + step[0], corner[1] + step[1])
        turn = _TURNS.index(step)
        # Try the right turn first, which stays in the same cell.
        choices = [*_TURNS[turn + 1 :], *_TURNS[: turn + 1]]
        following = next(choice for choice in choices if choice in steps[corner])
        if following != step:
            # The inside of the outline is to the right of both steps.
            right = (-step[1] - following[1], step[0] + following[0])
            yield (corner[0] * CELL + inset * right[0], corner[1] * CELL + inset * right[1])
        steps[corner].remove(following)
        if not steps[corner]:
            del steps[corner]
        if (corner, following) == (start, first):
            return
        step = following


def edges(rows: int, columns: int, kind: Callable[[Place, Place], str]) -> dict[str, str]:
    """Return the edges of a grid's cells, as the data of one SVG path per kind of edge.

    `kind` returns the kind of the edge between two adjacent places, the upper or left one first.
    One of them may be outside the grid. Edges of the kind "" are omitted. Adjacent edges of a kind
    are joined into one line.
    """
    paths: dict[str, list[str]] = {}
    for row in range(rows + 1):
        kinds = [kind((row - 1, column), (row, column)) for column in range(columns)]
        for name, start, length in _runs(kinds):
            paths.setdefault(name, []).append(f"M{start * CELL} {row * CELL}h{length * CELL}")
    for column in range(columns + 1):
        kinds = [kind((row, column - 1), (row, column)) for row in range(rows)]
        for name, start, length in _runs(kinds):
            paths.setdefault(name, []).append(f"M{column * CELL} {start * CELL}v{length * CELL}")
    return {name: "".join(pieces) for name, pieces in paths.items()}


def _runs(kinds: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Yield (kind, start index, length) of each run of equal kinds, except runs of ""."""
    start = 0
    for name, same in groupby(kinds):
        length = len(list(same))
        if name:
            yield name, start, length
        start += length


def _number(number: float) -> str:
    return f"{round(number, 1):g}"
