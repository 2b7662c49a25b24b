"""A board as elements of an SVG drawing, in the units of `web.boards.geometry`."""

from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import east_asian_width

from solver.board.graphemes import split_graphemes
from web.boards.canvas import Label, Shape
from web.boards.drawing import Drawing
from web.boards.geometry import CELL
from web.boards.renderers.registry import render_board

_BASELINE = 15
LONGEST = 16  # characters; style.css has font sizes up to this length
LONGEST_NUMBER = 3  # digits; longer symbols are words


@dataclass(frozen=True, slots=True)
class Text:
    """An SVG text with symbols of cells in one row of the board, or with candidates.

    `kind` lists the CSS classes. `x` lists the horizontal position of each symbol, separated by
    spaces.
    """

    kind: str
    x: str
    y: float
    symbols: str


@dataclass(frozen=True, slots=True)
class Image:
    """An image that is drawn instead of a symbol.

    `kind` is the kind of its cell, as in `Cell`. `x` and `y` are the upper left corner of the cell,
    `value` its value, and `symbol` the symbol that the image replaces.
    """

    kind: str
    x: int
    y: int
    value: int
    symbol: str


@dataclass(frozen=True, slots=True)
class Overlay:
    """Shapes and texts of a board that a page shows only on request. `name` identifies them."""

    name: str
    shapes: tuple[Shape, ...]
    texts: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """The SVG elements of a board with its rules, and the contents of its cells as texts or images.

    `left`, `top`, `width`, and `height` are those of the whole drawing, including clues outside the
    grid. `longest` is the width of the widest symbol in letters, at most `LONGEST`. Symbols that
    aren't in the grid count only if one is wider than `LONGEST_NUMBER`. `cornered` is True if there
    are small texts in the corners of cells.
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
    """Return the picture of a board, with its values drawn as symbols or as images.

    `pictures` is the number of images that are stored for the job. Values are drawn as images if
    there are exactly as many as the board has values.
    """
    canvas = render_board(drawing.layout, drawing.symbols)
    top, left, bottom, right = canvas.extent
    longest = max(len(cell.symbol) for row in drawing.rows for cell in row)
    words = max(map(_width, drawing.symbols.values))
    # Choose the size for the longest word even if it isn't in the grid yet: it may be a candidate.
    longest = min(words, LONGEST) if words > LONGEST_NUMBER else min(longest, LONGEST_NUMBER)
    has_images = pictures == drawing.layout.size
    return Picture(
        left=left * CELL,
        top=top * CELL,
        width=(right - left) * CELL,
        height=(bottom - top) * CELL,
        shapes=canvas.shapes,
        labels=tuple(canvas.labels),
        longest=longest,
        cornered=canvas.cornered,
        texts=() if has_images else tuple(_texts(drawing)),
        images=tuple(_images(drawing)) if has_images else (),
    )


def _width(symbol: str) -> int:
    """Return the width of a symbol in letters, where an East Asian letter counts as two.

    A single letter or emoji always has the width 1.
    """
    letters = split_graphemes(symbol)
    return sum(1 + (east_asian_width(each[0]) in "WF") for each in letters) if letters[1:] else 1


def _images(drawing: Drawing) -> Iterator[Image]:
    """Yield the image of each cell with a value, for drawings with images instead of symbols."""
    for number, row in enumerate(drawing.rows):
        for column, cell in enumerate(row):
            if cell.symbol and cell.value:
                yield Image(cell.kind, column * CELL, number * CELL, cell.value, cell.symbol)


def _texts(drawing: Drawing) -> Iterator[Text]:
    """Yield the symbols of the cells, combined into one text per row and kind of cell.

    If any symbol has several characters or isn't ASCII, yields one text per cell instead. SVG can
    position each character of a text, which makes drawings five times smaller than one text per
    cell.
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
