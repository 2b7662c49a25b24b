"""Draw a small picture of each variant.

It shows the variant's houses, the cells that a cell sees, or values that the variant forbids.
"""

from dataclasses import replace
from functools import lru_cache

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.rules.variants import VARIANTS, Variant, with_variants
from web.boards.canvas import Shape
from web.boards.drawing import draw
from web.boards.geometry import outline
from web.boards.svg import Picture, make_picture

_PLAIN = Layout.boxed(3, 3)
_CENTRE = 40
# The cell whose peers are shown, for variants in which the center has none across an edge.
_AT_THE_EDGE = dict.fromkeys(("toroidalantiknight", "toroidalantiking"), 0)
# Examples of values, by (row, column) from 0, that violate a variant. They are shown if houses and
# not-equal pairs can't show the variant.
FORBIDDEN = {
    "antitaxicab": {(2, 4): 3, (4, 5): 3},
    "globalentropy": {(3, 3): 1, (3, 4): 5, (4, 3): 4, (4, 4): 2},
    "globalmodular": {(3, 3): 1, (3, 4): 5, (4, 3): 4, (4, 4): 2},
    "nonconsecutive": {(3, 3): 4, (3, 4): 5},
    "kropkinegative": {(3, 3): 3, (3, 4): 6},
    "differencenegative": {(3, 3): 4, (3, 4): 5},
    "rationegative": {(3, 3): 3, (3, 4): 6},
    "xvnegative": {(3, 3): 4, (3, 4): 6},
    "dutchflatmates": {(3, 4): 2, (4, 4): 5, (5, 4): 8},
    "noties": {(row, place): value for row, word in ((0, (1, 2, 3, 4)), (2, (4, 3, 2, 1)))
               for place, value in enumerate(word)},
    "regionsamevalues": {(row, place): value for row, word in ((0, (1, 2, 3, 4)), (1, (3, 4, 1, 5)))
                         for place, value in enumerate(word)},
}  # fmt: skip
# Other boards, for variants whose example wouldn't violate them on a classic 9×9 grid.
_BOARDS = {
    "noties": Layout.boxed(2, 2),
    "regionsamevalues": Layout.grid(4, 4, size=5, box=(2, 2)),
}
# The part of the classic board with the examples: rows and columns 2 to 5, counted from 0.
_PART = {"left": 40, "top": 40, "width": 80, "height": 80}


@lru_cache(maxsize=1)
def variant_pictures() -> dict[str, tuple[Variant, Picture]]:
    """Return the variants that a classic board supports, and a drawing of each, by name."""
    pictures = {}
    for name, variant in VARIANTS.items():
        layout = with_variants(_PLAIN, (name,))
        if isinstance(layout, Layout):
            picture = _forbidding(name) if name in FORBIDDEN else _picture(layout, name)
            pictures[name] = (variant, picture)
    return pictures


def board_of(name: str) -> Layout:
    """Return the layout on which a variant is drawn, without the variant's rule."""
    return _BOARDS.get(name, _PLAIN)


def _forbidding(name: str) -> Picture:
    values, board = FORBIDDEN[name], board_of(name)
    givens = tuple(values.get(divmod(cell, board.columns), 0) for cell in range(board.cells))
    wrong = frozenset(f"r{row + 1}c{column + 1}" for row, column in values)
    picture = make_picture(draw(board, Symbols.usual(board.size), givens, wrong=wrong))
    return replace(picture, **_PART) if board is _PLAIN else picture  # type: ignore[arg-type]


def _picture(layout: Layout, name: str) -> Picture:
    shown = _AT_THE_EDGE.get(name, _CENTRE)
    picture = make_picture(draw(layout, Symbols.usual(9), (0,) * 81))
    seen = {
        cell
        for links in layout.links
        for pair in links.pairs
        if shown in pair
        for cell in pair
        if cell != shown
    }
    extra = [house for house in layout.houses if house not in _PLAIN.houses]
    if {cell for house in extra for cell in house.cells} == set(range(81)):
        seen = {cell for house in extra if shown in house.cells for cell in house.cells}
    if not seen:
        return picture
    ground, *others = picture.shapes
    shapes = (
        ground,
        Shape("seen", outline(divmod(cell, 9) for cell in sorted(seen))),
        Shape("seeing", outline([divmod(shown, 9)])),
        *others,
    )
    return replace(picture, shapes=shapes)
