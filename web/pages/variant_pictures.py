"""A small picture of each variant: its houses, or what it takes away from one cell."""

from dataclasses import replace
from functools import lru_cache

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.rules.variants import VARIANTS, with_variants
from web.boards.drawing import draw
from web.boards.geometry import outline
from web.boards.sketch import Shape
from web.boards.svg import Picture, make_picture

_CENTRE = 40


@lru_cache(maxsize=1)
def variant_pictures() -> dict[str, tuple[str, Picture]]:
    """Return what each variant says, and an empty 9×9 grid with it."""
    pictures = {}
    for name, variant in VARIANTS.items():
        layout = with_variants(Layout.boxed(3, 3), (name,))
        if isinstance(layout, Layout):
            pictures[name] = (variant.description, _picture(layout))
    return pictures


def _picture(layout: Layout) -> Picture:
    picture = make_picture(draw(layout, Symbols.usual(9), (0,) * 81))
    seen = {
        cell
        for links in layout.links
        for pair in links.pairs
        if _CENTRE in pair
        for cell in pair
        if cell != _CENTRE
    }
    if not seen:
        return picture
    ground, *others = picture.shapes
    shapes = (
        ground,
        Shape("seen", outline(divmod(cell, 9) for cell in sorted(seen))),
        Shape("seeing", outline([divmod(_CENTRE, 9)])),
        *others,
    )
    return replace(picture, shapes=shapes)
