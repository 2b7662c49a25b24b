"""What drawers draw on: the paths and the labels of a board, before any value stands in it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from web.boards.geometry import CELL, Place, Point, centre, middle, polyline, towards


class Layer(IntEnum):
    """What lies above what; the symbols of the cells lie above all."""

    GROUND = 0
    SHADE = 1
    LINE = 2
    GRID = 3
    CAGE = 4
    MARK = 5


@dataclass(frozen=True, slots=True)
class Shape:
    """All paths of one kind; the kind is its class, or its classes, in the style sheet."""

    kind: str
    path: str


@dataclass(frozen=True, slots=True)
class Label:
    """A text of a rule by the middle of its base line; `kind` as for shapes."""

    kind: str
    x: float
    y: float
    text: str


class Sketch:
    """The picture of a layout in the making.

    It keeps what is taken, so that two dots on one edge, two numbers in one corner, two cages
    around one cell and two clues at one end of a row stay apart.
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
        """All paths, from the lowest layer to the highest."""
        ordered = sorted(self._paths.items(), key=lambda entry: entry[0][0])
        return tuple(Shape(kind, "".join(paths)) for (_, kind), paths in ordered)

    @property
    def extent(self) -> tuple[int, int, int, int]:
        """The first row and column with something in them, and those behind the last."""
        rows = [0, self.layout.rows - 1, *(row for row, _ in self._outside)]
        columns = [0, self.layout.columns - 1, *(column for _, column in self._outside)]
        return (min(rows), min(columns), max(rows) + 1, max(columns) + 1)

    @property
    def cornered(self) -> bool:
        """Whether there is a text in the corner of a cell."""
        return bool(self._in_corner)

    def put(self, layer: Layer, kind: str, path: str) -> None:
        """Draw a path."""
        self._paths.setdefault((layer, kind), []).append(path)

    def write(self, kind: str, point: Point, text: str) -> None:
        """Write a text above the middle of its base line."""
        self.labels.append(Label(kind, round(point[0], 1), round(point[1], 1), text))

    def symbol(self, number: int) -> str:
        """Return what the puzzle writes for a number; the number if that is no value of it."""
        place = number - self.layout.lowest
        known = 0 <= place < len(self._symbols.values)
        return self._symbols.values[place] if known else str(number)

    def place(self, cell: int) -> Place:
        """Return the row and the column of a cell."""
        return divmod(cell, self.layout.columns)

    def places(self, cells: Sequence[int]) -> list[Place]:
        """Return the rows and columns of cells."""
        return [self.place(cell) for cell in cells]

    def centre(self, cell: int) -> Point:
        """Return the point in the middle of a cell."""
        return centre(self.place(cell))

    def between(self, cell: int, other: int) -> Point:
        """Return the point for a mark between two cells, beside earlier ones.

        Cells that are no neighbours are joined by a thin line.
        """
        ends = [self.centre(cell), self.centre(other)]
        spot = middle(ends)
        across, down = (ends[1][0] - ends[0][0], ends[1][1] - ends[0][1])
        if abs(across) + abs(down) != CELL:
            self.put(Layer.CAGE, "thread", polyline(ends))
        pair = frozenset((cell, other))
        earlier = self._on_edge[pair]
        self._on_edge[pair] += 1
        if not earlier:
            return spot
        # Along the edge to one side, then to the other, then further.
        side = 1 if earlier % 2 else -1
        along = (spot[0] - side * down, spot[1] + side * across)
        return towards(spot, along, 7 * (earlier + 1) // 2)

    def ring_about(self, cells: Sequence[int]) -> float:
        """Return how far inside of its cells the outline of another cage runs."""
        earlier = max(self._around[cell] for cell in cells)
        self._around.update(cells)
        return 1.8 + min(earlier, 4) * 1.3

    def write_in_corner(self, kind: str, cell: int, text: str) -> None:
        """Write a small text into the upper left corner of a cell, behind earlier ones.

        The third and later ones go to the lower left corner, if they are too long.
        """
        (row, column), width = self.place(cell), 1 + 3.2 * len(text)
        start = self._in_corner.get(cell, 0.0)
        below = start > 0 and start + width > CELL
        self._in_corner[cell] = start + width + 1
        x = column * CELL + 1.4 + width / 2 + (0 if below else start)
        self.write(f"corner {kind}", (x, row * CELL + (18.5 if below else 6.2)), text)

    def free_outside(self, place: Place, step: Place) -> Place | None:
        """Return the first free place for a clue from a place outside on, and take it.

        A place is outside of the grid or a hole in it. None where a cell is in the way.
        """
        row, column = place
        while (row, column) in self._outside:
            row, column = row + step[0], column + step[1]
        if self.layout.cell_at(row, column) is not None:
            return None
        self._outside.add((row, column))
        return (row, column)
