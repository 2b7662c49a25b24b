"""A board as the parts of an SVG picture, in units of its own: a cell is `CELL` wide and high."""

from collections.abc import Iterator
from dataclasses import dataclass

from web.boards.drawing import Drawing

CELL = 20
_BASELINE = 15


@dataclass(frozen=True, slots=True)
class Text:
    """Symbols of one kind in one row of the board; `x` has a place for each of them."""

    kind: str
    x: str
    y: int
    symbols: str


@dataclass(frozen=True, slots=True)
class Image:
    """The image of a value in a cell, by its upper left corner."""

    kind: str
    x: int
    y: int
    value: int
    symbol: str


@dataclass(frozen=True, slots=True)
class Picture:
    """The lines of a board as paths, and what stands in its cells: texts or images.

    `side` is its width and height, `longest` the length of the longest symbol, 3 at most.
    """

    size: int
    side: int
    thin: str
    thick: str
    longest: int
    texts: tuple[Text, ...]
    images: tuple[Image, ...]


def make_picture(drawing: Drawing, pictures: int = 0) -> Picture:
    """Return the picture of a board, with images if there are as many as it has values."""
    size, (rows, columns) = drawing.size, drawing.box
    side = size * CELL
    lengths = [len(cell.symbol) for row in drawing.rows for cell in row]
    return Picture(
        size=size,
        side=side,
        thin=_lines(range(1, size), range(1, size), side),
        thick=_lines(range(rows, size, rows), range(columns, size, columns), side),
        longest=min(max(lengths), 3),
        texts=() if pictures == size else tuple(_texts(drawing)),
        images=tuple(_images(drawing)) if pictures == size else (),
    )


def _images(drawing: Drawing) -> Iterator[Image]:
    for number, row in enumerate(drawing.rows):
        for column, cell in enumerate(row):
            if cell.symbol and cell.value:
                yield Image(cell.kind, column * CELL, number * CELL, cell.value, cell.symbol)


def _texts(drawing: Drawing) -> Iterator[Text]:
    """Yield one text for each kind in each row, or for each cell where a symbol is a word.

    SVG places the characters of a text one by one, which makes pictures five times smaller.
    """
    characters = all(
        len(cell.symbol) <= 1 and cell.symbol.isascii() for row in drawing.rows for cell in row
    )
    for number, row in enumerate(drawing.rows):
        runs: dict[tuple[str, int], list[tuple[int, str]]] = {}
        for column, cell in enumerate(row):
            if cell.symbol:
                run = runs.setdefault((cell.kind, 0 if characters else column), [])
                run.append((column, cell.symbol))
        for (kind, _), places in runs.items():
            yield Text(
                kind=kind,
                x=" ".join(str(column * CELL + CELL // 2) for column, _ in places),
                y=number * CELL + _BASELINE,
                symbols="".join(symbol for _, symbol in places),
            )


def _lines(rows: range, columns: range, side: int) -> str:
    across = "".join(f"M0 {row * CELL}h{side}" for row in rows)
    return across + "".join(f"M{column * CELL} 0v{side}" for column in columns)
