"""Draw the first pages of a book as a picture. Needs the extra `pdf`."""

import io

from PIL import Image

from web.books.raster import draw_pages

PAGES = 5
_WIDTH = 400  # pixels of a page
_SPREAD = 2 * _WIDTH + 2  # pixels of two pages with the fold
_GAP = 20  # pixels, which leave room for the shadows of the pages
_GROUND = (0, 0, 0, 0)


def preview(pdf: bytes, *, large_first: bool = False) -> bytes:
    """Return the pages of a PDF file as a PNG picture of an opened book, two pages in a row.

    The first page is in the middle, like the cover of a closed book, or fills its row if it is
    large. The ground around the pages is transparent.
    """
    first, *others = draw_pages(pdf, width=_WIDTH, first_width=_SPREAD if large_first else _WIDTH)
    height = max((sheet.height for sheet in others), default=0)
    rows = (len(others) + 1) // 2
    size = (_SPREAD + 2 * _GAP, first.height + rows * (height + _GAP) + 2 * _GAP)
    picture = Image.new("RGBA", size, _GROUND)
    picture.paste(first, (_GAP + (_SPREAD - first.width) // 2, _GAP))
    for number, sheet in enumerate(others):
        row, column = divmod(number, 2)
        x = _GAP + column * (_SPREAD - _WIDTH)
        picture.paste(sheet, (x, first.height + 2 * _GAP + row * (height + _GAP)))
    target = io.BytesIO()
    picture.save(target, "PNG", optimize=False)
    return target.getvalue()
