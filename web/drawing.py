"""What a template needs to draw a board as SVG: lines, and symbols with their places.

Places are in units of the drawing: a cell is `CELL` wide and high.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from solver.formats import parse
from solver.layout import Layout
from solver.puzzle import Puzzle
from worker.jobs import JobOptions

CELL = 20
_BASELINE = 15


@dataclass(frozen=True, slots=True)
class Text:
    """Symbols of one kind in one row of the board; `x` has a place for each of them."""

    kind: str  # "given", "found" or "wrong"
    x: str
    y: int
    symbols: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board of `size` × `size` cells: its lines as paths, and what stands in its cells.

    `width` is the length of the longest symbol, 3 at most. `found` tells whether the cells
    that were blank are filled in.
    """

    size: int
    side: int
    thin: str
    thick: str
    width: int
    givens: int
    found: bool
    texts: tuple[Text, ...]


def draw(
    puzzle: str, solution: str | None, *, options: JobOptions, wrong: frozenset[str] = frozenset()
) -> Drawing | None:
    """Return the drawing of a puzzle with its solution filled in; None for what is no grid.

    Givens in the cells named by `wrong` (r1c1) stand out.
    """
    read = parse(
        puzzle, format="line", box=options.box, symbols=options.symbols, blank=options.blank
    )
    if len(read) != 1 or not isinstance(read[0], Puzzle):
        return None
    grid, layout = read[0], read[0].layout
    solved = split_solution(solution) if solution else []
    marks = []
    for cell, given in enumerate(grid.givens):
        if given:
            kind = "wrong" if layout.cell_name(cell) in wrong else "given"
            marks.append((cell, kind, grid.symbols.values[given - 1]))
        elif solved:
            marks.append((cell, "found", solved[cell]))
    rows, columns = _box(layout, solved)
    size, side = layout.size, layout.size * CELL
    return Drawing(
        size=size,
        side=side,
        thin=_lines(range(1, size), range(1, size), side),
        thick=_lines(range(rows, size, rows), range(columns, size, columns), side),
        width=min(max((len(symbol) for _, _, symbol in marks), default=1), 3),
        givens=sum(map(bool, grid.givens)),
        found=bool(solved),
        texts=tuple(_texts(marks, size)),
    )


def split_solution(solution: str) -> list[str]:
    """Return the symbols of a solution, cell by cell."""
    return solution.split() if " " in solution else list(solution)


def _box(layout: Layout, solved: Sequence[str]) -> tuple[int, int]:
    """Return the rows and columns of a box.

    A record may have said its own, which is not kept: the first that fits the solution then.
    """
    size = layout.size
    others = ((rows, size // rows) for rows in range(2, size) if size % rows == 0)
    for rows, columns in (layout.box, *others) if solved else ():
        boxes: dict[tuple[int, int], set[str]] = {}
        for cell, symbol in enumerate(solved):
            place = (cell // size // rows, cell % size // columns)
            boxes.setdefault(place, set()).add(symbol)
        if all(len(symbols) == size for symbols in boxes.values()):
            return rows, columns
    return layout.box


def _texts(marks: Sequence[tuple[int, str, str]], size: int) -> Iterator[Text]:
    """Yield one text for each kind in each row, or for each cell where a symbol is a word.

    SVG places the characters of a text one by one, which makes drawings five times smaller.
    """
    characters = all(len(symbol) == 1 and symbol.isascii() for _, _, symbol in marks)
    runs: dict[tuple[int, str, int], list[tuple[int, str]]] = {}
    for cell, kind, symbol in marks:
        row, column = divmod(cell, size)
        runs.setdefault((row, kind, 0 if characters else cell), []).append((column, symbol))
    for (row, kind, _), run in runs.items():
        yield Text(
            kind=kind,
            x=" ".join(str(column * CELL + CELL // 2) for column, _ in run),
            y=row * CELL + _BASELINE,
            symbols="".join(symbol for _, symbol in run),
        )


def _lines(rows: range, columns: range, side: int) -> str:
    across = "".join(f"M0 {row * CELL}h{side}" for row in rows)
    return across + "".join(f"M{column * CELL} 0v{side}" for column in columns)
