"""Draw a board as a PNG picture. Needs the extra `pdf`."""

import io
from dataclasses import replace

from web.boards.svg import Picture
from web.boards.svg_file import MARGIN
from web.books.pen import Pen, replace_missing_glyphs
from web.books.picture_files import Images
from web.books.raster import draw_pages

# Higher levels take more time, and make the files at most a tenth smaller.
_COMPRESSION = 3


def png_file(picture: Picture, *, width: int, ink: str, ruled: bool, images: Images) -> bytes:
    """Return a board as a PNG image of the same size as `svg_file` makes it.

    The other options are those of `svg_file`. The board is drawn on a page of a PDF file, as in
    books. Characters that no font has are drawn as squares.
    """
    across, down = picture.width + 2 * MARGIN, picture.height + 2 * MARGIN
    scale = width / across
    height = round(width * down / across)
    target = io.BytesIO()
    pen = Pen(target, (width, height), ink=ink, min_font=0, min_line=0)
    pen.start_page()
    shown = replace(
        picture,
        texts=tuple(
            replace(text, symbols=replace_missing_glyphs(text.symbols)) for text in picture.texts
        ),
        labels=tuple(
            replace(label, text=replace_missing_glyphs(label.text)) for label in picture.labels
        ),
    )
    pen.draw(shown, MARGIN * scale, height - MARGIN * scale, scale, ruled=ruled, images=images)
    pen.save()
    (image,) = draw_pages(target.getvalue(), widths=[width])
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=_COMPRESSION)
    return file.getvalue()
