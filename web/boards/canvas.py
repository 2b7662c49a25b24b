"""The drawing to which renderers add: the paths and labels of a board without its values."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from web.boards.geometry import CELL, Place, Point, center, middle, polyline, towards


class Layer(IntEnum):
    """The layers of a drawing, from bottom to top. Values and candidates are drawn above them."""

    GROUND = 0
    SHADE = 1
    LINE = 2
    GRID = 3
    CAGE = 4
    MARK = 5


@dataclass(frozen=True, slots=True)
class Shape:
    """All paths of a board that have the same CSS classes, which `kind` lists.

    `path` is a single SVG path that contains all of them.
    """

    kind: str
    path: str


@dataclass(frozen=True, slots=True)
class Label:
    """A text that belongs to a rule, such as a clue or the sum of a cage.

    (x, y) is the center of its baseline, in the units of `web.boards.geometry`. `kind` lists its
    CSS classes.
    """

    kind: str
    x: float
    y: float
    text: str


class Canvas:
    """Collects the shapes and labels of a board.

    It keeps track of occupied positions, so that several dots on an edge, numbers in a corner,
    cages around a cell, and clues at the end of a row don't overlap.
    """

    def __init__(self, layout: Layout, symbols: Symbols) -> None:
        self.layout = layout
        self.labels: list[Label] = []
        self._symbols = symbols
        self._paths: dict[tuple[Layer, str], list[str]] = {}
        self._on_edge: Counter[frozenset[int]] = Counter()
        self._around: Counter[int] = Counter()
        self._in_corner: dict[int, float] = {}
        self._outside: set[Place] = set()

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """All shapes that have been added, from the lowest layer to the highest."""
        ordered = sorted(self._paths.items(), key=lambda entry: entry[0][0])
        return tuple(Shape(kind, "".join(paths)) for (_, kind), paths in ordered)

    @property
    def extent(self) -> tuple[int, int, int, int]:
        """The area of the drawing, including clues outside the grid, counted in cells.

        Contains the first row, the first column, the row after the last one, and the column after
        the last one, in this order. The grid itself starts at row 0 and column 0.
        """
        rows = [0, self.layout.rows - 1, *(row for row, _ in self._outside)]
        columns = [0, self.layout.columns - 1, *(column for _, column in self._outside)]
        return (min(rows), min(columns), max(rows) + 1, max(columns) + 1)

    @property
    def cornered(self) -> bool:
        """Whether a text is written in the corner of any cell."""
        return bool(self._in_corner)

    def put(self, layer: Layer, kind: str, path: str) -> None:
        """Add an SVG path with the CSS classes `kind` to a layer."""
        self._paths.setdefault((layer, kind), []).append(path)

    def write(self, kind: str, point: Point, text: str) -> None:
        """Add a text with the CSS classes `kind`. `point` is the center of its baseline."""
        self.labels.append(Label(kind, round(point[0], 1), round(point[1], 1), text))

    def symbol(self, number: int) -> str:
        """Return the puzzle's symbol for a number in a rule, or the number itself if it has none.

        The number counts from `layout.lowest`, as in the rules of the puzzle.
        """
        place = number - self.layout.lowest
        known = 0 <= place < len(self._symbols.values)
        return self._symbols.values[place] if known else str(number)

    def place(self, cell: int) -> Place:
        """Return the (row, column) of a cell. `cell` is its index."""
        return divmod(cell, self.layout.columns)

    def places(self, cells: Sequence[int]) -> list[Place]:
        """Return the place (row, column) of each of some cells, in their order."""
        return [self.place(cell) for cell in cells]

    def center(self, cell: int) -> Point:
        """Return the point at the center of a cell."""
        return center(self.place(cell))

    def between(self, cell: int, other: int) -> Point:
        """Reserve a point between two cells for a mark, and return it. It is next to earlier marks.

        If the cells aren't neighbors, also draws a thin line that connects them.
        """
        ends = [self.center(cell), self.center(other)]
        spot = middle(ends)
        across, down = (ends[1][0] - ends[0][0], ends[1][1] - ends[0][1])
        if abs(across) + abs(down) != CELL:
            self.put(Layer.CAGE, "thread", polyline(ends))
        pair = frozenset((cell, other))
        earlier = self._on_edge[pair]
        self._on_edge[pair] += 1
        if not earlier:
            return spot
        # Move along the edge, alternately to one side and to the other, farther each time.
        side = 1 if earlier % 2 else -1
        along = (spot[0] - side * down, spot[1] + side * across)
        return towards(spot, along, 7 * (earlier + 1) // 2)

    def ring_about(self, cells: Sequence[int]) -> float:
        """Return how far inside the borders of the cells the outline of a new cage runs.

        This also counts the new cage. The more cages already surround one of these cells, the
        greater the distance is, so that the outlines don't overlap.
        """
        earlier = max(self._around[cell] for cell in cells)
        self._around.update(cells)
        return 1.9 + min(earlier, 4) * 1.3

    def write_in_corner(self, kind: str, cell: int, text: str) -> Point:
        """Write a small text in the upper left corner of a cell, to the right of earlier texts.

        A text that doesn't fit there is written in the lower left corner. `kind` is a CSS class.
        Returns the width and height of the area in the upper left corner that a cage leaves free
        for the text, (0, 0) unless the text is the first one there.
        """
        (row, column), width = self.place(cell), 1 + 3.1 * len(text)
        start = self._in_corner.get(cell, 0.0)
        below = start > 0 and start + width > CELL
        self._in_corner[cell] = start + width + 1
        x = column * CELL + 1 + width / 2 + (0 if below else start)
        self.write(f"corner {kind}", (x, row * CELL + (18.5 if below else 4.7)), text)
        return (0, 0) if start else (width + 1.5, 6)

    def free_outside(self, place: Place, step: Place) -> Place | None:
        """Reserve and return the first free place for a clue, from `place` on in steps of `step`.

        A place is free if it is outside the grid or a hole in it, and has no clue yet. Returns None
        if a cell is in the way. Both arguments are (row, column).
        """
        row, column = place
        while (row, column) in self._outside:
            row, column = row + step[0], column + step[1]
        if self.layout.cell_at(row, column) is not None:
            return None
        self._outside.add((row, column))
        return (row, column)
