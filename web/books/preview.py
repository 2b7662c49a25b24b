"""The first pages of a book as a picture. Needs the extra `pdf`."""

import io

from PIL import Image

from web.books.raster import draw_pages

PAGES = 5
_WIDTH = 400  # pixels of a page
_GAP = 20  # pixels, which leave room for the shadows of the pages
_GROUND = (0, 0, 0, 0)


def preview(pdf: bytes) -> bytes:
    """Return the pages of a PDF file as a PNG picture of an opened book, two pages in a row.

    The first page is on the right, as in a book. The ground around the pages is transparent.
    """
    sheets = draw_pages(pdf, width=_WIDTH)
    height = max(sheet.height for sheet in sheets)
    rows = len(sheets) // 2 + 1
    picture = Image.new("RGBA", (2 * _WIDTH + 3 * _GAP, rows * (height + _GAP) + _GAP), _GROUND)
    for number, sheet in enumerate(sheets, 1):
        row, column = divmod(number, 2)
        # Both pages of a spread touch in the middle.
        x = _GAP + column * (_WIDTH + 2)
        picture.paste(sheet, (x, _GAP + row * (height + _GAP)))
    target = io.BytesIO()
    picture.save(target, "PNG", optimize=False)
    return target.getvalue()
