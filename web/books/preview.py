"""Draw the first pages of a book as a picture. Needs the extra `pdf`."""

import io

from PIL import Image

from web.books.raster import draw_pages

PAGES = 5
_WIDTH = 842  # pixels of the picture, as all lengths
_GAP = 20  # leaves room for the shadows of the pages
_FOLD = 2  # between two pages
_SMALL = (_WIDTH - 3 * _GAP - _FOLD) // 3
_LARGE = (_WIDTH - 2 * _GAP - _FOLD) // 2
_GROUND = (0, 0, 0, 0)


def preview(pdf: bytes) -> bytes:
    """Return the pages of a PDF file as a PNG picture.

    The first page, which is usually the cover, is next to the second and the third page. The others
    are in a second row and larger. The ground around the pages is transparent.
    """
    pages = draw_pages(pdf, widths=[_SMALL] * 3 + [_LARGE] * (PAGES - 3))
    second = 2 * _GAP + _SMALL
    below = 2 * _GAP + pages[0].height
    places = [(_GAP, _GAP), (second, _GAP), (second + _SMALL + _FOLD, _GAP)]
    places += [(_GAP, below), (_GAP + _LARGE + _FOLD, below)]
    placed = list(zip(pages, places, strict=False))
    height = max(y + page.height for page, (_, y) in placed) + _GAP
    picture = Image.new("RGBA", (_WIDTH, height), _GROUND)
    for page, place in placed:
        picture.paste(page, place)
    target = io.BytesIO()
    picture.save(target, "PNG", optimize=False)
    return target.getvalue()
