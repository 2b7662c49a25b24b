"""Draws pages of PDF files as images. Needs the extra `pdf`."""

from itertools import chain, repeat
from threading import Lock

import pypdfium2
from PIL import Image

# PDFium must not be used by several threads at the same time.
_PDFIUM = Lock()


def draw_pages(pdf: bytes, *, width: int, first_width: int | None = None) -> list[Image.Image]:
    """Return the pages of a PDF file as images that are `width` pixels wide.

    The first page is `first_width` pixels wide instead, if that is given.
    """
    with _PDFIUM:
        document = pypdfium2.PdfDocument(pdf)
        try:
            widths = chain([first_width or width], repeat(width))
            return [
                page.render(scale=pixels / page.get_width()).to_pil().copy()
                for page, pixels in zip(document, widths, strict=False)
            ]
        finally:
            document.close()
