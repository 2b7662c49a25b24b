"""Cages: groups of cells with a dashed outline and a text in the corner."""

from collections.abc import Callable, Sequence

from solver.rules.rule import Constraint
from web.boards.canvas import Canvas, Layer
from web.boards.geometry import Place, center, circle, outline, polyline
from web.boards.renderers.houses import draw_diagonal, runs_diagonally
from web.boards.renderers.renderer import Renderer, draw_nothing


def cage(kind: str, text: Callable[[Constraint, Canvas], str]) -> Renderer:
    """Return the renderer of a kind of cage. `text` returns the text in the corner.

    `kind` is the CSS class of the cage and its text.
    """

    def draw(constraint: Constraint, canvas: Canvas) -> None:
        draw_cage(kind, constraint.cells, text(constraint, canvas), canvas)

    return draw


def draw_cage(kind: str, cells: Sequence[int], text: str, canvas: Canvas) -> None:
    """Outline the cells of a cage, and write a text in a gap of the outline, in its first cell.

    Thin lines connect separate parts of the cage. `kind` is the CSS class.
    """
    places = canvas.places(cells)
    gap = canvas.write_in_corner(kind, min(cells), text) if text else (0, 0)
    canvas.put(Layer.CAGE, f"cage {kind}", outline(places, canvas.ring_about(cells), gap))
    for ends in _gaps(places):
        canvas.put(Layer.CAGE, "thread", polyline(map(center, ends)))


def _gaps(places: Sequence[Place]) -> list[tuple[Place, Place]]:
    """Return the shortest connections between the separate parts of a cage.

    Each is a pair of places (row, column). The result is empty if all cells are connected.
    """
    apart = set(places)
    joined: set[Place] = set()
    gaps = []
    while apart:
        if joined:
            ways = ((one, other) for one in joined for other in apart)
            way = min(ways, key=lambda way: (_distance(*way), way))
            gaps.append(way)
        border = [gaps[-1][1] if gaps else min(apart)]
        while border:
            row, column = place = border.pop()
            if place in apart:
                apart.remove(place)
                joined.add(place)
                border += [(row - 1, column), (row + 1, column)]
                border += [(row, column - 1), (row, column + 1)]
    return gaps


def _distance(place: Place, other: Place) -> int:
    return abs(place[0] - other[0]) + abs(place[1] - other[1])


def draw_unknown(constraint: Constraint, canvas: Canvas) -> None:
    """Draw a constraint as a cage with the title of its rule and its values in the corner.

    This is for constraints that have no renderer, or whose cells have an unusual arrangement.
    """
    value = constraint.value if constraint.rule.value else ()
    values = [value] if isinstance(value, int) else value
    text = " ".join([constraint.rule.title, *map(str, values)])
    draw_cage("other", constraint.cells, text, canvas)


def _sum(constraint: Constraint, canvas: Canvas) -> str:
    del canvas
    return "" if constraint.number < 0 else str(constraint.number)


def _sums(constraint: Constraint, canvas: Canvas) -> str:
    del canvas
    return " ".join(map(str, constraint.values))


def _total(constraint: Constraint, canvas: Canvas) -> str:
    """Return the corner text with the sum. Also write ×N into each cell that occurs N > 1 times."""
    times = {cell: constraint.cells.count(cell) for cell in constraint.cells}
    for cell, count in times.items():
        if count > 1:
            canvas.write_in_corner("sum", cell, f"×{count}")
    return f"Σ{constraint.number}"


def _fixed(text: str) -> Callable[[Constraint, Canvas], str]:
    """Return a function that returns the same corner text for every constraint."""

    def constant_text(constraint: Constraint, canvas: Canvas) -> str:
        del constraint, canvas
        return text

    return constant_text


def _not_sum(constraint: Constraint, canvas: Canvas) -> str:
    del canvas
    return f"≠{constraint.number}"


def _different(constraint: Constraint, canvas: Canvas) -> None:
    """Draw all-different cells as a line if they form a diagonal, and as a cage otherwise."""
    if runs_diagonally(canvas.places(constraint.cells)):
        draw_diagonal(constraint.cells, canvas)
    else:
        draw_cage("different", constraint.cells, "≠", canvas)


def _clone(constraint: Constraint, canvas: Canvas) -> None:
    """Shade the first and the second half of the constraint's cells, which have the same values.

    The same letter is written into a corner of each half.
    """
    earlier = sum("clone" in label.kind for label in canvas.labels) // 2
    half = len(constraint.cells) // 2
    for cells in (constraint.cells[:half], constraint.cells[half:]):
        canvas.put(Layer.SHADE, "clone", outline(canvas.places(cells), 1))
        canvas.write_in_corner("clone", min(cells), chr(ord("a") + earlier % 26))


def _weighted(constraint: Constraint, canvas: Canvas) -> str:
    """Return the corner text with the sum. Also write each cell's factor into the cell."""
    target, *factors = constraint.values
    for cell, factor in zip(constraint.cells, factors, strict=True):
        canvas.write_in_corner("sum", cell, f"×{factor}")
    return f"Σ{target}"


def _occurrences(constraint: Constraint, canvas: Canvas) -> str:
    """Return the corner text that lists how often each symbol occurs in the cage, such as 2×7."""
    repeated = constraint.values
    counts = range(0, len(repeated) - 1, 2)
    return " ".join(f"{repeated[at]}×{canvas.symbol(repeated[at + 1])}" for at in counts)


def _sets(constraint: Constraint, canvas: Canvas) -> None:
    """Draw a cage around each of the sets of cells that contain the same values.

    The constraint's number is the number of sets. All sets have the same size.
    """
    length = len(constraint.cells) // max(constraint.number, 1)
    for start in range(0, len(constraint.cells), max(length, 1)):
        draw_cage("equality", constraint.cells[start : start + length], "≡", canvas)


def _pieces(constraint: Constraint, canvas: Canvas) -> None:
    """Draw a cage around each group of cells. All groups have the same sum.

    The constraint's values are the lengths of the groups.
    """
    start = 0
    for length in constraint.values:
        draw_cage("sum", constraint.cells[start : start + length], "Σ=", canvas)
        start += length


def _counter(constraint: Constraint, canvas: Canvas) -> None:
    """Draw a circle in the cell with the count, and a cage around the counted cells."""
    counter, *counted = constraint.cells
    canvas.put(Layer.LINE, "counting", circle(canvas.center(counter), 8.2))
    draw_cage("different", counted, "", canvas)


def _any_of(constraint: Constraint, canvas: Canvas) -> str:
    """Return the corner text that lists the symbols whose cells must be connected."""
    return " ".join(canvas.symbol(value) for value in constraint.values)


def _lunchbox(constraint: Constraint, canvas: Canvas) -> str:
    del canvas
    return f"({constraint.number})"


CAGE_RENDERERS: dict[str, Renderer] = {
    "killer": cage("killer", _sum),
    "multisum": cage("killer", _sums),
    "sum": cage("sum", _total),
    "different": _different,
    "equality": cage("equality", _fixed("=")),
    "rellik": cage("rellik", _not_sum),
    "allpairs": cage("pairs", _fixed("")),
    "clone": _clone,
    "weightedsum": cage("sum", _weighted),
    "lookandsay": cage("equality", _occurrences),
    "samevalues": _sets,
    "equalsum": _pieces,
    "countdistinct": _counter,
    "chaoscount": _counter,
    "chaosarrow": _counter,
    "chaosconstruction": draw_nothing,
    "lunchbox": cage("killer", _lunchbox),
    "connected": cage("equality", _any_of),
}
