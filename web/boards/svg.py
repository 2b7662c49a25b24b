"""A board as the parts of an SVG picture, in units of its own: a cell is `CELL` wide and high."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

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

    `longest` is the length of the longest symbol, 3 at most.
    """

    columns: int
    rows: int
    width: int
    height: int
    thin: str
    thick: str
    longest: int
    texts: tuple[Text, ...]
    images: tuple[Image, ...]


def make_picture(drawing: Drawing, pictures: int = 0) -> Picture:
    """Return the picture of a board, with images if there are as many as it has values."""
    layout = drawing.layout
    rows, columns = layout.rows, layout.columns
    lengths = [len(cell.symbol) for row in drawing.rows for cell in row]
    return Picture(
        columns=columns,
        rows=rows,
        width=columns * CELL,
        height=rows * CELL,
        thin="".join(f"M0 {row * CELL}h{columns * CELL}" for row in range(1, rows))
        + "".join(f"M{column * CELL} 0v{rows * CELL}" for column in range(1, columns)),
        thick="".join(_borders(drawing)),
        longest=min(max(lengths), 3),
        texts=() if pictures == layout.size else tuple(_texts(drawing)),
        images=tuple(_images(drawing)) if pictures == layout.size else (),
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


def _borders(drawing: Drawing) -> Iterator[str]:
    """Yield the borders of boxes, each as long as it goes straight on."""
    for number, row in enumerate(drawing.rows):
        for start, length in _runs([cell.box_above for cell in row]):
            yield f"M{start * CELL} {number * CELL}h{length * CELL}"
    for number, column in enumerate(zip(*drawing.rows, strict=True)):
        for start, length in _runs([cell.box_left for cell in column]):
            yield f"M{number * CELL} {start * CELL}v{length * CELL}"


def _runs(flags: list[bool]) -> Iterator[tuple[int, int]]:
    """Yield where each run of set flags starts, and how long it is."""
    place = 0
    for flag, run in groupby(flags):
        length = len(list(run))
        if flag:
            yield place, length
        place += length
