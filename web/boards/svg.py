"""A board as the parts of an SVG picture, in the units of `web.boards.geometry`."""

from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import east_asian_width

from solver.board.graphemes import split_graphemes
from web.boards.drawers.registry import sketch_board
from web.boards.drawing import Drawing
from web.boards.geometry import CELL
from web.boards.sketch import Label, Shape

_BASELINE = 15
LONGEST = 16  # characters, that style.css has a size for
LONGEST_NUMBER = 3  # digits; longer symbols are words


@dataclass(frozen=True, slots=True)
class Text:
    """Symbols of one kind in one row of the board; `x` has a place for each of them."""

    kind: str
    x: str
    y: float
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
class Overlay:
    """What a page shows on a board only if asked to, by its name."""

    name: str
    shapes: tuple[Shape, ...]
    texts: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """The paths of a board with its rules, and what stands in its cells: texts or images.

    `left`, `top`, `width` and `height` are those of all of it, clues outside the grid included;
    `longest` is how many letters the widest symbol has, `LONGEST` at most; `cornered` says that
    there are small texts in corners of cells.
    """

    left: int
    top: int
    width: int
    height: int
    shapes: tuple[Shape, ...]
    labels: tuple[Label, ...]
    longest: int
    cornered: bool
    texts: tuple[Text, ...]
    images: tuple[Image, ...]
    overlays: tuple[Overlay, ...] = ()


def make_picture(drawing: Drawing, pictures: int = 0) -> Picture:
    """Return the picture of a board, with images if there are as many as it has values."""
    sketch = sketch_board(drawing.layout, drawing.symbols)
    top, left, bottom, right = sketch.extent
    longest = max(len(cell.symbol) for row in drawing.rows for cell in row)
    words = max(map(_width, drawing.symbols.values))
    # Words that are still to come, or are candidates, are written no larger.
    longest = min(words, LONGEST) if words > LONGEST_NUMBER else min(longest, LONGEST_NUMBER)
    has_images = pictures == drawing.layout.size
    return Picture(
        left=left * CELL,
        top=top * CELL,
        width=(right - left) * CELL,
        height=(bottom - top) * CELL,
        shapes=sketch.shapes,
        labels=tuple(sketch.labels),
        longest=longest,
        cornered=sketch.cornered,
        texts=() if has_images else tuple(_texts(drawing)),
        images=tuple(_images(drawing)) if has_images else (),
    )


def _width(symbol: str) -> int:
    """Return how many letters a word is as wide as: two for one of East Asia. A picture fits."""
    letters = split_graphemes(symbol)
    return sum(1 + (east_asian_width(each[0]) in "WF") for each in letters) if letters[1:] else 1


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
