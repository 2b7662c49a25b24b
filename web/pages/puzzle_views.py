"""The ways to look at one result: the puzzle, its candidates, its solution, all solutions.

A board is drawn once; what only some views show are overlays, and the style sheet picks one.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from web.boards.deduction_drawing import LARGEST_SIZE, pencil_marks
from web.boards.drawing import Drawing
from web.boards.geometry import outline
from web.boards.sketch import Shape
from web.boards.svg import Overlay, Picture, Text, make_picture
from worker.boards import StoredBoard


@dataclass(frozen=True, slots=True)
class Views:
    """A board with its overlays, and what the views are called, the first one shown at first."""

    picture: Picture
    names: dict[str, str]


@dataclass(frozen=True, slots=True)
class Solutions:
    """Several solutions of a puzzle, and the cells in which they differ."""

    grids: list[tuple[int, ...]]
    differing: frozenset[int]

    @classmethod
    def of(cls, board: StoredBoard, texts: Iterable[str]) -> "Solutions":
        """Read solutions as they are kept."""
        grids = [grid for text in texts if (grid := board.read(text)) is not None]
        columns = enumerate(zip(*grids, strict=True))
        return cls(grids, frozenset(cell for cell, values in columns if len({*values}) > 1))

    def values(self) -> list[tuple[int, ...]]:
        """Return, by cell, the values that it has where the solutions differ."""
        columns = enumerate(zip(*self.grids, strict=True))
        return [
            tuple(sorted({*values})) if cell in self.differing else () for cell, values in columns
        ]


def views_of(
    drawing: Drawing,
    pictures: int,
    *,
    candidates: Sequence[Sequence[int]],
    are_true: bool = False,
    solutions: Solutions | None,
) -> Views:
    """Return the views of a result; `pictures` as for `make_picture`."""
    board = StoredBoard(drawing.layout, drawing.symbols)
    names, overlays = {}, []
    differing = frozenset[int]() if solutions is None else solutions.differing
    if solutions is not None and differing:
        names["differences"] = "Where solutions differ"
        small = pencil_marks(board.layout, board.symbols, solutions.values())
        overlays.append(Overlay("differences", (), (*small, *_agreed(drawing, differing))))
    if drawing.count("found"):
        names["solution"] = "A solution" if solutions is not None else "Solution"
    names["puzzle"] = "Puzzle"
    if any(candidates) and board.layout.size <= LARGEST_SIZE:
        names["candidates"] = "True candidates" if are_true else "Candidates"
        texts = pencil_marks(board.layout, board.symbols, candidates)
        overlays.append(Overlay("candidates", (), texts))
    wrong = _wrong(drawing)
    picture = with_ground(drawing, pictures, "conflict" if wrong else "differs", wrong or differing)
    return Views(replace(picture, overlays=tuple(overlays)), names if len(names) > 1 else {})


def _agreed(drawing: Drawing, differing: frozenset[int]) -> tuple[Text, ...]:
    """Return what was found in the cells that are the same in all solutions."""
    columns = drawing.layout.columns
    rows = [
        [
            replace(cell, symbol="") if row * columns + column in differing else cell
            for column, cell in enumerate(cells)
        ]
        for row, cells in enumerate(drawing.rows)
    ]
    texts = make_picture(replace(drawing, rows=rows)).texts
    return tuple(text for text in texts if text.kind == "found")


def _wrong(drawing: Drawing) -> list[int]:
    cells = [cell for row in drawing.rows for cell in row]
    return [number for number, cell in enumerate(cells) if cell.kind == "wrong"]


def with_ground(drawing: Drawing, pictures: int, kind: str, cells: Collection[int]) -> Picture:
    """Return the picture of a board with some of its cells on a ground of their own."""
    picture = make_picture(drawing, pictures)
    if not cells:
        return picture
    ground, *others = picture.shapes
    columns = drawing.layout.columns
    marked = Shape(kind, outline(divmod(cell, columns) for cell in sorted(cells)))
    return replace(picture, shapes=(ground, marked, *others))
