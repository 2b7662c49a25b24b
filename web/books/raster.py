"""Draws pages of PDF files as images. Needs the extra `pdf`."""

from threading import Lock

import pypdfium2
from PIL import Image

# PDFium must not be used by several threads at the same time.
_PDFIUM = Lock()


def draw_pages(pdf: bytes, *, width: int) -> list[Image.Image]:
    """Return the pages of a PDF file as images that are `width` pixels wide."""
    with _PDFIUM:
        document = pypdfium2.PdfDocument(pdf)
        try:
            return [
                page.render(scale=width / page.get_width()).to_pil().copy() for page in document
            ]
        finally:
            document.close()
